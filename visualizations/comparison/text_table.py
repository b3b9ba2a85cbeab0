"""A comparison as a table for a terminal: columns of metrics beside each other, and beneath where the width ends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from runlineage.visualizations.comparison.side_by_side import WHY_RATIO, Cell, SideBySide

GAP = "  "
NARROWEST_NAME = 18
Lines = list[str]


@dataclass(frozen=True)
class Column:
    """A column of text: the lines of its head, and those of each run's cell."""

    head: Lines
    cells: tuple[Lines, ...]

    @property
    def width(self) -> int:
        """The columns that its longest line fills."""
        return max(len(line) for lines in (self.head, *self.cells) for line in lines)


def text_table(shown: SideBySide, width: int) -> str:
    """Write a comparison for people within some columns.

    A run has two lines: its numbers with the ratio to the first, then their routes. Remarks and the reasons of dashes
    are numbered and follow the table.
    """
    remarks = list(dict.fromkeys(cell.remark for row in shown.rows for cell in row if cell.remark))
    changes = shown.changes
    names = _names([name.removesuffix(changes) for name in shown.runs], max(NARROWEST_NAME, width // 4))
    columns = [
        _column(
            (name, shown.unit_text(name)), [row[place] for row in shown.rows], remarks, width - names.width - len(GAP)
        )
        for place, name in enumerate(shown.metrics)
    ]
    parts = [_block([names, *some]) for some in _beside(columns, width - names.width)]
    parts.append("\n".join(_foot(shown, remarks, width)))
    return "\n\n".join(filter(None, parts))


def _names(names: Sequence[str], most: int) -> Column:
    return Column(["run"], tuple(textwrap.wrap(name, most) or [name] for name in names))


def _column(named: tuple[str, str], cells: Sequence[Cell], remarks: Sequence[str], most: int) -> Column:
    """Lay out a metric: numbers end beneath each other, and ratios begin beneath each other."""
    sizes = max(len(cell.text) for cell in cells)
    made = []
    for cell in cells:
        mark = f"[{remarks.index(cell.remark) + 1}]" if cell.remark else ""
        if cell.result.value is None:
            made.append([f"{cell.text:>{sizes}} {mark}"])
        else:
            first = f"{cell.text:>{sizes}}" + (f"{GAP}{cell.ratio_text}" if cell.ratio_text else "")
            made.append([first, " ".join(filter(None, (cell.route, mark)))])
    widest = max(len(line) for lines in made for line in lines)
    words, unit = named[0].replace("_", " "), named[1]
    room = min(max(widest, *map(len, f"{words} {unit}".split())), most)
    return Column([*textwrap.wrap(words, room), *textwrap.wrap(unit, room)], tuple(made))


def _beside(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """Part columns into blocks that fit beside the names."""
    blocks: list[list[Column]] = []
    left = 0
    for column in columns:
        needs = column.width + len(GAP)
        if not blocks or needs > left:
            blocks.append([])
            left = width
        blocks[-1].append(column)
        left -= needs
    return blocks


def _block(columns: Sequence[Column]) -> str:
    lines = []
    rows = zip(*((column.head, *column.cells) for column in columns), strict=True)
    for cells in rows:
        for place in range(max(map(len, cells))):
            parts = (
                f"{cell[place] if place < len(cell) else '':<{column.width}}"
                for cell, column in zip(cells, columns, strict=True)
            )
            lines.append(GAP.join(parts).rstrip())
    return "\n".join(lines)


def _foot(shown: SideBySide, remarks: Sequence[str], width: int) -> Lines:
    """Write the remarks by their numbers, then what the ratio is and where it is missing."""
    lines: Lines = []
    for place, remark in enumerate(remarks, 1):
        lines += textwrap.wrap(f"[{place}] {remark}", width, subsequent_indent="    ")
    first = shown.runs[0].removesuffix(shown.changes)
    if shown.changes:
        lines += textwrap.wrap(f"every run is shown{shown.changes}", width, subsequent_indent="  ")
    if any(cell.ratio is not None for row in shown.rows for cell in row):
        lines += textwrap.wrap(WHY_RATIO.format(first=first), width, subsequent_indent="  ")
    for why, names in _without_ratio(shown).items():
        text = f"no ratio of {', '.join(names)}: {first} has {why}"
        lines += textwrap.wrap(text, width, subsequent_indent="  ")
    return lines


def _without_ratio(shown: SideBySide) -> dict[str, list[str]]:
    """Return the metrics that other runs have an answer to and no ratio, by what the first has: none, or 0."""
    found: dict[str, list[str]] = {}
    for name, first, *others in zip(shown.metrics, *shown.rows, strict=True):
        if any(cell.result.value is not None and cell.ratio is None for cell in others):
            found.setdefault("none" if first.result.value is None else "no number above 0", []).append(name)
    return found
