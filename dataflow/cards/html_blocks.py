"""The HTML in a card: its headings, tables and lines; code is no statement."""

from __future__ import annotations

from html.parser import HTMLParser

from runlineage.dataflow.cards.words import BREAK, BROKEN, Words, with_whole_tags, without_comments, words_of_html

MOST_CELLS = 200_000
MOST_SPAN = 100
SILENT = ("pre", "script", "style", "template", "textarea")
TITLES = ("h1", "h2", "h3", "h4", "h5", "h6")


class Grid:
    """A table by rows, each with its line, with cells that span rows or columns repeated where they span."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, list[str]]] = []
        self.row: list[str] | None = None
        self.above: dict[int, tuple[int, str]] = {}  # by column: rows that a cell of an earlier row still reaches
        self.below: dict[int, tuple[int, str]] = {}
        self.cells = 0

    def begin_row(self, line: int) -> None:
        """Begin a row."""
        self.end_row()
        self.row, self.above, self.below = [], self.below, {}
        self.rows.append((line, self.row))

    def add(self, text: str, down: int, across: int) -> None:
        """Add a cell that spans rows and columns."""
        self._fill()
        for _ in range(across):
            if self.row is not None and self.cells < MOST_CELLS:
                self.cells += 1
                if down > 1:
                    self.below[len(self.row)] = (down - 1, text)
                self.row.append(text)

    def end_row(self) -> None:
        """End a row."""
        self._fill()
        self.row = None

    def _fill(self) -> None:
        """Repeat what reaches down from the rows above."""
        while self.row is not None and len(self.row) in self.above:
            left, text = self.above.pop(len(self.row))
            if left > 1:
                self.below[len(self.row)] = (left - 1, text)
            self.row.append(text)


class HtmlBlocks(HTMLParser):
    """A block of HTML as items: `(level, title)` of headings, grids of tables, and lines of words.

    >>> blocks = HtmlBlocks("<h2>Tiny</h2>\\n<b>Hours used:</b> 5 <!-- Hours used: 6 -->", 7)
    >>> print(blocks.items[0], blocks.items[-1])
    (2, 'Tiny') Words(offset=8, text='Hours used: 5 ', outside='Hours used: 5 ')
    """

    def __init__(self, source: str, first_line: int) -> None:
        super().__init__()
        self.items: list[tuple[int, str] | Grid | Words] = []
        self.first_line = first_line
        self.grid: Grid | None = None
        self.cell: list[str] | None = None
        self.title: list[str] | None = None
        self.spans = (1, 1)
        self.silent: list[str] = []
        self.code = 0
        self.feed(with_whole_tags(without_comments(source)))
        self.close()

    @property
    def _line(self) -> int:
        return self.first_line + self.getpos()[0] - 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin what a tag begins."""
        if tag in SILENT:
            self.silent.append(tag)
        elif tag == "code":
            self.code += 1
        elif tag in TITLES:
            self.title = []
        elif tag == "table":
            self.grid, self.cell = Grid(), None
            self.items.append(self.grid)
        elif tag == "tr" and self.grid:
            self._end_cell()
            self.grid.begin_row(self._line)
        elif tag in ("td", "th") and self.grid and self.grid.row is not None:
            self._end_cell()
            given = dict(attrs)
            self.cell = []
            self.spans = (_span(given.get("rowspan")), _span(given.get("colspan")))
        elif BREAK.match(f"<{tag}"):
            self._break()

    def handle_endtag(self, tag: str) -> None:
        """End what a tag ends."""
        if tag in SILENT:
            self.silent = self.silent[:-1]
        elif tag == "code":
            self.code = max(self.code - 1, 0)
        elif tag in TITLES and self.title is not None:
            self.items.append((int(tag[1]), words_of_html("".join(self.title))))
            self.title = None
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table") and self.grid:
            self._end_cell()
            self.grid.end_row()
            self.grid = None if tag == "table" else self.grid
        elif BREAK.match(f"<{tag}"):
            self._break()

    def handle_data(self, data: str) -> None:
        """Add text to the cell, the heading or the line that is open."""
        if self.silent:
            return
        if self.cell is not None:
            self.cell.append(data)
        elif self.title is not None:
            self.title.append(data)
        elif self.grid is None:
            for offset, text in enumerate(data.split("\n")):
                if offset or not self.items or not isinstance(self.items[-1], Words):
                    self.items.append(Words(self._line + offset))
                last = self.items[-1]
                if isinstance(last, Words):
                    last.add(text, is_code=bool(self.code))

    def _break(self) -> None:
        if self.cell is not None:
            self.cell.append(BROKEN)
        elif self.title is not None:
            self.title.append(" ")
        else:
            self.items.append(Words(self._line))

    def _end_cell(self) -> None:
        if self.cell is not None and self.grid:
            self.grid.add(words_of_html("".join(self.cell)), *self.spans)
        self.cell = None


def _span(text: str | None) -> int:
    return min(int(text), MOST_SPAN) if text and text.isdecimal() and 0 < len(text) < 6 else 1
