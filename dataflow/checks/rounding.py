"""How exactly each fact is known: half a unit of its last printed digit, as a share of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from runlineage.catalogs.quantities.rounding import ROUNDEST, relative_half_unit
from runlineage.catalogs.quantities.units import Quantity


def half_width(value: Quantity) -> float:
    """Return what the digits of a printed value leave open, in its logarithm, and never more than 5 %.

    Zeros at the end of a whole number are not taken for digits.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(f"{half_width(quantity(1.4e12, 'token')):.4f} {half_width(quantity(300e9, 'token')):.4f}")
    0.0351 0.0488
    """
    return math.log1p(min(relative_half_unit(value), ROUNDEST))


def carried(slopes: Mapping[str, float], widths: Mapping[str, float]) -> float:
    """Carry the widths of facts through to that of a ratio, all at their worst.

    >>> print(carried({"duration": -1.0, "training_ops": 1.0}, {"duration": 0.01, "training_ops": 0.02}))
    0.03
    """
    return float(sum(abs(slope) * widths.get(name, 0.0) for name, slope in slopes.items()))


def slopes_of(logs: np.ndarray, facts: tuple[str, ...], step: float) -> dict[str, float]:
    """Read how a logarithm moves with that of each fact: `logs` holds it as it is, then with each fact a step up."""
    moved = (logs[1:] - logs[0]) / step
    return {name: float(slope) for name, slope in zip(facts, moved, strict=True) if abs(slope) > 1e-6}
