"""The same ten rows through every engine: one answer, in its engine's own type, lazily where the engine is lazy."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pandas as pd
import polars as pl
import pytest

from runlineage.catalogs.base.errors import InputError
from runlineage.dataflow.tables.engines import ENGINES, ROOM
from runlineage.dataflow.tables.evaluate import evaluate

pytestmark = [
    # PySpark 4 says so of pandas 3 at each import; no pandas frame passes between them here.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # PySpark 3.5 compares versions with what setuptools keeps of distutils.
    pytest.mark.filterwarnings("ignore:distutils Version classes are deprecated:DeprecationWarning"),
    # PySpark 3.5 leaves the socket of a collect to the garbage collector; this package opens none.
    pytest.mark.filterwarnings("ignore:unclosed <socket.socket:ResourceWarning"),
]

ASSUMPTIONS = ("tdp", "count_duration", "modeled_reference")
ROWS: dict[str, list[Any]] = {
    "model": ["Numbers", "Text", "Hours", "Hole", "NaN", "Bad cell", "Sparse", "Part", "Negative", "Nothing"],
    "parameters": ["175e9", "405B", None, "70B", "70e9", "lots", "671B", "8.03B", "1e9", None],
    "training_tokens": [300e9, 15.6e12, None, 2e12, float("nan"), 1e12, 14.8e12, 15e12, 1e9, None],
    "sparse": [None, None, None, None, None, None, "yes", "no", None, None],
    "accelerator": ["V100 SXM2 16GB", "H100 SXM", "A100 SXM4 80GB", None, None, "Odd", "H800", "H100 SXM", None, None],
    "precision": ["FP16", "BF16", "BF16", None, None, "BF16", "FP8", "FP8", None, None],
    "accelerator_hours": ["3.55M", "30.84M GPU hours", None, "1720320", "1.7M", "1e6", "2.788M", "1.46M", "5", None],
    "device_power (W)": [300.0, 700.0, float("nan"), None, 400.0, 500.0, None, 700.0, -5.0, None],
    "accelerator_count": [10_000.0, None, 1024.0, None, 2000.0, None, 2048.0, None, None, None],
    "duration (hour)": [None, None, 180.0, None, 850.0, None, None, None, None, None],
}
METRICS = ["training_operations (flop)", "achieved_rate (TFLOP/s)", "energy (GWh)", "peak_fraction"]
ROUTES = ["training_operations route", "achieved_rate route", "energy route", "peak_fraction route"]


def polars_frame() -> pl.DataFrame:
    return pl.DataFrame(ROWS)


def as_rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Write a table as Python rows, with None for every kind of missing cell."""
    plain = [[None if cell is pd.NA or cell != cell else cell for cell in cells] for cells in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]


def pandas_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return as_rows({name: frame[name].astype(object).tolist() for name in frame.columns})


@pytest.fixture(scope="module")
def expected() -> dict[tuple[str, ...], list[dict[str, Any]]]:
    answered = {assume: evaluate(polars_frame(), assume=assume) for assume in ((), ASSUMPTIONS)}
    return {assume: as_rows(each.to_dict(as_series=False)) for assume, each in answered.items()}


def through_polars_lazy(assume: tuple[str, ...]) -> list[dict[str, Any]]:
    answered = evaluate(polars_frame().lazy(), assume=assume)
    assert isinstance(answered, pl.LazyFrame)
    return as_rows(answered.collect().to_dict(as_series=False))


def through_pandas(assume: tuple[str, ...]) -> list[dict[str, Any]]:
    answered = evaluate(pd.DataFrame(ROWS), assume=assume)
    assert isinstance(answered, pd.DataFrame)
    return pandas_rows(answered)


def through_pyarrow(assume: tuple[str, ...]) -> list[dict[str, Any]]:
    pa = pytest.importorskip("pyarrow")
    answered = evaluate(pa.table(ROWS), assume=assume)
    assert isinstance(answered, pa.Table)
    return as_rows(answered.to_pydict())


def through_duckdb(assume: tuple[str, ...]) -> list[dict[str, Any]]:
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    with duckdb.connect() as connection:
        answered = evaluate(connection.from_arrow(pa.table(ROWS)), assume=assume)
        assert isinstance(answered, duckdb.DuckDBPyRelation)
        columns = list(zip(*answered.fetchall(), strict=True))
        return as_rows(dict(zip(answered.columns, columns, strict=True)))


def through_dask(assume: tuple[str, ...]) -> list[dict[str, Any]]:
    dd = pytest.importorskip("dask.dataframe")
    answered = evaluate(dd.from_pandas(pd.DataFrame(ROWS), npartitions=3), assume=assume)
    assert isinstance(answered, dd.DataFrame)
    assert answered.npartitions == 3
    done = answered.compute(scheduler="synchronous")
    assert list(done.dtypes) == list(answered.dtypes)  # what was promised before anything ran
    return pandas_rows(done)


@pytest.mark.parametrize("assume", [(), ASSUMPTIONS], ids=["recorded", "assumed"])
@pytest.mark.parametrize(
    "through", [through_polars_lazy, through_pandas, through_pyarrow, through_duckdb, through_dask]
)
def test_an_engine_answers_as_polars_does_in_its_own_type(
    through: Callable[[tuple[str, ...]], list[dict[str, Any]]], assume: tuple[str, ...], expected: Any
) -> None:
    answered = through(assume)
    assert list(answered[0]) == list(expected[assume][0])
    assert answered == expected[assume]


def test_the_ten_rows_are_answered_as_by_hand(expected: Any) -> None:
    plain, assumed = ({row["model"]: row for row in expected[assume]} for assume in ((), ASSUMPTIONS))
    added = [*METRICS, *ROUTES]
    assert list(plain["Text"]) == [*ROWS, *added, "problems"]
    assert list(assumed["Text"]) == [*ROWS, *added, "assumes", "problems"]
    assert plain["Text"]["training_operations (flop)"] == pytest.approx(6 * 405e9 * 15.6e12)
    assert plain["Text"]["energy (GWh)"] == pytest.approx(30.84e6 * 700 / 1e9)
    assert plain["Text"]["problems"] is None
    assert plain["Sparse"]["training_operations (flop)"] is None
    assert (assumed["Sparse"]["assumes"], assumed["Sparse"]["energy (GWh)"]) == ("tdp", pytest.approx(1.9516))
    assert plain["Bad cell"]["problems"].startswith("parameters: 'lots' does not start with a plain number")
    assert plain["Negative"]["problems"].startswith("device_power: '-5.0 W' is not above zero")


def test_a_lazy_polars_frame_is_not_computed_before_asked() -> None:
    seen = []

    def look(part: pl.DataFrame) -> pl.DataFrame:
        seen.append(part.height)
        return part

    answered = evaluate(polars_frame().lazy().map_batches(look, schema=polars_frame().schema))
    assert seen == []
    answered.collect()
    assert seen == [10]


# DuckDB


@pytest.fixture
def connection() -> Iterator[Any]:
    with pytest.importorskip("duckdb").connect() as connection:
        yield connection


def test_duckdb_keeps_order_count_types_and_connection(connection: Any) -> None:
    pytest.importorskip("pyarrow")
    connection.execute("create type part as enum ('A100 SXM4 80GB', 'H100 SXM')")
    made = """select i as row, (i + 1)::hugeint as training_ops, (i + 1)::decimal(20, 2) as "accelerator_hours",
        'H100 SXM'::part as accelerator, '101'::bit as bits, timetz '10:00:00+02' as clock, [i] as own,
        {'a': interval 1 month} as "its ""own"" name" from range(50_000) t(i)"""
    relation = connection.sql(made)
    answered = evaluate(relation)
    own = len(relation.columns)
    assert answered.columns[:own] == relation.columns
    assert answered.types[:own] == relation.types
    assert {str(kind) for kind in answered.types[own:]} == {"DOUBLE", "VARCHAR"}
    connection.execute("create table kept as select * from answered")  # the same connection
    rows = connection.table("kept").fetchall()
    assert [row[:own] for row in rows] == relation.fetchall()
    rate = answered.columns.index("achieved_rate (TFLOP/s)")
    assert {round(row[rate] * 3600e12, 6) for row in rows} == {1}
    assert answered.fetchall() == rows  # a relation can be read again


def test_a_duckdb_relation_without_rows_or_facts_is_answered(connection: Any) -> None:
    pytest.importorskip("pyarrow")
    assert evaluate(connection.sql("select 1 as parameters where false")).fetchall() == []
    ((own, *answers, problems),) = evaluate(connection.sql("select 3 as own")).fetchall()
    assert (own, set(answers)) == (3, {None})
    assert "energy needs accelerator_hours" in problems


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select {'a': 1} as parameters", "column 'parameters': holds struct<a: int32> cells; expected numbers"),
        ("select interval 1 day as duration", "column 'duration': holds month_day_nano_interval cells"),
        ('select 1 as "Problems"', "column 'problems': is there already; drop or rename it"),
    ],
)
def test_duckdb_columns_that_do_not_fit_are_refused_by_name(connection: Any, query: str, said: str) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match=re.escape(said)):
        evaluate(connection.sql(query))


# Dask


def test_dask_takes_unknown_divisions_and_empty_partitions(expected: Any) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pd.DataFrame(ROWS), npartitions=5).clear_divisions()
    frame = frame[frame["model"].isin(["Text", "Nothing"])]  # three partitions are left empty
    answered = evaluate(frame)
    assert not answered.known_divisions
    sizes = answered.map_partitions(len).compute(scheduler="synchronous")
    assert sorted(sizes) == [0, 0, 0, 1, 1]
    done = answered.compute(scheduler="synchronous")
    assert list(done.index) == [1, 9]
    assert pandas_rows(done) == [expected[()][1], expected[()][9]]


def test_dask_takes_columns_of_mixed_objects_and_leaves_others_alone() -> None:
    dask = pytest.importorskip("dask")
    dd = pytest.importorskip("dask.dataframe")
    with dask.config.set({"dataframe.convert-string": False}):
        facts = pd.Series(["405B", 70e9, None, 8_030_000_000], dtype=object)
        own = pd.Series([{"a": 1}, [2], None, "text"], dtype=object)
        frame = pd.DataFrame({"parameters": facts, "own": own, "training_tokens": [1e12, 1e12, 1e12, None]})
        done = evaluate(dd.from_pandas(frame, npartitions=2)).compute(scheduler="synchronous")
    pd.testing.assert_frame_equal(done[list(frame.columns)], frame)
    assert done["training_operations (flop)"].fillna(0).tolist() == [6 * 405e21, 6 * 70e21, 0, 0]
    assert done["training_operations route"].dtype == "string[pyarrow]"


def test_dask_says_before_it_runs_that_a_name_is_taken() -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pd.DataFrame({"parameters": [1e9], "problems": ["none"]}), npartitions=1)
    with pytest.raises(InputError, match="column 'problems': is there already"):
        evaluate(frame)


def test_a_dask_frame_is_not_computed_before_asked() -> None:
    dd = pytest.importorskip("dask.dataframe")
    seen = []

    def look(part: pd.DataFrame) -> pd.DataFrame:
        seen.append(len(part))
        return part

    frame = dd.from_pandas(pd.DataFrame(ROWS), npartitions=2)
    answered = evaluate(frame.map_partitions(look, meta=frame._meta))
    assert seen == []
    answered.compute(scheduler="synchronous")
    assert seen == [5, 5]


@pytest.mark.slow
def test_a_dask_worker_killed_in_mid_run_loses_and_doubles_no_row(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    dd = pytest.importorskip("dask.dataframe")
    rows, parts = 2_000, 20
    frame = pd.DataFrame({"row": range(rows), "accelerator_hours": [f"{i + 1} hours" for i in range(rows)]})
    frame["device_power"] = 500.0

    def slowly(part: pd.DataFrame, folder: str) -> pd.DataFrame:
        if len(part):
            time.sleep(0.3)
            Path(folder, f"{part['row'].iloc[0]} {os.getpid()}").touch()  # which process did which partition
        return part

    made = dd.from_pandas(frame, npartitions=parts)
    answered = evaluate(made.map_partitions(slowly, str(tmp_path), meta=made._meta), "energy")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        first, _ = workers = list(client.run(os.getpid).values())
        running = client.compute(answered)
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob(f"* {first}"))) < 3:
            assert (running.status, time.monotonic() < deadline) == ("pending", True)
            time.sleep(0.02)
        before = len(list(tmp_path.iterdir()))
        os.kill(first, signal.SIGKILL)
        done = running.result(timeout=120)
    ran = [each.name.split() for each in tmp_path.iterdir()]
    again = len(ran) - len({part for part, _ in ran})
    new = {int(pid) for _, pid in ran} - set(workers)
    print(f"\n{parts} partitions on 2 worker processes; {first} killed after {before} had run")
    print(f"runs of partitions {len(ran)}, of which again {again}; processes started in its place {len(new)}")
    print(f"rows in {rows}, out {len(done)}, distinct {done['row'].nunique()}")
    assert before < parts
    assert again > 0  # what the killed worker held was computed anew
    assert done["row"].tolist() == list(range(rows))
    assert done["energy (GWh)"].tolist() == pytest.approx([500e-9 * (i + 1) for i in range(rows)])
    assert done["problems"].isna().all()


# Spark


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyarrow")
    sql = pytest.importorskip("pyspark.sql")
    if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
        pytest.skip("Spark needs Java")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "ERROR")
        session = builder.getOrCreate()
        gateway = session.sparkContext._gateway
        yield session
        session.stop()
        gateway.shutdown()
        gateway.proc.stdin.close()  # which ends Java
        gateway.proc.wait(30)
        type(session.sparkContext)._gateway = type(session.sparkContext)._jvm = None


def spark_frame(spark: Any) -> Any:
    text = ("model", "parameters", "sparse", "accelerator", "precision", "accelerator_hours")
    schema = ", ".join(f"`{name}` {'string' if name in text else 'double'}" for name in ROWS)
    return spark.createDataFrame(list(zip(*ROWS.values(), strict=True)), schema)


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize("assume", [(), ASSUMPTIONS], ids=["recorded", "assumed"])
def test_spark_answers_as_polars_does_in_its_own_type(spark: Any, assume: tuple[str, ...], expected: Any) -> None:
    frame = spark_frame(spark)
    answered = evaluate(frame, assume=assume)
    assert type(answered) is type(frame)
    rows = answered.collect()
    assert as_rows({name: [row[name] for row in rows] for name in answered.columns}) == expected[assume]
    assert answered.columns == list(expected[assume][0])


@pytest.mark.slow
@pytest.mark.spark
def test_spark_keeps_order_count_and_types_of_its_own_columns(spark: Any) -> None:
    frame = spark.sql(
        """select id as row, cast(id + 1 as decimal(20, 2)) as training_ops, concat(id + 1, ' h') as accelerator_hours,
        map('a', id) as own, date'2020-01-01' as day, struct(id as a, array(id) as b) as nested from range(30000)"""
    )
    answered = evaluate(frame, "achieved_rate")
    assert answered.schema.fields[: len(frame.columns)] == frame.schema.fields
    assert answered.select(frame.columns).collect() == frame.collect()
    rates = answered.select("`achieved_rate (TFLOP/s)`").collect()
    assert {round(rate * 3600e12, 6) for (rate,) in rates} == {1}


@pytest.mark.slow
@pytest.mark.spark
def test_a_spark_frame_is_not_computed_before_asked_and_serves_sql(spark: Any) -> None:
    frame = spark_frame(spark)
    context = spark.sparkContext
    context.setJobGroup("asked", "whether anything runs")
    evaluate(frame).createOrReplaceTempView("answered")
    asked = spark.sql("select count(*), count(`energy (GWh)`) from answered where model <> 'Text'")
    assert list(context.statusTracker().getJobIdsForGroup("asked")) == []
    assert [tuple(row) for row in asked.collect()] == [(9, 4)]
    assert list(context.statusTracker().getJobIdsForGroup("asked")) != []


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("map('a', 1) as parameters", "column 'parameters': holds map<string,int> cells; expected numbers or text"),
        ("true as parameters", "column 'parameters': holds Boolean cells; expected numbers or text"),
        ("1 as Problems", "column 'problems': is there already; drop or rename it"),
        ("1 as a, 2 as a", "column 'a': appears twice; give each column its own name"),
    ],
)
def test_spark_columns_that_do_not_fit_are_refused_by_name_before_it_runs(spark: Any, query: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        evaluate(spark.sql(f"select {query}"))


@pytest.mark.slow
@pytest.mark.spark
def test_spark_without_rows_or_facts_is_answered(spark: Any) -> None:
    assert evaluate(spark.sql("select 1 as parameters where false")).collect() == []
    (row,) = evaluate(spark.sql("select 3 as own")).collect()
    assert row["own"] == 3
    assert "energy needs accelerator_hours" in row["problems"]


def test_pandas_on_spark_is_told_how_to_pass() -> None:
    pytest.importorskip("pyspark")
    frame = type("DataFrame", (), {"__module__": "pyspark.pandas.frame"})()
    with pytest.raises(InputError, match=re.escape("frame: is pandas on Spark; pass its to_spark()")):
        evaluate(frame)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(InputError, match="frame: is of type dict; expected a table of pandas, Polars, PyArrow, DuckDB"):
        evaluate({"parameters": [1]})


def test_every_engine_record_names_functions_that_are_there() -> None:
    for engine in ENGINES:
        for name in filter(None, (*engine.evaluators.values(), engine.runner)):
            assert callable(resolve_name(f"{ROOM}.{name}"))
