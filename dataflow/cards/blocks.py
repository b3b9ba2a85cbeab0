"""The records of what a card states: a block is of one model that it names, or of the card's only one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from runlineage.dataflow.cards.body import Headings, Line
from runlineage.dataflow.cards.labels import IN_WORDS, KINDS, OF_TOOLS, OF_TRAINING
from runlineage.dataflow.cards.meanings import FIGURES, LABEL_OF, NUMERIC, OF_OTHERS, OF_USE, SIZES, UNFILLED
from runlineage.dataflow.cards.stages import SHARED, stage_of

FIGURE = re.compile(r"(?<![A-Za-z0-9.,])[0-9]")  # not that of CO2


@dataclass(frozen=True)
class Cell:
    """A figure as written, with the unit of its heading, its line, and its label."""

    text: str
    unit: str
    line: int
    label: str


@dataclass
class Block:
    """Figures of one model, by what they are; a block without a name is of the card's only model."""

    name: str
    line: int
    cells: list[tuple[str, Cell]] = field(default_factory=list)
    stage: str = ""  # the heading above that names a stage after pre-training

    @property
    def words(self) -> tuple[str, ...]:
        """The name and the figures as written: equal rows have the same."""
        return (self.name, *(part for kind, cell in self.cells for part in (kind, cell.text)))

    @property
    def kinds(self) -> set[str]:
        """What the figures are."""
        return {kind for kind, _ in self.cells}

    @property
    def is_staged(self) -> bool:
        """Whether it holds figures of one stage of training, such as hours."""
        return bool(self.kinds - SHARED)


def is_beneath(pattern: re.Pattern[str], headings: Headings) -> bool:
    """Whether one of the headings above, but for the card's title, holds a pattern."""
    return any(pattern.search(each.casefold()) for each in headings[1:] or headings)


def _is_statement(kind: str, text: str, headings: Headings, *, is_own: bool) -> bool:
    """Whether a text can state what its label asks for; what stands behind a label of the hub's template always can."""
    if kind == "bare_precision" and not any(OF_TRAINING.search(each.casefold()) for each in headings):
        return False
    if kind == "Hardware Type" and is_own:
        return any(each.isdigit() for each in text)
    if kind in SIZES:
        return bool(NUMERIC.match(text))
    return not is_own or kind in IN_WORDS or bool(FIGURE.search(text))


@dataclass
class Blocks:
    """All blocks of a card, and what looked like one and is not."""

    figures: list[Block] = field(default_factory=list)  # rows of hours, power and emissions
    sizes: list[Block] = field(default_factory=list)  # rows of parameters and tokens
    sections: dict[Headings, Block] = field(default_factory=dict)  # labelled lines and keys, by the headings above
    unused: list[str] = field(default_factory=list)
    unread: list[Line] = field(default_factory=list)  # lines without a label that is known

    def row(self, block: Block) -> None:
        """Add a row of a table, or a column of one whose rows are keys."""
        (self.figures if block.kinds & FIGURES else self.sizes).append(block)

    def label(self, headings: Headings, kind: str, cell: Cell) -> None:
        """Add what stands behind a label or a key."""
        is_own = cell.label.casefold() not in LABEL_OF and kind in KINDS
        if UNFILLED.fullmatch(cell.text) or not _is_statement(kind, cell.text, headings, is_own=is_own):
            return
        of_others = kind in SIZES or (kind in OF_TOOLS and is_own)
        if is_beneath(OF_USE, headings) or (of_others and is_beneath(OF_OTHERS, headings)):
            self.unused.append(f"line {cell.line}: {cell.label}, which is not of this card's training")
        else:
            block = self.sections.setdefault(headings, Block("", cell.line, stage=stage_of(headings)))
            block.cells.append((kind, cell))
