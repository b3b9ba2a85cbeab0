"""Headers of tables: `field` or `field (unit)` becomes a column of facts; any other column is carried through."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import FACTS, FIELDS, LOOKUP
from runlineage.catalogs.quantities.grammar import read
from runlineage.catalogs.quantities.reading import as_quantity, coherent, expected
from runlineage.catalogs.quantities.units import quantity

SEPARATOR = " | "  # between problems of a row, whose sentences have commas and semicolons of their own
USED_WORDS = {"accelerator", "precision", "sparse"}  # any other word is carried through, whatever it holds
# A word that is used only where a column of one of these facts stands beside it.
BESIDE = {
    "power_basis": ("device_power",),
    "attention": ("layers",),
    "recomputation": ("layers", "parameters", "active_parameters", "reported_mfu", "mfu", "reported_step_rate"),
}
HEADER = re.compile(r"\s*(?P<field>[a-z][a-z_]*)\s*(?:\((?P<unit>[^()]*)\))?\s*")
ENERGIES = ("kWh", "MWh", "GWh")
# Fields whose plain numbers people write in several units: such a column must name its own, since no value settles it.
SEVERAL_UNITS = {
    "duration": ("s", "hour", "day"),
    **dict.fromkeys(("energy", "it_energy", "facility_energy"), ENERGIES),
}


@dataclass(frozen=True)
class FactColumn:
    """A column of facts: its header as it stands, its field, and what one plain number is in coherent units.

    `multiple` is the part of that scale which a letter gives, as in `parameters (B)`; `unit` is what the header says.
    `keeps_ranges` says that cells which are ranges give an interval, and not their median alone.
    """

    header: str
    field: str
    scale: float = 1.0
    multiple: float = 1.0
    unit: str = ""
    keeps_ranges: bool = False

    @property
    def is_word(self) -> bool:
        """Whether the cells are words and not quantities."""
        return self.field in USED_WORDS | LOOKUP or self.field in BESIDE

    @property
    def unit_asked(self) -> str:
        """How to head the column, where a plain number of the field may be in several units and none is named."""
        units = SEVERAL_UNITS.get(self.field, ()) if not self.unit else ()
        heads = [f"{self.field} ({unit})" for unit in units]
        return ", ".join(heads[:-1]) + f" or {heads[-1]}" if heads else ""


def read_headers(
    headers: Iterable[str], wanted: Collection[str] = FACTS.keys(), columns: Mapping[str, str] = Frozen({})
) -> tuple[FactColumn, ...]:
    """Find the columns of the wanted facts among a table's headers; faults name every header at once.

    `columns` maps `field` or `field (unit)` to a header of another name, and goes before a header of that field.

    >>> (column,) = read_headers(["model", "duration (hour)"])
    >>> print(column.field, column.scale)
    duration 3600.0
    >>> (column,) = read_headers(["GPU hours", "notes"], columns={"accelerator_hours": "GPU hours"})
    >>> print(column.header, "is", column.field)
    GPU hours is accelerator_hours
    """
    headers = list(headers)
    mapped, faults = _mapped(headers, columns)
    taken = {found["field"] for found in mapped.values()}
    matches = {header: found for header in headers if (found := HEADER.fullmatch(header)) and header not in mapped}
    matches = mapped | {header: found for header, found in matches.items() if found["field"] not in taken}
    named = {found["field"] for found in matches.values()}
    fields = named & set(wanted)
    used = USED_WORDS | {word for word, facts in BESIDE.items() if fields.intersection(facts)}
    if "carbon_intensity" in wanted and named >= LOOKUP:
        used |= LOOKUP
    found_columns: dict[str, FactColumn] = {}
    for header in (each for each in headers if each in matches):  # in the order of the table
        field, unit = matches[header]["field"], matches[header]["unit"]
        if field not in fields | used:
            continue
        if field in found_columns:
            what = f"gives {field}, as {echo(found_columns[field].header)} does"
            faults.append(Fault(f"column {echo(header)}", what, "keep one"))
            continue
        try:
            found_columns[field] = FactColumn(header, field, *_scale(field, unit), unit or "")
        except InputError as problem:
            faults += problem.at(f"column {echo(header)}", only=True).faults
    if faults:
        raise InputError(tuple(faults))
    return tuple(found_columns.values())


def _mapped(headers: Collection[str], columns: Mapping[str, str]) -> tuple[dict[str, re.Match[str]], list[Fault]]:
    """Read a mapping of fields to headers: each header with its field and unit, and what is wrong."""
    known = {*FIELDS, *USED_WORDS, *LOOKUP, *BESIDE}
    mapped: dict[str, re.Match[str]] = {}
    faults = []
    for spec, header in columns.items():
        found = HEADER.fullmatch(spec)
        where = f"columns[{echo(spec)}]"
        if found is None or found["field"] not in known:
            near = nearest(spec, known, 1)
            faults.append(Fault(where, "is not a field", f"did you mean {near[0]}?" if near else "name a field"))
        elif header not in headers:
            near = nearest(header, headers, 1)
            cure = (
                f"did you mean {echo(near[0])}?" if near else f"the columns are {', '.join(map(echo, headers))[:300]}"
            )
            faults.append(Fault(where, f"is {echo(header)}, which is no column of the table", cure))
        elif header in mapped:
            faults.append(Fault(where, f"is {echo(header)}, as {mapped[header]['field']} is", "map each column once"))
        else:
            mapped[header] = _with_unit_of(header, found)
    return mapped, faults


def _with_unit_of(header: str, found: re.Match[str]) -> re.Match[str]:
    """Return a mapped field with the unit that the header itself names, where the mapping names none."""
    named = re.search(r"\(([^()]+)\)\s*$", header)
    if named is None or found["unit"] is not None or found["field"] not in FIELDS:
        return found
    try:
        _scale(found["field"], named[1])
    except InputError:  # a remark and no unit: Time (wall clock)
        return found
    return HEADER.fullmatch(f"{found['field']} ({named[1]})") or found


def _scale(field: str, written: str | None) -> tuple[float, float]:
    """Return what one plain number of a column is in the coherent unit of its field, and the scale letter's part."""
    if field not in FIELDS:
        if written is not None:
            refuse(field, "is a word and has no unit")
        return 1.0, 1.0
    known = FIELDS[field]
    if written is None:
        return float(coherent(quantity(1.0, known.units), known.kind).magnitude), 1.0
    try:
        one = as_quantity(f"1 {written}", field=field)
    except InputError as problem:
        what = f"the unit {echo(written)} does not serve: {problem.faults[0].what}"
        raise InputError((Fault(field, what, expected(known.kind, known)),)) from None
    return float(coherent(one, known.kind).magnitude), read(f"1 {written}").number
