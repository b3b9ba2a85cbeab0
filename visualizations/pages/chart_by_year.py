"""Peak fractions of runs by the year of the papers that report them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import Any

from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.trace import cited
from runlineage.visualizations.pages.chart_names import write_names
from runlineage.visualizations.pages.chart_parts import (
    ACCENT,
    QUIET,
    Chart,
    Point,
    finished,
    mark,
    points_of,
    shortened,
    sketch,
)

TITLE = "Peak fraction by year"
OUTLIERS = 4  # names above and below
STEP = 0.618


MOST_ROWS = 40  # runs with a row each; of more, the years share their columns


def by_year(runs: Sequence[Lineage], most_rows: int = MOST_ROWS) -> Chart | None:
    """Draw the peak fractions of runs of two years or more, a row a run, or a column a year where they are many.

    >>> from runlineage import Scenarios
    >>> chart = by_year([Scenarios[name].lineage() for name in ("gpt-3", "bloom")])
    >>> print(chart.caption if chart else "no chart")
    2 of 2 runs, by the earliest source of a run's facts.
    """
    years = {place: year for place, run in enumerate(runs, 1) if (year := year_of(run))}
    points = [point for point in points_of(runs, "peak_fraction") if point.place in years]
    points.sort(key=lambda point: (-years[point.place], point.value, point.name))
    if len({years[point.place] for point in points}) < 2:
        return None
    if len(points) > most_rows:
        return columns_of_years(runs, points, years)
    figure, axes = sketch(7.2, 1.5 + 0.2 * len(points))
    for height, point in enumerate(points):
        axes.axhline(height, color=QUIET, linewidth=0.3)
        mark(axes, point.value, point, height, square=_counts_hardware(runs[point.place - 1]))
    across = ceil(10 * max(point.ends[1] for point in points)) / 10
    axes.set(xlabel="peak fraction", xlim=(0, across), ylim=(-0.7, len(points) - 0.3))
    axes.set_yticks(range(len(points)), [shortened(point.name) for point in points], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", top=True, labeltop=True)  # the lower numbers may be out of sight
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    height = 0
    for year, group in groupby(points, lambda point: years[point.place]):
        last = height + len(list(group)) - 1
        axes.annotate(str(year), (across, last), (7, 0), textcoords="offset points", va="center", weight="bold")
        axes.axhline(last + 0.5, color=QUIET, linewidth=0.9)
        height = last + 1
    caption = f"{len(points)} of {len(runs)} runs, by the earliest source of a run's facts."
    return finished(figure, TITLE, caption, points, "y-", _square(runs, points))


def columns_of_years(runs: Sequence[Lineage], points: Sequence[Point], years: Mapping[int, int]) -> Chart:
    """Draw the peak fractions of many runs, a column a year, with the names of the highest and lowest."""
    figure, axes = sketch(7.2, 4.2)
    places: list[tuple[float, float]] = []
    drawn: list[Point] = []
    for year in range(min(years[point.place] for point in points), max(years[point.place] for point in points) + 1):
        of_year = sorted((point for point in points if years[point.place] == year), key=lambda point: point.value)
        for number, point in enumerate(of_year):
            across = year + 0.6 * ((number * STEP) % 1 - 0.5)  # points of a year evenly apart, in no line
            mark(axes, across, point, square=_counts_hardware(runs[point.place - 1]))
            places.append((across, point.value))
            drawn.append(point)
    axes.set(ylabel="peak fraction", ylim=(0, None))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xticks(range(min(years.values()), max(years.values()) + 1))
    order = sorted(range(len(drawn)), key=lambda each: drawn[each].value)
    named = [*order[-OUTLIERS:][::-1], *order[:OUTLIERS]]
    write_names(axes, [shortened(drawn[each].name) for each in range(len(drawn))], places, named)
    caption = (
        f"{len(points)} of {len(runs)} runs, by the earliest source of a run's facts; the outermost have their names."
    )
    return finished(figure, TITLE, caption, points, "y-", _square(runs, points))


def _square(runs: Sequence[Lineage], points: Sequence[Point]) -> list[Any]:
    from matplotlib.lines import Line2D

    if not any(_counts_hardware(runs[point.place - 1]) for point in points):
        return []
    text = "square: counts recomputation (HFU)"
    return [Line2D([], [], linestyle="", marker="s", markerfacecolor="none", markeredgecolor=ACCENT, label=text)]


def year_of(run: Lineage) -> int | None:
    """Return the year of the earliest source in the bibliography that states a fact of the run.

    >>> from runlineage import Scenarios
    >>> print(year_of(Scenarios.Gpt3PublishedRun.lineage()))
    2020
    """
    years = [source.year for fact in run.stated.values() if (source := cited(fact))]
    return min(years, default=None)


def _counts_hardware(run: Lineage) -> bool:
    fact = run.stated.get("work_counts")
    return fact is not None and fact.value == "hardware" and "training_ops" in run.entries
