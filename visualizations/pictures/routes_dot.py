"""All routes as DOT: each quantity with every way to it, the taken ones bold; and the bare graph of node modules."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Literal

from runlineage.dataflow.graph.entries import Entry, Way
from runlineage.dataflow.graph.equations import described
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.routes.routes import ONLY
from runlineage.visualizations.pictures.boxes import STYLES, box_kind, name_lines, value_lines, wrapped
from runlineage.visualizations.pictures.dot import OPENING, box, escaped, label, picture_title, quiet, quoted, titled
from runlineage.visualizations.printed_figures import printed_figures
from runlineage.visualizations.tree import origin_text, way_text

EDGES = {
    "taken": 'color="#00456b" penwidth="2.2"',
    "open": 'color="#777777"',
    "closed": 'color="#aaaaaa" style="dotted"',
}
WAYS = {
    "taken": 'shape="box" style="filled,diagonals" fillcolor="#b5d6ee" color="#00456b" penwidth="2"',
    "open": 'shape="box" style="filled,diagonals" fillcolor="#ffffff" color="#777777"',
    "closed": 'shape="box" style="dashed,diagonals" color="#999999" fontcolor="#6b6b66"',
}
LEGEND = "cut corners: a route   bold: taken   thin: possible, with the value it would give   dashed: closed"


def routes_dot(lineage: Lineage) -> str:
    """Write every route to a run's metrics as DOT text: taken, possible with the value it would give, or closed.

    >>> from runlineage import Scenarios
    >>> text = routes_dot(Scenarios.Gpt3PublishedRun.lineage())
    >>> print("needs accelerator_hours" in text, "3.1428×10²³ flop" in text)
    True True
    """
    lines = ["digraph routes {", *OPENING, f"  label=<{titled(picture_title(lineage), LEGEND)}>;"]
    for part in lineage.runs:
        whose = f" of {part.subject}" if lineage.parts else ""
        entries, printed = {**part.entries, **part.beyond}, printed_figures(part)
        for name, entry in entries.items():
            there = name in part.entries
            attributes = box(entry, box_kind(part, name, entry), printed.get(name)) if there else _beyond(entry)
            lines.append(f"  {quoted(name + whose)} [{attributes}];")
            lines += _words(name, entry, whose)
            lines += [line for way in entry.ways for line in _way(name, way, way_text(way), whose)]
    return "\n".join([*lines, "}"]) + "\n"


def module_dot(*modules: ModuleType) -> str:
    """Write the bare graph of node modules as DOT text, ours when none is named: every route, and no values.

    >>> print(module_dot().splitlines()[0])
    digraph routes {
    """
    shown = modules or MODULES
    book = read_routes(*shown)
    title = ", ".join(module.__name__.rpartition(".")[2] for module in shown)
    explained = "rounded: a fact   square: computed   cut corners: a route   dashed: only if assumed"
    lines = ["digraph routes {", *OPENING, f"  label=<{titled(title, explained)}>;"]
    names = dict.fromkeys(
        [*book.routes, *(need for routes in book.routes.values() for r in routes for need in r.needs)]
    )
    for name in names:
        fact = name not in book.routes or name in book.inputs
        rows = [f"<b>{escaped(line)}</b>" for line in name_lines(name)]
        lines.append(f"  {quoted(name)} [{STYLES['fact' if fact else 'derived']} label={label(rows)}];")
        for route in book.routes.get(name, ()):
            state: Literal["open", "closed"] = "closed" if route.assumption else "open"
            way = Way(route.name or ONLY, state, described(route)[0], route.needs, route.assumption)
            assumed = f'only if "{route.assumption}" is assumed' if route.assumption else ""
            lines += _way(name, way, assumed, "")
    return "\n".join([*lines, "}"]) + "\n"


def _way(name: str, way: Way, note: str, whose: str) -> list[str]:
    """Write a route's box with its edges; a quantity's only route has one too."""
    key = quoted(f"{name}{whose} by {way.name}")
    notes = [] if way.state == "taken" else wrapped(note)
    rows = [escaped(way.name), *(quiet(line) for line in [*wrapped(f"= {way.equation}"), *notes])]
    edge = EDGES[way.state]
    return [
        f'  {key} [class="way {way.state}" {WAYS[way.state]} label={label(rows)} tooltip={quoted(way.equation)}];',
        *(f"  {quoted(need + whose)} -> {key} [{edge}];" for need in way.needs),
        f"  {key} -> {quoted(name + whose)} [{edge}];",
    ]


def _words(name: str, entry: Entry, whose: str) -> Iterable[str]:
    """Lead from the words by which a fact was looked up."""
    if entry.is_fact:
        yield from (f"  {quoted(word + whose)} -> {quoted(name + whose)} [{EDGES['taken']}];" for word in entry.parents)


def _beyond(entry: Entry) -> str:
    """Draw a quantity that was not had, or that was there and not needed."""
    rows = [f"<b>{escaped(line)}</b>" for line in name_lines(entry.called)]
    if entry.value is not None:
        rows += [escaped(line) for line in value_lines(entry)]
        rows += [quiet(line) for line in wrapped(f"not used; {origin_text(entry)}")]
    about = f"{entry.called}: {entry.about}" if entry.about else entry.called
    return f'class="missing" {STYLES["missing"]} label={label(rows)} tooltip={quoted(about)}'
