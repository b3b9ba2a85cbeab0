"""What a table states: rows of models where its heading and figures say so, or the values of keys."""

from __future__ import annotations

from dataclasses import dataclass

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.cards.blocks import Block, Blocks, Cell, is_beneath
from runlineage.dataflow.cards.body import Headings, Table
from runlineage.dataflow.cards.meanings import (
    FIGURES,
    KEYS,
    NUMERIC,
    OF_ANYTHING,
    OF_MODELS,
    OF_OTHERS,
    OF_USE,
    SUMS,
    UNFILLED,
    VALUES,
    column_of,
    key_of,
)
from runlineage.dataflow.cards.stages import stage_of

Rows = list[tuple[int, list[str]]]  # each with its line


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


def take_table(table: Table, blocks: Blocks) -> None:
    """Take what a table states."""
    if any(_head_of(line, cells) for line, cells in table.rows[:4]) and not _is_keyed(table):
        _take_rows(table, blocks)
    else:
        _take_keys(table, blocks)


def _take_rows(table: Table, blocks: Blocks) -> None:
    """Take the rows beneath each heading of a table, if the heading and the figures are of models."""
    head: _Head | None = None
    beneath: Rows = []
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


def _take_part(head: _Head, rows: Rows, headings: Headings, blocks: Blocks) -> None:
    columns = {
        place: ("training_tokens" if name == "tokens" else name, unit)
        for place, (name, unit) in head.columns.items()
        if name in FIGURES or any(place < len(cells) and NUMERIC.match(cells[place]) for _, cells in rows)
    }
    kinds = {name for name, _ in columns.values()}
    if kinds and not _is_of_models(head, kinds, headings):
        first = plain_text(head.cells[0])[:40] or "no heading"
        blocks.unused.append(f"line {head.line}: a table by {first!r}, which is not of this card's models")
    elif kinds:
        read = [_block(head, columns, line, cells, headings) for line, cells in rows]
        named = [block for block in read if block.cells and block.name and block.name.casefold() not in SUMS]
        if len(rows) == 1 and head.names in head.columns:  # the size of the card's own model
            for kind, cell in (each for block in named for each in block.cells):
                blocks.label(headings, kind, cell)
        else:
            unique: dict[tuple[str, ...], Block] = {}
            for block in named:
                unique.setdefault(block.words, block)
            for block in unique.values():
                blocks.row(block)


def _block(head: _Head, columns: dict[int, tuple[str, str]], line: int, cells: list[str], headings: Headings) -> Block:
    name = cells[head.names] if head.names is not None and head.names < len(cells) else ""
    figures = [
        (kind, Cell(cells[place], unit, line, head.cells[place]))
        for place, (kind, unit) in columns.items()
        if place < len(cells) and not UNFILLED.fullmatch(cells[place])
    ]
    return Block(plain_text(name), line, figures, stage_of(headings))


def _is_of_models(head: _Head, kinds: set[str], headings: Headings) -> bool:
    if head.names is None:
        return False
    if is_beneath(OF_USE, headings):
        return False
    if kinds & FIGURES:
        return True
    if is_beneath(OF_OTHERS, headings):
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
    of_questions = any(cells[0].endswith("?") for _, cells, *_ in known)
    if not known or not (of_questions or KEYS.fullmatch(head[0].casefold()) or key_of(head[0])[0]):
        return
    values = [place for place, cell in enumerate(head) if place and cell and VALUES.fullmatch(cell.casefold())]
    if len(head) == 2 or values:
        place = values[0] if values else 1
        for line, cells, kind, unit in known:
            if place < len(cells):
                blocks.label(table.headings, kind, Cell(cells[place], unit, line, cells[0]))
    elif head[0] and KEYS.fullmatch(head[0].casefold()):
        for place, name in enumerate(head[1:], 1):
            figures = [
                (kind, Cell(cells[place], unit, line, cells[0]))
                for line, cells, kind, unit in known
                if place < len(cells) and NUMERIC.match(cells[place])
            ]
            if figures and name and not UNFILLED.fullmatch(name):
                blocks.row(Block(plain_text(name), figures[0][1].line, figures, stage_of(table.headings)))
