"""The spread of an answer: its interval, and the share that each uncertain fact has in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runlineage.catalogs.quantities.ranges import LEVEL, NORMAL_END, interval_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


LOGNORMAL = 1e-9  # by which the halves of a lognormal interval may differ in the logarithm


@dataclass(frozen=True)
class Spread:
    """What is known of an answer whose facts are ranges: median, ends of the 90 % interval, budget and draws.

    `budget` has the share of each fact in the variance of the answer's logarithm: exact for a product of facts, and
    first-order Sobol indices else, which leave out what facts do only together. `draws` are numbers in the unit of
    `value`. `is_product` says that the answer is a product of powers of its uncertain facts.
    """

    name: str
    value: Any
    low: Any
    high: Any
    budget: Mapping[str, float]
    draws: NDArray[np.float64] = field(repr=False, compare=False)
    is_product: bool = True
    level: float = LEVEL

    @property
    def narrowing(self) -> dict[str, float]:
        """By how much narrower, as a share, the interval would be if one fact were known exactly: each by its name.

        >>> from runlineage import PublishedRunScenario
        >>> run = PublishedRunScenario(accelerator_hours="1M ± 10%", device_power="350 to 400 W")
        >>> print({name: round(share, 2) for name, share in run.spread("energy").narrowing.items()})
        {'accelerator_hours': 0.45, 'device_power': 0.17}
        """
        return {name: 1 - (1 - share) ** 0.5 for name, share in self.budget.items()}

    @property
    def interval(self) -> tuple[Any, Any]:
        """The ends of the interval."""
        return self.low, self.high

    def above(self, line: float) -> float:
        """Return the probability that the answer is above a number in its unit: by algebra where it is lognormal."""
        low, middle, high = (float(getattr(each, "magnitude", each)) for each in (self.low, self.value, self.high))
        if self.is_product and line > 0 and abs(math.log(low / middle) + math.log(high / middle)) < LOGNORMAL:
            width = math.log(high / low) / 2 / NORMAL_END
            return (1 + math.erf(math.log(middle / line) / width / math.sqrt(2))) / 2
        return float((self.draws > line).mean())

    def interval_json(self) -> dict[str, float]:
        """Return the interval with stable keys, in the unit of the value."""
        low, high = (float(getattr(each, "magnitude", each)) for each in (self.low, self.high))
        return {"low": low, "high": high, "level": self.level}

    def __str__(self) -> str:
        return interval_text(self.value, self.low, self.high)
