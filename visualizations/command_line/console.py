"""What the commands print with: plain text, in colour on a terminal; readers that leave, exit codes."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import typer

from runlineage.catalogs.base.errors import RunlineageWarning
from runlineage.catalogs.base.spelling import plain_text
from runlineage.visualizations.tree import WIDTH

NARROWEST, WIDEST = 60, 200
ANSWERED, NOT_COMPUTABLE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def on_terminal() -> bool:
    """Whether people read the output in colour; a closed standard output is nobody's terminal."""
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


def text_width() -> int:
    """Return the columns that text fills: those of the terminal or of COLUMNS, from 60 to 200; 79 in a pipe."""
    if not ("COLUMNS" in os.environ or (sys.stdout is not None and sys.stdout.isatty())):
        return WIDTH
    return _columns(WIDTH)


def _columns(other: int) -> int:
    """Return the columns of COLUMNS or of the terminal that the output is, else other ones, from 60 to 200."""
    return min(max(shutil.get_terminal_size((other, 24)).columns, NARROWEST), WIDEST)


def width_there() -> int | None:
    """Return the columns of text where a terminal or COLUMNS says so; None in a pipe, which has a line a record."""
    piped = "COLUMNS" not in os.environ and (sys.stdout is None or not sys.stdout.isatty())
    return None if piped else text_width()


def say(text: str) -> None:
    """Print plain text; on a terminal, names and assumptions get a colour."""
    text = harmless(text)
    if on_terminal():
        from runlineage.visualizations.command_line.colour import coloured

        coloured(text)
        return
    with readers_may_leave():
        print(text, flush=True)


def complain(text: object) -> None:
    """Print to the error stream: what is wrong or doubtful, and summaries where a pipe carries the output.

    On a terminal, lines wrap between words; elsewhere each message keeps its line, for programs that read them.
    """
    if sys.stderr is None:  # closed: `print` would turn to the output
        return
    with contextlib.suppress(OSError, ValueError):  # a full disk behind it, or a reader that left
        shown = harmless(str(text))
        if sys.stderr.isatty():
            shown = within(shown, _columns(os.get_terminal_size(sys.stderr.fileno()).columns))
        print(shown, file=sys.stderr, flush=True)


def within(text: str, width: int) -> str:
    """Wrap the lines of a text that are longer than some columns; what follows stands further in.

    >>> print(within("warning: a sentence that is long\\n  and a short one", 20))
    warning: a sentence
      that is long
      and a short one
    """
    return "\n".join(line if len(line) <= width else _wrapped(line, width) for line in text.split("\n"))


def _wrapped(line: str, width: int) -> str:
    margin = line[: len(line) - len(line.lstrip())]
    whole: Any = {"break_long_words": False, "break_on_hyphens": False}  # names and paths can be copied
    return textwrap.fill(line, width, subsequent_indent=f"{margin}  ", **whole)


def harmless(text: str) -> str:
    """Drop what would steer a terminal or turn its text around, and keep the lines."""
    return "\n".join(map(plain_text, text.split("\n")))


def complaints_of_typer(problem: Any) -> None:
    """Print what the reader of the arguments says of them, which repeats them as they were typed."""
    written = io.StringIO()
    problem.show(file=written)
    if written.getvalue():
        complain(written.getvalue().rstrip("\n"))


@contextlib.contextmanager
def warnings_printed() -> Iterator[None]:
    """Print what is warned of while a command runs, a line each."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", RunlineageWarning)
        warnings.showwarning = lambda message, *_, **__: complain(f"warning: {message}")
        yield


@contextlib.contextmanager
def readers_may_leave() -> Iterator[None]:
    """End well where a reader has seen enough, such as `head`."""
    try:
        yield
    except BrokenPipeError:
        to_nowhere()
        raise typer.Exit(ANSWERED) from None


def to_nowhere() -> None:
    """Let what is still buffered vanish, so that the interpreter's own flush at the end finds no fault."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def close(doubts: Iterable[str], problems: Sequence[Any], as_json: bool) -> None:
    """End with the warnings and with what was asked by name and cannot be computed."""
    if not as_json:
        for warning in doubts:
            complain(f"warning: {warning}")
    for problem in problems:  # also beside JSON: an exit code alone explains nothing
        complain(problem)
    if problems:
        raise typer.Exit(NOT_COMPUTABLE)
