"""Metrics as expressions: the same nodes, run once on columns that carry units.

A quantity may hold a Narwhals expression instead of a number, and passes through the same graph and kinds. A missing
fact is null and null spreads through arithmetic, so the expression of a way is null exactly where one of its facts is
missing: a metric is the coalesce over its ways, in the resolver's order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import narwhals as nw

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.units import registry
from runlineage.dataflow.graph import hamilton_graph
from runlineage.dataflow.graph.results import published
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.routes.routes import Route

PREFIX = "runlineage:"  # of the working columns, so that they meet none of the user's


@dataclass(frozen=True)
class Way:
    """One complete way to a quantity: the facts it needs, its assumptions, and the route of each quantity on it."""

    facts: frozenset[str]
    assumes: frozenset[str]
    routes: Mapping[str, Route]

    @property
    def config(self) -> dict[str, str]:
        """The way in Hamilton's words."""
        return {f"{name}_route": route.name for name, route in sorted(self.routes.items()) if route.name}


@dataclass(frozen=True)
class Column:
    """A metric over a table: for each way, in order of preference, its expression in the published unit."""

    name: str
    ways: tuple[Way, ...]
    expressions: tuple[Any, ...]


def ways_to(
    book: RouteBook, name: str, available: Collection[str], assume: frozenset[str], path: tuple[str, ...] = ()
) -> tuple[Way, ...]:
    """Lay out every way to a quantity: fewest assumptions first, then in the order of the source.

    >>> from runlineage.dataflow import metrics
    >>> from runlineage.dataflow.routes.book import read_routes
    >>> facts = {"training_ops", "accelerator_hours", "accelerator_count", "duration"}
    >>> for way in ways_to(read_routes(metrics), "achieved_rate", facts, frozenset()):
    ...     print(way.config["achieved_rate_route"], sorted(way.facts))
    accelerator_time ['accelerator_hours', 'training_ops']
    reference_run ['accelerator_count', 'duration', 'training_ops']
    """
    found = [Way(frozenset({name}), frozenset(), {})] if name in available else []
    for route in book.routes.get(name, ()) if name not in path else ():
        if route.assumption is None or route.assumption in assume:
            own = frozenset({route.assumption} if route.assumption else ())
            beneath = [Way(frozenset(), own, {name: route})]
            for need in route.needs:
                further = ways_to(book, need, available, assume, (*path, name))
                beneath = [_joined(one, other) for one in beneath for other in further]
            found += beneath
    return tuple(sorted(found, key=lambda way: len(way.assumes)))


def needed(ways: Iterable[Way], complete: Collection[str]) -> tuple[Way, ...]:
    """Drop the ways that are never reached, given facts that are there in every row.

    A way is not reached if an earlier one needs nothing more than it: that one is open wherever this one is.
    """
    kept: list[Way] = []
    for way in ways:
        if not any(earlier.facts - set(complete) <= way.facts for earlier in kept):
            kept.append(way)
    return tuple(kept)


def _joined(one: Way, other: Way) -> Way:
    return Way(one.facts | other.facts, one.assumes | other.assumes, {**one.routes, **other.routes})


def columns_of(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    outputs: Iterable[str],
    available: Collection[str],
    assume: frozenset[str] = frozenset(),
    complete: Collection[str] = (),
) -> tuple[Column, ...]:
    """Give the expressions of some metrics over the available facts, of which some are complete; they are kept."""
    return _columns_of(modules, book, tuple(outputs), frozenset(available), assume, frozenset(complete))


@lru_cache(maxsize=128)
def _columns_of(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    outputs: tuple[str, ...],
    available: frozenset[str],
    assume: frozenset[str],
    complete: frozenset[str],
) -> tuple[Column, ...]:
    inputs = {name: registry().Quantity(nw.col(PREFIX + name), FIELDS[name].kind.unit) for name in available}
    return columns_over(modules, book, outputs, inputs, assume, complete)


def columns_over(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    outputs: tuple[str, ...],
    inputs: Mapping[str, Any],
    assume: frozenset[str] = frozenset(),
    complete: Collection[str] = (),
) -> tuple[Column, ...]:
    """Give the expressions of some metrics over facts that are expressions with units."""
    ran: dict[tuple[tuple[str, str], ...], dict[str, Any]] = {}

    def run(way: Way, names: list[str]) -> dict[str, Any]:
        # A user's plain node stands in every graph: where a column gives its quantity, that overrides it.
        supplied = {fact: inputs[fact] for fact in way.facts if fact not in book.plain}
        overrides = {fact: inputs[fact] for fact in way.facts if fact in book.plain}
        return hamilton_graph.run(modules, config_of(way), names, supplied, overrides)

    def config_of(way: Way) -> dict[str, str]:
        alone = {f"{name}_route": book.plain[name].module for name in book.plain.keys() & book.replaced}
        return alone | way.config

    def expression(name: str, way: Way) -> Any:
        """Run the graph of a way once, for every metric that lies on it."""
        if name not in way.routes:
            return inputs[name]
        key = tuple(way.config.items())
        if key not in ran:
            ran[key] = run(way, [each for each in outputs if each in way.routes])
        if name not in ran[key]:
            ran[key] |= run(way, [name])
        return ran[key][name]

    columns = []
    for name in sorted(
        outputs, key=lambda each: -len(book.upstream([each]))
    ):  # the deepest graph answers for the others
        ways = needed(ways_to(book, name, inputs, assume), complete)
        found = tuple(published(name, expression(name, way)) for way in ways)
        columns.append(Column(name, ways, tuple(getattr(each, "magnitude", each) for each in found)))
    return tuple(sorted(columns, key=lambda column: outputs.index(column.name)))
