"""One metric of several runs, a row each, the largest above: energy, operations, emissions, cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import readable_unit, unit_text
from runlineage.catalogs.quantities.units import Unit, convert, quantity
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.pages.chart_parts import (
    FEWEST,
    INK,
    QUIET,
    Chart,
    Point,
    finished,
    mark,
    plain_ticks,
    points_of,
    shortened,
    sketch,
)

MOST_ROWS = 30  # more rows than a screen holds say no more than the overview
LONG_SCALE = 20  # times the smallest: from here on a scale is logarithmic


def by_metric(runs: Sequence[Lineage], name: str) -> Chart | None:
    """Draw one metric of runs, the largest ones where there are many; fewer than two make no chart.

    >>> from runlineage import Scenarios
    >>> chart = by_metric([Scenarios[name].lineage() for name in ("bloom", "llama 65b")], "energy")
    >>> print(chart.caption if chart else "no chart")
    2 of 2 runs.
    """
    found = sorted(points_of(runs, name), key=lambda point: (point.value, point.name))
    points = found[-MOST_ROWS:]
    if len(points) < FEWEST:
        return None
    units = readable_unit([each for point in points for each in (point.value, *point.ends)], FIELDS[name].units)
    points = _in_unit(points, FIELDS[name].units, units)
    figure, axes = sketch(7.2, 1.3 + 0.2 * max(len(points), 3))
    for height, point in enumerate(points):
        axes.axhline(height, color=QUIET, linewidth=0.3)
        mark(axes, point.value, point, height)
        if point.beside:
            axes.scatter([point.beside], [height], marker="D", s=64, facecolor="none", edgecolor=INK, zorder=3)
    title = name.replace("_", " ").capitalize()
    unit = unit_text(units).removesuffix(" at the facility")
    axes.set(xlabel=f"{name.replace('_', ' ')}, {unit}" if unit else name.replace("_", " "))
    axes.set_ylim(-0.7, len(points) - 0.3)
    sizes = [each for point in points for each in (point.value, point.beside, *point.ends) if each]
    if max(sizes) > LONG_SCALE * min(sizes):
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
    else:
        axes.set_xlim(0, max(sizes) * 1.05)
    axes.set_yticks(range(len(points)), [shortened(point.name) for point in points], parse_math=False)
    axes.tick_params(axis="y", length=0)
    which = f"The {len(points)} largest of {len(found)}" if len(found) > len(points) else f"{len(points)}"
    scale = ", logarithmic scale" if axes.get_xscale() == "log" else ""
    return finished(
        figure,
        title,
        f"{which} of {len(runs)} runs{scale}.",
        points,
        f"{name}-",
        beside=any(point.beside for point in points),
    )


def _in_unit(points: Sequence[Point], from_unit: Unit, to_unit: Unit) -> list[Point]:
    """Express the numbers of points in the unit of the axis."""
    if from_unit == to_unit:
        return list(points)

    def converted(size: float) -> float:
        return float(convert(quantity(size, from_unit), to_unit).magnitude)

    return [
        replace(
            point,
            value=converted(point.value),
            beside=point.beside and converted(point.beside),
            interval=point.interval and (converted(point.interval[0]), converted(point.interval[1])),
        )
        for point in points
    ]
