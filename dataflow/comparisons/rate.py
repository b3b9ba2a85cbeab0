"""Rates and fractions of the peak over the whole run, held against its work and its time."""

from runlineage.catalogs.quantities.kinds import AcceleratorTime, Fraction, Operations, Rate
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters.comparison import bounded, compares
from runlineage.dataflow.adapters.marks import given, route

UNSTATED_WINDOW = "whether the printed rate is of single steps or of the whole run is unstated, and steps are faster"


@route
def printed_rate__reported(reported_rate: Rate) -> Rate:
    """Take the rate that the authors print.

    printed_rate = reported_rate

    flop/s/accelerator in, flop/s/accelerator out.

    >>> print(printed_rate__reported(quantity(1.4e14, "flop/s/accelerator")))
    1.4×10¹⁴ flop/accelerator/second
    """
    return reported_rate


@route
@given("achieved_rate")
def printed_rate__given(achieved_rate: Rate) -> Rate:
    """Take the rate that was given as a fact.

    printed_rate = achieved_rate

    flop/s/accelerator in, flop/s/accelerator out.

    >>> print(printed_rate__given(quantity(1.4e14, "flop/s/accelerator")))
    1.4×10¹⁴ flop/accelerator/second
    """
    return achieved_rate


@route
@given("peak_fraction")
def printed_fraction(peak_fraction: Fraction) -> Fraction:
    """Take the fraction of the peak that was given as a fact.

    printed_fraction = peak_fraction

    A plain fraction in, one out.

    >>> print(printed_fraction(quantity(0.4, "")))
    0.4 dimensionless
    """
    return peak_fraction


@route
@compares(
    "printed_rate",
    "work ÷ time",
    within=0.1,
    above=0.5,
    because=UNSTATED_WINDOW,
    causes=("recomputation", "multiply_adds", "total_parameters", "rate_of_nodes", "kilo"),
)
def rate_to_work(printed_rate: Rate, run_work: Operations, run_time: AcceleratorTime) -> Fraction:
    """Compare a printed rate with the work of the run over its accelerator time.

    rate_to_work = printed_rate ÷ (run_work ÷ run_time)

    flop/s/accelerator, flop and accelerator·s in, a plain ratio out.

    >>> ratio = rate_to_work(
    ...     quantity(24.6e12, 'flop/s/accelerator'), quantity(3.14e23, 'flop'), quantity(1.27872e10, 'accelerator*s')
    ... )
    >>> print(f"{ratio:.3f}")
    1.002 dimensionless
    """
    return printed_rate / (run_work / run_time)


@route
@bounded(
    "run_work",
    "peak × time",
    because="no device computes faster than its peak",
    causes=("total_parameters", "base"),
)
def work_to_peak(run_work: Operations, run_time: AcceleratorTime, peak_flops: Rate) -> Fraction:
    """Compare the work of the run with what its devices could do at their dense peak.

    work_to_peak = run_work ÷ (run_time × peak_flops)

    Flop, accelerator·s and flop/s/accelerator in, a plain ratio out.

    >>> print(work_to_peak(
    ...     quantity(4e23, "flop"), quantity(1e10, "accelerator*s"), quantity(1e14, "flop/s/accelerator")
    ... ))
    0.4 dimensionless
    """
    return run_work / (run_time * peak_flops)


@route
@compares(
    "printed_fraction",
    "printed rate ÷ peak",
    within=0.02,
    because="the two may be of different days of the run",
    causes=("recomputation", "sparse_peak", "kilo"),
)
def fraction_to_rate(printed_fraction: Fraction, printed_rate: Rate, peak_flops: Rate) -> Fraction:
    """Compare a printed fraction of the peak with the printed rate over the peak.

    fraction_to_rate = printed_fraction ÷ (printed_rate ÷ peak_flops)

    A plain fraction and two rates in, a plain ratio out.

    >>> ratio = fraction_to_rate(
    ...     quantity(0.48, ''), quantity(1.5e14, 'flop/s/accelerator'), quantity(3.12e14, 'flop/s/accelerator')
    ... )
    >>> print(f"{ratio:.3f}")
    0.998 dimensionless
    """
    return printed_fraction / (printed_rate / peak_flops)


@route
@compares(
    "printed_fraction",
    "work ÷ time ÷ peak",
    within=0.1,
    above=0.5,
    because=UNSTATED_WINDOW,
    causes=("recomputation", "sparse_peak", "total_parameters"),
)
def fraction_to_work(
    printed_fraction: Fraction, run_work: Operations, run_time: AcceleratorTime, peak_flops: Rate
) -> Fraction:
    """Compare a printed fraction of the peak with that of the run's work over its accelerator time.

    fraction_to_work = printed_fraction ÷ (run_work ÷ run_time ÷ peak_flops)

    A plain fraction, flop, accelerator·s and flop/s/accelerator in, a plain ratio out.

    >>> print(fraction_to_work(
    ...     quantity(0.4, ""), quantity(4e23, "flop"), quantity(1e10, "accelerator*s"),
    ...     quantity(1e14, "flop/s/accelerator"),
    ... ))
    1 dimensionless
    """
    return printed_fraction / (run_work / run_time / peak_flops)
