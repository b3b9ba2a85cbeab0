"""The resolver: what is supplied, asked and assumed becomes a plan, with a choice of route for each quantity.

The route that wins is the one that needs the fewest assumptions, then the first in the source. That choice belongs to
a quantity and does not depend on what else is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.base.frozen import Frozen
from runlineage.dataflow.routes.plans import SUPPLIED, Choice, Lack, Plan
from runlineage.dataflow.routes.routes import Route

Way = tuple[Choice | None, frozenset[str], frozenset[str]]
GIVEN = Choice(None)
NOTHING: frozenset[str] = frozenset()
DEEP = 150  # of this many quantities a chain may be too long to be followed by recursion


class Resolution:
    """One resolving among the routes to each quantity: `tried` fills with what was decided of each.

    `replaced` are quantities of ours that a user's node has taken over, and `prefer` the routes that the user chose: no
    other is taken in the place of one. Routes may hold circles (a rate gives work, and
    work gives a rate): a route is not open on a path that already asks for its result, so that nothing computed comes
    back as its own evidence. What was decided on such a path is not kept, since elsewhere more may be open.
    """

    def __init__(
        self,
        routes: Mapping[str, tuple[Route, ...]],
        replaced: frozenset[str],
        supplied: frozenset[str],
        assume: frozenset[str],
        prefer: Mapping[str, str] = Frozen({}),
    ) -> None:
        self.routes = routes
        self.replaced = replaced
        self.supplied = supplied
        self.assume = assume
        self.prefer = prefer
        self.tried: dict[str, Choice | None] = {}
        self.rests: dict[str, frozenset[str]] = {}  # all that lies beneath what was decided
        self.closed: dict[str, tuple[Lack, ...]] = {}

    def plan(self, outputs: tuple[str, ...]) -> Plan:
        """Decide for each output, and for all beneath it."""
        if len(self.routes) > DEEP:
            self._from_below(outputs)
        missing = tuple(name for name in outputs if self._choice(name) is None)
        self._refuse_circle(missing)
        reached = [name for name in outputs if name not in missing]
        order = self._order(reached)
        choices = {name: choice for name, choice in self.tried.items() if choice is not None}
        used = frozenset[str]().union(*(choices[name].assumes for name in reached))
        # Where something is missing, an assumption may have served and not been enough.
        unneeded = () if missing else tuple(name for name in assumptions(self.routes) if name in self.assume - used)
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
                self._choice(name)  # what is not decided beneath it is on a circle with it
            else:
                waiting += further
            seen.add(name)

    def _choice(self, name: str) -> Choice | None:
        """Return how a quantity is had, whatever it is asked for."""
        return self.tried[name] if name in self.tried else self._choose(name, ())[0]

    def _choose(self, name: str, path: tuple[str, ...]) -> Way:
        """Choose how a quantity is had on the way down a path: the choice, what it rests on, what stood in the way."""
        if name in self.tried and not self.rests[name].intersection(path):
            return self.tried[name], self.rests[name], NOTHING
        if name in path:
            return None, NOTHING, frozenset({name})
        if name in self.supplied:
            self.tried[name], self.rests[name] = GIVEN, NOTHING
            return GIVEN, NOTHING, NOTHING
        choice, rests, cut, closed = self._best_route(name, (*path, name))
        if not cut and name not in self.tried:
            self.tried[name], self.rests[name] = choice, rests
            if closed:
                self.closed[name] = closed
        return choice, rests, cut

    def _best_route(self, name: str, path: tuple[str, ...]) -> tuple[*Way, tuple[Lack, ...]]:
        open_routes: list[tuple[Route, frozenset[str], frozenset[str]]] = []
        closed: list[Lack] = []
        cut = NOTHING
        for route in self.routes.get(name, ()):
            assumes = frozenset(route.guesses)
            rests, lacking = frozenset(route.needs), []
            for need in route.needs:
                choice, beneath, above = self._choose(need, path)
                cut |= above
                unstated = choice is not None and need in route.stated and not choice.is_stated
                computed = choice is not None and need in route.given and choice.route is not None
                if choice is None or unstated or computed:
                    lacking.append(need)
                else:
                    assumes, rests = assumes | choice.assumes, rests | beneath
            off = route.assumption is not None and route.assumption not in self.assume
            if not (lacking or off):
                open_routes.append((route, assumes, rests))
            elif not {*lacking} & {*route.stated}:  # a published figure that is not there is nothing to be missed
                closed.append(Lack(route, tuple(lacking), off))
        wanted = self.prefer.get(name)
        chosen = [each for each in open_routes if wanted in (None, each[0].short)]
        if not chosen:
            return None, NOTHING, cut - {name}, tuple(closed)
        best, assumes, rests = min(chosen, key=lambda each: len(each[1]))  # the first of equals: source order
        others = tuple(route for route, _, _ in open_routes if route is not best)
        return Choice(best, assumes, others), rests, cut - {name}, tuple(closed)

    def _refuse_circle(self, missing: Iterable[str]) -> None:
        """Refuse nodes that only ever need each other, so that no fact could open them."""
        closed = {} if not missing else without_end(self.routes)
        for name in missing:
            if name in closed and name not in self.supplied:
                path: list[Route] = []
                while name not in [route.result for route in path]:
                    path.append(closed[name][0])
                    name = closed[name][1]
                circle = path[[route.result for route in path].index(name) :]
                needs = " needs ".join(f"{route.label} of {route.module}" for route in circle)
                raise GraphError(f"the nodes form a circle: {needs} needs {name}")

    def _order(self, reached: Iterable[str]) -> tuple[str, ...]:
        """List the quantities of the graph, each after those that it needs."""
        done: dict[str, None] = {}
        above: dict[str, None] = {}  # those whose needs are being listed
        waiting = list(reversed(list(reached)))
        while waiting:
            name = waiting[-1]
            further = [each for each in self._beneath(name, above) if each not in done]
            if name in done or not further:
                waiting.pop()
                above.pop(name, None)
                done[name] = None
                continue
            above[name] = None
            circle = [each for each in further if each in above]
            if circle:
                raise GraphError(
                    f"{name} and {circle[0]} are each computed from the other, and each prefers that route: "
                    "put one of the two routes last"
                )
            waiting += reversed(further)
        return tuple(done)

    def _beneath(self, name: str, above: Collection[str]) -> Iterable[str]:
        """Name what a choice needs, and those of its optional parameters that can be had."""
        choice = self._choice(name)
        route = choice.route if choice else None
        optional = route.optional if route else ()
        had = (each for each in optional if self._choice(each) is not None and each not in above)
        return (*(route.needs if route else ()), *had)

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


def without_end(routes: Mapping[str, tuple[Route, ...]]) -> dict[str, tuple[Route, str]]:
    """Map each quantity that no fact beneath could open to one of its routes, and to a need of it that is alike."""
    closed = {
        name for name, each in routes.items() if not all(route.assumption for route in each)
    }  # the rest are facts
    while opened := {name for name in closed if any(closed.isdisjoint(route.needs) for route in routes[name])}:
        closed -= opened
    return {
        name: next((route, need) for route in routes[name] for need in route.needs if need in closed) for name in closed
    }


def assumptions(routes: Mapping[str, tuple[Route, ...]]) -> tuple[str, ...]:
    """List the assumptions that some route makes, in the order of the source."""
    return tuple(dict.fromkeys(route.assumption for each in routes.values() for route in each if route.assumption))
