"""The periods of a run that changed its size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact, one_fact
from runlineage.catalogs.records.values import read_figure


@dataclass(frozen=True)
class Period:
    """A part of a run at one size."""

    accelerator_count: Quantity
    duration: Quantity
    fact: Fact


def read_periods(raw: Any) -> tuple[Period, ...]:
    """Read the periods of a run that changed its size: tables of accelerator_count, duration and their origin."""
    if isinstance(raw, (str, bytes, Mapping)) or not isinstance(raw, Iterable):
        refuse("periods", f"is {echo(raw)}", "expected a list of tables")
    periods: list[Period] = []
    faults: list[Fault] = []
    for place, table in enumerate(raw):
        try:
            periods.append(table if isinstance(table, Period) else _period(table))
        except InputError as problem:
            faults += problem.at(f"periods[{place}]").faults
    if faults:
        raise InputError(tuple(faults))
    return tuple(periods)


def _period(table: Any) -> Period:
    if not isinstance(table, Mapping) or "value" in table or not {"accelerator_count", "duration"} <= set(table):
        refuse("", f"is {echo(table)}", "expected a table with accelerator_count and duration")
    origin = {key: value for key, value in table.items() if key not in ("accelerator_count", "duration")}
    facts: dict[str, Fact] = {}
    faults: list[Fault] = []
    for name in ("accelerator_count", "duration"):
        try:
            facts[name], _ = one_fact({"value": table[name], **origin}, name, read_figure)
        except InputError as problem:
            faults += problem.at(".").faults
            origin = {}  # whose faults are reported already
    if not faults and any(np.shape(fact.value.magnitude) for fact in facts.values()):
        faults.append(Fault("", "has columns", "expected one count and one duration"))
    if not faults and any(fact.is_range for fact in facts.values()):
        cure = "give accelerator_count and duration of the whole run as ranges instead"
        faults.append(Fault("", "has a range, and periods are added up from single numbers", cure))
    if faults:
        raise InputError(tuple(faults))
    return Period(facts["accelerator_count"].value, facts["duration"].value, facts["duration"])
