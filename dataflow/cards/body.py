"""The body of a model card: its tables, written with bars or in HTML, and the lines of the usual template."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

MOST_CELLS = 200_000
MOST_SPAN = 100
LABELS = ("Hardware Type", "Hours used", "Cloud Provider", "Compute Region", "Carbon Emitted")
LABELLED = re.compile(r"^[ \t>*_-]*(" + "|".join(LABELS) + r")[ \t*_]*:[ \t*_]*(.*)$", re.IGNORECASE | re.MULTILINE)
UNFILLED = re.compile(r"\[?more information needed\]?|\[?unknown\]?|n/?a|tbd|-*", re.IGNORECASE)
BAR = re.compile(r"(?<!\\)\|")
RULE = re.compile(r"[ \t|:-]+")
MARKS = re.compile(r"<[^<>]{0,200}>|[*`\\]|&nbsp;")
DESIGN_POWER = re.compile(r"\bTDP of (?:up to )?([0-9]{2,4}) ?W\b")

# How the tables that cards print call their columns, in small letters.
COLUMNS = {
    "accelerator_hours": re.compile(r"(?:training )?time \(gpu[ -]hours\)|gpu[ -]hours"),
    "device_power": re.compile(r"(?:training )?power consumption \(w\)"),
    "location": re.compile(
        r"(?:training )?location[- ]based (?:greenhouse gas )?emissions \(tons co2 ?eq\)|carbon emitted ?\(tco2eq\)"
    ),
    "market": re.compile(r"(?:training )?market[- ]based (?:greenhouse gas )?emissions \(tons co2 ?eq\)"),
    "parameters": re.compile(r"params|parameters|#params"),
    "training_tokens": re.compile(r"token count|tokens|training tokens"),
}


@dataclass(frozen=True)
class Cell:
    """A figure of a card as written, with its line and the name of its column."""

    text: str
    line: int
    label: str


@dataclass(frozen=True)
class Row:
    """A row of a table: what it is called, and its cells by what they hold."""

    name: str
    line: int
    cells: dict[str, Cell]


@dataclass
class _Grid:
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def labelled(text: str, first_line: int) -> dict[str, Cell]:
    """Return what stands behind the template's labels; what was not filled in is left out.

    >>> print(labelled("- **Hardware Type:** A100\\n- **Hours used:** [More Information Needed]\\n", 1))
    {'Hardware Type': Cell(text='A100', line=1, label='Hardware Type')}
    """
    found: dict[str, Cell] = {}
    for each in LABELLED.finditer(text):
        name = next(label for label in LABELS if label.casefold() == each[1].casefold())
        value = clean(each[2])
        if name not in found and not UNFILLED.fullmatch(value):
            found[name] = Cell(value, first_line + text.count("\n", 0, each.start()), name)
    return found


def rows(text: str, first_line: int) -> list[Row]:
    """Return the rows of every table that has a column known here; sums are left out.

    >>> card = "| | Training Time (GPU hours) |\\n|---|---|\\n| Small | 370k |\\n| Total | 370k |\\n"
    >>> print([(row.name, row.cells["accelerator_hours"].text) for row in rows(card, 1)])
    [('Small', '370k')]
    """
    found = []
    for grid in (*_barred(text, first_line), *_marked_up(text, first_line)):
        columns: dict[int, str] = {}
        headings: list[str] = []
        for line, cells in grid.rows:
            known = {place: name for place, cell in enumerate(cells) if (name := _column(cell))}
            if known:
                columns, headings = known, cells
            elif columns and cells and cells[0] and cells[0].casefold() not in ("total", "sum"):
                values = {
                    name: Cell(cells[place], line, headings[place])
                    for place, name in columns.items()
                    if place < len(cells) and not UNFILLED.fullmatch(cells[place])
                }
                found.append(Row(cells[0], line, values))
    return found


def clean(cell: str) -> str:
    """Return a cell's words without their marks."""
    return " ".join(MARKS.sub(" ", cell).split())


def _column(cell: str) -> str:
    wanted = cell.casefold()
    return next((name for name, pattern in COLUMNS.items() if pattern.fullmatch(wanted)), "")


def _barred(text: str, first_line: int) -> Iterator[_Grid]:
    grid = _Grid()
    for number, line in enumerate(text.split("\n"), first_line):
        stripped = line.strip()
        if "|" not in stripped:
            if grid.rows:
                yield grid
            grid = _Grid()
        elif not RULE.fullmatch(stripped):
            inner = stripped.removeprefix("|")
            inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
            grid.rows.append((number, [clean(cell) for cell in BAR.split(inner)]))
    if grid.rows:
        yield grid


def _marked_up(text: str, first_line: int) -> list[_Grid]:
    if "<table" not in text:
        return []
    reader = _Tables(first_line)
    reader.feed(text)
    return reader.grids


class _Tables(HTMLParser):
    """The tables of HTML, with cells that span rows or columns repeated where they span."""

    def __init__(self, first_line: int) -> None:
        super().__init__()
        self.grids: list[_Grid] = []
        self.first_line = first_line
        self.row: list[str] | None = None
        self.cell: list[str] | None = None
        self.spans = (1, 1)
        self.above: dict[int, tuple[int, str]] = {}  # by column: rows that a cell of an earlier row still reaches
        self.below: dict[int, tuple[int, str]] = {}
        self.cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.grids.append(_Grid())
            self.row, self.cell, self.below = None, None, {}
        elif tag == "tr" and self.grids:
            self._end_row()
            self.row, self.above, self.below = [], self.below, {}
            self.grids[-1].rows.append((self.first_line + self.getpos()[0] - 1, self.row))
        elif tag in ("td", "th") and self.row is not None:
            self._end_cell()
            given = dict(attrs)
            self.cell = []
            self.spans = (_span(given.get("rowspan")), _span(given.get("colspan")))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self._end_row()

    def handle_data(self, data: str) -> None:
        if self.cell is not None:
            self.cell.append(data)

    def _end_cell(self) -> None:
        if self.cell is None or self.row is None:
            return
        self._fill()
        words, (down, across) = clean(" ".join(self.cell)), self.spans
        for _ in range(across):
            if self.cells < MOST_CELLS:
                self.cells += 1
                if down > 1:
                    self.below[len(self.row)] = (down - 1, words)
                self.row.append(words)
        self.cell = None

    def _end_row(self) -> None:
        self._end_cell()
        self._fill()
        self.row = None

    def _fill(self) -> None:
        """Repeat what reaches down from the rows above."""
        while self.row is not None and len(self.row) in self.above:
            left, words = self.above.pop(len(self.row))
            if left > 1:
                self.below[len(self.row)] = (left - 1, words)
            self.row.append(words)


def _span(text: str | None) -> int:
    return min(int(text), MOST_SPAN) if text and text.isdecimal() and 0 < len(text) < 6 else 1
