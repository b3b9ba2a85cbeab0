"""`runlineage verdicts`: a run's training compute against the lines of laws and guidance."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from typing import Annotated

import typer

from runlineage.catalogs.quantities.formatting import people, ratio_text
from runlineage.catalogs.records.threshold import Threshold
from runlineage.dataflow.runs.staged import AnyRun
from runlineage.dataflow.runs.verdicts import Verdict, verdicts
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    RouteOption,
    RunArgument,
    routes_of,
    with_facts,
)
from runlineage.visualizations.command_line.console import close, say, text_width
from runlineage.visualizations.command_line.run_argument import case_of

LEAST_CHANCE = 0.001
EXAMPLES = (
    "runlineage verdicts deepseek-v3",
    "runlineage verdicts --training-ops '9e24 to 1.2e25'",
    "runlineage verdicts 'llama 3.1 405b' --threshold 'EU 1e25'",
    "runlineage verdicts --training-ops 1e24 --stage fine-tuning --base-training-ops 3.8e25",
)


@with_facts
def command(
    run: RunArgument = None,
    *,
    threshold: Annotated[
        list[str] | None,
        typer.Option("--threshold", help="A threshold of `list thresholds`; repeatable; all when none."),
    ] = None,
    assume: AssumeOption = None,
    route: RouteOption = None,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Compare a run's compute with the thresholds of policy: above, below, or unknown."""
    case = case_of(run, facts, assume, prefer=routes_of(route))
    answers = verdicts(case, threshold)
    say(verdict_json(case, answers) if as_json else verdict_text(case, answers))
    close(case.inputs.warnings, [], as_json)


def verdict_text(run: AnyRun, answers: Iterable[Verdict]) -> str:
    """Write verdicts for people: word and margin, the line and its status, and what counts under it.

    >>> from runlineage import Scenarios
    >>> run = Scenarios["DeepSeek-V3"]
    >>> print(verdict_text(run, verdicts(run, "RAISE")).splitlines()[6])
    below        New York RAISE Act, frontier model
    """
    answers = tuple(answers)
    parts = [run.name, *map(_wrapped, dict.fromkeys(each.scope for each in answers if each.scope))]
    for each in answers:
        lines = [f"{each.word:<11}  {each.threshold.name}", *map(_wrapped, _sentences(each))]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) if answers else f"{run.name}: no such threshold applies to it"


def verdict_json(run: AnyRun, answers: Iterable[Verdict]) -> str:
    """Write verdicts as JSON with stable keys and full precision."""
    document = {"schema": "runlineage.verdicts/1", "run": run.name, "verdicts": [each.as_json() for each in answers]}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)


def _sentences(verdict: Verdict) -> list[str]:
    facts = verdict.threshold.facts()
    line = people(verdict.line) + (" of the original's operations" if verdict.threshold.of_original else "")
    sentences = [f"the line: more than {line}; {_status(verdict.threshold)}"]
    if verdict.factor is not None and verdict.margin is not None and verdict.margin.magnitude:
        way = "above" if verdict.factor > 1 else "below"
        apart = people(verdict.margin if verdict.factor > 1 else verdict.margin * -1)
        sentences.append(f"{verdict.compared} is {ratio_text(verdict.factor)} times that, {apart} {way} it")
    if verdict.probability is not None and f"{verdict.probability:.0%}" not in verdict.reason:
        sentences.append(f"above it with a probability of {_chance(verdict.probability)}")
    sentences += [verdict.reason] if verdict.reason else []
    sentences += verdict.caveats
    sentences += [f"counts: {facts['what_counts'].value}"] if "what_counts" in facts else []
    return sentences


def _chance(probability: float) -> str:
    """Write a probability, which draws tell to a tenth of a per cent.

    >>> print(_chance(0.431), _chance(1.0), _chance(0.0002))
    43% over 99.9% under 0.1%
    """
    if LEAST_CHANCE <= probability <= 1 - LEAST_CHANCE:
        return f"{probability:.0%}" if 0.01 <= probability <= 0.99 else f"{probability:.1%}"
    return "over 99.9%" if probability > LEAST_CHANCE else "under 0.1%"


def _status(line: Threshold) -> str:
    facts = line.facts()
    status = facts["status"].value if "status" in facts else "status not recorded"
    since, until = (facts[each].value if each in facts else None for each in ("since", "until"))
    if until:
        return f"{status} on {until}"
    return f"{status}, {'from' if status.startswith('signed') else 'since'} {since}" if since else status


def _wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, text_width(), initial_indent="  ", subsequent_indent="    ")
