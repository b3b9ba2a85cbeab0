"""`runlineage show`: a run's answers, each with its route or with what is missing."""

from __future__ import annotations

import textwrap
from typing import Annotated

import typer

from runlineage.catalogs.catalog import Households
from runlineage.dataflow.graph.results import Results
from runlineage.visualizations.answers import answer_json, answer_text, budget_text, everyday_equals
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    EverydayOption,
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
from runlineage.visualizations.command_line.run_argument import case_of, usual_of
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
    everyday: EverydayOption = "",
    budget: Annotated[
        bool, typer.Option("--budget", help="Also show which facts the intervals of uncertain answers come from.")
    ] = False,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Show a run's metrics, the route of each, and what is missing."""
    case = case_of(run, facts, assume, prefer=routes_of(route))
    asked = asked_of(metrics, metric)
    wanted = asked or usual_of(case)
    results = case.results(wanted)
    if everyday:
        Households.find(everyday)  # refused with the nearest, also where no energy is answered
    write = answer_json if as_json else shown
    text = write(case.name, results, wanted, everyday)
    say(f"{text}\n\n{budget_text(results, wanted, width=text_width())}" if budget and not as_json else text)
    close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json)


def shown(subject: str, results: Results, wanted: list[str], everyday: str = "") -> str:
    """Write answers for people, everyday equals where they are asked, and what was read of a card and not used."""
    width = text_width()
    parts = [answer_text(subject, results, wanted, width=width)]
    if everyday:
        equals = everyday_equals(results, wanted, everyday)
        lines = [_wrapped(f"{name} is {text}", width) for name, text in equals.items()] or ["  no energy is answered"]
        parts.append("\n".join(["everyday equals", *lines]))
    if unused := unused_by_results(results, width=width):
        parts.append(f"read and not used\n{unused}")
    return "\n\n".join(parts)


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="    ")
