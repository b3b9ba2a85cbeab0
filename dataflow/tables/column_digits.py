"""How exactly the numbers of a column are known: half a unit of the last digit of each."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import narwhals as nw
import numpy as np

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.rounding import ROUNDEST
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.graph import hamilton_graph
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.tables.metric_columns import Path

DIGITS_SEEN = 6
WHOLE = 1e-9  # of a number, within which it is whole


def mantissa_of(number: Any) -> Any:
    """Return the digits of numbers as written, from 1 to below 10: a column of its own, since much is read of it."""
    return number / 10.0 ** number.log(10).floor()


def half_width_of(mantissa: Any) -> Any:
    """Return what `half_width` does for an expression over mantissas; null stays null.

    Digits beyond the sixth leave nothing open that would be seen.
    """
    last = mantissa * 10.0**DIGITS_SEEN
    for digits in range(DIGITS_SEEN, 0, -1):
        whole = mantissa * 10.0 ** (digits - 1)
        last = nw.when((whole - whole.round(0)).abs() <= WHOLE * 10.0**digits).then(whole).otherwise(last)
    return ((0.5 / last).clip(upper_bound=ROUNDEST) + 1).log()


def facts_that_count(modules: tuple[ModuleType, ...], book: RouteBook, name: str, path: Path) -> frozenset[str]:
    """Return the facts of a path that a comparison depends on: one on both sides cancels, and its digits with it."""
    return _that_count(modules, book, name, tuple(path.config.items()), path.facts)


@lru_cache(maxsize=2048)
def _that_count(
    modules: tuple[ModuleType, ...],
    book: RouteBook,
    name: str,
    config: tuple[tuple[str, str], ...],
    facts: frozenset[str],
) -> frozenset[str]:
    names = sorted(facts)
    inputs = {}
    for place, fact in enumerate(names):
        steps = np.ones(len(names) + 1)
        steps[place + 1] = 2.0
        kind = FIELDS[fact].kind if fact in FIELDS else book.own_kinds[fact]
        inputs[fact] = quantity(steps, kind.unit)
    found = np.broadcast_to(hamilton_graph.run(modules, dict(config), [name], inputs)[name].m_as(""), len(names) + 1)
    return frozenset(fact for fact, moved in zip(names, found[1:], strict=True) if abs(moved / found[0] - 1) > WHOLE)
