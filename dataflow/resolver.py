"""The resolver: what is supplied, asked and assumed becomes a plan, with a choice of route for each quantity.

The route that wins is the one that needs the fewest assumptions, then the first in the source. That choice belongs to
a quantity and does not depend on what else is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from runlineage.catalogs.errors import GraphError, UnknownNameError
from runlineage.catalogs.fields import FACTS, FIELDS
from runlineage.catalogs.frozen import Frozen
from runlineage.catalogs.names import nearest
from runlineage.dataflow.routes import Route, frozen, routes_of

SUPPLIED = "supplied"  # the config value that matches no function, so that the quantity becomes a typed input
MOST_PLANS = 4096
DEEP = 150  # of this many quantities a chain may be too long to be followed by recursion


@dataclass(frozen=True)
class Lack:
    """A route that is not open: what it needs and does not have, or that its assumption is off."""

    route: Route
    missing: tuple[str, ...]
    not_assumed: bool = False

    def __str__(self) -> str:
        lacks = f"lacks {', '.join(self.missing)}"
        if self.not_assumed:
            return f'not assumed ("{self.route.assumption}")' + (f", and {lacks}" if self.missing else "")
        return lacks


@dataclass(frozen=True)
class Choice:
    """How a quantity is had: by a route, or as supplied (`route` None), with every assumption beneath it."""

    route: Route | None
    assumes: frozenset[str] = frozenset()
    alternatives: tuple[Route, ...] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """What the route taken must have; nothing where the quantity is supplied."""
        return self.route.needs if self.route else ()


@dataclass(frozen=True)
class Plan:
    """What the resolver decided for some outputs.

    `choices` has each quantity that is reached, `closed` each route that is not open with what it lacks, `missing` the
    outputs that cannot be reached, `config` the routes taken in Hamilton's words, `unneeded` the assumptions that
    served nothing, `order` the quantities of the graph, parents first.
    """

    outputs: tuple[str, ...]
    choices: Mapping[str, Choice]
    closed: Mapping[str, tuple[Lack, ...]]
    missing: tuple[str, ...]
    config: Mapping[str, str]
    unneeded: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def reached(self) -> tuple[str, ...]:
        """The outputs that can be computed."""
        return tuple(name for name in self.outputs if name not in self.missing)

    def route(self, name: str) -> str | None:
        """Name the route of a quantity: None where it has only one way."""
        choice = self.choices.get(name)
        if choice is None:
            return None
        return SUPPLIED if choice.route is None else choice.route.name

    def assumes(self, name: str) -> tuple[str, ...]:
        """Name every assumption beneath a quantity."""
        choice = self.choices.get(name)
        return tuple(sorted(choice.assumes)) if choice else ()

    def alternatives(self, name: str) -> tuple[str, ...]:
        """Name the routes that were open and not taken."""
        choice = self.choices.get(name)
        return tuple(route.short for route in choice.alternatives) if choice else ()

    def lacks(self, name: str) -> dict[str, str]:
        """Say of each route of a quantity that is not open what it lacks."""
        return {lack.route.short: str(lack) for lack in self.closed.get(name, ())}

    def __str__(self) -> str:
        lines = [self._line(name) for name in self.outputs]
        lines += [f"  {name} by {route}: {why}" for name in self.outputs for route, why in self.lacks(name).items()]
        return "\n".join(lines)

    def _line(self, name: str) -> str:
        if name in self.missing:
            return f"{name}: no route"
        others = f" (possible: {', '.join(self.alternatives(name))})" if self.alternatives(name) else ""
        return f"{name}: {self.route(name) or 'its only route'}{others}"


class RouteBook:
    """All routes of some modules, by the quantity they lead to, with the plans already made."""

    def __init__(self, routes: Mapping[str, tuple[Route, ...]], replaced: frozenset[str] = frozenset()) -> None:
        every = [route for each in routes.values() for route in each]
        needed = dict.fromkeys(name for route in every for name in route.needs)
        self.routes = routes
        self.replaced = replaced
        self.assumptions = tuple(dict.fromkeys(route.assumption for route in every if route.assumption))
        self.inputs = tuple(
            name for name in needed if name not in routes or all(route.assumption for route in routes[name])
        )
        optional = {name for route in every for name in route.optional}
        self.known = frozenset(routes) | frozenset(needed) | frozenset(optional) | frozenset(FACTS)
        # A user's plain node stands in every graph: where its quantity is supplied, the value must override it.
        self.plain = {route.result: route for route in every if route.is_plain}
        self._plans: dict[Any, Plan] = {}

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
                known = [*FIELDS, *(each for each in self.routes if each not in FIELDS)]
                near = nearest(name, known)
                raise UnknownNameError("metric", name, near, f"the metrics are {', '.join(self.routes)}")
        return _Resolution(self, supplied, assume).plan(outputs)

    def refuse_plain(self, supplied: Collection[str]) -> None:
        """Refuse, for a plain Hamilton driver, a supplied quantity that a user's node would compute all the same."""
        for name in sorted(self.plain.keys() & set(supplied)):
            module = self.plain[name].module
            raise GraphError(
                f"{name} is supplied, and {module} computes it in every graph: pass it as overrides= instead"
            )

    def upstream(self, names: Iterable[str]) -> frozenset[str]:
        """Name everything that some route to these quantities could use, and the quantities themselves."""
        return closure(names, self.beneath)

    def beneath(self, name: str) -> tuple[str, ...]:
        """Name what the routes of one quantity need."""
        return tuple(dict.fromkeys(need for route in self.routes.get(name, ()) for need in route.needs))

    def check_assumptions(self, assume: Iterable[str]) -> frozenset[str]:
        """Refuse an assumption that no route makes."""
        names = (assume,) if isinstance(assume, str) else tuple(assume or ())
        for name in names:
            if name not in self.assumptions:
                near = nearest(str(name), self.assumptions, 1)
                raise UnknownNameError("assumption", str(name), near, f"there are {', '.join(self.assumptions)}")
        return frozenset(names)


class _Resolution:
    """One resolving: `tried` fills with each quantity after those that it needs."""

    def __init__(self, book: RouteBook, supplied: frozenset[str], assume: frozenset[str]) -> None:
        self.book = book
        self.supplied = supplied
        self.assume = assume
        self.tried: dict[str, Choice | None] = {}
        self.closed: dict[str, tuple[Lack, ...]] = {}

    def plan(self, outputs: tuple[str, ...]) -> Plan:
        if len(self.book.routes) > DEEP:
            self._from_below(outputs)
        missing = tuple(name for name in outputs if self._choose(name, ()) is None)
        reached = [name for name in outputs if name not in missing]
        choices = {name: choice for name, choice in self.tried.items() if choice is not None}
        wanted = closure(reached, lambda name: self._beneath(choices[name], choices))
        used = frozenset[str]().union(*(choices[name].assumes for name in reached))
        # Where something is missing, an assumption may have served and not been enough.
        unneeded = () if missing else tuple(name for name in self.book.assumptions if name in self.assume - used)
        order = tuple(name for name in choices if name in wanted)
        config = self._config(order, choices)
        return Plan(outputs, Frozen(choices), Frozen(self.closed), missing, Frozen(config), unneeded, order)

    def _from_below(self, outputs: Iterable[str]) -> None:
        """Choose what lies beneath first, so that a long chain of nodes does not exhaust Python's stack."""
        waiting, seen = list(outputs), set()
        while waiting:
            name = waiting[-1]
            below = () if name in self.supplied else self.book.beneath(name)
            further = [each for each in below if each not in seen and each not in self.tried]
            if name in seen or not further:
                waiting.pop()
                if all(each in self.tried for each in below):  # else a circle, which is said with its names
                    self._choose(name, ())
            else:
                waiting += further
            seen.add(name)

    def _choose(self, name: str, path: tuple[str, ...]) -> Choice | None:
        if name in self.tried:
            return self.tried[name]
        if name in path:
            raise GraphError(f"the nodes go in a circle: {' needs '.join([*path[path.index(name) :], name])}")
        found = Choice(None) if name in self.supplied else self._best_route(name, (*path, name))
        self.tried[name] = found
        return found

    def _best_route(self, name: str, path: tuple[str, ...]) -> Choice | None:
        open_routes: list[tuple[Route, frozenset[str]]] = []
        closed: list[Lack] = []
        for route in self.book.routes.get(name, ()):
            beneath = {need: self._choose(need, path) for need in route.needs}
            lacking = tuple(need for need, choice in beneath.items() if choice is None)
            off = route.assumption is not None and route.assumption not in self.assume
            if lacking or off:
                closed.append(Lack(route, lacking, off))
                continue
            own = frozenset({route.assumption} if route.assumption else ())
            open_routes.append((route, own.union(*(choice.assumes for choice in beneath.values() if choice))))
        if closed:
            self.closed[name] = tuple(closed)
        if not open_routes:
            return None
        best, assumes = min(open_routes, key=lambda each: len(each[1]))  # min keeps the first of equals: source order
        for each in best.optional:
            self._choose(each, path)
        return Choice(best, assumes, tuple(route for route, _ in open_routes if route is not best))

    @staticmethod
    def _beneath(choice: Choice, choices: Mapping[str, Choice]) -> Iterable[str]:
        """Name what a choice needs, and those of its optional parameters that can be had."""
        optional = choice.route.optional if choice.route else ()
        return (*choice.needs, *(name for name in optional if name in choices))

    def _config(self, order: Iterable[str], choices: Mapping[str, Choice]) -> dict[str, str]:
        """Say the choices in Hamilton's config: the route's name, or a word that matches none of our functions."""
        config = {}
        for name in order:
            route = choices[name].route
            for each in route.optional if route else ():
                if each not in choices and each in self.book.routes:
                    config[f"{each}_route"] = SUPPLIED  # out of the graph, so that the default serves
            if route is None and name in self.book.routes:
                config[f"{name}_route"] = SUPPLIED
            elif route is not None and route.name is not None:
                config[f"{name}_route"] = route.name
            elif route is not None and name in self.book.replaced:
                config[f"{name}_route"] = route.module  # matches no route of ours, so the user's node stands alone
        return dict(sorted(config.items()))


def read_routes(*modules: ModuleType, config: Mapping[str, Any] | None = None) -> RouteBook:
    """Read every route of some node modules; a book is kept as long as the modules' functions are the same."""
    routes = tuple(route for module in modules for route in routes_of(module, config))
    book = _book(routes)
    for key, _ in frozen(config or {}):
        if key in book.known or key.endswith("_route"):
            raise GraphError(
                f"config {key!r} would silently take a node's place; supply it as an input, or assume a route"
            )
    return book


@lru_cache(maxsize=64)
def _book(routes: tuple[Route, ...]) -> RouteBook:
    found: dict[str, list[Route]] = {}
    for route in routes:
        found.setdefault(route.result, []).append(route)
    strongest = {name: _strongest(each) for name, each in found.items()}
    return RouteBook(strongest, frozenset(name for name, each in found.items() if len(strongest[name]) < len(each)))


def _strongest(routes: list[Route]) -> tuple[Route, ...]:
    """Let a user's plain node replace all our routes and assumptions of that name; two such nodes are a clash."""
    theirs = [route for route in routes if route.is_plain]
    if len({route.module for route in theirs}) > 1:
        modules = " and ".join(route.module for route in theirs)
        raise GraphError(f"{theirs[0].result} stands in two modules, {modules}: give one of them another name")
    return tuple(theirs or routes)


def closure(names: Iterable[str], beneath: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """Give the names and everything that lies beneath them."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(beneath(name))
    return frozenset(reached)


def names_of(outputs: str | Iterable[str]) -> tuple[str, ...]:
    """Give the names of outputs asked for: one, or several."""
    names = (outputs,) if isinstance(outputs, str) else tuple(outputs) if isinstance(outputs, Iterable) else (outputs,)
    for name in names:
        if not isinstance(name, str):
            raise UnknownNameError("metric", repr(name), hint="expected a name, or several")
    return names
