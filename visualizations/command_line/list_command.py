"""`runlineage list`: what the catalogs hold."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import UnknownNameError, refuse
from runlineage.catalogs.base.spelling import nearest
from runlineage.visualizations.columns import aligned
from runlineage.visualizations.command_line.arguments import JsonOption
from runlineage.visualizations.command_line.console import say
from runlineage.visualizations.command_line.listing import CATALOGS, listing

EXAMPLES = ("runlineage list runs", "runlineage list accelerators --json")
NAMES = f"{', '.join(tuple(CATALOGS)[:-1])} or {tuple(CATALOGS)[-1]}"


def command(
    catalog: Annotated[str, typer.Argument(help=f"{NAMES}.", show_default=False)] = "", as_json: JsonOption = False
) -> None:
    """List what a catalog holds: runs, devices, grids, thresholds, sources."""
    if not catalog:
        refuse("CATALOG", "is missing", f"name {NAMES}")
    if catalog not in CATALOGS:
        raise UnknownNameError("catalog", catalog, nearest(catalog, CATALOGS, 1), f"there are {', '.join(CATALOGS)}")
    rows = listing(catalog)
    say(json.dumps(rows, ensure_ascii=False, indent=2) if as_json else aligned(row.values() for row in rows))
