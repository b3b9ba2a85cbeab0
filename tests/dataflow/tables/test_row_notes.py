"""What a row is told beside its numbers, and what it takes from words: as a run with the same facts."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import polars as pl
import pytest

from runlineage import PublishedRunScenario
from runlineage.dataflow.tables.evaluate import evaluate
from runlineage.dataflow.tables.request import output_header

STEPS = {"parameters": "7B", "layers": 32, "hidden_size": 4096, "sequence_length": 2048}


def frames(rows: dict[str, list[Any]]) -> list[Any]:
    import pyarrow as pa

    return [pd.DataFrame(rows), pl.DataFrame(rows), pl.LazyFrame(rows), pa.table(rows)]


def column(answered: Any, name: str) -> list[Any]:
    answered = answered.collect() if isinstance(answered, pl.LazyFrame) else answered
    found = pl.DataFrame(answered) if not isinstance(answered, pl.DataFrame) else answered
    return [None if value is None or value != value else value for value in found[name].to_list()]


@pytest.mark.parametrize("engine", range(4), ids=["pandas", "Polars", "Polars lazy", "Arrow"])
def test_what_authors_say_of_attention_counts_in_a_row_as_in_a_run(engine: int) -> None:
    said = ["full", "causal", "none", None]
    rows = {name: [value] * len(said) for name, value in STEPS.items()} | {"attention": said}
    found = column(evaluate(frames(rows)[engine], ("operations_per_token",)), output_header("operations_per_token"))
    for word, number in zip(said, found, strict=True):
        run = PublishedRunScenario(**STEPS, **({"attention": word} if word else {}))
        assert number == pytest.approx(run.operations_per_token.m_as("GFLOP/token"), rel=1e-12), word
    assert found[0] > found[1] > found[2]


def test_recomputation_counts_in_a_row_and_one_that_is_not_known_is_that_rows_problem() -> None:
    frame = pd.DataFrame({"reported_mfu": [0.3, 0.3, 0.3], "recomputation": ["full", "none", "selective"]})
    answered = evaluate(frame, ("hfu",))
    assert column(answered, "hfu") == [pytest.approx(0.4), pytest.approx(0.3), None]
    assert answered["problems"][2].startswith("recomputation: is 'selective'; expected one of none, full")


def test_a_column_that_both_a_route_and_an_author_can_give_is_taken_as_given() -> None:
    frame = pd.DataFrame({"parameters": ["7B"], "layers": [32], "attention_width": [4096], "sequence_length": [2048]})
    run = PublishedRunScenario(parameters="7B", layers=32, attention_width=4096, sequence_length=2048)
    found = evaluate(frame, ("operations_per_token",))[output_header("operations_per_token")][0]
    assert found == pytest.approx(run.operations_per_token.m_as("GFLOP/token"), rel=1e-12)


@pytest.mark.filterwarnings("ignore:column 'duration' names no unit")  # its cell does
@pytest.mark.parametrize(
    ("metric", "facts"),
    [
        ("hfu", {"reported_mfu": 0.9, "recomputation": "full"}),
        ("mfu", {"reported_step_rate": "1500 TFLOP/s", "accelerator": "H100 SXM", "precision": "bf16"}),
        ("goodput", {"training_tokens": "15T", "tokens_per_second": "1M", "duration": "1 day"}),
        (
            "peak_fraction",
            {"training_ops": 1e24, "accelerator_hours": 1e5, "accelerator": "H100 SXM", "precision": "bf16"},
        ),
    ],
)
def test_a_share_above_one_is_doubted_in_a_row_as_in_a_run(metric: str, facts: dict[str, Any]) -> None:
    answered = evaluate(pd.DataFrame({name: [value] for name, value in facts.items()}), (metric,))
    assert answered[output_header(metric)][0] > 1
    assert f"{metric} is above 1: doubt its facts" in answered["problems"][0]
    (warning,) = PublishedRunScenario(**facts).results(metric).warnings
    assert re.match(rf"{metric} is [1-9][0-9.]*, and .*: doubt ", warning)


def test_a_share_below_one_is_not_doubted() -> None:
    answered = evaluate(pd.DataFrame({"reported_mfu": [0.45], "recomputation": ["full"]}), ("hfu",))
    assert answered["problems"].isna().all()
    results = PublishedRunScenario(reported_mfu=0.45, recomputation="full").results("hfu")
    assert (results["hfu"].magnitude, results.warnings) == (pytest.approx(0.6), ())
