"""Routes: read from the node modules' own signatures, and resolved to what is supplied, asked and assumed.

Names are edges and the order of the functions is the preference, so nothing is declared twice. The route that wins
is the one that needs the fewest assumptions, then the first in the source. That choice belongs to a quantity and
does not depend on what else is asked.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import ModuleType
from typing import Any

from runlineage.catalogs.errors import GraphError, UnknownNameError
from runlineage.catalogs.fields import FACTS, FIELDS
from runlineage.catalogs.names import nearest
from runlineage.dataflow.quiet import quietly

SUPPLIED = "supplied"  # the config value that matches no function, so that the quantity becomes a typed input


@dataclass(frozen=True)
class Route:
    """One way to a quantity: the function, what it needs, and the assumption it makes, if any."""

    result: str
    name: str | None
    needs: tuple[str, ...]
    assumption: str | None
    basis: str
    module: str
    function: Callable[..., Any] = field(compare=False, repr=False)
    optional: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The quantity and, where it has several routes, this one's name."""
        return self.result if self.name is None else f"{self.result} by {self.name}"


@dataclass(frozen=True)
class Lack:
    """A route that is not open: what it needs and does not have, or that its assumption is off."""

    route: Route
    missing: tuple[str, ...]
    not_assumed: bool = False

    def __str__(self) -> str:
        if self.not_assumed:
            return f'not assumed ("{self.route.assumption}")' + (
                f", and lacks {', '.join(self.missing)}" if self.missing else ""
            )
        return f"lacks {', '.join(self.missing)}"


@dataclass(frozen=True)
class Choice:
    """How a quantity is had: by a route, or as supplied (`route` None), with every assumption beneath it."""

    route: Route | None
    assumes: frozenset[str] = frozenset()
    alternatives: tuple[Route, ...] = ()
    closed: tuple[Lack, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What the resolver decided: a choice for each quantity that is reached, and what cannot be reached."""

    outputs: tuple[str, ...]
    choices: Mapping[str, Choice]
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
        return tuple(route.name or route.result for route in choice.alternatives) if choice else ()


class RouteBook:
    """All routes of some modules, by the quantity they lead to."""

    def __init__(self, routes: Mapping[str, tuple[Route, ...]], replaced: frozenset[str] = frozenset()) -> None:
        self.routes = routes
        self.replaced = replaced
        self.assumptions = tuple(
            dict.fromkeys(route.assumption for each in routes.values() for route in each if route.assumption)
        )
        needed = dict.fromkeys(name for each in routes.values() for route in each for name in route.needs)
        self.inputs = tuple(
            name for name in needed if name not in routes or all(route.assumption for route in routes[name])
        )
        optional = {name for each in routes.values() for route in each for name in route.optional}
        self.known = frozenset(routes) | frozenset(needed) | frozenset(optional) | frozenset(FACTS)
        # A user's plain node stands in every graph: where its quantity is supplied, the value must override it.
        self.plain = frozenset(name for name, each in routes.items() if any(_is_plain(route) for route in each))
        self._plans: dict[Any, Plan] = {}

    def plan(self, supplied: Collection[str], outputs: Iterable[str], assume: Iterable[str] = ()) -> Plan:
        """Resolve the outputs; the plans of a pattern of facts are kept."""
        key = (frozenset(supplied), tuple(outputs), frozenset(assume))
        if key not in self._plans:
            if len(self._plans) > 4096:
                self._plans.clear()
            self._plans[key] = self._resolve(*key)
        return self._plans[key]

    def refuse_plain(self, supplied: Collection[str]) -> None:
        """Refuse, for a plain Hamilton driver, a supplied quantity that a user's node would compute all the same."""
        for name in sorted(self.plain & set(supplied)):
            module = next(route.module for route in self.routes[name] if _is_plain(route))
            raise GraphError(
                f"{name} is supplied, and {module} computes it in every graph: pass it as overrides= instead"
            )

    def upstream(self, names: Iterable[str]) -> frozenset[str]:
        """Name everything that some route to these quantities could use, and the quantities themselves."""
        reached: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(need for route in self.routes.get(name, ()) for need in route.needs)
        return frozenset(reached)

    def check_assumptions(self, assume: Iterable[str]) -> frozenset[str]:
        """Refuse an assumption that no route makes."""
        names = (assume,) if isinstance(assume, str) else tuple(assume or ())
        for name in names:
            if name not in self.assumptions:
                near = nearest(str(name), self.assumptions, 1)
                raise UnknownNameError("assumption", str(name), near, f"there are {', '.join(self.assumptions)}")
        return frozenset(names)

    def _resolve(self, supplied: frozenset[str], outputs: tuple[str, ...], assume: frozenset[str]) -> Plan:
        self.check_assumptions(assume)
        for name in outputs:
            if name not in self.known and name not in supplied:
                known = [*FIELDS, *(each for each in self.routes if each not in FIELDS)]
                raise UnknownNameError(
                    "metric", name, nearest(name, known), f"the metrics are {', '.join(self.routes)}"
                )
        tried: dict[str, Choice | None] = {}
        missing = tuple(name for name in outputs if self._choose(name, supplied, assume, tried, ()) is None)
        choices = {name: choice for name, choice in tried.items() if choice is not None}
        used = frozenset[str]().union(*(choices[name].assumes for name in outputs if name not in missing))
        wanted = self._beneath([name for name in outputs if name not in missing], choices)
        return Plan(
            outputs,
            choices,
            missing,
            self._config(wanted, choices),
            tuple(name for name in self.assumptions if name in assume - used),
            tuple(name for name in choices if name in wanted),
        )

    def _choose(
        self,
        name: str,
        supplied: frozenset[str],
        assume: frozenset[str],
        tried: dict[str, Choice | None],
        path: tuple[str, ...],
    ) -> Choice | None:
        """Choose the way to a quantity after the ways to what it needs; `tried` fills in that order."""
        if name in tried:
            return tried[name]
        if name in path:
            raise GraphError(f"the nodes go in a circle: {' needs '.join([*path[path.index(name) :], name])}")
        found = Choice(None) if name in supplied else self._best_route(name, supplied, assume, tried, (*path, name))
        tried[name] = found
        return found

    def _best_route(
        self,
        name: str,
        supplied: frozenset[str],
        assume: frozenset[str],
        tried: dict[str, Choice | None],
        path: tuple[str, ...],
    ) -> Choice | None:
        open_routes: list[tuple[Route, frozenset[str]]] = []
        closed: list[Lack] = []
        for route in self.routes.get(name, ()):
            beneath = {need: self._choose(need, supplied, assume, tried, path) for need in route.needs}
            lacking = tuple(need for need, choice in beneath.items() if choice is None)
            off = route.assumption is not None and route.assumption not in assume
            if lacking or off:
                closed.append(Lack(route, lacking, off))
                continue
            own = frozenset({route.assumption} if route.assumption else ())
            open_routes.append((route, own.union(*(choice.assumes for choice in beneath.values() if choice))))
        if not open_routes:
            return None
        best, assumes = min(open_routes, key=lambda each: len(each[1]))  # min keeps the first of equals: source order
        return Choice(best, assumes, tuple(route for route, _ in open_routes if route is not best), tuple(closed))

    def _beneath(self, names: Iterable[str], choices: Mapping[str, Choice]) -> set[str]:
        reached: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                route = choices[name].route
                waiting.extend(route.needs if route else ())
        return reached

    def _config(self, wanted: Iterable[str], choices: Mapping[str, Choice]) -> dict[str, str]:
        """Say the choices in Hamilton's config: the route's name, or a word that matches none of our functions."""
        config = {}
        for name in sorted(wanted):
            routes = self.routes.get(name)
            if not routes:
                continue
            taken = choices[name].route
            if taken is None:
                config[f"{name}_route"] = SUPPLIED
            elif taken.name is not None:
                config[f"{name}_route"] = taken.name
            elif name in self.replaced:
                config[f"{name}_route"] = taken.module  # matches no route of ours, so the user's node stands alone
        return config


def read_routes(*modules: ModuleType, config: Mapping[str, Any] | None = None) -> RouteBook:
    """Read every route of some node modules, in the order of their functions."""
    for module in modules:
        if not isinstance(module, ModuleType):
            raise GraphError(f"{module!r} is no module; pass modules of node functions, as in Driver(metrics, mine)")
    book = _read_routes(modules, tuple(map(node_functions, modules)), frozen(config or {}))
    for key in config or {}:
        if key in book.known or key.endswith("_route"):
            raise GraphError(
                f"config {key!r} would silently take a node's place; supply it as an input, or assume a route"
            )
    return book


def frozen(config: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Make a key of a config: its values must be hashable."""
    items = tuple(sorted(config.items()))
    try:
        hash(items)
    except TypeError:
        raise GraphError(
            f"config {dict(config)!r} holds a value that cannot be compared; give text or numbers"
        ) from None
    return items


def names_of(outputs: str | Iterable[str]) -> tuple[str, ...]:
    """Give the names of outputs asked for: one, or several."""
    names = (outputs,) if isinstance(outputs, str) else tuple(outputs) if isinstance(outputs, Iterable) else (outputs,)
    for name in names:
        if not isinstance(name, str):
            raise UnknownNameError("metric", repr(name), hint="expected a name, or several")
    return names


def node_functions(module: ModuleType) -> tuple[tuple[str, Callable[..., Any]], ...]:
    """List a module's own node functions in their order; the module's keys name them, since @config rewrites __name__.

    What is read from a module is kept by this list, so that a reloaded module is read anew.
    """
    return tuple(
        (key, value)
        for key, value in vars(module).items()
        if not key.startswith("_") and inspect.isfunction(value) and value.__module__ == module.__name__
    )


@lru_cache(maxsize=64)
def _read_routes(
    modules: tuple[ModuleType, ...],
    functions: tuple[tuple[tuple[str, Callable[..., Any]], ...], ...],
    config: tuple[tuple[str, Any], ...],
) -> RouteBook:
    found: dict[str, list[Route]] = {}
    for module, own in zip(modules, functions, strict=True):
        for route in _routes_of(module, own, dict(config)):
            found.setdefault(route.result, []).append(route)
    routes = {name: _strongest(each) for name, each in found.items()}
    return RouteBook(routes, frozenset(name for name, each in found.items() if len(routes[name]) < len(each)))


def _is_plain(route: Route) -> bool:
    """Whether a route is a user's node without a route name, which no config of ours keeps out of the graph."""
    return route.name is None and not route.module.startswith("runlineage.")


def _strongest(routes: list[Route]) -> tuple[Route, ...]:
    """Let a user's plain node replace all our routes and assumptions of that name; two such nodes are a clash."""
    theirs = [route for route in routes if _is_plain(route)]
    if len({route.module for route in theirs}) > 1:
        modules = " and ".join(route.module for route in theirs)
        raise GraphError(f"{theirs[0].result} stands in two modules, {modules}: give one of them another name")
    return tuple(theirs or routes)


def _routes_of(
    module: ModuleType, functions: Iterable[tuple[str, Callable[..., Any]]], config: dict[str, Any]
) -> Iterable[Route]:
    from hamilton.function_modifiers.base import resolve_nodes

    for key, function in functions:
        result, _, name = key.partition("__")
        try:
            with quietly():
                nodes = resolve_nodes(function, config | ({f"{result}_route": name} if name else {}))
        except (
            Exception
        ) as problem:  # whatever a decorator or an annotation raises, it is the user's node that it names
            raise GraphError(f"{module.__name__}.{key} is no node function: {problem}") from problem
        for node in nodes:
            needs = tuple(need for need, (_, kind) in node.input_types.items() if kind.name == "REQUIRED")
            optional = tuple(need for need in node.input_types if need not in needs)
            assumption = getattr(function, "assumption", None)
            basis = "assumed" if assumption else getattr(function, "basis", "derived")
            yield Route(node.name, name or None, needs, assumption, basis, module.__name__, function, optional)
