"""Assumptions about how far a figure may be off, made by name: they add no route, and change an answer's interval."""

from __future__ import annotations

from dataclasses import dataclass

from runlineage.catalogs.quantities.ranges import Range
from runlineage.dataflow.routes.plans import Choice

ROUNDING = "rounding"


@dataclass(frozen=True)
class SpreadAssumption:
    """By how much a computed quantity may be off where its route is a guess: the factor's median and 90 % interval.

    It holds of a route that makes the assumption `guess`, or whose result is of the `basis`; `sources` are keys of the
    bibliography and `place` where there.
    """

    name: str
    quantity: str
    sentence: str
    median: float
    low: float
    high: float
    sources: tuple[str, ...]
    place: str
    guess: str = ""
    basis: str = ""

    @property
    def range(self) -> Range:
        """The factor as a range."""
        return Range(self.median, self.low, self.high)

    def concerns(self, choice: Choice | None) -> bool:
        """Whether a quantity, as it was obtained, may be off in this way."""
        route = choice.route if choice else None
        if route is None:
            return False
        return route.assumption == self.guess if self.guess else route.basis == self.basis


SPREADS = {
    each.name: each
    for each in (
        # Estimates of a node's energy from its design power were up to 37 % above what eight H100 and their host drew
        # [newkirk2025]; the most that such a node drew was 18 % below its rating [latif2025].
        SpreadAssumption(
            "power_draw",
            "device_power",
            "a device draws 0.73 to 0.82 of its design power, as nodes of eight H100 did in training",
            median=(0.82 / 1.37) ** 0.5,
            low=1 / 1.37,
            high=0.82,
            sources=("newkirk2025", "latif2025"),
            place="abstracts",
            guess="tdp",
        ),
        # An estimate may be off by 30 % to either side [eu_gpai_guidelines].
        SpreadAssumption(
            "estimate_error",
            "training_operations",
            "modeled work (6 N D) is off by up to 30 %, as guidelines of the EU allow an estimate to be",
            median=1.0,
            low=0.7,
            high=1.3,
            sources=("eu_gpai_guidelines",),
            place="Annex A.2, point 123",
            basis="modeled",
        ),
    )
}
NAMES = (ROUNDING, *SPREADS)
