"""Why cells were refused, in the words of the one reader; for numbers, of which a column may refuse a million, at once.

The reader takes some microseconds for each number; here its sentence for one serves for all that differ from it in
nothing but the number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import polars as pl

from runlineage.catalogs.base.errors import echo
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number as written_number
from runlineage.catalogs.quantities.formatting import unit_text
from runlineage.catalogs.quantities.reading import LEAST, MOST, coherent
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.quantities.units import unit as unit_of
from runlineage.dataflow.tables.cells import TICKS, plain_number, reading, valid
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.one_cell import no_unit, read_cell, read_text

# Numbers that Polars and Python write alike; the negative one is of the longest that there are.
ALIKE = (1e-4, 1e15)
MAY_BE_A_RANGE = r"[0-9%a-zA-Z² ](?:-|–|—|−|±|\+ ?/? ?-|[tT][oO])[0-9 .$]"
NEGATIVE = -0.00012345678901234567


def refusal(column: FactColumn, dtype: pl.DataType) -> pl.Expr:
    """Return the text that explains why a cell was refused; null where it was not."""
    cell = pl.col(column.header)
    if column.is_word:
        return cell.cast(pl.String).map_batches(reading(column, 1), pl.String, is_elementwise=True)
    if isinstance(dtype, pl.Duration):
        numbers = cell.to_physical().cast(pl.Float64) * (TICKS[dtype.time_unit] / column.scale)
        spelt = replace(column, unit="s")  # which the type tells
        return numbers.map_batches(partial(_of_numbers, spelt), pl.String, is_elementwise=True)
    if not dtype.is_numeric():
        text = cell.cast(pl.String)
        rest = pl.when(plain_number(text, column).is_null()).then(text)
        return rest.map_batches(reading(column, 1), pl.String, is_elementwise=True)
    return cell.cast(pl.Float64).map_batches(partial(_of_numbers, column), pl.String, is_elementwise=True)


def refusal_of_text(column: FactColumn, fact: pl.Expr) -> pl.Expr:
    """Return the same for a column of text whose facts have been read: cells that gave one are passed over.

    A cell that may be a range gave one too, and what was made of it is said.
    """
    text = pl.col(column.header).cast(pl.String)
    unsaid = fact.is_null() if column.keeps_ranges else fact.is_null() | text.str.contains(MAY_BE_A_RANGE)
    rest = pl.when(unsaid).then(text)
    return rest.map_batches(reading(column, 1), pl.String, is_elementwise=True)


def is_refused(number: pl.Expr, column: FactColumn) -> pl.Expr:
    """Whether a number is there and cannot be a fact of a column; null where none is there."""
    return number.is_not_nan() if column.unit_asked else number.is_not_nan() & ~valid(number, column)


def _of_numbers(column: FactColumn, numbers: pl.Series) -> pl.Series:
    """Write a sentence for each number that cannot be a fact; there are few or none of them."""
    refused = pl.select(pl.when(is_refused(pl.lit(numbers), column)).then(numbers)).to_series()
    if refused.null_count() == len(refused):
        return pl.repeat(None, len(numbers), dtype=pl.String, eager=True)
    distinct = refused.drop_nulls().unique()
    return refused.replace_strict(distinct, sentences(column, distinct), default=None, return_dtype=pl.String)


def sentences(column: FactColumn, numbers: pl.Series) -> pl.Series:
    """Write for each of some numbers why it cannot be a fact of a column."""
    numbers = pl.Series(numbers.to_numpy() + 0.0)  # a zero has no sign; equal numbers have one sentence
    if column.unit_asked:
        return pl.repeat(no_unit(column), len(numbers), dtype=pl.String, eager=True)
    least, most = ALIKE
    alike = (numbers <= -least) & (numbers > -most)
    before, after = _around_number(column) if alike.any() else ("", "")
    if not before:  # the sentence writes the number in another way
        return pl.Series(_one_by_one(column, numbers), dtype=pl.String)
    written = numbers.filter(alike).cast(pl.String)
    at_once = pl.select(pl.concat_str(pl.lit(before), written, pl.lit(after))).to_series()
    others = pl.Series(_one_by_one(column, numbers.filter(~alike)), dtype=pl.String)
    places = pl.concat([(~alike).arg_true(), alike.arg_true()])
    return pl.concat([others, at_once]).gather(places.arg_sort())


def _around_number(column: FactColumn) -> tuple[str, str]:
    """Return what the one reader writes before and after a number that is not above zero; nothing where it differs."""
    parts = (read_cell(column, NEGATIVE)[1] or "").split(repr(NEGATIVE))
    return (parts[0], parts[1]) if len(parts) == 2 else ("", "")


def _one_by_one(column: FactColumn, numbers: Iterable[float]) -> list[str | None]:
    if FIELDS[column.field].is_bounded:
        return _out_of_band(column, numbers)
    return [read_cell(column, number)[1] for number in numbers]


def _out_of_band(column: FactColumn, numbers: Iterable[float]) -> list[str | None]:
    """Write what the one reader writes of each number outside a field's band, where it can be written at once."""
    known = FIELDS[column.field]
    one = column.scale / float(coherent(quantity(1.0, known.units), known.kind).magnitude)  # in the field's unit
    is_plain = column.multiple == 1 and known.band and not known.whole and known.kind.__name__ != "CarbonIntensity"
    unit = unit_text(unit_of(known.unit_shown)) if known.unit_shown else ""
    spelt, why = f" {column.unit}" if column.unit else "", known.band.why if known.band else ""

    def sentence(value: float) -> str | None:
        if not (is_plain and LEAST < value < MOST and LEAST < value * one < MOST):
            text: str | None = read_text(column, repr(value))[1]
            return text
        what = f"{written_number(value * one)} {unit}" if unit else "out of its band"
        return f"{column.field}: {echo(repr(value) + spelt)} is {what}; {why}"

    return list(map(sentence, numbers))
