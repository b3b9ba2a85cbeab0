"""The sixth node module: each node compares two figures of one quantity, and returns their ratio.

Each contradiction shows at the lowest quantity where it arises: work, then time, rate, fraction, energy, emissions. It
imports none of the other modules: edges are names.
"""

from runlineage.catalogs.quantities.kinds import (
    AcceleratorTime,
    CarbonIntensity,
    Count,
    Duration,
    Emissions,
    Energy,
    FacilityEnergy,
    Fraction,
    Operations,
    Overhead,
    Power,
    Rate,
    TokenRate,
    Tokens,
    WorkPerToken,
)
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.adapters.comparison import bounded, compares
from runlineage.dataflow.adapters.marks import route

UNSTATED_WINDOW = "whether the printed rate is of single steps or of the whole run is unstated, and steps are faster"


@route
@compares(
    "training_ops",
    "6 N D",
    within=0.1,
    because="6 N D leaves out attention and counts embeddings",
    causes=("recomputation", "attention", "total_parameters", "encoder_decoder", "forward_pass", "base", "kilo"),
)
def recorded_to_modeled(training_ops: Operations, modeled_work: Operations) -> Fraction:
    """Compare recorded work with 6 N D.

    recorded_to_modeled = training_ops ÷ modeled_work

    Flop and flop in, a plain ratio out. [kaplan2020] has 6 N D.

    >>> print(f"{recorded_to_modeled(quantity(4.3e23, 'flop'), quantity(3.15e23, 'flop')):.3f}")
    1.365 dimensionless
    """
    return training_ops / modeled_work


@route
@bounded(
    "total_work",
    "peak × time, all weights counted",
    because="no device computes faster than its peak",
    causes=("sparse_total",),
)
def total_work_to_peak(total_work: Operations, run_time: AcceleratorTime, peak_flops: Rate) -> Fraction:
    """Compare 6 N D of all weights of a sparse model with what the devices could do at their peak.

    total_work_to_peak = total_work ÷ (run_time × peak_flops)

    Flop, accelerator·s and flop/s/accelerator in, a plain ratio out. A token passes only part of the weights.

    >>> print(total_work_to_peak(
    ...     quantity(2e24, "flop"), quantity(1e10, "accelerator*s"), quantity(1e14, "flop/s/accelerator")
    ... ))
    2 dimensionless
    """
    return total_work / (run_time * peak_flops)


@route
@compares(
    "printed_work",
    "work as recorded, or else 6 N D",
    within=0.1,
    because="6 N D leaves out attention and counts embeddings",
    causes=("recomputation", "total_parameters", "kilo"),
)
def given_to_work(printed_work: Operations, run_work: Operations) -> Fraction:
    """Compare work that was given as the answer with recorded work, or else with 6 N D.

    given_to_work = printed_work ÷ run_work

    Flop twice in, a plain ratio out.

    >>> print(f"{given_to_work(quantity(4e23, 'flop'), quantity(3e23, 'flop')):.3f}")
    1.333 dimensionless
    """
    return printed_work / run_work


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


@route
@compares(
    "reported_step_rate",
    "operations a token × tokens a second ÷ count",
    within=0.05,
    because="authors count attention in different ways",
    causes=("recomputation", "multiply_adds"),
)
def step_rate_to_tokens(
    reported_step_rate: Rate, operations_per_token: WorkPerToken, tokens_per_second: TokenRate, accelerator_count: Count
) -> Fraction:
    """Compare the printed rate of steps with what the throughput of tokens gives.

    step_rate_to_tokens = reported_step_rate ÷ (operations_per_token × tokens_per_second ÷ accelerator_count)

    flop/s/accelerator, flop/token, token/s and accelerators in, a plain ratio out. [chowdhery2022] App. B.

    >>> print(step_rate_to_tokens(
    ...     quantity(1e14, "flop/s/accelerator"), quantity(1e11, "flop/token"), quantity(1e6, "token/s"),
    ...     quantity(1000.0, "accelerator"),
    ... ))
    1 dimensionless
    """
    return reported_step_rate / (operations_per_token * tokens_per_second / accelerator_count)


@route
@compares(
    "printed_mfu",
    "rate of steps ÷ peak",
    within=0.05,
    because="authors count attention in different ways",
    causes=("recomputation", "sparse_peak"),
)
def mfu_to_steps(printed_mfu: Fraction, rate_of_steps: Rate, peak_flops: Rate) -> Fraction:
    """Compare the printed model utilisation with the rate of steps over the peak.

    mfu_to_steps = printed_mfu ÷ (rate_of_steps ÷ peak_flops)

    A plain fraction and two rates in, a plain ratio out. [chowdhery2022] App. B.

    >>> ratio = mfu_to_steps(
    ...     quantity(0.462, ''), quantity(127.13e12, 'flop/s/accelerator'), quantity(275e12, 'flop/s/accelerator')
    ... )
    >>> print(f"{ratio:.3f}")
    0.999 dimensionless
    """
    return printed_mfu / (rate_of_steps / peak_flops)


@route
@compares(
    "printed_hfu",
    "MFU × what is computed anew",
    within=0.1,
    because="part of the activations may be kept, and then less than a whole forward pass is computed anew",
)
def hfu_to_mfu(printed_hfu: Fraction, best_mfu: Fraction, recomputation_factor: Fraction) -> Fraction:
    """Compare the printed hardware utilisation with the model's and what recomputation adds.

    hfu_to_mfu = printed_hfu ÷ (best_mfu × recomputation_factor)

    Three plain fractions in, a plain ratio out. [korthikanti2022]

    >>> print(f"{hfu_to_mfu(quantity(0.578, ''), quantity(0.457, ''), quantity(4 / 3, '')):.3f}")
    0.949 dimensionless
    """
    return printed_hfu / (best_mfu * recomputation_factor)


@route
@bounded("printed_mfu", "HFU", because="hardware runs the model's operations and what is computed anew")
def mfu_to_hfu(printed_mfu: Fraction, printed_hfu: Fraction) -> Fraction:
    """Compare the printed model utilisation with the printed hardware utilisation, which holds it.

    mfu_to_hfu = printed_mfu ÷ printed_hfu

    Two plain fractions in, a plain ratio out. [chowdhery2022]

    >>> print(f"{mfu_to_hfu(quantity(0.462, ''), quantity(0.578, '')):.3f}")
    0.799 dimensionless
    """
    return printed_mfu / printed_hfu


@route
@bounded(
    "run_work",
    "rate of steps × time",
    above=0.05,
    because="time lies between steps",
    causes=("recomputation", "base"),
)
def run_to_steps(run_work: Operations, run_time: AcceleratorTime, step_rate: Rate) -> Fraction:
    """Compare the work of the run with what its steps would do without a pause: other windows, so at most one.

    run_to_steps = run_work ÷ (run_time × step_rate)

    Flop, accelerator·s and flop/s/accelerator in, a plain ratio out.

    >>> print(run_to_steps(
    ...     quantity(3.6e17, "flop"), quantity(3600.0, "accelerator*s"), quantity(1.25e14, "flop/s/accelerator")
    ... ))
    0.8 dimensionless
    """
    return run_work / (run_time * step_rate)


@route
@bounded("training_tokens", "tokens a second × duration", because="steps cannot take more than all of the time")
def tokens_to_throughput(training_tokens: Tokens, tokens_per_second: TokenRate, duration: Duration) -> Fraction:
    """Compare the tokens of the run with what its throughput gives over its duration.

    tokens_to_throughput = training_tokens ÷ (tokens_per_second × duration)

    Tokens, token/s and s in, a plain ratio out.

    >>> print(tokens_to_throughput(quantity(1e12, "token"), quantity(1e6, "token/s"), quantity(1.25e6, "s")))
    0.8 dimensionless
    """
    return training_tokens / (tokens_per_second * duration)


@route
@bounded("stated_power", "thermal design power", above=0.1, because="boards exceed it for moments, not over a run")
def power_to_tdp(stated_power: Power, accelerator_tdp: Power) -> Fraction:
    """Compare the stated power of a device with its thermal design power.

    power_to_tdp = stated_power ÷ accelerator_tdp

    W/accelerator twice in, a plain ratio out.

    >>> print(power_to_tdp(quantity(330.0, "W/accelerator"), quantity(300.0, "W/accelerator")))
    1.1 dimensionless
    """
    return stated_power / accelerator_tdp


@route
@compares(
    "printed_energy",
    "time × device power",
    within=0.1,
    because="power varies over a run",
    causes=("overhead", "host", "wall_clock", "hours_of_nodes", "count_in_nodes", "kilo", "hours_for_days"),
)
def energy_to_power(printed_energy: Energy, run_time: AcceleratorTime, stated_power: Power) -> Fraction:
    """Compare the printed energy of the devices with their time and power.

    energy_to_power = printed_energy ÷ (run_time × stated_power)

    J, accelerator·s and W/accelerator in, a plain ratio out.

    >>> time, power = quantity(3600.0, "accelerator*s"), quantity(700.0, "W/accelerator")
    >>> print(energy_to_power(quantity(2.52e6, "J"), time, power).to(""))
    1 dimensionless
    """
    return printed_energy / (run_time * stated_power)


@route
@compares("printed_it_energy", "energy of the devices × host", within=0.1, because="hosts vary", causes=("host",))
def it_energy_to_devices(printed_it_energy: Energy, energy: Energy, host_overhead: Fraction) -> Fraction:
    """Compare a given energy of the IT equipment with that of the devices and their hosts.

    it_energy_to_devices = printed_it_energy ÷ (energy × host_overhead)

    J twice and a plain fraction in, a plain ratio out.

    >>> print(it_energy_to_devices(quantity(5.0, "J"), quantity(4.0, "J"), quantity(1.25, "")))
    1 dimensionless
    """
    return printed_it_energy / (energy * host_overhead)


@route
@compares(
    "printed_facility_energy",
    "IT energy × PUE",
    within=0.1,
    because="power varies over a run",
    causes=("without_overhead", "wall_clock", "kilo"),
)
def facility_energy_to_it(printed_facility_energy: FacilityEnergy, it_energy: Energy, pue: Overhead) -> Fraction:
    """Compare the printed energy of the facility with that of its IT equipment and the facility's overhead.

    facility_energy_to_it = printed_facility_energy ÷ (it_energy × pue)

    J·facility, J and facility in, a plain ratio out. [iso_30134_2]

    >>> print(facility_energy_to_it(quantity(1.1, "J*facility"), quantity(1.0, "J"), quantity(1.1, "facility")))
    1 dimensionless
    """
    return printed_facility_energy / (it_energy * pue)


@route
@bounded("device_energy", "energy of the facility", above=0.01, because="the devices are part of the facility")
def devices_to_facility(device_energy: Energy, printed_facility_energy: FacilityEnergy) -> Fraction:
    """Compare the energy of the devices with the printed one of the facility that they stand in.

    devices_to_facility = device_energy ÷ printed_facility_energy

    J and J·facility in, a plain ratio out.

    >>> print(devices_to_facility(quantity(1.0, "J"), quantity(1.25, "J*facility")))
    0.8 dimensionless
    """
    return device_energy / (printed_facility_energy / quantity(1.0, "facility"))


@route
@compares(
    "published_emissions",
    "facility energy × carbon intensity",
    within=0.1,
    because="intensities of a grid differ by hour and by source",
    causes=("without_overhead", "wall_clock", "market_based", "carbon_alone", "kilo"),
)
def emissions_to_energy(
    published_emissions: Emissions, facility_energy: FacilityEnergy, carbon_intensity: CarbonIntensity
) -> Fraction:
    """Compare published emissions with the energy of the facility and the intensity of its grid.

    emissions_to_energy = published_emissions ÷ (facility_energy × carbon_intensity)

    gCO2e, J·facility and gCO2e/J/facility in, a plain ratio out.

    >>> print(emissions_to_energy(
    ...     quantity(4e6, "gCO2e"), quantity(1e10, "J*facility"), quantity(4e-4, "gCO2e/J/facility")
    ... ))
    1 dimensionless
    """
    return published_emissions / (facility_energy * carbon_intensity)
