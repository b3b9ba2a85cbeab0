"""`runlineage show`: a run's answers, each with its route or with what is missing."""

from __future__ import annotations

from typing import Annotated

import typer

from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.graph.results import Results
from runlineage.visualizations.answers import answer_json, answer_text, budget_text
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
from runlineage.visualizations.command_line.run_argument import case_of
from runlineage.visualizations.unused import unused_by_results

EXAMPLES = (
    "runlineage show Gpt3PublishedRun",
    "runlineage show bloom energy --json",
    'runlineage show gpt-3 --duration "14 to 16 days" --budget',
    'runlineage show --parameters 405B --training-tokens 15.6T --accelerator "H100 SXM" --precision bf16',
)


@with_facts
def command(
    run: RunArgument = None,
    metrics: MetricsArgument = None,
    *,
    metric: MetricOption = None,
    assume: AssumeOption = None,
    route: RouteOption = None,
    budget: Annotated[
        bool, typer.Option("--budget", help="Also show which facts the intervals of uncertain answers come from.")
    ] = False,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Show a run's metrics, the route of each, and what is missing."""
    case = case_of(run, facts, assume, prefer=routes_of(route))
    asked = asked_of(metrics, metric)
    wanted = asked or list(METRICS)
    results = case.results(wanted)
    text = answer_json(case.name, results, wanted) if as_json else shown(case.name, results, wanted)
    say(f"{text}\n\n{budget_text(results, wanted, width=text_width())}" if budget and not as_json else text)
    close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json)


def shown(subject: str, results: Results, wanted: list[str]) -> str:
    """Write answers for people, and what was read of a card or file for none of them."""
    unused = unused_by_results(results, width=text_width())
    return answer_text(subject, results, wanted, width=text_width()) + (
        f"\n\nread and not used\n{unused}" if unused else ""
    )
