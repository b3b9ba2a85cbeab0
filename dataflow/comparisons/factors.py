"""Causes of a difference whose ratio depends on facts of the run."""

from runlineage.catalogs.quantities.constants import WORK_PER_PARAMETER_TOKEN
from runlineage.catalogs.quantities.kinds import (
    CarbonIntensity,
    Count,
    Fraction,
    Operations,
    Overhead,
    Parameters,
    WorkPerToken,
)
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.adapters.marks import route


@route
def attention_factor(parameters_per_token: Parameters, attention_operations: WorkPerToken) -> Fraction:
    """Compute how many times 6 N attention makes the operations of a token.

    attention_factor = (6 × parameters_per_token + attention_operations) ÷ (6 × parameters_per_token)

    Parameters and flop/token in, a plain ratio out. [chowdhery2022] App. B.

    >>> print(f"{attention_factor(quantity(540.35e9, 'parameter'), quantity(3.56354e10, 'flop/token')):.3f}")
    1.011 dimensionless
    """
    work = WORK_PER_PARAMETER_TOKEN * parameters_per_token
    return (work + attention_operations) / work  # pyright: ignore[reportReturnType] - pint: or a date


@route
def total_factor(all_parameters: Parameters, parameters_per_token: Parameters) -> Fraction:
    """Compute how many times the active parameters of a sparse model all of them are.

    total_factor = all_parameters ÷ parameters_per_token

    Parameters twice in, a plain ratio out.

    >>> print(f"{total_factor(quantity(671e9, 'parameter'), quantity(37e9, 'parameter')):.1f}")
    18.1 dimensionless
    """
    return all_parameters / parameters_per_token


@route
def base_factor(modeled_work: Operations, base_training_ops: Operations) -> Fraction:
    """Compute how many times the run's own work it is with that of the model it started from.

    base_factor = (modeled_work + base_training_ops) ÷ modeled_work

    Flop twice in, a plain ratio out.

    >>> print(base_factor(quantity(1e22, "flop"), quantity(3e22, "flop")))
    4 dimensionless
    """
    return (modeled_work + base_training_ops) / modeled_work


@route
def overhead_factor(pue: Overhead) -> Fraction:
    """Take the overhead of the facility as a plain ratio.

    overhead_factor = pue

    Facility in, a plain ratio out.

    >>> print(overhead_factor(quantity(1.1, "facility")))
    1.1 dimensionless
    """
    return pue / quantity(1.0, "facility")


@route
def count_factor(accelerator_count: Count) -> Fraction:
    """Take the count of accelerators as a plain ratio.

    count_factor = accelerator_count

    Accelerators in, a plain ratio out.

    >>> print(count_factor(quantity(4.0, "accelerator")))
    4 dimensionless
    """
    return accelerator_count / quantity(1.0, "accelerator")


@route
def host_factor(host_overhead: Fraction) -> Fraction:
    """Take what the hosts add to their devices as a ratio.

    host_factor = host_overhead

    A plain ratio in, one out.

    >>> print(host_factor(quantity(1.25, "")))
    1.25 dimensionless
    """
    return host_overhead


@route
def market_factor(market_carbon_intensity: CarbonIntensity, carbon_intensity: CarbonIntensity) -> Fraction:
    """Compute how many times the intensity of the grid that of the contracts is.

    market_factor = market_carbon_intensity ÷ carbon_intensity

    gCO2e/J/facility twice in, a plain ratio out.

    >>> print(market_factor(quantity(1e-5, "gCO2e/J/facility"), quantity(4e-5, "gCO2e/J/facility")))
    0.25 dimensionless
    """
    return market_carbon_intensity / carbon_intensity
