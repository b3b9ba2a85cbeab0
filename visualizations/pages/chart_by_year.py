"""Peak fractions of runs by the year of the papers that report them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import ceil

from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.trace import cited
from runlineage.visualizations.pages.chart_parts import (
    QUIET,
    Chart,
    finished,
    hollow_text,
    mark,
    points_of,
    shortened,
    sketch,
)

TITLE = "Peak fraction by year"


def by_year(runs: Sequence[Lineage]) -> Chart | None:
    """Draw the peak fractions of runs of two years or more, a row a run; the rest makes no such chart.

    >>> from runlineage import Scenarios
    >>> chart = by_year([Scenarios[name].lineage() for name in ("gpt-3", "bloom")])
    >>> print(chart.caption if chart else "no chart")
    Peak fraction by year. 2 of 2 runs, by the earliest source of a run's facts. Hollow: rests on an assumption.
    """
    years = {place: year for place, run in enumerate(runs, 1) if (year := year_of(run))}
    points = [point for point in points_of(runs, "peak_fraction") if point.place in years]
    points.sort(key=lambda point: (-years[point.place], point.value, point.name))
    if len({years[point.place] for point in points}) < 2:
        return None
    figure, axes = sketch(7.2, 0.9 + 0.2 * len(points))
    for height, point in enumerate(points):
        axes.axhline(height, color=QUIET, linewidth=0.3)
        mark(axes, point.value, point, height, square=_counts_hardware(runs[point.place - 1]))
    across = ceil(10 * max(point.value for point in points)) / 10
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
    caption = f"{len(points)} of {len(runs)} runs, by the earliest source of a run's facts. {hollow_text(points)}"
    if any(_counts_hardware(runs[point.place - 1]) for point in points):
        caption += " Square: counts recomputation (HFU)."
    return finished(figure, TITLE, caption, points, "y-")


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
