"""Charts over runs as SVG that stands inside a page: achieved rate against peak, and energy."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup, escape

from runlineage.catalogs.fields import FIELDS
from runlineage.catalogs.units import convert, is_ours, unit
from runlineage.dataflow.lineage import Lineage
from runlineage.visualizations.diagrams import inline
from runlineage.visualizations.unfolding import assumed_beneath

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that no one uses stand for those of the page, so that dark pages work.
INK, ACCENT, QUIET = "#010203", "#010204", "#010205"
INSTEAD = {INK: "currentColor", ACCENT: "var(--accent)", QUIET: "var(--quiet)"}
STEADY: Any = {
    "svg.hashsalt": "runlineage",
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,
} | dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK)
FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
MOST_NAMES = 12  # more names than this would hide the points


@dataclass(frozen=True)
class Chart:
    """A chart with what a screen reader and a caption say of it."""

    title: str
    caption: str
    svg: Markup


@dataclass(frozen=True)
class _Point:
    place: int
    name: str
    value: float
    assumed: bool
    beside: float | None = None


def charts(runs: Sequence[Lineage]) -> list[Chart]:
    """Draw what the runs have: a chart without a point is left out."""
    from matplotlib import rc_context

    with rc_context(STEADY), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # the reader's browser has the letters
        return [chart for chart in (_rates(runs), _energies(runs)) if chart]


def _rates(runs: Sequence[Lineage]) -> Chart | None:
    peaks = _points(runs, "peak_flops", "achieved_rate")
    rates = _points(runs, "achieved_rate", "peak_flops")
    if not rates:
        return None
    figure, axes = _figure(7.2, 4.6)
    low, high = min(peak.value for peak in peaks) * 0.7, max(peak.value for peak in peaks) * 1.5
    for fraction in FRACTIONS:
        axes.plot([low, high], [low * fraction, high * fraction], color=QUIET, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.annotate(
            f"{fraction:.0%}", (high, high * fraction), (3, 0), textcoords="offset points", va="center", color=QUIET
        )
    axes.set(xscale="log", yscale="log", xlim=(low, high))
    axes.set(xlabel="dense peak, TFLOP/s per accelerator", ylabel="achieved rate, TFLOP/s per accelerator")
    for rate, peak in zip(rates, peaks, strict=True):
        _mark(axes, peak.value, rate)
        if len(rates) <= MOST_NAMES:
            right = peak.value**2 > low * high  # whose name goes to the left, clear of the lines' labels
            side, away = ("right", -7) if right else ("left", 7)
            axes.annotate(rate.name, (peak.value, rate.value), (away, 4), textcoords="offset points", ha=side)
    _plain_ticks(axes.xaxis)
    _plain_ticks(axes.yaxis)
    said = f"{len(rates)} of {len(runs)} runs. Dashed lines: equal fraction of the peak. {_legend(rates)}"
    return _chart(figure, "Achieved rate against peak", said, rates, "r-")


def _energies(runs: Sequence[Lineage]) -> Chart | None:
    points = sorted(_points(runs, "energy"), key=lambda point: (point.value, point.name))
    if not points:
        return None
    figure, axes = _figure(7.2, 0.9 + 0.2 * max(len(points), 3))
    for height, point in enumerate(points):
        axes.axhline(height, color=QUIET, linewidth=0.3)
        _mark(axes, point.value, point, height)
        if point.beside:
            axes.scatter([point.beside], [height], marker="D", s=64, facecolor="none", edgecolor=INK, zorder=3)
    axes.set(xscale="log", xlabel="energy, GWh", ylim=(-0.7, len(points) - 0.3))
    axes.set_yticks(range(len(points)), [_short(point.name) for point in points], parse_math=False)
    axes.tick_params(axis="y", length=0)
    if len(points) > MOST_NAMES:
        axes.tick_params(axis="x", top=True, labeltop=True)  # the lower numbers are out of sight
    _plain_ticks(axes.xaxis)
    beside = " Diamond: the authors' own figure for the devices."
    said = f"{len(points)} of {len(runs)} runs, logarithmic scale. {_legend(points)}"
    said += beside if any(point.beside for point in points) else ""
    return _chart(figure, "Energy", said, points, "e-")


def _points(runs: Sequence[Lineage], name: str, also: str = "") -> list[_Point]:
    """Give the single positive numbers of a quantity, for runs that have `also` too."""
    points = []
    for place, run in enumerate(runs, 1):
        entry, other = run.entries.get(name), run.entries.get(also or name)
        value = _scalar(entry.value, name) if entry else None
        if entry is None or other is None or value is None or _scalar(other.value, also or name) is None:
            continue
        reported = run.reported.get(f"reported_{name}")
        beside = _scalar(reported.value, name) if reported else None
        points.append(_Point(place, run.subject, value, bool(assumed_beneath(run, name, also or name)), beside))
    return points


def _scalar(value: Any, name: str) -> float | None:
    if not is_ours(value) or np.ndim(value.magnitude):
        return None
    number = float(convert(value, unit(FIELDS[name].unit)).magnitude)
    return number if 0 < number < float("inf") else None


def _mark(axes: Axes, across: float, point: _Point, height: float | None = None) -> None:
    """Draw a point that leads to its run: full where the facts suffice, hollow where an assumption is beneath."""
    face = "none" if point.assumed else ACCENT
    at = point.value if height is None else height
    axes.scatter([across], [at], s=26, facecolor=face, edgecolor=ACCENT, zorder=4, urls=[f"#run-{point.place}"])


def _legend(points: Sequence[_Point]) -> str:
    assumed = sum(point.assumed for point in points)
    return "Hollow: rests on an assumption." if assumed else "None rests on an assumption."


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    return figure, axes


def _plain_ticks(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low < 500 else (1.0,), numticks=15))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def _short(name: str, longest: int = 40) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def _chart(figure: Figure, title: str, caption: str, points: Sequence[_Point], prefix: str) -> Chart:
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    text = inline(written.getvalue(), prefix)
    text = re.sub(r"<metadata>.*?</metadata>\s*|<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.DOTALL)  # it would reach the whole page
    for sentinel, colour in INSTEAD.items():
        text = text.replace(sentinel, colour)
    names = {point.place: f"{point.name}: {point.value:.4g}" for point in points}

    def titled(found: re.Match[str]) -> str:
        # The numbers are reached by keyboard in the tables; here a pointer may follow them.
        return f'<a tabindex="-1" href="#run-{found[1]}"><title>{escape(names[int(found[1])])}</title>'

    text = re.sub(r'<a xlink:href="#run-(\d+)"[^>]*>', titled, text)
    opening = f'<svg role="img" aria-label="{escape(title)}"'
    text = text.replace("<svg", opening, 1).replace(">", f"><title>{escape(title)}</title>", 1)
    return Chart(title, f"{title}. {caption}", Markup(text))
