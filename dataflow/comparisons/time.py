"""Accelerator time: stated hours held against count times duration, which they cannot exceed."""

from runlineage.catalogs.quantities.kinds import AcceleratorTime, Count, Duration, Fraction
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters.comparison import compares
from runlineage.dataflow.adapters.marks import given, route


@route
@given("accelerator_hours")
def run_time__stated(accelerator_hours: AcceleratorTime) -> AcceleratorTime:
    """Take the accelerator time as stated.

    run_time = accelerator_hours

    Accelerator·s in, accelerator·s out.

    >>> print(run_time__stated(quantity(3600.0, "accelerator*s")).m_as("accelerator*hour"))
    1.0
    """
    return accelerator_hours


@route
def run_time__count_duration(accelerator_count: Count, duration: Duration) -> AcceleratorTime:
    """Take the accelerator time as count times duration, where none is stated: an upper end of it.

    run_time = accelerator_count × duration

    Accelerators and s in, accelerator·s out.

    >>> print(run_time__count_duration(quantity(2.0, "accelerator"), quantity(1800.0, "s")).m_as("accelerator*hour"))
    1.0
    """
    return accelerator_count * duration


@route
@compares(
    "accelerator_hours",
    "count × duration",
    below=0.1,
    because="a run may pause, or use fewer devices for part of it",
    causes=("wall_clock", "count_in_nodes", "hours_of_nodes", "hours_for_days", "seconds_for_hours"),
)
def hours_to_count_duration(
    accelerator_hours: AcceleratorTime, accelerator_count: Count, duration: Duration
) -> Fraction:
    """Compare stated accelerator-hours with count times duration, which they cannot exceed.

    hours_to_count_duration = accelerator_hours ÷ (accelerator_count × duration)

    Accelerator·s, accelerators and s in, a plain ratio out.

    >>> ratio = hours_to_count_duration(
    ...     quantity(1_022_362.0, 'accelerator*hour'), quantity(2048.0, 'accelerator'), quantity(504.0, 'hour')
    ... )
    >>> print(f"{ratio:.4f}")
    0.9905 dimensionless
    """
    return accelerator_hours / (accelerator_count * duration)
