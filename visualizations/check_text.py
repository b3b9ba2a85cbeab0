"""A check of a run as text for people and as JSON for programs."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterable

from runlineage.dataflow.checks.check import Check
from runlineage.dataflow.checks.compared import AGREE, CLOSE, CONTRADICT, Compared
from runlineage.visualizations.tree import WIDTH

SCHEMA = "runlineage.check/1"
MARGIN = " " * 12
MOST_DOUBTS = 3


def check_text(check: Check, *, width: int = WIDTH) -> str:
    """Write a check: what contradicts, the worst first, then what is close, then what agrees; at last what to doubt.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(accelerator_hours=24_000, accelerator_count=1_000, duration="10 day")
    >>> print(check_text(run.check()).splitlines()[0])
    my run: 1 of 1 comparison contradicts
    """
    close, agree = ([each for each in check.compared if each.word == word] for word in (CLOSE, AGREE))
    parts = [headline(check)]
    parts += ["\n".join(_block(each, width)) for each in (*check.contradictions, *close)]
    parts += (
        ["\n".join(line for each in agree for line in _wrapped(f"{each.word:<10}  {each}", width))] if agree else []
    )
    parts += _beside(check, width)
    parts += _first(check, width)
    return "\n\n".join(parts)


def headline(check: Check) -> str:
    """Say how many of how many comparisons contradict."""
    wrong, all_of_them = len(check.contradictions), len(check.compared)
    if not all_of_them:
        return f"{check.subject}: its facts state nothing twice, so that there is nothing to compare"
    many = f"{all_of_them} comparison" + ("" if all_of_them == 1 else "s")
    if not wrong:
        return f"{check.subject}: nothing contradicts, of {many}"
    return f"{check.subject}: {wrong} of {many} contradict" + ("s" if wrong == 1 else "")


def why(compared: Compared) -> list[str]:
    """List what is to be said of a comparison that does not agree: digits, reason, cause, explanation."""
    said = [f"digits explain up to {math.expm1(compared.width):.1%}"] if compared.word != AGREE else []
    if compared.word == CLOSE:
        said.append(f"close: {compared.mark.because}")
    if compared.cause:
        said.append(f"cause: {compared.cause.replace('_', ' ')}: {compared.explanation}")
    elif compared.word == CONTRADICT:
        said.append("cause: none that is known fits")
        if compared.mark.because and compared.mark.is_bound:
            said.append(f"bound: {compared.mark.because}")
    if compared.known:
        said.append(f"known: {compared.known.why} [{compared.known.source}]")
    doubts = "; ".join(map(str, compared.doubts[:MOST_DOUBTS]))
    is_explained = compared.cause or compared.known
    return [*said, f"{'if it is not that, doubt' if is_explained else 'doubt'}: {doubts}"] if doubts else said


def check_json(check: Check) -> str:
    """Write a check as JSON with stable keys and full precision."""
    document = {"schema": SCHEMA, **check.as_json(), "warnings": list(check.warnings)}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)


def _block(compared: Compared, width: int) -> Iterable[str]:
    yield from _wrapped(f"{compared.word:<10}  {compared}", width)
    for sentence in why(compared):
        yield from textwrap.wrap(sentence, width, initial_indent=MARGIN, subsequent_indent=MARGIN + "  ")


def _beside(check: Check, width: int) -> list[str]:
    lines = ["published otherwise, and not used"] if check.beside else []
    for each in check.beside:
        lines += textwrap.wrap(f"{each}. {each.reason}", width, initial_indent="  ", subsequent_indent="    ")
    return ["\n".join(lines)] if lines else []


def _first(check: Check, width: int) -> list[str]:
    """Say which facts to doubt first, where several comparisons contradict, and what would reconcile all."""
    wrong = check.contradictions
    lines = []
    for each in check.doubts[:MOST_DOUBTS] if len(wrong) > 1 else ():
        breaks = f", and would make {each.breaks} others contradict" if each.breaks else ""
        text = f"{each} would settle {each.settles} of {len(wrong)}{breaks}"
        lines += textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="    ")
    if check.fit and not all(each.cause for each in wrong):
        lines += textwrap.wrap(f"least change: {check.fit}", width, initial_indent="  ", subsequent_indent="    ")
    return ["\n".join(["to doubt first", *lines])] if lines else []


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=MARGIN)
