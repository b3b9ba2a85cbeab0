"""`runlineage solve`: what a fact would have to be for a metric to be as wanted, with the lineage of that case."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from runlineage.catalogs.base.errors import CannotComputeError, refuse
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.solving import Solved
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.visualizations import tree
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    RouteOption,
    RunArgument,
    routes_of,
    unknown_metrics,
    with_facts,
)
from runlineage.visualizations.command_line.console import NOT_COMPUTABLE, close, complain, say, text_width
from runlineage.visualizations.command_line.run_argument import case_of

EXAMPLES = (
    "runlineage solve duration gpt-3 --for peak_fraction=0.4",
    "runlineage solve accelerator_hours --for peak_fraction=40% --training-ops 1e25 --accelerator 'H100 SXM'",
)
SCHEMA = "runlineage.solve/1"


@with_facts
def command(
    fact: Annotated[str, typer.Argument(help="The fact to find, such as duration.", show_default=False)],
    run: RunArgument = None,
    *,
    wanted: Annotated[str, typer.Option("--for", metavar="METRIC=VALUE", help="The metric, with its wanted value.")],
    assume: AssumeOption = None,
    route: RouteOption = None,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Find what a fact would have to be for a metric to have a wanted value."""
    metric, _, value = wanted.partition("=")
    if not value:
        refuse("--for", f"is {wanted!r}", "write METRIC=VALUE, such as peak_fraction=0.4")
    if faults := unknown_metrics([metric], "--for"):
        refuse(faults[0].where, faults[0].what, faults[0].cure)
    for name in (fact, metric):
        if facts.get(name) is not None:
            refuse(f"--{name.replace('_', '-')}", "is given, and is what solve looks for or aims at", "leave it out")
    case = case_of(run, facts, assume, prefer=routes_of(route))
    try:
        solved = case.solve(fact, **{metric: value})
    except CannotComputeError as problem:
        complain(problem)
        raise typer.Exit(NOT_COMPUTABLE) from None
    say(solved_json(case, solved) if as_json else solved_text(case, solved))
    found = with_solved(case, solved)
    close(dict.fromkeys((*case.inputs.warnings, *found.results(solved.metric).warnings)), [], as_json)


def solved_text(case: PublishedRunScenario, solved: Solved) -> str:
    """Write the fact that was found, and the lineage of the run that has it.

    >>> from runlineage import Scenarios
    >>> run = Scenarios.Gpt3PublishedRun
    >>> print(solved_text(run, run.solve("duration", peak_fraction=0.4)).splitlines()[1])
      duration = 7.26852 day, for peak_fraction = 0.4
    """
    lineage = with_solved(case, solved).lineage(solved.metric)
    return f"{case.name}\n  {solved}\n\n{tree.tree(lineage, width=text_width())}"


def with_solved(case: PublishedRunScenario, solved: Solved) -> PublishedRunScenario:
    """Return the run as it is with the fact that was found, whose origin says so."""
    wanted = str(solved).partition(", for ")[2]
    fact = Fact(solved.value, "derived", note=f"Solved for {wanted}; nobody states it.")
    changes: dict[str, Any] = {solved.metric: None, solved.fact: fact}
    return case.variant(name=case.name, **changes)


def solved_json(case: PublishedRunScenario, solved: Solved) -> str:
    """Write the fact that was found as JSON with stable keys and full precision."""
    document = {"schema": SCHEMA, "run": case.name, **solved.as_json()}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
