"""The closing summary of a table: how many rows got each metric by each route, and why the rest did not."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from math import isfinite

import polars as pl

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number, readable_unit, unit_text
from runlineage.catalogs.quantities.units import convert, quantity
from runlineage.dataflow.routes.routes import ONLY
from runlineage.dataflow.tables.headers import SEPARATOR
from runlineage.dataflow.tables.metric_columns import PREFIX
from runlineage.dataflow.tables.request import output_header
from runlineage.visualizations.columns import aligned

MOST_REASONS = 3
PREVIEW_ROWS = 5
ROW = PREFIX + "row"
PREVIEW_WIDTH = 24


class Tally:
    """Counts rows as they stream by; it changes nothing in them."""

    def __init__(self, outputs: Iterable[str], shown: int = PREVIEW_ROWS) -> None:
        self.outputs = tuple(outputs)
        self.shown = shown  # rows of the preview
        self.rows = 0
        self.routes: dict[str, Counter[str]] = {name: Counter() for name in self.outputs}
        self.problems: Counter[str] = Counter()
        self.first: pl.DataFrame | None = None
        self._first: pl.DataFrame | None = None  # with the numbers of its rows: pieces come in any order
        self._lock = threading.Lock()

    def onto(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Let a table's rows be counted on their way, as part of an expression, so that they still stream."""
        first = table.collect_schema().names()[0]
        shown = [pl.col(name).alias(f"shown {name}") for name in self._columns(first)]
        counted = pl.struct(ROW, "problems", *(f"{name} route" for name in self.outputs), *shown)
        counting = counted.map_batches(self._count, pl.String, is_elementwise=True).alias("problems")
        return table.with_row_index(ROW).with_columns(counting).drop(ROW)

    def _columns(self, first: str) -> list[str]:
        return list(dict.fromkeys([first, *map(output_header, self.outputs)]))

    def _count(self, rows: pl.Series) -> pl.Series:
        batch = rows.struct.unnest()
        with self._lock:
            self._show(batch)
            self.rows += batch.height
            for name in self.outputs:
                for route, count in batch[f"{name} route"].drop_nulls().value_counts().iter_rows():
                    self.routes[name][route] += count
            for message, count in batch["problems"].drop_nulls().value_counts().iter_rows():
                for part in set(message.split(SEPARATOR)):
                    self.problems[part] += count
        return batch["problems"]

    def _show(self, batch: pl.DataFrame) -> None:
        """Keep the first rows of the table, of which a piece may hold but some."""
        kept = self._first
        if not batch.height or (kept is not None and kept.height >= self.shown and batch[ROW][0] > kept[ROW][-1]):
            return
        heads = batch.select(ROW, pl.col("^shown .*$")).head(self.shown)
        self._first = heads if kept is None else pl.concat([kept, heads]).sort(ROW).head(self.shown)
        self.first = self._first.drop(ROW).rename(lambda name: name.removeprefix("shown "))

    def text(self) -> str:
        """Write the summary, a line a metric and route, with the commonest reasons for what is missing.

        >>> from runlineage.dataflow.tables.request import TableRequest
        >>> from runlineage.dataflow.tables.polars_frames import evaluate_lazy
        >>> tally = Tally(["energy"])
        >>> table = pl.LazyFrame({"accelerator_hours": [5.0, None], "device_power": [400.0, 400.0]})
        >>> _ = tally.onto(evaluate_lazy(table, TableRequest.of("energy", ()))).collect()
        >>> print(tally.text())
        2 rows
          energy  1 answered: 1 by power_time
                  1 without: 1 needs accelerator_hours
        """
        width = max(map(len, self.outputs), default=0)
        lines = [f"{self.rows:,} row" + "s" * (self.rows != 1)]
        for name in self.outputs:
            answered = sum(self.routes[name].values())
            ways = ", ".join(f"{count:,} by {_route(route)}" for route, count in _commonest(self.routes[name]))
            lines.append(f"  {name:<{width}}  {answered:,} answered" + (f": {ways}" if ways else ""))
            if answered < self.rows:
                lines.append(f"  {'':<{width}}  {self.rows - answered:,} without{self._reasons(name)}")
        others = [(message, count) for message, count in _commonest(self.problems) if not _lacks(message, self.outputs)]
        lines += [f"  {count:,} × {message}" for message, count in others[: MOST_REASONS * 3]]
        return "\n".join(lines)

    def _reasons(self, name: str) -> str:
        lacks = [
            (message.removeprefix(f"{name} "), count)
            for message, count in _commonest(self.problems)
            if message.startswith(f"{name} needs")
        ]
        shown = [f"{count:,} {message}" for message, count in lacks[:MOST_REASONS]]
        more = len(lacks) - MOST_REASONS
        return (": " + ", ".join(shown) if shown else "") + (f", and {more} other reasons" if more > 0 else "")

    def preview(self) -> str:
        """Write the first rows: their first column and the answers, in units in which their numbers read well."""
        if self.first is None:
            return ""
        named = {output_header(name): name for name in self.outputs}
        columns = [_column(named.get(each.name, ""), each) for each in self.first]
        columns[0][0] = columns[0][0][:PREVIEW_WIDTH]
        return aligned(zip(*columns, strict=True))


def _commonest(counts: Counter[str]) -> list[tuple[str, int]]:
    """Sort by count, and what is as common by name: the order in which rows stream by is not the same twice."""
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _route(route: str) -> str:
    return "its only route" if route == ONLY else route


def _lacks(message: str, outputs: Iterable[str]) -> bool:
    return any(message.startswith(f"{name} needs") for name in outputs)


def _column(name: str, cells: pl.Series) -> list[str]:
    """Write the head and the cells of a column; that of a metric has the one unit in which its numbers read well."""
    head = cells.name
    if name in FIELDS and cells.dtype.is_numeric():
        own = FIELDS[name].units
        units = readable_unit([each for each in cells.drop_nulls().to_list() if isfinite(each)], own)
        if units != own:
            cells = cells * float(convert(quantity(1.0, own), units).magnitude)
            head = f"{name} ({unit_text(units).removesuffix(' at the facility').removesuffix(' per accelerator')})"
    return [head, *(_cell(cell)[:PREVIEW_WIDTH] for cell in cells)]


def _cell(cell: object) -> str:
    if cell is None:
        return "–"
    return number(cell) if isinstance(cell, float) else " ".join(str(cell).split())
