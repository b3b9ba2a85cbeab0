"""Charts over runs as SVG that stands inside a page: achieved rate against peak, energy, peak fraction by year."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.pages.chart_by_year import by_year
from runlineage.visualizations.pages.chart_parts import (
    INK,
    QUIET,
    STEADY,
    Chart,
    finished,
    hollow_text,
    mark,
    plain_ticks,
    points_of,
    shortened,
    sketch,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
MOST_NAMES = 12  # more names than this would hide the points
LETTER, LINE, AWAY = 5.5, 10.0, 7.0  # width and height of a letter, and how far it is from its point, in points


def charts(runs: Sequence[Lineage]) -> list[Chart]:
    """Draw what the runs have: a chart without a point is left out."""
    from matplotlib import rc_context, rcdefaults, rcParams

    with rc_context(), warnings.catch_warnings():
        rcdefaults()  # a matplotlibrc of the user's would change the bytes
        rcParams.update(STEADY)
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # the reader's browser has the letters
        return [chart for chart in (_rates(runs), _energies(runs), by_year(runs)) if chart]


def _rates(runs: Sequence[Lineage]) -> Chart | None:
    peaks = points_of(runs, "peak_flops", "achieved_rate")
    rates = points_of(runs, "achieved_rate", "peak_flops")
    if not rates:
        return None
    figure, axes = sketch(7.2, 4.6)
    low, high = min(peak.value for peak in peaks) * 0.7, max(peak.value for peak in peaks) * 1.5
    for fraction in FRACTIONS:
        axes.plot([low, high], [low * fraction, high * fraction], color=QUIET, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.annotate(
            f"{fraction:.0%}", (high, high * fraction), (3, 0), textcoords="offset points", va="center", color=QUIET
        )
    axes.set(xscale="log", yscale="log", xlim=(low, high))
    axes.set(xlabel="dense peak, TFLOP/s per accelerator", ylabel="achieved rate, TFLOP/s per accelerator")
    places = [(peak.value, rate.value) for peak, rate in zip(peaks, rates, strict=True)]
    for rate, (across, _) in zip(rates, places, strict=True):
        mark(axes, across, rate)
    left_out = _write_names(axes, [shortened(rate.name) for rate in rates], places) if len(rates) <= MOST_NAMES else 0
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    caption = f"{len(rates)} of {len(runs)} runs. Dashed lines: equal fraction of the peak. {hollow_text(rates)}"
    caption += " Names without room stand in the overview." if left_out else ""
    return finished(figure, "Achieved rate against peak", caption, rates, "r-")


def _write_names(axes: Axes, names: Sequence[str], places: Sequence[tuple[float, float]]) -> int:
    """Write each name beside its point, on the side where it covers no other; return how many found no room."""
    axes.autoscale_view()
    points = axes.transData.transform(places) * 72 / axes.figure.dpi
    middle = sum(axes.get_window_extent().intervalx) * 36 / axes.figure.dpi
    taken: list[tuple[float, float, float]] = []
    for place in sorted(range(len(names)), key=lambda each: -points[each][1]):
        across, height = points[place]
        room = LETTER * len(names[place])
        # In the right half to the left first, clear of the lines' labels.
        for side in ("right", "left") if across > middle else ("left", "right"):
            start = across + AWAY if side == "left" else across - AWAY - room
            if all(start > last or start + room < first or abs(height - at) > LINE for first, last, at in taken):
                away = AWAY if side == "left" else -AWAY
                axes.annotate(names[place], places[place], (away, 0), textcoords="offset points", ha=side, va="center")
                taken.append((start, start + room, height))
                break
    return len(names) - len(taken)


def _energies(runs: Sequence[Lineage]) -> Chart | None:
    points = sorted(points_of(runs, "energy"), key=lambda point: (point.value, point.name))
    if not points:
        return None
    figure, axes = sketch(7.2, 0.9 + 0.2 * max(len(points), 3))
    for height, point in enumerate(points):
        axes.axhline(height, color=QUIET, linewidth=0.3)
        mark(axes, point.value, point, height)
        if point.beside:
            axes.scatter([point.beside], [height], marker="D", s=64, facecolor="none", edgecolor=INK, zorder=3)
    axes.set(xscale="log", xlabel="energy, GWh", ylim=(-0.7, len(points) - 0.3))
    axes.set_yticks(range(len(points)), [shortened(point.name) for point in points], parse_math=False)
    axes.tick_params(axis="y", length=0)
    if len(points) > MOST_NAMES:
        axes.tick_params(axis="x", top=True, labeltop=True)  # the lower numbers are out of sight
    plain_ticks(axes.xaxis)
    diamond = " Diamond: the authors' own figure for the devices."
    caption = f"{len(points)} of {len(runs)} runs, logarithmic scale. {hollow_text(points)}"
    caption += diamond if any(point.beside for point in points) else ""
    return finished(figure, "Energy", caption, points, "e-")
