"""Rows of text in columns."""

from __future__ import annotations

from collections.abc import Iterable


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
