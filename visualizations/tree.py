"""Lineage as a text tree: each number above what it came from."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.ranges import interval_text
from runlineage.catalogs.quantities.units import is_ours
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.entries import Entry, Way, summary
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import Printed
from runlineage.dataflow.graph.results import GIVEN
from runlineage.visualizations.printed_figures import comparison, printed_figure, printed_figures

WIDTH = 79
LONGEST_VALUE = 40  # of a user's own value; a number or quantity of ours is always whole
WRITTEN = (str, int, bool, list, type(None))  # what is written as it is, if briefly
MOST_SHOWN = 6  # cells of a user's own array
DEEPEST = 36  # columns where indenting stops: a chain of thousands is still text to read


def tree(lineage: Lineage, *, width: int = WIDTH) -> str:
    """Draw a lineage as text, wrapped to a width.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="LLaMA 65B", accelerator_hours=1_022_362, device_power="400 W")
    >>> print(tree(run.lineage("energy")))
    energy = 0.408945 GWh
      by power_time: accelerator_hours × device_power (derived)
      = 1,022,362 accelerator·hour × 400 W per accelerator
      excludes facility overhead, varying power
    ├─ accelerator_hours = 1,022,362 accelerator·hour
    │    stated, given by the caller
    └─ device_power = 400 W per accelerator
         stated, given by the caller
    """
    if lineage.parts:
        return "\n\n".join(f"{part.subject}\n\n{tree(part, width=width)}" for part in lineage.parts if part.outputs)
    lines: list[str] = []
    seen: set[str] = set()
    printed = printed_figures(lineage)
    for output in lineage.outputs:
        if output not in seen:
            _branches(lineage, output, printed, lines, seen, width)
    return "\n".join(map(plain_text, lines))


def closed_routes(lineage: Lineage, *, width: int = WIDTH) -> str:
    """List the routes that were not taken: those that were possible, and what is missing for the others."""
    lines = []
    for name, entry in lineage.entries.items():
        lines += [f"{name} by {way.name}: {way_text(way)}" for way in entry.ways if way.state != "taken"]
    return "\n".join(part for line in lines for part in wrapped(line, "  ", width))


def unused_facts(lineage: Lineage, *, width: int = WIDTH) -> str:
    """List what is published of the facts upstream and not used, with the reason."""
    lines = []
    for name, (withheld, facts) in lineage.unused.items():
        if withheld:
            lines.append(f"{name} is withheld: {withheld}")
        lines += [f"{name}: {published_text(fact)}" for fact in facts if fact.value is not None]
    return "\n".join(part for line in lines for part in wrapped(line, "  ", width))


def reported_facts(lineage: Lineage, *, width: int = WIDTH) -> str:
    """List what the authors themselves publish of the answers, for comparison."""
    lines = []
    for name, fact in lineage.reported.items():
        text = "; ".join(filter(None, (published_text(fact), comparison(printed_figure(lineage, name)))))
        lines.append(f"{name.removeprefix('reported_')}: {text}" + (f": {fact.note}" if fact.note else ""))
    return "\n".join(part for line in lines for part in wrapped(line, "  ", width))


def sources(lineage: Lineage, *, width: int = WIDTH) -> str:
    """List the sources of a lineage as a bibliography."""
    lines: dict[str, None] = {}
    for entry in lineage.entries.values():
        if entry.citation:
            read = f"read {entry.citation.reading} on {entry.citation.read_on}"
            through = f" through {entry.citation.through}" if entry.citation.through else ""
            lines[
                f"[{entry.source}] {entry.citation}: {entry.citation.title}. {entry.citation.url} ({read}{through})"
            ] = None
    return "\n".join(part for line in lines for part in wrapped(line, "  ", width))


def value_text(value: object) -> str:
    """Write a value for people: a quantity, a word; a user's own table or long text in short."""
    shape = getattr(value, "shape", ())
    if is_ours(value):
        return people(value)
    if isinstance(value, float):
        return number(value)
    if len(shape) > 1 or (shape and shape[0] > MOST_SHOWN) or not (shape or isinstance(value, WRITTEN)):
        return summary(value)
    return textwrap.shorten(str(value), LONGEST_VALUE, placeholder=" …")


def entry_text(entry: Entry) -> str:
    """Write the value of an entry for people, with its interval where it is uncertain."""
    if entry.interval is None:
        return value_text(entry.value)
    return interval_text(entry.value, *entry.interval)


def route_text(entry: Entry) -> str:
    """Describe how an entry was computed: route, equation and basis."""
    by = f"by {entry.route}: " if entry.route else ""
    basis = f'assumption "{entry.assumption}"' if entry.assumption else entry.basis
    return f"{by}{entry.equation} ({basis})"


def way_text(way: Way) -> str:
    """Describe a route not taken: what it would give, or what is missing."""
    if way.state == "closed":
        return way.lacks
    gives = f", would give {value_text(way.value)}" if way.value is not None else ""
    return f"possible{gives}; not preferred"


def working_text(entry: Entry) -> str:
    """Write an equation with its numbers; nothing where it only repeats the value."""
    computed = re.search(r"[×÷+−(]", entry.equation) and entry.working != entry.equation
    return f"= {entry.working}" if computed else ""


def origin_text(entry: Entry) -> str:
    """Describe where a fact comes from: basis, source, place."""
    source = str(entry.citation) if entry.citation else entry.source if entry.source == GIVEN else f'"{entry.source}"'
    return f"{entry.basis}, {source}" + (f", {entry.place}" if entry.place else "")


def beside_text(fact: Fact) -> str:
    """Describe what else is published for a quantity, and why it is not used."""
    return f"also published, not used: {published_text(fact)}"


def published_text(fact: Fact) -> str:
    """Write a published fact: value, source, place, and the reason why it is not used."""
    value = interval_text(fact.value, fact.low, fact.high) if fact.is_range else value_text(fact.value)
    place = f", {fact.place}" if fact.place else ""
    source = f" [{fact.source}{place}]" if fact.source else ""
    return value + source + (f": {fact.reason}" if fact.reason else "")


def _branches(
    lineage: Lineage, output: str, printed: Mapping[str, Printed], lines: list[str], seen: set[str], width: int
) -> None:
    # A stack and no recursion: the lineage of a user's graph may be deep.
    stack = [(output, "", "")]
    while stack:
        name, first, rest = stack.pop()
        entry = lineage.entries[name]
        again = name in seen and bool(entry.parents)
        lines.append(f"{first}{name} = {entry_text(entry)}" + (" (see above)" if again else ""))
        if again:
            continue
        seen.add(name)
        stem = rest + ("│" if entry.parents and first else " ") + " " if first else "  "
        for text in (*_details(entry), *([str(printed[name])] if name in printed else [])):
            lines += wrapped(text, stem, width)
        stack += reversed([_placed(parent, rest, last=parent == entry.parents[-1]) for parent in entry.parents])


def _placed(parent: str, rest: str, *, last: bool) -> tuple[str, str, str]:
    """Return a parent with what stands before its first line and before the others."""
    deeper = ("   " if last else "│  ") if len(rest) < DEEPEST else ""
    return parent, rest + ("└─ " if last else "├─ "), rest + deeper


def _details(entry: Entry) -> list[str]:
    if entry.is_fact:
        details = [origin_text(entry), entry.note]
    else:
        details = [route_text(entry), working_text(entry), f"excludes {entry.excludes}" if entry.excludes else ""]
        details.append(entry.note)
    return [text for text in (*details, *map(beside_text, entry.beside)) if text]


def wrapped(text: str, stem: str, width: int) -> list[str]:
    """Wrap a text behind what stands before its first line; the other lines are indented."""
    return textwrap.wrap(
        plain_text(text),
        width,
        initial_indent=stem,
        subsequent_indent=stem + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
