"""The one file that touches Hamilton's driver: build a graph for a config, keep it, run it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from hamilton import driver

from runlineage.catalogs.errors import GraphError
from runlineage.dataflow.quiet import quietly
from runlineage.dataflow.routes import node_functions


def build(modules: tuple[ModuleType, ...], config: Mapping[str, Any], adapters: Iterable[Any] = ()) -> driver.Driver:
    """Build a plain Hamilton driver; what does not fit together is our error."""
    try:
        with quietly():
            return driver.Builder().with_modules(*modules).with_config(dict(config)).with_adapters(*adapters).build()
    except ValueError as problem:
        names = ", ".join(module.__name__ for module in modules)
        raise GraphError(f"the nodes of {names} do not fit together: {problem}") from None


@lru_cache(maxsize=256)
def _kept(modules: tuple[ModuleType, ...], functions: Hashable, config: tuple[tuple[str, Any], ...]) -> driver.Driver:
    return build(modules, dict(config))


def run(
    modules: tuple[ModuleType, ...], config: Mapping[str, Any], outputs: Iterable[str], inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Compute outputs from inputs in coherent units, only what they need; the graph of a config is built once."""
    built = _kept(modules, tuple(map(node_functions, modules)), tuple(sorted(config.items())))
    with quietly():
        computed: dict[str, Any] = built.execute(list(outputs), inputs=dict(inputs))
    return computed
