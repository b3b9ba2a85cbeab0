"""Lineage as a Mermaid flowchart, which code hosts and note-taking tools draw by themselves."""

from __future__ import annotations

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import Printed
from runlineage.visualizations.pictures.boxes import box_kind, name_lines, small_print, value_lines
from runlineage.visualizations.printed_figures import printed_figures

BRACKETS = {
    "fact": ("([", "])"),
    "given": ("([", "])"),
    "derived": ("[", "]"),
    "output": ("[[", "]]"),
    "assumed": ("{{", "}}"),
    "warning": (">", "]"),
}
CLASSES = {
    "fact": "fill:#f7f7f5,stroke:#8a8a84,color:#111",
    "given": "fill:#ffffff,stroke:#8a8a84,color:#111",
    "derived": "fill:#dcebf7,stroke:#0072b2,color:#111",
    "output": "fill:#b5d6ee,stroke:#00456b,stroke-width:3px,color:#111",
    "assumed": "fill:#fdf0d0,stroke:#b36b00,stroke-dasharray:5 4,color:#111",
    "warning": "fill:#fbe3d6,stroke:#b33f00,color:#111",
}


def mermaid(lineage: Lineage) -> str:
    """Write a lineage as Mermaid text: facts above, the metrics asked for below; several runs are subgraphs.

    >>> from runlineage import Scenarios
    >>> print(mermaid(Scenarios.Gpt3PublishedRun.lineage("duration")).splitlines()[1])
      n0(["<b>duration</b><br/>14.8 day<br/>stated, Patterson et al. (2021), Table 4"]):::fact
    """
    keys = {name: f"n{place}" for place, name in enumerate(lineage.entries)}
    printed = printed_figures(lineage)
    lines = ["flowchart TD"]
    for place, part in enumerate(lineage.parts):
        own = [name for name, entry in lineage.entries.items() if entry.subject == part.subject]
        lines += [f"  subgraph s{place}[{_quoted(part.subject)}]"]
        lines += [f"  {_box(lineage, name, keys[name], printed.get(name))}" for name in own]
        lines += [*_warned(part.warnings, place), "  end"]
    if not lineage.parts:
        lines += [_box(lineage, name, key, printed.get(name)) for name, key in keys.items()]
        lines += _warned(lineage.warnings, 0)
    for name, entry in lineage.entries.items():
        lines += [f"  {keys[parent]} --> {keys[name]}" for parent in entry.parents]
    lines += [
        f"  click {keys[name]} href {_quoted(entry.link)} _blank"
        for name, entry in lineage.entries.items()
        if entry.link
    ]
    used = {box_kind(lineage, name, entry) for name, entry in lineage.entries.items()}
    used |= {"warning"} if lineage.warnings else set()
    lines += [f"  classDef {kind} {look}" for kind, look in CLASSES.items() if kind in used]
    return "\n".join(lines) + "\n"


def _box(lineage: Lineage, name: str, key: str, printed: Printed | None) -> str:
    entry: Entry = lineage.entries[name]
    kind = box_kind(lineage, name, entry)
    bold = "<br/>".join(f"<b>{_escaped(line)}</b>" for line in name_lines(entry.called))
    rest = [_escaped(line) for line in (*value_lines(entry), *small_print(entry, printed))]
    first, last = BRACKETS[kind]
    return f'  {key}{first}"{"<br/>".join([bold, *rest])}"{last}:::{kind}'


def _warned(warnings: tuple[str, ...], place: int) -> list[str]:
    first, last = BRACKETS["warning"]
    text = "<br/>".join(_escaped(warning) for warning in warnings)
    return [f'  w{place}{first}"{text}"{last}:::warning'] if warnings else []


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Write every sign that Mermaid or HTML could take for its own as a character code."""
    plain = plain_text(text)
    return "".join(f"#{ord(each)};" if each in '"&<>#;`' else each for each in plain)
