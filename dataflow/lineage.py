"""The lineage of results as plain data: each quantity with its value, route, equation, basis, source and parents."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from runlineage.catalogs.catalog import Sources, catalog_version
from runlineage.catalogs.records import Fact, Source
from runlineage.dataflow.inputs import Inputs
from runlineage.dataflow.results import published
from runlineage.dataflow.routes import SUPPLIED, Plan, Route

GIVEN = "given by the caller"


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
    def is_fact(self) -> bool:
        """Whether the quantity was supplied and not computed."""
        return self.route == SUPPLIED


@dataclass(frozen=True)
class Lineage:
    """Where the numbers of a run came from: entries in the order of computing, parents before children.

    `unused` holds facts upstream that are published and not used: why they are withheld, and their values.
    """

    subject: str
    outputs: tuple[str, ...]
    entries: Mapping[str, Entry]
    warnings: tuple[str, ...]
    catalog: str
    unused: Mapping[str, tuple[str, tuple[Fact, ...]]] = field(default_factory=dict)

    def __str__(self) -> str:
        # The face is asked at the moment of looking, so that this file imports nothing above it.
        import runlineage

        return runlineage.tree(self)


def trace(
    subject: str,
    plan: Plan,
    inputs: Inputs,
    values: Mapping[str, Any],
    warnings: tuple[str, ...],
    upstream: Collection[str],
) -> Lineage:
    """Put together the lineage of a plan's reached outputs; only the routes taken stand in it."""
    entries = {name: _entry(name, plan, inputs, values) for name in plan.order}
    unused = {}
    for name in sorted(upstream):
        origin = inputs.origins.get(name)
        withheld = inputs.withheld.get(name, "")
        if name not in entries and (withheld or (origin and origin.beside)):
            shown = (origin or Fact(inputs.given.get(name))) if withheld else None
            unused[name] = (withheld, (*((shown,) if shown else ()), *(origin.beside if origin else ())))
    return Lineage(subject, plan.reached, entries, warnings, catalog_version(), unused)


def _entry(name: str, plan: Plan, inputs: Inputs, values: Mapping[str, Any]) -> Entry:
    choice = plan.choices[name]
    if choice.route is None:
        return _fact(name, inputs)
    formula, excludes = described(choice.route)
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
        parents=choice.route.needs,
        alternatives=tuple(route.name or route.module for route in choice.alternatives),
        closed=tuple((lack.route.name or lack.route.module, str(lack)) for lack in choice.closed),
    )


def _fact(name: str, inputs: Inputs) -> Entry:
    origin = inputs.origins.get(name) or Fact(None)
    value = inputs.given.get(name, inputs.graph.get(name))
    citation = Sources[origin.source] if origin.source and origin.source in Sources else None
    return Entry(
        name=name,
        value=value,
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
        parents=(),
    )


@cache
def described(route: Route) -> tuple[str, str]:
    """Read the formula and the exclusions from a node's docstring, where they stand once.

    >>> from runlineage.dataflow import metrics
    >>> from runlineage.dataflow.routes import read_routes
    >>> print(described(read_routes(metrics).routes["energy"][0])[0])
    accelerator_hours × device_power
    """
    doc = inspect.getdoc(route.function) or ""
    formula = re.search(rf"^\s*{re.escape(route.result)} = (.+)$", doc, re.MULTILINE)
    excludes = re.search(r"^\s*Excludes: (.+?)\.?$", doc, re.MULTILINE)
    equation = formula[1] if formula else f"{route.function.__name__}({', '.join(route.needs)})"
    return equation, excludes[1] if excludes else ""
