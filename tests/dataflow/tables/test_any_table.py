"""Tables as others make them: any cell, any way to leave one empty, any type of column, any name of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runlineage import InputError, RunlineageWarning, evaluate, expressions
from runlineage.dataflow.tables.engines import RUNNERS
from runlineage.dataflow.tables.headers import read_headers
from runlineage.dataflow.tables.one_cell import read_cell
from runlineage.dataflow.tables.request import TableRequest

pa = pytest.importorskip("pyarrow")
TEXT = st.text(max_size=12) | st.sampled_from(["$", "US$", "5 €", "$ B", "1e", "%", "()", "\x00", "9" * 200, "5 W $"])
HEADS = ["parameters", "training_tokens", "accelerator_hours", "device_power (kW)", "price", "duration", "pue"]
WORDS = ["accelerator", "precision", "sparse", "region", "year"]


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    with pytest.importorskip("duckdb").connect() as connection:
        yield connection


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(HEADS + WORDS), TEXT)
def test_no_cell_ends_in_an_exception(header: str, text: str) -> None:
    for column in read_headers({header, "year", "region"}):
        value, refused = read_cell(column, text)
        assert value is None or refused is None


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(HEADS + WORDS), TEXT, min_size=1))
@pytest.mark.filterwarnings("ignore::runlineage.RunlineageWarning")
def test_a_row_of_junk_leaves_the_other_rows_alone(connection: Any, junk: dict[str, str]) -> None:
    good = {"accelerator_hours": "1,022,362", "device_power (kW)": "0.4", "pue": "1.1", "accelerator": "A100 SXM4 80GB"}
    names = dict.fromkeys([*good, *junk])
    table = pl.DataFrame([{name: row.get(name) for name in names} for row in (good, good | junk, good)])
    table = table.cast(pl.String)
    asked = ["energy", "facility_energy", "training_cost"]
    for engine in ("polars", "lazy", "arrow", "pandas", "duckdb"):
        answered = plain(evaluate(through(engine, table, connection), asked))
        energies = answered["energy (GWh)"].to_list()
        assert (energies[0], energies[2]) == (pytest.approx(0.4089448), pytest.approx(0.4089448))


def test_a_lone_currency_sign_is_that_rows_problem() -> None:
    table = pl.DataFrame({"accelerator_hours": ["10", "20"], "price": ["$2", "$"]})
    answered = evaluate(table, "training_cost")
    assert answered["training_cost (USD)"].to_list() == [20, None]
    assert answered["problems"][1].startswith("price: '$' ")


# Not-a-number


def test_nan_is_missing_through_duckdb_also_where_statistics_of_a_file_hide_it(connection: Any, tmp_path: Path) -> None:
    hours = [1e6, float("nan"), 2e6]
    table = pl.DataFrame({"accelerator_hours": hours, "accelerator_count": [100.0] * 3, "duration (hour)": [1e4] * 3})
    table = table.with_columns(device_power=pl.Series([400.0, 400.0, float("nan")]))
    table.write_parquet(tmp_path / "in.parquet")
    relation = connection.read_parquet(str(tmp_path / "in.parquet"))
    expected = evaluate(table, "energy", "count_duration").to_dicts()
    assert [row["energy (GWh)"] for row in expected] == [0.4, 0.4, None]
    answered = evaluate(relation, "energy", "count_duration")
    rows = [dict(zip(answered.columns, row, strict=True)) for row in answered.fetchall()]
    for row, other in zip(rows, expected, strict=True):
        assert [row[name] for name in ("energy (GWh)", "energy route", "problems")] == [
            other[name] for name in ("energy (GWh)", "energy route", "problems")
        ]
    found = expressions("energy", ["accelerator_hours", "device_power"])
    by_query = nw.from_native(relation).with_columns(*found.values()).to_native()
    assert by_query.project('"energy (GWh)"').fetchall() == [(0.4,), (None,), (None,)]
    RUNNERS["duckdb"].through(str(tmp_path / "in.parquet"), str(tmp_path / "o.parquet"), TableRequest.of("energy", ()))
    assert pl.read_parquet(tmp_path / "o.parquet")["energy (GWh)"].to_list() == [0.4, None, None]


# Types that tell a unit


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"duration": [datetime.timedelta(hours=36)]}),
        pl.DataFrame({"duration": [datetime.timedelta(hours=36)]}, schema={"duration": pl.Duration("ms")}).lazy(),
        pd.DataFrame({"duration": pd.to_timedelta([36], unit="h")}),
        pd.DataFrame({"duration": np.array([36 * 3600], "timedelta64[s]")}),
        pd.DataFrame({"duration": pd.Series([datetime.timedelta(hours=36)], dtype=object)}),
        pd.DataFrame({"duration": pd.Series([np.timedelta64(36, "h")], dtype=object)}),
        pa.table({"duration": pa.array([36 * 3600], pa.duration("s"))}),
    ],
    ids=lambda frame: type(frame).__module__.partition(".")[0],
)
@pytest.mark.filterwarnings("ignore:column 'duration' names no unit")
def test_a_column_of_lengths_of_time_is_read_by_its_type(frame: Any) -> None:
    more = nw.from_native(frame).with_columns(accelerator_count=nw.lit(10), training_ops=nw.lit(1e20)).to_native()
    answered = nw.from_native(evaluate(more, "achieved_rate")).lazy().collect()
    assert answered["achieved_rate (TFLOP/s)"].to_list() == pytest.approx([1e20 / (10 * 36 * 3600) / 1e12])


@pytest.mark.parametrize("header", ["accelerator_hours", "device_power"])
def test_a_length_of_time_in_another_column_is_refused_by_name(header: str) -> None:
    with pytest.raises(InputError, match=f"column '{header}': holds Duration"):
        evaluate(pl.DataFrame({header: [datetime.timedelta(1)]}))


def test_a_column_of_pint_pandas_is_read_in_its_unit() -> None:
    pytest.importorskip("pint_pandas")
    frame = pd.DataFrame(
        {
            "accelerator_hours": [1e6, 2e6],
            "device_power": pd.Series([0.7, None], dtype="pint[kW]"),
            "duration": pd.Series([2.0, 3.0], dtype="pint[day]"),
        }
    )
    assert evaluate(frame, "energy")["energy (GWh)"].tolist() == pytest.approx([0.7, float("nan")], nan_ok=True)
    with pytest.raises(InputError, match="column 'device_power': 1 kilogram is in "):
        evaluate(pd.DataFrame({"device_power": pd.Series([0.7], dtype="pint[kg]")}), "energy")


def test_an_object_that_is_no_fact_affects_its_row_alone() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    frame = pd.DataFrame({"device_power": [400, [1], Odd()], "accelerator_hours": 1e6})
    answered = evaluate(frame, "energy")
    assert answered["energy (GWh)"].fillna(0).tolist() == [0.4, 0, 0]
    assert answered["problems"][1].startswith("device_power: 'a list: [1]' does not start with a plain number")


# Units of plain numbers


@pytest.mark.parametrize("cell", [3600, 3600.0, "3600", "1,200"])
def test_a_bare_duration_is_asked_for_its_unit(cell: Any) -> None:
    table = pl.DataFrame({"training_ops": [1e20], "accelerator_count": [10], "duration": [cell]})
    with pytest.warns(RunlineageWarning, match=re.escape("column 'duration' names no unit")):
        answered = evaluate(table, "achieved_rate")
    assert answered["achieved_rate (TFLOP/s)"].to_list() == [None]
    cure = "duration: a plain number may be in several units; head its column duration (s), duration (hour) or "
    assert answered["problems"][0].startswith(cure)
    with pytest.raises(InputError, match=r"names no unit of duration; head it duration \(s\)"):
        expressions("achieved_rate", ["training_ops", "accelerator_count", "duration"])


@pytest.mark.parametrize("brought", [pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table])
def test_a_duration_whose_every_cell_has_its_unit_is_not_warned_of(brought: Any) -> None:
    facts = {"training_ops": [1e20, 1e20], "accelerator_count": [10, 10], "duration": ["1 day", "30 hours"]}
    assert evaluate(brought(facts), "achieved_rate") is not None  # a warning would be an error


@pytest.mark.filterwarnings("ignore:column 'duration' names no unit")
def test_a_duration_with_its_unit_in_the_cell_and_one_that_cannot_serve_are_not_asked() -> None:
    table = pl.DataFrame({"training_ops": [1e20], "accelerator_count": [10], "duration": ["36 hours"]})
    assert evaluate(table, "achieved_rate")["problems"].to_list() == [None]
    table = pl.DataFrame({"accelerator_hours": [1e6], "device_power": [400], "duration": [36]})
    assert evaluate(table, "energy")["problems"].to_list() == [None]


# Columns by other names


@pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning")
@pytest.mark.parametrize("engine", ["polars", "lazy", "pandas", "arrow", "duckdb", "dask"])
def test_columns_of_other_names_are_mapped_on_every_engine(engine: str, connection: Any) -> None:
    table = pl.DataFrame({"GPU hours": [1e6, None], "kw": ["0.4", "$"], "device_power": ["as measured"] * 2})
    columns = {"accelerator_hours": "GPU hours", "device_power (kW)": "kw"}
    frame = through(engine, table, connection)
    answered = plain(evaluate(frame, "energy", columns=columns))
    assert answered.columns[:3] == table.columns
    assert answered["energy (GWh)"].to_list() == [pytest.approx(0.4), None]
    assert answered["problems"][1].startswith("device_power: '$' ")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"accelerator_hours": "GPU hour"},
            "is 'GPU hour', which is no column of the table; did you mean 'GPU hours'?",
        ),
        ({"accelerator_hour": "GPU hours"}, "is not a field; did you mean accelerator_hours?"),
        ({"accelerator_hours (kg)": "GPU hours"}, "the unit 'kg' does not serve"),
        ({"accelerator_hours": "GPU hours", "duration (hour)": "GPU hours"}, "as accelerator_hours is; map each"),
        ({"duration": "a", "duration (hour)": "b"}, "column 'b': gives duration, as 'a' does; keep one"),
        ("accelerator_hours=GPU hours", "expected a mapping of fields to headers"),
        ({"accelerator_hours": 3}, "expected a mapping of fields to headers"),
    ],
)
def test_a_mapping_that_cannot_hold_is_refused(columns: Any, message: str) -> None:
    table = pl.DataFrame({"GPU hours": [1.0], "a": [1], "b": [2]})
    with pytest.raises(InputError) as caught:
        evaluate(table, columns=columns)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("header", "spec"),
    [
        ("gpu_hours", "accelerator_hours"),
        ("GPU hours", "accelerator_hours"),
        ("params", "parameters"),
        ("tokens", "training_tokens"),
        ("num_gpus", "accelerator_count"),
        ("gpu_type", "accelerator"),
        ("tdp", "accelerator_tdp"),
        ("TDP (W)", "accelerator_tdp (W)"),
        ("Energy (MWh)", "energy (MWh)"),
        ("runtime", "duration (hour)"),
    ],
)
def test_a_header_that_looks_like_a_fact_is_named_with_what_maps_it(header: str, spec: str) -> None:
    with pytest.warns(RunlineageWarning, match=re.escape(f"columns={{{spec!r}: {header!r}}}")):
        evaluate(pl.DataFrame({header: ["1"]}))


# Answers that are given


@pytest.mark.parametrize("engine", ["polars", "lazy", "pandas", "arrow", "duckdb"])
def test_an_answer_in_a_column_is_a_fact(engine: str, connection: Any) -> None:
    table = pl.DataFrame(
        {
            "energy (MWh)": [1000.0, None, None],
            "accelerator_hours": [None, 1e6, None],
            "device_power": [None, 400.0, 400.0],
            "pue": [1.1] * 3,
            "carbon_intensity": [0.4] * 3,
        }
    )
    frame = through(engine, table, connection)
    answered = plain(evaluate(frame, ["location_emissions", "energy"]))
    assert answered["location_emissions (tCO2e)"].to_list() == pytest.approx([440, 176, None])
    assert answered["energy (GWh)"].to_list() == pytest.approx([1, 0.4, None])
    assert answered["energy route"].to_list() == ["supplied", "power_time", None]
    assert answered["energy (MWh)"].to_list() == [1000, None, None]


@pytest.mark.parametrize("engine", ["polars", "lazy", "pandas", "arrow", "duckdb"])
def test_an_answer_under_its_own_header_keeps_its_place(engine: str, connection: Any) -> None:
    table = pl.DataFrame(
        {
            "energy (GWh)": ["1", None, "x"],
            "accelerator_hours": [None, 1e6, 1e6],
            "device_power": [None, 400.0, 400.0],
        }
    )
    answered = plain(evaluate(through(engine, table, connection), "energy"))
    assert answered.columns == [*table.columns, "energy route", "problems"]
    assert answered["energy (GWh)"].to_list() == pytest.approx([1, 0.4, 0.4])
    assert answered["energy route"].to_list() == ["supplied", "power_time", "power_time"]
    assert answered["problems"][2].startswith("energy: 'x' does not start with a plain number")


def through(engine: str, table: pl.DataFrame, connection: Any) -> Any:
    """Bring a table to an engine."""
    made = {
        "polars": lambda: table,
        "lazy": table.lazy,
        "pandas": table.to_pandas,
        "arrow": table.to_arrow,
        "duckdb": lambda: connection.from_arrow(table.to_arrow()),
        "dask": lambda: pytest.importorskip("dask.dataframe").from_pandas(table.to_pandas(), npartitions=1),
    }
    return made[engine]()


def plain(answered: Any) -> pl.DataFrame:
    """Bring the answers of any engine to Polars, with null for what is missing."""
    answered = answered.compute(scheduler="synchronous") if hasattr(answered, "compute") else answered
    if isinstance(answered, pd.DataFrame):
        missing = answered.astype(object).where(answered.notna(), None)
        return pl.DataFrame(missing.to_dict("list"), strict=False)
    found = nw.from_native(answered).lazy().collect().to_native()
    return found if isinstance(found, pl.DataFrame) else pl.DataFrame(found.to_pydict(), strict=False)
