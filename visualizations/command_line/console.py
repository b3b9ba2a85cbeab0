"""What the commands print with: plain text, in colour on a terminal; readers that leave, exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import typer

from runlineage.catalogs.base.spelling import plain_text

ANSWERED, NOT_COMPUTABLE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def on_terminal() -> bool:
    """Whether people read the output in colour; a closed standard output is nobody's terminal."""
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


def say(text: str) -> None:
    """Print plain text; on a terminal, names and assumptions get a colour. What would steer a terminal is dropped."""
    text = "\n".join(map(plain_text, text.split("\n")))
    if on_terminal():
        from runlineage.visualizations.command_line.colour import coloured

        coloured(text)
        return
    with readers_may_leave():
        print(text, flush=True)


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


def close(warnings: tuple[str, ...], problems: list[Any], as_json: bool) -> None:
    """End with the warnings and with what was asked by name and cannot be computed."""
    if not as_json:
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        for problem in problems:
            print(problem, file=sys.stderr)
    if problems:
        raise typer.Exit(NOT_COMPUTABLE)
