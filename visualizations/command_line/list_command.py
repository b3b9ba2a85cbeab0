"""`runlineage list`: what the catalogs hold."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from runlineage.catalogs.base.errors import UnknownNameError, refuse
from runlineage.catalogs.base.spelling import nearest
from runlineage.visualizations.columns import aligned, fitted
from runlineage.visualizations.command_line.arguments import JsonOption
from runlineage.visualizations.command_line.console import say, width_there
from runlineage.visualizations.command_line.listing import CATALOGS, listing
from runlineage.visualizations.command_line.run_listing import listed_runs, runs_text

EXAMPLES = (
    "runlineage list runs",
    "runlineage list runs --year 2023 --accelerator H100",
    "runlineage list accelerators --json",
)
RUNS = "runs"
KNOWN = (RUNS, *CATALOGS)
NAMES = f"{', '.join(KNOWN[:-1])} or {KNOWN[-1]}"


def catalogs_like(incomplete: str) -> list[str]:
    """List the catalogs that begin as what is typed."""
    return [each for each in KNOWN if each.startswith(incomplete)]


def command(
    catalog: Annotated[
        str,
        typer.Argument(
            help=f"{NAMES}.",
            show_default=False,
            autocompletion=catalogs_like,
        ),
    ] = "",
    year: Annotated[
        str | None, typer.Option("--year", help="Only runs whose earliest source is of that year.", show_default=False)
    ] = None,
    accelerator: Annotated[
        str | None, typer.Option("--accelerator", help="Only runs on that device or family.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List what a catalog holds: runs (year, device, metrics answered), devices, grids, thresholds, sources."""
    if not catalog:
        refuse("CATALOG", "is missing", f"name {NAMES}")
    if catalog not in KNOWN:
        raise UnknownNameError("catalog", catalog, nearest(catalog, KNOWN, 1), f"there are {', '.join(KNOWN)}")
    if catalog != RUNS:
        for option, value in (("--year", year), ("--accelerator", accelerator)):
            if value is not None:
                refuse(option, f"is of runs, and not of {catalog}", "leave it out, or list runs")
        rows = listing(catalog)
        say(_json(rows) if as_json else _text([list(row.values()) for row in rows]))
        return
    runs = listed_runs(year, accelerator)
    if as_json:
        say(_json([run.as_json() for run in runs]))
    else:
        say(runs_text(runs, width_there()) if runs else "no run of the catalog is of that year and device")


def _json(rows: list[Any]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=2)


def _text(rows: list[list[str]]) -> str:
    """Write a line a row for a pipe, and within the columns of a terminal."""
    width = width_there()
    return aligned(rows) if width is None else fitted(rows, width)
