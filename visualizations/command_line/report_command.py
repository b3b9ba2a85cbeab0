"""`runlineage report`: runs in, one HTML file out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import Fault, InputError
from runlineage.catalogs.quantities.fields import BY_NAME, METRICS
from runlineage.dataflow.runs.scenarios import Scenarios
from runlineage.dataflow.runs.staged import AnyRun
from runlineage.visualizations.command_line.arguments import AssumeOption, EverydayOption, unknown_metrics, with_facts
from runlineage.visualizations.command_line.console import complain, say
from runlineage.visualizations.command_line.presets import (
    ColumnOption,
    FromOption,
    HardwareOption,
    Layout,
    columns_of,
)
from runlineage.visualizations.command_line.run_argument import case_of
from runlineage.visualizations.command_line.several_runs import runs_named
from runlineage.visualizations.pages.report import report_path, write_page

EXAMPLES = (
    "runlineage report gpt-3 bloom 'llama 3.1 405b' -o report.html",
    "runlineage report bloom gpt-3 -m facility_energy --pue 1.2 -o report.html",
    "runlineage report models.csv 'others.csv#7' -o report.html",
    "runlineage report --all -o all.html",
)
METRIC_HELP = f"A metric; repeatable; the four when none. By name alone also {', '.join(BY_NAME)}."
RUNS_HELP = (
    "Runs as other commands take them (names, run files, cards, lineages), tables with all their rows, and rows as "
    "FILE#ROW; left out: the facts of the options alone. Options change the facts of every run."
)


@with_facts
def command(
    runs: Annotated[list[str] | None, typer.Argument(help=RUNS_HELP, show_default=False)] = None,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file: .html.")],
    metric: Annotated[list[str] | None, typer.Option("-m", "--metric", help=METRIC_HELP)] = None,
    assume: AssumeOption = None,
    everyday: EverydayOption = "",
    every: Annotated[bool, typer.Option("--all", help="Every catalogued run.")] = False,
    column: ColumnOption = None,
    preset: FromOption = "",
    hardware: HardwareOption = None,
    **facts: str | None,
) -> None:
    """Write a page over runs whose numbers unfold to their lineage."""
    report_path(output)
    layout = Layout(columns_of(column), preset, hardware)
    chosen = chosen_runs(runs or (), metric or (), facts, assume, layout, every=every)
    lineages = [run.lineage(metric or METRICS) for run in progress(chosen)]
    write_page(lineages, output, everyday)
    say(f"{output}: {len(chosen)} run{'s' if len(chosen) > 1 else ''}, {output.stat().st_size / 1000:,.0f} kB")
    if not any(lineage.outputs for lineage in lineages):
        complain("warning: nothing could be computed; the page says what is needed")


def chosen_runs(
    names: Sequence[str],
    metrics: Sequence[str],
    facts: dict[str, str | None],
    assume: list[str] | None,
    layout: Layout,
    *,
    every: bool,
) -> list[AnyRun]:
    """Find the runs of a report; all that is wrong with what was asked is reported at once."""
    faults: list[Fault] = []
    alone = not names and not every
    if every and names:
        faults.append(Fault("--all", "cannot stand beside named runs", "name runs, or give --all"))
    if alone and not any(value is not None for value in facts.values()):
        cure = "name runs (`runlineage list runs`), give --all for every one, or facts as options"
        faults.append(Fault("RUN", "is not named", cure))
    faults += unknown_metrics(metrics, "--metric")
    if alone and not faults:
        return [case_of(None, facts, assume)]
    asked = [*names, *(Scenarios if every and not names else ())]
    cases, others = runs_named(asked, facts, assume, metrics or METRICS, layout)
    if faults or others:
        raise InputError((*faults, *others))
    return cases


def progress(runs: Sequence[AnyRun]) -> Iterable[AnyRun]:
    """Show on a terminal how far the runs are computed; pipes see nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        return runs
    from rich.console import Console
    from rich.progress import track

    return track(runs, "computing runs", console=Console(stderr=True), transient=True)
