"""What a card states, in blocks: a block is of one model that it names, or of the card's only one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.cards.body import Body, Headings, Table
from runlineage.dataflow.cards.meanings import (
    FIGURES,
    KEYS,
    NUMERIC,
    OF_ANYTHING,
    OF_MODELS,
    OF_OTHERS,
    SIZES,
    SUMS,
    UNFILLED,
    VALUES,
    column_of,
    key_of,
)

LABELLED = re.compile(
    r"[\s>*_•·–—-]*(?P<label>[A-Za-z#][A-Za-z0-9 _/#-]{1,60}?) ?(?P<more>\([^():]{1,200}\))? ?[:：](?P<value>.*)",
    re.DOTALL,
)


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

    @property
    def kinds(self) -> set[str]:
        """What the figures are."""
        return {kind for kind, _ in self.cells}


@dataclass
class Blocks:
    """All blocks of a card, and what looked like one and is not."""

    figures: list[Block] = field(default_factory=list)  # rows of hours, power and emissions
    sizes: list[Block] = field(default_factory=list)  # rows of parameters and tokens
    sections: dict[Headings, Block] = field(default_factory=dict)  # labelled lines and keys, by the headings above
    unused: list[str] = field(default_factory=list)

    def label(self, headings: Headings, kind: str, cell: Cell) -> None:
        """Add what stands behind a label or a key."""
        if not UNFILLED.fullmatch(cell.text) and (kind not in SIZES or NUMERIC.match(cell.text)):
            self.sections.setdefault(headings, Block("", cell.line)).cells.append((kind, cell))


def blocks_of(body: Body) -> Blocks:
    """Return the blocks of a body.

    >>> from runlineage.dataflow.cards.body import read_body
    >>> blocks = blocks_of(read_body("| Model | GPU hours |\\n|-|-|\\n| Small | 370k |\\n| Total | 370k |\\n"))
    >>> print([(block.name, block.cells[0][1].text) for block in blocks.figures])
    [('Small', '370k')]
    """
    blocks = Blocks()
    for table in body.tables:
        _take_table(table, blocks)
    for line in body.lines:
        match = LABELLED.match(line.outside)
        if match:
            label = match["label"]
            kind, unit = key_of(f"{label} {match['more']}") if match["more"] else ("", "")
            kind, unit = (kind, unit) if kind else key_of(label)
            if kind:
                text = " ".join(line.text[match.start("value") :].split())
                blocks.label(line.headings, kind, Cell(text, unit, line.number, label))
    _name_sections(blocks)
    return blocks


@dataclass(frozen=True)
class _Head:
    """The heading of a table: its line and cells, the known columns by place, and the place of names."""

    line: int
    cells: list[str]
    columns: dict[int, tuple[str, str]]
    names: int | None
    of_models: bool


def _head_of(line: int, cells: list[str]) -> _Head | None:
    """Return a row as heading, where it names a known column and holds no figure."""
    known = {place: column for place, cell in enumerate(cells) if (column := column_of(cell))[0]}
    if not known or any(NUMERIC.match(cell) for cell in cells):
        return None
    named = [place for place, cell in enumerate(cells) if OF_MODELS.fullmatch(cell.casefold())]
    by_size = not named and known.get(0, ("", ""))[0] == "parameters"  # models called by their sizes
    names = named[0] if named else 0 if by_size or OF_ANYTHING.fullmatch(cells[0].casefold()) else None
    columns = {place: column for place, column in known.items() if by_size or place != names}
    return _Head(line, cells, columns, names, bool(named or by_size)) if columns else None


def _take_table(table: Table, blocks: Blocks) -> None:
    if any(_head_of(line, cells) for line, cells in table.rows[:4]) and not _is_keyed(table):
        _take_rows(table, blocks)
    else:
        _take_keys(table, blocks)


def _take_rows(table: Table, blocks: Blocks) -> None:
    """Take the rows beneath each heading of a table, if the heading and the figures are of models."""
    head: _Head | None = None
    beneath: list[tuple[int, list[str]]] = []
    for line, cells in table.rows:
        new = _head_of(line, cells)
        if new is None:
            beneath.append((line, cells))
            continue
        if head:
            _take_part(head, beneath, table.headings, blocks)
        head, beneath = new, []
    if head:
        _take_part(head, beneath, table.headings, blocks)


def _take_part(head: _Head, rows: list[tuple[int, list[str]]], headings: Headings, blocks: Blocks) -> None:
    columns = {
        place: ("training_tokens" if name == "tokens" else name, unit)
        for place, (name, unit) in head.columns.items()
        if name in FIGURES or any(place < len(cells) and NUMERIC.match(cells[place]) for _, cells in rows)
    }
    kinds = {name for name, _ in columns.values()}
    if not kinds or not _is_of_models(head, kinds, headings):
        if kinds:
            first = plain_text(head.cells[0])[:40] or "no heading"
            blocks.unused.append(f"line {head.line}: a table by {first!r}, which is not of this card's models")
        return
    target = blocks.figures if kinds & FIGURES else blocks.sizes
    alone = len(rows) == 1 and head.names in head.columns  # the size of the card's own model
    seen = set()
    for line, cells in rows:
        name = cells[head.names] if head.names is not None and head.names < len(cells) else ""
        found = [
            (kind, Cell(cells[place], unit, line, head.cells[place]))
            for place, (kind, unit) in columns.items()
            if place < len(cells) and not UNFILLED.fullmatch(cells[place])
        ]
        if not found or not name or name.casefold() in SUMS:
            continue
        key = (name, *((kind, cell.text) for kind, cell in found))
        if alone:
            for kind, cell in found:
                blocks.label(headings, kind, cell)
        elif key not in seen:
            seen.add(key)
            target.append(Block(plain_text(name), line, found))


def _is_of_models(head: _Head, kinds: set[str], headings: Headings) -> bool:
    if head.names is None:
        return False
    if kinds & FIGURES:
        return True
    if any(OF_OTHERS.search(each.casefold()) for each in headings):
        return False
    explicit = any(name == "training_tokens" for name, _ in head.columns.values())
    return head.of_models or explicit or {"parameters", "training_tokens"} <= kinds


def _is_keyed(table: Table) -> bool:
    """Whether a table's heading is of keys and values, whatever else the words may mean."""
    cells = table.rows[0][1]
    return (
        len(cells) >= 2
        and bool(KEYS.fullmatch(cells[0].casefold()) and VALUES.fullmatch(cells[1].casefold()))
        and (bool(cells[0] or cells[1]))
    )


def _take_keys(table: Table, blocks: Blocks) -> None:
    """Take the figures of a table of keys, whose columns are values or, by their headings, models."""
    if not table.rows or not table.rows[0][1]:
        return
    head = table.rows[0][1]
    pairs = [(line, cells, *key_of(cells[0])) for line, cells in table.rows if len(cells) >= 2]
    known = [pair for pair in pairs if pair[2]]
    if not known or not (KEYS.fullmatch(head[0].casefold()) or key_of(head[0])[0]):
        return
    single = len(head) == 2 or any(VALUES.fullmatch(cell.casefold()) and cell for cell in head[1:])
    place = next((place for place, cell in enumerate(head) if place and cell and VALUES.fullmatch(cell.casefold())), 1)
    if single:
        for line, cells, kind, unit in known:
            if place < len(cells):
                blocks.label(table.headings, kind, Cell(cells[place], unit, line, cells[0]))
    elif head[0] and KEYS.fullmatch(head[0].casefold()):
        for place, name in enumerate(head[1:], 1):
            found = [
                (kind, Cell(cells[place], unit, line, cells[0]))
                for line, cells, kind, unit in known
                if place < len(cells) and NUMERIC.match(cells[place])
            ]
            if found and name and not UNFILLED.fullmatch(name):
                target = blocks.figures if any(kind in FIGURES for kind, _ in found) else blocks.sizes
                target.append(Block(plain_text(name), found[0][1].line, found))


def _name_sections(blocks: Blocks) -> None:
    """Name the sections that state different things of one kind by the headings above them: they are of models."""
    texts: dict[str, set[str]] = {}
    for block in blocks.sections.values():
        for kind, cell in block.cells:
            texts.setdefault(kind, set()).add(cell.text)
    sections = Counter(kind for block in blocks.sections.values() for kind in block.kinds)
    several = {kind for kind, values in texts.items() if len(values) > 1 and sections[kind] > 1}
    named = [headings for headings, block in blocks.sections.items() if block.kinds & several]
    for headings in named:
        blocks.sections[headings].name = _title(headings, named)


def _title(path: Headings, paths: list[Headings]) -> str:
    """Return the last heading that distinguishes one path of headings from the others, else the whole path."""
    for place in range(1, len(path) + 1):
        if sum(len(each) >= place and each[-place] == path[-place] for each in paths) == 1:
            return path[-place]
    return " › ".join(path) or "no heading"
