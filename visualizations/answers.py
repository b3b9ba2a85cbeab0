"""Answers as text for people and as JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from typing import Any

from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import is_ours
from runlineage.dataflow.graph.results import Result, Results
from runlineage.visualizations.tree import WIDTH

SCHEMA = "runlineage/1"


def answer_text(subject: str, results: Results, metrics: Iterable[str]) -> str:
    """Write a run's metrics, a line each: name, value, route, assumptions and printed figure, or why there is no value.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="LLaMA 65B", accelerator_hours=1_022_362, device_power="400 W")
    >>> print(answer_text("LLaMA 65B", run.results(["energy"]), ["energy"]))
    LLaMA 65B
      energy  0.408945 GWh
    """
    rows = [results.result(name) for name in metrics]
    values = {
        row.name: "–" if row.problem else people(row.value) if is_ours(row.value) else str(row.value) for row in rows
    }
    names = max((len(row.name) for row in rows), default=0)
    longest = max((len(values[row.name]) for row in rows if row.route), default=0)
    lines = [subject]
    for row in rows:
        text = _how(row)
        value = f"{values[row.name]:<{longest}}" if row.route else values[row.name]
        head = f"  {row.name:<{names}}  {value}  "
        lines += textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * (names + 7)) or [head.rstrip()]
    return "\n".join(lines)


def _how(row: Result) -> str:
    """Describe how an answer was had, and what the authors print of it."""
    printed = str(row.printed) if row.printed else ""
    if row.problem:
        return "; ".join(filter(None, (row.problem.short, printed)))
    assumed = ", ".join(f'"{name}"' for name in row.assumes)
    by = f"by {row.route}" if row.route else ""
    return ", ".join(filter(None, (by, row.note, f"assuming {assumed}" if assumed else "", printed)))


def answer_json(subject: str, results: Results, metrics: Iterable[str]) -> str:
    """Write a run's metrics as JSON with stable keys and full precision."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "run": subject,
        "metrics": {name: results.result(name).as_json() for name in metrics},
        "warnings": list(results.warnings),
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
