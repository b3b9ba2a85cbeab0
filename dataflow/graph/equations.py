"""The equation of a node, read from its docstring, and the numbers in it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.units import is_ours
from runlineage.dataflow.adapters.marks import split
from runlineage.dataflow.routes.bindings import Parent
from runlineage.dataflow.routes.routes import Route

NAME = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\b(?!\()")  # before a bracket it is a function, not a quantity


def described(route: Route) -> tuple[str, str, str]:
    """Read formula, exclusions and first sentence from the docstring of the function that computes a node.

    A node that no function of a user's computes, such as a field of `@extract_fields`, has no equation of its own.

    >>> from runlineage.dataflow import metrics
    >>> from runlineage.dataflow.routes.routes import routes_of
    >>> (energy,) = [route for route in routes_of(metrics) if route.result == "energy"]
    >>> print(*described(energy)[:2], sep=" | ")
    accelerator_hours × device_power | facility overhead, varying power
    """
    if route.binding is None:
        return f"from {', '.join(route.needs)}" if route.needs else "", "", ""
    return _read(route.binding.function, route.result, tuple(route.binding.arguments))


@lru_cache(maxsize=512)
def _read(function: Callable[..., Any], result: str, parameters: tuple[str, ...]) -> tuple[str, str, str]:
    doc, called = inspect.getdoc(function) or "", split(function.__name__)[0]
    either = "|".join(map(re.escape, (result.rpartition(".")[2], called)))
    formula = re.search(rf"^\s*(?:{either}) = (.+)$", doc, re.MULTILINE)
    excludes = re.search(r"^\s*Excludes: (.+?)\.?$", doc, re.MULTILINE)
    equation = formula[1] if formula else f"{called}({', '.join(parameters)})"
    return equation, excludes[1] if excludes else "", doc.partition("\n\n")[0].replace("\n", " ")


def written(route: Route, reached: Collection[str]) -> dict[str, tuple[Any, str]]:
    """List the values of a node that no other node gives, by parameter, each with where it is written.

    They are written in a decorator, or are the defaults of parameters whose quantity is not reached.
    """
    if route.binding is None:
        return {}
    where = f"written in {route.function.__name__}"
    values = {name: (value, where) for name, value in route.binding.literals().items()}
    known = inspect.signature(route.binding.function).parameters
    for name, value in route.binding.arguments.items():
        default = known[name].default if name in known else None
        none = default is None or default is inspect.Parameter.empty
        if isinstance(value, Parent) and value.name not in reached and not none:
            values[name] = default, f"default of {split(route.binding.function.__name__)[0]}"
    return values


def with_numbers(formula: str, route: Route, parents: Mapping[str, Any], literals: Mapping[str, Any]) -> str:
    """Write an equation with its numbers, in the units in which they were given.

    `parents` are values by the node's name in the graph, `literals` those that are written, by parameter.
    """
    arguments = route.binding.arguments if route.binding else {}
    local = {name: parents[each.name] for name, each in arguments.items() if getattr(each, "name", "") in parents}
    known = {**parents, **local, **literals}

    def shown(match: re.Match[str]) -> str:
        value = known.get(match[0])
        if is_ours(value):
            return people(value)
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number(value) if plain else match[0]

    return NAME.sub(shown, formula)
