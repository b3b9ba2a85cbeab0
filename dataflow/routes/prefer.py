"""The routes that a user chose: how they are named, and what is said where one cannot serve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.base.spelling import nearest
from runlineage.dataflow.routes.plans import Plan, named
from runlineage.dataflow.routes.routes import Route

EXPECTED = "expected a mapping of quantities to routes, such as {'achieved_rate': 'reference_run'}"


def read_prefer(prefer: Any, routes: Mapping[str, tuple[Route, ...]], where: str = "prefer") -> dict[str, str]:
    """Read a mapping of quantities to the routes that a user chose; all faults are raised at once.

    >>> from runlineage.dataflow import metrics
    >>> from runlineage.dataflow.routes.book import read_routes
    >>> read_prefer({"achieved_rate": "reference_runs"}, read_routes(metrics).routes)
    Traceback (most recent call last):
    runlineage.catalogs.base.errors.InputError: prefer: achieved_rate has no route 'reference_runs'; did you mean \
reference_run?
    """
    if prefer is None:
        return {}
    if not isinstance(prefer, Mapping):
        refuse(where, f"is {echo(prefer)}", EXPECTED)
    faults = [fault for name, route in prefer.items() if (fault := _fault(name, route, routes, where))]
    if faults:
        raise InputError(tuple(faults))
    return dict(prefer)


def _fault(name: Any, wanted: Any, routes: Mapping[str, tuple[Route, ...]], where: str) -> Fault | None:
    """Say what is wrong with one choice; nothing where it names a quantity and a route of it."""
    if not (isinstance(name, str) and isinstance(wanted, str)):
        return Fault(where, f"holds {echo(name)}: {echo(wanted)}", EXPECTED)
    several = {each: ways for each, ways in routes.items() if any(route.name for route in ways)}
    if name not in several:
        near = nearest(name, several, 1)
        return Fault(where, f"{echo(name)} has no routes to choose from", _nearest_of(near, several))
    known = [route.short for route in several[name]]
    if wanted in known:
        return None
    return Fault(where, f"{name} has no route {echo(wanted)}", _nearest_of(nearest(wanted, known, 1), known))


def _nearest_of(near: Iterable[str], known: Iterable[str]) -> str:
    return next((f"did you mean {each}?" for each in near), f"there are {', '.join(known)}")


def refuse_unmet(plan: Plan, prefer: Mapping[str, str], where: str = "route") -> None:
    """Refuse a plan in which a chosen route is not open, with what it lacks, or in which its quantity is given."""
    faults = []
    for name, wanted in prefer.items():
        given = name in plan.choices and plan.choices[name].route is None and name in plan.order
        lack = next((str(lack) for lack in plan.closed.get(name, ()) if lack.route.short == wanted), "")
        if given:
            faults.append(Fault(where, f"{name} is given, so that {wanted} does not serve", f"withdraw {named(name)}"))
        elif name not in plan.choices and lack:
            faults.append(Fault(where, f"{name} by {wanted} is not open: {lack}", "leave the choice out, or give that"))
    if faults:
        raise InputError(tuple(faults))


def unneeded(plan: Plan, prefer: Mapping[str, str]) -> list[str]:
    """Name the choices of quantities that nothing asked for rests on."""
    return [f'route "{name}={route}" was not needed' for name, route in prefer.items() if name not in plan.order]
