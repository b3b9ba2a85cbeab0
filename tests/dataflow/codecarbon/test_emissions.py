"""What codecarbon writes, read as runs: each figure for what it counts, and nothing added up."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from runlineage import AmbiguousNameError, RunlineageWarning, UnknownNameError, people, read_emissions
from runlineage.catalogs.base.errors import CatalogError
from runlineage.dataflow.codecarbon.emissions import facts_of, in_several, one_of, row_of
from runlineage.dataflow.codecarbon.rows import is_emissions

# The columns of codecarbon's editions, as their output classes have them.
EDITIONS = {
    "1.2": "timestamp,experiment_id,project_name,duration,emissions,energy_consumed,country_name,country_iso_code,"
    "region,on_cloud,cloud_provider,cloud_region",
    "2.0": "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,cpu_energy,"
    "gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,region,cloud_provider,cloud_region,os,"
    "python_version,cpu_count,cpu_model,gpu_count,gpu_model,longitude,latitude,ram_total_size,tracking_mode,on_cloud",
    "2.3": "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,cpu_energy,"
    "gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,region,cloud_provider,cloud_region,os,"
    "python_version,codecarbon_version,cpu_count,cpu_model,gpu_count,gpu_model,longitude,latitude,ram_total_size,"
    "tracking_mode,on_cloud,pue",
    "3.2": "timestamp,project_name,run_id,experiment_id,duration,emissions,emissions_rate,cpu_power,gpu_power,"
    "ram_power,cpu_energy,gpu_energy,ram_energy,energy_consumed,water_consumed,country_name,country_iso_code,region,"
    "cloud_provider,cloud_region,os,python_version,codecarbon_version,cpu_count,cpu_model,gpu_count,gpu_model,"
    "longitude,latitude,ram_total_size,tracking_mode,cpu_utilization_percent,gpu_utilization_percent,"
    "ram_utilization_percent,ram_used_gb,on_cloud,pue,wue",
}
CELLS = {
    "timestamp": "2024-05-01T10:00:00", "project_name": "tune", "run_id": "aaaa1111-run", "experiment_id": "e1",
    "duration": "7200.0", "emissions": "0.34", "cpu_energy": "0.2", "gpu_energy": "6.0", "ram_energy": "0.1",
    "energy_consumed": "6.3", "country_name": "France", "country_iso_code": "FRA", "region": "ile-de-france",
    "gpu_count": "8", "gpu_model": "8 x NVIDIA A100-SXM4-80GB", "tracking_mode": "machine", "on_cloud": "N",
    "pue": "1.0",
}  # fmt: skip
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes rows, each the usual cells with some changed, to a file of an edition."""

    def written(*rows: dict[str, str], edition: str = "3.2", name: str = "emissions.csv", extra: str = "") -> str:
        heads = [*EDITIONS[edition].split(","), *filter(None, [extra])]
        with (tmp_path / name).open("w", newline="") as file:
            lines = csv.DictWriter(file, heads, extrasaction="ignore", restval="")
            lines.writeheader()
            lines.writerows([CELLS | row for row in rows])
        return str(tmp_path / name)

    return written


def read(path: str) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RunlineageWarning)
        return list(read_emissions(path))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_gives_time_energy_and_emissions(write: Write, edition: str) -> None:
    (run,) = read(write({}, edition=edition))
    assert run.name.startswith("tune (")
    assert run.it_energy.m_as("kWh") == pytest.approx(6.3)
    assert run.inputs.given["duration"].m_as("s") == 7200
    assert run.inputs.given["published_emissions"].m_as("kgCO2e") == pytest.approx(0.34)
    assert run.inputs.words["region"] == "FR"
    if edition != "1.2":
        assert run.energy.m_as("kWh") == pytest.approx(6)
        assert run.inputs.given["accelerator_count"].magnitude == 8
        assert run.accelerator.key == "A100_SXM4_80GB"


def test_energy_is_that_of_it_equipment_and_no_facilitys(write: Write) -> None:
    (run,) = read(write({}))
    assert "pue" not in run.inputs.given  # 1 is what stands there where nobody gave one
    assert run.result("facility_energy").problem is not None
    assert run.variant(pue="1.2").facility_energy.m_as("kWh*facility") == pytest.approx(7.56)
    note = run.inputs.origins["it_energy"].note
    assert (
        note
        == "CPUs, GPUs and memory as codecarbon tracks them: no mainboard, disks, network or losses of power supplies"
    )


def test_a_pue_is_taken_out_of_the_energies_that_codecarbon_multiplied_by_it(write: Write) -> None:
    bare = {
        "cpu_energy": "0.3",
        "gpu_energy": "9.0",
        "ram_energy": "0.15",
        "energy_consumed": "9.45",
        "emissions": "0.51",
    }
    (run,) = read(write(bare | {"pue": "1.5"}))
    assert run.it_energy.m_as("kWh") == pytest.approx(6.3)
    assert run.energy.m_as("kWh") == pytest.approx(6)
    facility = run.result("facility_energy")
    assert facility.value.m_as("kWh*facility") == pytest.approx(9.45)  # and not 14.175
    assert (facility.route, facility.printed.agrees) == ("pue", True)
    emissions = run.result("location_emissions")
    assert emissions.value.m_as("kgCO2e") == pytest.approx(0.51)
    assert emissions.printed.agrees
    assert run.inputs.origins["it_energy"].basis == "derived"


def test_every_fact_names_its_file_row_and_column(write: Write) -> None:
    path = write({"run_id": "x"}, {"run_id": "y"})
    origin = read(path)[1].inputs.origins["it_energy"]
    assert (origin.source, origin.place) == (path, "row 2, column energy_consumed")


def test_running_totals_of_a_run_are_one_run_and_never_added(write: Write) -> None:
    path = write(
        {"duration": "3600", "energy_consumed": "3.15", "cpu_energy": "0.1", "gpu_energy": "3", "ram_energy": "0.05"},
        {},
        {"run_id": "bbbb"},
        {"run_id": "bbbb"},  # the same row twice
    )
    assert [run.it_energy.m_as("kWh") for run in read(path)] == [pytest.approx(6.3), pytest.approx(6.3)]
    assert [run.name.rpartition(" row ")[2] for run in read(path)] == ["2)", "4)"]


def test_files_that_were_joined_are_read_with_their_headers_left_out(write: Write) -> None:
    path = Path(write({}))
    path.write_text(path.read_text() * 2)
    (run,) = read(str(path))
    assert run.it_energy.m_as("kWh") == pytest.approx(6.3)


def test_rows_of_one_id_that_are_no_totals_stand_apart_with_a_warning(write: Write) -> None:
    path = write({}, {"energy_consumed": "1.05", "cpu_energy": "0.03", "gpu_energy": "1", "ram_energy": "0.02"})
    with pytest.warns(RunlineageWarning, match="rows 1, 2 have the same run_id and are no running totals"):
        runs = read_emissions(path)
    assert [run.it_energy.m_as("kWh") for run in runs] == [pytest.approx(6.3), pytest.approx(1.05)]


def test_rows_without_an_id_are_runs_of_their_own(write: Write) -> None:
    assert len(read(write({"run_id": ""}, {"run_id": ""}))) == 2


def test_tasks_of_a_tracker_are_runs_of_their_own_whose_pue_is_unknown(write: Write) -> None:
    runs = read(write({"task_name": "load"}, {"task_name": "train"}, edition="2.0", extra="task_name"))
    assert [run.name.partition(" (")[0] for run in runs] == ["tune load", "tune train"]
    assert "a file of tasks does not name it" in runs[0].inputs.origins["it_energy"].note


def test_a_run_of_a_process_says_so(write: Write) -> None:
    (run,) = read(write({"tracking_mode": "process"}))
    assert "of the process alone for CPU and memory" in run.inputs.origins["it_energy"].note


@pytest.mark.parametrize(
    ("cells", "remark"),
    [
        ({"gpu_model": "1 x NVIDIA A1001 x Tesla T4", "gpu_count": "2"}, "several kinds of device"),
        ({"gpu_model": "1 x Xyz 9", "gpu_count": "1"}, "unknown accelerator"),
        ({"gpu_count": "4"}, "accelerator_count is published as 8 accelerator"),
        ({"pue": "0.5"}, "energy_consumed is not used: it was multiplied by a pue of '0.5'"),
        ({"energy_consumed": "abc"}, "energy_consumed is not used: 'abc' is not a number above zero"),
        (
            {"energy_consumed": "60"},
            r"energy_consumed is 60 kWh, and cpu_energy \+ gpu_energy \+ ram_energy are 6.3 kWh",
        ),
        ({"emissions": "340"}, "emissions gives no carbon_intensity: .*53.9683 kgCO2e/kWh"),
        ({"country_iso_code": "MAR", "country_name": "Morocco"}, "unknown region 'MAR'"),
        ({"country_iso_code": "USA", "region": "nowhere"}, "unknown region 'nowhere, USA'"),
    ],
)
def test_what_is_not_used_is_said(write: Write, cells: dict[str, str], remark: str) -> None:
    path = write(cells)
    with pytest.warns(RunlineageWarning, match=remark):
        read_emissions(path)


@pytest.mark.parametrize(
    ("cells", "region"),
    [
        ({"country_iso_code": "USA", "region": "california"}, "US_CA"),
        ({"cloud_region": "us-central1", "country_iso_code": "USA", "region": "iowa", "on_cloud": "Y"}, "US_IA"),
        ({"country_iso_code": "DEU", "region": "hesse"}, "DE"),
    ],
)
def test_a_place_is_the_clouds_the_states_or_the_countrys(write: Write, cells: dict[str, str], region: str) -> None:
    assert read(write(cells))[0].inputs.words["region"] == region


def test_no_gpu_is_no_energy_of_devices(write: Write) -> None:
    cells = {"gpu_energy": "0", "gpu_model": "", "gpu_count": "", "cpu_energy": "6.2"}
    (run,) = read(write(cells))
    assert run.result("energy").problem is not None
    assert people(run.it_energy) == "6.3 kWh"


def test_one_run_is_named_by_row_id_or_project(write: Write) -> None:
    path = write({}, {"run_id": "bbbb2222-run", "project_name": "other"})
    for part in ("2", "bbbb22", "bbbb2222-run", "other"):
        assert one_of(path, part).name.startswith("other (")
    with pytest.raises(AmbiguousNameError, match=r"matches several; use one of: .*#1 \(tune\), .*#2 \(other\)"):
        one_of(path)
    with pytest.raises(UnknownNameError, match="unknown run 'othr'; the nearest: other; name a row"):
        one_of(path, "othr")
    with pytest.raises(CatalogError, match=r"--row: is 3, and .* has no such row"):
        row_of(path, 3)


def test_an_earlier_total_is_read_where_its_row_is_named(write: Write) -> None:
    half = {"duration": "3600", "energy_consumed": "3.15", "cpu_energy": "0.1", "gpu_energy": "3", "ram_energy": "0.05"}
    path = write(half, {})
    with pytest.warns(RunlineageWarning, match="row 1 is an earlier total of the same run, which ends at row 2"):
        assert row_of(path, 1).it_energy.m_as("kWh") == pytest.approx(3.15)


def test_a_run_in_several_files_is_known(write: Write) -> None:
    one, two = write({}, name="a.csv"), write({}, {"run_id": "other"}, name="b.csv")
    assert in_several([one, two]) == ["aaaa1111-run"]
    assert in_several([one, one]) == []


def test_the_table_has_a_row_a_run_in_units(write: Write) -> None:
    path = write({"duration": "3600", "energy_consumed": "3.15"}, {}, {"run_id": "b", "pue": "1.5"})
    found = facts_of(pl.read_csv(path), path)
    assert found["row"].to_list() == [2, 3]
    assert found["it_energy (kWh)"].to_list() == [6.3, pytest.approx(4.2)]
    assert found["accelerator"].to_list() == ["A100_SXM4_80GB"] * 2
    assert found["remarks"].to_list() == [None, None]


def test_another_table_is_refused() -> None:
    assert not is_emissions(["duration", "emissions"])
    with pytest.raises(
        CatalogError, match="has no column duration or emissions or energy_consumed; expected the columns"
    ):
        facts_of(pl.DataFrame({"a": [1]}), "a.csv")
