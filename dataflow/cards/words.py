"""Markdown's inline text as plain words: links, marks and comments go, and what is code is known as code."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt

INLINE = MarkdownIt("commonmark")
MARKED = re.compile(r"[*_`\\<&!\[]")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
BREAK = re.compile(r"</?(?:br|p|li|div|ul|ol|hr)\b", re.IGNORECASE)
LEFT_IN_HTML = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()]{0,500}\)|[*`]")
NO_TAG = re.compile(r"<(?!/?[A-Za-z][^<>]{0,1000}>)")
LONGEST = 5_000  # characters of one paragraph or cell: the time of some marks grows faster than their number
BROKEN = "\x1f"  # stands for the end of a line within a cell
CODE = "\x00"  # stands for each character of code


@dataclass
class Words:
    """A line of plain words: its place within its paragraph, its text, and the text with its code masked."""

    offset: int
    text: str = ""
    outside: str = ""

    def add(self, text: str, *, is_code: bool = False) -> None:
        """Add text at the end, within bounds."""
        text = text[: LONGEST - len(self.text)] if len(self.text) < LONGEST else ""
        self.text += text
        self.outside += CODE * len(text) if is_code else text


def plain(source: str) -> str:
    """Return the words of one cell or heading, on one line.

    >>> print(plain("**[Llama](https://example.org)** tCO<sub>2</sub>eq <!-- old -->"))
    Llama tCO2eq
    """
    if MARKED.search(source):
        source = BROKEN.join(line.text for line in word_lines(source))
    return _on_one_line(source)


def word_lines(source: str) -> list[Words]:
    """Return the lines of a paragraph as plain words; a break of HTML begins a new one.

    >>> print([line.text for line in word_lines("**Hours used:** 5\\n*Region:* `eu`")])
    ['Hours used: 5', 'Region: eu']
    """
    if len(source) > LONGEST and "\n" in source:  # too long to be read as one: line by line
        return [replace(line, offset=place) for place, one in enumerate(source.split("\n")) for line in word_lines(one)]
    lines = [Words(0)]
    offset = 0
    for token in INLINE.parseInline(source[:LONGEST])[0].children or ():
        if token.type in ("softbreak", "hardbreak"):
            offset += 1
            lines.append(Words(offset))
        elif token.type == "html_inline":
            offset += token.content.count("\n")
            if BREAK.match(token.content) or "\n" in token.content:
                lines.append(Words(offset))
        elif token.type != "image":
            lines[-1].add(token.content, is_code=token.type == "code_inline")
    return lines


def without_comments(source: str) -> str:
    """Return HTML without its comments, with every line where it was."""
    return COMMENT.sub(lambda match: "\n" * match[0].count("\n"), source)


def with_whole_tags(source: str) -> str:
    """Return HTML in which whatever is no whole tag is text: the time of its parser grows with the square of those."""
    return NO_TAG.sub("&lt;", source)


def words_of_html(text: str) -> str:
    """Return the text of an HTML cell as plain words: people write Markdown there too."""
    return _on_one_line(LEFT_IN_HTML.sub(r"\1", text))


def _on_one_line(text: str) -> str:
    """Join what was broken into lines, two numbers visibly: 100 and 200 are not 100 200."""
    return " ".join(re.sub(rf"{BROKEN}[\s{BROKEN}]*(?=[0-9])", " / ", text).replace(BROKEN, " ").split())
