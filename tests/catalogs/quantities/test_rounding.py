"""Half a unit of the last printed digit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.quantities.rounding import printed_half_unit, relative_half_unit
from runlineage.catalogs.quantities.units import quantity


@pytest.mark.parametrize(
    ("printed", "half"),
    [
        ("552.1", 0.05),
        ("30", 5.0),
        ("30.0", 0.05),
        ("1,082,990", 5.0),
        ("1.50e3", 5.0),
        (552.1, 0.05),
        (433.196, 0.0005),
        (1287.0, 0.5),
        (30.84e6, 5000.0),
        (0.1 + 0.2, 0.05),
        (1.0, 0.5),
        (5e-7, 5e-8),
    ],
)
def test_half_a_unit_of_the_last_digit(printed: str | float, half: float) -> None:
    assert printed_half_unit(printed) == pytest.approx(half, rel=1e-12)


@pytest.mark.parametrize("printed", ["", "many", "nan", float("inf"), "5 t"])
def test_what_is_no_number_is_refused(printed: str | float) -> None:
    with pytest.raises(ValueError, match="is not a plain number"):
        printed_half_unit(printed)


@given(st.integers(1, 999_999), st.integers(-20, 20))
def test_the_digits_decide_and_not_the_power_of_ten(digits: int, power: int) -> None:
    assert printed_half_unit(float(f"{digits}e{power}")) == pytest.approx(
        printed_half_unit(float(digits)) * 10.0**power, rel=1e-9
    )


def test_a_fact_may_be_taken_as_known_to_three_digits() -> None:
    assert relative_half_unit(quantity(400.0, "W/accelerator"), least_digits=3) == pytest.approx(0.5 / 400)
    assert relative_half_unit(quantity(1082990.0, "accelerator*hour"), least_digits=3) == pytest.approx(5 / 1082990)


def test_a_column_has_no_printed_digits() -> None:
    assert relative_half_unit(quantity(np.array([1.0, 2.0]), "W/accelerator")) == 0.0
