"""Metrics as expressions for a query of the user's own, in whichever engine Narwhals speaks to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

import narwhals as nw

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, FIELDS
from runlineage.catalogs.quantities.reading import is_whole
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import names_of, read_routes
from runlineage.dataflow.routes.explain import explain
from runlineage.dataflow.tables.headers import FactColumn, read_headers
from runlineage.dataflow.tables.metric_columns import columns_over
from runlineage.dataflow.tables.one_cell import span
from runlineage.dataflow.tables.request import output_header


def expressions(
    outputs: str | Iterable[str],
    columns: Iterable[str] | Mapping[str, str | nw.Expr],
    assume: str | Iterable[str] = (),
    modules: Iterable[ModuleType] = MODULES,
) -> dict[str, nw.Expr]:
    """Return each output as a Narwhals expression over columns of numbers, in its published unit and under its header.

    `columns` are headers `field` or `field (unit)`, as `evaluate` reads them, or a mapping of such to a table's own
    columns or expressions. A row takes the first route whose facts it has; what is null or no fact leaves null.
    Raises `CannotComputeError` where no route leads from the columns to an output.

    >>> import narwhals as nw, polars as pl
    >>> models = pl.DataFrame({"gpu_hours": [1_022_362.0, None], "kw": [0.4, 0.7]})
    >>> found = expressions("energy", {"accelerator_hours": "gpu_hours", "device_power (kW)": "kw"})
    >>> print(nw.from_native(models).with_columns(*found.values()).to_native()["energy (GWh)"].to_list())
    [0.4089448, None]
    """
    modules = tuple(modules)
    book = read_routes(*modules)
    assumed, names = book.check_assumptions(assume), names_of(outputs)
    given = columns if isinstance(columns, Mapping) else {name: name for name in columns}
    inputs = {header.field: _fact(header, given[header.header]) for header in _headers(given)}
    missing = book.plan(inputs, names, assumed).missing
    if missing:
        raise explain(book, missing[0], inputs, assumed, subject="these columns")
    found = columns_over(modules, book, names, inputs, assumed)
    return {each.name: nw.coalesce(*each.expressions).alias(output_header(each.name)) for each in found}


def _headers(given: Mapping[str, Any]) -> tuple[FactColumn, ...]:
    headers = read_headers(given, FACTS.keys() | ANSWERS.keys())
    faults = [
        Fault(f"column {echo(each.header)}", "is a word, which an expression cannot look up", "use evaluate(frame)")
        for each in headers
        if each.is_word
    ]
    faults += [
        Fault(f"column {echo(each.header)}", f"names no unit of {each.field}", f"head it {each.unit_asked}")
        for each in headers
        if each.unit_asked
    ]
    for name in given.keys() - {each.header for each in headers}:
        near = nearest(name, FACTS, 1)
        cure = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(FACTS)}"
        faults.append(Fault(f"column {echo(name)}", "is not a field", cure))
    if faults:
        raise InputError(tuple(sorted(faults, key=str)))
    return headers


def _fact(header: FactColumn, column: str | nw.Expr) -> Any:
    """Return a column as a quantity: null where a number cannot be a fact."""
    number = (nw.col(column) if isinstance(column, str) else column).cast(nw.Float64)
    least, most = span(header)
    fits = number.is_finite() & (number >= least) & (number <= most)
    if FIELDS[header.field].whole:
        fits &= is_whole(number * header.scale)
    valid = nw.when(fits).then(number * header.scale)
    return quantity(valid, FIELDS[header.field].kind.unit)
