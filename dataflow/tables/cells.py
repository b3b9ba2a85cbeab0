"""The door for columns: cells become float64 in coherent units, or null; what was refused is explained.

Numbers are checked by expressions of the whole column; text cells are read by the one reader, each distinct text once.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError, UnknownNameError, echo
from runlineage.catalogs.catalog import Accelerators, Grids
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.grammar import Unreadable
from runlineage.catalogs.quantities.grammar import read as read_written
from runlineage.catalogs.quantities.reading import LEAST, MOST, as_quantity, band, coherent, is_whole
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.values import read_truth, read_word, read_year
from runlineage.catalogs.regions import find_region
from runlineage.dataflow.inputs.lookups import FROM_WORDS
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.range_cells import is_unitless, note, read_range

# What people write where nothing is known; such a cell is missing, not refused.
NOTHING = frozenset({"", "-", "–", "—", "n/a", "na", "nan", "none", "null", "unknown", "not stated", "?", "tbd"})
PLAIN = r"^[+]?(?:[0-9]{1,40}(?:\.[0-9]{1,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?$"
TRUTHS = {"1": "true", "0": "false", "1.0": "true", "0.0": "false"}  # of a column of numbers
BAD_TYPES = (pl.Struct, pl.List, pl.Array, pl.Object, pl.Binary, pl.Date, pl.Datetime, pl.Time, pl.Duration)
COUNTED = {word: sizes for word, (_, sizes) in FROM_WORDS.items()}
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


def no_unit(column: FactColumn) -> str:
    """Explain why a plain number is refused in a column that would have to name its unit."""
    return f"{column.field}: a plain number may be in several units; head its column {column.unit_asked}"


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


def span(column: FactColumn) -> tuple[float, float]:
    """Return the band of a column's plain numbers: that of its field, in the column's own unit, else that of all facts.

    >>> print(*map(round, span(FactColumn("carbon_intensity (g/kWh)", "carbon_intensity", 1 / 3.6e6))))
    1 2000
    """
    known = FIELDS[column.field]
    if not known.is_bounded:
        return LEAST, MOST
    one = float(coherent(quantity(1.0, known.units), known.kind).magnitude) / column.scale
    least, most = band(known)
    return least * one, most * one


def word(column: FactColumn, dtype: pl.DataType) -> pl.Expr:
    """Return a column of words as the field spells them; null where a cell is missing or refused."""
    if dtype == pl.Null:
        return pl.lit(None, pl.String)
    return pl.col(column.header).cast(pl.String).map_batches(reading(column, 0), pl.String, is_elementwise=True)


def looked_up(name: str, record: pl.Expr, choice: pl.Expr) -> pl.Expr:
    """Return a fact that a record of the catalog holds, in coherent units.

    That is the peak or the TDP of each row's accelerator at its precision, or the intensity of its region in its year.
    """
    both = pl.struct(record.alias("record"), choice.alias("choice"))

    def find(cells: pl.Series) -> pl.Series:
        pairs = cells.struct.unnest()
        known = pairs.unique().drop_nulls("record")
        values = [_of_part(name, *row) for row in known.iter_rows()]  # each distinct part once
        table = known.with_columns(pl.Series("value", values, dtype=pl.Float64))
        return pairs.join(table, on=["record", "choice"], how="left", nulls_equal=True, maintain_order="left")["value"]

    return both.map_batches(find, pl.Float64, is_elementwise=True)


def counted(name: str, word: pl.Expr) -> pl.Expr:
    """Return what a word says of one of the graph's numbers; null where it says nothing of it."""
    sizes = next(sizes for number, sizes in FROM_WORDS.values() if number == name)
    field = FIELDS[name]
    found = {said: float(coherent(quantity(size, field.unit), field.kind).magnitude) for said, size in sizes.items()}
    return word.replace_strict(found, default=None, return_dtype=pl.Float64)


def missing_record(name: str, record: pl.Expr, choice: pl.Expr) -> pl.Expr:
    """Explain where a part has no peak at the stated precision, or a region no intensity in the stated year."""
    both = pl.struct(record.alias("record"), choice.alias("choice"))
    refuse = {"peak_flops": _no_peak, "accelerator_tdp": _no_power, "carbon_intensity": _no_intensity}[name]

    def find(cells: pl.Series) -> pl.Series:
        pairs = cells.struct.unnest()
        known = pairs.unique().drop_nulls("record")
        message = [refuse(*row) for row in known.iter_rows()]
        table = known.with_columns(pl.Series("said", message, dtype=pl.String))
        return pairs.join(table, on=["record", "choice"], how="left", nulls_equal=True, maintain_order="left")["said"]

    return both.map_batches(find, pl.String, is_elementwise=True)


def _no_peak(key: str, precision: str | None) -> str | None:
    node = Accelerators[key]
    reason = node.no_peak(precision or "") if precision or node.missing("peak") else ""
    return (f"precision: {reason}" if precision else f"accelerator: {reason}") if reason else None


def _no_power(key: str, _: str | None) -> str | None:
    node = Accelerators[key]
    members = node.missing("tdp")
    return f"accelerator: {node.name} may be any of several parts, whose TDPs differ: {members}" if members else None


def _no_intensity(key: str, year: str | None) -> str | None:
    grid = Grids[key]
    is_held = year is None or grid.intensity(int(year))
    return None if is_held else f"year: {year} is not held for {grid.name}; held: {grid.held}"


def _of_part(name: str, key: str, choice: str | None) -> float | None:
    if name == "carbon_intensity":
        found = Grids[key].intensity(int(choice)) if choice else None
    else:
        node = Accelerators[key]
        found = node.tdp if name == "accelerator_tdp" else node.peak(choice or "")
    if found is None or found.value is None:
        return None
    return float(coherent(found.value, FIELDS[name].kind).magnitude)


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


def read_cell(column: FactColumn, cell: Any) -> tuple[Any, str | None]:
    """Read one cell as the table does: its value in coherent units or a word, or the sentence that refuses it."""
    if cell is None or isinstance(cell, str):
        return read_text(column, cell) if cell else (None, None)
    if column.is_word:
        return read_text(column, str(cell))
    if isinstance(cell, datetime.timedelta):
        cell = cell.total_seconds() / column.scale
        column = replace(column, unit="s")
    number = float(cell) + 0.0  # a zero has no sign
    if number != number:
        return None, None
    if column.unit_asked:
        return None, no_unit(column)
    least, most = span(column)
    if least <= number <= most and (not FIELDS[column.field].whole or is_whole(number * column.scale)):
        return number * column.scale, None
    if FIELDS[column.field].is_bounded:
        return None, read_text(column, repr(number))[1]
    return None, f"{column.field}: {number} is not between {LEAST:g} and {MOST:g}"


def _counted(column: FactColumn, text: str) -> tuple[float, None]:
    """Read a count whose column or cell scales it; a scale letter of the cell takes the place of the header's."""
    written = read_written(text)
    number = written.number * column.scale / (column.multiple if written.scale else 1.0)
    as_quantity(quantity(number, FIELDS[column.field].kind.unit), field=column.field)  # which holds it to the band
    if FIELDS[column.field].whole:
        as_quantity(number, field=column.field)  # which refuses a part of a count
    return number, None


def _is_plain(text: str) -> bool:
    try:
        return read_written(text).unit is None
    except Unreadable:
        return False


@lru_cache(maxsize=65536)
def read_text(column: FactColumn, text: str) -> tuple[Any, str | None]:
    """Read one text cell: its value in coherent units, or the sentence that refuses it."""
    said = text.strip().casefold()
    if said in NOTHING and said not in COUNTED.get(column.field, ()):  # "none" is what authors say of attention
        return None, None
    try:
        if column.field == "accelerator":
            return Accelerators.find(text), None
        if column.field == "region":
            return find_region(text), None
        if column.field == "year":
            return read_year(text, column.field), None
        if column.field == "sparse":
            return str(read_truth(TRUTHS.get(text, text), column.field)), None
        if column.is_word:
            return read_word(text, column.field), None
        known = FIELDS[column.field]
        if column.unit_asked and (_is_plain(text) or is_unitless(text)):
            return None, no_unit(column)
        if (found := read_range(column, text)) is not None:
            return float(found.value.magnitude), None if column.keeps_ranges else note(column, text)
        if known.is_bounded and column.unit and _is_plain(text):
            if known.kind.counted and (column.multiple != 1 or read_written(text).scale):
                return _counted(column, text)
            text = f"{text} {column.unit}"  # so that the band holds in the column's unit
        read = as_quantity(text, field=column.field)
        written = read_written(text)
        if written.unit is None:  # in the column's; a scale letter of its own takes the place of the header's
            return float(read.magnitude) * column.scale / (column.multiple if written.scale else 1.0), None
        return float(coherent(read, known.kind).magnitude), None
    except InputError as problem:
        return None, "; ".join(str(fault) for fault in problem.faults)
    except UnknownNameError as problem:
        return None, f"{column.field}: {problem}"
    except Exception as problem:  # whatever a reader meets in one cell, the other rows have their answers
        return None, f"{column.field}: {echo(text)} cannot be read ({type(problem).__name__})"
