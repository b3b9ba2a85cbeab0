"""Metrics as expressions for a user's own query: the same answers as `evaluate`, in Polars and in DuckDB's SQL."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl
import pytest
from hamilton.ad_hoc_utils import create_temporary_module

from runlineage import CannotComputeError, InputError, UnknownNameError, evaluate, expressions, kinds, metrics

TABLE = pl.DataFrame(
    {
        "training_ops": [3.14e23, None, None, 1e20, None],
        "parameters (B)": [175.0, 176.247, 7.0, -1.0, None],
        "training_tokens": [300e9, 366e9, None, 1e12, 1e12],
        "accelerator_hours": [None, 1_082_990.0, 1e5, float("nan"), 2e5],
        "accelerator_count": [10_000.0, None, None, 8.0, 16.0],
        "duration (hour)": [355.2, None, 10.0, 5.0, 1000.0],
        "device_power (kW)": [None, 0.4, 0.7, 0.7, float("inf")],
        "peak_flops": [125.0, 312.0, None, 312.0, 312.0],
    }
)
NAMES = ["training_operations", "achieved_rate", "energy", "peak_fraction"]


@pytest.mark.parametrize("assume", [(), ("count_duration",), ("count_duration", "modeled_reference")])
def test_every_row_is_answered_as_evaluate_does(assume: tuple[str, ...]) -> None:
    found = expressions(NAMES, TABLE.columns, assume)
    assert list(found) == NAMES
    answers = nw.from_native(TABLE).select(*found.values()).to_native()
    whole = evaluate(TABLE, NAMES, assume)
    for header in answers.columns:
        assert answers[header].to_list() == [
            None if value is None else pytest.approx(value, rel=1e-12) for value in whole[header].to_list()
        ]


def test_duckdb_gives_the_same_as_sql() -> None:
    duckdb = pytest.importorskip("duckdb")
    found = expressions(NAMES, TABLE.columns).values()
    relation = nw.from_native(duckdb.from_arrow(TABLE.to_arrow())).select(*found).to_native()
    assert "COALESCE" in relation.sql_query()
    for one, other in zip(relation.fetchall(), nw.from_native(TABLE).select(*found).rows(), strict=True):
        assert one == tuple(None if value is None else pytest.approx(value, rel=1e-12) for value in other)


def test_lazy_frames_stay_lazy_and_columns_may_be_expressions() -> None:
    found = expressions("energy", {"accelerator_hours": nw.col("nodes") * 8 * nw.col("h"), "device_power (kW)": "kw"})
    frame = nw.from_native(pl.LazyFrame({"nodes": [2], "h": [100], "kw": [0.5]})).with_columns(**found).to_native()
    assert isinstance(frame, pl.LazyFrame)
    assert frame.collect()["energy"].to_list() == [pytest.approx(0.0008)]


def energy(accelerator_hours: kinds.AcceleratorTime, device_power: kinds.Power) -> kinds.Energy:
    return 1.1 * accelerator_hours * device_power


def tokens_per_joule(training_tokens: kinds.Tokens, energy: kinds.Energy) -> Any:
    return training_tokens / energy


def test_a_users_nodes_replace_ours_and_build_on_them() -> None:
    theirs = create_temporary_module(energy, tokens_per_joule)
    found = expressions(
        ["energy", "tokens_per_joule"], ["accelerator_hours", "device_power", "training_tokens"], (), (metrics, theirs)
    )
    frame = pl.DataFrame({"accelerator_hours": [1e6], "device_power": [400.0], "training_tokens": [1e12]})
    (row,) = nw.from_native(frame).select(*found.values()).rows(named=True)
    assert row == {"energy (GWh)": pytest.approx(0.44), "tokens_per_joule": pytest.approx(1e12 / 0.44 / 3.6e12)}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (["acelerator_hours"], "column 'acelerator_hours': is not a field; did you mean accelerator_hours"),
        (["accelerator"], r"column 'accelerator': is a word, .*use evaluate"),
        (["device_power (V)"], "the unit 'V' does not serve"),
        (["device_power", "device_power (kW)"], "gives device_power, as 'device_power' does; keep one"),
        (["nothing", "no_thing_either"], "2 faults:"),
    ],
)
def test_columns_that_are_no_facts_are_refused_by_name(columns: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        expressions("energy", columns)


def test_what_no_column_leads_to_is_said() -> None:
    with pytest.raises(
        CannotComputeError, match=r"cannot compute energy of these columns:\n  energy by power_time needs device_pow"
    ):
        expressions("energy", ["accelerator_hours"])
    with pytest.raises(UnknownNameError, match="unknown metric 'enrgy'"):
        expressions("enrgy", ["accelerator_hours"])
    with pytest.raises(UnknownNameError, match="unknown assumption 'tpd'"):
        expressions("energy", ["accelerator_hours"], {"tpd"})


def test_a_number_out_of_its_fields_band_is_no_fact() -> None:
    frame = pl.DataFrame({"accelerator_hours": [1e6] * 2, "device_power": [1000.0] * 2, "pue": [0.9, 1.1]})
    found = expressions("facility_energy", frame.columns)
    answered = nw.from_native(frame).with_columns(*found.values()).to_native()
    assert (
        answered["facility_energy (GWh)"].to_list()
        == evaluate(frame, "facility_energy")["facility_energy (GWh)"].to_list()
    )
    assert answered["facility_energy (GWh)"].null_count() == 1
