"""Compare runs: found by name or given, answered by the same metrics, and shown in any form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.names_given import names_given
from runlineage.catalogs.base.spelling import numbered
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.scenarios import Scenarios
from runlineage.dataflow.runs.staged import AnyRun, StagedRun
from runlineage.visualizations.comparison.forms import form_of
from runlineage.visualizations.comparison.side_by_side import SideBySide
from runlineage.visualizations.comparison.text_table import text_table
from runlineage.visualizations.pages.notebook import html
from runlineage.visualizations.tree import WIDTH

RunOrName = PublishedRunScenario | StagedRun | str


class Comparison(SideBySide):
    """Runs beside each other, as text, in a notebook, and in the forms of files."""

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = WIDTH) -> str:
        """Write a table for people that fits some columns: runs by metrics, with routes, ratios and reasons."""
        return text_table(self, width)

    def to(self, form: str) -> str:
        """Write the comparison in a form: text, csv, md or json."""
        return form_of(form).write(self)

    def _repr_html_(self) -> str:
        """Show itself in a notebook: a row a run, a column a metric."""
        return html(self)


def compare(
    *runs: RunOrName | Iterable[RunOrName],
    metrics: str | Iterable[str] = tuple(METRICS),
    assume: str | Iterable[str] | None = None,
    prefer: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare runs by metrics: each answer with its route, and its ratio to that of the first run.

    A run is a `PublishedRunScenario` or the name of a catalogued one; each answer is in its published unit. `assume`
    and `prefer` are asked of every run. Raises `InputError` for fewer than two runs, for a run of columns and for what
    is no run, and `UnknownNameError` for a name that is in no catalog.

    >>> print(compare("bloom", "gpt-3", metrics="training_operations"))
    run         training operations
                flop
    BLOOM 176B  3.87039×10²³
                parameter_token
    GPT-3 175B     3.14×10²³  ×0.811
                recorded
    <BLANKLINE>
    × is the ratio to BLOOM 176B: runs differ by orders of magnitude, and a per
      cent of a share would mislead
    """
    cases = [each for given in runs for each in ([given] if isinstance(given, RunOrName) else given)]
    return compared(_scenarios(cases), names_given(metrics, "metrics", "names of metrics"), assume, prefer)


def compared(
    cases: Sequence[AnyRun],
    metrics: Sequence[str],
    assume: str | Iterable[str] | None = None,
    prefer: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare runs that are already found."""
    faults = [] if len(cases) > 1 else [Fault("runs", f"are {len(cases) or 'none'}", "name two at least to compare")]
    faults += [Fault("metrics", "are none", f"choose of {', '.join(METRICS)}")] if not metrics else []
    for case in cases:
        shaped = [name for name, value in case.inputs.given.items() if np.ndim(value.magnitude)]
        faults += [Fault(f"{case.name}: {name}", "is a column", "compare runs of one value a fact") for name in shaped]
    if faults:
        raise InputError(tuple(faults))
    if assume is not None or prefer is not None:
        cases = [case.variant(assume=assume, prefer=prefer) for case in cases]
    results = tuple(case.results(tuple(metrics)) for case in cases)
    return Comparison(tuple(numbered(case.name for case in cases)), tuple(dict.fromkeys(metrics)), results)


def _scenarios(cases: Sequence[Any]) -> list[AnyRun]:
    faults = [
        Fault(f"runs[{place}]", f"is {echo(each)}", "expected a run or the name of one")
        for place, each in enumerate(cases)
        if not isinstance(each, RunOrName)
    ]
    if faults:
        raise InputError(tuple(faults))
    return [Scenarios[each] if isinstance(each, str) else each for each in cases]
