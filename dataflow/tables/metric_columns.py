"""Metrics as expressions: the same nodes, run once on columns that carry units.

A quantity may hold a Narwhals expression instead of a number, and passes through the same graph and kinds. A missing
fact is null and null spreads through arithmetic, so the expression of a path is null exactly where one of its facts is
missing: a metric is the coalesce over its paths, in the resolver's order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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
from runlineage.dataflow.routes.plans import SUPPLIED
from runlineage.dataflow.routes.routes import Route

PREFIX = "runlineage:"  # of the working columns, so that they meet none of the user's


@dataclass(frozen=True)
class Path:
    """One complete path to a quantity: the facts it needs, its assumptions, and the route of each quantity on it."""

    facts: frozenset[str]
    assumes: frozenset[str]
    routes: Mapping[str, Route]
    supplied: frozenset[str] = frozenset()  # those of the facts that have routes too

    @property
    def config(self) -> dict[str, str]:
        """The path in Hamilton's words."""
        given = {f"{name}_route": SUPPLIED for name in self.supplied}
        routes = {f"{name}_route": route.name for name, route in self.routes.items() if route.name}
        return dict(sorted((given | routes).items()))


@dataclass(frozen=True)
class MetricColumn:
    """A metric over a table: for each path, in order of preference, its expression in the published unit."""

    name: str
    paths: tuple[Path, ...]
    expressions: tuple[Any, ...]


def coalesced(expressions: Sequence[Any]) -> Any:
    """Return the first expression that is not null, in their order; null where there is none."""
    if not expressions:
        return nw.lit(None, nw.Float64)
    return nw.coalesce(*expressions) if expressions[1:] else expressions[0]


def paths_to(
    book: RouteBook, name: str, available: Collection[str], assume: frozenset[str], above: tuple[str, ...] = ()
) -> tuple[Path, ...]:
    """Return every path to a quantity: fewest assumptions first, then in the order of the source.

    >>> from runlineage.dataflow import metrics
    >>> from runlineage.dataflow.routes.book import read_routes
    >>> facts = {"training_ops", "accelerator_hours", "accelerator_count", "duration"}
    >>> for path in paths_to(read_routes(metrics), "achieved_rate", facts, frozenset()):
    ...     print(path.config["achieved_rate_route"], sorted(path.facts))
    accelerator_time ['accelerator_hours', 'training_ops']
    reference_run ['accelerator_count', 'duration', 'training_ops']
    """
    found = (
        [Path(frozenset({name}), frozenset(), {}, frozenset({name} & book.routes.keys()))] if name in available else []
    )
    for route in book.ways(name) if name not in above else ():
        if route.assumption is None or route.assumption in assume:
            own = frozenset({route.assumption} if route.assumption else ())
            beneath = [Path(frozenset(), own, {name: route})]
            for need in route.needs:
                further = paths_to(book, need, available, assume, (*above, name))
                if need in route.given:
                    further = tuple(each for each in further if need not in each.routes)
                elif need in route.stated:
                    further = tuple(each for each in further if need not in each.routes or each.routes[need].is_stating)
                beneath = [_joined(one, other) for one in beneath for other in further]
            found += beneath
    return tuple(sorted(found, key=lambda path: len(path.assumes)))


def needed(paths: Iterable[Path], complete: Collection[str]) -> tuple[Path, ...]:
    """Drop the paths that are never reached, given facts that are there in every row.

    A path is not reached if an earlier one needs nothing more than it: that one is open wherever this one is.
    """
    kept: list[Path] = []
    for path in paths:
        if not any(earlier.facts - set(complete) <= path.facts for earlier in kept):
            kept.append(path)
    return tuple(kept)


def _joined(one: Path, other: Path) -> Path:
    return Path(
        one.facts | other.facts,
        one.assumes | other.assumes,
        {**one.routes, **other.routes},
        one.supplied | other.supplied,
    )


def columns_of(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    outputs: Iterable[str],
    available: Collection[str],
    assume: frozenset[str] = frozenset(),
    complete: Collection[str] = (),
) -> tuple[MetricColumn, ...]:
    """Return the expressions of some metrics over the available facts, of which some are complete; they are kept."""
    return _columns_of(modules, book, tuple(outputs), frozenset(available), assume, frozenset(complete))


@lru_cache(maxsize=128)
def _columns_of(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    outputs: tuple[str, ...],
    available: frozenset[str],
    assume: frozenset[str],
    complete: frozenset[str],
) -> tuple[MetricColumn, ...]:
    kinds = {name: FIELDS[name].kind if name in FIELDS else book.own_kinds[name] for name in available}
    inputs = {name: registry().Quantity(nw.col(PREFIX + name), kind.unit) for name, kind in kinds.items()}
    return columns_over(modules, book, outputs, inputs, assume, complete)


def columns_over(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    outputs: tuple[str, ...],
    inputs: Mapping[str, Any],
    assume: frozenset[str] = frozenset(),
    complete: Collection[str] = (),
) -> tuple[MetricColumn, ...]:
    """Return the expressions of some metrics over facts that are expressions with units."""
    ran: dict[tuple[tuple[str, str], ...], dict[str, Any]] = {}

    def run(path: Path, names: list[str]) -> dict[str, Any]:
        # A user's plain node stands in every graph: where a column gives its quantity, that overrides it.
        supplied = {fact: inputs[fact] for fact in path.facts if fact not in book.plain}
        overrides = {fact: inputs[fact] for fact in path.facts if fact in book.plain}
        return hamilton_graph.run(modules, config_of(path), names, supplied, overrides)

    def config_of(path: Path) -> dict[str, str]:
        alone = {f"{name}_route": book.plain[name].module for name in book.plain.keys() & book.replaced}
        return alone | path.config

    def expression(name: str, path: Path) -> Any:
        """Run the graph of a path once, for every metric that lies on it."""
        if name not in path.routes:
            return inputs[name]
        key = tuple(path.config.items())
        if key not in ran:
            ran[key] = run(path, [each for each in outputs if each in path.routes])
        if name not in ran[key]:
            ran[key] |= run(path, [name])
        return ran[key][name]

    columns = []
    for name in sorted(
        outputs, key=lambda each: -len(book.upstream([each]))
    ):  # the deepest graph answers for the others
        paths = needed(paths_to(book, name, inputs, assume), complete)
        found = tuple(published(name, expression(name, path)) for path in paths)
        columns.append(MetricColumn(name, paths, tuple(getattr(each, "magnitude", each) for each in found)))
    return tuple(sorted(columns, key=lambda column: outputs.index(column.name)))
