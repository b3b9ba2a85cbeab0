"""The interval of every row's answers, in the engine: by closed form in logarithms where the way is a product.

A path is a product of powers of its facts, of which some cells are ranges. The logarithm of the answer is then a sum,
whose quantiles follow from its first three cumulants (Cornish and Fisher): exactly for ranges that are symmetric in the
logarithm, as `A to B` is, and within 1 % else. Rows with ranges that are more skewed, and paths that are no products,
are drawn in batches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.ranges import NORMAL_END
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.graph import hamilton_graph
from runlineage.dataflow.graph.results import published
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.spreads.budget import Products
from runlineage.dataflow.spreads.draws import normals
from runlineage.dataflow.spreads.quantiles import ends
from runlineage.dataflow.tables.metric_columns import PREFIX, MetricColumn, Path
from runlineage.dataflow.tables.request import interval_headers, output_header

BELOW, ABOVE = PREFIX + "below ", PREFIX + "above "  # the halves of a fact's range, as working columns
PATH = PREFIX + "path "
MOST_SKEWED = 0.13  # of the halves' difference to their sum: that of ± 25 %
BATCH = 64  # rows that are drawn at once
PROBES = 24
ENDS = ("low", "median", "high")
NO_ENDS = {end: pl.lit(None, pl.Float64) for end in ENDS}


def with_intervals(table: pl.LazyFrame, columns: Iterable[MetricColumn], ranged: frozenset[str]) -> pl.LazyFrame:
    """Add the ends of every metric's interval to a table of facts and metrics, whose own column becomes the median.

    `ranged` are the facts whose halves are working columns of the table.
    """
    for column in columns:
        header, values = output_header(column.name), []
        if len(column.paths) > 1:
            values = [f"{PATH}{place} {column.name}" for place in range(len(column.paths))]
            named = (each.alias(name) for each, name in zip(column.expressions, values, strict=True))
            table = nw.from_native(table).with_columns(*named).to_native()
        ends = _of_metric(column, [pl.col(name) for name in values or [header]], ranged)
        low, high = interval_headers(column.name)
        median = pl.coalesce(ends["median"], pl.col(header))
        table = table.with_columns(ends["low"].alias(low), ends["high"].alias(high), median.alias(header))
    return table


def _of_metric(column: MetricColumn, values: list[pl.Expr], ranged: frozenset[str]) -> dict[str, pl.Expr]:
    """Return the ends of a metric, by the path that each row takes; null where none of its facts is a range."""
    found = NO_ENDS
    for path, value in reversed([*zip(column.paths, values, strict=False)]):
        ends = _of_path(column.name, path, value, sorted(path.facts & ranged))
        found = {end: pl.when(value.is_not_null()).then(ends[end]).otherwise(found[end]) for end in ENDS}
    return found


def _of_path(name: str, path: Path, value: pl.Expr, ranged: list[str]) -> dict[str, pl.Expr]:
    if not ranged:
        return NO_ENDS
    is_range = pl.any_horizontal((pl.col(BELOW + each) + pl.col(ABOVE + each)) > 0 for each in ranged)
    exponents = _exponents(name, path)
    if exponents is None:
        return _drawn(name, path, ranged, is_range)
    own = [each for each in ranged if exponents[each]]
    if not own:
        return NO_ENDS
    first, second, third = _cumulants([(each, exponents[each]) for each in own])
    width = second.sqrt()
    lean = third / width**3 / 6
    skewed = pl.any_horizontal(map(_is_skewed, own))
    drawn = _drawn(name, path, ranged, skewed)
    closed = {
        end: value * (first + width * (at + lean * (at * at - 1))).exp()
        for end, at in zip(ENDS, (-NORMAL_END, 0.0, NORMAL_END), strict=True)
    }
    return {end: pl.when(skewed).then(drawn[end]).when(second > 0).then(closed[end]) for end in ENDS}


def _is_skewed(name: str) -> pl.Expr:
    below, above = pl.col(BELOW + name), pl.col(ABOVE + name)
    return (above - below).abs() > (above + below) * MOST_SKEWED


def _cumulants(own: list[tuple[str, float]]) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """Add up mean, variance and third central moment of the logarithms: normal ones, each half of its own width."""
    once = math.sqrt(2 / math.pi)
    parts = []
    for name, power in own:
        below, above = pl.col(BELOW + name), pl.col(ABOVE + name)
        mean = (above - below) * (once / 2)
        square = (below * below + above * above) * 0.5
        cube = (above**3 - below**3) * once
        third = cube - mean * square * 3 + mean**3 * 2
        parts.append((mean * power, (square - mean * mean) * power**2, third * power**3))
    first, second, third = (reduce(lambda one, other: one + other, each) for each in zip(*parts, strict=True))
    return first, second, third


def _exponents(name: str, path: Path) -> dict[str, float] | None:
    """Return the exponents of a path's facts; None where the path is no product of powers."""
    facts = sorted(path.facts)
    logs = np.random.default_rng(0).uniform(-0.5, 0.5, (max(PROBES, 3 * len(facts)), len(facts)))
    sizes = _computed(name, path, {fact: np.exp(logs[:, place]) for place, fact in enumerate(facts)})
    found = Products(logs).exponents(np.broadcast_to(sizes, len(logs)))
    return None if found is None else dict(zip(facts, map(float, found), strict=True))


def _computed(name: str, path: Path, sizes: Mapping[str, Any]) -> Any:
    """Compute a metric on a path from numbers in coherent units, in its published unit."""
    given = {fact: quantity(each, FIELDS[fact].kind.unit) for fact, each in sizes.items()}
    if name not in path.routes:
        return published(name, given[name]).magnitude
    value = hamilton_graph.run(MODULES, path.config, [name], given)[name]
    return published(name, value).magnitude


def _drawn(name: str, path: Path, ranged: list[str], where: pl.Expr) -> dict[str, pl.Expr]:
    """Return the ends by draws, for the rows in which a condition holds, some rows at a time."""
    columns = [
        *(PREFIX + fact for fact in sorted(path.facts)),
        *(end + fact for fact in ranged for end in (BELOW, ABOVE)),
    ]
    together = pl.struct(*map(pl.col, columns), where.alias("where"))
    dtype = pl.Struct(dict.fromkeys(ENDS, pl.Float64))
    found = together.map_batches(_drawing(name, path, ranged), dtype, is_elementwise=True)
    return {end: found.struct.field(end) for end in ENDS}


def _drawing(name: str, path: Path, ranged: list[str]) -> Callable[[pl.Series], pl.Series]:
    facts = sorted(path.facts)

    def draw(rows: pl.Series) -> pl.Series:
        table = rows.struct.unnest()
        there = table.select(
            pl.col("where").fill_null(value=False) & pl.all_horizontal(pl.exclude("where").is_not_null())
        )
        wanted = np.flatnonzero(there.to_series().to_numpy())
        found = np.full((3, table.height), np.nan)
        for start in range(0, len(wanted), BATCH):
            places = wanted[start : start + BATCH]
            some = table[places]
            sizes = {fact: some[PREFIX + fact].to_numpy()[:, None] for fact in facts}
            for place, fact in enumerate(ranged):
                below, above = (some[end + fact].to_numpy()[:, None] for end in (BELOW, ABOVE))
                z = normals(len(ranged))[None, :, place]
                sizes[fact] = sizes[fact] * np.exp(z * np.where(z < 0, below, above))
            found[:, places] = ends(_computed(name, path, sizes), normals(len(ranged)))
        made = pl.DataFrame(dict(zip(ENDS, found, strict=True))).fill_nan(None)
        return made.to_struct()

    return draw
