"""The body of a card, read as Markdown: its tables and lines, each with the headings above it.

Comments and code are no statements: neither a comment, a code block nor a label within code is among the lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from markdown_it import MarkdownIt

from runlineage.dataflow.cards.html_blocks import Grid, HtmlBlocks
from runlineage.dataflow.cards.words import MARKED, Words, plain, without_comments, word_lines

BLOCKS = MarkdownIt("commonmark").enable("table")
BLOCKS.core.ruler.disable("inline")  # words are read only where a line may state something
MAY_STATE = re.compile(r"[:：]|\bTDP\b")
MAY_MENTION = re.compile(r"[0-9].*(?:hours|days|Wh\b|CO|00|tokens|TPU|MI[23])", re.DOTALL).search

Headings = tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """A line of words with its number, and the same with each character of code masked."""

    headings: Headings
    number: int
    text: str
    outside: str


@dataclass(frozen=True)
class Table:
    """A table: its rows with their lines, the heading first."""

    headings: Headings
    rows: list[tuple[int, list[str]]]


@dataclass
class Body:
    """What a body holds: its title, which is the first heading of the first level, tables and lines."""

    first_line: int = 1
    title: str = ""
    tables: list[Table] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    sentences: list[Line] = field(default_factory=list)  # lines that state nothing behind a label
    _open: list[tuple[int, str]] = field(default_factory=list)

    @property
    def headings(self) -> Headings:
        """The headings above the place that is being read."""
        return tuple(title for _, title in self._open)

    def head(self, level: int, title: str) -> None:
        """Begin what is beneath a heading."""
        self.title = self.title or (title if level == 1 else "")
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, title))

    def add(self, line: int, words: Words) -> None:
        """Add a line that is not empty: to those that may state something, or to the sentences."""
        if words.text.strip():
            lines = self.lines if MAY_STATE.search(words.text) else self.sentences
            lines.append(Line(self.headings, line, words.text, words.outside))


def read_body(text: str, first_line: int = 1) -> Body:
    """Read the body of a card, whose first line has the number `first_line` in its file.

    >>> body = read_body("# Tiny\\n\\n```\\nHours used: 6\\n```\\n- **Hours used:** 5\\n")
    >>> print(body.title, [(line.number, line.text) for line in body.lines])
    Tiny [(6, 'Hours used: 5')]
    """
    body = Body(first_line)
    source = _Source(re.sub(r"\r\n?", "\n", text))
    tokens = iter(BLOCKS.parse(source.text))
    read_to = 0
    for token in tokens:
        if token.map and token.map[0] < read_to:
            continue
        if token.type == "heading_open":
            body.head(int(token.tag[1]), plain(next(tokens).content))
        elif token.type == "table_open":
            body.tables.append(Table(body.headings, list(_rows(tokens, first_line))))
        elif token.type == "html_block" and token.map:
            start, read_to = source.block(*token.map)
            _take_html(body, HtmlBlocks("\n".join(source.lines[start:read_to]), start + first_line))
        elif token.type == "inline" and token.map and (MAY_STATE.search(token.content) or MAY_MENTION(token.content)):
            for words in word_lines(token.content) if MARKED.search(token.content) else _unmarked(token.content):
                body.add(first_line + token.map[0] + words.offset, words)
    return body


def _unmarked(content: str) -> list[Words]:
    return [Words(offset, line, line) for offset, line in enumerate(content.split("\n"))]


def _rows(tokens: Iterator[Any], first_line: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the table that has been opened."""
    line, cells = first_line, list[str]()
    for token in tokens:
        if token.type == "table_close":
            return
        if token.type == "tr_open":
            cells = []
            line = first_line + token.map[0]
        elif token.type == "inline":
            cells.append(plain(token.content))
        elif token.type == "tr_close":
            yield line, cells


def _take_html(body: Body, html: HtmlBlocks) -> None:
    for item in html.items:
        if isinstance(item, Grid):
            body.tables.append(Table(body.headings, item.rows))
        elif isinstance(item, Words):
            body.add(item.offset, item)
        else:
            body.head(*item)


class _Source:
    """The lines of a body, and where a block of HTML ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")

    @cached_property
    def _tables(self) -> list[int]:
        return [number for number, line in enumerate(self.lines) if "</table" in line.lower()]

    @cached_property
    def _comments(self) -> list[int]:
        return [number for number, line in enumerate(self.lines) if "-->" in line]

    def block(self, start: int, end: int) -> tuple[int, int]:
        """Return a block's lines, up to the end of a comment or a table that an empty line within has cut."""
        outer = "\n".join(self.lines[start:end])
        if outer.rfind("<!--") > outer.rfind("-->"):
            end = _next(self._comments, end)
        inner = without_comments("\n".join(self.lines[start:end])).lower()
        if inner.rfind("<table") > inner.rfind("</table"):
            end = _next(self._tables, end)
        return start, end


def _next(ends: list[int], end: int) -> int:
    """Return the place after the first of some lines from `end` on; `end` where there is none."""
    later = bisect_left(ends, end)
    return ends[later] + 1 if later < len(ends) else end
