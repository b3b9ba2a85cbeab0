"""How exactly the numbers of a column are known: half a unit of the last digit of each."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import cache, lru_cache, partial, reduce
from types import ModuleType
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.rounding import ROUNDEST
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.checks.marks import marks_of
from runlineage.dataflow.checks.total import TOTAL
from runlineage.dataflow.graph import hamilton_graph
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.metric_columns import PREFIX, MetricColumn, Path, coalesced
from runlineage.dataflow.tables.request import ROUNDING, TableRequest

DIGITS = PREFIX + "digits of "
DIGITS_SEEN = 6  # those beyond leave nothing open that would be seen
WHOLE = 1e-3  # of a unit of the last digit seen, within which a number ends there
PIECE = 1 << 14  # numbers
SAME = 1e-9  # of a ratio, within which it did not move
MOST_TENS = 300  # as a power of ten, far beyond any fact


def rounding_of(numbers: np.ndarray) -> np.ndarray:
    """Return the factor by which each number above zero may be off, by half a unit of its last digit; never above 5 %.

    It does for columns what `half_width` does for one number, of which it is the exponential.

    >>> print(rounding_of(np.array([4.3e23, 400.0, 1_022_362.0, 24.6])).round(4))
    [1.0116 1.05   1.     1.002 ]
    """
    first = (np.log10(numbers) + MOST_TENS).astype(np.intp)  # the place of the first digit, from a place before any
    digits = numbers * _shifts().take(first, mode="clip")
    whole = np.rint(digits)
    found: np.ndarray = 1.0 + 0.05 / digits  # half a unit of the digit after those
    ends = np.flatnonzero(np.abs(digits - whole) <= WHOLE)
    last = digits[ends] / _zeros().take(whole[ends].astype(np.intp), mode="clip")
    found[ends] = 1.0 + np.minimum(0.5 / last, ROUNDEST)
    return found


@cache
def _shifts() -> np.ndarray:
    """Return by the place of its first digit what brings a number to so many digits before its point."""
    return 10.0 ** np.arange(MOST_TENS + DIGITS_SEEN - 1, -MOST_TENS, -1.0)


@cache
def _zeros() -> np.ndarray:
    """Return for each number of so many digits the power of ten that its zeros at the end make."""
    found = np.ones(10**DIGITS_SEEN + 1)
    for zeros in range(1, DIGITS_SEEN + 1):
        found[:: 10**zeros] = 10.0**zeros
    return found


class ColumnDigits:
    """What the digits of a table's facts leave open, and of the comparisons that rest on them.

    `numbers` are the columns of facts, `counted` the facts that words stand for, which have no digits.
    """

    def __init__(
        self,
        request: TableRequest,
        columns: Iterable[MetricColumn],
        numbers: Iterable[FactColumn],
        counted: Iterable[str],
    ) -> None:
        self.request = request
        marks = marks_of(request.book)
        self.compared = [column for column in columns if column.name in marks]
        self.scales = {header.field: header.scale for header in numbers}
        beneath = {fact for column in self.compared for path in column.paths for fact in path.facts}
        self.facts = sorted(beneath - set(counted))
        self.counted = frozenset(counted)

    def of_fact(self, name: str) -> pl.Expr:
        """Return the factor of a fact, by its digits in the unit that it was written in; null stays null."""
        read = partial(_roundings, self.scale(name))
        return pl.col(PREFIX + name).map_batches(read, pl.Float64, is_elementwise=True)

    def scale(self, name: str) -> float:
        """Return what one of the unit that a fact was written in is in coherent units."""
        field = FIELDS["parameters" if name == TOTAL else name]
        return self.scales.get(field.name) or float(coherent(quantity(1.0, field.units), field.kind).magnitude)

    def of_comparisons(self) -> list[nw.Expr]:
        """Carry the factors of facts through to each comparison, by the path that a row takes."""
        return [self._of_comparison(column).alias(column.name + ROUNDING) for column in self.compared]

    def _of_comparison(self, column: MetricColumn) -> Any:
        """Multiply the factors of the facts of each path; null where one is missing: the first open path serves."""
        return coalesced([self._of_path(column.name, path) for path in column.paths])

    def _of_path(self, name: str, path: Path) -> Any:
        count = facts_that_count(self.request.modules, self.request.book, name, path)
        factors = [nw.col(DIGITS + each) for each in sorted(path.facts & count - self.counted)]
        there = [nw.col(PREFIX + each) for each in sorted(path.facts - count | path.facts & self.counted)]
        product = reduce(operator.mul, factors) if factors else nw.lit(1.0)
        if not there:
            return product
        return nw.when(reduce(operator.and_, (~each.is_null() for each in there))).then(product)


def _roundings(scale: float, numbers: pl.Series) -> pl.Series:
    """Return the factors of a column, in pieces that stay in the cache from one step to the next."""
    written, found = numbers.fill_null(scale).to_numpy(), np.empty(len(numbers))
    for start in range(0, len(numbers), PIECE):
        piece = slice(start, start + PIECE)
        found[piece] = rounding_of(written[piece] / scale)
    factors = pl.Series(numbers.name, found)
    return pl.select(pl.when(numbers.is_not_null()).then(factors)).to_series() if numbers.null_count() else factors


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
    return frozenset(fact for fact, moved in zip(names, found[1:], strict=True) if abs(moved / found[0] - 1) > SAME)
