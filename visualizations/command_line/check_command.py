"""`runlineage check`: published figures held against each other, those of a run or of each row of a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import refuse
from runlineage.catalogs.quantities.fields import ANSWERS
from runlineage.visualizations.check_text import SCHEMA, check_json, check_text
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    RouteOption,
    RunArgument,
    routes_of,
    with_facts,
)
from runlineage.visualizations.command_line.console import NOT_COMPUTABLE, close, readers_may_leave, say, text_width
from runlineage.visualizations.command_line.presets import (
    ColumnOption,
    FromOption,
    HardwareOption,
    Layout,
    columns_of,
)
from runlineage.visualizations.command_line.run_argument import TABLE, case_of, facts_given

EXAMPLES = (
    "runlineage check opt-175b",
    "runlineage check --accelerator-hours 8404992 --accelerator-count 6144 --duration '64 days'",
    "runlineage check models.csv -o comparisons.csv",
    "runlineage check epoch.csv --from epoch",
)
CONTRADICTED = NOT_COMPUTABLE  # the exit code where figures contradict


@with_facts
def command(
    run: RunArgument = None,
    *,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Of a table: the file to write, one row for each comparison."),
    ] = None,
    row: Annotated[
        int | None,
        typer.Option("--row", min=1, max=10**15, help="One row, where RUN is a table file; the first is 1."),
    ] = None,
    column: ColumnOption = None,
    preset: FromOption = "",
    hardware: HardwareOption = None,
    assume: AssumeOption = None,
    route: RouteOption = None,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Compare published figures: which contradict, why, and which fact to doubt first. Exit code 1 where some do."""
    is_table = run is not None and row is None and TABLE.fullmatch(run) is not None
    layout = Layout(columns_of(column), preset, hardware, estimates=is_table or row is not None)
    if run is not None and is_table:
        contradicts = _table(run, output, layout, assume or [], routes_of(route), facts, as_json=as_json)
    else:
        if output is not None:
            refuse("-o", "is of a table", "name a table file as RUN, or send the output to a file by >")
        contradicts = _run(run, row, layout, assume, routes_of(route), facts, as_json=as_json)
    if contradicts:
        raise typer.Exit(CONTRADICTED)


def _run(
    run: str | None,
    row: int | None,
    layout: Layout,
    assume: list[str] | None,
    prefer: Mapping[str, str],
    facts: Mapping[str, str | None],
    *,
    as_json: bool,
) -> bool:
    found = case_of(run, facts, assume, row, tuple(ANSWERS), layout, prefer).check()
    say(check_json(found) if as_json else check_text(found, width=text_width()))
    close(found.warnings, [], as_json)
    return bool(found.contradictions)


def _table(
    source: str,
    output: str | None,
    layout: Layout,
    assume: list[str],
    prefer: Mapping[str, str],
    facts: Mapping[str, str | None],
    *,
    as_json: bool,
) -> bool:
    from runlineage.visualizations.command_line.checked_table import as_document, checked, summary

    if given := facts_given(facts):
        option = f"--{next(iter(given)).replace('_', '-')}"
        refuse(option, "is a fact of one run, and RUN is a table", "add a column, or name one row with --row")
    if prefer:
        refuse("--route", "is of one run, and RUN is a table", "name one row with --row")
    with readers_may_leave():
        found = checked(source, output, layout, assume)
    if as_json:
        say(json.dumps({"schema": SCHEMA, "table": source, **as_document(found)}, ensure_ascii=False, indent=2))
    else:
        say("\n\n".join(filter(None, (output, summary(found)))))
    return bool(found.contradictions.height)
