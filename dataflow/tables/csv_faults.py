"""Where a CSV file is broken: found by Python's reader once Polars has refused the file, and named with its line."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TextIO

from runlineage.dataflow.tables.lookalikes import spelt_field

SPOKEN = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


def other_separator(headers: list[str], separator: str) -> str:
    """Name what separates the cells of a table whose one header holds the names of facts; else nothing.

    >>> print(other_separator(["parameters;training_tokens"], ","))
    semicolons
    """
    for other, name in SPOKEN.items() if len(headers) == 1 else ():
        pieces = headers[0].split(other) if other != separator else []
        if len(pieces) > 1 and any(map(spelt_field, pieces)):
            return name
    return ""


def broken_row(path: str, separator: str) -> str:
    """Describe which line of a file is no row of it; return nothing where every line is."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return _fault(file, separator)
    except UnicodeDecodeError:
        return _not_utf8(path)
    except OSError:
        return ""


def _fault(file: TextIO, separator: str) -> str:
    reader = csv.reader(file, delimiter=separator, strict=True)
    width = 0
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as problem:
            never = "unexpected end of data" in str(problem)
            return f"line {start}: {'a quote opens and never closes' if never else problem}"
        if row is None:
            return ""
        width = width or len(row)
        if len(row) > width:
            return f"line {start}: has {len(row):,} cells, and there are {width:,} headers"


def _not_utf8(path: str) -> str:
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"line {number}: is not UTF-8; save the file as UTF-8"
    return ""
