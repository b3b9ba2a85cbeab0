"""A Hamilton adapter for nodes that say `pint.Quantity` where ours say a kind.

Hamilton takes `pint.Quantity` for a generic type, refuses every quantity passed to it, and sees no edge between it
and a kind. The adapter allows both, and looks at the values of kinds while the graph runs, since the annotation no
longer tells their dimension.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Mapping
from typing import Any

import pint
from hamilton import htypes
from hamilton.lifecycle import EdgeConnectionHook, NodeExecutionHook

from runlineage.catalogs.base.errors import GraphError, echo
from runlineage.catalogs.quantities.kinds import Kind, is_plain
from runlineage.catalogs.quantities.units import OurQuantity


class PlainQuantities(EdgeConnectionHook, NodeExecutionHook):  # type: ignore[misc]
    """Let nodes annotated with plain `pint.Quantity` into a graph beside ours; kinds stay checked, at run time.

    `Driver` takes it by itself where a module is not ours; a builder of your own, also an async one, takes it by
    `.with_adapters(PlainQuantities())`. A value that is not of the kind that a node declares raises `GraphError`.

    >>> from runlineage.catalogs.quantities.kinds import KINDS
    >>> PlainQuantities().check_edge_types_match(KINDS["Energy"], pint.Quantity)
    True
    """

    def check_edge_types_match(self, type_from: Any, type_to: Any, **_: Any) -> bool:
        """Allow an edge between a plain quantity and a quantity of any annotation, either way."""
        return (is_plain(type_from) and _is_quantity(type_to)) or (_is_quantity(type_from) and is_plain(type_to))

    def validate_input(self, node_type: Any, input_value: Any, **_: Any) -> bool:
        """Allow a quantity for a plain annotation; all else as Hamilton does."""
        if isinstance(input_value, pint.Quantity) and is_plain(node_type):
            return True
        return bool(htypes.check_input_type(node_type, input_value))

    def run_before_node_execution(
        self,
        *,
        node_name: str,
        node_tags: Mapping[str, Any],
        node_kwargs: dict[str, Any],
        node_input_types: Mapping[str, Any],
        **_: Any,
    ) -> None:
        """Refuse what reaches a node and is not of the kind that the node asks for."""
        asking = _named(node_name, node_tags)
        for name, value in node_kwargs.items():
            declared = node_input_types.get(name)
            if isinstance(declared, Kind) and inspect.isawaitable(value):  # of an async builder
                node_kwargs[name] = _once_there(value, asking, name, declared)
            elif isinstance(declared, Kind):
                _check(value, asking, name, declared)

    def run_after_node_execution(
        self,
        *,
        node_name: str,
        node_tags: Mapping[str, Any],
        node_return_type: Any,
        result: Any,
        success: bool,
        **_: Any,
    ) -> None:
        """Refuse what a node returns and is not of the kind that it declares."""
        if not success or not isinstance(node_return_type, Kind) or inspect.isawaitable(result):
            return
        if not isinstance(result, node_return_type):
            raise GraphError(
                f"{_named(node_name, node_tags)} returned {_shown(result)}, which is not {node_return_type.noun}"
            )


def _check(value: Any, asking: str, name: str, declared: Kind) -> None:
    if not isinstance(value, declared):
        raise GraphError(f"{asking} needs {name} as {declared.noun}, and got {_shown(value)}")


async def _once_there(value: Awaitable[Any], asking: str, name: str, declared: Kind) -> Any:
    """Check a value as it arrives: an async builder passes what is still being computed."""
    found = await value
    _check(found, asking, name, declared)
    return found


def _is_quantity(annotation: Any) -> bool:
    return isinstance(annotation, Kind) or is_plain(annotation)


def _named(node: str, tags: Mapping[str, Any]) -> str:
    return f"{node} of {tags['module']}" if "module" in tags else node


def _shown(value: Any) -> str:
    other = isinstance(value, pint.Quantity) and not isinstance(value, OurQuantity)
    return echo(value) + (" of another registry (as_quantity brings it into ours)" if other else "")
