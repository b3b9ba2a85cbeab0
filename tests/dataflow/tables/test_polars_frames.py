"""Whole tables: every row answers as a run of its own would, whatever the engine, and nothing else is touched."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runlineage import Driver, InputError, Results, RunlineageWarning, Scenarios, UnknownNameError, evaluate
from runlineage.catalogs.quantities.fields import FIELDS, METRICS, RUN_FACTS
from runlineage.catalogs.quantities.units import convert
from runlineage.dataflow.routes.routes import ONLY
from runlineage.dataflow.tables.polars_frames import evaluate_eager
from runlineage.dataflow.tables.request import TableRequest, output_header

pa = pytest.importorskip("pyarrow")

ASSUMPTIONS = ("modeled_reference", "count_duration", "tdp")
SUBSETS = [chosen for size in range(4) for chosen in itertools.combinations(ASSUMPTIONS, size)]
NAMES = tuple(METRICS)
OUTPUTS = [output_header(name) for name in NAMES]
ROUTES = [f"{name} route" for name in NAMES]
DIFFER = "accelerator_hours and accelerator_count × duration differ by over 5%"
ABOVE = "peak_fraction is above 1: doubt its facts"

# The facts of a run by their headers: a duration has to name its unit.
HEADERS_OF = {"duration": "duration (day)"}
HEADERS = [HEADERS_OF.get(name, name) for name in RUN_FACTS]

Rows = list[dict[str, Any]]


def plain(cell: Any) -> Any:
    """Give a cell as Python has it, every way of saying nothing as None."""
    return None if cell is None or cell is pd.NA or cell != cell else cell


def of_pandas(frame: Any) -> Rows:
    columns = {name: [plain(cell) for cell in frame[name].astype(object)] for name in frame}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def on_lazy(table: pl.DataFrame, **asked: Any) -> Rows:
    answered = evaluate(table.lazy(), **asked)
    assert isinstance(answered, pl.LazyFrame)
    return answered.collect().to_dicts()


ENGINES: dict[str, Callable[..., Rows]] = {
    "eager": lambda table, **asked: evaluate(table, **asked).to_dicts(),
    "lazy": on_lazy,
    "pandas": lambda table, **asked: of_pandas(evaluate(table.to_pandas(), **asked)),
    "arrow": lambda table, **asked: evaluate(table.to_arrow(), **asked).to_pylist(),
}
every_engine = pytest.mark.parametrize("engine", ENGINES)


def energy_of(*cells: Any, **columns: Any) -> pl.DataFrame:
    """Ask for the energy of rows with these accelerator-hours, at 400 W."""
    hours = {"accelerator_hours": list(cells)} if cells else {}
    return evaluate(pl.DataFrame(hours | {"device_power": [400] * len(cells)} | columns, strict=False), "energy")


def check(row: dict[str, Any], answer: Results, name: str = "") -> None:
    """Hold a row of a table against the answers of the scalar driver."""
    assumed: set[str] = set()
    for metric, header in zip(NAMES, OUTPUTS, strict=True):
        one = answer.result(metric)
        where = f"{metric} of {name or row}"
        if one.value is None:
            assert (row[header], row[f"{metric} route"]) == (None, None), where
            assert f"{metric} needs " in row["problems"], where
        else:
            assert row[header] == pytest.approx(one.value.magnitude, rel=1e-12), where
            assert row[f"{metric} route"] == (one.route or ONLY), where
            assert f"{metric} needs " not in (row["problems"] or ""), where
            assumed |= set(one.assumes)
    if "assumes" in row:
        assert set(filter(None, (row["assumes"] or "").split(", "))) == assumed, name
    else:
        assert not assumed, name
    said = row["problems"] or ""
    assert (DIFFER in said) == any("accelerator_count × duration" in each for each in answer.warnings), name
    assert (ABOVE in said) == any(each.startswith("peak_fraction is") for each in answer.warnings), name


def facts_of(key: str) -> dict[str, Any]:
    """Give the facts of a catalogued run as a table holds them; periods as their summed count and duration."""
    inputs = Scenarios[key].inputs
    facts = {
        HEADERS_OF.get(name, name): convert(value, FIELDS[name].units).magnitude
        for name, value in inputs.given.items()
        if name not in inputs.parents
    }
    words = {name: inputs.words[name] for name in ("sparse", "precision") if name in inputs.words}
    node = inputs.words.get("accelerator")
    return facts | words | ({"accelerator": node.name} if node else {})


RUNS = pl.DataFrame([{"run": key} | facts_of(key) for key in Scenarios], infer_schema_length=None)


@every_engine
@pytest.mark.parametrize("assume", SUBSETS, ids=lambda assume: "+".join(assume) or "none")
def test_every_catalogued_run_answers_in_a_table_as_it_does_alone(assume: tuple[str, ...], engine: str) -> None:
    rows = ENGINES[engine](RUNS, assume=assume)
    assert [row["run"] for row in rows] == list(Scenarios)
    for row in rows:
        check(row, Scenarios[row["run"]].variant(assume=assume).results(), row["run"])


def test_the_catalogued_runs_try_every_kind_of_row() -> None:
    rows = evaluate(RUNS, assume=ASSUMPTIONS)
    assert RUNS["sparse"].any()
    assert {"recorded", "parameter_token"} <= set(rows["training_operations route"])
    assert {"accelerator_time", "reference_run", None} <= set(rows["achieved_rate route"])
    assert "modeled_reference" in set(evaluate(RUNS, assume="modeled_reference")["achieved_rate route"])
    assert {"tdp", "count_duration, tdp", None} <= set(rows["assumes"])


SCALES = {
    "parameters": (1e8, 1e12),
    "active_parameters": (1e7, 1e11),
    "training_tokens": (1e10, 2e13),
    "training_ops": (1e20, 1e26),
    "accelerator_hours": (1e3, 1e8),
    "device_power": (100.0, 1000.0),
    "accelerator_tdp": (100.0, 1000.0),
    "accelerator_count": (8.0, 1e5),
    "duration (day)": (0.5, 200.0),
    "peak_flops": (10.0, 5000.0),
}
HOLEY = st.fixed_dictionaries({name: st.none() | st.floats(*SCALES[name]) for name in HEADERS})
MANY = st.lists(HOLEY, min_size=1, max_size=6)


def alone(row: dict[str, Any], assume: tuple[str, ...]) -> Results:
    """Answer a row as a run; a table refuses both counts of a row whose active parameters are above its total."""
    facts = {name.partition(" (")[0]: value for name, value in row.items() if value is not None and name in HEADERS}
    if facts.get("active_parameters", 0) > facts.get("parameters", float("inf")):
        del facts["parameters"], facts["active_parameters"]
    return Driver(assume=assume).answer(NAMES, facts)


@given(MANY, st.sampled_from(SUBSETS))
def test_random_rows_with_random_holes_answer_as_each_does_alone(rows: Rows, assume: tuple[str, ...]) -> None:
    table = pl.DataFrame(rows, schema=dict.fromkeys(HEADERS, pl.Float64))
    eager = evaluate(table, assume=assume)
    assert evaluate(table.lazy(), assume=assume).collect().equals(eager)
    for row in eager.to_dicts():
        check(row, alone(row, assume))


@settings(max_examples=40)
@given(MANY, st.sampled_from(SUBSETS))
def test_pandas_and_arrow_answer_as_polars(rows: Rows, assume: tuple[str, ...]) -> None:
    table = pl.DataFrame(rows, schema=dict.fromkeys(HEADERS, pl.Float64))
    eager = evaluate(table, assume=assume).to_dicts()
    assert ENGINES["pandas"](table, assume=assume) == eager
    assert ENGINES["arrow"](table, assume=assume) == eager


@settings(max_examples=60)
@given(MANY, st.sampled_from(SUBSETS), st.sets(st.sampled_from(sorted(HEADERS))))
def test_columns_that_are_not_there_are_facts_that_no_row_has(
    rows: Rows, assume: tuple[str, ...], dropped: set[str]
) -> None:
    table = pl.DataFrame(rows, schema=dict.fromkeys(HEADERS, pl.Float64)).drop(*dropped).with_row_index()
    for row in evaluate(table, assume=assume).to_dicts():
        check(row, alone(row, assume))


@settings(max_examples=60)
@given(MANY, st.sampled_from(NAMES), st.sampled_from(SUBSETS))
def test_one_metric_alone_is_what_it_is_among_all(rows: Rows, metric: str, assume: tuple[str, ...]) -> None:
    table = pl.DataFrame(rows, schema=dict.fromkeys(HEADERS, pl.Float64))
    answer = [output_header(metric), f"{metric} route"]
    assert evaluate(table, metric, assume).select(answer).equals(evaluate(table, assume=assume).select(answer))


@settings(max_examples=60)
@given(MANY, st.lists(st.sampled_from([True, False, None]), min_size=6, max_size=6))
def test_a_sparse_models_total_never_serves(rows: Rows, sparse: list[bool | None]) -> None:
    table = pl.DataFrame(rows, schema=dict.fromkeys(HEADERS, pl.Float64)).drop("active_parameters")
    table = table.with_columns(sparse=pl.Series(sparse[: len(rows)], dtype=pl.Boolean))
    lazy = evaluate(table.lazy()).collect()
    assert evaluate(table).equals(lazy)
    for row in lazy.to_dicts():
        named = {name: value for name, value in row.items() if value is not None and name in {*HEADERS, "sparse"}}
        facts = {name.partition(" (")[0]: value for name, value in named.items()}
        check(row, Driver().answer(NAMES, facts))


# What stays as it is


@every_engine
def test_columns_come_first_and_untouched_then_the_answers(engine: str) -> None:
    table = pl.DataFrame(
        {"model": ["=1+1", "b"], "duration (day)": [2, 3], "Notes": ["N/A", None], "accelerator_count": ["8", "~9"]}
    )
    rows = ENGINES[engine](table, assume="tdp")
    assert list(rows[0]) == [*table.columns, *OUTPUTS, *ROUTES, "assumes", "problems"]
    assert [{name: row[name] for name in table.columns} for row in rows] == table.to_dicts()


def test_any_further_column_is_carried_through_whatever_it_holds() -> None:
    table = pl.DataFrame(
        {
            "struct": [{"a": 1}],
            "list": [[1, 2]],
            "when": [pd.Timestamp("2024-01-01").to_pydatetime()],
            "bytes": [b"x"],
            "pattern": [1],
            "literal": [2],
            "stage": [3],
            "architecture": ["Transformer"],
            "Durations": ["x"],
            "duration [hour]": [[]],
            "device_power": [400],
        }
    )
    for answered in (evaluate(table), evaluate(table.lazy()).collect()):
        assert answered.select(table.columns).equals(table)
        assert answered.schema.items() >= table.schema.items()
        assert "stage" not in answered["problems"][0]


def test_the_order_and_the_count_of_rows_are_kept() -> None:
    table = pl.DataFrame({"row": range(5000), "accelerator_hours": [1 + row % 7 for row in range(5000)]})
    table = table.with_columns(device_power=pl.when(pl.col("row") % 3 > 0).then(400.0), accelerator=pl.lit("V100"))
    for answered in (evaluate(table), evaluate(table.lazy()).collect(engine="streaming")):
        assert answered["row"].to_list() == list(range(5000))
        expected = [(1 + row % 7) * 400 / 1e9 if row % 3 else None for row in range(5000)]
        assert answered["energy (GWh)"].to_list() == pytest.approx(expected)


@every_engine
def test_a_frame_without_any_fact_says_what_every_metric_needs(engine: str) -> None:
    for row in ENGINES[engine](pl.DataFrame({"model": ["a", "b"]})):
        assert [row[name] for name in (*OUTPUTS, *ROUTES)] == [None] * 8
        assert [said.partition(" needs ")[0] for said in row["problems"].split(" | ")] == list(NAMES)


@every_engine
@pytest.mark.parametrize("assume", [(), ASSUMPTIONS])
def test_a_header_alone_gives_the_header_of_the_answers(engine: str, assume: tuple[str, ...]) -> None:
    table = pl.DataFrame(
        schema={"model": pl.String, "accelerator": pl.String, "sparse": pl.Boolean} | dict.fromkeys(HEADERS, pl.Float64)
    )
    assert ENGINES[engine](table, assume=assume) == []
    answered = evaluate(table, assume=assume)
    assert answered.columns == [*table.columns, *OUTPUTS, *ROUTES, *(["assumes"] if assume else []), "problems"]
    assert evaluate(table.lazy(), assume=assume).collect_schema() == answered.schema


def test_an_empty_frame_stays_empty() -> None:
    assert evaluate(pl.DataFrame()).shape == (0, 9)
    assert evaluate(pl.LazyFrame()).collect().shape == (0, 9)
    assert evaluate(pd.DataFrame()).shape == (0, 9)
    assert evaluate(pa.table({})).shape == (0, 9)


@every_engine
def test_a_table_of_one_row(engine: str) -> None:
    (row,) = ENGINES[engine](pl.DataFrame({"accelerator_hours": ["1,022,362"], "device_power": ["400 W"]}))
    assert row["energy (GWh)"] == pytest.approx(0.4089448, rel=1e-12)
    assert row["energy route"] == ONLY


@pytest.mark.parametrize("assume", SUBSETS)
def test_the_eager_and_the_lazy_frame_have_one_schema(assume: tuple[str, ...]) -> None:
    for table in (RUNS, RUNS.head(3), RUNS.filter(pl.col("accelerator_hours").is_not_null())):
        lazy = evaluate(table.lazy(), assume=assume)
        eager = evaluate(table, assume=assume)
        assert lazy.collect_schema() == lazy.collect().schema == eager.schema


def test_the_types_of_the_answers_do_not_depend_on_what_a_table_holds() -> None:
    parts = [evaluate(RUNS[place : place + 16], assume=("tdp", "count_duration")) for place in range(0, len(RUNS), 16)]
    assert pl.concat(parts).equals(evaluate(RUNS, assume=("tdp", "count_duration")))


def test_evaluating_does_not_change_the_frame() -> None:
    table, frame = RUNS.clone(), RUNS.to_pandas()
    before = frame.copy()
    evaluate(table, assume=ASSUMPTIONS)
    evaluate(frame, assume=ASSUMPTIONS)
    assert table.equals(RUNS)
    pd.testing.assert_frame_equal(frame, before)


# What pandas keeps

HOURS = [1_022_362, 2_000_000, 3_000_000]
ENERGY = [hours * 400 / 1e9 for hours in HOURS]
INDEXES = {
    "strings": pd.Index(["x", "y", "z"], name="run"),
    "repeated": pd.Index([7, 7, 7]),
    "unordered": pd.Index([30, 10, 20]),
    "levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["team", "run"]),
    "dates": pd.DatetimeIndex(["2024-01-01", "2024-01-01", "2023-01-01"]),
    "range": pd.RangeIndex(5, 11, 2),
}


@pytest.mark.parametrize("index", INDEXES)
def test_the_index_of_a_pandas_frame_is_kept(index: str) -> None:
    frame = pd.DataFrame({"accelerator_hours": HOURS, "device_power": 400}, index=INDEXES[index])
    answered = evaluate(frame, "energy")
    pd.testing.assert_index_equal(answered.index, frame.index, exact=True)
    assert answered["energy (GWh)"].tolist() == pytest.approx(ENERGY, rel=1e-12)


@pytest.mark.parametrize(
    "hours",
    [
        pd.Series(HOURS, dtype="int32"),
        pd.Series(HOURS, dtype="uint64"),
        pd.Series(HOURS, dtype="float32"),
        pd.Series(HOURS, dtype="Int64"),
        pd.Series(HOURS, dtype="Float64"),
        pd.Series(HOURS, dtype="category"),
        pd.Series(HOURS, dtype=object),
        pd.Series([str(hours) for hours in HOURS], dtype=object),
        pd.Series([str(hours) for hours in HOURS], dtype="string"),
        pd.Series([f"{hours:,} GPU hours" for hours in HOURS], dtype="category"),
        pd.Series([str(HOURS[0]), HOURS[1], float(HOURS[2])], dtype=object),
        pd.Series([np.int64(HOURS[0]), "2M", "3,000,000"], dtype=object),
        pd.Series(np.array(HOURS, dtype=np.longdouble)),
        pd.Series([str(hours) for hours in HOURS], dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        pd.Series(HOURS, dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.int64()))),
        pd.Series([Decimal(hours) for hours in HOURS], dtype=pd.ArrowDtype(pa.decimal256(50, 2))),
        pd.Series(HOURS, dtype=pd.ArrowDtype(pa.int64())),
        pd.Series([str(hours) for hours in HOURS], dtype=pd.ArrowDtype(pa.string())),
        pd.Series([Decimal(hours) for hours in HOURS], dtype=pd.ArrowDtype(pa.decimal128(20, 2))),
    ],
    ids=lambda hours: f"{hours.dtype}-{type(hours[0]).__name__}",
)
def test_the_types_of_a_pandas_frame_are_kept(hours: Any) -> None:
    frame = pd.DataFrame(
        {"accelerator_hours": hours, "device_power": 400, "other": pd.Series([1, None, 3], dtype="Int8")}
    )
    answered = evaluate(frame, "energy")
    pd.testing.assert_frame_equal(answered[list(frame.columns)], frame)
    assert answered["energy (GWh)"].dtype == np.float64
    assert answered["energy (GWh)"].tolist() == pytest.approx(ENERGY, rel=1e-6)


@pytest.mark.parametrize(
    "hours",
    [
        pd.Series([1_022_362, np.nan], dtype="float64"),
        pd.Series([1_022_362, pd.NA], dtype="Int64"),
        pd.Series([1_022_362, pd.NA], dtype="Float64"),
        pd.Series(["1022362", pd.NA], dtype="string"),
        pd.Series(["1022362", None], dtype="category"),
        pd.Series([1_022_362, None], dtype=pd.ArrowDtype(pa.int64())),
        *(pd.Series([1_022_362, hole], dtype=object) for hole in (None, np.nan, pd.NA, pd.NaT, "", "N/A")),
    ],
    ids=lambda hours: f"{hours.dtype}-{hours[1]!r}",
)
def test_every_way_to_leave_a_cell_empty_is_alike(hours: Any) -> None:
    first, second = of_pandas(evaluate(pd.DataFrame({"accelerator_hours": hours, "device_power": 400}), "energy"))
    assert (first["energy (GWh)"], first["problems"]) == (pytest.approx(0.4089448, rel=1e-12), None)
    assert (second["energy (GWh)"], second["problems"]) == (None, "energy needs accelerator_hours")


def test_a_categorical_accelerator_is_read_and_kept() -> None:
    parts = pd.Series(["H100 SXM", "V100 SXM2 32GB", "H100 SXM", None], dtype="category")
    frame = pd.DataFrame({"accelerator": parts, "accelerator_hours": 1e6})
    answered = evaluate(frame, "energy", "tdp")
    assert answered["accelerator"].dtype == parts.dtype
    assert answered["energy (GWh)"].tolist() == pytest.approx([0.7, 0.3, 0.7, np.nan], nan_ok=True)
    assert answered["assumes"].tolist()[:3] == ["tdp"] * 3


def test_pandas_columns_without_a_name_of_text_are_carried_through() -> None:
    frame = pd.DataFrame({0: ["a"], "device_power": [400], ("x", 1): [2], "accelerator_hours": [1e6]})
    answered = evaluate(frame, "energy")
    assert list(answered)[:4] == list(frame)
    assert answered["energy (GWh)"].tolist() == pytest.approx([0.4])


def test_the_numbers_of_pandas_are_not_copied_into_python_objects() -> None:
    frame = pd.DataFrame({"accelerator_hours": np.array([1e6, np.nan]), "sparse": [True, False], "parameters": [1, 2]})
    answered = evaluate(frame)
    assert answered.dtypes[list(frame)].equals(frame.dtypes)
    assert isinstance(answered["energy route"].dtype, pd.CategoricalDtype)
    assert isinstance(answered["problems"].dtype, pd.CategoricalDtype)


def test_a_pandas_frame_with_two_columns_of_one_name_is_refused() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["device_power", "device_power"])
    with pytest.raises(InputError, match="column 'device_power': appears twice; give each column its own name"):
        evaluate(frame)


# What is refused, and what spoils its own row only


@every_engine
def test_two_columns_of_one_fact_and_unknown_units_are_refused(engine: str) -> None:
    with pytest.raises(InputError, match=r"column 'duration \(hour\)': gives duration, as 'duration' does; keep one"):
        ENGINES[engine](pl.DataFrame({"duration": [1], "duration (hour)": [24]}))
    with pytest.raises(InputError, match=r"column 'duration \(kg\)': the unit 'kg' does not serve"):
        ENGINES[engine](pl.DataFrame({"duration (kg)": [1]}))


@pytest.mark.parametrize(
    "cell",
    [{"a": 1}, [1], pd.Timestamp("2024-01-01").to_pydatetime().date(), True, b"x"],
    ids=lambda c: type(c).__name__,
)
@pytest.mark.parametrize("engine", ["eager", "lazy", "arrow"])
def test_a_column_that_cannot_be_a_fact_is_refused_by_name(engine: str, cell: Any) -> None:
    with pytest.raises(InputError, match=r"column 'duration \(hour\)': holds .* cells; expected numbers or text"):
        ENGINES[engine](pl.DataFrame({"model": ["a"], "duration (hour)": [cell]}))


@pytest.mark.parametrize("values", [pd.Series([True]), pd.to_datetime(pd.Series(["2024-01-01"]))])
def test_a_pandas_column_that_cannot_be_a_fact_is_refused_by_name(values: Any) -> None:
    with pytest.raises(InputError, match=r"column 'duration': holds .* cells; expected numbers or text"):
        evaluate(pd.DataFrame({"duration": values}))


@every_engine
@pytest.mark.parametrize("taken", ["energy route", "problems", "assumes"])
def test_a_name_that_an_answer_needs_is_refused(engine: str, taken: str) -> None:
    with pytest.raises(InputError) as caught:
        ENGINES[engine](pl.DataFrame({"device_power": [400], taken: [1]}), assume="tdp")
    assert f"column {taken!r}: is there already; drop or rename it: the answers need the name" in str(caught.value)


def test_the_names_of_working_columns_are_refused() -> None:
    with pytest.raises(InputError, match="column 'runlineage:device_power': is there already"):
        evaluate(pl.DataFrame({"runlineage:device_power": [1], "device_power": [400]}))


def test_what_is_asked_is_checked() -> None:
    table = pl.DataFrame({"device_power": [400]})
    with pytest.raises(InputError, match="outputs: 'enrgy' is no metric; expected any of training_operations"):
        evaluate(table, ["energy", "enrgy"])
    with pytest.raises(UnknownNameError, match="unknown assumption 'tpd'; the nearest: tdp"):
        evaluate(table, assume="tpd")
    with pytest.raises(InputError, match="frame: is of type dict; expected a table of pandas, Polars, PyArrow"):
        evaluate({"device_power": [400]})


def test_a_metric_asked_twice_is_answered_once_and_none_is_fine() -> None:
    table = pl.DataFrame({"device_power": [400]})
    assert evaluate(table, ["energy", "energy"]).equals(evaluate(table, "energy"))
    assert evaluate(table, []).to_dicts() == [{"device_power": 400, "problems": None}]
    assert evaluate(table, [], "tdp").to_dicts() == [{"device_power": 400, "assumes": None, "problems": None}]


@every_engine
@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("N/A", ""),
        ("unknown", ""),
        ("nan", ""),
        ("", ""),
        ("~25,000", "accelerator_hours: '~25,000' does not start with a plain number; write the one number"),
        ("1,5", "accelerator_hours: '1,5' does not start with a plain number; write a decimal point"),
        ("=1+1", "accelerator_hours: '=1+1' does not start with a plain number"),
        ("30 840 000", "accelerator_hours: '30 840 000' has spaces inside the number"),
        ("5 kg", "accelerator_hours: '5 kg' is in kg, which is not an accelerator time"),
    ],
)
def test_a_bad_cell_spoils_its_own_row_only(engine: str, cell: str, said: str) -> None:
    table = pl.DataFrame({"accelerator_hours": ["1M", cell, "2,000,000"], "device_power": ["400"] * 3})
    rows = ENGINES[engine](table, outputs="energy")
    assert [row["energy (GWh)"] for row in rows] == [pytest.approx(0.4), None, pytest.approx(0.8)]
    assert [row["problems"] for row in rows[::2]] == [None, None]
    assert rows[1]["problems"].startswith(said)
    assert rows[1]["problems"].endswith("energy needs accelerator_hours")
    assert rows[1]["accelerator_hours"] == cell


def test_numbers_out_of_range_spoil_their_own_row_only() -> None:
    answered = energy_of(1e6, 0.0, -1.0, float("inf"), float("nan"), None, 1e-70, 1e70)
    assert answered["energy (GWh)"].to_list() == [0.4, *[None] * 7]
    assert [said and said.partition(" is not between")[0] for said in answered["problems"]] == [
        None,
        *(f"accelerator_hours: {number}" for number in ("0.0", "-1.0", "inf")),
        *("energy needs accelerator_hours",) * 2,
        *(f"accelerator_hours: {number}" for number in ("1e-70", "1e+70")),
    ]


@pytest.mark.parametrize("lazy", [False, True], ids=["eager", "lazy"])
@pytest.mark.parametrize(
    "hours",
    [
        pl.Series(["5M", "6e6", None], dtype=pl.Categorical),
        pl.Series(["5M", "6e6", None], dtype=pl.Enum(["5M", "6e6"])),
        pl.Series([Decimal("5e6"), Decimal("6e6"), None], dtype=pl.Decimal(20, 2)),
        pl.Series([5_000_000, 6_000_000, None], dtype=pl.Int128),
        pl.Series([5e6, 6e6, None], dtype=pl.Float32),
    ],
    ids=lambda hours: hours.dtype.base_type().__name__,
)
def test_every_type_of_polars_that_holds_numbers_or_text_is_read(hours: pl.Series, lazy: bool) -> None:
    frame = pl.DataFrame({"accelerator_hours": hours, "device_power": 400.0})
    answered = evaluate(frame.lazy(), "energy").collect() if lazy else evaluate(frame, "energy")
    assert answered["energy (GWh)"].to_list() == [pytest.approx(2.0), pytest.approx(2.4), None]
    assert answered["problems"].to_list() == [None, None, "energy needs accelerator_hours"]
    assert answered["accelerator_hours"].equals(frame["accelerator_hours"], null_equal=True)


def test_a_pandas_frame_of_many_different_problems_keeps_each_with_its_row() -> None:
    rows = range(100_000 + 3_000)  # more sentences than a byte numbers, in more than one piece of the engine
    frame = pd.DataFrame({"accelerator_hours": [-1.0 * (row % 3_000) or 1.0 for row in rows], "device_power": 400.0})
    problems = evaluate(frame, "energy")["problems"]
    assert problems.isna().equals(frame["accelerator_hours"] > 0)
    assert problems.iloc[-1].startswith("accelerator_hours: -")
    named = problems.dropna().str.extract(r"^accelerator_hours: (\S+) is not", expand=False).astype(float)
    assert named.equals(frame["accelerator_hours"][named.index].rename("problems"))


def test_a_long_double_beyond_a_double_is_refused_in_its_row() -> None:
    hours = np.array(["1e400", "1e6"], dtype=np.longdouble)
    answered = evaluate(pd.DataFrame({"accelerator_hours": hours, "device_power": 400.0}), "energy")
    assert answered["problems"].tolist()[0].startswith("accelerator_hours: inf is not between")
    assert answered["energy (GWh)"].tolist()[1] == pytest.approx(0.4)


def test_integers_beyond_int64_and_decimals_are_numbers() -> None:
    assert energy_of(str(2**70), "99999999999999999999999999")["energy (GWh)"].to_list() == pytest.approx(
        [2.0**70 * 4e-7, 1e26 * 4e-7], rel=1e-12
    )
    assert energy_of(2**64)["energy (GWh)"].to_list() == pytest.approx([2.0**64 * 4e-7], rel=1e-12)
    answered = energy_of(Decimal("1022362.5"), Decimal("0"), None)
    assert answered["energy (GWh)"].to_list() == [pytest.approx(0.408945), None, None]
    assert "accelerator_hours: 0.0 is not between" in answered["problems"][1]
    assert answered.schema["accelerator_hours"].is_decimal()


@pytest.mark.parametrize("text", [True, False], ids=["text", "numbers"])
@every_engine
def test_two_hundred_bad_cells_in_ten_thousand_rows_spoil_exactly_those(engine: str, text: bool) -> None:
    chance = random.Random(5)
    bad = set(chance.sample(range(10_000), 200))
    good = [chance.uniform(1e3, 1e7) for _ in range(10_000)]
    wrong = ["~25,000", "=1+1", "1,5"] if text else [-1.0, 0.0, float("inf")]
    cells = [
        wrong[row % 3] if row in bad else f"{hours!r} GPU hours" if text else hours for row, hours in enumerate(good)
    ]
    table = pl.DataFrame(
        {"accelerator_hours": cells, "device_power": [400.0] * 10_000, "training_ops": [1e22] * 10_000}
    )
    rows = ENGINES[engine](table, outputs=["energy", "training_operations"])
    for number, row in enumerate(rows):
        assert row["training_operations (flop)"] == 1e22
        if number in bad:
            assert row["energy (GWh)"] is None
            assert row["problems"].startswith("accelerator_hours: ")
            assert row["problems"].endswith(" | energy needs accelerator_hours")
        else:
            assert row["energy (GWh)"] == pytest.approx(good[number] * 4e-7, rel=1e-12)
            assert row["problems"] is None


def test_all_that_is_wrong_in_a_row_is_said() -> None:
    table = pl.DataFrame({"accelerator_hours": ["~1"], "device_power": ["2 V"], "accelerator": ["Abacus"]})
    said = evaluate(table, "energy")["problems"][0].split(" | ")
    assert [each.partition(":")[0] for each in said] == [
        *("accelerator_hours", "device_power", "accelerator", "energy needs accelerator_hours, device_power"),
    ]


# What the facts of a row say of each other


@every_engine
def test_more_active_than_total_parameters_is_refused_in_that_row_only(engine: str) -> None:
    table = pl.DataFrame(
        {
            "parameters": [600e9, 10e9, 10e9, None, 10e9],
            "active_parameters": [30e9, 30e9, 10e9, 30e9, None],
            "training_tokens": [1e12] * 5,
        }
    )
    rows = ENGINES[engine](table, outputs="training_operations")
    assert [row["training_operations (flop)"] for row in rows] == pytest.approx([1.8e23, None, 6e22, 1.8e23, 6e22])
    assert [row["problems"] for row in rows] == [
        None,
        "active_parameters: more than parameters; check which is which"
        " | training_operations needs recorded work (training_ops) or parameters",
        *(None, None, None),
    ]


@every_engine
def test_the_total_of_a_sparse_row_is_withheld(engine: str) -> None:
    table = pl.DataFrame(
        {
            "sparse": [True, True, False, None, None],
            "parameters": [600e9, 600e9, 10e9, 10e9, None],
            "active_parameters": [None, 30e9, None, None, None],
            "training_tokens": [1e12] * 5,
        },
        schema_overrides={"active_parameters": pl.Float64},
    )
    rows = ENGINES[engine](table, outputs="training_operations")
    assert [row["training_operations (flop)"] for row in rows] == pytest.approx([None, 1.8e23, 6e22, 6e22, None])
    assert [row["problems"] for row in rows] == [
        "training_operations needs recorded work (training_ops) or active_parameters",
        *(None, None, None),
        "training_operations needs recorded work (training_ops) or parameters",
    ]
    withheld = table.drop("active_parameters")
    rows = ENGINES[engine](withheld, outputs="training_operations")
    assert [row["training_operations (flop)"] for row in rows] == pytest.approx([None, None, 6e22, 6e22, None])


@every_engine
def test_a_dense_row_with_fewer_active_parameters_is_refused_as_in_a_scenario(engine: str) -> None:
    facts = {"sparse": False, "parameters": 10e9, "active_parameters": 5e9, "training_tokens": 1e12}
    said = "sparse: is false, and active_parameters differ from parameters; check which holds"
    with pytest.raises(InputError, match=said):
        Driver().answer("training_operations", facts)
    rows = ENGINES[engine](pl.DataFrame([facts, facts | {"active_parameters": 10e9}, facts | {"sparse": True}]))
    assert [row["training_operations (flop)"] for row in rows] == [None, pytest.approx(6e22), pytest.approx(3e22)]
    assert [said in row["problems"] for row in rows] == [True, False, False]


@every_engine
@pytest.mark.parametrize(("hours", "said"), [(1000 / 0.94, True), (1000 / 0.96, False), (1040, False), (1060, True)])
def test_hours_that_differ_from_count_and_duration_are_said(engine: str, hours: float, said: bool) -> None:
    facts = {"accelerator_hours": hours, "accelerator_count": 10, "duration (hour)": 100, "device_power": 400}
    (row, none) = ENGINES[engine](pl.DataFrame([facts, facts | {"accelerator_hours": None}]), outputs="energy")
    assert row["problems"] == (DIFFER if said else None)
    assert row["energy (GWh)"] == pytest.approx(hours * 4e-7)
    assert none["problems"] == "energy needs accelerator_hours"


@every_engine
def test_a_fraction_above_one_is_said(engine: str) -> None:
    table = pl.DataFrame({"training_ops": [3e24, 3e23], "accelerator_hours": [1e6] * 2, "peak_flops": [125] * 2})
    rows = ENGINES[engine](table, outputs="peak_fraction")
    assert [row["peak_fraction"] for row in rows] == pytest.approx([6.6666667, 0.66666667])
    assert [row["problems"] for row in rows] == [ABOVE, None]


@every_engine
def test_a_doubtful_accelerator_is_said_and_leaves_the_rest(engine: str) -> None:
    parts = ["A100 SXM4 80GB", "H100", "Abacus", "V100 SXM2 32GB", None, "V100 SXM2 32GB"]
    table = pl.DataFrame(
        {
            "accelerator": parts,
            "precision": ["bf16"] * 4 + [None] * 2,
            "training_ops": [3.6e22] * 6,
            "accelerator_hours": [1e5] * 6,
        }
    )
    rows = ENGINES[engine](table, outputs=["achieved_rate", "peak_fraction"])
    assert [row["achieved_rate (TFLOP/s)"] for row in rows] == pytest.approx([100] * 6)
    assert [row["peak_fraction"] for row in rows] == pytest.approx([100 / 312, None, None, None, None, 100 / 125])
    said = [(row["problems"] or "").split(" | ") for row in rows]
    assert said[1][0].startswith("precision: NVIDIA H100 may be any of several parts, whose peaks differ: NVIDIA H100")
    assert said[2][0].startswith("accelerator: unknown accelerator 'Abacus'")
    assert said[3][0] == "precision: NVIDIA V100 SXM2 32GB has no bf16 peak; it has fp64, fp32, fp16"
    assert [each[-1] for each in said] == ["", *["peak_fraction needs peak_flops"] * 4, ""]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_family_of_accelerators_serves_where_its_members_agree(engine: str) -> None:
    table = pl.DataFrame(
        {"accelerator": ["A100", "H100"], "training_ops": [3.6e22] * 2, "accelerator_hours": [1e5] * 2}
    )
    rows = ENGINES[engine](table, outputs=["peak_fraction"])
    assert [row["peak_fraction"] for row in rows] == [pytest.approx(100 / 312), None]
    assert "accelerator: NVIDIA H100 may be any of several parts, whose peaks differ: " in rows[1]["problems"]


def test_a_peak_of_the_rows_own_comes_before_the_accelerators_and_needs_no_precision() -> None:
    table = pl.DataFrame(
        {
            "accelerator": ["V100 SXM2 32GB", "V100 SXM2 32GB", "A100 SXM4 80GB"],
            "precision": ["bf16", "bf16", "bf16"],
            "peak_flops": ["200", None, "N/A"],
            "achieved": [1] * 3,
            "training_ops": [3.6e22] * 3,
            "accelerator_hours": [1e5] * 3,
        }
    )
    for answered in (evaluate(table, "peak_fraction"), evaluate(table.lazy(), "peak_fraction").collect()):
        assert answered["peak_fraction"].to_list() == [0.5, None, pytest.approx(100 / 312)]
        assert [said and said.partition(":")[0] for said in answered["problems"]] == [None, "precision", None]


def test_the_design_power_of_the_accelerator_serves_only_when_assumed() -> None:
    table = pl.DataFrame(
        {"accelerator": ["V100 SXM2 32GB"] * 3, "device_power": [None, 250, None], "accelerator_tdp": [None, None, 280]}
    ).with_columns(accelerator_hours=1e6)
    assert evaluate(table, "energy")["energy (GWh)"].to_list() == [None, 0.25, None]
    answered = evaluate(table, "energy", "tdp")
    assert answered["energy (GWh)"].to_list() == pytest.approx([0.3, 0.25, 0.28])
    assert answered["assumes"].to_list() == ["tdp", None, "tdp"]


def test_an_assumption_beneath_any_answer_is_named_in_the_books_order() -> None:
    facts = {
        "parameters": 1e10,
        "training_tokens": 1e12,
        "accelerator_count": 512,
        "duration (day)": 10,
    }
    table = pl.DataFrame([facts | {"accelerator_tdp": 400}, facts | {"accelerator_tdp": None}])
    answered = evaluate(table, assume=["tdp", "count_duration"])
    assert answered["assumes"].to_list() == ["count_duration, tdp", "count_duration"]
    assert answered["achieved_rate route"].to_list() == ["accelerator_time"] * 2
    assert evaluate(table, assume=ASSUMPTIONS)["assumes"].to_list() == answered["assumes"].to_list()
    assert evaluate(table, assume="modeled_reference")["assumes"].to_list() == ["modeled_reference"] * 2


def test_the_facts_of_a_whole_column_spare_work_and_change_nothing() -> None:
    """What is true of every row is found out first; one hole, or one bad cell, must bring the general way back."""
    whole = pl.DataFrame({name: [low] * 4 for name, (low, _) in SCALES.items()}).with_columns(active_parameters=1e7)
    for spoilt in (None, float("nan"), -1.0):
        for name in HEADERS:
            column = pl.Series(name, [whole[name][0], spoilt, whole[name][0], whole[name][0]], dtype=pl.Float64)
            table = whole.with_columns(column)
            for assume in ((), ASSUMPTIONS):
                eager = evaluate_eager(table, TableRequest.of(NAMES, assume))
                lazy = evaluate(table.lazy(), assume=assume).collect()
                assert eager.equals(lazy), name
                assert (eager["problems"][0] is None) or "differ" in eager["problems"][0]


def test_a_sparse_peak_and_a_power_above_the_design_are_doubted() -> None:
    table = pl.DataFrame(
        {
            "accelerator": ["H100 SXM", "H100 SXM"],
            "precision": ["bf16", "bf16"],
            "peak_flops": [1979.0, 989.4],
            "device_power": [10_200.0, 700.0],
            "accelerator_hours": [1.0, 1.0],
        }
    )
    doubtful, sound = evaluate(table, "energy")["problems"]
    assert doubtful == (
        "device_power is over 1.05 times accelerator_tdp: is it a device's alone? | "
        "peak_flops is over 1.5 times the dense peak of its accelerator: a sparse figure?"
    )
    assert sound is None


def test_pandas_truth_values_and_complex_numbers_are_no_quantities_and_decimals_are() -> None:
    import decimal

    import pandas as pd

    for cells, said in ((pd.array([True, None], dtype="boolean"), "Boolean"), ([1 + 2j, 1j], "complex128")):
        with pytest.raises(InputError, match=f"column 'device_power': holds {said} cells"):
            evaluate(pd.DataFrame({"device_power": cells}), "energy")
    frame = pd.DataFrame({"device_power": [decimal.Decimal(400)], "accelerator_hours": [1e6]})
    assert evaluate(frame, "energy")["energy (GWh)"].tolist() == [pytest.approx(0.4)]


@every_engine
def test_a_column_that_is_all_but_a_fact_is_warned_of_and_carried_through(engine: str) -> None:
    table = pl.DataFrame({"Parameters": [1e9], "training_tokens": [1e12]})
    with pytest.warns(RunlineageWarning, match="column 'Parameters' is carried through and not read; if it is par"):
        (row,) = ENGINES[engine](table, outputs="training_operations")
    assert row["Parameters"] == 1e9
    assert row["problems"] == "training_operations needs recorded work (training_ops) or parameters"
