"""The overview of a page as plain data: a row a run, a column a metric, each dash with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS, field_of
from runlineage.catalogs.quantities.formatting import number, readable_unit, unit_text
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.units import Unit, convert, is_ours, quantity
from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.pages.chart_by_year import year_of
from runlineage.visualizations.pages.unfolding import Number, Unfolded
from runlineage.visualizations.tree import entry_text

DIGITS = 4  # of a number in the overview; the run's own part has six


@dataclass(frozen=True)
class Cell:
    """An answer in the overview: its text, and that of the figure that the authors print in the same unit.

    `magnitude` is what rows are sorted by; `reason` is the number of the reason of a dash, `interval` has the ends of
    an uncertain answer.
    """

    text: str
    printed: str
    magnitude: float | None
    number: Number | None
    reason: int = 0
    interval: str = ""


@dataclass(frozen=True)
class Column:
    """A metric's column: its name and unit, which its cells leave out; a share is in per cent."""

    name: str
    units: Unit | None = None

    @property
    def unit(self) -> str:
        """The unit as the head has it; empty where there is none."""
        text = "" if self.units is None else unit_text(self.units)
        return text.removesuffix(" at the facility") if text else "%" if self.is_share else ""  # the name says which

    @property
    def is_share(self) -> bool:
        """Whether the metric is a fraction."""
        return self.name in ANSWERS and FIELDS[self.name].kind is KINDS["Fraction"]

    def text(self, size: float) -> str:
        """Write a number, which is in the unit of the metric's field, for this column in four digits.

        >>> print(column_of("peak_fraction").text(0.196446), column_of("training_operations").text(3.14e23))
        19.6 3.140×10²³
        """
        if self.is_share:
            return f"{100 * size:.1f}"
        if self.units is not None:
            size = float(convert(quantity(size, FIELDS[self.name].units), self.units).magnitude)
        text = number(float(f"{size:.{DIGITS}g}"))
        if "×" not in text:
            return text
        digits, _, power = text.partition("×")
        return f"{float(digits):.{DIGITS - 1}f}×{power}"  # so that powers stand beneath each other


@dataclass(frozen=True)
class Row:
    """A run in the overview; `kinds` are the words that the page filters by."""

    run: Unfolded
    year: int | None
    device: str
    cells: tuple[Cell, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Overview:
    """Columns with their units, rows, the reasons of dashes with how many dashes have them, and a summary."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    reasons: tuple[tuple[str, int], ...]
    summary: tuple[str, ...]


def overview(lineages: Sequence[Lineage], runs: Sequence[Unfolded], metrics: Sequence[str]) -> Overview:
    """Lay out the answers of runs, one row each."""
    why = {
        name: [f"{name.replace('_', ' ')} {run.problems.get(name, 'was not asked for')}" for run in runs]
        for name in metrics
    }
    counted = Counter(
        reason
        for place, run in enumerate(runs)
        for name in metrics
        if name not in run.numbers
        for reason in [why[name][place]]
    )
    numbered = {reason: place for place, reason in enumerate(counted, 1)}
    columns = {name: column_of(name, _sizes(lineages, runs, name)) for name in metrics}
    rows = []
    for place, (lineage, run) in enumerate(zip(lineages, runs, strict=True)):
        cells = tuple(
            _cell(lineage.entries[name], columns[name], run.numbers[name])
            if name in run.numbers
            else Cell("–", "", None, None, numbered[why[name][place]])
            for name in metrics
        )
        rows.append(Row(run, year_of(lineage), _device(lineage), cells, _kinds(run)))
    heads = tuple((name, each.unit) for name, each in columns.items())
    return Overview(heads, tuple(rows), tuple(counted.items()), tuple(_summary(runs, metrics)))


def column_of(name: str, sizes: Sequence[float] = ()) -> Column:
    """Return the column of a metric for some numbers in the unit of its field.

    >>> columns = [column_of("achieved_rate"), column_of("peak_fraction"), column_of("energy", [6.3e-6])]
    >>> print(*(each.unit for each in columns), sep=" | ")
    TFLOP/s per accelerator | % | kWh
    """
    return Column(name, readable_unit(sizes, FIELDS[name].units) if name in ANSWERS else None)


def _sizes(lineages: Sequence[Lineage], runs: Sequence[Unfolded], name: str) -> list[float]:
    answers = (each.entries[name].value for each, run in zip(lineages, runs, strict=True) if name in run.numbers)
    return [size for value in answers if (size := magnitude_of(value, name)) is not None]


def magnitude_of(value: Any, name: str) -> float | None:
    """Return the one number of an answer in the unit of its field; None for columns and for other values."""
    if not is_ours(value) or np.ndim(value.magnitude):
        return None
    known = field_of(name)
    fits = known is not None and known.units.dimensionality == value.units.dimensionality
    size = float((convert(value, known.units) if known and fits else value).magnitude)
    return size if isfinite(size) else None


def _cell(entry: Entry, column: Column, number: Number) -> Cell:
    name = column.name
    size = magnitude_of(entry.value, name)
    plain = size is None or name not in ANSWERS
    if size is None or plain:
        return Cell(entry_text(entry), number.published, size, number)
    printed = "" if number.difference is None else column.text(size / (1 + number.difference))
    ends = [magnitude_of(end, name) for end in entry.interval or ()]
    interval = " to ".join(column.text(end) for end in ends if end is not None)
    return Cell(column.text(size), printed, size, number, interval=interval)


def _device(lineage: Lineage) -> str:
    fact = lineage.stated.get("accelerator")
    return "" if fact is None or fact.value is None else str(getattr(fact.value, "name", fact.value))


def _kinds(run: Unfolded) -> tuple[str, ...]:
    numbers = run.numbers.values()
    assumed = any(each.assumes for each in numbers)
    kinds = [*run.numbers, "is-assumed" if assumed else "is-stated" if run.numbers else ""]
    return tuple(filter(None, [*kinds, "is-off" if any(each.is_off for each in numbers) else ""]))


def _summary(runs: Sequence[Unfolded], metrics: Sequence[str]) -> list[str]:
    """Describe the whole page in a few sentences."""
    answered = [f"{name.replace('_', ' ')} for {sum(name in run.numbers for run in runs)}" for name in metrics]
    numbers = [each for run in runs for each in run.numbers.values()]
    assumed, printed = sum(bool(each.assumes) for each in numbers), [each for each in numbers if each.printed]
    off = sum(each.is_off for each in printed)
    lines = [f"{len(runs)} runs: {', '.join(answered)}.", f"{assumed} of {len(numbers)} answers rest on an assumption."]
    if printed:
        lines.append(
            f"{len(printed)} answers stand beside a figure that the authors print; beyond rounding differ: {off}."
        )
    return lines
