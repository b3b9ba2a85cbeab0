"""Lineage as DOT: one box a quantity, the same bytes for the same lineage."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from runlineage.catalogs.names import plain_text
from runlineage.dataflow.lineage import Entry, Lineage
from runlineage.visualizations.tree import origin_text, value_text

LINE = 44

# Kinds of box differ in shape and outline as well as in colour.
STYLES = {
    "fact": 'style="filled,rounded" fillcolor="#f7f7f5" color="#8a8a84"',
    "derived": 'style="filled" fillcolor="#e3eef9" color="#2b6cb0"',
    "output": 'style="filled" fillcolor="#cfe2f5" color="#174a7c" penwidth="2.2"',
    "assumed": 'style="filled,dashed" fillcolor="#fdf0d5" color="#b7791f" penwidth="1.8"',
    "assumed fact": 'style="filled,rounded,dashed" fillcolor="#fdf0d5" color="#b7791f" penwidth="1.8"',
}


def dot(lineage: Lineage) -> str:
    """Write a lineage as DOT text: facts above, the metrics asked for below.

    >>> from runlineage import Scenarios
    >>> print(dot(Scenarios.Gpt3PublishedRun.lineage("achieved_rate")).splitlines()[0])
    digraph lineage {
    """
    lines = [
        "digraph lineage {",
        '  graph [rankdir="TB" bgcolor="white" pad="0.2" nodesep="0.3" ranksep="0.45"];',
        f'  graph [fontname="Helvetica" fontsize="16" labelloc="t" label={quoted(lineage.subject)}];',
        '  node [shape="box" fontname="Helvetica" fontsize="11" margin="0.12,0.06"];',
        '  edge [color="#666666" arrowsize="0.7"];',
    ]
    lines += [
        f"  {quoted(name)} [{STYLES[_style(lineage, entry)]} label={_label(entry)}];"
        for name, entry in lineage.entries.items()
    ]
    lines += [
        f"  {quoted(parent)} -> {quoted(name)};" for name, entry in lineage.entries.items() for parent in entry.parents
    ]
    lines += [f"  {line}" for line in _warning_box(lineage.warnings)]
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    """Quote a text for DOT."""
    return '"' + plain_text(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _style(lineage: Lineage, entry: Entry) -> str:
    if entry.is_fact:
        return "assumed fact" if entry.basis == "assumed" else "fact"
    if entry.assumption:
        return "assumed"
    return "output" if entry.name in lineage.outputs else "derived"


def _label(entry: Entry) -> str:
    """Lay out a box: name, value, then how it came about, in smaller type."""
    small = (
        [origin_text(entry), entry.note]
        if entry.is_fact
        else [f"by {entry.route}" if entry.route else "", f"= {entry.equation}", _rests_on(entry)]
    )
    rows = [f"<b>{escaped(entry.name)}</b>", f'<font point-size="14">{escaped(value_text(entry))}</font>']
    for text in filter(None, small):
        rows += [f'<font point-size="9" color="#444444">{escaped(line)}</font>' for line in _lines(text)]
    cells = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{cells}</table>>'


def _rests_on(entry: Entry) -> str:
    basis = f'assumption "{entry.assumption}"' if entry.assumption else entry.basis
    return basis + (f"; excludes {entry.excludes}" if entry.excludes else "")


def _lines(text: str) -> list[str]:
    """Wrap a text to a box, keeping `Table 4` and `(derived)` whole."""
    return textwrap.wrap(re.sub(r"\b(Table|Sec\.|App\.|Fig\.|Eq\.) (?=\S)", "\\1\u00a0", text), LINE)


def escaped(text: str) -> str:
    """Escape a text for an HTML-like label."""
    return plain_text(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _warning_box(warnings: Iterable[str]) -> list[str]:
    rows = [
        f"<b>warning</b> {escaped(line)}" if not place else escaped(line)
        for text in warnings
        for place, line in enumerate(textwrap.wrap(text, 70))
    ]
    if not rows:
        return []
    return [
        f'"warnings" [shape="note" style="filled" fillcolor="#fde2e1" color="#b3261e" label=<{"<br/>".join(rows)}>];'
    ]
