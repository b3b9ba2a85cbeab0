"""Tables checked: what is told of a run is told of a row, in every engine."""

from __future__ import annotations

from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

from runlineage import InputError, PublishedRunScenario, Scenarios
from runlineage.dataflow.checks.checker import Checker
from runlineage.dataflow.checks.compared import CONTRADICT
from runlineage.dataflow.tables.check_rows import check

ROWS = pl.DataFrame(
    {
        "model": ["opt", "pangu", "llama", "palm8", "t5", "tuned", "nothing"],
        "training_ops": [4.3e23, None, None, 4.29e22, 4.05e22, 9e23, None],
        "parameters": [175e9, 1.085e12, 65.2e9, 8.63e9, 11e9, 7e9, None],
        "training_tokens": [300e9, 329e9, 1.4e12, 780e9, 1e12, 2e10, None],
        "sparse": [None, True, None, None, None, None, None],
        "accelerator": ["A100 SXM4 80GB", "Ascend 910A", "A100 SXM4 80GB", None, None, None, None],
        "accelerator_count": [1024.0, 512.0, 2048.0, None, None, None, 100.0],
        "duration (day)": [33.0, 100.0, 21.0, None, None, None, 10.0],
        "accelerator_hours": [None, None, 1_022_362.0, None, None, None, 1000.0],
        "layers": [None, None, None, 32, None, None, None],
        "hidden_size": [None, None, None, 4096, None, None, None],
        "sequence_length": [None, None, None, 2048, None, None, None],
        "architecture": [None, None, None, None, "encoder-decoder", None, None],
        "stage": [None, None, None, None, None, "fine-tuning", None],
    }
)
KEPT = ["model", "comparison", "ratio", "rounding", "verdict", "cause"]


def as_rows(frame: Any) -> list[tuple[Any, ...]]:
    return sorted(pl.DataFrame(frame).select(KEPT).rows(), key=lambda row: row[:2])


def by_runs() -> list[tuple[Any, ...]]:
    """What the check of each row as a run of its own gives."""
    found = []
    checker = Checker()
    for row in ROWS.iter_rows(named=True):
        facts = {name.partition(" ")[0]: value for name, value in row.items() if value is not None and name != "model"}
        if "duration" in facts:
            facts["duration"] = f"{facts['duration']} day"
        run = PublishedRunScenario(**facts)
        found += [
            (row["model"], each.name, each.ratio, each.as_json()["rounding"], each.word, each.cause or None)
            for each in checker.check("x", run.inputs).compared
        ]
    return sorted(found, key=lambda row: row[:2])


@pytest.mark.filterwarnings("ignore::runlineage.RunlineageWarning")
@pytest.mark.parametrize(
    "made",
    [
        lambda rows: rows,
        lambda rows: rows.lazy(),
        lambda rows: rows.to_pandas(),
        lambda rows: rows.to_arrow(),
        lambda rows: duckdb.from_arrow(rows.to_arrow()),
    ],
    ids=["polars", "lazy", "pandas", "pyarrow", "duckdb"],
)
def test_a_row_is_told_what_a_run_is(made: Any) -> None:
    given = made(ROWS)
    found = check(given)
    assert type(found) is type(given)
    collected = found.collect() if isinstance(found, pl.LazyFrame) else found.pl() if hasattr(found, "pl") else found
    if isinstance(collected, pd.DataFrame):
        collected = collected.astype(dict.fromkeys(("model", "comparison", "verdict", "cause"), object))
        collected = pl.DataFrame({name: [None if each != each else each for each in collected[name]] for name in KEPT})
    expected = by_runs()
    rows = as_rows(collected)
    assert [row[:2] + row[4:] for row in rows] == [row[:2] + row[4:] for row in expected]
    for row, other in zip(rows, expected, strict=True):
        assert row[2:4] == pytest.approx(other[2:4], rel=1e-6, abs=1e-6)


def test_only_contradictions_are_kept_where_asked() -> None:
    found = check(ROWS, keep=CONTRADICT)
    assert set(found["verdict"]) == {CONTRADICT}
    assert found.height == check(ROWS).filter(pl.col("verdict") == CONTRADICT).height


def test_a_table_without_facts_has_no_comparison() -> None:
    assert check(pl.DataFrame({"model": ["a"]})).height == 0


def test_a_cell_that_cannot_be_read_is_its_rows_problem() -> None:
    texts = {"training_ops": ["4.3e23", "many"], "parameters": ["175B", "7B"], "training_tokens": ["300B", "1T"]}
    assert check(pl.DataFrame(texts))["ratio"].to_list() == pytest.approx([4.3e23 / 3.15e23])


def test_a_column_that_the_answers_need_is_refused() -> None:
    with pytest.raises(InputError, match="work_to_peak"):
        check(pl.DataFrame({"work_to_peak": [1.0], "training_ops": [1e23]}))


def test_runs_of_the_catalog_are_told_the_same_in_rows() -> None:
    names = ("training_ops", "parameters", "training_tokens")
    runs = {key: Scenarios[key].inputs for key in Scenarios if not Scenarios[key].inputs.withheld}
    rows = [
        {"key": key} | {name: float(inputs.graph[name].magnitude) for name in names if name in inputs.graph}
        for key, inputs in runs.items()
    ]
    kinds = {"key": pl.String, **dict.fromkeys(names, pl.Float64)}
    found = check(pl.DataFrame(rows, schema=kinds)).select("key", "comparison", "ratio")
    told = {(key, name): ratio for key, name, ratio in found.iter_rows()}
    checker = Checker()
    compared = {
        (key, each.name): each.ratio
        for key, inputs in runs.items()
        for each in checker.check(key, inputs).compared
        if each.name == "recorded_to_modeled"
    }
    assert told == pytest.approx(compared)


def test_a_printed_fraction_is_not_compared_with_itself() -> None:
    row = {"peak_fraction": [0.48], "peak_flops (TFLOP/s)": [312.0], "training_ops": [4e23], "accelerator_hours": [1e6]}
    found = check(pl.DataFrame(row))
    assert found["comparison"].to_list() == ["work_to_peak", "fraction_to_work"]
    both = check(pl.DataFrame({**row, "reported_rate (TFLOP/s)": [150.0]}))
    assert set(both["comparison"]) == {"rate_to_work", "work_to_peak", "fraction_to_rate"}


def test_a_fact_on_both_sides_leaves_nothing_open() -> None:
    row: dict[str, Any] = {
        "parameters": 7e9,
        "training_tokens": 1.01e12,
        "tokens_per_second": 1.01e6,
        "accelerator_count": 1e3,
    }
    run = PublishedRunScenario(**row, duration="13.1 days").check()["run_to_steps"]
    table = pl.DataFrame({name: [value] for name, value in {**row, "duration (day)": 13.1}.items()})
    (rounding,) = check(table).filter(pl.col("comparison") == "run_to_steps")["rounding"]
    assert rounding == pytest.approx(run.as_json()["rounding"], rel=1e-6)
    assert rounding < 0.02  # the count and the weights cancel, of which one digit is known


def test_small_models_and_long_sequences_have_no_cause_by_four_thirds() -> None:
    """Attention makes such a ratio of them too."""
    sizes, sequences = [90e9, 1.2e9, 7e9, 7e9], [None, None, 2048.0, 8192.0]
    rows = pl.DataFrame(
        {
            "parameters": sizes,
            "training_tokens": [300.7e9] * 4,
            "training_ops": [8 * size * 300.7e9 for size in sizes],
            "sequence_length": sequences,
        }
    )
    for made in (rows, rows.to_pandas(), duckdb.from_arrow(rows.to_arrow())):
        found = pl.DataFrame(check(made)).filter(pl.col("comparison") == "recorded_to_modeled").sort("training_ops")
        assert found["cause"].to_list()[0] is None
        assert sorted(found["cause"].to_list(), key=str) == [None, None, "recomputation", "recomputation"]


@pytest.mark.filterwarnings("ignore::runlineage.RunlineageWarning")
def test_a_power_of_whole_systems_is_compared_as_such_by_its_own_digits() -> None:
    row: dict[str, Any] = {"power_basis": "measured_system", "accelerator_hours": 1.01e6, "pue": 1.1}
    run = PublishedRunScenario(**row, device_power="430 W", facility_energy="0.51 GWh").check()["facility_energy_to_it"]
    given = {**row, "device_power (W)": 430.0, "facility_energy (GWh)": 0.51}
    (found,) = check(pl.DataFrame({name: [value] for name, value in given.items()})).rows(named=True)
    assert (found["comparison"], found["verdict"]) == (run.name, run.word)
    assert (found["ratio"], found["rounding"]) == pytest.approx((run.ratio, run.as_json()["rounding"]))


@pytest.mark.parametrize("wrong", [(), (1,), (0, 2, 3), (0, 1, 2, 3)])
def test_rows_that_do_not_agree_keep_their_places(wrong: tuple[int, ...]) -> None:
    work = [4.3e23 if row in wrong else 3.15e23 for row in range(4)]
    found = check(pl.DataFrame({"training_ops": work, "parameters": [175e9] * 4, "training_tokens": [300e9] * 4}))
    assert found["verdict"].to_list() == ["contradict" if row in wrong else "agree" for row in range(4)]
    assert found["cause"].to_list() == ["recomputation" if row in wrong else None for row in range(4)]
    assert (found["badness"] > 0).to_list() == [row in wrong for row in range(4)]
