"""Ranges as people write them: what each text means, and everything that is none or cannot be one."""

from __future__ import annotations

import math
from typing import Any

import pytest

from runlineage import InputError, as_quantity
from runlineage.catalogs.quantities.range_text import range_text
from runlineage.catalogs.quantities.ranges import Range, as_range, checked, interval_text, range_of


def sizes(text: str, field: str, unit: str) -> tuple[float, float, float]:
    found = as_range(text, field=field)
    assert isinstance(found, Range), found
    return tuple(float(each.m_as(unit)) for each in (found.low, found.value, found.high))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "field", "unit", "low", "high"),
    [
        ("350 to 400 W", "device_power", "W/accelerator", 350, 400),
        ("350 W to 400", "device_power", "W/accelerator", 350, 400),
        ("350-400 W", "device_power", "W/accelerator", 350, 400),
        ("350–400 W", "device_power", "W/accelerator", 350, 400),
        ("350W-400W", "device_power", "W/accelerator", 350, 400),
        ("350 W - 400 W", "device_power", "W/accelerator", 350, 400),
        ("0.35 kW to 400 W", "device_power", "W/accelerator", 350, 400),
        ("350 TO 400", "device_power", "W/accelerator", 350, 400),
        ("90 to 100 days", "duration", "day", 90, 100),
        ("23 hours to 2 days", "duration", "day", 23 / 24, 2),
        ("1-2 weeks", "duration", "day", 7, 14),
        ("20k-30k", "accelerator_count", "accelerator", 20e3, 30e3),
        ("20-30k", "accelerator_count", "accelerator", 20e3, 30e3),
        ("20k to 30", "accelerator_count", "accelerator", 20e3, 30e3),
        ("20k to 30,000", "accelerator_count", "accelerator", 20e3, 30e3),
        ("500 to 1K", "accelerator_count", "accelerator", 500, 1000),
        ("3-5 GPUs", "accelerator_count", "accelerator", 3, 5),
        ("about 20k to 30k", "accelerator_count", "accelerator", 20e3, 30e3),
        ("7B - 8B", "parameters", "parameter", 7e9, 8e9),
        ("7 to 8 billion", "parameters", "parameter", 7e9, 8e9),
        ("900M to 1.1B", "parameters", "parameter", 9e8, 1.1e9),
        ("1.2 to 1.4T tokens", "training_tokens", "token", 1.2e12, 1.4e12),
        ("3e23-4e23", "training_ops", "flop", 3e23, 4e23),
        ("3.1 to 3.2e23", "training_ops", "flop", 3.1e23, 3.2e23),
        ("3.1×10²³ to 3.2×10²³ FLOP", "training_ops", "flop", 3.1e23, 3.2e23),
        ("1e-5 to 2e-5", "hfu", "", 1e-5, 2e-5),
        ("38-42%", "peak_fraction", "", 0.38, 0.42),
        ("38% to 42%", "peak_fraction", "", 0.38, 0.42),
        ("$2-3/hour", "price", "USD/accelerator/hour", 2, 3),
        ("$2 to $3 per hour", "price", "USD/accelerator/hour", 2, 3),
        ("1.0M to 1.1M GPU hours", "accelerator_hours", "accelerator*hour", 1e6, 1.1e6),
        ("1,000,000 to 1,100,000 GPU-hours", "accelerator_hours", "accelerator*hour", 1e6, 1.1e6),
        ("500 to 600 t CO2e", "published_emissions", "tCO2e", 500, 600),
        ("90 to 100", "layers", "layer", 90, 100),
    ],
)
def test_a_range_between_two_ends_has_their_geometric_mean_as_median(
    text: str, field: str, unit: str, low: float, high: float
) -> None:
    assert sizes(text, field, unit) == pytest.approx((low, math.sqrt(low * high), high), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "field", "unit", "low", "middle", "high"),
    [
        ("25,000 ± 10%", "accelerator_count", "accelerator", 22_500, 25_000, 27_500),
        ("about 25,000 ± 10%", "accelerator_count", "accelerator", 22_500, 25_000, 27_500),
        ("~25,000 ± 10%", "accelerator_count", "accelerator", 22_500, 25_000, 27_500),
        ("25,000 +/- 10 %", "accelerator_count", "accelerator", 22_500, 25_000, 27_500),
        ("25k ± 2k", "accelerator_count", "accelerator", 23_000, 25_000, 27_000),
        ("15.6 ± 0.2T tokens", "training_tokens", "token", 15.4e12, 15.6e12, 15.8e12),
        ("400 W ± 20 W", "device_power", "W/accelerator", 380, 400, 420),
        ("400 ± 20 W", "device_power", "W/accelerator", 380, 400, 420),
        ("400 W ± 20", "device_power", "W/accelerator", 380, 400, 420),
        ("14.8 ± 1 days", "duration", "day", 13.8, 14.8, 15.8),
        ("14 days ± 12 hours", "duration", "day", 13.5, 14, 14.5),
        ("0.38 ± 5%", "peak_fraction", "", 0.361, 0.38, 0.399),
    ],
)
def test_a_range_around_a_number_keeps_the_number_as_median(
    text: str, field: str, unit: str, low: float, middle: float, high: float
) -> None:
    assert sizes(text, field, unit) == pytest.approx((low, middle, high), rel=1e-12)


@pytest.mark.parametrize(
    "text",
    ["A100-80GB", "TPU v3-8", "8 TPU v3-8", "512 A100-80GB", "1e-5", "30-day", "30.84M GPU-hours", "2023-05-01", "bf16",
     "3640 petaflop/s-days", "1-800-555", "14.8", "7B-Instruct", "", "-5", "10^-3"],
)  # fmt: skip
def test_what_only_looks_like_a_range_is_none(text: str) -> None:
    assert range_text(text) is None


@pytest.mark.parametrize(
    ("text", "field", "sentence"),
    [
        ("400 to 350 W", "device_power", "device_power: '400 to 350 W' is reversed; write 350 W to 400 W"),
        ("400-350 W", "device_power", "device_power: '400-350 W' is reversed; write 350 W to 400 W"),
        ("350 to 350 W", "device_power", "'350 to 350 W' has no width; write the one number that it is"),
        ("400 ± 0%", "device_power", "'400 ± 0%' has no width"),
        ("-5 to 400 W", "device_power", "'-5 W' is not above zero (in '-5 to 400 W')"),
        ("0 to 400 W", "device_power", "'0 W' is not above zero (in '0 to 400 W')"),
        ("400 ± 500 W", "device_power", "'400 ± 500 W' reaches zero or below; every fact is above zero"),
        ("400 ± 100%", "device_power", "'400 ± 100%' reaches zero or below"),
        ("400 ± -5 W", "device_power", "'400 ± -5 W' is negative to either side"),
        ("100 to 200 to 300", "device_power", "'100 to 200 to 300' has more than two ends"),
        ("100 ± 5% ± 3", "device_power", "'100 ± 5% ± 3' is no range as it is read"),
        ("from 14 to 16", "duration", "'from 14 to 16' is no range as it is read; write a range such as"),
        ("350 to 400 bananas", "device_power", "has an unknown unit 'bananas' (in '350 to 400 bananas')"),
        ("350 W to 400 days", "device_power", "'400 days' is in day, which is not a power per accelerator (in"),
        ("100 to 30 kW", "device_power", "'30 kW' is 30,000 W per accelerator (in '100 to 30 kW')"),
        ("2020-2022", "duration", "'2020-2022' may be a date; write a range with 'to'"),
        ("05-06", "duration", "'05-06' may be a date"),
        ("3 to 9e2", "accelerator_count", "'3 to 9e2' has 'e2' on one end alone; write it on both"),
        ("1e3-5", "accelerator_count", "'1e3-5' has 'e3' on one end alone"),
        ("2k to 900", "accelerator_count", "'2k to 900' has 'k' on one end alone"),
        ("25,000 ± 2.5k", "accelerator_count", "'25,000 ± 2.5k' has 'k' on one end alone"),
        ("1e23 to 1e30", "training_ops", "spans a factor of 10,000,000; is a scale, unit or power of ten missing"),
        ("38% ± 2%", "peak_fraction", "may mean points of a percentage or a share of it; write both ends"),
        ("90% to 120%", "peak_fraction", "is out of its band (in '90% to 120%')"),
        ("2.5 to 3.5", "layers", "'3.5' is not a whole number, and it is a count (in '2.5 to 3.5')"),
        (
            "~400 W",
            "device_power",
            "'~400 W' does not start with a plain number; write the one number that you mean, or",
        ),
        ("about 400 W", "device_power", "with it how far it may be off, such as '25,000 ± 10%'"),
        ("over 400 W", "device_power", "'over 400 W' does not start with a plain number"),
        ("up to 400 W", "device_power", "'up to 400 W' does not start with a plain number"),
    ],
)
def test_a_text_that_cannot_be_a_range_is_refused_in_one_sentence(
    refusal: Any, text: str, field: str, sentence: str
) -> None:
    message = refusal(as_range, text, field=field)
    assert sentence in message
    assert "\n" not in message


@pytest.mark.parametrize("text", ["350 to 400 W", "400 ± 10%", "350-400 W"])
def test_the_reader_of_single_quantities_takes_no_range(text: str) -> None:
    with pytest.raises(InputError, match="is a range; one value is needed here"):
        as_quantity(text, field="device_power")


def test_what_stood_before_a_range_is_noted() -> None:
    assert (
        as_range("about 25,000 ± 10%", field="accelerator_count").note == "'about' is read as the range that follows it"
    )


def test_a_single_value_passes_as_it_is() -> None:
    assert str(as_range("700 W", field="device_power")) == "700 watt/accelerator"
    assert as_range(14.8, field="duration").magnitude == 14.8


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        (("375 W", "380 W", "400 W"), "not from its low end, 380 W per accelerator, to its high end"),
        (("375 W", None, "400 W"), "device_power.low: is missing; give both ends of a range"),
        (("375 W", "375 W", "375 W"), "has no width"),
        (("375 W", "5 days", "400 W"), "device_power.low: '5 days' is in day"),
        (([375.0, 380.0], "350 W", "400 W"), "is a column with ends"),
    ],
)
def test_three_numbers_that_make_no_range_are_refused(refusal: Any, ends: tuple[Any, Any, Any], sentence: str) -> None:
    assert sentence in refusal(range_of, *ends, "device_power")


@pytest.mark.parametrize(
    "bad", [Range(0.9, 1.0, 1.1), Range(0.9, -1.0, 1.1), Range("a", 0.8, 1.0), Range(1.0, 1.0, 1.0)]
)
def test_plain_numbers_that_make_no_range_are_refused(refusal: Any, bad: Range) -> None:
    assert "give low, value and high as rising numbers in one unit" in refusal(checked, bad, "share")


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        ((24.5558, 21.31, 28.42), "24.6 (21.3 to 28.4)"),
        ((24.5558, 24.51, 24.601), "24.556 (24.51 to 24.601)"),
        ((3.14e23, 2.9e23, 3.4e23), "3.14×10²³ (2.9×10²³ to 3.4×10²³)"),
        ((1000.0, 10.0, 1e5), "1,000 (10 to 100,000)"),
    ],
)
def test_an_interval_is_written_in_the_digits_that_its_width_bears(
    ends: tuple[float, float, float], shown: str
) -> None:
    assert interval_text(*ends) == shown


def test_an_interval_of_a_tiny_quantity_is_in_the_unit_that_reads_well() -> None:
    ends = (as_quantity(f"{size}e-6 GWh", field="energy") for size in (4, 3, 5))
    assert interval_text(*ends) == "4 kWh (3 to 5)"
