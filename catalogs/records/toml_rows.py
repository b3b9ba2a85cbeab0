"""TOML files of records, cut at their `[Key]` lines: only the rows that are asked for are parsed."""

from __future__ import annotations

import re
import stat
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import CatalogError, Fault

HEADER = re.compile(r"^\[([^\[\]\n]*)\][ \t]*(?:#.*)?$", re.MULTILINE)
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
NAMES = re.compile(r"^(?:name|aliases)\s*=.*$", re.MULTILINE)
LARGEST = 5_000_000
LONGEST_LINE = 2_000


def read_text(path: Path, largest: int = LARGEST) -> str:
    """Read a small UTF-8 file, or say in one sentence why it cannot be read."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise CatalogError((Fault(str(path), "is a folder", "name a file"),))
        if not stat.S_ISREG(mode):
            raise CatalogError((Fault(str(path), "is no ordinary file", "name a file on disk"),))
        with path.open("rb") as file:
            content = file.read(largest + 1)
        if len(content) > largest:
            raise CatalogError((Fault(str(path), f"is over the limit of {largest:,} bytes"),))
        return content.decode("utf-8-sig")
    except CatalogError:
        raise
    except UnicodeDecodeError as problem:
        raise CatalogError((Fault(str(path), f"is not UTF-8 at byte {problem.start:,}", "save it as UTF-8"),)) from None
    except (OSError, ValueError) as problem:  # ValueError: a path with a null character
        reason = getattr(problem, "strerror", None) or problem
        raise CatalogError((Fault(str(path), f"cannot be read: {reason}"),)) from None


def parse_toml(text: str, path: Path, first_line: int = 1, row: str = "") -> dict[str, Any]:
    """Parse TOML; a syntax error names the file, the row and the line."""
    where = f", [{row}]" if row else ""
    for number, line in enumerate(text.splitlines(), first_line):
        if len(line) > LONGEST_LINE:  # tomllib's time grows with the square of a key's depth
            what = f"is {len(line):,} characters long, over the limit of {LONGEST_LINE:,}"
            raise CatalogError((Fault(f"{path}, line {number}{where}", what),))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # ValueError: TOML's own errors, and integers of absurd length
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(problem))
        line = f", line {first_line + int(found[1]) - 1}" if found else f", line {first_line}"
        what = re.sub(r" \(at .*\)", "", str(problem)) or "is nested too deeply"
        if isinstance(problem, RecursionError):
            what = "is nested too deeply"
        elif "integer string conversion" in what:
            what = "a number has too many digits"
        raise CatalogError((Fault(f"{path}{line}{where}", f"is not valid TOML: {what}"),)) from None


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
            raise CatalogError((Fault(str(self.path), "holds no [Key] row"),))
        ends = [header.start() for header in headers[1:]] + [len(self._text)]
        spans: dict[str, tuple[int, int]] = {}
        faults = []
        if parse_toml(self._text[: headers[0].start()], self.path):
            faults.append(Fault(str(self.path), "has fields before its first [Key] row"))
        for header, end in zip(headers, ends, strict=True):
            if not KEY.fullmatch(header[1]):
                faults.append(Fault(f"{self.path}, [{header[1]}]", "is not a usable key", "letters, digits and _ only"))
            if header[1] in spans:
                faults.append(Fault(f"{self.path}, [{header[1]}]", "stands twice", "give each row its own key"))
            spans[header[1]] = (header.end(), end)
        if faults:
            raise CatalogError(tuple(faults))
        return spans

    def __contains__(self, key: object) -> bool:
        return key in self._spans

    def keys(self) -> tuple[str, ...]:
        """Give the keys in the order of the file."""
        return tuple(self._spans)

    def row(self, key: str) -> dict[str, Any]:
        """Parse one row."""
        start, end = self._spans[key]
        return parse_toml(self._text[start:end], self.path, self._text.count("\n", 0, start) + 1, key)

    def names(self, key: str) -> tuple[str, ...]:
        """Give a row's name and aliases without parsing its facts."""
        start, end = self._spans[key]
        try:
            found = tomllib.loads("\n".join(NAMES.findall(self._text[start:end])))
        except tomllib.TOMLDecodeError:  # a list over several lines, or a fault whose line the whole row tells
            found = self.row(key)
        aliases = found.get("aliases")
        return (str(found.get("name", key)), *(map(str, aliases) if isinstance(aliases, list) else ()))
