"""Energy of the facility, emissions and cost, on top of the four metrics.

It imports none of them: edges are names. Quantities flow in coherent units (J, J·facility, facility, gCO2e,
gCO2e/J/facility, USD), so no body converts anything. PUE is applied once, since an energy at facility scope is of
another kind; emissions by location and by market stand side by side and are never netted.
"""

from runlineage.catalogs.quantities.kinds import (
    AcceleratorTime,
    CarbonIntensity,
    Cost,
    Duration,
    Emissions,
    Energy,
    FacilityEnergy,
    FacilityPower,
    Fraction,
    ImpliedIntensity,
    Overhead,
    Power,
    Price,
)
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.adapters.marks import assumption, basis, route, stated


@route
def it_energy__with_host(energy: Energy, host_overhead: Fraction) -> Energy:
    """Add what the servers draw beside their devices.

    it_energy = energy × host_overhead

    J and a plain fraction in, J out. A host already inside measured power is not added again: the inputs withhold it.
    Excludes: cooling, network and storage outside the servers.

    >>> print(it_energy__with_host(quantity(3.6e6, "J"), quantity(1.25, "")).to("kWh"))
    1.25 kilowatt_hour
    """
    return energy * host_overhead


@route
def it_energy__system_power(accelerator_hours: AcceleratorTime, system_power: Power) -> Energy:
    """Take the power as measured on whole systems, a share for each accelerator: the host is inside.

    it_energy = accelerator_hours × system_power

    Accelerator·s and W/accelerator in, J out. [patterson2021] Table 4 has such powers.
    Excludes: cooling, network and storage outside the servers, varying power.

    >>> print(it_energy__system_power(quantity(3600.0, "accelerator*s"), quantity(330.0, "W/accelerator")).to("kWh"))
    0.33 kilowatt_hour
    """
    return accelerator_hours * system_power


@route
def it_energy__devices_alone(energy: Energy) -> Energy:
    """Take the energy of the devices where no overhead of the host is stated.

    it_energy = energy

    J in, J out.
    Excludes: host.

    >>> print(it_energy__devices_alone(quantity(3.6e6, "J")).to("kWh"))
    1 kilowatt_hour
    """
    return energy


@route
def facility_energy__pue(it_energy: Energy, pue: Overhead) -> FacilityEnergy:
    """Add cooling, power supply and all else that the facility draws for its IT equipment.

    facility_energy = it_energy × pue

    J and facility in, J·facility out, which no PUE multiplies again. [iso_30134_2] defines PUE as the energy of the
    whole data centre over that of its IT equipment.
    Excludes: embodied energy, idle time before and after the run.

    >>> energy = facility_energy__pue(quantity(3.6e6, "J"), quantity(1.1, "facility"))
    >>> print(f"{energy.m_as('kWh*facility'):.1f} kWh at the facility")
    1.1 kWh at the facility
    """
    return it_energy * pue


@route
def facility_energy__facility_power(facility_power: FacilityPower, duration: Duration) -> FacilityEnergy:
    """Take the energy from what the whole facility draws for the run.

    facility_energy = facility_power × duration

    W·facility and s in, J·facility out: PUE is inside, and nothing multiplies it again.
    Excludes: embodied energy, varying power.

    >>> print(facility_energy__facility_power(quantity(2e7, "W*facility"), quantity(86400.0, "s")).m_as("MWh*facility"))
    480.0
    """
    return facility_power * duration


@route
@basis("stated")
@stated("reported_facility_energy")
def facility_energy__reported(reported_facility_energy: FacilityEnergy) -> FacilityEnergy:
    """Take the energy of the facility as the authors print it, where nothing computes it.

    facility_energy = reported_facility_energy

    J·facility in, J·facility out: PUE is inside.

    >>> print(facility_energy__reported(quantity(1287.0, "MWh*facility")).m_as("GWh*facility"))
    1.287
    """
    return reported_facility_energy


@route
def location_emissions(facility_energy: FacilityEnergy, carbon_intensity: CarbonIntensity) -> Emissions:
    """Count the emissions of the grid where the facility stands: location-based.

    location_emissions = facility_energy × carbon_intensity

    J·facility and gCO2e/J/facility in, gCO2e out. [ghg_scope2] tells location-based from market-based.
    Excludes: embodied emissions, contracts for electricity, offsets.

    >>> energy = quantity(449.84, "MWh*facility").to("J*facility")
    >>> intensity = quantity(0.385, "kgCO2e/kWh/facility").to("gCO2e/J/facility")
    >>> print(location_emissions(energy, intensity).to("tCO2e"))
    173.188 tonne_CO2e
    """
    return facility_energy * carbon_intensity


@route
def market_emissions(facility_energy: FacilityEnergy, market_carbon_intensity: CarbonIntensity) -> Emissions:
    """Count the emissions of the electricity as contracted: market-based, beside location-based and never netted.

    market_emissions = facility_energy × market_carbon_intensity

    J·facility and gCO2e/J/facility in, gCO2e out. [ghg_scope2] asks for both, a number each.
    Excludes: embodied emissions, offsets.

    >>> print(market_emissions(quantity(3.6e6, "J*facility"), quantity(2e-5, "gCO2e/J/facility")))
    72 gram_CO2e
    """
    return facility_energy * market_carbon_intensity


@route
def implied_carbon_intensity(published_emissions: Emissions, energy: Energy) -> ImpliedIntensity:
    """Spread published emissions over the energy of the devices.

    implied_carbon_intensity = published_emissions ÷ energy

    gCO2e and J in, gCO2e/J out: PUE, host and whatever else the authors counted are inside, so that it is no intensity
    of a grid and cannot be given as one.

    >>> print(implied_carbon_intensity(quantity(414.0, "gCO2e"), quantity(3.6e6, "J")).to("kgCO2e/kWh"))
    0.414 kilogram_CO2e/kilowatt_hour
    """
    return published_emissions / energy


@route
def training_cost(accelerator_hours: AcceleratorTime, price: Price) -> Cost:
    """Price the accelerator time of the run.

    training_cost = accelerator_hours × price

    Accelerator·s and USD/accelerator/s in, USD out.
    Excludes: staff, data, failed and exploratory runs.

    >>> print(training_cost(quantity(7200.0, "accelerator*s"), quantity(2.5, "USD/accelerator/hour")).to("USD"))
    5 USD
    """
    return accelerator_hours * price


@route
@assumption
def pue__no_overhead() -> Overhead:
    """Assume that the facility adds nothing to its IT equipment: PUE 1.

    pue = 1

    Nothing in, facility out.

    >>> print(pue__no_overhead())
    1 facility
    """
    return quantity(1.0, "facility")
