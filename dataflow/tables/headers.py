"""Headers of tables: `field` or `field (unit)` becomes a column of facts; any other column is carried through."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.quantities.fields import FACTS, LOOKUP
from runlineage.catalogs.quantities.grammar import read
from runlineage.catalogs.quantities.reading import as_quantity, coherent, expected
from runlineage.catalogs.quantities.units import quantity

SEPARATOR = " | "  # between problems of a row, whose sentences have commas and semicolons of their own
USED_WORDS = {"accelerator", "precision", "sparse"}  # any other word is carried through, whatever it holds
BESIDE = {"power_basis": "device_power"}  # a word that is used only where a column of that fact stands beside it
SPELLINGS = {squash(field): field for field in (*FACTS, *sorted(USED_WORDS))}
HEADER = re.compile(r"\s*(?P<field>[a-z][a-z_]*)\s*(?:\((?P<unit>[^()]*)\))?\s*")


@dataclass(frozen=True)
class FactColumn:
    """A column of facts: its header as it stands, its field, and what one plain number is in coherent units.

    `multiple` is the part of that scale which a letter gives, as in `parameters (B)`; `unit` is what the header says.
    """

    header: str
    field: str
    scale: float = 1.0
    multiple: float = 1.0
    unit: str = ""

    @property
    def is_word(self) -> bool:
        """Whether the cells are words and not quantities."""
        return self.field in USED_WORDS | LOOKUP or self.field in BESIDE


def read_headers(headers: Iterable[str], wanted: Collection[str] = FACTS.keys()) -> tuple[FactColumn, ...]:
    """Find the columns of the wanted facts among a table's headers; faults name every header at once.

    >>> (column,) = read_headers(["model", "duration (hour)"])
    >>> print(column.field, column.scale)
    duration 3600.0
    """
    columns: dict[str, FactColumn] = {}
    faults: list[Fault] = []
    matches = {header: found for header in headers if (found := HEADER.fullmatch(header))}
    fields = {found["field"] for found in matches.values()} & set(wanted)
    used = USED_WORDS | {word for word, fact in BESIDE.items() if fact in fields}
    if "carbon_intensity" in wanted and {found["field"] for found in matches.values()} >= LOOKUP:
        used |= LOOKUP
    for header, found in matches.items():
        if found["field"] not in fields | used:
            continue
        field = found["field"]
        if field in columns:
            faults.append(
                Fault(f"column {echo(header)}", f"gives {field}, as {echo(columns[field].header)} does", "keep one")
            )
            continue
        try:
            columns[field] = FactColumn(header, field, *_scale(field, found["unit"]), found["unit"] or "")
        except InputError as problem:
            faults += problem.at(f"column {echo(header)}", only=True).faults
    if faults:
        raise InputError(tuple(faults))
    return tuple(columns.values())


def lookalikes(headers: Iterable[str], wanted: Collection[str] = FACTS.keys()) -> dict[str, str]:
    """Return the headers that are carried through and differ from a wanted field in spelling alone, with that field.

    >>> print(lookalikes(["model", "Parameters", "Training tokens (B)"]))
    {'Parameters': 'parameters', 'Training tokens (B)': 'training_tokens'}
    """
    headers = list(headers)
    columns = read_headers(headers, wanted)
    read, given = {column.header for column in columns}, {column.field for column in columns}
    spelt = {header: spelt_field(header) for header in headers if header not in read}
    open_fields = {*wanted, *USED_WORDS} - given
    return {header: field for header, field in spelt.items() if field in open_fields}


def spelt_field(header: str) -> str:
    """Return the field that a header spells, in any usual spelling and whatever unit stands after it; else nothing.

    >>> print(spelt_field("Accelerator-Hours (h)"))
    accelerator_hours
    """
    return SPELLINGS.get(squash(header.partition("(")[0]), "")


def _scale(field: str, written: str | None) -> tuple[float, float]:
    """Return what one plain number of a column is in the coherent unit of its field, and the scale letter's part."""
    if field not in FACTS:
        if written is not None:
            refuse(field, "is a word and has no unit")
        return 1.0, 1.0
    known = FACTS[field]
    if written is None:
        return float(coherent(quantity(1.0, known.units), known.kind).magnitude), 1.0
    try:
        one = as_quantity(f"1 {written}", field=field)
    except InputError as problem:
        what = f"the unit {echo(written)} does not serve: {problem.faults[0].what}"
        raise InputError((Fault(field, what, expected(known.kind, known)),)) from None
    return float(coherent(one, known.kind).magnitude), read(f"1 {written}").number
