"""Ranges in the cells of tables: the median without, and the ends of every metric's interval on request."""

from __future__ import annotations

import math
import warnings
from typing import Any

import duckdb
import polars as pl
import pytest

from runlineage import InputError, PublishedRunScenario, evaluate
from runlineage.dataflow.tables.one_row import run_of_row
from runlineage.dataflow.tables.request import interval_headers, output_header

METRICS = ("training_operations", "energy", "achieved_rate", "operations_per_token")
HEADERS = ("accelerator_hours", "device_power (kW)", "parameters (B)", "training_tokens")
CELLS = (
    ("1,022,362", "0.35 to 0.4", "65", "1.4T"),
    ("1M ± 10%", "0.4", "60 to 70", "1T ± 20%"),
    ("1M ± 40%", "0.4 ± 10%", "7B to 8B", "2T"),
    ("1e6 to 1.2e6", "300-400 W", "6.5-7", "1T"),
    (None, "0.35 to 0.4", "5", "n/a"),
)
SHAPE = {"layers": 80, "hidden_size": 8192, "sequence_length": 2048}
TABLE = pl.DataFrame([dict(zip(HEADERS, row, strict=True)) | SHAPE for row in CELLS])
AS_RUNS: list[dict[str, Any]] = [
    {
        "accelerator_hours": "1,022,362",
        "device_power": "0.35 to 0.4 kW",
        "parameters": "65B",
        "training_tokens": "1.4T",
    },
    {
        "accelerator_hours": "1M ± 10%",
        "device_power": "0.4 kW",
        "parameters": "60B to 70B",
        "training_tokens": "1T ± 20%",
    },
    {
        "accelerator_hours": "1M ± 40%",
        "device_power": "0.4 kW ± 10%",
        "parameters": "7B to 8B",
        "training_tokens": "2T",
    },
    {
        "accelerator_hours": "1e6 to 1.2e6",
        "device_power": "300-400 W",
        "parameters": "6.5B-7B",
        "training_tokens": "1T",
    },
]
FOUR = ("training_operations", "achieved_rate", "energy", "peak_fraction")
ENERGY = ["energy (GWh)", "energy low (GWh)", "energy high (GWh)"]


def three(metric: str, row: int, answered: pl.DataFrame) -> list[float | None]:
    return [answered[name][row] for name in (output_header(metric), *interval_headers(metric))]


@pytest.mark.parametrize("row", range(len(AS_RUNS)))
@pytest.mark.parametrize("metric", METRICS)
def test_what_is_told_of_a_run_is_told_of_its_row(row: int, metric: str) -> None:
    answered = evaluate(TABLE, METRICS, interval=True)
    result = PublishedRunScenario(**AS_RUNS[row], **SHAPE).result(metric)
    found = three(metric, row, answered)
    if result.spread is None:
        assert found == [pytest.approx(result.value.m), None, None]
    else:
        assert found == pytest.approx(
            [each.m for each in (result.value, result.spread.low, result.spread.high)], rel=0.01
        )


def test_ranges_between_two_ends_are_exact() -> None:
    answered = evaluate(TABLE, "energy", interval=True)
    width = math.hypot(math.log(1.2), math.log(4 / 3)) / 2
    middle = math.sqrt(1e6 * 1.2e6 * 300 * 400) / 1e9
    ends = [middle, middle * math.exp(-width), middle * math.exp(width)]
    assert three("energy", 3, answered) == pytest.approx(ends, rel=1e-12)
    assert answered["problems"].to_list()[:4] == [None] * 4


def test_without_an_interval_the_median_is_taken_and_said() -> None:
    answered = evaluate(TABLE, "energy")
    assert answered["energy (GWh)"][0] == pytest.approx(1_022_362 * math.sqrt(350 * 400) / 1e9)
    assert answered["problems"][0] == (
        "device_power: '0.35 to 0.4' is a range, of which the median is used; "
        "interval=True or --interval gives its ends"
    )
    assert "energy low (GWh)" not in answered.columns


def test_columns_without_ranges_have_no_interval_and_the_same_answers() -> None:
    table = pl.DataFrame({"accelerator_hours": [1e6, None], "device_power": [400.0, 500.0], "notes": ["a", "1 to 2"]})
    plain, answered = evaluate(table), evaluate(table, interval=True)
    added = [header for name in FOUR for header in interval_headers(name)]
    assert answered.drop(added).equals(plain)
    assert answered.select(added).null_count().sum_horizontal().item() == len(added) * 2


def test_the_columns_stand_beside_their_metric_in_every_engine() -> None:
    expected = evaluate(TABLE, "energy", interval=True)
    assert expected.columns[len(TABLE.columns) : len(TABLE.columns) + 3] == ENERGY
    connection = duckdb.connect()
    connection.register("models", TABLE.to_arrow())
    others = [
        evaluate(TABLE.lazy(), "energy", interval=True).collect(),
        pl.from_pandas(evaluate(TABLE.to_pandas(), "energy", interval=True)[ENERGY]),
        pl.from_arrow(evaluate(TABLE.to_arrow(), "energy", interval=True).select(ENERGY)),
        evaluate(connection.sql("select * from models"), "energy", interval=True).pl(),
    ]
    for other in others:
        for name in ENERGY:
            filled = [each[name].fill_nan(None).fill_null(-1.0).to_list() for each in (other, expected)]  # type: ignore[index]
            assert filled[0] == pytest.approx(filled[1], rel=1e-12)


def test_duckdb_says_of_a_range_what_polars_says() -> None:
    connection = duckdb.connect()
    connection.register("models", TABLE.to_arrow())
    answered = evaluate(connection.sql("select * from models"), "energy").pl()
    assert answered["problems"].to_list() == evaluate(TABLE, "energy")["problems"].to_list()


def test_a_fallback_route_has_the_interval_of_the_facts_that_it_uses() -> None:
    table = pl.DataFrame(
        {
            "training_ops": ["1e23 to 2e23", None],
            "parameters": ["1e9", "1e9 to 2e9"],
            "training_tokens": ["1e12", "1e12"],
        }
    )
    answered = evaluate(table, "training_operations", interval=True)
    assert answered["training_operations route"].to_list() == ["recorded", "parameter_token"]
    assert answered["training_operations low (flop)"].to_list() == pytest.approx([1e23, 6e21])


def test_a_power_of_whole_systems_takes_its_range_along() -> None:
    table = pl.DataFrame(
        {"accelerator_hours": [1e6, 1e6], "device_power": ["350 to 400 W", "350 to 400 W"],
         "power_basis": ["measured_system", "measured_device"], "host_overhead": [1.2, 1.2]}
    )  # fmt: skip
    answered = evaluate(table, "it_energy", interval=True)
    assert answered["it_energy low (GWh)"].to_list() == pytest.approx([0.35, 0.42])


@pytest.mark.parametrize(
    ("header", "cell", "sentence"),
    [
        ("device_power", "400 to 350 W", "device_power: '400 to 350 W' is reversed; write 350 W to 400 W"),
        ("device_power", "2020-2022", "device_power: '2020-2022' may be a date"),
        ("duration", "14 to 16", "duration: a plain number may be in several units; head its column"),
        ("device_power (kW)", "0.35 to 40", "device_power: '40 kW' is 40,000 W per accelerator"),
    ],
)
def test_a_cell_that_cannot_be_a_range_is_refused(header: str, cell: str, sentence: str) -> None:
    hours = (
        {"accelerator_hours": ["1e6"]}
        if header != "duration"
        else {"accelerator_count": ["10"], "training_ops": ["1e23"]}
    )
    table = pl.DataFrame({**hours, header: [cell]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answered = evaluate(table, ("energy", "achieved_rate"), interval=True)
    assert sentence in answered["problems"][0]
    assert answered["energy (GWh)"][0] is None


def test_a_row_as_a_run_keeps_its_ranges() -> None:
    run = run_of_row(TABLE.lazy(), 4, "models.csv")
    spread = run.spread("energy")
    assert spread is not None
    answered = evaluate(TABLE, "energy", interval=True)
    found = [each.m for each in (spread.value, spread.low, spread.high)]
    assert found == pytest.approx(three("energy", 3, answered), rel=1e-9)


def test_assumptions_about_spreads_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="'rounding' is of single runs"):
        evaluate(TABLE, assume="rounding")
