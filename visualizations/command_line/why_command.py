"""`runlineage why`: where each number of a run came from."""

from __future__ import annotations

from typing import Annotated

import typer

from runlineage.catalogs.base.errors import refuse
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.exchange.lineage_json import lineage_json
from runlineage.dataflow.exchange.prov import prov_json
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations import tree
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    MetricOption,
    MetricsArgument,
    RouteOption,
    RunArgument,
    asked_of,
    routes_of,
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
from runlineage.visualizations.command_line.run_argument import case_of, usual_of
from runlineage.visualizations.unused import unused_by_lineage

EXAMPLES = ("runlineage why Gpt3PublishedRun achieved_rate", "runlineage why 'llama 3.1 405b' energy")
SECTIONS = {
    "routes not taken": tree.closed_routes,
    "published and not used": tree.unused_facts,
    "published by the authors": tree.reported_facts,
    "read and not used": unused_by_lineage,
    "sources": tree.sources,
}


@with_facts
def command(
    run: RunArgument = None,
    metrics: MetricsArgument = None,
    *,
    metric: MetricOption = None,
    row: Annotated[
        int | None,
        typer.Option("--row", min=1, max=10**15, help="The row, where RUN is a table file; the first is 1."),
    ] = None,
    column: ColumnOption = None,
    preset: FromOption = "",
    hardware: HardwareOption = None,
    assume: AssumeOption = None,
    route: RouteOption = None,
    as_json: JsonOption = False,
    as_prov: Annotated[bool, typer.Option("--prov", help="W3C PROV-JSON, for programs.")] = False,
    **facts: str | None,
) -> None:
    """Show where each number came from: tree, routes, sources."""
    if as_json and as_prov:
        refuse("--prov", "cannot stand beside --json: each is a form of its own", "choose one")
    asked = asked_of(metrics, metric)
    layout = Layout(columns_of(column), preset, hardware)
    case = case_of(run, facts, assume, row, asked or METRICS, layout, routes_of(route))
    results, lineage = case.trace(asked or usual_of(case))
    say(prov_json(lineage) if as_prov else lineage_json(lineage) if as_json else lineage_text(lineage))
    close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json or as_prov)


def lineage_text(lineage: Lineage) -> str:
    """Write a lineage for people: its tree, then what was not used and why, and the sources."""
    sections = {title: write(lineage, width=text_width()) for title, write in SECTIONS.items()}
    parts = [
        lineage.subject,
        tree.tree(lineage, width=text_width()),
        *(f"{title}\n{text}" for title, text in sections.items() if text),
    ]
    return "\n\n".join(filter(None, [*parts, f"catalog {lineage.catalog}"]))
