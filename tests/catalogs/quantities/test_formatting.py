"""Numbers and units for people."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.quantities.formatting import (
    in_its_unit,
    number,
    people,
    readable,
    readable_unit,
    unit_text,
)
from runlineage.catalogs.quantities.units import quantity, unit


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.19644644, "0.196446"),
        (24.555805805, "24.5558"),
        (1000, "1,000"),
        (99_999.5, "99,999.5"),
        (100_000, "100,000"),
        (1_082_990, "1,082,990"),
        (999_999_999, "999,999,999"),
        (1e9, "1×10⁹"),
        (3.14e23, "3.14×10²³"),
        (1_000_000.5, "1×10⁶"),
        (999_999.7, "1×10⁶"),
        (0.0001, "0.0001"),
        (9.99999e-5, "9.99999×10⁻⁵"),
        (9.9999999e-5, "0.0001"),
        (-3.5e12, "-3.5×10¹²"),
        (np.float32(0.5), "0.5"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_a_number_has_six_digits_separators_or_a_power_of_ten(value, text):
    assert number(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_number_is_written_with_an_e(value):
    assert "e" not in number(value)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("TFLOP/s/accelerator", "TFLOP/s per accelerator"),
        ("kW/accelerator", "kW per accelerator"),
        ("accelerator*hour", "accelerator·hour"),
        ("petaflop/s*day", "day·PFLOP/s"),
        ("flop/parameter/token", "flop/parameter/token"),
        ("watt_hour", "Wh"),
        ("GWh", "GWh"),
        ("W**2", "W²"),
        ("1/s", "1/s"),
        ("1/accelerator", "1 per accelerator"),
        ("GWh*facility", "GWh at the facility"),
        ("kgCO2e/kWh/facility", "kgCO2e/kWh at the facility"),
        ("tCO2e", "tCO2e"),
        ("USD/accelerator/hour", "USD/hour per accelerator"),
        ("facility", "facility"),
        ("percent*facility", "percent"),
        ("", ""),
    ],
)
def test_a_unit_is_spelt_as_people_do(written, text):
    assert unit_text(unit(written)) == text


@pytest.mark.parametrize(
    ("magnitude", "units", "text"),
    [
        (24.555805805805804, "TFLOP/s/accelerator", "24.5558 TFLOP/s per accelerator"),
        (0.38, "", "0.38"),
        (1.1, "facility", "1.1"),
        (np.array([1.0, 2.0]), "day", "[1, 2] day"),
        (np.arange(1.0, 7.0).reshape(2, 3), "day", "[1, 2, 3, …] day"),
        (np.array([]), "day", "[] day"),
        (np.array(5.0), "day", "5 day"),
    ],
)
def test_a_quantity_is_its_number_or_first_cells_and_its_unit(magnitude, units, text):
    assert people(quantity(magnitude, units)) == text


@pytest.mark.parametrize(
    ("magnitude", "units", "text"),
    [
        (6.3e-6, "GWh", "6.3 kWh"),
        (2e-7, "GWh*facility", "200 Wh at the facility"),
        (2.05437e-4, "tCO2e", "205.437 gCO2e"),
        (1_500_000.5, "tCO2e", "1.5 MtCO2e"),
        (2e-6, "TFLOP/s/accelerator", "2 MFLOP/s per accelerator"),
        (5e-4, "kgCO2e/kWh/facility", "0.5 gCO2e/kWh at the facility"),
        (0.5e-3, "kW/accelerator", "0.5 W per accelerator"),
        (2.5e-5, "TFLOP/token", "25 MFLOP/token"),
        (np.array([1e-6, 0.5]), "GWh", "[1, 500,000] kWh"),
    ],
)
def test_a_tiny_or_huge_number_is_in_the_unit_with_another_prefix(magnitude, units, text):
    assert people(quantity(magnitude, units)) == text


@pytest.mark.parametrize(
    ("magnitude", "units", "text"),
    [
        (0.001, "GWh", "0.001 GWh"),
        (0.433196, "GWh", "0.433196 GWh"),
        (999_999.0, "tCO2e", "999,999 tCO2e"),
        (0.0, "GWh", "0 GWh"),
        (3.14e23, "flop", "3.14×10²³ flop"),
        (1e-5, "USD", "1×10⁻⁵ USD"),
        (1e-5, "accelerator*hour", "1×10⁻⁵ accelerator·hour"),
        (1e-5, "", "1×10⁻⁵"),
    ],
)
def test_what_reads_well_or_has_no_prefixes_keeps_its_unit(magnitude, units, text):
    assert people(quantity(magnitude, units)) == text


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [
        ([21.588, 0.433196], "GWh"),
        ([3.875e-6, 0.433196], "kWh"),
        ([3.875e-6, 3.875e6], "GWh"),  # no unit holds both: their own stays
        ([0.0, float("nan")], "GWh"),
        ([], "GWh"),
    ],
)
def test_a_column_has_one_unit_for_all(sizes, shown):
    assert readable_unit(sizes, unit("GWh")) == unit(shown)


@given(st.floats(1e-12, 1e12), st.sampled_from(["GWh", "Wh", "tCO2e", "TFLOP/s/accelerator", "W", "MJ", "flop"]))
def test_another_prefix_changes_no_quantity_and_never_reads_worse(size, units):
    given_one = quantity(size, units)
    shown = readable(given_one)
    assert (shown / given_one).m_as("") == pytest.approx(1)
    assert "×" in in_its_unit(given_one) or "×" not in in_its_unit(shown)
