"""How exactly the numbers of a column are known: half a unit of the last digit of each."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache, reduce
from types import ModuleType
from typing import Any

import narwhals as nw
import numpy as np

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.rounding import ROUNDEST
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.checks.marks import marks_of
from runlineage.dataflow.graph import hamilton_graph
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.tables.metric_columns import PREFIX, MetricColumn, Path, coalesced
from runlineage.dataflow.tables.request import WIDTH, TableRequest

TOTAL = "all_parameters"  # of a sparse model, as comparisons take them
DIGITS = PREFIX + "digits of "
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


class CheckWidths:
    """What the digits of facts leave open of each comparison, as columns of half widths in the logarithm.

    `scales` are those of the columns of facts by field, `worded` the facts that a word stands for, without digits.
    """

    def __init__(
        self,
        request: TableRequest,
        columns: Iterable[MetricColumn],
        scales: Mapping[str, float],
        worded: Collection[str],
    ) -> None:
        marks = marks_of(request.book)
        self.request, self.scales, self.worded = request, scales, worded
        self.compared = [column for column in columns if column.name in marks]
        self.facts = sorted({fact for column in self.compared for path in column.paths for fact in path.facts})

    def mantissas(self) -> list[nw.Expr]:
        """Read the digits of each number that counts, in the unit that it was written in."""
        found = []
        for name in self.facts:
            if name in self.worded:
                continue
            field = FIELDS["parameters" if name == TOTAL else name]
            scale = self.scales.get(field.name) or float(coherent(quantity(1.0, field.units), field.kind).magnitude)
            found.append(mantissa_of(nw.col(PREFIX + name) / scale).alias(DIGITS + name))
        return found

    def half_widths(self) -> list[nw.Expr]:
        """Return what these digits leave open, in their place."""
        digits = {name: nw.col(DIGITS + name) for name in self.facts}
        widths = {name: nw.lit(0.0) if name in self.worded else half_width_of(each) for name, each in digits.items()}
        return [width.alias(DIGITS + name) for name, width in widths.items()]

    def of_comparisons(self) -> list[nw.Expr]:
        """Carry the digits of facts through to each comparison, by the path that a row takes."""
        return [self._of(column).alias(column.name + WIDTH) for column in self.compared]

    def _of(self, column: MetricColumn) -> Any:
        """Add up the widths of the facts of each path; null where one is missing: the first open path serves."""
        sums = []
        for path in column.paths:
            count = facts_that_count(self.request.modules, self.request.book, column.name, path)
            widths = (nw.col(DIGITS + name) * float(name in count) for name in sorted(path.facts))
            sums.append(reduce(operator.add, widths))
        return coalesced(sums)
