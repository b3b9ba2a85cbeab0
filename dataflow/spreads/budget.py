"""How an answer depends on its uncertain facts: exponents of a product, or indices of any other function."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.quantities.ranges import Range

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT = 1e-9  # of a logarithm: what arithmetic leaves of a product
NONE = 1e-6  # exponents below are those of facts that the answer does not rest on
ALIKE = 1e-9


class Products:
    """Tells whether answers are products of powers of the facts that were drawn, and with which exponents."""

    def __init__(self, logs: NDArray[np.float64]) -> None:
        self.design = np.column_stack([np.ones(len(logs)), logs])
        self.inverse = np.linalg.pinv(self.design)

    def exponents(self, answers: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the exponent of each fact; None where the answer is no product."""
        if not (answers > 0).all():
            return None
        logs = np.log(answers)
        found = self.inverse @ logs
        if np.abs(self.design @ found - logs).max() > EXACT:
            return None
        return np.asarray(np.where(np.abs(found[1:]) < NONE, 0.0, found[1:]), dtype=np.float64)


def product_budget(ranges: Mapping[str, Range], exponents: Any, logs: NDArray[np.float64]) -> dict[str, float]:
    """Return the share of each fact in the variance of a product's logarithm."""
    parts = {
        name: exponents[place] ** 2 * _variance(each, logs[:, place])
        for place, (name, each) in enumerate(ranges.items())
        if exponents[place]
    }
    total = sum(parts.values())
    return {name: float(part / total) for name, part in parts.items()} if total else {}


def _variance(each: Range, logs: NDArray[np.float64]) -> float:
    """Return the variance of a range's logarithm: of a normal one with halves of two widths by their moments."""
    if each.shape == "uniform":
        return float(logs.var())
    below, above = each.halves
    return (below**2 + above**2) / 2 - (above - below) ** 2 / (2 * math.pi)


def is_symmetric(each: Range) -> bool:
    """Whether the logarithm of a range is simply normal, so that products of such are known without draws."""
    below, above = each.halves
    return each.shape == "lognormal" and abs(above - below) <= ALIKE * max(above, below)


def is_skewed(each: Range) -> bool:
    """Whether the median of a product is not the product of the medians."""
    return each.shape == "lognormal" and not is_symmetric(each)


def sobol_budget(
    names: list[str],
    dimensions: int,
    answers: Callable[[NDArray[np.float64]], Mapping[str, NDArray[np.float64]]],
    one: NDArray[np.float64],
    other: NDArray[np.float64],
) -> dict[str, dict[int, float]]:
    """Estimate first-order Sobol indices of answers that are no products, by two samples with one column exchanged.

    `answers` computes them from logarithms of draws. The estimator is that of Saltelli et al. (2010), Table 2 (b).
    """
    first, second = answers(one), answers(other)
    found: dict[str, dict[int, float]] = {name: {} for name in names}
    for place in range(dimensions):
        mixed = one.copy()
        mixed[:, place] = other[:, place]
        exchanged = answers(mixed)
        for name in names:
            one_, other_, mixed_ = (_scaled(each[name], first[name]) for each in (first, second, exchanged))
            variance = float(np.concatenate([one_, other_]).var())
            index = float((other_ * (mixed_ - one_)).mean()) / variance if variance else 0.0
            if np.abs(mixed_ - one_).max() > NONE * np.ptp(one_):  # less is what arithmetic leaves, by machine
                found[name][place] = min(max(index, 0.0), 1.0)
    return found


def _scaled(answers: NDArray[np.float64], like: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm where all draws have one, as with products; centred, which the estimator likes."""
    if (like > 0).all() and (answers > 0).all():
        return np.asarray(np.log(answers) - np.log(like).mean())
    return np.asarray(answers - like.mean())
