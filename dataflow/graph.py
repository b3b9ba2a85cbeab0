"""The one file that touches Hamilton's driver: build a graph for a config, keep it, run it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import ModuleType
from typing import Any

from hamilton import driver

from runlineage.catalogs.errors import GraphError

_running = ContextVar("_running", default=False)


class _NoBanner(logging.Filter):
    """Drop Hamilton's help banner during our own calls; a user's own driver keeps it."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _running.get()


_filter = _NoBanner()
logging.getLogger("hamilton.driver").addFilter(_filter)
logging.getLogger("hamilton.execution.graph_functions").addFilter(_filter)


@contextmanager
def _quietly() -> Iterator[None]:
    token = _running.set(True)
    try:
        yield
    finally:
        _running.reset(token)


def build(modules: tuple[ModuleType, ...], config: Mapping[str, Any], adapters: Iterable[Any] = ()) -> driver.Driver:
    """Build a plain Hamilton driver; what does not fit together is our error."""
    try:
        with _quietly():
            return driver.Builder().with_modules(*modules).with_config(dict(config)).with_adapters(*adapters).build()
    except ValueError as problem:
        names = ", ".join(module.__name__ for module in modules)
        raise GraphError(f"the nodes of {names} do not fit together: {problem}") from None


@cache
def _kept(modules: tuple[ModuleType, ...], config: tuple[tuple[str, Any], ...]) -> driver.Driver:
    return build(modules, dict(config))


def kept(modules: tuple[ModuleType, ...], config: Mapping[str, Any]) -> driver.Driver:
    """Give the driver of a config, built once."""
    return _kept(modules, tuple(sorted(config.items())))


def run(
    modules: tuple[ModuleType, ...], config: Mapping[str, Any], outputs: Iterable[str], inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Compute outputs from inputs in coherent units, only what they need."""
    built = kept(modules, config)
    with _quietly():
        computed: dict[str, Any] = built.execute(list(outputs), inputs=dict(inputs))
    return computed
