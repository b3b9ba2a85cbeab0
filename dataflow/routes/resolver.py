"""The resolver: what is supplied, asked and assumed becomes a plan, with a choice of route for each quantity.

The route that wins is the one that needs the fewest assumptions, then the first in the source. That choice belongs to
a quantity and does not depend on what else is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.base.frozen import Frozen
from runlineage.dataflow.routes.plans import SUPPLIED, Choice, Lack, Plan, closure
from runlineage.dataflow.routes.routes import Route

DEEP = 150  # of this many quantities a chain may be too long to be followed by recursion


class Resolution:
    """One resolving among the routes to each quantity: `tried` fills with each quantity after those that it needs.

    `replaced` are quantities of ours that a user's node has taken over.
    """

    def __init__(
        self,
        routes: Mapping[str, tuple[Route, ...]],
        replaced: frozenset[str],
        supplied: frozenset[str],
        assume: frozenset[str],
    ) -> None:
        self.routes = routes
        self.replaced = replaced
        self.supplied = supplied
        self.assume = assume
        self.tried: dict[str, Choice | None] = {}
        self.closed: dict[str, tuple[Lack, ...]] = {}
        self.cuts: set[str] = set()

    def plan(self, outputs: tuple[str, ...]) -> Plan:
        """Decide for each output, and for all beneath it."""
        if len(self.routes) > DEEP:
            self._from_below(outputs)
        missing = tuple(name for name in outputs if self._choose(name, ()) is None)
        reached = [name for name in outputs if name not in missing]
        choices = {name: choice for name, choice in self.tried.items() if choice is not None}
        wanted = closure(reached, lambda name: self._beneath(choices[name], choices))
        used = frozenset[str]().union(*(choices[name].assumes for name in reached))
        # Where something is missing, an assumption may have served and not been enough.
        unneeded = () if missing else tuple(name for name in assumptions(self.routes) if name in self.assume - used)
        order = tuple(name for name in choices if name in wanted)
        config = self._config(order, choices)
        return Plan(outputs, Frozen(choices), Frozen(self.closed), missing, Frozen(config), unneeded, order)

    def _from_below(self, outputs: Iterable[str]) -> None:
        """Choose what lies beneath first, so that a long chain of nodes does not exhaust Python's stack."""
        waiting, seen = list(outputs), set()
        while waiting:
            name = waiting[-1]
            below = () if name in self.supplied else beneath(self.routes, name)
            further = [each for each in below if each not in seen and each not in self.tried]
            if name in seen or not further:
                waiting.pop()
                if all(each in self.tried for each in below):  # else a circle, which is refused by its names
                    self._choose(name, ())
            else:
                waiting += further
            seen.add(name)

    def _choose(self, name: str, path: tuple[Route, ...]) -> Choice | None:
        """Choose how a quantity is obtained, on the way down a path of routes."""
        if name in self.tried:
            return self.tried[name]
        if name in (route.result for route in path):
            self._close_circle(name, path)
            return None
        choice = Choice(None) if name in self.supplied else self._best_route(name, path)
        self.cuts.discard(name)
        if choice is not None or not self.cuts:  # what was cut off above may be open once the path is another
            self.tried[name] = choice
        return choice

    def _close_circle(self, name: str, path: tuple[Route, ...]) -> None:
        """Refuse a circle of nodes, unless an assumption closes it: that route is not taken."""
        circle = path[[route.result for route in path].index(name) :]
        if all(route.assumption is None for route in circle):
            needs = " needs ".join(f"{route.label} of {route.module}" for route in circle)
            raise GraphError(f"the nodes form a circle: {needs} needs {name}")
        self.cuts.add(name)

    def _best_route(self, name: str, path: tuple[Route, ...]) -> Choice | None:
        open_routes: list[tuple[Route, frozenset[str]]] = []
        closed: list[Lack] = []
        for route in self.routes.get(name, ()):
            below = {need: self._choose(need, (*path, route)) for need in route.needs}
            missing = tuple(need for need, choice in below.items() if choice is None)
            off = route.assumption is not None and route.assumption not in self.assume
            if missing or off:
                closed.append(Lack(route, missing, off))
                continue
            own = frozenset(route.guesses)
            open_routes.append((route, own.union(*(choice.assumes for choice in below.values() if choice))))
        if closed:
            self.closed[name] = tuple(closed)
        if not open_routes:
            return None
        best, assumes = min(open_routes, key=lambda each: len(each[1]))  # min keeps the first of equals: source order
        for each in best.optional:
            self._choose(each, (*path, best))
        return Choice(best, assumes, tuple(route for route, _ in open_routes if route is not best))

    @staticmethod
    def _beneath(choice: Choice, choices: Mapping[str, Choice]) -> Iterable[str]:
        """List what a choice needs, and those of its optional parameters that can be computed."""
        optional = choice.route.optional if choice.route else ()
        return (*choice.needs, *(name for name in optional if name in choices))

    def _config(self, order: Iterable[str], choices: Mapping[str, Choice]) -> dict[str, str]:
        """Write the choices as Hamilton's config: the route's name, or a word that matches none of our functions."""
        config = {f"{name}_route": SUPPLIED for name in self.routes if self._is_in_several_modules(name)}
        for name in order:
            route = choices[name].route
            for each in route.optional if route else ():
                if each not in choices and each in self.routes:
                    config[f"{each}_route"] = SUPPLIED  # out of the graph, so that the default serves
            if route is None and name in self.routes:
                config[f"{name}_route"] = SUPPLIED
            elif route is not None and route.name is not None:
                config[f"{name}_route"] = route.name
            elif route is not None and name in self.replaced:
                config[f"{name}_route"] = route.module  # matches no route of ours, so the user's node stands alone
        return dict(sorted(config.items()))

    def _is_in_several_modules(self, name: str) -> bool:
        """Tell whether two modules would both put their first route in the graph, though nobody asks for it."""
        return name in self.replaced or len({route.module for route in self.routes[name]}) > 1


def beneath(routes: Mapping[str, tuple[Route, ...]], name: str) -> tuple[str, ...]:
    """List what the routes of one quantity need."""
    return tuple(dict.fromkeys(need for route in routes.get(name, ()) for need in route.needs))


def assumptions(routes: Mapping[str, tuple[Route, ...]]) -> tuple[str, ...]:
    """List the assumptions that some route makes, in the order of the source."""
    return tuple(dict.fromkeys(route.assumption for each in routes.values() for route in each if route.assumption))
