"""One row of a table as a run of its own, so that it can be asked why."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import RunlineageWarning, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import FIELDS, METRICS
from runlineage.catalogs.quantities.units import convert, quantity
from runlineage.catalogs.quantities.words import TOLD, WORDS
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.one_cell import read_cell
from runlineage.dataflow.tables.range_cells import read_range
from runlineage.dataflow.tables.request import REMARKS, TableRequest

NAMES = {"name", "model", "model name", "run", "system"}  # columns that say what a row is called


def run_of_row(
    table: pl.LazyFrame,
    number: int,
    path: str,
    outputs: str | Iterable[str] = tuple(METRICS),
    columns: Mapping[str, str] = Frozen({}),
) -> PublishedRunScenario:
    """Make a run of a table's row, for what is asked of it; the first row after the header is 1.

    Cells that the table refuses are left out here as well, and warned of.
    """
    if number < 1:
        refuse("--row", f"is {number}", "the first row is 1")
    found = table.slice(number - 1, 1).collect()
    if not found.height:
        refuse("--row", f"is {number}, and {path} has fewer rows")
    return _runs(found, number, path, outputs, columns)[0]


def runs_of_table(
    table: pl.LazyFrame,
    most: int,
    path: str,
    outputs: str | Iterable[str] = tuple(METRICS),
    columns: Mapping[str, str] = Frozen({}),
) -> list[PublishedRunScenario]:
    """Make a run of each row of a table; one of more rows than `most` is refused.

    >>> runs = runs_of_table(pl.LazyFrame({"model": ["LLaMA 65B"], "parameters": ["65B"]}), 10, "models.csv")
    >>> print(runs[0].name)
    LLaMA 65B (models.csv row 1)
    """
    found = table.head(most + 1).collect()
    if found.height > most:
        refuse(path, f"has more than {most:,} rows", f"name rows, such as {path}#1, or use `runlineage table`")
    if not found.height:
        refuse(path, "has no row", "name a table with one row at least")
    return _runs(found, 1, path, outputs, columns)


def _runs(
    found: pl.DataFrame, first: int, path: str, outputs: str | Iterable[str], columns: Mapping[str, str]
) -> list[PublishedRunScenario]:
    headers = TableRequest.of(outputs, (), columns).headers(found.columns)
    called = next((name for name in found.columns if name.strip().casefold() in NAMES), "")
    return [_run(row, headers, number, path, called) for number, row in enumerate(found.iter_rows(named=True), first)]


def _run(
    row: Mapping[str, Any], headers: Iterable[FactColumn], number: int, path: str, called: str
) -> PublishedRunScenario:
    facts: dict[str, Any] = {}
    if remarks := row.get(REMARKS):
        warnings.warn(f"{path} row {number}: {remarks}", RunlineageWarning, stacklevel=2)
    for header in headers:
        header = replace(header, keeps_ranges=True)  # a run has an interval for it
        value, refused = read_cell(header, row[header.header])
        if refused:
            warnings.warn(f"{path} row {number}: {refused}", RunlineageWarning, stacklevel=2)
        if value is not None:
            facts[header.field] = _fact(header, value, path, number, row[header.header])
    for word in TOLD:
        if word not in facts and row.get(word) in WORDS[word].choices:
            facts[word] = Fact(row[word], "stated", path, f"row {number}, column {word}")
    place = f"{path} row {number}"
    name = str(row[called] or "").strip() if called else ""
    return PublishedRunScenario(name=f"{name} ({place})" if name else place, **facts)


def _fact(header: FactColumn, value: Any, path: str, number: int, cell: Any) -> Fact:
    known = FIELDS.get(header.field)
    read = convert(quantity(value, known.kind.unit), known.units) if known else value
    fact = Fact(read, "stated", path, f"row {number}, column {header.header}")
    found = read_range(header, cell) if known and isinstance(cell, str) else None
    if known is None or found is None:
        return fact
    return replace(fact, low=convert(found.low, known.units), high=convert(found.high, known.units))
