"""Refuse edges whose two ends disagree about a kind, with modules and names, before Hamilton builds anything."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.kinds import Kind, is_plain
from runlineage.dataflow.routes.routes import Route


def refuse_misfits(routes: Mapping[str, tuple[Route, ...]]) -> None:
    """Raise one `GraphError` for all nodes that ask for or return another kind than the quantity is of."""
    every = [route for each in routes.values() for route in each]
    misfits = [line for route in every for line in _of(route, routes, every)]
    if misfits:
        raise GraphError("; ".join(dict.fromkeys(misfits)))


def _of(route: Route, routes: Mapping[str, tuple[Route, ...]], every: Iterable[Route]) -> Iterable[str]:
    field = FIELDS.get(route.result)
    if field and not fits(field.kind, route.gives):
        yield f"{_named(route)} gives {_written(route.gives)}, and {route.result} is {_written(field.kind)}"
    for name, asked in route.takes:
        makers = [each for each in routes.get(name, ()) if name not in FIELDS or fits(FIELDS[name].kind, each.gives)]
        known = [(f"{_named(each)} gives", each.gives) for each in makers]
        if name in FIELDS:
            known = [(known[0][0] if known else "it is", FIELDS[name].kind)]
        elif not known:
            types = [(_named(other), dict(other.takes).get(name, Any)) for other in every]
            known = [(f"{other} asks for", declared) for other, declared in types]
        for other, declared in known:
            if not fits(asked, declared):
                yield f"{_named(route)} asks for {name} as {_written(asked)}, and {other} {_written(declared)}"


def fits(one: Any, other: Any) -> bool:
    """Tell whether two annotations can be those of one quantity, as far as kinds go; the rest is for Hamilton.

    >>> from runlineage.catalogs.quantities.kinds import KINDS
    >>> fits(KINDS["Energy"], KINDS["Energy"] | None), fits(KINDS["Energy"], float)
    (True, False)
    """
    if not any(isinstance(each, Kind) for end in (one, other) for each in (end, *get_args(end))):
        return True
    ends = [get_args(end) or (end,) for end in (one, other)]
    return any(_same(*pair) for pair in ((left, right) for left in ends[0] for right in ends[1]))


def _same(one: Any, other: Any) -> bool:
    if one is other or {one, other} & {Any, object} or not (inspect.isclass(one) and inspect.isclass(other)):
        return True
    return (is_plain(one) and isinstance(other, Kind)) or (isinstance(one, Kind) and is_plain(other))


def _named(route: Route) -> str:
    return f"{route.label} of {route.module}"


def _written(annotation: Any) -> str:
    if isinstance(annotation, Kind):
        return f"{annotation.noun} (kinds.{annotation.__name__})"
    return getattr(annotation, "__name__", None) or str(annotation)
