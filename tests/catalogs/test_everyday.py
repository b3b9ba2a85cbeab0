"""Everyday equals: the yearly electricity of households, off unless asked, of energies alone, with source and year."""

from __future__ import annotations

import pytest

from runlineage import Households, InputError, Scenarios, UnknownNameError, people
from runlineage.catalogs.everyday import equal
from runlineage.catalogs.quantities.units import quantity


def test_it_is_off_unless_asked() -> None:
    energy = Scenarios["bloom"].energy
    assert people(energy) == "0.433196 GWh"
    assert people(energy, everyday="US") == (
        "0.433196 GWh, about the electricity of 40 households in the United States for a year "
        "(10,715 kWh a year in 2020, EIA)"
    )


@pytest.mark.parametrize(
    ("kwh", "text"),
    [
        (10_715 * 12_345, "12,000 households in the United States for a year"),
        (10_715 * 1.04, "one household in the United States for a year"),
        (10_715 * 0.5, "one household in the United States for 180 days"),
        (10_715 / 365.25 / 2, "one household in the United States for 12 hours"),
        (10_715 / 365.25 / 24 / 2, "one household in the United States for 30 minutes"),
        (10_715 / 365.25 / 86400, "one household in the United States for 1 seconds"),
        (1e-9, "one household in the United States for less than a second"),
    ],
)
def test_an_energy_is_households_or_a_part_of_the_year_of_one(kwh: float, text: str) -> None:
    assert f"about the electricity of {text} (" in equal(quantity(kwh, "kWh"), "US")


def test_the_energy_of_a_facility_has_one_too() -> None:
    assert "of 100 households in the European Union" in equal(quantity(360, "MWh*facility"), "eu")


def test_every_household_has_its_figure_year_and_source() -> None:
    for key in Households:
        row = Households[key]
        assert row.electricity is not None
        assert row.electricity.source
        assert 1e3 < row.electricity.value.m_as("kWh") < 2e4
        assert row.year is not None
        assert equal(row.electricity.value, key).startswith("about the electricity of one household in")


def test_what_is_no_energy_and_unknown_households_are_refused() -> None:
    with pytest.raises(InputError, match=r"everyday: is asked of .*; expected one energy"):
        people(quantity(5, "W/accelerator"), everyday="US")
    with pytest.raises(InputError, match="expected one energy"):
        people(quantity([1.0, 2.0], "kWh"), everyday="US")
    with pytest.raises(UnknownNameError, match="unknown household 'Mars'; `runlineage list households` lists all"):
        people(quantity(5, "kWh"), everyday="Mars")
