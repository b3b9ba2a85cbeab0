"""Pandas frames and PyArrow tables: each keeps its own columns, and only those of facts pass to Polars and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any, NoReturn

import numpy as np
import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError, refuse
from runlineage.dataflow.tables.polars_frames import answers_of
from runlineage.dataflow.tables.request import REMARKS, TableRequest


def evaluate_pandas(frame: Any, request: TableRequest) -> Any:
    """Keep index, order, dtypes and every column of a pandas frame."""
    import pandas as pd

    answered = answers_alone(list(frame.columns), len(frame), lambda name: _from_pandas(frame[name]), request)
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:  # most of it is the system's handing out of memory
        values = list(pool.map(_to_pandas, answered))
    added = {
        name: pd.Series(each, index=frame.index, copy=False)
        for name, each in zip(answered.columns, values, strict=True)
    }
    return frame.assign(**added)


def evaluate_arrow(table: Any, request: TableRequest) -> Any:
    """Add the answers to a PyArrow table; routes are dictionaries of text."""
    answered = answers_alone(table.column_names, table.num_rows, lambda name: from_arrow(name, table[name]), request)
    for each in answered:
        table = table.append_column(each.name, each.to_arrow())
    return table


def answers_alone(
    names: list[Any], height: int, read: Callable[[str], pl.Series], request: TableRequest
) -> pl.DataFrame:
    """Evaluate the columns of facts, and give the answers alone: no other column is read or changed."""
    refuse_clashes(names, ())
    written = [name for name in names if isinstance(name, str)]
    wanted = [header.header for header in request.headers(written)] + [REMARKS] * (REMARKS in written)
    facts = pl.DataFrame({name: read(name) for name in wanted})
    if not wanted:
        facts = pl.DataFrame({"": pl.repeat(None, height, dtype=pl.Null, eager=True)})
    answered = answers_of(facts, request)
    refuse_clashes(names, answered.columns)
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


def _from_pandas(column: Any) -> pl.Series:
    """Bring a pandas column to Polars, without a copy where it is of plain numbers."""
    import pandas as pd

    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb":
        return pl.Series(_narrowed(column.to_numpy()))
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
    if pd.api.types.is_string_dtype(column.dtype):
        return pl.Series([None if cell is pd.NA or cell != cell else str(cell) for cell in column], dtype=pl.String)
    refuse_cells(column.name, column.dtype)


def _narrowed(numbers: Any) -> Any:
    """Return long doubles as doubles, which is all that Polars knows; what is too large becomes infinite."""
    if numbers.dtype.kind != "f" or numbers.dtype.itemsize <= 8:
        return numbers
    with np.errstate(over="ignore", under="ignore"):
        return numbers.astype(np.float64)


def _cell(cell: Any) -> str | None:
    """Write one cell of a mixed column as text, for the one reader."""
    if cell is None or (isinstance(cell, float) and cell != cell) or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if not isinstance(cell, (str, int, float, Decimal, np.number, np.bool_)):
        refuse("a column of facts", f"holds cells of type {type(cell).__name__}", "expected numbers or text")
    return str(cell)


def _to_pandas(column: pl.Series) -> Any:
    """Bring an answer to pandas' own types: floats with NaN, and categories for routes and sentences.

    Sentences are few beside the rows; a Python object for each row would cost more than all that is computed.
    """
    import pandas as pd

    if column.dtype.is_float():
        return _joined(column)
    enum = column.dtype if isinstance(column.dtype, pl.Enum) else pl.Enum(column.drop_nulls().unique().sort())
    categories = enum.categories.to_list()
    if column.null_count() == len(column):
        return pd.Categorical.from_codes(np.full(len(column), -1, np.int8), categories=pd.Index(categories))
    whole = (column if column.dtype == enum else column.cast(enum)).to_physical()
    if whole.null_count():
        whole = whole.cast(pl.Int8 if len(categories) < 128 else pl.Int32).fill_null(-1)
    codes = whole.to_numpy()
    codes = codes.view(np.int8) if len(categories) < 128 and codes.itemsize == 1 else codes  # the same bytes, signed
    return pd.Categorical.from_codes(codes, categories=pd.Index(categories))


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
