"""What thresholds compare: own work and base kept apart, added or set against each other only here."""

from __future__ import annotations

import polars as pl
import pytest

from runlineage import CannotComputeError, InputError, PublishedRunScenario, evaluate
from runlineage.catalogs.quantities.units import quantity

TUNED = PublishedRunScenario(name="Tuned", training_ops="1e24", base_training_ops="4e24", stage="fine-tuning")


def test_a_base_is_added_and_measured_against() -> None:
    assert TUNED.cumulative_operations.m_as("flop") == pytest.approx(5e24)
    assert TUNED.modification_share == quantity(0.25, "")
    assert TUNED.training_operations == quantity(1e24, "flop")  # which stays the run's own


def test_modeled_work_serves_as_well() -> None:
    run = PublishedRunScenario(parameters="7B", training_tokens="1B", base_training_ops="8.4e22")
    assert run.modification_share == quantity(pytest.approx(4.2e19 / 8.4e22), "")
    assert run.result("cumulative_operations").assumes == ()


def test_without_a_base_nothing_is_guessed() -> None:
    with pytest.raises(CannotComputeError, match="give base_training_ops"):
        _ = PublishedRunScenario(training_ops="1e24").cumulative_operations


@pytest.mark.parametrize("base", ["0", "-1e24", "1e24 tokens", "nan"])
def test_a_base_that_cannot_be_is_refused(base: str) -> None:
    with pytest.raises(InputError, match="base_training_ops"):
        PublishedRunScenario(training_ops="1e24", base_training_ops=base)


def test_tables_answer_them_row_by_row() -> None:
    table = pl.DataFrame({"training_ops": [1e24, 1e24], "base_training_ops (flop)": [4e24, None]})
    found = evaluate(table, ["cumulative_operations", "modification_share"])
    assert found["cumulative_operations (flop)"].to_list() == [pytest.approx(5e24), None]
    assert found["modification_share"].to_list() == [0.25, None]
    assert found["problems"].to_list() == [
        None,
        "cumulative_operations needs base_training_ops | modification_share needs base_training_ops",
    ]


def test_a_table_that_does_not_ask_for_them_carries_the_column_through() -> None:
    table = pl.DataFrame({"training_ops": [1e24], "base_training_ops": ["a sentence"]})
    assert evaluate(table, "training_operations")["problems"].to_list() == [None]
