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
        indent = " " * (names + 7)
        lines += textwrap.wrap(
            how(row), width, initial_indent=head, subsequent_indent=indent, break_on_hyphens=False
        ) or [head.rstrip()]
    return "\n".join(lines)


def answer(result: Result) -> str:
    """Write the value of an answer for people; a dash where there is none."""
    return "–" if result.problem else people(result.value) if is_ours(result.value) else str(result.value)


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
