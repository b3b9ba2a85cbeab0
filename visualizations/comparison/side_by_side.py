"""Runs by metrics as plain data: each answer with its route and its ratio to that of the first run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number, people, readable_unit, unit_text
from runlineage.catalogs.quantities.units import Unit, convert, is_ours
from runlineage.dataflow.graph.results import Result, Results
from runlineage.visualizations.answers import how

RATIO_DIGITS = 3
WHY_RATIO = "× is the ratio to {first}: runs differ by orders of magnitude, and a per cent of a share would mislead"


@dataclass(frozen=True)
class Cell:
    """One answer of a run; `ratio` is to the first run's, None for the first itself and where one has no answer.

    `unit` is that of its column.
    """

    result: Result
    ratio: float | None
    unit: Unit | None

    @property
    def magnitude(self) -> float | None:
        """The number of the answer in the published unit; None where there is no answer."""
        return None if self.result.value is None else _number(self.result.value)

    @property
    def text(self) -> str:
        """The number for people, its unit left to the head of the column; a dash where there is none."""
        if self.result.value is None:
            return "–"
        value = self.result.value
        if not is_ours(value):
            return str(value)
        return people(value) if self.unit is None else number(convert(value, self.unit).magnitude)

    @property
    def ratio_text(self) -> str:
        """The ratio for people, to three digits; empty where there is none."""
        return "" if self.ratio is None else f"×{number(float(f'{self.ratio:.{RATIO_DIGITS}g}'))}"

    @property
    def route(self) -> str:
        """The route to the answer; empty where a metric has only one, or no answer."""
        return self.result.route or ""

    @property
    def remark(self) -> str:
        """What the answer must not be read without, or why there is none."""
        remarks = how(self.result).removeprefix(f"by {self.route}").removeprefix(", ")
        return remarks if self.result.problem is None else f"{self.result.name} {remarks}"


@dataclass(frozen=True)
class SideBySide:
    """Runs beside each other: `runs` are their names, `metrics` what is compared, `results` the answers of each."""

    runs: tuple[str, ...]
    metrics: tuple[str, ...]
    results: tuple[Results[Any], ...]

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The answers: a row a run, a cell a metric."""
        first = self.results[0]
        return tuple(
            tuple(
                Cell(
                    each.result(name), _ratio(each.get(name), first.get(name)) if place else None, self.units.get(name)
                )
                for name in self.metrics
            )
            for place, each in enumerate(self.results)
        )

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """The unit that people read each column in: the published one, or where numbers need it another prefix."""
        fields = {name: FIELDS[name].units for name in self.metrics if name in FIELDS}
        sizes = {name: [_number(each.get(name)) for each in self.results] for name in fields}
        return {
            name: readable_unit([size for size in sizes[name] if size is not None], unit)
            for name, unit in fields.items()
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is doubtful: in every run, or with the name of the run; what one of them needed was not idle."""
        needed = {name for row in self.rows for cell in row for name in cell.result.assumes}
        idle = {f'assumption "{name}" was not needed' for name in needed}
        texts = [[text for text in dict.fromkeys(each.warnings) if text not in idle] for each in self.results]
        common = [text for text in texts[0] if all(text in each for each in texts)]
        own = (
            f"{name}: {text}"
            for name, each in zip(self.runs, texts, strict=True)
            for text in each
            if text not in common
        )
        return (*(f"every run: {text}" for text in common), *own)

    @property
    def changes(self) -> str:
        """What every run was changed by, as their names end alike: " with pue 1.1"; empty where they do not."""
        first = self.runs[0]
        places = [at for word in (" with ", " without ") if (at := first.find(word)) > 0]
        ending = first[min(places) :] if places else ""
        return ending if all(name.endswith(ending) and name != ending for name in self.runs) else ""

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The metrics that no run has an answer to."""
        return tuple(name for name in self.metrics if not any(name in results for results in self.results))

    def as_table(self) -> dict[str, Any]:
        """Lay out the comparison as the table that a notebook shows."""
        heads = ("run", *map(self.head, self.metrics))
        rows = [(name, [cell_lines(cell) for cell in row]) for name, row in zip(self.runs, self.rows, strict=True)]
        return {"heads": heads, "rows": rows, "foot": WHY_RATIO.format(first=self.runs[0]), "warnings": self.warnings}

    def unit_text(self, name: str) -> str:
        """Return the unit of a metric's column as people write it; empty where it has none."""
        return unit_text(self.units[name]) if name in self.units else ""

    def head(self, name: str) -> str:
        """Return the head of a metric's column: its name and, where it has one, its unit."""
        unit = self.unit_text(name)
        return f"{name} ({unit})" if unit else name


def cell_lines(cell: Cell) -> list[str]:
    """Write an answer as lines: number and ratio, route, remark."""
    lines = [" ".join(filter(None, (cell.text, cell.ratio_text))), cell.route and f"by {cell.route}", cell.remark]
    return list(filter(None, lines))


def _ratio(value: Any, first: Any) -> float | None:
    """Return the ratio of two answers in one unit; None where one is missing, and of what is no positive number."""
    size, base = _number(value), _number(first)
    return size / base if size is not None and base else None


def _number(value: Any) -> float | None:
    magnitude = getattr(value, "magnitude", value)
    if isinstance(magnitude, bool) or not isinstance(magnitude, (int, float, np.number)):
        return None
    return float(magnitude) if isfinite(magnitude) else None
