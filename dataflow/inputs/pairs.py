"""Bands and pairs of facts: what a fact can hardly be, by itself or against what the others give.

One table for runs and for the rows of tables: each pair bounds the ratio of a fact to a product of others, both ways.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from runlineage.catalogs.quantities.formatting import ratio_text

SLIP = "was a unit or a multiple misread?"
OTHER_PEAK = "is it of this device, and of this number format?"


@dataclass(frozen=True)
class Pair:
    """A fact, and the product that it is compared with; outside the bounds on their ratio it is doubtful.

    `others` are facts; with `of_device` they are the figures that the catalog has of the named accelerator. Without
    any, the fact is compared with 1. `factor` multiplies them, in the graph's units. The pair says nothing where a
    fact in `unless` is there. `low` and `high` are the questions to ask below and above the bounds.
    """

    fact: str
    others: tuple[str, ...] = ()
    least: float = 0.0
    most: float = math.inf
    low: str = ""
    high: str = ""
    formula: str = ""
    factor: float = 1.0
    of_device: bool = False
    unless: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """The fact's name, and what it is where a metric has nearly the same name."""
        return f"recorded work ({self.fact})" if self.fact == "training_ops" else self.fact

    @property
    def is_close(self) -> bool:
        """Whether both sides are the same quantity, so that only a small difference passes."""
        return self.least > 1 / 1.1 and self.most < 1.1

    def against(self, device: str = "its accelerator") -> str:
        """Name what the fact is compared with."""
        return self.formula.format(device=device) or " × ".join(self.others)

    def sentence(self, *, above: bool) -> str:
        """Write the doubt without numbers, for all the rows that it holds for.

        >>> print(PAIRS[0].sentence(above=True))
        accelerator_hours and accelerator_count × duration differ by over 5%
        """
        if self.is_close:
            return f"{self.called} and {self.against()} differ by over {self.most - 1:.0%}"
        bound = self.most if above else self.least
        if not self.others:
            return self.asking(f"{self.called} is {'above' if above else 'below'} {ratio_text(bound)}", above=above)
        return self.asking(
            f"{self.called} is {'over' if above else 'under'} {ratio_text(bound)} times {self.against()}", above=above
        )

    def asking(self, text: str, *, above: bool) -> str:
        """Add the question to a doubt."""
        question = self.high if above else self.low
        return f"{text}: {question}" if question else text


PAIRS = (
    Pair("accelerator_hours", ("accelerator_count", "duration"), 0.95, 1.05),
    Pair(
        "training_ops",
        ("active_parameters", "training_tokens"),
        *(1 / 3, 3, SLIP, SLIP),
        formula="6 N D",
        factor=6.0,
    ),
    Pair(
        "training_ops",
        ("parameters", "training_tokens"),
        *(1 / 3, 3, SLIP, SLIP),
        formula="6 N D",
        factor=6.0,
        unless=("active_parameters",),
    ),
    Pair(
        "active_parameters",
        ("parameters",),
        least=0.02,
        low="weights that are trained alone (adapters, LoRA) are not those that a token passes, and 6 N D under-counts",
    ),
    Pair("device_power", ("accelerator_tdp",), 0.1, 1.05, "in which unit is it?", "is it a device's alone?"),
    Pair(
        "peak_flops",
        ("peak_flops",),
        *(1 / 1.5, 1.5, OTHER_PEAK, "a sparse figure?"),
        formula="the dense peak of {device}",
        of_device=True,
    ),
    Pair(
        "accelerator_tdp",
        ("accelerator_tdp",),
        *(0.8, 1.25, "is it of this device?", "is it of this device?"),
        formula="the design power of {device}",
        of_device=True,
    ),
    Pair(
        "reported_rate",
        ("reported_step_rate",),
        most=1.0,
        high="the average of a run is no higher than that of its steps",
    ),
    Pair(
        "reported_hfu", ("reported_mfu",), least=1.0, low="hardware utilisation counts the operations of mfu, and more"
    ),
    Pair("pue", most=3.0, high="is it the PUE of the facility?"),
    Pair("host_overhead", most=3.0, high="is it the power of servers over that of their devices?"),
)
