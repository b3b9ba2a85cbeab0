"""The fifth node module: what comparisons take as the figure that was printed, and as the work and time of the run.

A printed figure and what it is held against never come from each other: each of these nodes goes back to facts that
somebody states. It imports none of the other modules: edges are names.
"""

from runlineage.catalogs.quantities.kinds import (
    AcceleratorTime,
    Count,
    Duration,
    Energy,
    FacilityEnergy,
    Fraction,
    Operations,
    Parameters,
    Power,
    Rate,
    Tokens,
)
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.adapters.marks import basis, given, route

WORK_PER_PARAMETER_TOKEN = quantity(6.0, "flop/parameter/token")


@route
@basis("modeled")
def modeled_work(parameters_per_token: Parameters, training_tokens: Tokens) -> Operations:
    """Model the work of the run from its weights and tokens, whatever is recorded.

    modeled_work = 6 flop/parameter/token × parameters_per_token × training_tokens

    Parameters and tokens in, flop out. [kaplan2020]
    Excludes: attention, recomputation.

    >>> print(modeled_work(quantity(175e9, "parameter"), quantity(180e9, "token")))
    1.89×10²³ flop
    """
    return WORK_PER_PARAMETER_TOKEN * parameters_per_token * training_tokens


@route
def run_work__recorded(training_ops: Operations) -> Operations:
    """Take the work as recorded, never from a rate that is to be compared with it.

    run_work = training_ops

    Flop in, flop out.

    >>> print(run_work__recorded(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_ops


@route
def run_work__modeled(modeled_work: Operations) -> Operations:
    """Take the work as modeled, where none is recorded.

    run_work = modeled_work

    Flop in, flop out.

    >>> print(run_work__modeled(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return modeled_work


@route
def recorded_work(training_ops: Operations) -> Operations:
    """Take the work as recorded, and none where none is.

    recorded_work = training_ops

    Flop in, flop out.

    >>> print(recorded_work(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_ops


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
def printed_mfu__reported(reported_mfu: Fraction) -> Fraction:
    """Take the model utilisation that the authors print.

    printed_mfu = reported_mfu

    A plain fraction in, one out.

    >>> print(printed_mfu__reported(quantity(0.46, "")))
    0.46 dimensionless
    """
    return reported_mfu


@route
@given("mfu")
def printed_mfu__given(mfu: Fraction) -> Fraction:
    """Take the model utilisation that was given as a fact.

    printed_mfu = mfu

    A plain fraction in, one out.

    >>> print(printed_mfu__given(quantity(0.46, "")))
    0.46 dimensionless
    """
    return mfu


@route
def printed_hfu__reported(reported_hfu: Fraction) -> Fraction:
    """Take the hardware utilisation that the authors print.

    printed_hfu = reported_hfu

    A plain fraction in, one out.

    >>> print(printed_hfu__reported(quantity(0.58, "")))
    0.58 dimensionless
    """
    return reported_hfu


@route
@given("hfu")
def printed_hfu__given(hfu: Fraction) -> Fraction:
    """Take the hardware utilisation that was given as a fact.

    printed_hfu = hfu

    A plain fraction in, one out.

    >>> print(printed_hfu__given(quantity(0.58, "")))
    0.58 dimensionless
    """
    return hfu


@route
def best_mfu__printed(printed_mfu: Fraction) -> Fraction:
    """Take the model utilisation as printed, for what is compared with it.

    best_mfu = printed_mfu

    A plain fraction in, one out.

    >>> print(best_mfu__printed(quantity(0.46, "")))
    0.46 dimensionless
    """
    return printed_mfu


@route
def best_mfu__computed(mfu: Fraction) -> Fraction:
    """Take the model utilisation as it is computed, where none is printed.

    best_mfu = mfu

    A plain fraction in, one out.

    >>> print(best_mfu__computed(quantity(0.46, "")))
    0.46 dimensionless
    """
    return mfu


@route
@given("training_operations")
def printed_work(training_operations: Operations) -> Operations:
    """Take the work that was given as the answer itself.

    printed_work = training_operations

    Flop in, flop out.

    >>> print(printed_work(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_operations


@route
def rate_of_steps__reported(reported_step_rate: Rate) -> Rate:
    """Take the rate of single steps that the authors print.

    rate_of_steps = reported_step_rate

    flop/s/accelerator in, flop/s/accelerator out.

    >>> print(rate_of_steps__reported(quantity(1.76e14, "flop/s/accelerator")))
    1.76×10¹⁴ flop/accelerator/second
    """
    return reported_step_rate


@route
def rate_of_steps__computed(step_rate: Rate) -> Rate:
    """Take the rate of single steps as it is computed, where none is printed.

    rate_of_steps = step_rate

    flop/s/accelerator in, flop/s/accelerator out.

    >>> print(rate_of_steps__computed(quantity(1.76e14, "flop/s/accelerator")))
    1.76×10¹⁴ flop/accelerator/second
    """
    return step_rate


@route
def printed_energy__reported(reported_energy: Energy) -> Energy:
    """Take the energy of the devices that the authors print.

    printed_energy = reported_energy

    J in, J out.

    >>> print(printed_energy__reported(quantity(3.6e6, "J")).to("kWh"))
    1 kilowatt_hour
    """
    return reported_energy


@route
@given("energy")
def printed_energy__given(energy: Energy) -> Energy:
    """Take the energy of the devices that was given as a fact.

    printed_energy = energy

    J in, J out.

    >>> print(printed_energy__given(quantity(3.6e6, "J")).to("kWh"))
    1 kilowatt_hour
    """
    return energy


@route
def printed_facility_energy__reported(reported_facility_energy: FacilityEnergy) -> FacilityEnergy:
    """Take the energy of the facility that the authors print.

    printed_facility_energy = reported_facility_energy

    J·facility in, J·facility out.

    >>> print(printed_facility_energy__reported(quantity(1287.0, "MWh*facility")).m_as("GWh*facility"))
    1.287
    """
    return reported_facility_energy


@route
@given("facility_energy")
def printed_facility_energy__given(facility_energy: FacilityEnergy) -> FacilityEnergy:
    """Take the energy of the facility that was given as a fact.

    printed_facility_energy = facility_energy

    J·facility in, J·facility out.

    >>> print(printed_facility_energy__given(quantity(1287.0, "MWh*facility")).m_as("GWh*facility"))
    1.287
    """
    return facility_energy


@route
@given("it_energy")
def printed_it_energy(it_energy: Energy) -> Energy:
    """Take the energy of the IT equipment that was given as a fact.

    printed_it_energy = it_energy

    J in, J out.

    >>> print(printed_it_energy(quantity(3.6e6, "J")).to("kWh"))
    1 kilowatt_hour
    """
    return it_energy


@route
@given("device_power")
def stated_power(device_power: Power) -> Power:
    """Take the power of a device as stated, never its thermal design power in its place.

    stated_power = device_power

    W/accelerator in, W/accelerator out.

    >>> print(stated_power(quantity(330.0, "W/accelerator")))
    330 watt/accelerator
    """
    return device_power


@route
def total_work(all_parameters: Parameters, training_tokens: Tokens) -> Operations:
    """Model the work as if a token passed all weights of a sparse model.

    total_work = 6 flop/parameter/token × all_parameters × training_tokens

    Parameters and tokens in, flop out.

    >>> print(total_work(quantity(1e12, "parameter"), quantity(1e12, "token")))
    6×10²⁴ flop
    """
    return WORK_PER_PARAMETER_TOKEN * all_parameters * training_tokens


@route
def device_energy__printed(printed_energy: Energy) -> Energy:
    """Take the energy of the devices as printed.

    device_energy = printed_energy

    J in, J out.

    >>> print(device_energy__printed(quantity(3.6e6, "J")).to("kWh"))
    1 kilowatt_hour
    """
    return printed_energy


@route
def device_energy__power_time(run_time: AcceleratorTime, stated_power: Power) -> Energy:
    """Take the energy of the devices from their time and stated power.

    device_energy = run_time × stated_power

    Accelerator·s and W/accelerator in, J out.

    >>> print(device_energy__power_time(quantity(3600.0, "accelerator*s"), quantity(700.0, "W/accelerator")).to("kWh"))
    0.7 kilowatt_hour
    """
    return run_time * stated_power
