"""Lineage as DOT: one box a quantity, the same bytes for the same lineage."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from math import ceil, sqrt

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import Printed
from runlineage.visualizations.pictures.boxes import (
    STYLES,
    box_kind,
    legend,
    name_lines,
    small_print,
    value_lines,
    wrapped,
)
from runlineage.visualizations.printed_figures import printed_figures

HEAD = 80  # letters of a title's line
# Runs side by side: as many in a row as there are rows, so that a slide holds them.
ROWS = '  graph [pack="16" packmode="array_tu{width}" sortv="0"];'
SLIDE = '  graph [size="13.333,7.5!"];'  # inches
OPENING = (
    '  graph [rankdir="TB" bgcolor="white" pad="0.2" nodesep="0.3" ranksep="0.45" fontname="Helvetica" labelloc="t"];',
    '  node [fontname="Helvetica" fontsize="11" margin="0.12,0.06"];',
    '  edge [color="#666666" arrowsize="0.7" fontname="Helvetica" fontsize="9"];',
)


def dot(lineage: Lineage, *, slide: bool = False) -> str:
    """Write a lineage as DOT text: facts above, the metrics asked for below; several runs stand in rows.

    `slide` leaves names and values alone, at the size of a slide of 16 to 9.

    >>> from runlineage import Scenarios
    >>> print(dot(Scenarios.Gpt3PublishedRun.lineage("achieved_rate")).splitlines()[0])
    digraph lineage {
    """
    kinds = {name: box_kind(lineage, name, entry) for name, entry in lineage.entries.items()}
    shown = {*kinds.values(), *(["warning"] if lineage.warnings else [])}
    printed = printed_figures(lineage)
    title = "" if lineage.parts else picture_title(lineage)
    rows = [ROWS.format(width=ceil(sqrt(len(lineage.parts))))] if lineage.parts else []
    rows += [SLIDE] if slide else []
    lines = ["digraph lineage {", *OPENING, *rows, f"  label=<{titled(title, legend(shown))}>;"]
    for place, part in enumerate(lineage.parts):
        own = {name: entry for name, entry in lineage.entries.items() if entry.subject == part.subject}
        head = f'  subgraph "cluster {place}" {{'
        look = f'color="#bbbbbb"; style="rounded"; margin="14"; sortv="{place}";'
        frame = f"    label=<<b>{_headed(picture_title(part))}</b>>; {look}"
        boxes = (f"  {line}" for line in _boxes(own, kinds, printed, slide))
        lines += [head, frame, *boxes, *_warned(part.warnings, place), "  }"]
    if not lineage.parts:
        lines += [*_boxes(lineage.entries, kinds, printed, slide), *_warned(lineage.warnings, 0)]
    lines += [
        f"  {quoted(parent)} -> {quoted(name)};" for name, entry in lineage.entries.items() for parent in entry.parents
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _boxes(
    entries: Mapping[str, Entry], kinds: Mapping[str, str], printed: Mapping[str, Printed], slide: bool
) -> list[str]:
    return [
        f"  {quoted(name)} [{box(entry, kinds[name], printed.get(name), few=slide)}];"
        for name, entry in entries.items()
    ]


def box(entry: Entry, kind: str, printed: Printed | None = None, *, few: bool = False) -> str:
    """Return the attributes of a box: look, label (of few words: name and value), what hovering shows, and a link."""
    rows = [f"<b>{escaped(line)}</b>" for line in name_lines(entry.called)]
    rows += [f'<font point-size="14">{escaped(line)}</font>' for line in value_lines(entry)]
    rows += [] if few else [quiet(line) for line in small_print(entry, printed)]
    link = f' URL={quoted(entry.link)} target="_blank"' if entry.link else ""
    about = f"{entry.called}: {entry.about}" if entry.about else entry.called
    return f'class="{kind}" {STYLES[kind]} label={label(rows)} tooltip={quoted(about)}{link}'


def label(rows: Iterable[str]) -> str:
    """Write the rows of a box's label, below each other."""
    cells = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{cells}</table>>'


def quiet(line: str) -> str:
    """Write a line of small print."""
    return f'<font point-size="9" color="#444444">{escaped(line)}</font>'


def titled(title: str, explained: str) -> str:
    """Write a title with the legend beneath."""
    head = f'<font point-size="16">{_headed(title)}</font>' if title else ""
    small = f'<font point-size="9" color="#666666">{escaped(explained)}</font>' if explained else ""
    room = '<font point-size="6"> </font>' if head or small else ""  # above the first boxes
    return "<br/>".join(filter(None, [head, small, room])) or " "


def picture_title(lineage: Lineage) -> str:
    """Return the title of a picture: the run, and which part of its lineage this is."""
    return f"{lineage.subject}: {lineage.scope}" if lineage.scope else lineage.subject


def _headed(name: str) -> str:
    return "<br/>".join(map(escaped, wrapped(name, HEAD)))


def quoted(text: str) -> str:
    """Quote a text for DOT, where `&lt;` would be read as a sign and `\\N` as a name."""
    plain = plain_text(text).replace("&", "&amp;").replace("\\", "\\\\")
    return '"' + plain.replace('"', '\\"') + '"'


def escaped(text: str) -> str:
    """Escape a text for an HTML-like label."""
    return plain_text(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _warned(warnings: Iterable[str], place: int) -> list[str]:
    rows = [escaped(line) for text in warnings for line in ("Warning", *textwrap.wrap(plain_text(text), 70))]
    if not rows:
        return []
    return [f'  "warnings {place}" [class="warning" {STYLES["warning"]} label=<{"<br/>".join(rows)}>];']
