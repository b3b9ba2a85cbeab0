"""Routes, read from the node modules' own signatures: names are edges, and the order of functions is the preference."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import ModuleType
from typing import Any

from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.adapters.marks import split
from runlineage.dataflow.adapters.quiet import quietly
from runlineage.dataflow.routes.conditions import refuse_mistyped

ONLY = "only route"  # what a route is called whose quantity has no other
Functions = tuple[tuple[str, Callable[..., Any]], ...]


@dataclass(frozen=True)
class Route:
    """One way to a quantity: the function, what it needs, and the assumption it makes, if any.

    `gives` and `takes` are the types that the function declares; `optional` are parameters with a default.
    """

    result: str
    name: str | None
    needs: tuple[str, ...]
    optional: tuple[str, ...]
    assumption: str | None
    basis: str
    module: str
    gives: Any
    takes: tuple[tuple[str, Any], ...] = field(repr=False)
    function: Callable[..., Any] = field(repr=False)

    @property
    def label(self) -> str:
        """The quantity and, where it has several routes, this one's name."""
        return self.result if self.name is None else f"{self.result} by {self.name}"

    @property
    def short(self) -> str:
        """The route's name, or the module of a node that is its quantity's only way."""
        return self.name or self.module

    @property
    def is_plain(self) -> bool:
        """Whether this is a user's node without a route name, which no config of ours keeps out of the graph."""
        return self.name is None and not self.module.startswith("runlineage.")

    @property
    def is_literal(self) -> bool:
        """Whether this is no function at all: a value written into the graph, as `@subdag` takes them."""
        return self.basis == "stated" and not self.takes

    def __reduce__(self) -> tuple[Any, ...]:
        # By the place of the function: @config rewrites its name, so that pickle would not find it.
        return _find, (self.module, self.result, self.name)


def _find(module: str, result: str, name: str | None) -> Route:
    routes = routes_of(importlib.import_module(module))
    return next(route for route in routes if (route.result, route.name) == (result, name))


def node_functions(module: ModuleType) -> Functions:
    """List a module's own node functions in their order; the module's keys name them, since @config rewrites __name__.

    What is read from a module is kept by this list, so that a reloaded module is read anew.
    """
    return tuple(
        (key, value)
        for key, value in vars(module).items()
        if not key.startswith("_") and inspect.isfunction(value) and value.__module__ == module.__name__
    )


def routes_of(module: ModuleType, config: Mapping[str, Any] | None = None) -> tuple[Route, ...]:
    """Read every route of one module, in the order of its functions.

    >>> from runlineage.dataflow import metrics
    >>> print(*(route.label for route in routes_of(metrics)[:2]), sep=", ")
    training_operations by recorded, training_operations by parameter_token
    """
    if not isinstance(module, ModuleType):
        raise GraphError(f"{module!r} is not a module; pass modules of node functions, as in Driver(metrics, mine)")
    return _routes_of(module, node_functions(module), frozen(config or {}))


@lru_cache(maxsize=256)
def _routes_of(module: ModuleType, functions: Functions, config: tuple[tuple[str, Any], ...]) -> tuple[Route, ...]:
    return tuple(route for key, function in functions for route in _read(module, key, function, dict(config)))


def _read(module: ModuleType, key: str, function: Callable[..., Any], config: dict[str, Any]) -> Iterable[Route]:
    """Expand a function into nodes, as Hamilton does, under the config that would choose it."""
    from hamilton.function_modifiers.base import resolve_nodes

    result, name = split(key)
    try:
        with quietly():
            nodes = resolve_nodes(function, config | ({f"{result}_route": name} if name else {}))
    except Exception as problem:  # whatever a decorator or an annotation raises, it is the user's node that it names
        raise GraphError(
            f"{module.__name__}.{key} is not a node function: {problem}{_annotations_to_add(function)}"
        ) from problem
    refuse_mistyped(function, key, [node.name for node in nodes])
    assumption = getattr(function, "assumption", None)
    for node in nodes:
        takes = tuple((need, declared) for need, (declared, _) in node.input_types.items())
        needs = tuple(need for need, (_, kind) in node.input_types.items() if kind.name == "REQUIRED")
        optional = tuple(need for need in node.input_types if need not in needs)
        # Within @subdag the function first written says what the node does; a literal there has no module.
        origin = (*(node.originating_functions or ()), function)[0]
        literal = "stated" if not takes and "module" not in node.tags else "derived"
        basis = "assumed" if assumption else getattr(origin, "basis", literal)
        yield Route(
            node.name, name or None, needs, optional, assumption, basis, module.__name__, node.type, takes, origin
        )


def _annotations_to_add(function: Callable[..., Any]) -> str:
    """Write the annotations that a node lacks, as far as its parameters are facts or metrics of ours."""
    names = {**inspect.signature(function).parameters, split(function.__name__)[0]: None}
    known = [name for name in names if name in FIELDS and name not in function.__annotations__]
    missing = [f"{name}: kinds.{FIELDS[name].kind.__name__}" for name in known if name != function.__name__]
    missing += [f"-> kinds.{FIELDS[name].kind.__name__}" for name in known if name == function.__name__]
    return f" (write {', '.join(missing)})" if missing else ""


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
