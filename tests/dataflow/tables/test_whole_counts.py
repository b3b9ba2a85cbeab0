"""Counts of which there is no part are whole, at every door: as a fact, in a run file, and in rows of each engine."""

from __future__ import annotations

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from runlineage import InputError, PublishedRunScenario, as_quantity, evaluate, expressions

SHAPES = ("layers", "hidden_size", "attention_width", "sequence_length")
ROWS = {"parameters": [7e9, 7e9], "layers": [3.5, 32], "hidden_size": [4096, 4096], "sequence_length": [2048, 2048]}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("value", ["3.5", 3.5, np.array([3.0, 3.5])])
def test_a_part_of_a_count_is_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{name}: .* is not a whole number"):
        PublishedRunScenario(**{name: value})
    assert as_quantity("2,048", field=name).magnitude == 2048


@pytest.mark.parametrize("made", [pl.DataFrame, pd.DataFrame, lambda rows: pl.DataFrame(rows).cast(pl.String)])
def test_a_row_with_a_part_of_a_count_says_so(made) -> None:  # type: ignore[no-untyped-def]
    answered = pl.DataFrame(evaluate(made(ROWS), "operations_per_token"))
    assert answered["operations_per_token route"].cast(pl.String).to_list() == ["without_attention", "with_attention"]
    assert "layers: '3.5' is not a whole number" in answered["problems"].cast(pl.String)[0]


def test_sql_and_expressions_pass_no_part_of_a_count() -> None:
    rows = pl.DataFrame(ROWS)
    by_sql = evaluate(duckdb.sql("select * from rows"), "operations_per_token").pl()
    assert by_sql["operations_per_token route"].to_list() == ["without_attention", "with_attention"]
    computed = nw.from_native(rows).with_columns(*expressions("operations_per_token", list(ROWS)).values())
    assert computed["operations_per_token (GFLOP/token)"].to_list()[0] == 42.0  # GFLOP/token of the weights alone
