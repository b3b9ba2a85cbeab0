"""A region and a year look up the intensity of a grid: for runs, files, rows and lineage alike."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hamilton.ad_hoc_utils import create_temporary_module

from runlineage import (
    CannotComputeError,
    Driver,
    Grids,
    InputError,
    PublishedRunScenario,
    RunlineageWarning,
    Scenarios,
    evaluate,
    lineage_json,
    prov_json,
    read_card,
    read_lineage,
    read_run,
)
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.tables.one_row import run_of_row

FACTS = {"accelerator_hours": "1e6", "device_power": "400 W", "pue": 1.1}
FRANCE = 78.55  # g of CO2-equivalent per kWh in 2022
ANSWER = 1e6 * 0.4 * 1.1 * FRANCE / 1e6  # tCO2e


@pytest.mark.parametrize("region", ["FR", "France", "fra", " france "])
@pytest.mark.parametrize("year", [2022, "2022", 2022.0])
def test_a_region_by_code_or_name_and_a_year_give_the_intensity(region: str, year: object) -> None:
    run = PublishedRunScenario(region=region, year=year, **FACTS)
    assert run.location_emissions.m_as("tCO2e") == pytest.approx(ANSWER)
    entry = run.lineage("location_emissions").entries["carbon_intensity"]
    assert (entry.parents, entry.source, entry.place) == (("region", "year"), "owid2025", "France, 2022")
    assert entry.note.startswith("grid of France in 2022")


def test_an_intensity_that_is_given_wins_and_the_grid_is_named_beside_it() -> None:
    near = PublishedRunScenario(region="FR", year=2022, carbon_intensity="60 gCO2e/kWh", **FACTS)
    assert near.inputs.given["carbon_intensity"] == quantity(60, "gCO2e/kWh/facility")
    assert near.inputs.warnings == (
        "carbon_intensity, 60 gCO2e/kWh at the facility, is the run's own; the grid of France in 2022 has "
        "78.55 gCO2e/kWh at the facility and is not used: withdraw carbon_intensity (None; on the command line none) "
        "to use the grid's",
    )
    far = PublishedRunScenario(region="FR", year=2022, carbon_intensity="385 gCO2e/kWh", **FACTS)
    (warning,) = far.inputs.warnings
    assert "the grid of France in 2022 has 78.55 gCO2e/kWh" in warning
    with pytest.warns(RunlineageWarning, match="is it that of the region"):
        assert far.location_emissions.m_as("tCO2e") == pytest.approx(169.4)


def test_a_region_or_a_year_alone_gives_nothing_and_does_no_harm() -> None:
    for alone in ({"region": "FR"}, {"year": 2022}):
        run = PublishedRunScenario(**alone, **FACTS)
        assert run.energy.m_as("GWh") == pytest.approx(0.4)
        with pytest.raises(CannotComputeError, match=r"needs carbon_intensity \(region and year look it up\)"):
            _ = run.location_emissions


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"region": "Frnce", "year": 2022}, "region: unknown region 'Frnce'; the nearest: France"),
        ({"region": "world", "year": 2022}, "region: unknown region 'world'"),
        ({"region": "united", "year": 2022}, "region: region 'united' matches several"),
        (
            {"region": "FR", "year": 1999},
            "year: is 1999, and no intensity of France is held for it; held: 2019 to 2025",
        ),
        ({"region": "FR", "year": "next"}, "year: is 'next'; expected a year from 1990 to 2030"),
        ({"region": "FR", "year": 2022.5}, "year: is 2022.5; expected a year"),
        ({"region": "FR", "year": True}, "year: is True; expected a year"),
        ({"region": 33, "year": 2022}, "region: unknown region '33'"),
    ],
)
def test_what_is_unknown_or_not_held_is_refused_and_nothing_stands_in(words: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as problem:
        PublishedRunScenario(**words, **FACTS)
    assert said in str(problem.value)


def test_a_grid_never_replaces_a_runs_own_intensity_until_that_is_withdrawn() -> None:
    bloom = Scenarios.BloomPublishedRun.variant(pue=1.2)  # whose study states 57 g/kWh
    there = bloom.variant(region="France", year=2022)
    assert there.result("location_emissions").value == bloom.result("location_emissions").value
    assert there.result("location_emissions").value.m_as("tCO2e") == pytest.approx(29.63, abs=0.005)
    (warning,) = there.results(["location_emissions"]).warnings[:1]
    assert "0.057 kgCO2e/kWh at the facility, is the run's own; the grid of France in 2022 has 78.55" in warning
    grid = there.variant(carbon_intensity=None)
    assert grid.inputs.given["carbon_intensity"] == Grids["FR"].intensity(2022).value
    assert grid.result("location_emissions").value.m_as("tCO2e") == pytest.approx(40.83, abs=0.005)
    assert grid.name == "BLOOM 176B with pue 1.2, region France, year 2022 without carbon_intensity"
    assert not [text for text in grid.inputs.warnings if "is the run's own" in text]
    back = there.variant(carbon_intensity="0.385 kg/kWh")
    assert "region" not in back.inputs.words


def test_run_files_and_cards_give_them(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(
        'accelerator_hours = "1e6"\ndevice_power = "400 W"\npue = 1.1\nregion = "France"\nyear = 2022\n'
    )
    assert read_run(tmp_path / "run.toml").location_emissions.m_as("tCO2e") == pytest.approx(ANSWER)
    (tmp_path / "README.md").write_text(
        "---\nco2_eq_emissions:\n  emissions: 1000000\n  geographical_location: France\n---\n# Mine\n"
    )
    card = read_card(tmp_path / "README.md").variant(year=2022, **FACTS)
    assert card.result("location_emissions").value.m_as("tCO2e") == pytest.approx(ANSWER)


@pytest.mark.parametrize("write", [lineage_json, prov_json])
def test_lineage_comes_back_to_the_same_value(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    run = PublishedRunScenario(region="FR", year=2022, **FACTS)
    text = write(run.lineage("location_emissions"))
    (tmp_path / "lineage.json").write_text(text, encoding="utf-8")
    again = read_lineage(tmp_path / "lineage.json")
    assert again.location_emissions == run.location_emissions
    assert write(again.lineage("location_emissions")) == text
    assert json.loads(text)


TABLE = pl.DataFrame(
    {
        "accelerator_hours": [1e6] * 6,
        "device_power": [400.0] * 6,
        "pue": [1.1] * 6,
        "region": ["France", "Frnce", "US", None, "FR", "FR"],
        "year": ["2022", "2022", "1999", "2022", None, "2022.0"],
    }
)


def test_rows_look_up_their_own_region_and_year() -> None:
    found = evaluate(TABLE, "location_emissions")
    answers = [pytest.approx(ANSWER), None, None, None, None, pytest.approx(ANSWER)]
    assert found["location_emissions (tCO2e)"].to_list() == answers
    lack = "location_emissions needs carbon_intensity"
    assert found["problems"].to_list() == [
        None,
        f"region: unknown region 'Frnce'; the nearest: France; `runlineage list grids` lists all | {lack}",
        f"year: 1999 is not held for United States; held: 2019 to 2025 | {lack}",
        lack,
        lack,
        None,
    ]
    assert evaluate(TABLE.lazy(), "location_emissions").collect().equals(found)
    row = run_of_row(TABLE.lazy(), 1, "table", "location_emissions")
    assert row.location_emissions.m_as("tCO2e") == pytest.approx(ANSWER)


def test_a_row_with_an_intensity_of_its_own_keeps_it() -> None:
    own = pl.Series("carbon_intensity (kgCO2e/kWh)", [0.1, 0.1, 0.1, 0.1, None, None])
    found = evaluate(TABLE.with_columns(own), "location_emissions")
    mine = pytest.approx(44.0)
    assert found["location_emissions (tCO2e)"].to_list() == [mine, mine, mine, mine, None, pytest.approx(ANSWER)]
    assert found["problems"].to_list()[2] is None  # 1999 is not needed there


def test_columns_of_these_names_are_carried_through_where_no_intensity_is_asked() -> None:
    table = TABLE.with_columns(pl.lit("anything at all").alias("region"), pl.lit([1]).alias("year"))
    found = evaluate(table, METRICS)
    assert found["energy (GWh)"].to_list() == [pytest.approx(0.4)] * 6
    assert found.select("region", "year").equals(table.select("region", "year"))
    alone = evaluate(TABLE.drop("year"), "location_emissions")
    assert alone["problems"].to_list() == ["location_emissions needs carbon_intensity"] * 6


def test_a_region_of_a_users_own_node_is_theirs() -> None:
    def where(region: str) -> str:
        return f"in {region}"

    theirs = create_temporary_module(where)
    assert Driver(theirs).execute("where", {"region": "us-east-1"})["where"] == "in us-east-1"
