"""The command line: a file here that is called NAME_command.py is the command NAME, loaded when it is called.

Such a file holds `command`, the function that runs, and `EXAMPLES`, which its help ends with.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from runlineage.catalogs.base.errors import RunlineageError, UnknownNameError
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.base.version import __version__
from runlineage.visualizations.command_line.console import (
    ANSWERED,
    BAD_INPUT,
    INTERRUPTED,
    complain,
    complaints_of_typer,
    on_terminal,
    to_nowhere,
    warnings_printed,
)

ENDING = "_command"
FULL_WIDTH: dict[str, Any] = {"max_content_width": 200}  # help fills the width that is there
FILES = sorted(each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]) if each.name.endswith(ENDING))


class Commands(TyperGroup):
    """The commands by the names of their files."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: dict[str, Any] = {file.removesuffix(ENDING): None for file in FILES}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a command, for its own call or for the help that lists all."""
        if cmd_name in self.commands:
            return loaded(cmd_name)
        if cmd_name.startswith("-"):
            return None  # an option, which typer refuses itself
        raise UnknownNameError(
            "command", cmd_name, nearest(cmd_name, self.commands, 1), "`runlineage --help` lists all"
        )


@cache
def loaded(name: str) -> Any:
    """Load the file of a command."""
    file = importlib.import_module(f"{__package__}.{name}{ENDING}")
    app = _typer(add_completion=False)
    app.command(name, context_settings=FULL_WIDTH, epilog=_lines("Examples:", file.EXAMPLES))(file.command)
    return typer.main.get_command(app)


def _lines(title: str, lines: Iterable[str]) -> str:
    """Lay out lines beneath a title, so that the help keeps each on its own, in colour or plain."""
    return "\n\n".join((title, *lines)) if on_terminal() else "\b\n" + "\n  ".join((title, *lines))


def _typer(**attributes: Any) -> typer.Typer:
    markup: Any = "rich" if on_terminal() else None
    return typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=markup, **attributes)


def _version(asked: bool) -> None:
    if asked:
        print(f"runlineage {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Operations, rate, energy and peak fraction of a published training run, each with its lineage."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input is one sentence and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a stream that knows no × still gets its numbers
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    app = _typer(cls=Commands, no_args_is_help=True)
    app.callback()(_root)
    try:
        with warnings_printed():
            code = app(arguments, prog_name="runlineage", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else ANSWERED
    except RunlineageError as problem:
        complain(f"error: {problem}")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit:  # how typer ends where a reader of the help has seen enough
        to_nowhere()
        return ANSWERED
    except OSError as problem:  # the output itself, on a full disk
        to_nowhere()
        complain(f"error: the output cannot be written: {problem.strerror or problem}")
        return BAD_INPUT
    except Exception as problem:  # a usage error: typer's base class has moved between its releases
        code = getattr(problem, "exit_code", None)
        if code is None or not hasattr(problem, "show"):
            raise
        complaints_of_typer(problem)
        return int(code)
