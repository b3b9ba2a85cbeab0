"""Grids: intensities by region and year, each sourced; a region or year that is not held is refused or None."""

import pickle
import re

import pytest

from runlineage.catalogs.base.errors import CatalogError, InputError, UnknownNameError
from runlineage.catalogs.catalog import Catalog, Grids, Sources
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.units import convert, quantity, unit
from runlineage.catalogs.records.facts import FACT_KEYS, Fact
from runlineage.catalogs.records.grid import Grid
from runlineage.catalogs.records.values import FIRST_YEAR, LAST_YEAR

LEAST, MOST = 5, 1100  # g of CO2-equivalent per kWh: from water and wind alone to coal alone
EDITIONS_AGREE = 0.09  # the furthest apart, Switzerland, has so little that a few grams are much of it
LIFECYCLE = {"owid2024", "owid2025", "owid2026"}
GRAMS_PER_POUND = 453.59237


def grams(fact):
    return convert(fact.value, unit("gCO2e/kWh/facility")).magnitude


def everywhere():
    """Give every fact of every grid, those that stand beside too, with its key and year."""
    for key in Grids:
        for year, fact in Grids[key].intensities:
            for each in (fact, *fact.beside):
                yield key, year, each


def refusal(**facts):
    with pytest.raises(InputError) as caught:
        Grid(**facts)
    return str(caught.value)


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        *((name, "FR") for name in ("France", "FR", "FRA", "france")),
        *((name, "GB") for name in ("UK", "GB", "GBR", "United Kingdom", "great britain")),
        *((name, "US") for name in ("USA", "US", "U.S.", "United States", "United States of America")),
        *((name, "KR") for name in ("Korea", "South Korea", "Republic of Korea", "KOR")),
        *((name, "US_CA") for name in ("US-CA", "us_ca", "California")),
        *((name, "CA") for name in ("CA", "CAN", "Canada")),
        *((name, "AE") for name in ("UAE", "United Arab Emirates")),
        *((name, "EU") for name in ("EU", "EU-27", "European Union")),
    ],
)
def test_a_region_is_found_by_code_and_common_name(spelling, key):
    assert Grids.find(spelling) == key
    assert Grids[spelling] is getattr(Grids, key)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Frnace", "unknown grid 'Frnace'; the nearest: France; `runlineage list grids` lists all"),
        ("Georgia", "unknown grid 'Georgia'; the nearest: Georgia (US state); `runlineage list grids` lists all"),
        ("North Korea", "unknown grid 'North Korea'; the nearest: South Korea; `runlineage list grids` lists all"),
        ("World", "unknown grid 'World'; `runlineage list grids` lists all"),
        ("Global", "unknown grid 'Global'; `runlineage list grids` lists all"),
        ("", "unknown grid ''; `runlineage list grids` lists all"),
        ("united", "grid 'united' matches several; use one of: United Arab Emirates, United Kingdom, United States"),
    ],
)
def test_a_region_that_is_unknown_or_ambiguous_is_refused_and_never_replaced(name, sentence):
    with pytest.raises(UnknownNameError) as caught:
        Grids[name]
    assert str(caught.value) == sentence


def test_keys_are_codes_of_iso_3166_and_no_record_is_the_world():
    assert [key for key in Grids if not re.fullmatch("[A-Z]{2}(_[A-Z0-9]{1,3})?", key)] == []
    assert {"FR", "US", "US_CA"} <= set(Grids)
    assert [key for key in Grids if key.partition("_")[0] not in Grids] == []
    names = {name.casefold() for key in Grids for name in Grids.names(key)}
    assert not names & {"world", "global", "oecd", "g20", "asia"}


def test_an_intensity_is_given_for_the_year_asked_and_no_other():
    france = Grids["France"]
    assert grams(france.intensity(2022)) == 78.55
    assert france.intensity(2022).source == "owid2025"
    assert france.intensity(1999) is None
    assert france.intensity("2022") is None
    assert france.facts()["intensity_2022"] is france.intensity(2022)
    assert pickle.loads(pickle.dumps(france)) == france
    assert hash(france) == hash(Grids.FR)


@pytest.mark.parametrize("key", Grids)
def test_years_are_in_order_and_within_bounds(key):
    years = Grids[key].years
    assert list(years) == sorted(set(years))
    assert years
    assert FIRST_YEAR <= years[0] <= years[-1] <= 2026
    assert all(Grids[key].intensity(year).value is not None for year in years)


def test_every_intensity_is_of_its_kind_and_in_a_plausible_band():
    found = [(key, year, fact) for key, year, fact in everywhere()]
    assert len(found) >= 200
    assert all(isinstance(fact.value, KINDS["CarbonIntensity"]) for _, _, fact in found)
    assert [(key, year) for key, year, fact in found if not LEAST <= grams(fact) <= MOST] == []


def test_every_intensity_has_source_place_and_its_scope_said():
    for key, year, fact in everywhere():
        assert fact.source in Sources, (key, year)
        assert fact.place, (key, year)
        scope = "Life-cycle CO2e" if fact.source in LIFECYCLE else "stack-only"
        assert scope in fact.note, (key, year)
        assert "generated" in fact.note, (key, year)


def test_two_editions_of_one_series_agree_where_both_are_held():
    compared = 0
    for key in Grids:
        for year, fact in Grids[key].intensities:
            for other in fact.beside:
                if {fact.source, other.source} <= LIFECYCLE:
                    compared += 1
                    assert grams(other) == pytest.approx(grams(fact), rel=EDITIONS_AGREE), (key, year)
    assert compared >= 25


def test_stack_emissions_lie_below_those_of_the_lifecycle():
    lifecycle = Grids.US.intensity(2023)
    stack = next(each for each in lifecycle.beside if each.source == "epa_egrid2023")
    assert 0.8 < grams(stack) / grams(lifecycle) < 1


def test_what_was_printed_in_pounds_is_converted_right():
    pounds = [(fact, re.match(r"([0-9.]+) lb/MWh", fact.note)) for _, _, fact in everywhere()]
    converted = [(fact, float(found[1])) for fact, found in pounds if found]
    assert len(converted) == 8
    for fact, printed in converted:
        assert grams(fact) == pytest.approx(printed * GRAMS_PER_POUND / 1000, abs=0.005)


def test_a_grid_takes_a_quantity_of_its_kind():
    value = quantity(0.385, "kgCO2e/kWh/facility")
    assert Grid(name="mine", intensity_2023=value).intensity(2023) == Fact(value)


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            {"intensity_1989": "56 gCO2e/kWh"},
            "intensity_1989: names no year of a grid; expected intensity_YYYY with a year from 1990 to 2030",
        ),
        (
            {"intensity_latest": "56 gCO2e/kWh"},
            "intensity_latest: names no year of a grid; expected intensity_YYYY with a year from 1990 to 2030",
        ),
        (
            {"intensities": {}},
            "intensities: names no year of a grid; expected intensity_YYYY with a year from 1990 to 2030",
        ),
        ({"naem": "x"}, "naem: is not a field here; the nearest: name"),
        ({"pue": 1.1}, "pue: is not a field here; the fields are key, name, aliases, intensity_YYYY"),
        (
            {"intensity_2022": "56 kg/kWh"},
            "intensity_2022: '56 kg/kWh' is 56 kgCO2e/kWh; did you mean 56 gCO2e/kWh, that is 0.056 kgCO2e/kWh?",
        ),
        (
            {"intensity_2022": "0 gCO2e/kWh"},
            "intensity_2022: '0 gCO2e/kWh' is not above zero; expected a carbon intensity of electricity delivered to "
            "a facility in kgCO2e/kWh, such as '0.385 kg/kWh' or '385 gCO2e/kWh'",
        ),
        (
            {"intensity_2022": 56},
            "intensity_2022: 56 is 56 kgCO2e/kWh; did you mean 56 gCO2e/kWh, that is 0.056 kgCO2e/kWh?",
        ),
        (
            {"intensity_2022": quantity(56.0, "gCO2e/kWh")},
            "intensity_2022: 56 gram_CO2e/kilowatt_hour is in gCO2e/kWh, which is not a carbon intensity of "
            "electricity delivered to a facility; expected a carbon intensity of electricity delivered to a facility "
            "in kgCO2e/kWh, such as '0.385 kg/kWh' or '385 gCO2e/kWh'",
        ),
        (
            {"intensity_2022": {"value": "56 gCO2e/kWh", "yaer": 1}},
            f"intensity_2022.yaer: is not a key of a fact; the keys are {', '.join(FACT_KEYS)}",
        ),
    ],
)
def test_what_is_no_intensity_is_refused(facts, sentence):
    assert refusal(name="mine", **facts) == f"mine: {sentence}"


def test_all_faults_of_a_row_are_said_at_once(tmp_path):
    path = tmp_path / "grids.toml"
    path.write_text(f'[X]\nnaem = "x"\nintensity_2022 = "5 W"\nintensity_{LAST_YEAR + 1} = "56 gCO2e/kWh"\n')
    with pytest.raises(CatalogError) as caught:
        _ = Catalog("grid", path, Grid).X
    said = str(caught.value)
    assert said.startswith("3 faults:")
    assert all(field in said for field in ("[X] naem: is not a field here", "[X] intensity_2022", "[X] intensity_2031"))
