"""The engines, a record each: the classes of its tables, what evaluates them, and what runs table files through it.

Functions are named as `module:function` and loaded on first use, so that the command line can list engines at no cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from runlineage.catalogs.base.errors import Fault, InputError, OutputError, RunlineageError, refuse
from runlineage.catalogs.base.files import beside

if TYPE_CHECKING:
    from runlineage.dataflow.tables.request import TableRequest

ROOM = "runlineage.dataflow.tables"
PIPE = "-"


@dataclass(frozen=True)
class Engine:
    """An engine: its name on the command line, which is its extra too, and its title in sentences.

    `evaluators` are by the class of a table, as `package.Class`; `runner` reads, evaluates and writes table files.
    """

    name: str
    title: str
    evaluators: Mapping[str, str]
    runner: str = ""
    cluster: str = ""  # the option that gives the address of a running cluster

    def evaluate(self, kind: str, frame: Any, request: TableRequest) -> Any:
        """Add the answers to a table of one of the engine's classes."""
        return resolve_name(f"{ROOM}.{self.evaluators[kind]}")(frame, request)

    def through(self, source: str, target: str, request: TableRequest, address: str | None = None) -> None:
        """Evaluate a table file; `address` is of a running cluster, a local one serves otherwise.

        DuckDB, and Dask for CSV, write one file; Dask and Spark write a folder of parts where the target is Parquet.
        """
        if not self.runner or PIPE in (source, target):
            refuse("--engine", f"{self.name} reads and writes files", "pipes go through polars")
        if Path(target).is_dir():
            raise OutputError(f"{target} is there already", "name a new folder")
        try:
            with beside(target) as made:
                resolve_name(f"{ROOM}.{self.runner}")(source, made, request, address)
        except ImportError as problem:
            cure = f"pip install 'runlineage[{self.name}]'"
            raise InputError(
                (Fault("--engine", f"{self.name} needs {problem.name}, which is not installed", cure),)
            ) from None
        except RunlineageError:
            raise
        except Exception as problem:  # every engine has errors of its own, of many classes
            if _is_interrupt(problem):
                raise KeyboardInterrupt from None
            lines = (line.strip() for line in str(problem).splitlines())
            reason = next(filter(None, lines), type(problem).__name__)
            raise InputError((Fault(source, f"{self.name} stopped: {reason[:200]}"),)) from None


def _is_interrupt(problem: Exception) -> bool:
    """Whether an engine's error means that a signal came: by itself, or in a function that it called."""
    message = str(problem)
    if type(problem).__name__ == "InterruptException" or message.strip() == "Query interrupted":
        return True
    return "KeyboardInterrupt" in message


ENGINES = (
    Engine("pandas", "pandas", {"pandas.DataFrame": "pandas_arrow:evaluate_pandas"}),
    Engine(
        "polars",
        "Polars",
        {"polars.LazyFrame": "polars_frames:evaluate_lazy", "polars.DataFrame": "polars_frames:evaluate_eager"},
    ),
    Engine("pyarrow", "PyArrow", {"pyarrow.Table": "pandas_arrow:evaluate_arrow"}),
    Engine("duckdb", "DuckDB", {"duckdb.DuckDBPyRelation": "duckdb_sql:evaluate_duckdb"}, "engine_files:run_duckdb"),
    Engine("dask", "Dask", {"dask.DataFrame": "dask_spark:evaluate_dask"}, "engine_files:run_dask", "--scheduler"),
    Engine(
        "spark", "PySpark", {"pyspark.DataFrame": "dask_spark:evaluate_spark"}, "engine_files:run_spark", "--master"
    ),
)
RUNNERS = {engine.name: engine for engine in ENGINES if engine.runner}
TITLES = ", ".join(engine.title for engine in ENGINES[:-1]) + f" or {ENGINES[-1].title}"
CHOICES = ("polars", *RUNNERS)  # of the command line, where Polars reads and writes the files itself
