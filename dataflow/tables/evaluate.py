"""The user's own engine: whichever frame comes in, the same type goes out, lazily where the engine is lazy.

Each engine's record names what evaluates its tables.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from runlineage.catalogs.base.errors import RunlineageWarning, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables.engines import ENGINES, TITLES
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.one_cell import no_unit
from runlineage.dataflow.tables.request import TableRequest

Frame = TypeVar("Frame")


def evaluate(
    frame: Frame,
    outputs: str | Iterable[str] = tuple(METRICS),
    assume: str | Iterable[str] = (),
    columns: Mapping[str, str] = Frozen({}),
    prefer: Mapping[str, str] = Frozen({}),
    *,
    interval: bool = False,
) -> Frame:
    """Add the metrics of every row to a table, with their routes, assumptions and problems.

    `frame` is a pandas or Polars frame (eager or lazy), a PyArrow table, a DuckDB relation, a Dask or PySpark
    DataFrame; the same type comes back, its own columns first and untouched. A column `field` or `field (unit)` is a
    fact; `columns` maps such to a header of another name. A duration names its unit, since a plain number may be in
    seconds, hours or days. A column of what is itself asked is used where it has a cell, and its route is `supplied`.
    `prefer` chooses the route of a quantity, and a row for which that one is not open has no other in its place.
    A cell that is a range (`350 to 400 W`) gives its median, and `problems` says so; with `interval` each metric has
    two further columns, the ends of its 90 % interval, null where nothing is uncertain.
    A cell that cannot be read affects only its row, and `problems` says why. Raises `InputError` for a column that
    cannot be used, by its name.

    >>> import polars as pl
    >>> table = pl.DataFrame({"accelerator_hours": [1_022_362.0, None], "device_power": ["400 W", "700 W"]})
    >>> print(evaluate(table, "energy")["energy (GWh)"].to_list())
    [0.4089448, None]
    >>> logged = pl.DataFrame({"GPU hours": [1_022_362.0], "device_power": ["400 W"]})
    >>> print(evaluate(logged, "energy", columns={"accelerator_hours": "GPU hours"})["energy (GWh)"].to_list())
    [0.4089448]
    """
    request = TableRequest.of(outputs, assume, columns, prefer, interval)
    answered = evaluated(frame, request)
    names = _names(frame)
    asked = request.asked_units(names, partial(_is_unread, frame, answered))
    for message in (*asked, *request.unread(names)):
        warnings.warn(message, RunlineageWarning, stacklevel=2)
    return answered


def evaluated(frame: Frame, request: TableRequest) -> Frame:
    """Answer a request in the engine that a table is of."""
    kinds = _kinds(frame)
    engines = ((engine, kind) for engine in ENGINES for kind in engine.evaluators if kind in kinds)
    engine, kind = next(engines, (None, ""))
    if engine is None:
        refuse("frame", f"is of type {type(frame).__name__}", f"expected a table of {TITLES}")
    answered: Frame = engine.evaluate(kind, frame, request)
    return answered


def _names(frame: Any) -> list[str]:
    """Name the columns of a table, without computing a lazy one."""
    if hasattr(frame, "collect_schema"):  # Polars, eager or lazy
        return list(frame.collect_schema().names())
    names = frame.column_names if hasattr(frame, "column_names") else frame.columns  # PyArrow has data in `columns`
    return [name for name in names if isinstance(name, str)]


def _is_unread(frame: Any, answered: Any, column: FactColumn) -> bool:
    """Whether plain numbers of a column that names no unit were not read, as the problems of a table in memory show.

    A lazy table is not computed for it: of its text, which may hold units, each row's problems tell.
    """
    kinds = _kinds(frame)
    if "polars.LazyFrame" in kinds:
        return bool(str(frame.collect_schema()[column.header]) != "String")
    if "polars.DataFrame" in kinds:
        texts = answered["problems"].unique().to_list()
    elif "pandas.DataFrame" in kinds:
        texts = list(answered["problems"].cat.categories)
    elif "pyarrow.Table" in kinds:
        texts = answered["problems"].unique().to_pylist()
    else:
        return True
    return any(no_unit(column) in text for text in texts if text)


def _kinds(frame: Any) -> set[str]:
    """Name a frame's classes as `package.Class`, without importing any package that it does not come from."""
    return {f"{each.__module__.partition('.')[0].removeprefix('_')}.{each.__name__}" for each in type(frame).__mro__}
