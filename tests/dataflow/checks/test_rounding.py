"""Digits as the measure: the same for a number and for a column."""

from __future__ import annotations

import math

import numpy as np
import pytest

from runlineage import PublishedRunScenario
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.checks.compared import AGREE, CONTRADICT
from runlineage.dataflow.checks.rounding import half_width
from runlineage.dataflow.tables.column_digits import rounding_of


@pytest.mark.parametrize(
    ("number", "share"),
    [(4.3, 0.05 / 4.3), (400.0, 0.05), (312.0, 0.5 / 312), (1_022_362.0, 0.5 / 1_022_362), (0.48, 0.005 / 0.48)],
)
def test_half_a_unit_of_the_last_digit_and_never_over_five_per_cent(number: float, share: float) -> None:
    assert half_width(quantity(number, "W")) == pytest.approx(math.log1p(share))


def test_a_column_is_measured_as_a_number_is() -> None:
    numbers = [4.3, 400.0, 312.0, 0.48, 3.14e23, 1.746e11, 7e-5, 1000.0, 99.95, 24.6, 552.123, 5e8]
    expected = [math.exp(half_width(quantity(each, "W"))) for each in numbers]
    assert rounding_of(np.array(numbers)) == pytest.approx(expected, abs=1e-6)


def test_digits_are_the_same_wherever_the_point_is() -> None:
    tens = 10.0 ** np.arange(-60, 61)
    for digits, share in ((1.0, 0.05), (2.5, 0.02), (9.99, 0.005 / 9.99), (1.00001, 5e-6 / 1.00001)):
        assert rounding_of(digits * tens) == pytest.approx(np.full(len(tens), 1 + share), abs=1e-9)


def test_two_figures_agree_where_their_digits_meet() -> None:
    def word(hours: float) -> str:
        return (
            PublishedRunScenario(accelerator_hours=hours, accelerator_count=101, duration="100.1 hour")
            .check()
            .compared[0]
            .word
        )

    assert word(10_110) == AGREE  # what the two facts give, to four digits
    assert word(10_500) == CONTRADICT  # more hours than there were
