"""`runlineage check`: text, JSON, tables, exit codes and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest


def test_a_contradiction_is_told_with_cause_doubts_and_exit_code_one(command: Any) -> None:
    code, out, err = command("check", "opt-175b")
    said = " ".join(out.split())
    assert code == 1
    assert "OPT-175B: 1 of 3 comparisons contradicts" in said
    assert "is 1.365 times 6 N D, 3.15×10²³ flop" in said
    assert "cause: recomputation" in said
    assert "if it is not that, doubt: " in said
    assert "(would have to be 3.15×10²³ flop)" in said
    assert "error" not in err


def test_where_nothing_contradicts_the_exit_code_is_zero(command: Any) -> None:
    code, out, _ = command("check", "gpt-3")
    assert (code, out.splitlines()[0]) == (0, "GPT-3 175B: nothing contradicts, of 4 comparisons")


def test_facts_by_option_are_compared(command: Any) -> None:
    options = ("--accelerator-hours", "24000", "--accelerator-count", "1000", "--duration", "10 days")
    code, out, _ = command("check", *options)
    assert code == 1
    said = " ".join(out.split())
    assert "accelerator_hours 24,000 accelerator·hour is 0.1 times count × duration" in said
    assert "cause: none that is known fits doubt: " in said


def test_json_has_what_the_text_has(command: Any) -> None:
    code, out, err = command("check", "bloom", "--json")
    document = json.loads(out)
    assert (code, document["schema"], document["contradictions"], err) == (0, "runlineage.check/1", 0, "")
    assert {each["fact"] for each in document["beside"]} == {"pue", "published_emissions", "reported_energy"}


def test_nothing_stated_twice_is_said(command: Any) -> None:
    code, out, _ = command("check", "--parameters", "7B")
    assert code == 0
    assert "state nothing twice" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "no such run"), "unknown run"),
        (("check", "gpt-3", "-o", "x.csv"), "-o: is of a table"),
        (("check", "gpt-3", "--row", "2"), "is no table file"),
        (("check", "gpt-3", "--work-counts", "modell"), "the nearest: model"),
        (("check", "gpt-3", "--from", "epoch"), "--column"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_two(command: Any, words: tuple[str, ...], said: str) -> None:
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert said in err


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.csv"
    path.write_text(
        "model,training_ops,parameters,training_tokens\nopt,4.3e23,175B,300B\ngpt,3.14e23,174.6B,300B\nbare,,7B,\n"
    )
    return path


def test_a_table_is_ranked_and_grouped_by_cause(command: Any, models: Path) -> None:
    target = models.with_name("comparisons.csv")
    code, out, _ = command("check", str(models), "-o", str(target))
    assert code == 1
    assert "3 rows, 2 comparisons in 2 of them: 1 agree, 0 are close, 1 contradicts" in out
    assert "1  recorded_to_modeled  recomputation" in out
    written = pl.read_csv(target)
    assert written["model"].to_list() == ["opt", "gpt"]  # the worst first
    assert written["row"].to_list() == [1, 2]
    assert written["verdict"].to_list() == ["contradict", "agree"]


def test_a_row_of_a_table_is_checked_as_a_run(command: Any, models: Path) -> None:
    assert command("check", str(models), "--row", "2")[0] == 0
    assert command("check", str(models), "--row", "1")[0] == 1


def test_a_table_as_json_counts_its_contradictions(command: Any, models: Path) -> None:
    document = json.loads(command("check", str(models), "--json")[1])
    assert (document["rows"], document["comparisons"], document["contradictions"]) == (3, 2, 1)
    assert document["by_cause"] == [{"comparison": "recorded_to_modeled", "cause": "recomputation", "rows": 1}]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--duration", "3 days"), "--duration: is a fact of one run"),
        (("--route", "energy=reported"), "--route: is of one run"),
        (("-o", "x.xlsx"), "x.xlsx"),
    ],
)
def test_a_table_refuses_what_is_of_a_run(command: Any, models: Path, more: tuple[str, ...], said: str) -> None:
    code, _, err = command("check", str(models), *more)
    assert code == 2
    assert said in err


def test_a_table_is_not_written_over_itself(command: Any, models: Path) -> None:
    before = models.read_text()
    code, _, err = command("check", str(models), "-o", str(models))
    assert (code, models.read_text()) == (2, before)
    assert "is the table itself" in err


def test_a_header_that_the_check_needs_is_refused(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text("verdict,training_ops\nx,1e23\n")
    code, _, err = command("check", str(path))
    assert code == 2
    assert "column 'verdict': is there already" in err


def test_epochs_fine_tunes_carry_their_base(command: Any, checkout: Path) -> None:
    epoch = checkout.parent / "shared" / "epoch"
    if not epoch.exists():
        pytest.skip("Epoch's files are not here")
    table, hardware = str(epoch / "notable_ai_models.csv"), str(epoch / "ml_hardware.csv")
    code, out, _ = command("check", table, "--from", "epoch", "--hardware", hardware, "--json")
    causes = {(each["comparison"], each["cause"]) for each in json.loads(out)["by_cause"]}
    assert code == 1
    assert ("work_to_peak", "base") in causes


def test_a_row_is_told_what_its_table_is(command: Any, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text(
        "accelerator_hours,device_power (W),pue,reported_facility_energy (kWh),"
        "training_ops,stage,parameters,training_tokens\n"
        "273.5,400,1.28,560.128,6.3e24,fine-tuning,175e9,300e9\n"
    )
    assert json.loads(command("check", str(table), "--json")[1])["contradictions"] == 2
    document = json.loads(command("check", str(table), "--row", "1", "--json")[1])
    assert document["contradictions"] == 2
    assert document["comparisons"][0]["cause"] == "base"


def test_a_header_named_like_a_comparison_is_refused(command: Any, tmp_path: Path) -> None:
    table = tmp_path / "own.csv"
    table.write_text("training_ops,parameters,training_tokens,recorded_to_modeled\n4.3e23,175e9,300e9,7\n")
    code, _, err = command("check", str(table))
    assert code == 2
    assert "column 'recorded_to_modeled': is there already" in err
