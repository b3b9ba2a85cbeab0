"""The numbers of a page as CSV: a line a run, so that a page can hold them and hand them out without a network."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.pages.overview import Overview, Row, magnitude_of

ENDS = ("low", "high")  # of the 90 % interval, in the unit of the value
DETAILS = ("route", "assumes", "printed", "difference", "problem")


def numbers_csv(shown: Overview, lineages: Sequence[Lineage]) -> str:
    """Write the answers of an overview as CSV, each in the unit of its head, with route, assumptions and problem."""
    names = [name for name, _ in shown.columns]
    written = io.StringIO()
    lines = csv.writer(written)
    heads = ["run", "year", "accelerator"]
    spread = any(run.entries[name].interval for run in lineages for name in names if name in run.entries)
    details = (*(ENDS if spread else ()), *DETAILS)
    for name in names:
        heads += [_head(name), *(f"{name} {detail}" for detail in details)]
    lines.writerow(heads)
    for row, lineage in zip(shown.rows, lineages, strict=True):
        lines.writerow([" ".join(str(cell).split()) for cell in _line(row, lineage, names, spread=spread)])
    return written.getvalue()


def as_address(text: str) -> str:
    """Write a text as an address that a browser saves without asking anybody."""
    return f"data:text/csv;charset=utf-8,{quote(text)}"


def _head(name: str) -> str:
    unit = FIELDS[name].unit if name in ANSWERS else ""
    return f"{name} ({unit})" if unit else name


def _line(row: Row, lineage: Lineage, names: Sequence[str], *, spread: bool) -> Iterable[object]:
    yield from (row.run.subject, row.year or "", row.device)
    for name in names:
        answer = row.run.numbers.get(name)
        if answer is None:
            yield from (*[""] * (7 if spread else 5), row.run.problems.get(name, "not asked"))
            continue
        entry = lineage.entries[name]
        for value in (entry.value, *((entry.interval or (None, None)) if spread else ())):
            size = magnitude_of(value, name)
            yield "" if size is None else f"{size:.12g}"  # twelve digits: no facts have more
        difference = "" if answer.difference is None else f"{answer.difference:.4g}"
        yield from (answer.route, "; ".join(answer.assumes), answer.published, difference, "")
