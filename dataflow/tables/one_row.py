"""One row of a table as a run of its own, so that it can be asked why."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import RunlineageWarning, refuse
from runlineage.catalogs.quantities.fields import FIELDS, METRICS
from runlineage.catalogs.quantities.units import convert, quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.tables.cells import read_cell
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.request import TableRequest


def run_of_row(
    table: pl.LazyFrame, number: int, path: str, outputs: str | Iterable[str] = tuple(METRICS)
) -> PublishedRunScenario:
    """Make a run of a table's row, for what is asked of it; the first row after the header is 1.

    Cells that the table refuses are left out here as well, and warned of.
    """
    if number < 1:
        refuse("--row", f"is {number}", "the first row is 1")
    found = table.slice(number - 1, 1).collect()
    if not found.height:
        refuse("--row", f"is {number}, and {path} has fewer rows")
    row = found.row(0, named=True)
    headers = TableRequest.of(outputs, ()).headers(found.columns)
    facts: dict[str, Any] = {}
    for header in headers:
        value, refused = read_cell(header, row[header.header])
        if refused:
            warnings.warn(f"{path} row {number}: {refused}", RunlineageWarning, stacklevel=2)
        if value is not None:
            facts[header.field] = _fact(header, value, path, number)
    return PublishedRunScenario(name=f"{path} row {number}", **facts)


def _fact(header: FactColumn, value: Any, path: str, number: int) -> Fact:
    known = FIELDS.get(header.field)
    read = convert(quantity(value, known.kind.unit), known.units) if known else value
    return Fact(read, "stated", path, f"row {number}, column {header.header}")
