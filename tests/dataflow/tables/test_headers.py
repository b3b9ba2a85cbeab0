"""Headers of tables: which are facts, in which unit, and what is refused."""

from __future__ import annotations

import pytest

from runlineage import InputError
from runlineage.catalogs.quantities.fields import FACTS
from runlineage.catalogs.quantities.reading import as_quantity, coherent
from runlineage.dataflow.tables.headers import FactColumn, read_headers
from runlineage.dataflow.tables.lookalikes import lookalikes


@pytest.mark.parametrize("field", FACTS)
def test_a_plain_header_is_in_the_fields_unit(field: str) -> None:
    known = FACTS[field]
    one = coherent(as_quantity(1, field=field), known.kind)
    assert read_headers([field]) == (FactColumn(field, field, float(one.magnitude)),)


@pytest.mark.parametrize("field", FACTS)
def test_a_header_may_spell_the_fields_own_unit(field: str) -> None:
    (plain,) = read_headers([field])
    (spelt,) = read_headers([f"{field} ({FACTS[field].unit})"])
    assert (spelt.field, spelt.scale) == (field, plain.scale)


@pytest.mark.parametrize(
    ("header", "field", "scale"),
    [
        ("duration (hour)", "duration", 3600.0),
        ("duration(h)", "duration", 3600.0),
        (" duration  ( hours ) ", "duration", 3600.0),
        ("duration ()", "duration", 86400.0),
        ("device_power (W)\n", "device_power", 1.0),
        ("device_power (kW)", "device_power", 1000.0),
        ("accelerator_hours (GPU hours)", "accelerator_hours", 3600.0),
        ("accelerator_hours (GPU-days)", "accelerator_hours", 86400.0),
        ("parameters (B)", "parameters", 1e9),
        ("parameters (billion)", "parameters", 1e9),
        ("training_tokens (T tokens)", "training_tokens", 1e12),
        ("training_ops (petaflop/s-day)", "training_ops", 8.64e19),
        ("training_ops (FLOP)", "training_ops", 1.0),
        ("peak_flops (PFLOP/s)", "peak_flops", 1e15),
        ("peak_flops (TFLOPs)", "peak_flops", 1e12),
    ],
)
def test_a_unit_in_the_header_scales_plain_numbers(header: str, field: str, scale: float) -> None:
    (column,) = read_headers([header])
    assert (column.header, column.field) == (header, field)
    assert column.scale == pytest.approx(scale, rel=1e-15)


@pytest.mark.parametrize(
    ("header", "multiple"),
    [
        ("parameters (B)", 1e9),
        ("training_tokens (T tokens)", 1e12),
        ("accelerator_hours (million GPU hours)", 1e6),
        ("accelerator_hours (GPU-days)", 1.0),
        ("device_power (kW)", 1.0),
        ("parameters", 1.0),
    ],
)
def test_the_part_of_a_scale_letter_is_known(header: str, multiple: float) -> None:
    assert read_headers([header])[0].multiple == multiple


@pytest.mark.parametrize("word", ["accelerator", "precision", "sparse"])
def test_words_of_a_run_are_facts_too(word: str) -> None:
    (column,) = read_headers([word])
    assert (column.field, column.is_word, column.scale) == (word, True, 1.0)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "model",
        "Duration",
        "DURATION (hour)",
        "duration [hour]",
        "duration (hour",
        "duration (hour) (day)",
        "my duration",
        "duration_days",
        "energy (GWh)",
        "achieved_rate",
        "parameters_per_token",
        "training_ops notes",
        *("stage", "architecture", "work_counts", "power_basis"),  # words that no route of a table uses
    ],
)
def test_any_other_header_is_no_fact(header: str) -> None:
    assert read_headers([header]) == ()


def test_facts_keep_the_order_of_the_table() -> None:
    headers = ["model", "duration (hour)", "notes", "accelerator", "parameters"]
    assert [column.header for column in read_headers(headers)] == ["duration (hour)", "accelerator", "parameters"]
    assert read_headers([]) == ()


def test_two_columns_of_one_fact_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        read_headers(["duration", "duration (hour)"])
    assert str(caught.value) == "column 'duration (hour)': gives duration, as 'duration' does; keep one"


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("duration (kg)", "the unit 'kg' does not serve: '1 kg' is in kg, which is not a wall-clock duration"),
        ("device_power (J)", "the unit 'J' does not serve: '1 J' is in J, which is not a power per accelerator"),
        ("accelerator_hours (day)", "the unit 'day' does not serve: '1 day' may be wall-clock time"),
        ("duration (2 hour)", "the unit '2 hour' does not serve: '1 2 hour' has spaces inside the number"),
        ("device_power (-5 W)", "the unit '-5 W' does not serve"),
        ("device_power (M)", "the unit 'M' does not serve"),
        (f"duration ({'h' * 500})", "is 502 characters long; expected a wall-clock duration"),
        ("accelerator (name)", "is a word and has no unit"),
        ("sparse ()", "is a word and has no unit"),
    ],
)
def test_a_unit_that_does_not_serve_is_refused(header: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_headers([header])
    assert said in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_all_faults_of_a_table_are_said_at_once() -> None:
    with pytest.raises(InputError) as caught:
        read_headers(["duration (kg)", "model", "device_power", "device_power (kW)"])
    assert str(caught.value) == (
        "2 faults:\n"
        "  column 'duration (kg)': the unit 'kg' does not serve: '1 kg' is in kg, which is not a wall-clock duration; "
        "expected a wall-clock duration in day, such as '14.8 days' or '1200 hours'\n"
        "  column 'device_power (kW)': gives device_power, as 'device_power' does; keep one"
    )


def test_ten_thousand_other_columns_cost_nothing() -> None:
    assert [column.field for column in read_headers([*map(str, range(10_000)), "duration"])] == ["duration"]


def test_only_the_wanted_facts_are_found_and_a_power_basis_beside_a_power_alone() -> None:
    headers = ["price (EUR)", "duration", "power_basis", "device_power", "sparse"]
    assert [column.field for column in read_headers(headers, {"duration"})] == ["duration", "sparse"]
    found = read_headers(headers[1:])
    assert [column.field for column in found] == ["duration", "power_basis", "device_power", "sparse"]
    assert [column.is_word for column in found] == [False, True, False, True]


def test_a_header_keeps_the_unit_that_it_says() -> None:
    plain, spelt = read_headers(["pue", "carbon_intensity (g/kWh)"])
    assert (plain.unit, spelt.unit) == ("", "g/kWh")
    assert spelt.scale == pytest.approx(1 / 3.6e6)


def test_headers_that_differ_from_a_field_in_spelling_alone_are_told() -> None:
    headers = ["Parameters", "GPU-hours", "Accelerator-Hours (h)", "duration", "Duration (hour)", "PUE", "Sparse"]
    found = {"Parameters": "parameters", "Accelerator-Hours (h)": "accelerator_hours", "PUE": "pue", "Sparse": "sparse"}
    found["GPU-hours"] = "accelerator_hours"
    assert lookalikes(headers) == found
    assert lookalikes(headers, {"parameters"}) == {"Parameters": "parameters", "Sparse": "sparse"}


def test_a_mapped_header_s_own_unit_counts_where_the_mapping_names_none() -> None:
    columns = {"parameters": "Params (B)", "device_power": "Power (kW)", "accelerator_hours": "Time (all devices)"}
    found = {each.field: each.scale for each in read_headers(columns.values(), columns=columns)}
    assert found == {"parameters": 1e9, "device_power": 1000.0, "accelerator_hours": 3600.0}
    (said,) = read_headers(["Params (B)"], columns={"parameters (M)": "Params (B)"})
    assert said.scale == 1e6


def test_headers_of_published_tables_are_told() -> None:
    fields = {
        "Model Params": "parameters",
        "Training hardware": "accelerator",
        "Model FLOPs utilization": "reported_mfu",
        "MFU": "mfu",
        "SeqLen": "sequence_length",
        "Carbon_emission (tCO2eq)": "published_emissions",
        "kgCO2/kWh": "carbon_intensity",
    }
    assert lookalikes(fields, set(fields.values())) == fields
