"""`runlineage report`: runs in, one HTML file out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import Fault, InputError, RunlineageError
from runlineage.catalogs.quantities.fields import BY_NAME
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.scenarios import Scenarios
from runlineage.visualizations.command_line.arguments import AssumeOption, unknown_metrics
from runlineage.visualizations.command_line.console import say
from runlineage.visualizations.command_line.run_argument import case_of, is_card
from runlineage.visualizations.pages.report import report, report_path

EXAMPLES = (
    "runlineage report gpt-3 bloom 'llama 3.1 405b' -o report.html",
    "runlineage report --all -o all.html",
)
METRIC_HELP = f"A metric; repeatable; the four when none. By name alone also {', '.join(BY_NAME)}."


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(help="Runs as other commands take them: names, run files, cards.", show_default=False),
    ] = None,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file: .html.")],
    metric: Annotated[list[str] | None, typer.Option("-m", "--metric", help=METRIC_HELP)] = None,
    model: Annotated[
        str, typer.Option("--model", help="The model, where one RUN is a card with figures of several.")
    ] = "",
    assume: AssumeOption = None,
    every: Annotated[bool, typer.Option("--all", help="Every catalogued run.")] = False,
) -> None:
    """Write a page over runs whose numbers unfold to their lineage."""
    report_path(output)
    chosen = chosen_runs(runs or (), metric or (), every=every, model=model)
    report(chosen, output, metrics=metric, assume=assume)
    say(f"{output}: {len(chosen)} run{'s' if len(chosen) > 1 else ''}, {output.stat().st_size / 1000:,.0f} kB")


def chosen_runs(
    names: Sequence[str], metrics: Sequence[str], *, every: bool, model: str = ""
) -> list[PublishedRunScenario]:
    """Find the runs of a report; all that is wrong with what was asked is reported at once."""
    faults, cases = [], []
    if every and names:
        faults.append(Fault("--all", "cannot stand beside named runs", "name runs, or give --all"))
    if not every and not names:
        faults.append(Fault("RUN", "is not named", "name runs (`runlineage list runs`), or give --all for every one"))
    faults += unknown_metrics(metrics, "--metric")
    named = [name for name in names if is_card(name)]
    if model and len(named) != 1:
        faults.append(Fault("--model", f"is of one card, and RUN names {len(named) or 'none'}", "write FILE#MODEL"))
    for name in names:
        try:
            cases.append(case_of(name, {"model": model} if name in named[:1] else {}))
        except RunlineageError as problem:
            if len(names) == 1 and not faults:
                raise
            faults += problem.faults if isinstance(problem, InputError) else [Fault("RUN", str(problem))]
    if faults:
        raise InputError(tuple(faults))
    return [Scenarios[name] for name in Scenarios] if every else cases
