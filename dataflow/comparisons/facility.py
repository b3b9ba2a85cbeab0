"""Energy of hosts and facility, and emissions, held against what they are made of."""

from runlineage.catalogs.quantities.kinds import (
    AcceleratorTime,
    CarbonIntensity,
    Emissions,
    Energy,
    FacilityEnergy,
    Fraction,
    Overhead,
    Power,
)
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.adapters.comparison import bounded, compares
from runlineage.dataflow.adapters.marks import given, route


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
