"""Budgets of answers that are no products: each fact's share, and none for what arithmetic leaves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from runlineage.dataflow.spreads.budget import sobol_budget

Columns = NDArray[np.float64]


def shares(weights: list[float], *, wobble: float = 0.0) -> dict[int, float]:
    """Return the budget of a weighted sum of facts, whose last digits differ with each call."""
    draws = np.random.default_rng(3)
    one, other = (draws.standard_normal((4096, len(weights))) * 1e-3 for _ in range(2))

    def answers(logs: Columns) -> Mapping[str, Columns]:
        noise = wobble * draws.uniform(-1, 1, len(logs))
        return {"total": 1e11 * (np.exp(logs) @ np.array(weights) + 1) * (1 + noise)}

    return sobol_budget(["total"], len(weights), answers, one, other)["total"]


def test_each_fact_of_a_sum_has_the_share_of_its_variance() -> None:
    assert shares([2.0, 1.0]) == pytest.approx({0: 0.8, 1: 0.2}, abs=0.02)


def test_last_digits_that_differ_by_machine_are_no_dependence() -> None:
    """The logarithm of an array may differ by its place in memory, which is no effect of a fact."""
    assert shares([1.0, 0.0], wobble=4e-16) == pytest.approx({0: 1.0}, abs=0.02)


def test_a_fact_of_little_weight_is_named() -> None:
    assert set(shares([1.0, 1e-3], wobble=4e-16)) == {0, 1}
