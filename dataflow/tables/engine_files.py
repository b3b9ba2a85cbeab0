"""Table files through another engine: DuckDB, a Dask cluster or Spark reads, evaluates and writes them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError
from runlineage.dataflow.tables.dask_spark import evaluate_dask, evaluate_spark
from runlineage.dataflow.tables.duckdb_cells import literal
from runlineage.dataflow.tables.duckdb_sql import evaluate_duckdb
from runlineage.dataflow.tables.files import LINES, SEPARATORS, scan, table_kind
from runlineage.dataflow.tables.request import TableRequest

PIECE = 1 << 20  # bytes of a file at a time


def run_duckdb(source: str, target: Path, request: TableRequest, _: str | None) -> None:
    """Read, evaluate and write a table file through DuckDB."""
    import duckdb

    kind = table_kind(source)
    connection = duckdb.connect()
    try:
        if kind in SEPARATORS:
            read = connection.read_csv(source, all_varchar=True, header=True, sep=SEPARATORS[kind])
        elif kind == "parquet":
            read = connection.read_parquet(str(Path(source) / "*.parquet") if Path(source).is_dir() else source)
        else:
            read = connection.read_json(source, format="newline_delimited")
        answered = evaluate_duckdb(read, request)
        if table_kind(target.name) in SEPARATORS:
            answered.write_csv(str(target), sep=SEPARATORS[table_kind(target.name)])
        elif table_kind(target.name) in LINES:
            answered.query("answered", f"copy answered to {literal(str(target))} (format json)")
        else:
            answered.write_parquet(str(target))
    finally:
        connection.close()


def run_dask(source: str, target: Path, request: TableRequest, address: str | None) -> None:
    """Read, evaluate and write a table file through Dask."""
    import dask.dataframe as dd

    kind = table_kind(source)
    with _dask_client(address):
        if kind in SEPARATORS:
            pieces: Any = "default" if _is_a_row_a_line(source) else None  # Dask cuts a file at line ends
            read = dd.read_csv(source, sep=SEPARATORS[kind], dtype=str, keep_default_na=False, blocksize=pieces)
        elif kind == "parquet":
            read = dd.read_parquet(source)
        else:
            read = dd.read_json(source, lines=True)
        answered = evaluate_dask(read, request)
        if table_kind(target.name) in SEPARATORS:
            answered.to_csv(str(target), sep=SEPARATORS[table_kind(target.name)], index=False, single_file=True)
        elif table_kind(target.name) == "parquet":
            answered.to_parquet(str(target), write_index=False)
        else:
            answered.to_json(str(target / f"*{target.suffix}"), lines=True)  # a part each, of a name that is read again


def _is_a_row_a_line(source: str) -> bool:
    """Whether no cell of a CSV file holds a line end: such files have as many rows, and headers, as lines."""
    files = [source] if Path(source).is_file() else glob(source)  # noqa: PTH207 - Path refuses an absolute pattern
    rows = scan(source).select(pl.len()).collect(engine="streaming").item()
    return bool(sum(map(_lines, files)) == rows + len(files))


def _lines(file: str) -> int:
    count, last = 0, b"\n"
    with Path(file).open("rb") as opened:
        for piece in iter(lambda: opened.read(PIECE), b""):
            count, last = count + piece.count(b"\n"), piece[-1:]
    return count + (last != b"\n")


@contextmanager
def _dask_client(address: str | None) -> Iterator[Any]:
    from dask.distributed import Client, LocalCluster

    if address:
        try:
            client = Client(address)
        except (OSError, ValueError) as problem:
            message = f"{address} cannot be reached: {problem}"
            raise InputError((Fault("--scheduler", message, "give the address that the scheduler prints"),)) from None
        with client:
            yield client
    else:
        # On a free port: without one, Dask takes a fixed port, which another run on the machine may hold.
        with LocalCluster(dashboard_address="127.0.0.1:0") as cluster, Client(cluster) as client:
            yield client


def run_spark(source: str, target: Path, request: TableRequest, address: str | None) -> None:
    """Read, evaluate and write a table file through Spark."""
    from pyspark.sql import SparkSession  # pyright: ignore[reportMissingImports] # an extra

    kind = table_kind(source)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # local workers are of this environment, not the PATH's
    session = SparkSession.builder.master(address or "local[*]").appName("runlineage").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        if kind in SEPARATORS:
            read = session.read.csv(source, header=True, sep=SEPARATORS[kind], multiLine=True, quote='"', escape='"')
        else:
            read = session.read.parquet(source) if kind == "parquet" else session.read.json(source)
        answered = evaluate_spark(read, request).write
        if table_kind(target.name) in SEPARATORS:
            answered.csv(str(target), header=True, sep=SEPARATORS[table_kind(target.name)], quote='"', escape='"')
        else:
            (answered.parquet if table_kind(target.name) == "parquet" else answered.json)(str(target))
    finally:
        session.stop()
