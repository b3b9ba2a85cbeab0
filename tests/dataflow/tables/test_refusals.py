"""Sentences that are written for many numbers at once: each is what the one reader writes of that number."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage import InputError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.tables.headers import FactColumn, read_headers
from runlineage.dataflow.tables.one_cell import read_cell, span
from runlineage.dataflow.tables.refusals import is_refused, refusal, sentences

MULTIPLES = ("", "m", "k", "M", "G", "T")
COUNTS = ("K", "M", "B", "T")


def columns() -> list[FactColumn]:
    """List a column of every field in every unit that its header may name: bare, in multiples, in thousands."""
    found = []
    for name, field in FIELDS.items():
        units = [f"{multiple}{field.unit_shown}" for multiple in MULTIPLES if field.unit_shown]
        for header in (name, *(f"{name} ({unit})" for unit in (*units, *COUNTS, "g/kWh", "hour", "%"))):
            try:
                found += read_headers([header], FIELDS)
            except InputError:  # the unit does not serve the field
                continue
    return found


COLUMNS = columns()


def drawn(seed: int) -> list[float]:
    """Draw numbers of every size and sign, some of them whole, some at the ends of what is written at once."""
    draw = np.random.default_rng(seed)
    sizes = 10.0 ** np.concatenate([draw.uniform(-70, 70, 40), draw.uniform(-6, 17, 40)])
    edges = [0.0, -0.0, 0.5, 1e-4, 9.99e-5, 1e15, 1e16, 123456789.0, 1e60, 1e-60, 5e-324, 1.7e308, float("inf")]
    numbers = np.concatenate([sizes, np.round(sizes), np.round(sizes, 3), edges])
    return list(np.concatenate([numbers, -numbers]))


def test_there_are_columns_of_every_field_and_of_many_units() -> None:
    assert {column.field for column in COLUMNS} == FIELDS.keys()
    assert {column.multiple for column in COLUMNS} >= {1.0, 1e3, 1e6, 1e9, 1e12}
    assert sum(FIELDS[column.field].is_bounded for column in COLUMNS) > 100


@pytest.mark.parametrize("seed", range(3))
def test_sentences_written_at_once_are_those_of_the_one_reader_in_every_column(seed: int) -> None:
    numbers = pl.Series(drawn(seed))
    for column in COLUMNS:
        refused = numbers.filter(pl.select(is_refused(pl.lit(numbers), column)).to_series())
        assert len(refused) > 3, column
        assert sentences(column, refused).to_list() == [read_cell(column, number)[1] for number in refused], column


@pytest.mark.parametrize("seed", range(3))
def test_a_number_is_refused_where_the_one_reader_refuses_it(seed: int) -> None:
    numbers = pl.Series([*drawn(seed), float("nan"), None])
    for column in COLUMNS:
        refused = pl.select(is_refused(pl.lit(numbers), column)).to_series().fill_null(value=False)
        assert refused.to_list() == [read_cell(column, number)[1] is not None for number in numbers], column


@pytest.mark.parametrize(
    "header",
    ["duration (hour)", "device_power (kW)", "parameters (B)", "peak_fraction", "carbon_intensity (g/kWh)", "layers"],
)
@given(numbers=st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_many_numbers_out_of_their_band_are_refused_in_the_words_of_the_one_reader(
    header: str, numbers: list[float]
) -> None:
    (column,) = read_headers([header], FIELDS)
    least, most = span(column)
    bad = list(dict.fromkeys(number for number in numbers if not least <= number <= most))
    said = pl.DataFrame({header: pl.Series(bad, dtype=pl.Float64)}).select(refusal(column, pl.Float64()))
    assert said.to_series().to_list() == [read_cell(column, number)[1] for number in bad]
