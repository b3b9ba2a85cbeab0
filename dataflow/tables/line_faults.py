"""Where a file of lines is broken: found by Python's readers once Polars has refused it, and named by its line."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from runlineage.dataflow.tables.lookalikes import spelt_field

SEPARATOR_NAMES = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
START = 1 << 20  # bytes, in which line ends show


def other_separator(headers: list[str], separator: str) -> str:
    """Name what separates the cells of a table whose one header holds the names of facts; else nothing.

    >>> print(other_separator(["parameters;training_tokens"], ","))
    semicolons
    """
    for other, name in SEPARATOR_NAMES.items() if len(headers) == 1 else ():
        pieces = headers[0].split(other) if other != separator else []
        if len(pieces) > 1 and any(map(spelt_field, pieces)):
            return name
    return ""


def ends_in_cr(path: str) -> bool:
    """Whether the lines of a file end in carriage returns alone, as old spreadsheets wrote them."""
    if path.endswith(".zst") or not Path(path).is_file():
        return False
    with _opened(path, "rb") as file:
        start = file.read(START)
    return b"\r" in start and b"\n" not in start


def broken_row(path: str, separator: str) -> str:
    """Describe which line of a file is no row of it; return nothing where every line is, or none can be named."""
    try:
        with _opened(path, "rt", "\r" if ends_in_cr(path) else "") as file:
            return _row_fault(file, separator)
    except UnicodeDecodeError:
        return _not_utf8(path)
    except (OSError, EOFError):
        return ""


def _row_fault(file: Iterable[str], separator: str) -> str:
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


def broken_json(path: str) -> str:
    """Describe which line of a file holds no JSON object, or one that is at odds with those before; else nothing."""
    kinds: dict[str, tuple[str, int]] = {}
    try:
        with _opened(path, "rt") as file:
            for number, line in enumerate(file, 1):
                if line.strip() and (fault := _object_fault(line, number, kinds)):
                    return f"line {number}: {fault}"
    except UnicodeDecodeError:
        return _not_utf8(path)
    except (OSError, EOFError):
        return ""
    return ""


def _object_fault(line: str, number: int, kinds: dict[str, tuple[str, int]]) -> str:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as problem:
        return f"is not JSON: {problem.msg} at character {problem.colno}; write one object a line"
    except (RecursionError, ValueError):
        return "is not JSON that can be read; write one object a line"
    if not isinstance(row, dict):
        return f"is {_kind(row)}, not an object; write one object a line"
    for key, value in row.items():
        before, first = kinds.setdefault(key, (_kind(value), number)) if value is not None else (_kind(value), number)
        if before != _kind(value):
            return f"{key!r} is {_kind(value)}, and {before} in line {first}; write it in one way"
    return ""


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a truth value"
    names = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), "nothing")


def _opened(path: str, mode: str, newline: str | None = None) -> IO[Any]:
    opener: Any = gzip.open if path.lower().endswith(".gz") else open
    text = {} if "b" in mode else {"encoding": "utf-8-sig", "newline": newline}
    opened: IO[Any] = opener(path, mode, **text)
    return opened


def _not_utf8(path: str) -> str:
    with _opened(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"line {number}: is not UTF-8; save the file as UTF-8"
    return ""
