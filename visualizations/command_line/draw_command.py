"""`runlineage draw`: the lineage of one run or several as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import refuse
from runlineage.dataflow.graph.lineage import together
from runlineage.dataflow.modules import MODULES
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    MetricOption,
    MetricsArgument,
    RouteOption,
    RunArgument,
    asked_of,
    routes_of,
    with_facts,
)
from runlineage.visualizations.command_line.console import close, say
from runlineage.visualizations.command_line.run_argument import case_of, usual_of
from runlineage.visualizations.pictures.picture import draw, picture_kind

EXAMPLES = (
    "runlineage draw Gpt3PublishedRun -o gpt3.svg",
    "runlineage draw bloom energy -o bloom.png",
    "runlineage draw gpt-3 --affects duration -o what.svg",
    "runlineage draw gpt-3 --beside bloom -o both.svg",
)


@with_facts
def command(
    run: RunArgument = None,
    metrics: MetricsArgument = None,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file: .svg, .png, .pdf, .dot, .mmd or .txt.")],
    metric: MetricOption = None,
    beside: Annotated[
        list[str] | None, typer.Option("--beside", help="A further run, drawn beside; repeatable.")
    ] = None,
    affects: Annotated[str | None, typer.Option("--affects", help="A fact: draw what changes with it.")] = None,
    routes: Annotated[bool, typer.Option("--routes", help="Every route, with the taken ones bold.")] = False,
    nodes: Annotated[bool, typer.Option("--nodes", help="The bare graph of our nodes; no RUN.")] = False,
    slide: Annotated[bool, typer.Option("--slide", help="Few words, at the size of a slide.")] = False,
    assume: AssumeOption = None,
    route: RouteOption = None,
    **facts: str | None,
) -> None:
    """Draw the lineage of a run's metrics to a file."""
    picture_kind(output)
    if nodes:
        if run is not None:
            refuse("--nodes", "draws no run", "leave RUN out, or draw it with --routes")
        say(f"{draw(MODULES, output, slide=slide)}: every route of our nodes")
        return
    asked = asked_of(metrics, metric)
    chosen = routes_of(route)
    cases = [case_of(run, facts, assume, prefer=chosen)]
    cases += [case_of(each, {}, assume, prefer=chosen) for each in beside or ()]
    traced = [case.trace(asked or usual_of(case)) for case in cases]
    lineage = together(*(each for _, each in traced))
    if affects is not None:
        lineage = together(*(part.downstream(affects) for part in lineage.runs))
    if lineage.outputs or routes:
        shown = ", ".join(dict.fromkeys(lineage.entries[name].name for name in lineage.outputs)) or "routes"
        say(f"{draw(lineage, output, routes=routes, slide=slide)}: {shown} of {lineage.subject}")
    results, _ = traced[0]
    unanswered = asked if lineage.outputs else usual_of(cases[0])
    problems = [results.problems[name] for name in unanswered if name in results.problems]
    close(lineage.warnings, [] if routes else problems, as_json=False)
