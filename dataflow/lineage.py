"""The lineage of results as plain data: each quantity with its value, route, equation, basis, source and parents."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from runlineage.catalogs.catalog import Sources, catalog_version
from runlineage.catalogs.fields import FIELDS
from runlineage.catalogs.frozen import Frozen
from runlineage.catalogs.records import Fact, Source
from runlineage.catalogs.units import is_ours
from runlineage.dataflow.inputs import Inputs
from runlineage.dataflow.resolver import SUPPLIED, Plan
from runlineage.dataflow.results import GIVEN, published

# Which answer each figure that authors print is to be compared with.
REPORTED_OF = {
    "reported_energy": "energy",
    "reported_facility_energy": "facility_energy",
    "reported_rate": "achieved_rate",
    "published_emissions": "location_emissions",
}


@dataclass(frozen=True)
class Entry:
    """One quantity of a lineage."""

    name: str
    value: Any
    route: str | None
    equation: str
    excludes: str
    basis: str
    assumption: str | None
    source: str
    citation: Source | None
    place: str
    note: str
    beside: tuple[Fact, ...]
    parents: tuple[str, ...]
    alternatives: tuple[str, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()

    @property
    def unit(self) -> str:
        """The unit of the value, as files spell it; empty for a word."""
        if not is_ours(self.value):
            return ""
        field = FIELDS.get(self.name)
        return field.unit_text if field and field.units == self.value.units else str(self.value.units)

    @property
    def is_fact(self) -> bool:
        """Whether the quantity was supplied and not computed."""
        return self.route == SUPPLIED


@dataclass(frozen=True, repr=False)
class Lineage:
    """Where the numbers of a run came from: entries in the order of computing, parents before children.

    `unused` holds facts upstream that are published and not used: why they are withheld, and their values; `reported`
    what the authors themselves print of the answers; `catalog` the fingerprint of the catalogs.
    """

    subject: str
    outputs: tuple[str, ...]
    entries: Mapping[str, Entry]
    warnings: tuple[str, ...]
    catalog: str
    unused: Mapping[str, tuple[str, tuple[Fact, ...]]]
    reported: Mapping[str, Fact]

    def __repr__(self) -> str:
        return f"<Lineage of {self.subject}: {', '.join(self.outputs) or 'nothing computed'}; print() shows the tree>"

    def __str__(self) -> str:
        # The face is asked at the moment of looking, so that this file imports nothing above it.
        import runlineage

        return runlineage.tree(self) if self.outputs else f"{self.subject}: nothing could be computed"


def trace(
    subject: str,
    plan: Plan,
    inputs: Inputs,
    values: Mapping[str, Any],
    warnings: tuple[str, ...],
    upstream: Collection[str],
) -> Lineage:
    """Put together the lineage of a plan's reached outputs; only the routes taken stand in it."""
    entries: dict[str, Entry] = {}
    for name in plan.order:
        looked_up_by = inputs.parents.get(name, ()) if plan.choices[name].route is None else ()
        entries |= {word: _fact(word, inputs) for word in looked_up_by}
        entries[name] = _entry(name, plan, inputs, values)
    unused = {}
    for name in sorted(upstream):
        origin = inputs.origins.get(name)
        withheld = inputs.withheld.get(name, "")
        if name not in entries and (withheld or (origin and origin.beside)):
            shown = (origin or Fact(inputs.given.get(name))) if withheld else None
            unused[name] = (withheld, (*((shown,) if shown else ()), *(origin.beside if origin else ())))
    printed = {**inputs.reported, **{name: fact for name, fact in inputs.origins.items() if name in REPORTED_OF}}
    reported = {
        name: fact
        for name, fact in printed.items()
        if REPORTED_OF[name] in upstream and name not in entries and fact.value is not None
    }
    return Lineage(
        subject, plan.reached, Frozen(entries), warnings, catalog_version(), Frozen(unused), Frozen(reported)
    )


def _entry(name: str, plan: Plan, inputs: Inputs, values: Mapping[str, Any]) -> Entry:
    choice = plan.choices[name]
    if choice.route is None:
        return _fact(name, inputs)
    formula, excludes = described(choice.route.function, name, choice.route.needs)
    return Entry(
        name=name,
        value=published(name, values[name]),
        route=choice.route.name,
        equation=formula,
        excludes=excludes,
        basis=choice.route.basis,
        assumption=choice.route.assumption,
        source="",
        citation=None,
        place="",
        note="",
        beside=(),
        parents=tuple(name for name in (*choice.route.needs, *choice.route.optional) if name in plan.order),
        alternatives=plan.alternatives(name),
        closed=tuple(plan.lacks(name).items()),
    )


def _fact(name: str, inputs: Inputs) -> Entry:
    origin = inputs.origins.get(name) or Fact(None)
    value = inputs.given.get(name, inputs.graph.get(name, inputs.words.get(name)))
    citation = Sources[origin.source] if origin.source and origin.source in Sources else None
    return Entry(
        name=name,
        value=getattr(value, "name", value),
        route=SUPPLIED,
        equation="",
        excludes="",
        basis=origin.basis,
        assumption=None,
        source=origin.source or GIVEN,
        citation=citation,
        place=origin.place or "",
        note=origin.note or "",
        beside=origin.beside,
        parents=inputs.parents.get(name, ()),
    )


@lru_cache(maxsize=512)
def described(function: Callable[..., Any], result: str, needs: tuple[str, ...]) -> tuple[str, str]:
    """Read the formula and the exclusions from a node's docstring, where they stand once.

    >>> from runlineage.dataflow import metrics
    >>> print(described(metrics.energy, "energy", ()))
    ('accelerator_hours × device_power', 'facility overhead, varying power')
    """
    doc = inspect.getdoc(function) or ""
    formula = re.search(rf"^\s*{re.escape(result)} = (.+)$", doc, re.MULTILINE)
    excludes = re.search(r"^\s*Excludes: (.+?)\.?$", doc, re.MULTILINE)
    equation = formula[1] if formula else f"{function.__name__.partition('__')[0]}({', '.join(needs)})"
    return equation, excludes[1] if excludes else ""
