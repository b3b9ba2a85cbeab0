"""The engines, a record each: the classes of its tables, what evaluates them, and what runs table files through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, OutputError, RunlineageError, refuse
from runlineage.catalogs.base.files import beside
from runlineage.dataflow.tables.dask_spark import evaluate_dask, evaluate_spark
from runlineage.dataflow.tables.duckdb_sql import evaluate_duckdb
from runlineage.dataflow.tables.engine_files import run_dask, run_duckdb, run_spark
from runlineage.dataflow.tables.files import PIPE
from runlineage.dataflow.tables.pandas_arrow import evaluate_arrow, evaluate_pandas
from runlineage.dataflow.tables.polars_frames import evaluate_eager, evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest


@dataclass(frozen=True)
class Engine:
    """An engine: its name on the command line, which is its extra too, and its title in sentences.

    `evaluators` are by the class of a table, as `package.Class`; `runner` reads, evaluates and writes table files.
    """

    name: str
    title: str
    evaluators: Mapping[str, Callable[[Any, TableRequest], Any]]
    runner: Callable[[str, Path, TableRequest, str | None], None] | None = None
    cluster: str = ""  # the option that gives the address of a running cluster

    def through(self, source: str, target: str, request: TableRequest, address: str | None = None) -> None:
        """Evaluate a table file; `address` is of a running cluster, a local one serves otherwise.

        DuckDB, and Dask for CSV, write one file; Dask and Spark write a folder of parts where the target is Parquet.
        """
        if self.runner is None or PIPE in (source, target):
            refuse("--engine", f"{self.name} reads and writes files", "pipes go through polars")
        if Path(target).is_dir():
            raise OutputError(f"{target} is there already", "name a new folder")
        try:
            with beside(target) as made:
                self.runner(source, made, request, address)
        except ImportError as problem:
            cure = f"pip install 'runlineage[{self.name}]'"
            raise InputError(
                (Fault("--engine", f"{self.name} needs {problem.name}, which is not installed", cure),)
            ) from None
        except RunlineageError:
            raise
        except Exception as problem:  # every engine has errors of its own, of many classes
            lines = (line.strip() for line in str(problem).splitlines())
            reason = next(filter(None, lines), type(problem).__name__)
            raise InputError((Fault(source, f"{self.name} stopped: {reason[:200]}"),)) from None


ENGINES = (
    Engine("pandas", "pandas", {"pandas.DataFrame": evaluate_pandas}),
    Engine("polars", "Polars", {"polars.LazyFrame": evaluate_lazy, "polars.DataFrame": evaluate_eager}),
    Engine("pyarrow", "PyArrow", {"pyarrow.Table": evaluate_arrow}),
    Engine("duckdb", "DuckDB", {"duckdb.DuckDBPyRelation": evaluate_duckdb}, run_duckdb),
    Engine("dask", "Dask", {"dask.DataFrame": evaluate_dask}, run_dask, "--scheduler"),
    Engine("spark", "PySpark", {"pyspark.DataFrame": evaluate_spark}, run_spark, "--master"),
)
RUNNERS = {engine.name: engine for engine in ENGINES if engine.runner}
EVALUATORS = {kind: evaluator for engine in ENGINES for kind, evaluator in engine.evaluators.items()}
TITLES = ", ".join(engine.title for engine in ENGINES[:-1]) + f" or {ENGINES[-1].title}"
