"""Charts over runs as SVG that stands inside a page: achieved rate against peak, peak fraction by year, each metric."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import log
from statistics import median

from runlineage.catalogs.quantities.fields import ANSWERS
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.pages.chart_by_metric import by_metric
from runlineage.visualizations.pages.chart_by_year import by_year
from runlineage.visualizations.pages.chart_names import write_names
from runlineage.visualizations.pages.chart_parts import (
    FEWEST,
    QUIET,
    STEADY,
    Chart,
    Point,
    finished,
    mark,
    plain_ticks,
    points_of,
    shortened,
    sketch,
)

FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
MOST_NAMES = 12  # more names than this would hide the points; of more points, as many outliers are named
OF_THEIR_OWN = ("achieved_rate", "peak_fraction", "peak_flops")  # what the first two charts show


def charts(runs: Sequence[Lineage]) -> list[Chart]:
    """Draw what the runs have: a chart of fewer than two points is left out."""
    from matplotlib import rc_context, rcdefaults, rcParams

    asked = {name for run in runs for name in run.outputs}
    others = [name for name in ANSWERS if name in asked and name not in OF_THEIR_OWN]
    with rc_context(), warnings.catch_warnings():
        rcdefaults()  # a matplotlibrc of the user's would change the bytes
        rcParams.update(STEADY)
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # the reader's browser has the letters
        drawn = [_rates(runs), by_year(runs), *(by_metric(runs, name) for name in others)]
        return [chart for chart in drawn if chart]


def _rates(runs: Sequence[Lineage]) -> Chart | None:
    peaks = points_of(runs, "peak_flops", "achieved_rate")
    rates = points_of(runs, "achieved_rate", "peak_flops")
    if len(rates) < FEWEST:
        return None
    from matplotlib.lines import Line2D

    figure, axes = sketch(7.2, 5.0)
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
    left_out = write_names(axes, [shortened(rate.name) for rate in rates], places, _named(rates, places))
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    caption = f"{len(rates)} of {len(runs)} runs."
    caption += " The outermost have their names." if len(rates) > MOST_NAMES else ""
    caption += " Names without room stand in the overview." if left_out and len(rates) <= MOST_NAMES else ""
    line = Line2D([], [], color=QUIET, linewidth=0.7, linestyle=(0, (4, 3)), label="equal share of the peak")
    return finished(figure, "Achieved rate against peak", caption, rates, "r-", [line])


def _named(rates: Sequence[Point], places: Sequence[tuple[float, float]]) -> list[int]:
    """Choose the points that have their names: all, from above, or of many those farthest from the usual fraction."""
    above = sorted(range(len(rates)), key=lambda each: -rates[each].value)
    if len(rates) <= MOST_NAMES:
        return above
    fractions = [log(rate / peak) for peak, rate in places]
    usual = median(fractions)
    return sorted(above, key=lambda each: -abs(fractions[each] - usual))[:MOST_NAMES]
