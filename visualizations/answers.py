"""Answers as text for people and as JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from typing import Any

from runlineage.catalogs.everyday import equal, is_energy
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import is_ours
from runlineage.dataflow.graph.results import Result, Results
from runlineage.visualizations.tree import WIDTH

SCHEMA = "runlineage/1"
LEAST_SHOWN = 0.01  # share of a fact below which it would narrow nothing
NARROWEST = 20  # columns beside an answer with its interval, else the rest stands below it
SEEN = 0.02  # a share below is within what draws can tell


def answer_text(subject: str, results: Results, metrics: Iterable[str], *, width: int = WIDTH) -> str:
    """Write a run's metrics, a line each: name, value, route, assumptions and printed figure, or why there is no value.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="LLaMA 65B", accelerator_hours=1_022_362, device_power="400 W")
    >>> print(answer_text("LLaMA 65B", run.results(["energy"]), ["energy"]))
    LLaMA 65B
      energy  0.408945 GWh  by power_time
    """
    rows = [results.result(name) for name in metrics]
    names = max((len(row.name) for row in rows), default=0)
    longest = max((len(answer(row)) for row in rows if row.route), default=0)
    lines = [subject]
    for row in rows:
        value = f"{answer(row):<{longest}}" if row.route else answer(row)
        head = f"  {row.name:<{names}}  {value}  "
        if row.spread and width - len(head) < NARROWEST:  # an interval leaves no room beside it
            lines.append(head.rstrip())
            head = " " * (names + 7)
        indent = " " * (names + 7)
        lines += textwrap.wrap(
            how(row), width, initial_indent=head, subsequent_indent=indent, break_on_hyphens=False
        ) or [head.rstrip()]
    return "\n".join(lines)


def answer(result: Result) -> str:
    """Write the value of an answer for people; a dash where there is none."""
    if result.spread:
        return str(result.spread)
    return "–" if result.problem else people(result.value) if is_ours(result.value) else str(result.value)


def budget_text(results: Results, metrics: Iterable[str], *, width: int = WIDTH) -> str:
    """Write for each uncertain answer which facts its interval comes from, the one that drives it first.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(accelerator_hours="1M ± 10%", device_power="350 to 400 W")
    >>> print(budget_text(run.results(["energy"]), ["energy"]))
    what the interval of each answer comes from
      energy
        accelerator_hours   69%  were it known, the interval would be 45% narrower
        device_power        31%  were it known, the interval would be 17% narrower
    """
    lines = ["what the interval of each answer comes from"]
    for spread in (results.spreads[name] for name in metrics if name in results.spreads):
        lines.append(f"  {spread.name}")
        longest = max(map(len, spread.budget), default=0)
        for name, share in spread.budget.items():
            narrower = f"were it known, the interval would be {100 * spread.narrowing[name]:.0f}% narrower"
            head = f"    {name:<{longest}}  {_percent(share)}  "
            if share < LEAST_SHOWN:
                lines.append(head.rstrip())
                continue
            lines += textwrap.wrap(narrower, width, initial_indent=head, subsequent_indent=" " * len(head))
        together = 1 - sum(spread.budget.values())
        if not spread.is_product and together > SEEN:
            lines.append(f"    and {100 * together:.0f}% where they act together")
    return "\n".join(lines) if len(lines) > 1 else "no answer is uncertain: no fact that it rests on is a range"


def _percent(share: float) -> str:
    return f"{100 * share:3.0f}%" if share >= LEAST_SHOWN / 2 else " <1%"


def how(result: Result) -> str:
    """Describe how an answer came about: route, what it must not be read without, assumptions, the printed figure."""
    printed = str(result.printed) if result.printed else ""
    if result.problem:
        return "; ".join(filter(None, (result.problem.short, printed)))
    by = f"by {result.route}" if result.route else ""
    assumed = ", ".join(f'"{name}"' for name in result.assumes)
    return ", ".join(filter(None, (by, result.note, f"assuming {assumed}" if assumed else "", printed)))


def everyday_equals(results: Results, metrics: Iterable[str], whose: str) -> dict[str, str]:
    """Write the energies among some answers as the yearly electricity of households."""
    found: dict[str, Any] = {name: results.result(name).value for name in metrics}
    return {name: equal(value, whose) for name, value in found.items() if is_energy(value)}


def answer_json(subject: str, results: Results, metrics: Iterable[str], everyday: str = "") -> str:
    """Write a run's metrics as JSON with stable keys and full precision; everyday equals only where they are asked."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "run": subject,
        "metrics": {name: results.result(name).as_json() for name in metrics},
        "warnings": list(results.warnings),
    }
    document |= {"everyday": everyday_equals(results, metrics, everyday)} if everyday else {}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
