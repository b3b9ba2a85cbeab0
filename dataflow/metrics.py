"""Work, rate, energy and peak fraction: one function a route, routes of a metric in order of preference.

Quantities flow in coherent units (flop, s, accelerator·s, flop/s/accelerator, W/accelerator, J), so no body converts
anything. Every parameter and result is a scalar or a column. A wrong dimension is refused before a body runs.
"""

from runlineage.catalogs.quantities.constants import WORK_PER_PARAMETER_TOKEN
from runlineage.catalogs.quantities.kinds import (
    AcceleratorTime,
    Count,
    Duration,
    Energy,
    Fraction,
    Operations,
    Parameters,
    Power,
    Rate,
    Tokens,
    WorkPerToken,
)
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters import fingerprints as fingerprints  # so that Hamilton's cache knows what flows here
from runlineage.dataflow.adapters.marks import assumption, basis, route, stated


@route
@basis("stated")
def training_operations__recorded(training_ops: Operations) -> Operations:
    """Take the operations as the authors recorded or stated them.

    training_operations = training_ops

    Flop in, flop out.

    >>> print(training_operations__recorded(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_ops


@route
@basis("modeled")
def training_operations__parameter_token(parameters_per_token: Parameters, training_tokens: Tokens) -> Operations:
    """Model the operations from parameters and tokens: 6 N D, modeled and not measured.

    training_operations = 6 flop/parameter/token × parameters_per_token × training_tokens

    Parameters and tokens in, flop out. [kaplan2020] Sec. 2.1.
    Excludes: attention, recomputation.

    >>> print(training_operations__parameter_token(quantity(405e9, "parameter"), quantity(15.6e12, "token")))
    3.7908×10²⁵ flop
    """
    return WORK_PER_PARAMETER_TOKEN * parameters_per_token * training_tokens


@route
@stated("achieved_rate")
def training_operations__rate_time(achieved_rate: Rate, accelerator_hours: AcceleratorTime) -> Operations:
    """Take the operations from a rate that the authors state, over the accelerator time of the run.

    training_operations = achieved_rate × accelerator_hours

    flop/s/accelerator and accelerator·s in, flop out. A rate of single steps over-counts: time lies between them.

    >>> print(training_operations__rate_time(quantity(1e14, "flop/s/accelerator"), quantity(3600.0, "accelerator*s")))
    3.6×10¹⁷ flop
    """
    return achieved_rate * accelerator_hours


@route
@stated("achieved_rate")
def training_operations__rate_count_duration(
    achieved_rate: Rate, accelerator_count: Count, duration: Duration
) -> Operations:
    """Take the operations from a rate that the authors state, over the count and duration of the run.

    training_operations = achieved_rate × accelerator_count × duration

    flop/s/accelerator, accelerators and s in, flop out. A rate of single steps over-counts: time lies between them.

    >>> rate = quantity(1.47e14, "flop/s/accelerator")
    >>> count, duration = quantity(992.0, "accelerator"), quantity(33 * 86400.0, "s")
    >>> print(training_operations__rate_count_duration(rate, count, duration))
    4.15773×10²³ flop
    """
    return achieved_rate * accelerator_count * duration


@route
@basis("modeled")
def training_operations__with_attention(
    parameters_per_token: Parameters, attention_operations: WorkPerToken, training_tokens: Tokens
) -> Operations:
    """Model the operations with attention: seen beside 6 N D and compared with it, and not in its place.

    training_operations = (6 flop/parameter/token × parameters_per_token + attention_operations) × training_tokens

    Parameters, flop/token and tokens in, flop out. [chowdhery2022] App. B.
    Excludes: recomputation.

    >>> print(training_operations__with_attention(
    ...     quantity(540e9, "parameter"), quantity(3.56354e10, "flop/token"), quantity(780e9, "token")
    ... ))
    2.555×10²⁴ flop
    """
    return (WORK_PER_PARAMETER_TOKEN * parameters_per_token + attention_operations) * training_tokens


@route
@basis("stated")
def parameters_per_token__active(active_parameters: Parameters) -> Parameters:
    """Count the weights that one token passes through, as stated for a sparse model.

    parameters_per_token = active_parameters

    Parameters in, parameters out.

    >>> print(parameters_per_token__active(quantity(37e9, "parameter")))
    3.7×10¹⁰ parameter
    """
    return active_parameters


@route
@basis("stated")
def parameters_per_token__total(parameters: Parameters) -> Parameters:
    """Count all weights: every token of a dense model passes through them.

    parameters_per_token = parameters

    Parameters in, parameters out. A sparse model's total never comes here: the inputs withhold it.

    >>> print(parameters_per_token__total(quantity(176.247e9, "parameter")))
    1.76247×10¹¹ parameter
    """
    return parameters


@route
def achieved_rate__accelerator_time(training_operations: Operations, accelerator_hours: AcceleratorTime) -> Rate:
    """Spread the operations over the accelerator time of the whole run.

    achieved_rate = training_operations ÷ accelerator_hours

    Flop and accelerator·s in, flop/s/accelerator out: an average over the run, restarts and idle time within it.

    >>> print(achieved_rate__accelerator_time(quantity(3.6e17, "flop"), quantity(3600.0, "accelerator*s")))
    1×10¹⁴ flop/accelerator/second
    """
    return training_operations / accelerator_hours


@route
def achieved_rate__reference_run(training_ops: Operations, accelerator_count: Count, duration: Duration) -> Rate:
    """Spread recorded operations over the count and duration of a reference run; modeled work does not serve.

    achieved_rate = training_ops ÷ (accelerator_count × duration)

    Flop, accelerators and s in, flop/s/accelerator out.

    >>> rate = achieved_rate__reference_run(
    ...     quantity(3.14e23, "flop"), quantity(10_000.0, "accelerator"), quantity(14.8 * 86400, "s")
    ... )
    >>> print(rate)
    2.45558×10¹³ flop/accelerator/second
    """
    return training_ops / (accelerator_count * duration)


@route
@assumption
def achieved_rate__modeled_reference(
    training_operations: Operations, accelerator_count: Count, duration: Duration
) -> Rate:
    """Assume that modeled operations may stand in for recorded ones in a reference run.

    achieved_rate = training_operations ÷ (accelerator_count × duration)

    Flop, accelerators and s in, flop/s/accelerator out.

    >>> rate = achieved_rate__modeled_reference(
    ...     quantity(2.5272e24, "flop"), quantity(6144.0, "accelerator"), quantity(57 * 86400.0, "s")
    ... )
    >>> print(rate)
    8.35218×10¹³ flop/accelerator/second
    """
    return training_operations / (accelerator_count * duration)


@route
@stated("peak_fraction")
def achieved_rate__reported_fraction(peak_fraction: Fraction, peak_flops: Rate) -> Rate:
    """Take the rate from the fraction of the peak that the authors state.

    achieved_rate = peak_fraction × peak_flops

    A plain fraction and flop/s/accelerator in, flop/s/accelerator out: of the peak that the authors mean, if it is
    the dense one of the catalog.

    >>> print(achieved_rate__reported_fraction(quantity(0.4, ""), quantity(3.12e14, "flop/s/accelerator")))
    1.248×10¹⁴ flop/accelerator/second
    """
    return peak_fraction * peak_flops


@route
@basis("stated")
@stated("reported_rate")
def achieved_rate__reported(reported_rate: Rate) -> Rate:
    """Take the rate as the authors print it, where nothing computes it.

    achieved_rate = reported_rate

    flop/s/accelerator in, flop/s/accelerator out. Whether it is of single steps or of the run is said beside it.

    >>> print(achieved_rate__reported(quantity(1.4e14, "flop/s/accelerator")))
    1.4×10¹⁴ flop/accelerator/second
    """
    return reported_rate


@route
def energy__power_time(accelerator_hours: AcceleratorTime, device_power: Power) -> Energy:
    """Reconstruct the energy of the devices over the run; no meter data.

    energy = accelerator_hours × device_power

    Accelerator·s and W/accelerator in, J out.
    Excludes: facility overhead, varying power.

    >>> print(energy__power_time(quantity(3600.0, "accelerator*s"), quantity(700.0, "W/accelerator")).to("kWh"))
    0.7 kilowatt_hour
    """
    return accelerator_hours * device_power


@route
@basis("stated")
@stated("reported_energy")
def energy__reported(reported_energy: Energy) -> Energy:
    """Take the energy of the devices as the authors print it, where nothing computes it.

    energy = reported_energy

    J in, J out. What the authors count in it is said beside the figure.

    >>> print(energy__reported(quantity(3.6e6, "J")).to("kWh"))
    1 kilowatt_hour
    """
    return reported_energy


@route
def peak_fraction(achieved_rate: Rate, peak_flops: Rate) -> Fraction:
    """Compare the achieved rate with the dense peak of the device.

    peak_fraction = achieved_rate ÷ peak_flops

    Two rates in, a plain fraction out: over the whole run, so below the MFU of single steps. [chowdhery2022] App. B
    defines MFU, which also counts attention. The peak's precision must match how the work was counted.

    >>> rate, peak = quantity(24.6, "TFLOP/s/accelerator"), quantity(125.0, "TFLOP/s/accelerator")
    >>> print(peak_fraction(rate, peak))
    0.1968 dimensionless
    """
    return achieved_rate / peak_flops


@route
@assumption
def accelerator_hours__count_duration(accelerator_count: Count, duration: Duration) -> AcceleratorTime:
    """Assume that every accelerator was occupied for the whole duration.

    accelerator_hours = accelerator_count × duration

    Accelerators and s in, accelerator·s out. Of a run in periods, the count is their mean over time.

    >>> hours = accelerator_hours__count_duration(quantity(10_000.0, "accelerator"), quantity(14.8 * 86400, "s"))
    >>> print(f"{hours.m_as('accelerator*hour'):,.0f}")
    3,552,000
    """
    return accelerator_count * duration


@route
@assumption
def device_power__tdp(accelerator_tdp: Power) -> Power:
    """Assume that each device draws its thermal design power all the time.

    device_power = accelerator_tdp

    W/accelerator in, W/accelerator out.

    >>> print(device_power__tdp(quantity(300.0, "W/accelerator")))
    300 watt/accelerator
    """
    return accelerator_tdp
