"""The blocks of a card's body: rows of its tables, and sections by their labels and keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from runlineage.dataflow.cards.blocks import Blocks, Cell
from runlineage.dataflow.cards.body import Body, Line
from runlineage.dataflow.cards.hardware import same_devices
from runlineage.dataflow.cards.labels import KINDS, OF_RUNS
from runlineage.dataflow.cards.meanings import FIGURES, LABEL_OF, SIZES, key_of
from runlineage.dataflow.cards.table_blocks import take_table

LABELLED = re.compile(
    r"[\s>*_•·–—-]*(?P<label>[A-Za-z#][A-Za-z0-9₂ _/#-]{1,60}?) ?(?P<more>\([^():]{1,200}\))? ?[:：](?P<value>.*)",
    re.DOTALL,
)
AGAIN = re.compile(r"(?:carbon emitted ?)?\([^():]{1,200}\) ?: ?", re.IGNORECASE)  # what follows some labels
AMOUNT = re.compile(r"(?P<digits>[0-9][0-9,.]*) ?(?P<scale>[kmbt]?)", re.IGNORECASE)
SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}
# What may tell models apart; a design, a precision or a kind of training that is written twice in other words does not.
OF_MODELS = {*FIGURES, *SIZES, *OF_RUNS, *LABEL_OF.values()}
ROUNDED = 1.1  # the same size is printed as 7B and as 6.74B


def blocks_of(body: Body) -> Blocks:
    """Return the blocks of a body.

    >>> from runlineage.dataflow.cards.body import read_body
    >>> blocks = blocks_of(read_body("| Model | GPU hours |\\n|-|-|\\n| Small | 370k |\\n| Total | 370k |\\n"))
    >>> print([(block.name, block.cells[0][1].text) for block in blocks.figures])
    [('Small', '370k')]
    """
    blocks = Blocks()
    for table in body.tables:
        take_table(table, blocks)
    for line in body.lines:
        if not _take_line(line, blocks):
            blocks.unread.append(line)
    blocks.unread = sorted([*blocks.unread, *body.sentences], key=lambda line: line.number)
    _name_sections(blocks)
    return blocks


def _take_line(line: Line, blocks: Blocks) -> bool:
    """Take a line, and return whether its label is known."""
    match = LABELLED.match(line.outside)
    if not match:
        return False
    label = match["label"]
    kind, unit = key_of(f"{label} {match['more']}") if match["more"] else ("", "")
    if not kind:
        kind, unit = key_of(label)
        unit = unit or (match["more"] or "")[1:-1] * (kind in KINDS and label.casefold() not in LABEL_OF)
    if kind:
        text = AGAIN.sub("", " ".join(line.text[match.start("value") :].split()))
        blocks.label(line.headings, kind, Cell(text, unit, line.number, label))
    return bool(kind)


def _name_sections(blocks: Blocks) -> None:
    """Name the sections that state different things of one kind by the headings above them: they are of models."""
    texts: dict[str, set[str]] = {}
    for block in blocks.sections.values():
        for kind, cell in block.cells:
            texts.setdefault(kind, set()).add(cell.text)
    sections = Counter(kind for block in blocks.sections.values() for kind in block.kinds)
    several = {kind for kind, values in texts.items() if sections[kind] > 1 and _differ(kind, values)}
    named = [headings for headings, block in blocks.sections.items() if block.kinds & several]
    shared = Counter((place, title) for headings in named for place, title in enumerate(reversed(headings)))
    for headings in named:
        alone = [title for place, title in enumerate(reversed(headings)) if shared[place, title] == 1]
        blocks.sections[headings].name = next(iter(alone), " › ".join(headings) or "no heading")


def _differ(kind: str, texts: Iterable[str]) -> bool:
    """Whether texts mean several things; a size is the same in other digits."""
    amounts = [_amount(text) for text in texts] if kind in SIZES else []
    if amounts and all(amounts):
        return max(amounts) > ROUNDED * min(amounts)
    if kind == "Hardware Type":
        return not same_devices(set(texts))
    return kind in OF_MODELS and len(set(texts)) > 1


def _amount(text: str) -> float:
    match = AMOUNT.match(text)
    digits = match["digits"].replace(",", "").rstrip(".") if match else "0"
    return float(digits) * SCALES[match["scale"].lower()] if match and digits.count(".") < 2 else 0.0
