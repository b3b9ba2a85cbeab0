"""What charts share: points of runs, marks, axes, and SVG in the colours of the page that holds it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup, escape

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number
from runlineage.catalogs.quantities.units import convert, is_ours, unit
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.assumptions import assumed_beneath
from runlineage.visualizations.pages.diagrams import inline
from runlineage.visualizations.printed_figures import printed_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that no one uses stand for those of the page, so that dark pages work.
INK, ACCENT, QUIET = "#010203", "#010204", "#010205"
STYLE = (
    "svg { color: #1b1d1f; --accent: #0067a3; --quiet: #55595e } text { font-family: sans-serif !important } "
    "@media (prefers-color-scheme: dark) { svg { color: #ececea; --accent: #7cc0ee; --quiet: #a9adb2 } }"
)
FEWEST = 2  # points: one alone says nothing that its number does not
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


@dataclass(frozen=True)
class Chart:
    """A chart with its title and caption."""

    title: str
    caption: str
    svg: Markup


@dataclass(frozen=True)
class Point:
    """A run in a chart: `place` counts the runs from 1, `assumed` says that the number rests on an assumption.

    `interval` has the ends of its 90 % interval, where it is uncertain.
    """

    place: int
    name: str
    value: float
    assumed: bool
    beside: float | None = None
    interval: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest number that the point shows."""
        return self.interval or (self.value, self.value)


def points_of(runs: Sequence[Lineage], name: str, also: str = "") -> list[Point]:
    """Return the single positive numbers of a quantity, for runs that have `also` too."""
    points = []
    for place, run in enumerate(runs, 1):
        entry, other = run.entries.get(name), run.entries.get(also or name)
        value = _scalar(entry.value, name) if entry else None
        if entry is None or other is None or value is None or _scalar(other.value, also or name) is None:
            continue
        printed = printed_figures(run).get(name)
        beside = _scalar(printed.value, name) if printed else None
        low, high = (_scalar(end, name) for end in entry.interval or (None, None))
        interval = (low, high) if low and high else None
        assumed = bool(assumed_beneath(run, name, also or name))
        points.append(Point(place, run.subject, value, assumed, beside, interval))
    return points


def _scalar(value: Any, name: str) -> float | None:
    if not is_ours(value) or np.ndim(value.magnitude):
        return None
    number = float(convert(value, unit(FIELDS[name].unit)).magnitude)
    return number if 0 < number < float("inf") else None


def mark(axes: Axes, across: float, point: Point, height: float | None = None, *, square: bool = False) -> None:
    """Draw a point that leads to its run: full where the facts suffice, hollow where an assumption is beneath."""
    face = "none" if point.assumed else ACCENT
    at, form = point.value if height is None else height, "s" if square else "o"
    place = [f"#run-{point.place}"]
    if point.interval and height is None:
        axes.vlines(across, *point.interval, color=ACCENT, linewidth=1.1, zorder=3)
    elif point.interval:
        axes.hlines(at, *point.interval, color=ACCENT, linewidth=1.1, zorder=3)
    axes.scatter([across], [at], s=26, marker=form, facecolor=face, edgecolor=ACCENT, zorder=4, urls=place)


def _key(figure: Figure, points: Sequence[Point], others: Sequence[Any], *, beside: bool) -> None:
    """Explain the marks that a chart has, beneath it."""
    from matplotlib.lines import Line2D

    def sign(text: str, marker: str, face: str, edge: str = ACCENT) -> Any:
        return Line2D([], [], linestyle="", marker=marker, markerfacecolor=face, markeredgecolor=edge, label=text)

    signs = [sign("from stated facts", "o", ACCENT)] if not all(point.assumed for point in points) else []
    signs += [sign("rests on an assumption", "o", "none")] if any(point.assumed for point in points) else []
    signs += [sign("the authors' own figure", "D", "none", INK)] if beside else []
    if any(point.interval for point in points):
        signs.append(Line2D([], [], color=ACCENT, linewidth=1.1, label="90 % interval"))
    figure.legend(handles=[*signs, *others], loc="outside lower left", ncols=4, frameon=False, fontsize=8)


def sketch(width: float, height: float) -> tuple[Figure, Axes]:
    """Begin a figure whose ground is that of the page; width and height are in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    return figure, axes


def plain_ticks(axis: Any) -> None:
    """Write the numbers of a logarithmic axis in full."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low < 500 else (1.0,), numticks=15))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_formatter(NullFormatter())


def shortened(name: str, longest: int = 40) -> str:
    """Cut a long name for an axis."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def finished(
    figure: Figure,
    title: str,
    caption: str,
    points: Sequence[Point],
    prefix: str,
    others: Sequence[Any] = (),
    *,
    beside: bool = False,
) -> Chart:
    """Write a figure as SVG in the colours of the page, whose points name their run and number and link to it.

    `others` are signs of the key beside those of the points; `beside` says that figures of the authors are drawn.
    """
    _key(figure, points, others, beside=beside)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, weight="bold")
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
    opening = f'<svg role="group" aria-label="{escape(title)}"'
    text = text.replace("<svg", opening, 1).replace(">", f"><title>{escape(title)}</title>", 1)
    return Chart(title, caption, Markup(text))


def standing_alone(chart: Chart) -> str:
    """Write a chart as a file of its own, for light and dark pages: points name their run, and link to nothing."""
    text = re.sub(r"<a [^>]*>", "<g>", str(chart.svg)).replace("</a>", "</g>")
    return (
        text.replace('role="group"', 'role="img"', 1).replace("</title>", f"</title>\n<style>{STYLE}</style>", 1) + "\n"
    )
