"""The book of routes: every way that some node modules have to each quantity, and the plans made from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from runlineage.catalogs.base.errors import GraphError, UnknownNameError, echo
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.names_given import names_given
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import FACTS, FIELDS
from runlineage.catalogs.quantities.kinds import Kind
from runlineage.catalogs.quantities.ranges import as_range, in_units_of
from runlineage.dataflow.routes.conditions import Unmet
from runlineage.dataflow.routes.kind_check import refuse_misfits
from runlineage.dataflow.routes.plans import Choice, Plan, closure
from runlineage.dataflow.routes.prefer import read_prefer
from runlineage.dataflow.routes.resolver import Resolution, assumptions, beneath
from runlineage.dataflow.routes.routes import Route, routes_of, unmet_of
from runlineage.dataflow.routes.spread_assumptions import NAMES as SPREAD_NAMES

MOST_PLANS = 4096


class RouteBook:
    """All routes of some modules, by the quantity they lead to, with the plans already made."""

    def __init__(
        self,
        routes: Mapping[str, tuple[Route, ...]],
        replaced: frozenset[str] = frozenset(),
        unmet: tuple[Unmet, ...] = (),
        prefer: Mapping[str, str] = Frozen({}),
    ) -> None:
        every = [route for each in routes.values() for route in each]
        needed = dict.fromkeys(name for route in every for name in route.needs)
        self.routes = routes
        self.replaced = replaced
        self.prefer = prefer
        self.assumptions = assumptions(routes)
        self.inputs = tuple(
            name
            for name in needed
            if name not in routes or name in FACTS or all(route.assumption for route in routes[name])
        )
        optional = {name for route in every for name in route.optional}
        left_out = {name for each in unmet for name in (each.result, *each.parameters)}
        self.known = frozenset(routes) | frozenset(needed) | optional | left_out | frozenset(FACTS)
        self.unmet = {each.result: [one for one in unmet if one.result == each.result] for each in unmet}
        takes = {name: kind for route in every for name, kind in route.takes}
        self.own_kinds = {name: kind for name, kind in takes.items() if isinstance(kind, Kind) and name not in FIELDS}
        # A user's plain node stands in every graph: where its quantity is supplied, the value must override it.
        self.plain = {route.result: route for route in every if route.is_plain}
        self._all_unmet = unmet
        self._plans: dict[Any, Plan] = {}
        self._preferring: dict[Any, RouteBook] = {}

    def preferring(self, prefer: Any) -> RouteBook:
        """Return the book of a user who chose a route for some quantities: none other serves in its place."""
        chosen = read_prefer(prefer, self.routes)
        key = tuple(sorted(chosen.items()))
        if chosen and key not in self._preferring:
            self._preferring[key] = RouteBook(self.routes, self.replaced, self._all_unmet, Frozen(chosen))
        return self._preferring[key] if chosen else self

    def ways(self, name: str) -> tuple[Route, ...]:
        """List the routes of a quantity that may serve: all, or the one that the user chose."""
        routes = self.routes.get(name, ())
        wanted = self.prefer.get(name)
        return routes if wanted is None else tuple(route for route in routes if route.short == wanted)

    def plan(self, supplied: Collection[str], outputs: Iterable[str], assume: Iterable[str] = ()) -> Plan:
        """Resolve the outputs; the plans of a pattern of facts are kept."""
        key = (frozenset(supplied), tuple(outputs), frozenset(assume))
        plan = self._plans.get(key)
        if plan is None:
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            plan = self._plans[key] = self.resolve(*key)
        return plan

    def by(self, route: Route, supplied: Collection[str], assume: Iterable[str] = ()) -> Plan:
        """Plan one quantity by a route that was open and not taken."""
        beneath = self.plan(supplied, route.needs, assume)
        choices = {**beneath.choices, route.result: Choice(route)}
        config = dict(sorted({**beneath.config, f"{route.result}_route": route.short}.items()))
        order = (*(name for name in beneath.order if name != route.result), route.result)
        return Plan((route.result,), Frozen(choices), Frozen({}), (), Frozen(config), (), order)

    def resolve(self, supplied: frozenset[str], outputs: tuple[str, ...], assume: frozenset[str]) -> Plan:
        """Resolve the outputs anew."""
        self.check_assumptions(assume)
        for name in outputs:
            if name not in self.known and name not in supplied:
                known = [
                    *(each for each in FIELDS if each in self.known),
                    *(each for each in self.routes if each not in FIELDS),
                ]
                near = nearest(name, known)
                raise UnknownNameError("metric", name, near, f"the metrics are {', '.join(self.routes)}")
        return Resolution(self.routes, self.replaced, supplied, assume, self.prefer).plan(outputs)

    def config_of(self, name: str) -> str:
        """Describe the config that would let a quantity into the graph; empty where no function was left out."""
        return " or ".join(map(str, self.unmet.get(name, ()) if name not in self.routes else ()))

    def read_own(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Read text that is given for a user's own input where the node declares a kind, and ranges; all else stays."""
        return {
            name: in_units_of(kind, as_range(value, kind, field=name))
            if isinstance(value, str) and (kind := self.own_kinds.get(name))
            else value
            for name, value in inputs.items()
        }

    def refuse_plain(self, supplied: Collection[str]) -> None:
        """Refuse, for a plain Hamilton driver, a supplied quantity that a user's node would compute all the same."""
        for name in sorted(self.plain.keys() & set(supplied)):
            module = self.plain[name].module
            raise GraphError(
                f"{name} is supplied, and {module} computes it in every graph: pass it as overrides= instead"
            )

    def upstream(self, names: Iterable[str]) -> frozenset[str]:
        """List everything that some route to these quantities could use, and the quantities themselves."""
        return closure(names, self.beneath)

    def beneath(self, name: str) -> tuple[str, ...]:
        """List what the routes of one quantity need."""
        return beneath(self.routes, name)

    def check_assumptions(self, assume: Iterable[str]) -> frozenset[str]:
        """Refuse an assumption that no route makes, and that is none about a spread."""
        names = names_given(() if assume is None else assume, "assume", "names of assumptions")
        for name in names:
            if name not in self.assumptions and name not in SPREAD_NAMES:
                known = (*self.assumptions, *SPREAD_NAMES)
                near = nearest(str(name), known, 1)
                raise UnknownNameError("assumption", str(name), near, f"there are {', '.join(known)}")
        return frozenset(names)


def read_routes(*modules: ModuleType, config: Mapping[str, Any] | None = None) -> RouteBook:
    """Read every route of some node modules; a book is kept as long as the modules' functions are the same."""
    routes = tuple(route for module in modules for route in routes_of(module, config))
    book = _book(routes, tuple(each for module in modules for each in unmet_of(module, config)))
    for key in config or {}:
        if key in book.known or key.endswith("_route"):
            raise GraphError(
                f"config {key!r} would silently take a node's place; supply it as an input, or assume a route"
            )
    return book


@lru_cache(maxsize=64)
def _book(routes: tuple[Route, ...], unmet: tuple[Unmet, ...]) -> RouteBook:
    by_result: dict[str, list[Route]] = {}
    for route in routes:
        by_result.setdefault(route.result, []).append(route)
    strongest = {name: _strongest(each) for name, each in by_result.items()}
    refuse_misfits(strongest)
    replaced = frozenset(name for name, each in by_result.items() if len(strongest[name]) < len(each))
    return RouteBook(strongest, replaced, unmet)


def _strongest(routes: list[Route]) -> tuple[Route, ...]:
    """Let a user's plain node replace all our routes and assumptions of that name; two such nodes are a clash."""
    theirs = [route for route in routes if route.is_plain]
    if len({route.module for route in theirs}) > 1:
        modules = " and ".join(route.module for route in theirs)
        raise GraphError(f"{theirs[0].result} is in two modules, {modules}: give one of them another name")
    places: dict[str | None, str] = {}
    for route in () if theirs else routes:
        if places.setdefault(route.name, route.module) != route.module:
            modules = f"{places[route.name]} and {route.module}"
            raise GraphError(f"{route.label} is in two modules, {modules}: give one of them another name")
    return tuple(theirs or routes)


def names_of(outputs: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of outputs asked for: one, or several."""
    names = (outputs,) if isinstance(outputs, str) else tuple(outputs) if isinstance(outputs, Iterable) else (outputs,)
    for name in names:
        if not isinstance(name, str):
            raise UnknownNameError("metric", echo(name), hint="expected a name, or several")
    return names
