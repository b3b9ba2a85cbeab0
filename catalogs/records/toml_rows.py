"""Text files in TOML and JSON; files of records, cut at their `[Key]` lines, parse only the rows asked for."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from runlineage.catalogs.base.errors import CatalogError, Fault, echo, refuse
from runlineage.catalogs.base.spelling import plain_text

HEADER = re.compile(r"^\[([^\[\]\n]*)\][ \t]*(?:#.*)?$", re.MULTILINE)
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
NAMES = re.compile(r"^(?:name|aliases)\s*=.*$", re.MULTILINE)
JSON_CURE = "keys and text stand in double quotes, and nothing ends in a comma"
LARGEST = 5_000_000
LONGEST_LINE = 2_000


def read_text(path: Path, largest: int = LARGEST) -> str:
    """Read a small UTF-8 file, or explain in one sentence why it cannot be read."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            refuse(str(path), "is a folder", "name a file", CatalogError)
        if not stat.S_ISREG(mode):
            refuse(str(path), "is no ordinary file", "name a file on disk", CatalogError)
        with path.open("rb") as file:
            content = file.read(largest + 1)
        if len(content) > largest:
            refuse(
                str(path),
                f"is over the limit of {largest:,} bytes",
                "split it",
                CatalogError,
            )
        return content.decode("utf-8-sig")
    except CatalogError:
        raise
    except UnicodeDecodeError as problem:
        refuse(str(path), f"is not UTF-8 at byte {problem.start:,}", "save it as UTF-8", CatalogError)
    except (OSError, ValueError) as problem:  # ValueError: a path with a null character
        reason = getattr(problem, "strerror", None) or problem
        refuse(str(path), f"cannot be read: {reason}", kind=CatalogError)


def parse_toml(text: str, path: Path, first_line: int = 1, row: str = "") -> dict[str, Any]:
    """Parse TOML; a syntax error names the file, the row and the line."""
    where = f", [{row}]" if row else ""
    for number, line in enumerate(text.splitlines(), first_line):
        if len(line) > LONGEST_LINE:  # tomllib's time grows with the square of a key's depth
            what = f"is {len(line):,} characters long, over the limit of {LONGEST_LINE:,}"
            refuse(f"{path}, line {number}{where}", what, "split the line", CatalogError)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # ValueError: TOML's own errors, and integers of absurd length
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(problem))
        line = f", line {first_line + (int(place[1]) - 1 if place else 0)}"
        what = re.sub(r" \(at .*\)", "", str(problem)) or "is nested too deeply"
        if isinstance(problem, RecursionError):
            what = "is nested too deeply"
        elif "integer string conversion" in what:
            what = "a number has too many digits"
        refuse(f"{path}{line}{where}", f"is not valid TOML: {what}", kind=CatalogError)


def parse_json(text: str, path: Path) -> dict[str, Any]:
    """Parse a JSON object; a key that appears twice, a number without end and the like are refused with the place."""

    def finite(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not a finite number")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in pairs:
            if key in fields:
                raise ValueError(f"{echo(key)} appears twice")
            fields[key] = value
        return fields

    def whole(digits: str) -> int:
        if len(digits) > 100:
            raise ValueError("a number has too many digits")
        return int(digits)

    try:
        parsed = json.loads(text, parse_constant=finite, parse_int=whole, object_pairs_hook=once)
    except json.JSONDecodeError as problem:
        refuse(f"{path}, line {problem.lineno}", f"is not valid JSON: {problem.msg}", JSON_CURE, CatalogError)
    except (ValueError, RecursionError) as problem:
        what = "is nested too deeply" if isinstance(problem, RecursionError) else f"is not valid here: {problem}"
        refuse(str(path), what, "keep one" if "twice" in what else "mend it, or leave the field out", CatalogError)
    if not isinstance(parsed, dict):
        refuse(str(path), f"holds {echo(parsed)}", "expected an object with fields", CatalogError)
    return parsed


class Rows:
    """The rows of one file by key, each parsed when it is first asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _text(self) -> str:
        return read_text(self.path).replace("\r\n", "\n")

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int]]:
        headers = list(HEADER.finditer(self._text))
        if not headers:
            refuse(str(self.path), "holds no [Key] row", "write one [Key] line before each record", CatalogError)
        ends = [header.start() for header in headers[1:]] + [len(self._text)]
        spans: dict[str, tuple[int, int]] = {}
        faults = []
        if parse_toml(self._text[: headers[0].start()], self.path):
            faults.append(Fault(str(self.path), "has fields before its first [Key] row", "put them under a [Key] line"))
        for header, end in zip(headers, ends, strict=True):
            if not KEY.fullmatch(header[1]):
                faults.append(
                    Fault(
                        f"{self.path}, [{plain_text(header[1])}]", "is not a usable key", "letters, digits and _ only"
                    )
                )
            if header[1] in spans:
                faults.append(Fault(f"{self.path}, [{header[1]}]", "appears twice", "give each row its own key"))
            spans[header[1]] = (header.end(), end)
        if faults:
            raise CatalogError(tuple(faults))
        return spans

    def __contains__(self, key: object) -> bool:
        return key in self._spans

    def keys(self) -> tuple[str, ...]:
        """Return the keys in the order of the file."""
        return tuple(self._spans)

    def row(self, key: str) -> dict[str, Any]:
        """Parse one row."""
        start, end = self._spans[key]
        return parse_toml(self._text[start:end], self.path, self._text.count("\n", 0, start) + 1, key)

    def names(self, key: str) -> tuple[str, ...]:
        """Return a row's name and aliases without parsing its facts."""
        start, end = self._spans[key]
        try:
            row = tomllib.loads("\n".join(NAMES.findall(self._text[start:end])))
        except tomllib.TOMLDecodeError:  # a list over several lines, or a fault whose line the whole row shows
            row = self.row(key)
        aliases = row.get("aliases")
        return (str(row.get("name", key)), *(map(str, aliases) if isinstance(aliases, list) else ()))
