"""Whether the nodes of a graph take columns of draws: a user's node that does not is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.dataflow.routes.plans import Plan, closure

if TYPE_CHECKING:
    from numpy.typing import NDArray

Values = Callable[[Iterable[str], "NDArray[np.float64]"], Mapping[str, Any]]
PROBES = (0, 1)  # draws that are also computed one by one
SAME = 1e-9


def misfits(values: Values, plan: Plan, wanted: Iterable[str], logs: NDArray[np.float64]) -> dict[str, str]:
    """Return why some of the wanted quantities have no spread: each with a sentence that names the node.

    Draws of our own nodes are right by their tests; those of a user's are compared with single runs of the graph.
    """
    users = [name for name in plan.order if _is_users(plan, name)]
    if not users:
        return {}
    if not _problem(values, users, logs):  # all at once; one by one only where something is wrong
        return {}
    bad: dict[str, str] = {}
    for name in users:
        if bad.keys() & _beneath(plan, name):
            continue
        if problem := _problem(values, [name], logs):
            module = plan.choices[name].route.module  # type: ignore[union-attr] # a user's node has a route
            bad[name] = f"{name} of {module} takes no columns of draws ({problem}), so that "
    found = {}
    for name in wanted:
        for node in bad.keys() & _beneath(plan, name):
            found[name] = f"{bad[node]}{name} has no interval"
    return found


def _is_users(plan: Plan, name: str) -> bool:
    route = plan.choices[name].route
    return route is not None and not route.module.startswith("runlineage.")


def _beneath(plan: Plan, name: str) -> frozenset[str]:
    return closure([name], lambda each: plan.choices[each].needs if each in plan.choices else ())


def _problem(values: Values, names: list[str], logs: NDArray[np.float64]) -> str:
    """Describe what is wrong with the columns of some nodes; empty where they are as their single values are."""
    try:
        columns = values(names, logs)
        singles = [values(names, logs[place : place + 1]) for place in PROBES]
    except Exception as problem:  # whatever a user's node raises
        return f"{type(problem).__name__}: {' '.join(str(problem).split())[:80]}"
    found = (_misfit(columns[name], [single[name] for single in singles], len(logs)) for name in names)
    return next(filter(None, found), "")


def _misfit(column: Any, singles: list[Any], length: int) -> str:
    sizes: Any = getattr(column, "magnitude", column)
    if np.shape(sizes) not in ((), (length,)):
        return f"it returns a column of shape {np.shape(sizes)}"
    try:
        for place, single in zip(PROBES, singles, strict=True):
            alone = np.ravel(getattr(single, "magnitude", single))[0]
            there = sizes if not np.shape(sizes) else sizes[place]
            if not np.isclose(there, alone, rtol=SAME, atol=0):
                return "its values differ from those of single runs"
    except TypeError:
        return "" if not np.shape(sizes) else "it returns no numbers"
    return ""
