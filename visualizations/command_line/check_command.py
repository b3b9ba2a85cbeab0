"""`runlineage check`: a run's published figures held against each other."""

from __future__ import annotations

import typer

from runlineage.visualizations.check_text import check_json, check_text
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    RouteOption,
    RunArgument,
    routes_of,
    with_facts,
)
from runlineage.visualizations.command_line.console import NOT_COMPUTABLE, close, say, text_width
from runlineage.visualizations.command_line.run_argument import case_of

EXAMPLES = (
    "runlineage check opt-175b",
    "runlineage check --accelerator-hours 8404992 --accelerator-count 6144 --duration '64 days'",
    "runlineage check README.md --json",
)
CONTRADICTED = NOT_COMPUTABLE  # the exit code where figures contradict


@with_facts
def command(
    run: RunArgument = None,
    *,
    assume: AssumeOption = None,
    route: RouteOption = None,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Compare a run's published figures: which contradict, why, and which fact to doubt first."""
    found = case_of(run, facts, assume, prefer=routes_of(route)).check()
    say(check_json(found) if as_json else check_text(found, width=text_width()))
    close(found.warnings, [], as_json)
    if found.contradictions:
        raise typer.Exit(CONTRADICTED)
