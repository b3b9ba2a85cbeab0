"""Pandas frames and PyArrow tables: each keeps its own columns, and only those of facts pass to Polars and back."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import Any, NoReturn

import numpy as np
import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import convert
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.polars_frames import answers_of
from runlineage.dataflow.tables.request import REMARKS, TableRequest


def evaluate_pandas(frame: Any, request: TableRequest) -> Any:
    """Keep index, order, dtypes and every column of a pandas frame."""
    import pandas as pd

    answered = answers_alone(
        list(frame.columns),
        len(frame),
        lambda each: _from_pandas(frame[each.header], each),
        request,
        as_categories=True,
    )
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:  # most of it is the system's handing out of memory
        values = list(pool.map(_to_pandas, answered))
    added = {
        name: pd.Series(each, index=frame.index, copy=False)
        for name, each in zip(answered.columns, values, strict=True)
    }
    return frame.assign(**added)


def evaluate_arrow(table: Any, request: TableRequest) -> Any:
    """Add the answers to a PyArrow table; routes are dictionaries of text."""
    names = table.column_names
    answered = answers_alone(names, table.num_rows, lambda each: from_arrow(each.header, table[each.header]), request)
    for each in answered:
        if each.name in names:
            table = table.set_column(names.index(each.name), each.name, each.to_arrow())
        else:
            table = table.append_column(each.name, each.to_arrow())
    return table


def answers_alone(
    names: list[Any],
    height: int,
    read: Callable[[FactColumn], pl.Series],
    request: TableRequest,
    *,
    as_categories: bool = False,
) -> pl.DataFrame:
    """Evaluate the columns of facts, and return the answers alone: no other column is read or changed.

    A column that is read under another name says by it the unit that its type tells.
    """
    refuse_clashes(names, ())
    written = [name for name in names if isinstance(name, str)]
    wanted = [*request.headers(written), *[FactColumn(REMARKS, REMARKS)] * (REMARKS in written)]
    columns = {each.header: read(each) for each in wanted}
    facts = pl.DataFrame({each.name: each for each in columns.values()})
    if not wanted:
        facts = pl.DataFrame({"": pl.repeat(None, height, dtype=pl.Null, eager=True)})
    typed = {header for header, column in columns.items() if column.name != header}
    inner = replace(request, columns=tuple(pair for pair in request.columns if pair[1] not in typed))
    answered = answers_of(facts, inner, as_categories=as_categories)
    in_place = request.around_answers(written)[1]
    refuse_clashes(names, (name for name in answered.columns if name not in in_place))
    return answered


def refuse_clashes(names: Iterable[Any], added: Iterable[str], fold: Callable[[str], str] = str) -> None:
    """Refuse columns of one name, and columns of a name that the answers need; `fold` is how an engine sees names."""
    seen = Counter(fold(name) if isinstance(name, str) else name for name in names)
    cure = "give each column its own name"
    faults = [Fault(f"column {name!r}", "appears twice", cure) for name, count in seen.items() if count > 1]
    cure = "drop or rename it: the answers need the name"
    faults += [Fault(f"column {name!r}", "is there already", cure) for name in added if fold(name) in seen]
    if faults:
        raise InputError(tuple(faults))


def refuse_cells(name: str, kind: object) -> NoReturn:
    """Refuse a column of facts whose cells are neither numbers nor text."""
    refuse(f"column {name!r}", f"holds {kind} cells", "expected numbers or text")


def _from_pandas(column: Any, fact: FactColumn) -> pl.Series:
    """Bring a pandas column of a fact to Polars, without a copy where it is of plain numbers."""
    if hasattr(column.dtype, "units"):  # of pint-pandas
        return _with_unit(column, fact)
    return _plain_from_pandas(column).alias(fact.header)


def _with_unit(column: Any, fact: FactColumn) -> pl.Series:
    """Bring a column whose type tells its unit to the field's unit, under a header that names it."""
    if fact.is_word:
        refuse_cells(fact.header, column.dtype)
    try:
        one = as_quantity(1 * column.dtype.units, field=fact.field)
    except InputError as problem:
        raise problem.at(f"column {echo(fact.header)}", only=True) from None
    known = FIELDS[fact.field]
    numbers = column.pint.magnitude.to_numpy(dtype=np.float64, na_value=np.nan)
    return pl.Series(f"{fact.field} ({known.unit})", numbers * convert(one, known.units).magnitude)


def _plain_from_pandas(column: Any) -> pl.Series:
    import pandas as pd

    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb":
        return pl.Series(_narrowed(column.to_numpy()))
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "m":
        return pl.Series(column.dt.total_seconds().to_numpy() * 1e6, dtype=pl.Float64).fill_nan(None).cast(pl.Duration)
    if isinstance(column.dtype, pd.ArrowDtype) and not pd.api.types.is_numeric_dtype(column.dtype):
        return from_arrow(column.name, column.array.__arrow_array__())  # text, truths, dictionaries, nothing at all
    if column.dtype == object or isinstance(column.dtype, pd.CategoricalDtype):
        return pl.Series([_cell(cell) for cell in column.astype(object)], dtype=pl.String)
    if pd.api.types.is_bool_dtype(column.dtype):
        return pl.Series([None if cell is pd.NA else bool(cell) for cell in column], dtype=pl.Boolean)
    if pd.api.types.is_complex_dtype(column.dtype):
        refuse_cells(column.name, column.dtype)
    if pd.api.types.is_numeric_dtype(column.dtype):
        return pl.Series(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if not pd.api.types.is_string_dtype(column.dtype):
        refuse_cells(column.name, column.dtype)
    return pl.Series([None if cell is pd.NA or cell != cell else str(cell) for cell in column], dtype=pl.String)


def _narrowed(numbers: Any) -> Any:
    """Return long doubles as doubles, which is all that Polars knows; what is too large becomes infinite."""
    if numbers.dtype.kind != "f" or numbers.dtype.itemsize <= 8:
        return numbers
    with np.errstate(over="ignore", under="ignore"):
        return numbers.astype(np.float64)


def _cell(cell: Any) -> str | None:
    """Write one cell of a mixed column as text, for the one reader; what is neither number nor text it refuses."""
    if cell is None or (isinstance(cell, float) and cell != cell) or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, np.timedelta64):
        cell = cell.astype("timedelta64[us]").item()
    if isinstance(cell, datetime.timedelta):  # pandas' own is one
        return f"{cell.total_seconds()!r} s"
    if isinstance(cell, (str, int, float, Decimal, np.number, np.bool_)):
        try:
            return str(cell)
        except ValueError:  # an integer of thousands of digits
            return echo(cell)
    return f"a {type(cell).__name__}: {echo(cell)}"


def _to_pandas(column: pl.Series) -> Any:
    """Bring an answer to pandas' own types: floats with NaN, and categories for routes and sentences.

    Sentences are few beside the rows; a Python object for each row would cost more than all that is computed.
    """
    import pandas as pd

    kind = column.dtype  # asked once: of an Enum it is made anew each time, with all its texts
    if kind.is_float():
        return _joined(column)
    enum = kind if isinstance(kind, pl.Enum) else pl.Enum(column.drop_nulls().unique().sort())
    categories = enum.categories.to_list()
    if column.null_count() == len(column):
        return pd.Categorical.from_codes(np.full(len(column), -1, np.int8), categories=pd.Index(categories))
    whole = (column if kind is enum else column.cast(enum)).to_physical()
    return pd.Categorical.from_codes(_signed(whole, len(categories)), categories=pd.Index(categories))


def _signed(places: pl.Series, count: int) -> Any:
    """Return places among some categories as pandas has them, where -1 is none; Polars' numbers have no sign.

    The greatest of them, which is no place, is the same bytes as -1.
    """
    none = int(np.iinfo(places[:0].to_numpy().dtype).max)
    codes = places.fill_null(none).to_numpy()
    if count <= none >> 1:
        return codes.view(f"i{codes.itemsize}")
    signed = codes.astype(f"i{2 * codes.itemsize}")
    signed[codes == none] = -1
    return signed


def _joined(column: pl.Series) -> Any:
    """Lay the pieces of a column into memory of NumPy's, which asks the system for large pages."""
    whole, start = np.empty(len(column)), 0
    for piece in column.get_chunks():
        whole[start : start + len(piece)] = piece.to_numpy()
        start += len(piece)
    return whole


def from_arrow(name: str, column: Any) -> pl.Series:
    """Bring an Arrow column to Polars; refuse by name what is nested, and the types that Polars has not."""
    import pyarrow as pa

    try:
        if pa.types.is_decimal256(column.type):  # wider than any decimal of Polars
            column = column.cast(pa.float64())
        series = pl.Series(name, column)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError):
        series = None
    if series is None or series.dtype.is_nested():
        refuse_cells(name, column.type)
    return series


def plain(table: Any, own: int) -> Any:
    """Write the answers of an Arrow table that are no numbers as plain text."""
    import pyarrow as pa

    fields = list(table.schema)
    fields[own:] = [each if each.type == pa.float64() else each.with_type(pa.string()) for each in fields[own:]]
    return table.cast(pa.schema(fields, metadata=table.schema.metadata))
