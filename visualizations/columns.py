"""Rows of text in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

GAP = 2
NARROWEST = 8  # columns of a cell that is wrapped


def aligned(rows: Iterable[Iterable[str]]) -> str:
    """Write rows a line each, every column as wide as its longest cell.

    >>> print(aligned([("key", "size"), ("longer", "1")]))
    key     size
    longer  1
    """
    cells = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    padded = ((f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join("  ".join(row).rstrip() for row in padded)


def fitted(rows: Iterable[Iterable[str]], width: int) -> str:
    """Write rows within some columns: the widest cells are wrapped, an address never, until all fit.

    >>> print(fitted([("a name of five words", "1"), ("short", "2")], 16))
    a name of   1
    five words
    short       2
    """
    cells = [tuple(row) for row in rows]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    least = [max((len(cell) for cell in column if _is_address(cell)), default=NARROWEST) for column in columns]
    while sum(widths) + GAP * (len(widths) - 1) > width:
        wrappable = [place for place, size in enumerate(widths) if size > least[place]]
        if not wrappable:
            break
        widths[max(wrappable, key=widths.__getitem__)] -= 1
    wrapped = [[_wrapped(cell, room) for cell, room in zip(row, widths, strict=True)] for row in cells]
    lines = (
        [lines[place] if place < len(lines) else "" for lines in row]
        for row in wrapped
        for place in range(max(map(len, row)))
    )
    return aligned(lines)


def _wrapped(cell: str, room: int) -> list[str]:
    return [cell] if _is_address(cell) else textwrap.wrap(cell, room) or [""]


def _is_address(cell: str) -> bool:
    return "://" in cell
