"""What a box of a diagram says and looks like: kinds told apart by shape and outline as well as by colour.

The hues (blue, orange, vermilion) are ones that colour-blind readers tell apart; their lightness differs as well.
"""

from __future__ import annotations

import re
import textwrap

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import Printed
from runlineage.dataflow.graph.results import GIVEN
from runlineage.visualizations.assumptions import is_tdp_as_power
from runlineage.visualizations.tree import entry_text, origin_text, working_text

LINE = 50

# Kind of box: its DOT attributes. A class of the same name carries the colours of dark pages (svg_style).
STYLES = {
    "fact": 'shape="box" style="filled,rounded" fillcolor="#f7f7f5" color="#8a8a84"',
    "given": 'shape="box" style="filled,rounded" fillcolor="#ffffff" color="#8a8a84"',
    "derived": 'shape="box" style="filled" fillcolor="#dcebf7" color="#0072b2"',
    "output": 'shape="box" style="filled" fillcolor="#b5d6ee" color="#00456b" penwidth="2.4"',
    "assumed": 'shape="tab" style="filled,dashed" fillcolor="#fdf0d0" color="#b36b00" penwidth="1.8"',
    "missing": 'shape="box" style="rounded,dotted" color="#8a8a84" fontcolor="#6b6b66"',
    "warning": 'shape="note" style="filled" fillcolor="#fbe3d6" color="#b33f00"',
}
LOOKS = {
    "fact": "rounded: published",
    "given": "rounded, white: given by the caller",
    "derived": "square: computed",
    "output": "bold: asked for",
    "assumed": "dashed, with a tab: assumed",
    "missing": "dotted: not there",
    "warning": "folded corner: warning",
}


def box_kind(lineage: Lineage, name: str, entry: Entry) -> str:
    """Return the kind of an entry's box."""
    if entry.assumption or (entry.is_fact and entry.basis == "assumed"):
        return "assumed"
    if is_tdp_as_power(lineage, entry):
        return "assumed"
    if entry.is_fact:
        return "given" if entry.source == GIVEN else "fact"
    return "output" if name in lineage.outputs else "derived"


def small_print(entry: Entry, printed: Printed | None = None) -> list[str]:
    """Describe how a quantity came about, and what authors print of it, in lines that fit a box."""
    if entry.is_fact:
        texts = [origin_text(entry), entry.note]
    else:
        by = f"by {entry.route}" if entry.route else ""
        texts = [by, f"= {entry.equation}", working_text(entry), _rests_on(entry)]
    texts.append(str(printed) if printed else "")
    return [line for text in filter(None, texts) for line in wrapped(text)]


def name_lines(name: str) -> list[str]:
    """Cut a long name at its underscores, so that a box stays a box."""
    pieces = textwrap.wrap(plain_text(name).replace("_", "_ "), LINE, break_on_hyphens=False)
    return [piece.replace("_ ", "_") for piece in pieces] or [""]


def value_lines(entry: Entry) -> list[str]:
    """Write the value, a long one in several lines."""
    return textwrap.wrap(plain_text(entry_text(entry)), LINE) or [""]


def _rests_on(entry: Entry) -> str:
    basis = f'assumption "{entry.assumption}"' if entry.assumption else entry.basis
    return basis + (f"; excludes {entry.excludes}" if entry.excludes else "")


def wrapped(text: str, width: int = LINE) -> list[str]:
    """Wrap a text to a box, keeping `Table 4` and `(derived)` whole."""
    return textwrap.wrap(re.sub(r"\b(Table|Sec\.|App\.|Fig\.|Eq\.) (?=\S)", "\\1\u00a0", plain_text(text)), width)


def legend(kinds: set[str]) -> str:
    """Explain the kinds of box that a picture holds."""
    return "   ".join(look for kind, look in LOOKS.items() if kind in kinds)
