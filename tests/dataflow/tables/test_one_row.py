"""A row of a table as a run of its own: it equals what the table says."""

from __future__ import annotations

import polars as pl
import pytest

from runlineage import InputError, RunlineageWarning
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables.one_row import run_of_row
from runlineage.dataflow.tables.polars_frames import evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest, output_header

TABLE = pl.LazyFrame(
    {
        "model": ["a", "b", "c"],
        "parameters": ["405B", "176247271424", "7B"],
        "training_tokens": [15.6e12, 366e9, None],
        "accelerator": ["H100 SXM", "A100 80GB SXM", "A100"],
        "precision": ["bf16", None, "fp16"],
        "accelerator_hours (GPU days)": [30.84e6 / 24, 1_082_990 / 24, 5.0],
        "device_power": ["700 W", "400", "x"],
    }
)


@pytest.mark.filterwarnings("ignore:t.csv row 3")  # whose power is refused
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_row_asked_why_equals_the_tables_row(number: int) -> None:
    row = evaluate_lazy(TABLE, TableRequest.of(tuple(METRICS), ())).collect().row(number - 1, named=True)
    results = run_of_row(TABLE, number, "t.csv").results()
    for name in METRICS:
        value = results[name].magnitude if name in results else None
        assert value == (pytest.approx(row[output_header(name)], rel=1e-12) if value is not None else None)
        assert (value is None) == (row[output_header(name)] is None)


def test_a_fact_of_a_row_says_where_it_stands() -> None:
    entry = run_of_row(TABLE, 2, "t.csv").lineage("energy").entries["device_power"]
    assert (entry.source, entry.place) == ("t.csv", "row 2, column device_power")


@pytest.mark.filterwarnings("ignore:t.csv row 3. accelerator")  # which is ambiguous
def test_a_cell_that_the_table_refuses_is_warned_of() -> None:
    with pytest.warns(RunlineageWarning, match="t.csv row 3: device_power: 'x' does not start with a plain number"):
        assert "device_power" not in run_of_row(TABLE, 3, "t.csv").inputs.given


@pytest.mark.parametrize(("number", "said"), [(0, "--row: is 0; the first row is 1"), (4, "t.csv has fewer rows")])
def test_a_row_that_is_not_there_is_said(number: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        run_of_row(TABLE, number, "t.csv")
