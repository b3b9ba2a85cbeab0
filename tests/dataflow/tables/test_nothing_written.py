"""Text for what is not known: `nan` and `N/A` are a missing fact in every engine, never a number or another route."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from runlineage.dataflow.tables.engines import RUNNERS
from runlineage.dataflow.tables.evaluate import evaluate
from runlineage.dataflow.tables.files import scan, sink
from runlineage.dataflow.tables.polars_frames import evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

NOTHING = ["nan", "NaN", "N/A", " NAN ", "None", "null", "-", "?"]
REFUSED = ["-nan", "inf", "nan hours"]
SAID = [None, *["energy needs accelerator_hours"] * len(NOTHING)]


def table(*cells: str) -> pl.DataFrame:
    """Make a table whose first row is whole; a part of the catalog stands in each, whose power no row asks for."""
    hours = ["1M", *cells]
    return pl.DataFrame(
        {"accelerator_hours": hours, "device_power": "400", "precision": hours[:1] and ["bf16", *cells]}
    )


def through_duckdb(frame: pl.DataFrame) -> list[dict[str, Any]]:
    duckdb = pytest.importorskip("duckdb")
    arrow = frame.to_arrow()  # noqa: F841 - DuckDB finds it by its name
    return list(evaluate(duckdb.sql("select * from arrow"), "energy").pl().to_dicts())


def through_dask(frame: pl.DataFrame) -> list[dict[str, Any]]:
    dask = pytest.importorskip("dask.dataframe")
    found = evaluate(dask.from_pandas(frame.to_pandas(), npartitions=2), "energy").compute()
    return list(found.astype(object).where(found.notna(), None).to_dict("records"))


def of_pandas(frame: pd.DataFrame) -> list[dict[str, Any]]:
    found = evaluate(frame, "energy").astype(object)
    return list(found.where(found.notna(), None).to_dict("records"))


ENGINES: dict[str, Callable[[pl.DataFrame], list[dict[str, Any]]]] = {
    "Polars": lambda frame: evaluate(frame, "energy").to_dicts(),
    "Polars lazy": lambda frame: evaluate(frame.lazy(), "energy").collect().to_dicts(),
    "pandas": lambda frame: of_pandas(frame.to_pandas()),
    "pandas objects": lambda frame: of_pandas(frame.to_pandas().astype(object)),
    "PyArrow": lambda frame: evaluate(frame.to_arrow(), "energy").to_pylist(),
    "DuckDB": through_duckdb,
    "Dask": through_dask,
}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_text_that_says_nothing_is_a_missing_fact(engine: str) -> None:
    first, *others = ENGINES[engine](table(*NOTHING))
    assert (first["energy (GWh)"], first["energy route"], first["problems"]) == (0.4, "power_time", None)
    for row in others:
        assert (row["energy (GWh)"], row["energy route"], row["problems"]) == (None, None, SAID[1])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_text_that_is_almost_nothing_is_that_rows_problem(engine: str) -> None:
    for cell, row in zip(REFUSED, ENGINES[engine](table(*REFUSED))[1:], strict=True):
        assert (row["energy (GWh)"], row["energy route"]) == (None, None)
        assert row["problems"].startswith(f"accelerator_hours: '{cell}' does not start with a plain number; ")
        assert row["problems"].endswith(" | energy needs accelerator_hours")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("engine", ["duckdb", pytest.param("dask", marks=pytest.mark.slow)])
def test_files_say_the_same_through_every_engine(engine: str, kind: str, tmp_path: Path) -> None:
    pytest.importorskip(engine)
    request, source, target = TableRequest.of("energy", ()), tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    sink(table(*NOTHING, *REFUSED).lazy(), str(source))
    RUNNERS[engine].through(str(source), str(target), request)
    wanted = evaluate_lazy(scan(str(source)), request).collect()
    found = scan(f"{target}/*{target.suffix}" if target.is_dir() else str(target)).collect()
    for name in ("energy route", "problems"):
        assert found[name].cast(pl.String).to_list() == wanted[name].cast(pl.String).to_list()
    assert wanted["problems"].to_list()[: len(SAID)] == SAID
