"""A plan: how each quantity beneath some outputs is obtained, and what every other route needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from runlineage.catalogs.base.views import shown_as
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.routes.routes import Route

SUPPLIED = "supplied"  # the config value that matches no function, so that the quantity becomes a typed input


def named(name: str) -> str:
    """Write a fact's name in a message; recorded work is told apart from the metric in words, not by spelling.

    >>> print(named("training_ops"), "|", named("duration"))
    recorded work (training_ops) | duration
    """
    return f"{FIELDS[name].gloss} ({name})" if name == "training_ops" else name


@dataclass(frozen=True)
class Lack:
    """A route that is not open: what it needs and does not have, or that its assumption is off."""

    route: Route
    missing: tuple[str, ...]
    not_assumed: bool = False

    def __str__(self) -> str:
        needs = f"needs {', '.join(map(named, self.missing))}"
        if self.not_assumed:
            return f'not assumed ("{self.route.assumption}")' + (f", and {needs}" if self.missing else "")
        return needs


@dataclass(frozen=True)
class Choice:
    """How a quantity is obtained: by a route, or as supplied (`route` None), with every assumption beneath it."""

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

    `choices` has each quantity that is reached, `closed` each route that is not open with what it needs, `missing` the
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
        """Return the route of a quantity: None where it has only one way."""
        choice = self.choices.get(name)
        if choice is None:
            return None
        return SUPPLIED if choice.route is None else choice.route.name

    def assumes(self, name: str) -> tuple[str, ...]:
        """List every assumption beneath a quantity."""
        choice = self.choices.get(name)
        return tuple(sorted(choice.assumes)) if choice else ()

    def alternatives(self, name: str) -> tuple[str, ...]:
        """List the routes that were open and not taken."""
        choice = self.choices.get(name)
        return tuple(route.short for route in choice.alternatives) if choice else ()

    def lacks(self, name: str) -> dict[str, str]:
        """Return what each route of a quantity needs that is not open."""
        return {lack.route.short: str(lack) for lack in self.closed.get(name, ())}

    def __str__(self) -> str:
        lines = [self._line(name) for name in self.outputs]
        lines += [f"  {name} by {route}: {why}" for name in self.outputs for route, why in self.lacks(name).items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Show itself in a notebook: routes taken, possible and closed, with what each closed one needs."""
        return str(shown_as("html", self))

    def _line(self, name: str) -> str:
        if name in self.missing:
            return f"{name}: no route"
        others = f" (possible: {', '.join(self.alternatives(name))})" if self.alternatives(name) else ""
        return f"{name}: {self.route(name) or 'its only route'}{others}"


def closure(names: Iterable[str], beneath: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """Return the names and everything that lies beneath them."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(beneath(name))
    return frozenset(reached)
