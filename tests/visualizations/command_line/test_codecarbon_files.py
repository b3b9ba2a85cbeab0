"""A file of codecarbon's is a run, or several, at every door of the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

HEAD = (
    "project_name,run_id,duration,emissions,energy_consumed,cpu_energy,gpu_energy,ram_energy,gpu_count,gpu_model,pue\n"
)
ROWS = (
    "tune,aaaa1111,3600,0.15,3.15,0.1,3,0.05,8,8 x NVIDIA A100-SXM4-80GB,1\n"
    "tune,aaaa1111,7200,0.3,6.3,0.2,6,0.1,8,8 x NVIDIA A100-SXM4-80GB,1\n"
)
OTHER = "other,bbbb2222,7200,0.45,9.45,0.3,9,0.15,8,8 x NVIDIA A100-SXM4-80GB,1.5\n"


@pytest.fixture
def one(tmp_path: Path) -> str:
    file = tmp_path / "emissions.csv"
    file.write_text(HEAD + ROWS)
    return str(file)


@pytest.fixture
def two(tmp_path: Path) -> str:
    file = tmp_path / "both.csv"
    file.write_text(HEAD + ROWS + OTHER)
    return str(file)


def test_show_why_card_and_verdicts_read_the_one_run_of_a_file(command, one: str) -> None:  # type: ignore[no-untyped-def]
    document = json.loads(command("show", one, "it_energy", "--json")[1])
    assert document["metrics"]["it_energy"]["value"] == pytest.approx(6.3e-6)
    code, out, _ = command("why", one, "it_energy")
    assert code == 0
    assert "row 2, column energy_consumed" in out
    code, out, _ = command("card", one, "--to", "cyclonedx")
    assert code == 0
    assert '"value": 6.3' in out
    assert command("verdicts", one)[0] == 0


def test_of_several_runs_one_is_named(command, two: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("show", two)
    assert code == 2
    assert f"matches several; use one of: {two}#2 (tune), {two}#3 (other)" in err
    for part in ("3", "other", "bbbb2222"):
        assert json.loads(command("show", f"{two}#{part}", "facility_energy", "--json")[1])["run"].startswith("other")


def test_a_row_is_asked_why(command, two: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("why", two, "it_energy", "--row", "1")
    assert code == 0
    assert "3.15 kWh" in out
    assert "row 1 is an earlier total of the same run, which ends at row 2" in err


def test_compare_and_report_take_all_runs_of_a_file(command, two: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    runs = json.loads(command("compare", two, "--json", "-m", "it_energy")[1])["runs"]
    assert [run["metrics"]["it_energy"]["value"] for run in runs] == [pytest.approx(6.3e-6), pytest.approx(6.3e-6)]
    code, out, _ = command("report", two, "-o", str(tmp_path / "a.html"))
    assert code == 0
    assert ": 2 runs" in out


def test_a_run_in_two_files_is_warned_of(command, one: str, two: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("compare", one, two, "-m", "energy")
    assert code == 0
    assert "run aaaa1111 is in several of the files: it is shown for each file, and is one run" in err


@pytest.mark.parametrize("options", [(), ("--from", "codecarbon")])
def test_a_table_has_a_row_a_run(command, two: str, tmp_path: Path, options: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    target = tmp_path / "out.csv"
    code, out, _ = command("table", two, "-m", "it_energy", "-m", "facility_energy", "-o", str(target), *options)
    assert code == 0
    assert "note: read as codecarbon's: a run's rows are its running totals" in out
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [float(row["it_energy (GWh)"]) for row in rows] == [6.3e-6, 6.3e-6]
    assert [row["facility_energy (GWh)"] for row in rows] == ["", "9.45e-6"]


def test_columns_that_are_mapped_are_read_as_mapped(command, one: str) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("table", one, "-m", "it_energy", "--column", "it_energy (kWh)=energy_consumed", "-o", "-")
    assert code == 0
    assert len(out.splitlines()) >= 3  # every row as it stands


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "codecarbn"], "--from: 'codecarbn' is unknown; there are epoch, codecarbon"),
        (["--from", "codecarbon", "--hardware", "x.csv"], "--hardware: is of a preset; add --from epoch"),
        (
            ["--engine", "duckdb", "-o", "a.csv"],
            "--engine: duckdb does not read codecarbon's files; leave --engine out",
        ),
    ],
)
def test_what_does_not_fit_is_refused(command, one: str, arguments: list[str], message: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("table", one, *arguments)
    assert code == 2
    assert message in err


def test_another_table_is_not_read_as_codecarbons(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "models.csv"
    file.write_text("model,parameters\nA,7B\n")
    code, _, err = command("compare", str(file), "gpt-3", "--from", "codecarbon")
    assert code == 2
    assert "has no column duration or emissions or energy_consumed" in err
