"""Regions of clouds and places as the hub writes them: one grid that is held, or a refusal that names the nearest."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

from runlineage import InputError, PublishedRunScenario, evaluate, read_card, read_run
from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.catalog import HERE, Grids, Sources
from runlineage.catalogs.regions import Regions, find_region

FACTS = {"accelerator_hours": "1e6", "device_power": "400 W", "pue": 1.1}
STATES = "California, Georgia (US state), Iowa, Oklahoma, Oregon, Texas, Virginia"
WIDER = "(wider: it never stands in for a part)"
CURE = "give carbon_intensity itself, or a region that `runlineage list grids` lists"


def test_every_row_is_sorted_and_sourced_and_means_a_grid_that_is_held() -> None:
    whole = tomllib.loads((HERE / "regions.toml").read_text(encoding="utf-8"))
    assert list(whole) == list(Regions) == sorted(whole)
    for key, region in Regions.items():
        assert region.grid in list(Grids), key
        assert region.source in Sources, key
        assert key.partition("_")[0] == region.source.partition("_")[0], key
        assert find_region(region.name) == find_region(region.place) == region.grid, key


def test_a_code_or_a_place_appears_for_one_grid_only() -> None:
    rows = Regions.values()
    assert len({each.name for each in rows}) == len(rows)
    assert len({squash(each.place) for each in rows}) == len({(squash(each.place), each.grid) for each in rows})


@pytest.mark.parametrize(
    ("name", "grid"),
    [
        ("us-central1", "US_IA"),
        ("US-CENTRAL1-a", "US_IA"),
        ("us-east-1", "US_VA"),
        ("us-east-1b", "US_VA"),
        ("us-west-1", "US_CA"),  # of Amazon
        ("us-west1", "US_OR"),  # of Google
        ("europe-west4", "NL"),
        ("westeurope", "NL"),
        ("West Europe", "NL"),
        ("US East (N. Virginia)", "US_VA"),
        ("France (FRA)", "FR"),
        ("Portland, OR, USA", "US_OR"),
        ("Atlanta, Georgia, USA", "US_GA"),
        ("Iowa, United States", "US_IA"),
        ("Paris, Texas", "US_TX"),
        ("Paris, France", "FR"),
        ("Virginia (USA)", "US_VA"),
    ],
)
def test_a_region_or_place_means_the_narrowest_grid_held(name: str, grid: str) -> None:
    assert find_region(name) == grid


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Quebec, Canada", f"Canada {WIDER}"),
        ("Brooklyn, NY, USA", f"{STATES}, United States {WIDER}"),
        ("US-east", f"{STATES}, United States {WIDER}"),
        ("us east", f"{STATES}, United States {WIDER}"),
        ("us-east1", f"{STATES}, United States {WIDER}"),  # South Carolina, and not Amazon's us-east-1
        ("us-east-2", f"{STATES}, United States {WIDER}"),
        ("useast1", f"{STATES}, United States {WIDER}"),
        ("West US 3", f"{STATES}, United States {WIDER}"),
        (
            "Paris, TX",
            f"Texas, California, Georgia (US state), Iowa, Oklahoma, Oregon, Virginia, United States {WIDER}",
        ),
        ("canadacentral", f"Canada {WIDER}"),
        ("australia-southeast1", f"Australia {WIDER}"),
        ("Oregon, OH, USA", f"{STATES}, United States {WIDER}"),
        ("ca-central-1", f"Canada {WIDER}"),
        ("San Jose, CA", f"California, Canada {WIDER}"),
        ("Corsica, France", f"France {WIDER}"),
        ("Iowa, France", f"France {WIDER}"),
    ],
)
def test_no_wider_region_stands_in_for_a_narrower_one(name: str, near: str) -> None:
    with pytest.raises(InputError) as caught:
        find_region(name)
    assert str(caught.value) == f"region: unknown region {name!r}; the nearest: {near}; {CURE}"


@pytest.mark.parametrize("name", ["", "()", ", ,", "Tbilisi, Georgia", "us-east-1-bos-1a", "x" * 500, 33, None])
def test_what_names_no_place_is_refused(name: object) -> None:
    with pytest.raises(InputError, match="region: unknown region"):
        find_region(name)


DOORS = [("us-central1", "US_IA"), ("Portland, OR, USA", "US_OR")]


@pytest.mark.parametrize(("name", "grid"), DOORS)
def test_every_door_reads_a_region_alike(name: str, grid: str, tmp_path: Path) -> None:
    expected = PublishedRunScenario(region=grid, year=2023, **FACTS).location_emissions
    given = PublishedRunScenario(region=name, year=2023, **FACTS)
    file = tmp_path / "run.toml"
    file.write_text(f'accelerator_hours = "1e6"\ndevice_power = "400 W"\npue = 1.1\nregion = "{name}"\nyear = 2023\n')
    for run in (given, read_run(file)):
        assert run.location_emissions == expected
    card = tmp_path / "README.md"
    card.write_text(f"---\nco2_eq_emissions:\n  emissions: 5\n  geographical_location: {name}\n---\n# M\n")
    assert read_card(card).inputs.words["region"] == grid
    card.write_text(f"# M\n\n- **Compute Region:** {name}\n")
    assert read_card(card).inputs.words["region"] == grid


def test_tables_read_regions_on_polars_and_duckdb() -> None:
    names = ["us-central1", "US_IA", "Quebec, Canada"]
    rows = {
        "accelerator_hours": [1e6] * 3,
        "device_power": [400.0] * 3,
        "pue": [1.1] * 3,
        "region": names,
        "year": ["2023"] * 3,
    }
    frame = pl.DataFrame(rows)
    for table in (frame, pytest.importorskip("duckdb").sql("SELECT * FROM frame")):
        result = evaluate(table, "location_emissions")
        found = (result if isinstance(result, pl.DataFrame) else result.pl())["location_emissions (tCO2e)"]
        assert found[0] == found[1] is not None
        assert found[2] is None


def test_the_option_reads_a_region_and_refuses_one() -> None:
    base = ["-m", "runlineage", "show", "bloom", "location_emissions", "--pue", "1.2", "--year", "2023", "--region"]
    good = subprocess.run([sys.executable, *base, "us-central1"], capture_output=True, text=True, check=False)
    assert good.returncode == 0
    assert "the grid of Iowa in 2023" in " ".join(good.stderr.split())
    bad = subprocess.run([sys.executable, *base, "Quebec, Canada"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2
    assert f"the nearest: Canada {WIDER}" in " ".join(bad.stderr.split())


def test_a_run_without_a_region_reads_no_file_of_regions() -> None:
    code = (
        "import json, runlineage, runlineage.catalogs.regions as r;"
        "runlineage.PublishedRunScenario(region='FR', year=2023, accelerator_hours='1e6');"
        "print(json.dumps('_text' in vars(r.Regions._rows)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) is False


def test_two_countries_are_no_region_and_no_part_of_the_last() -> None:
    with pytest.raises(InputError, match="'France, Germany' names several: France and Germany"):
        find_region("France, Germany")


def test_an_answer_names_the_grid_that_a_region_was_taken_for() -> None:
    run = PublishedRunScenario(region="CA", year=2022, **FACTS)  # Canada, and not California
    assert run.result("location_emissions").note == "grid of Canada in 2022"
    own = PublishedRunScenario(region="CA", year=2022, carbon_intensity="0.1 kg/kWh", **FACTS)
    assert own.result("location_emissions").note == ""
