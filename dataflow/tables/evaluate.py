"""The user's own engine: whichever frame comes in, the same type goes out, lazily where the engine is lazy.

Polars evaluates its own frames; how each other engine hands its columns over stands in engines.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, RunlineageWarning
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables import duckdb_sql as relations
from runlineage.dataflow.tables import engines
from runlineage.dataflow.tables.polars_frames import evaluate_eager, evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest


def evaluate(frame: Any, outputs: str | Iterable[str] = tuple(METRICS), assume: str | Iterable[str] = ()) -> Any:
    """Add the metrics of every row to a table, with their routes, assumptions and problems.

    `frame` is a pandas or Polars frame (eager or lazy), a PyArrow table, a DuckDB relation, a Dask or PySpark
    DataFrame; the same type comes back, its own columns first and untouched. A column `field` or `field (unit)` is a
    fact; a cell that cannot be read spoils its own row's metrics and is named in `problems`.

    >>> import polars as pl
    >>> table = pl.DataFrame({"accelerator_hours": [1_022_362.0, None], "device_power": ["400 W", "700 W"]})
    >>> print(evaluate(table, "energy")["energy (GWh)"].to_list())
    [0.4089448, None]
    """
    request = TableRequest.of(outputs, assume)
    for kind, evaluator in EVALUATORS.items():
        if kind in _kinds(frame):
            answered = evaluator(frame, request)
            for said in request.unread(_names(frame)):
                warnings.warn(said, RunlineageWarning, stacklevel=2)
            return answered
    known = "pandas, Polars, PyArrow, DuckDB, Dask or PySpark"
    raise InputError((Fault("frame", f"is of type {type(frame).__name__}", f"expected a table of {known}"),))


def _names(frame: Any) -> list[str]:
    """Name the columns of a table, without computing a lazy one."""
    if hasattr(frame, "collect_schema"):  # Polars, eager or lazy
        return list(frame.collect_schema().names())
    names = frame.column_names if hasattr(frame, "column_names") else frame.columns  # PyArrow has data in `columns`
    return [name for name in names if isinstance(name, str)]


def _kinds(frame: Any) -> set[str]:
    """Name a frame's classes as `package.Class`, without importing any package that it does not come from."""
    return {f"{each.__module__.partition('.')[0].removeprefix('_')}.{each.__name__}" for each in type(frame).__mro__}


EVALUATORS: Mapping[str, Callable[[Any, TableRequest], Any]] = {
    "polars.LazyFrame": evaluate_lazy,
    "polars.DataFrame": evaluate_eager,
    "pandas.DataFrame": engines.evaluate_pandas,
    "pyarrow.Table": engines.evaluate_arrow,
    "duckdb.DuckDBPyRelation": relations.evaluate_duckdb,
    "dask.DataFrame": engines.evaluate_dask,
    "pyspark.DataFrame": engines.evaluate_spark,
}
