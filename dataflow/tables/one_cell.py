"""One cell of a column of facts: its value in coherent units or a word, or the sentence that refuses it."""

from __future__ import annotations

import datetime
from dataclasses import replace
from functools import lru_cache
from typing import Any

from runlineage.catalogs.base.errors import InputError, UnknownNameError, echo
from runlineage.catalogs.catalog import Accelerators
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
TRUTHS = {"1": "true", "0": "false", "1.0": "true", "0.0": "false"}  # of a column of numbers
COUNTED = {word: sizes for word, (_, sizes) in FROM_WORDS.items()}


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


def no_unit(column: FactColumn) -> str:
    """Explain why a plain number is refused in a column that would have to name its unit."""
    return f"{column.field}: a plain number may be in several units; head its column {column.unit_asked}"


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
