"""`runlineage compare`: runs by name, file, card and row of a table, in every form."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from runlineage import Scenarios, lineage_json

CARD = "---\nlicense: mit\n---\n# Mine\n\n| | Training Time (GPU hours) |\n|---|---|\n| Mine 1B | 370k |\n"


@pytest.fixture
def kinds(tmp_path: Path) -> list[str]:
    """A run of every kind: name, run file, card, lineage, row of a table, whole table."""
    run = tmp_path / "run.toml"
    run.write_text('name = "Own"\naccelerator_hours = "1M"\ndevice_power = "400 W"\n')
    card = tmp_path / "README.md"
    card.write_text(CARD)
    lineage = tmp_path / "bloom.json"
    lineage.write_text(lineage_json(Scenarios["bloom"].lineage()), encoding="utf-8")
    table = tmp_path / "models.csv"
    table.write_text("model,accelerator_hours,device_power\nA,1M,400 W\nB,2M,400 W\n")
    return ["gpt-3", str(run), f"{card}#Mine 1B", str(lineage), f"{table}#2", str(table)]


def test_every_kind_of_run_stands_in_one_table(command, kinds: list[str]) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("compare", *kinds, "--json", "-m", "energy")
    runs = json.loads(out)["runs"]
    assert code == 0
    assert [run["run"].partition(" (")[0] for run in runs] == [
        "GPT-3 175B",
        "Own",
        "Mine 1B",
        "BLOOM 176B",
        "B",
        "A",
        "B",
    ]
    values = [run["metrics"]["energy"]["value"] for run in runs]
    assert values == [None, pytest.approx(0.4), None, pytest.approx(0.433196), *map(pytest.approx, (0.8, 0.4, 0.8))]


def test_options_assumptions_and_routes_hold_for_every_run(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command(
        "compare", "gpt-3", "bloom", "-m", "energy", "--device-power", "100 W", "--assume", "count_duration"
    )
    assert code == 0
    assert "0.3552" in out
    assert 'assuming "count_duration"' in out
    _, out, _ = command("compare", "bloom", "opt 175b", "--route", "training_operations=parameter_token", "--json")
    routes = [run["metrics"]["training_operations"]["route"] for run in json.loads(out)["runs"]]
    assert routes == ["parameter_token", "parameter_token"]


@pytest.mark.parametrize("suffix", ["csv", "md", "json", "txt"])
def test_a_file_has_the_form_of_its_suffix(command, tmp_path: Path, suffix: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / f"both.{suffix}"
    code, out, _ = command("compare", "gpt-3", "bloom", "-o", str(file))
    assert (code, out) == (0, f"{file}: 2 runs by 4 metrics\n")
    text = file.read_text(encoding="utf-8")
    assert "BLOOM 176B" in text
    if suffix == "csv":
        assert [row["run"] for row in csv.DictReader(io.StringIO(text))] == ["GPT-3 175B", "BLOOM 176B"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "RUN: is not named; name two runs or more (`runlineage list runs`)"),
        (["gpt-3"], "RUN: names one run, GPT-3 175B; name another, or ask `runlineage show`"),
        (["gpt-3", "blom"], "unknown run 'blom'; the nearest: BLOOM 176B"),
        (["gpt-3", "bloom", "-m", "enrgy"], "--metric: 'enrgy' is unknown; did you mean energy?"),
        (["gpt-3", "bloom", "--to", "xlsx"], "unknown form 'xlsx'; there are text, csv, md, json"),
        (["gpt-3", "bloom", "-o", "a.xlsx"], "a.xlsx is no file for a comparison; name one that ends in .txt, .csv"),
        (["gpt-3", "bloom", "--to", "csv", "-o", "a.md"], "a.md is no file for a comparison as csv"),
        (["gpt-3", "bloom", "--json", "--to", "csv"], "--to: is csv, and --json is given; choose one"),
        (["gpt-3", "bloom", "--column", "a=b"], "--column: is of a table"),
    ],
)
def test_what_cannot_be_compared_is_refused(command, arguments: list[str], message: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("compare", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_all_faults_are_said_at_once(command) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("compare", "nothing-like-it", "no.toml", "-m", "enrgy")
    assert code == 2
    assert all(each in err for each in ("nothing-like-it", "no.toml", "enrgy"))


def test_the_exit_code_is_one_where_what_was_asked_has_no_answer_at_all(command) -> None:  # type: ignore[no-untyped-def]
    assert command("compare", "gpt-3", "bloom")[0] == 0
    assert command("compare", "gpt-3", "bloom", "-m", "energy")[0] == 0  # of one of them
    code, _, err = command("compare", "gpt-3", "palm 540b", "-m", "energy")
    assert (code, err) == (1, "no run has an answer for energy\n")
