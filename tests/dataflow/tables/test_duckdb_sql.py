"""DuckDB's relations: as lazy as they came, in their order, with the answers that Polars gives."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from runlineage import InputError, evaluate
from runlineage.catalogs.quantities.fields import ANSWERS, METRICS
from runlineage.dataflow.tables import duckdb_sql as relations
from runlineage.dataflow.tables.request import TableRequest

duckdb = pytest.importorskip("duckdb")


@pytest.fixture
def connection() -> Any:
    return duckdb.connect()


def answered(table: pl.DataFrame, outputs: Any = tuple(METRICS), assume: Any = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Answer a table on DuckDB and on Polars."""
    frame = table.to_arrow()
    relation = duckdb.connect().from_arrow(frame)
    there = pl.from_arrow(evaluate(relation, outputs, assume).to_arrow_table())
    here = evaluate(table, outputs, assume)
    texts = [name for name, kind in here.schema.items() if isinstance(kind, (pl.Enum, pl.Categorical))]
    assert isinstance(there, pl.DataFrame)
    return there.select(here.columns), here.with_columns(pl.col(texts).cast(pl.String))


def test_nothing_runs_at_the_call(connection: Any) -> None:
    numbers = connection.sql("select error('it ran')::double as accelerator_hours, 400.0 as device_power")
    texts = connection.sql("select error('it ran')::varchar as accelerator_hours, 400.0 as device_power")
    for relation in (numbers, texts):
        found = evaluate(relation, "energy")
        with pytest.raises(duckdb.Error, match="it ran"):
            found.fetchall()


def test_rows_that_come_after_the_call_are_answered(connection: Any) -> None:
    connection.execute("create table runs as select 1e6 as accelerator_hours, '400 W' as device_power")
    found = evaluate(connection.table("runs"), "energy")
    connection.execute("insert into runs values (2e6, '0.7 kW'), (3e6, 'seven')")
    assert [row[2] for row in found.fetchall()] == [pytest.approx(0.4), pytest.approx(1.4), None]
    assert "device_power: 'seven' does not start with a plain number" in found.fetchall()[2][-1]


def test_a_relation_goes_on_as_relations_do(connection: Any) -> None:
    rows = "select i as id, 1e6 * i as accelerator_hours, 400.0 as device_power from range(1, 6) r(i)"
    found = evaluate(connection.sql(rows), "energy")
    assert found.filter('"energy (GWh)" > 1').project("id").fetchall() == [(3,), (4,), (5,)]
    assert found.limit(2).project("id").fetchall() == [(1,), (2,)]
    assert found.aggregate('sum("energy (GWh)")').fetchall()[0][0] == pytest.approx(6.0)
    again = evaluate(found.project("id, accelerator_hours, device_power as device_power"), "energy")
    assert len(again.fetchall()) == 5


def test_own_columns_keep_their_types_and_order(connection: Any) -> None:
    relation = connection.sql(
        "select 1e6 as accelerator_hours, 400.0::decimal(9, 2) as device_power, date '2026-01-02' as day, "
        "[1, 2] as list, '101'::bit as bits, 3::hugeint as huge, interval 1 hour as span from range(3)"
    )
    found = evaluate(relation, "energy")
    assert found.columns == [*relation.columns, "energy (GWh)", "energy route", "problems"]
    assert found.types[: len(relation.types)] == relation.types
    assert [str(each) for each in found.types[len(relation.types) :]] == ["DOUBLE", "VARCHAR", "VARCHAR"]


def test_files_larger_than_memory_are_read_as_they_come(connection: Any, tmp_path: Any) -> None:
    pl.DataFrame({"accelerator_hours": [1e6] * 1000, "device_power": ["400 W"] * 1000}).write_parquet(tmp_path / "a.pq")
    found = evaluate(connection.read_parquet(str(tmp_path / "a.pq")), "energy")
    found.write_parquet(str(tmp_path / "b.pq"))
    assert pl.read_parquet(tmp_path / "b.pq")["energy (GWh)"].to_list() == [0.4] * 1000


CELLS: dict[str, Any] = {
    "parameters": st.sampled_from([None, float("nan"), 7e9, 1e12, -1.0, 0.0, float("inf"), 1e300]),
    "active_parameters": st.sampled_from([None, 7e9, 3e9, 2e12]),
    "sparse": st.sampled_from([None, "true", "false", "perhaps"]),
    "training_tokens": st.sampled_from([None, "2T", "15.6T tokens", "~25,000", "nan", "unknown", "=1+1"]),
    "training_ops": st.sampled_from([None, 3.14e23, 1e-7]),
    "accelerator": st.sampled_from([None, "H100 SXM", "A100 SXM4 80GB", "abacus"]),
    "precision": st.sampled_from([None, "bf16", "fp8", "half a byte"]),
    "peak_flops": st.sampled_from([None, 312.0, 2000.0]),
    "accelerator_hours": st.sampled_from([None, "30.84M", "1,082,990 GPU hours", "1e6"]),
    "device_power": st.sampled_from([None, 400.0, 5000.0]),
    "accelerator_count": st.sampled_from([None, 1024, 10_000]),
    "duration (day)": st.sampled_from([None, 14.8, 0.0]),
    "pue": st.sampled_from([None, 1.1, 0.9, 3.5]),
    "host_overhead": st.sampled_from([None, "1.3", "0.5"]),
    "power_basis": st.sampled_from([None, "tdp", "measured_system"]),
    "region": st.sampled_from([None, "France", "Frnce"]),
    "year": st.sampled_from([None, "2022", "1999"]),
}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_random_rows_with_holes_are_answered_as_on_polars(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, unique=True))
    rows = data.draw(st.lists(st.fixed_dictionaries({name: CELLS[name] for name in names}), min_size=1, max_size=12))
    assume = data.draw(st.sampled_from([(), ("tdp",), ("tdp", "count_duration", "modeled_reference", "no_overhead")]))
    outputs = data.draw(st.sampled_from([tuple(METRICS), ("location_emissions",), tuple(ANSWERS)]))
    types = {name: pl.String if isinstance(_some(CELLS[name]), str) else pl.Float64 for name in names}
    there, here = answered(pl.DataFrame(rows, schema=types, strict=False), outputs, assume)
    assert_frame_equal(there, here, rel_tol=1e-12, abs_tol=0)


def _some(strategy: Any) -> Any:
    return next(each for each in strategy.elements if each is not None)


def test_names_that_differ_in_case_alone_clash(connection: Any) -> None:
    relation = connection.sql("select 1e6 as accelerator_hours, 'x' as \"Problems\"")
    with pytest.raises(InputError, match="column 'problems': is there already"):
        evaluate(relation, "energy")


def test_without_a_connection_texts_are_read_at_the_call(connection: Any) -> None:
    relation = connection.sql("select '1e6' as accelerator_hours, 400.0 as device_power")
    asked = TableRequest.of("energy", ())
    assert relations._computed(relation, asked).fetchall() == evaluate(relation, "energy").fetchall()


def test_the_same_functions_serve_many_relations_of_a_connection(connection: Any) -> None:
    for power in ("400 W", "0.7 kW"):
        relation = connection.sql(f"select '1e6' as accelerator_hours, '{power}' as device_power")
        (row,) = evaluate(relation, "energy").fetchall()
        assert row[2] == pytest.approx(0.4 if power == "400 W" else 0.7)


def test_words_that_count_are_facts() -> None:
    table = {"layers": [96.0] * 3, "hidden_size": [4096.0] * 3, "sequence_length": [2048.0] * 3}
    numbers = {"parameters": [7e9] * 3, "reported_mfu": [0.4] * 3}
    words = {"attention": ["causal", "none", None], "recomputation": ["full", None, "none"]}
    there, here = answered(pl.DataFrame(table | numbers | words), ("operations_per_token", "hfu"))
    assert_frame_equal(there, here, rel_tol=1e-12, abs_tol=0)
