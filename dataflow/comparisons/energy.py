"""Energy and power of the devices, held against their time and thermal design power."""

from runlineage.catalogs.quantities.kinds import AcceleratorTime, Energy, Fraction, Power
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters.comparison import bounded, compares
from runlineage.dataflow.adapters.marks import given, route


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
