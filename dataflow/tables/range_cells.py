"""Cells that hold ranges: the median is the fact, and how far either end lies from it goes to the interval."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import echo
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.grammar import Unreadable
from runlineage.catalogs.quantities.grammar import read as read_written
from runlineage.catalogs.quantities.range_text import RangeText, range_text
from runlineage.catalogs.quantities.ranges import Range, as_range, in_units_of
from runlineage.dataflow.tables.headers import FactColumn

HALVES = pl.Struct({"below": pl.Float64, "above": pl.Float64})


@lru_cache(maxsize=65536)
def read_range(column: FactColumn, text: str) -> Range | None:
    """Read a cell as a range in coherent units; None where it is none.

    Raises `InputError` for a range that cannot be used.

    >>> found = read_range(FactColumn("device_power (kW)", "device_power", 1000.0, unit="kW"), "0.35 to 0.4")
    >>> print(found)
    374 W per accelerator (350 to 400)
    """
    try:
        found = range_text(text)
    except Unreadable:
        found = RangeText()  # which the reader refuses with its reason
    if found is None:
        return None
    known = FIELDS[column.field]
    read = in_units_of(known.kind, as_range(_with_unit(column, text, found), field=column.field))
    return read if isinstance(read, Range) else None


def is_unitless(text: str) -> bool:
    """Whether every number of a range names no unit, so that the column's is meant."""
    try:
        found = range_text(text)
        return found is not None and not any(read_written(each).unit for each in _parts(found))
    except Unreadable:
        return False


def note(column: FactColumn, text: str) -> str:
    """Explain what is made of a range where no interval is asked for."""
    what = f"{column.field}: {echo(text)} is a range, of which the median is used"
    return f"{what}; interval=True or --interval gives its ends"


def halves(column: FactColumn, cell: pl.Expr) -> pl.Expr:
    """Return the standard deviations of a column's logarithm below and above the median; 0 where no range is."""
    return cell.cast(pl.String).map_batches(_reading(column), HALVES, is_elementwise=True)


def _reading(column: FactColumn) -> Any:
    def read(cells: pl.Series) -> pl.Series:
        distinct = cells.unique().drop_nulls()
        found = [_halves(column, text) for text in distinct]
        values = pl.Series(found, dtype=HALVES)
        return cells.replace_strict(distinct, values, default=None, return_dtype=HALVES)

    return read


def _halves(column: FactColumn, text: str) -> dict[str, float] | None:
    try:
        found = read_range(column, text)
    except Exception:  # the cell is refused elsewhere, with its reason
        return None
    return dict(zip(("below", "above"), found.halves, strict=True)) if found else None


def _parts(found: RangeText) -> list[str]:
    return [each for each in (found.low, found.high, found.middle, found.reach) if each]


def _with_unit(column: FactColumn, text: str, found: RangeText) -> str:
    """Write the column's own unit into a range that names none; a scale of the cell takes the place of the header's."""
    parts = _parts(found)
    scaled = column.multiple != 1 and any(read_written(each).scale for each in parts)
    if not column.unit or not parts or scaled or not is_unitless(text):
        return text
    if found.share:
        return f"{found.middle} {column.unit} ± {100 * found.share!r}%"
    if found.reach:
        return f"{found.middle} {column.unit} ± {found.reach} {column.unit}"
    return f"{found.low} {column.unit} to {found.high} {column.unit}"
