"""`runlineage compare`: runs by metrics, each answer with its route and its ratio to the first run's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import Fault, InputError, OutputError, refuse
from runlineage.catalogs.base.files import write_whole
from runlineage.catalogs.quantities.fields import BY_NAME, METRICS
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    RouteOption,
    routes_of,
    runs_like,
    unknown_metrics,
    with_facts,
)
from runlineage.visualizations.command_line.console import close, say, text_width
from runlineage.visualizations.command_line.presets import (
    ColumnOption,
    FromOption,
    HardwareOption,
    Layout,
    columns_of,
)
from runlineage.visualizations.command_line.several_runs import runs_named
from runlineage.visualizations.comparison.comparison import Comparison, compared
from runlineage.visualizations.comparison.forms import FORM_NAMES, form_of, form_of_suffix

EXAMPLES = (
    "runlineage compare gpt-3 bloom 'llama 3.1 405b'",
    "runlineage compare bloom my_run.toml 'models.csv#7' -m energy -m peak_fraction --assume tdp",
    "runlineage compare gpt-3 bloom -o both.csv",
)
RUNS_HELP = (
    "Two runs or more, as other commands take them (names, run files, cards, lineages), tables with all their rows, "
    "and rows as FILE#ROW; the others are compared with the first. Options change the facts of every run."
)
METRIC_HELP = f"A metric; repeatable; the four when none. By name alone also {', '.join(BY_NAME)}."


@with_facts
def command(
    runs: Annotated[
        list[str] | None, typer.Argument(help=RUNS_HELP, show_default=False, autocompletion=runs_like)
    ] = None,
    *,
    metric: Annotated[list[str] | None, typer.Option("-m", "--metric", help=METRIC_HELP)] = None,
    to: Annotated[str | None, typer.Option("--to", help=f"{FORM_NAMES}.", show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file: .csv, .md, .json or .txt.", show_default=False)
    ] = None,
    assume: AssumeOption = None,
    route: RouteOption = None,
    column: ColumnOption = None,
    preset: FromOption = "",
    hardware: HardwareOption = None,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Compare runs by metrics: numbers, routes, the ratio to the first, and why an answer is missing."""
    form = form_asked(to, output, as_json=as_json)
    asked = list(dict.fromkeys(metric or METRICS))
    faults = unknown_metrics(asked, "--metric")
    if not runs:
        faults.append(Fault("RUN", "is not named", "name two runs or more (`runlineage list runs`)"))
    layout, prefer = Layout(columns_of(column), preset, hardware), routes_of(route)
    cases, others = runs_named(runs or (), facts, assume, asked if not faults else METRICS, layout, prefer)
    if runs and len(cases) == 1 and not others:
        faults.append(Fault("RUN", f"names one run, {cases[0].name}", "name another, or ask `runlineage show`"))
    if faults or others:
        raise InputError((*faults, *others))
    shown = compared(cases, asked)
    _write(shown, form, output)
    missing = [f"no run has an answer for {name}" for name in shown.unanswered if metric]
    close(shown.warnings, missing, as_json=form == "json" and output is None)


def form_asked(to: str | None, output: Path | None, *, as_json: bool) -> str:
    """Return the form that an option, or the suffix of the file, names; two that differ are refused."""
    if as_json and to not in (None, "json"):
        refuse("--to", f"is {to}, and --json is given", "choose one")
    asked = form_of("json") if as_json else form_of(to) if to is not None else None
    if output is None:
        return asked.name if asked else "text"
    if asked and output.suffix.lower() not in asked.suffixes:
        cure = f"name one that ends in {' or '.join(asked.suffixes)}"
        raise OutputError(f"{output} is no file for a comparison as {asked.name}", cure)
    return (asked or form_of_suffix(str(output), output.suffix)).name


def _write(shown: Comparison, form: str, output: Path | None) -> None:
    if output is None:
        say(shown.text(text_width()) if form == "text" else shown.to(form).rstrip("\n"))
        return
    write_whole(output, shown.to(form).encode())
    say(f"{output}: {len(shown.runs)} runs by {len(shown.metrics)} metric{'s' * (len(shown.metrics) > 1)}")
