"""The one file that touches Hamilton's driver: build a graph for a config, keep it, run it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from hamilton import driver
from hamilton.lifecycle.base import BaseDoCheckEdgeTypesMatch, BaseDoValidateInput

from runlineage.catalogs.base.errors import GraphError, echo
from runlineage.dataflow.adapters.plain_quantities import PlainQuantities
from runlineage.dataflow.adapters.quiet import quietly
from runlineage.dataflow.routes.config import Config
from runlineage.dataflow.routes.routes import node_functions

HamiltonDriver = driver.Driver


def build(modules: tuple[ModuleType, ...], config: Mapping[str, Any], adapters: Iterable[Any] = ()) -> driver.Driver:
    """Build a plain Hamilton driver; what does not fit together is our error."""
    taken = _with_plain_quantities(modules, tuple(adapters))
    try:
        with quietly():
            return driver.Builder().with_modules(*modules).with_config(dict(config)).with_adapters(*taken).build()
    except ValueError as problem:
        names = ", ".join(module.__name__ for module in modules)
        raise GraphError(f"the nodes of {names} do not fit together: {_plain(problem)}") from None


@lru_cache(maxsize=256)
def _kept(modules: tuple[ModuleType, ...], functions: Hashable, config: Config) -> driver.Driver:
    return build(modules, config)


def run(
    modules: tuple[ModuleType, ...],
    config: Mapping[str, Any],
    outputs: Iterable[str],
    inputs: Mapping[str, Any],
    overrides: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Compute outputs from inputs in coherent units, only what they need; the graph of a config is built once."""
    built = _kept(modules, tuple(map(node_functions, modules)), Config(config))
    try:
        with quietly():
            computed: dict[str, Any] = built.execute(
                list(outputs), inputs=dict(inputs), overrides=dict(overrides or {})
            )
    except ValueError as problem:
        if re.match(r"\d+ errors? encountered", str(problem)):  # Hamilton's check of a user's own inputs
            raise GraphError(f"the inputs do not fit the nodes: {_plain(problem)}") from None
        raise
    return computed


def _with_plain_quantities(modules: tuple[ModuleType, ...], adapters: tuple[Any, ...]) -> tuple[Any, ...]:
    """Allow `pint.Quantity` in a user's nodes, unless an adapter of theirs judges types: Hamilton takes only one."""
    ours = all(module.__name__.startswith("runlineage.") for module in modules)
    judges = any(isinstance(each, (BaseDoCheckEdgeTypesMatch, BaseDoValidateInput)) for each in adapters)
    return adapters if ours or judges else (*adapters, PlainQuantities())


def check_type(name: str, value: Any, declared: Any) -> None:
    """Refuse a value that overrides a user's node and is not of the type that the node declares."""
    if not PlainQuantities().validate_input(declared, value):
        raise GraphError(f"{name} is {echo(value)}, which is not the {declared} that its node returns")


def _plain(problem: ValueError) -> str:
    """Return what Hamilton says in plain names, without its invitations."""
    plain = re.sub(r":?<class '(?:\w+\.)*(\w+)'>", r" (\1)", str(problem))
    plain = re.sub(r"\d+ errors? encountered:|\bError: ", "", plain)
    sentences = re.split(r"(?<=[.!])\s+", " ".join(plain.split()))
    invitations = ("reach out", "slack", "graph adapter")
    return " ".join(each for each in sentences if not any(word in each.lower() for word in invitations))
