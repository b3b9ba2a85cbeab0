"""The door for columns: cells become float64 in coherent units, or null; what was refused is explained.

Numbers are checked by expressions of the whole column; text cells are read by the one reader, each distinct text once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import is_whole
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.one_cell import read_text, span

PLAIN = r"^[+]?(?:[0-9]{1,40}(?:\.[0-9]{1,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?$"
BAD_TYPES = (pl.Struct, pl.List, pl.Array, pl.Object, pl.Binary, pl.Date, pl.Datetime, pl.Time, pl.Duration)
TICKS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}  # seconds


def check_types(columns: Iterable[FactColumn], schema: pl.Schema) -> None:
    """Refuse by name a column of facts whose cells are neither numbers nor text,"""
    faults = []
    for column in columns:
        dtype = schema[column.header]
        boolean = dtype == pl.Boolean and column.field != "sparse"
        number = column.is_word and dtype.is_numeric() and column.field not in ("sparse", "year")
        where = f"column {echo(column.header)}"
        if (isinstance(dtype, BAD_TYPES) and not _is_duration(column, dtype)) or boolean or number:
            expected = "words" if column.is_word else "numbers or text"
            faults.append(Fault(where, f"holds {dtype} cells", f"expected {expected}"))
    if faults:
        raise InputError(tuple(faults))


def _is_duration(column: FactColumn, dtype: pl.DataType) -> bool:
    """Whether cells hold lengths of time, whose unit their type tells, in a column of such."""
    return column.field == "duration" and isinstance(dtype, pl.Duration)


def fact(column: FactColumn, dtype: pl.DataType) -> pl.Expr:
    """Return a column of a quantity in coherent units: null where a cell is missing or refused."""
    cell = pl.col(column.header)
    if dtype == pl.Null:
        return pl.lit(None, pl.Float64)
    if isinstance(dtype, pl.Duration):
        seconds = cell.to_physical().cast(pl.Float64) * TICKS[dtype.time_unit]
        return pl.when(valid(seconds / column.scale, column)).then(seconds)
    if dtype.is_numeric():
        number = cell.cast(pl.Float64)
        if column.unit_asked:
            return pl.lit(None, pl.Float64)
        return pl.when(valid(number, column)).then(number * column.scale)
    return cell.cast(pl.String).map_batches(partial(_facts_of_texts, column), pl.Float64, is_elementwise=True)


def _facts_of_texts(column: FactColumn, texts: pl.Series) -> pl.Series:
    """Read cells of text: most of a file's are plain numbers, and the reader reads the others."""
    plain = pl.DataFrame({"text": texts}).select(plain_number(pl.col("text"), column)).to_series()
    scaled = plain * column.scale
    if plain.null_count() == texts.null_count():
        return scaled
    rest = pl.select(pl.when(plain.is_null()).then(texts)).to_series()
    return pl.select(pl.coalesce(scaled, reading(column, 0)(rest))).to_series()


def plain_number(text: pl.Expr, column: FactColumn) -> pl.Expr:
    """Read cells that hold a plain number and nothing else, as the one reader would; null for all others."""
    if column.unit_asked:
        return pl.when(False).then(text.cast(pl.Float64, strict=False))
    number = text.cast(pl.Float64, strict=False)  # which also takes "1." and "1.e5", that the reader refuses
    return pl.when(text.str.contains(PLAIN) & valid(number, column)).then(number)


def valid(number: pl.Expr, column: FactColumn) -> pl.Expr:
    """Whether a number can be a fact of a column; not-a-number and null cannot."""
    least, most = span(column)
    within = (number >= least) & (number <= most)
    return within & is_whole(number * column.scale) if FIELDS[column.field].whole else within


def word(column: FactColumn, dtype: pl.DataType) -> pl.Expr:
    """Return a column of words as the field spells them; null where a cell is missing or refused."""
    if dtype == pl.Null:
        return pl.lit(None, pl.String)
    return pl.col(column.header).cast(pl.String).map_batches(reading(column, 0), pl.String, is_elementwise=True)


def reading(column: FactColumn, part: int) -> Callable[[pl.Series], pl.Series]:
    """Make a reader of whole columns: each distinct text is read once, and gives its value or its refusal."""
    dtype: Any = pl.String if part or column.is_word else pl.Float64

    def read(cells: pl.Series) -> pl.Series:
        if cells.null_count() == len(cells):
            return pl.repeat(None, len(cells), dtype=dtype, eager=True)
        distinct = cells.unique().drop_nulls()
        found = [read_text(column, text)[part] for text in distinct]
        return cells.replace_strict(distinct, pl.Series(found, dtype=dtype), default=None, return_dtype=dtype)

    return read
