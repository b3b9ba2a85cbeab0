"""A fact: a value with its source and its place there, and what else is published of the same quantity."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.quantities.fields import field_of
from runlineage.catalogs.quantities.ranges import Range, range_of
from runlineage.catalogs.records.values import read_figure

Basis = Literal["stated", "derived", "modeled", "assumed"]
BASES: tuple[str, ...] = get_args(Basis)
# Why a value of the same file is kept beside the one in use, where the two do not differ.
ALIKE, FEWER_DIGITS = "stated alike", "agrees, to fewer digits"
FACT_KEYS = ("value", "source", "place", "basis", "note", "preferred", "reason", "low", "high")


class Source(BaseModel):
    """An entry of the bibliography: what it is, where to find it, and how and when it was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    title: str
    authors: str
    year: int
    url: str
    reading: Literal["first hand", "second hand"]
    read_on: datetime.date
    through: str = ""

    def __str__(self) -> str:
        return f"{self.authors} ({self.year})"


@dataclass(frozen=True)
class Fact:
    """A value with its origin; `beside` are other published values of the same quantity, which are not used.

    A fact whose `value` is None has only values in `beside`, and none of them is used. `citation` is the source's
    entry where it travelled with the fact (in a lineage file), and is not looked up in the catalog. Where its authors
    state a range, `low` and `high` are the ends of the interval that holds it in 90 % of cases, and `value` its median.
    """

    value: Any
    basis: str = "stated"
    source: str | None = None
    place: str | None = None
    note: str | None = None
    reason: str | None = None
    beside: tuple[Fact, ...] = ()
    citation: Source | None = None
    low: Any = None
    high: Any = None

    @property
    def is_range(self) -> bool:
        """Whether the fact has the ends of an interval."""
        return self.low is not None or self.high is not None

    def having(self, read: Any) -> Fact:
        """Return the same fact with what was read of it: a value, or a range with its median and ends."""
        if not isinstance(read, Range):
            return replace(self, value=read)
        note = "; ".join(filter(None, (self.note, read.note)))
        return replace(self, value=read.value, low=read.low, high=read.high, note=note or None)


def read_fact(raw: Any, field: str, reader: Callable[[Any, str], Any] | None = None) -> Fact:
    """Read one field of a record: a plain value, a table with its origin, or an array of such tables.

    `reader` reads a value where the field is none of a run's.

    >>> print(read_fact({"value": "700 W", "source": "card", "basis": "stated"}, "device_power").value)
    700 watt/accelerator
    """
    if isinstance(raw, Fact):
        return raw
    tables = raw if isinstance(raw, list) and raw and all(isinstance(each, Mapping) for each in raw) else [raw]
    facts, preferred = [], []
    for table in tables:
        fact, choice = one_fact(table, field, reader or read_figure)
        facts.append(fact)
        preferred.append(choice)
    if preferred.count(True) > 1:
        refuse(field, "has two preferred values", "prefer one")
    if len(facts) > 1 and preferred.count(None) and True not in preferred:
        refuse(field, f"has {len(facts)} values and none preferred", "mark one preferred = true with its reason")
    used = preferred.index(True) if True in preferred else (0 if preferred == [None] else None)
    beside = tuple(fact for place, fact in enumerate(facts) if place != used)
    if used is None:
        return Fact(None, beside=beside)
    chosen = facts[used]
    return replace(chosen, beside=beside)


def one_fact(raw: Any, field: str, reader: Callable[[Any, str], Any]) -> tuple[Fact, bool | None]:
    """Read one table of a fact, and whether it is preferred to others beside it; all its faults are reported."""
    if not isinstance(raw, Mapping):
        return Fact(None).having(reader(raw, field)), None
    faults = [
        Fault(f"{field}.{key}", "is not a key of a fact", f"the keys are {', '.join(FACT_KEYS)}")
        for key in raw
        if key not in FACT_KEYS
    ]
    if "value" not in raw:
        faults.append(Fault(field, "has no value"))
    basis = raw.get("basis", "stated")
    if basis not in BASES:
        faults.append(Fault(f"{field}.basis", f"is {echo(basis)}", f"expected one of {', '.join(BASES)}"))
    preferred = raw.get("preferred")
    if preferred is not None and not (isinstance(preferred, bool) and raw.get("reason")):
        faults.append(Fault(f"{field}.preferred", "needs true or false and a reason"))
    faults += [
        Fault(f"{field}.{key}", f"is {echo(raw[key])}", "expected text")
        for key in ("source", "place", "note", "reason")
        if not isinstance(raw.get(key, ""), str)
    ]
    value = None
    if "value" in raw:
        try:
            value = _with_ends(raw, field) if {"low", "high"} & raw.keys() else reader(raw["value"], field)
        except InputError as problem:
            faults.extend(problem.faults)
    if faults:
        raise InputError(tuple(faults))
    source, place, note, reason = (
        plain_text(raw[key]) if raw.get(key) else None for key in ("source", "place", "note", "reason")
    )
    return Fact(None, basis, source, place, note, reason).having(value), preferred


def _with_ends(raw: Mapping[str, Any], field: str) -> Range:
    """Read a value that has a low and a high end beside it."""
    known = field_of(field)
    if known is None:
        refuse(field, "has a low or a high end, and is no quantity", "leave them out")
    try:
        return range_of(raw["value"], raw.get("low"), raw.get("high"), known.name)
    except InputError as problem:
        if known.name == field:
            raise
        raise problem.at(field, only=True) from None
