"""Routes, read from the node modules' own signatures: names are edges, and the order of functions is the preference."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import ModuleType
from typing import Any, get_origin

from hamilton.htypes import Collect, Parallelizable

from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.adapters.marks import split
from runlineage.dataflow.adapters.quiet import quietly
from runlineage.dataflow.routes.bindings import Binding, binding_of
from runlineage.dataflow.routes.conditions import Unmet, conditions, refuse_mistyped
from runlineage.dataflow.routes.config import Config

ONLY = "only route"  # what a route is called whose quantity has no other
LOADER = "hamilton.data_loader"  # a node that reads a file: nothing of it is run before it is asked
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
    stated: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    binding: Binding | None = field(default=None, repr=False, compare=False)

    @property
    def label(self) -> str:
        """The quantity and, where it has several routes, this one's name."""
        return self.result if self.name is None else f"{self.result} by {self.name}"

    @property
    def short(self) -> str:
        """The route's name, or the module of a node that is its quantity's only way."""
        return self.name or self.module

    @property
    def is_refused(self) -> str:
        """Why our driver does not run this node, which Hamilton's own would; empty where it does."""
        if self.binding and inspect.iscoroutinefunction(self.binding.function):
            return "is async: give routes() and graph_inputs() to Hamilton's async_driver"
        if get_origin(self.gives) is Parallelizable or any(get_origin(kind) is Collect for _, kind in self.takes):
            return "runs in parallel: give routes() and graph_inputs() to a Hamilton builder with dynamic execution"
        return ""

    @property
    def is_plain(self) -> bool:
        """Whether this is a user's node without a route name, which no config of ours keeps out of the graph."""
        return self.name is None and not self.module.startswith("runlineage.")

    @property
    def is_literal(self) -> bool:
        """Whether this is no function at all: a value written into the graph, as `@subdag` takes them."""
        return self.binding is None and not self.takes

    @property
    def guesses(self) -> tuple[str, ...]:
        """The assumptions made: its own, and that of the function that a decorator put beneath it."""
        inner = getattr(self.binding.function, "assumption", None) if self.binding else None
        return tuple(dict.fromkeys(name for name in (self.assumption, inner) if name))

    @property
    def is_stating(self) -> bool:
        """Whether its result is somebody's own figure, taken as it is or read off one."""
        return self.basis == "stated" or bool(self.stated)

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
    return tuple(each for each in _read_all(module, config) if isinstance(each, Route))


def unmet_of(module: ModuleType, config: Mapping[str, Any] | None = None) -> tuple[Unmet, ...]:
    """List the functions of a module that the config leaves out."""
    return tuple(each for each in _read_all(module, config) if isinstance(each, Unmet))


def _read_all(module: ModuleType, config: Mapping[str, Any] | None) -> tuple[Route | Unmet, ...]:
    return _nodes_of(module, node_functions(module), Config(config or {}))


@lru_cache(maxsize=256)
def _nodes_of(module: ModuleType, functions: Functions, config: Config) -> tuple[Route | Unmet, ...]:
    return tuple(route for key, function in functions for route in _read(module, key, function, dict(config)))


def _read(
    module: ModuleType, key: str, function: Callable[..., Any], config: dict[str, Any]
) -> Iterable[Route | Unmet]:
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
    if not nodes and (asks := conditions(function)):
        yield Unmet(result, tuple(map(str, asks)), tuple(inspect.signature(function).parameters))
    assumption = getattr(function, "assumption", None)
    for node in nodes:
        takes = tuple((need, declared) for need, (declared, _) in node.input_types.items())
        needs = tuple(need for need, (_, kind) in node.input_types.items() if kind.name == "REQUIRED")
        optional = tuple(need for need in node.input_types if need not in needs)
        # Within @subdag the function first written says what the node does.
        origins = (*(node.originating_functions or ()), function)
        binding = None if LOADER in node.tags else binding_of(node.callable, node.input_types, origins)
        made = Route(
            node.name,
            name or None,
            needs,
            optional,
            assumption,
            "",
            module.__name__,
            node.type,
            takes,
            origins[0],
            getattr(origins[0], "stated", ()),
            getattr(origins[0], "given", ()),
            binding,
        )
        literal = "stated" if made.is_literal else "derived"
        basis = getattr(binding.function if binding else None, "basis", literal)
        yield replace(made, basis="assumed" if made.guesses else basis)


def _annotations_to_add(function: Callable[..., Any]) -> str:
    """Write the annotations that a node lacks, as far as its parameters are facts or metrics of ours."""
    names = {**inspect.signature(function).parameters, split(function.__name__)[0]: None}
    known = [name for name in names if name in FIELDS and name not in function.__annotations__]
    missing = [f"{name}: kinds.{FIELDS[name].kind.__name__}" for name in known if name != function.__name__]
    missing += [f"-> kinds.{FIELDS[name].kind.__name__}" for name in known if name == function.__name__]
    return f" (write {', '.join(missing)})" if missing else ""
