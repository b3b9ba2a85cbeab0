"""One row of a table as a run of its own, so that it can be asked why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from runlineage.catalogs.errors import Fault, InputError
from runlineage.catalogs.facts import Fact
from runlineage.catalogs.fields import FACTS, METRICS
from runlineage.catalogs.headers import Column
from runlineage.catalogs.units import convert, quantity
from runlineage.dataflow.asked import Asked
from runlineage.dataflow.cells import read_cell
from runlineage.dataflow.scenario import PublishedRunScenario


def run_of_row(
    table: pl.LazyFrame, number: int, path: str, outputs: str | Iterable[str] = tuple(METRICS)
) -> PublishedRunScenario:
    """Make a run of a table's row, for what is asked of it; the first row after the header is 1.

    Refused cells are left out, as in the table.
    """
    if number < 1:
        raise InputError((Fault("--row", f"is {number}", "the first row is 1"),))
    found = table.slice(number - 1, 1).collect()
    if not found.height:
        raise InputError((Fault("--row", f"is {number}, and {path} has fewer rows"),))
    row = found.row(0, named=True)
    headers = Asked.of(outputs, ()).headers(found.columns)
    facts: dict[str, Any] = {each.field: fact for each in headers if (fact := _fact(each, row, path, number))}
    return PublishedRunScenario(name=f"{path} row {number}", **facts)


def _fact(header: Column, row: dict[str, Any], path: str, number: int) -> Fact | None:
    value, _ = read_cell(header, row[header.header])
    if value is None:
        return None
    known = FACTS.get(header.field)
    read = convert(quantity(value, known.kind.unit), known.units) if known else value
    return Fact(read, "stated", path, f"row {number}, column {header.header}")
