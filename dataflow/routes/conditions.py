"""The config that a user's own `@config` decorators ask for, and routes whose decorator and name disagree."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from hamilton.function_modifiers import config
from hamilton.function_modifiers.configuration import ConfigResolver

from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.adapters.marks import split

ROUTE = "_route"


@dataclass(frozen=True)
class Condition:
    """One key that a decorator looks at, and the values that it asks for, or refuses."""

    key: str
    values: tuple[Any, ...]
    refused: bool = False

    def __str__(self) -> str:
        written = " or ".join(repr(value) for value in self.values)
        return f"{self.key} other than {written}" if self.refused else f"{self.key}={written}"


@dataclass(frozen=True)
class Unmet:
    """A function that the config leaves out of the graph: its quantity, what it asks of the config, its parameters."""

    result: str
    asks: tuple[str, ...]
    parameters: tuple[str, ...]

    def __str__(self) -> str:
        return f"config {', '.join(self.asks)}"


def conditions(function: Callable[..., Any]) -> tuple[Condition, ...]:
    """List what `@config.when` and its siblings on a function ask for; what cannot be told is left out.

    >>> @config.when(region="eu")
    ... def price__eu() -> float: ...
    >>> print(*conditions(price__eu))
    region='eu'
    """
    decorators = getattr(function, config.get_lifecycle_name(), ())
    resolvers = (getattr(each, "does_resolve", None) for each in decorators)
    return tuple(each for found in resolvers if isinstance(found, ConfigResolver) for each in _of(found))


def _of(resolver: ConfigResolver) -> Iterable[Condition]:
    """Read the keys and values of a decorator, which Hamilton keeps within a function alone."""
    way = resolver.resolves.__qualname__
    for kept in inspect.getclosurevars(resolver.resolves).nonlocals.values():
        for key, value in kept.items():
            yield Condition(key, tuple(value) if "_in." in way else (value,), "when_not" in way)


def refuse_mistyped(function: Callable[..., Any], name: str, nodes: Collection[str]) -> None:
    """Refuse a function whose name and decorators do not make one route: it would vanish from every graph."""
    quantity, suffix = split(name)
    wrong = "" if nodes else _disagreement(function, quantity, suffix)
    if suffix and quantity in FIELDS and name in nodes:
        wrong = f"it is named like a route to {quantity} and has no decorator; write @route above it"
    elif (assumption := getattr(function, "assumption", "")) and not suffix:
        wrong = f"it is an assumption and its name has no suffix; call it {name}__{assumption}"
    if wrong:
        raise GraphError(f"{name} of {function.__module__} serves no route: {wrong}")


def _disagreement(function: Callable[..., Any], quantity: str, suffix: str) -> str:
    for each in conditions(function):
        mistyped = each.key != f"{quantity}{ROUTE}" or suffix not in each.values
        if each.key.endswith(ROUTE) and not each.refused and mistyped:
            named = f"its suffix is {suffix!r}" if suffix else "its name has no suffix"
            return f"its decorator says {each}, and {named}; write @route, which takes the name from the suffix"
    return ""
