"""Two figures of one quantity, side by side: their ratio, whether they agree, and what may explain it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.contradictions import Explained
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import people, ratio_text, unit_text
from runlineage.catalogs.quantities.units import Quantity, quantity
from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.routes.plans import named

Word = Literal["agree", "close", "contradict"]
AGREE, CLOSE, CONTRADICT = "agree", "close", "contradict"
SAME = 5e-5  # a ratio that four digits write as one
NOISE = 1e-9  # of floating point, in the logarithm of a ratio


@dataclass(frozen=True)
class Doubt:
    """A fact that would settle comparisons if it had another value: which value, and how many of them.

    `width` is what its own digits leave open; `is_looked_up` says that a catalog holds it, and not the run's authors;
    `is_named` that the cause named is an error of this fact.
    """

    fact: str
    value: Quantity
    would_be: Quantity
    settles: int = 1
    breaks: int = 0
    width: float = 0.0
    is_looked_up: bool = False
    is_named: bool = False

    @property
    def rank(self) -> tuple[float, ...]:
        """What is doubted first: what settles most and unsettles least, then the fact of the cause, then round ones."""
        return self.breaks - self.settles, self.breaks, not self.is_named, self.is_looked_up, -self.width

    def __str__(self) -> str:
        return f"{named(self.fact)} {people(self.value)} (would have to be {people(_short(self.would_be))})"

    def as_json(self) -> dict[str, Any]:
        """Return stable keys, both values in the unit that the fact was given in."""
        return {
            "fact": self.fact,
            "value": float(self.value.magnitude),
            "would_be": float(self.would_be.magnitude),
            "unit": unit_text(self.value.units),
            "settles": self.settles,
            "breaks": self.breaks,
        }


@dataclass(frozen=True)
class Compared:
    """One comparison of a run: `figure` is what is printed, `against` what other facts give, `ratio` the first by it.

    `width` is what the digits of the facts leave open, in the logarithm of the ratio; `slopes` say how the logarithm
    of the ratio moves with that of each fact. `cause` is named only where it fits; `known` is this catalog's
    explanation; `doubts` are the facts to doubt, each with the value that would settle this comparison alone.
    """

    name: str
    mark: Comparison
    figure: Quantity
    against: Quantity
    ratio: float
    width: float
    slopes: Mapping[str, float] = field(default_factory=lambda: Frozen({}))
    cause: str = ""
    explanation: str = ""
    known: Explained | None = None
    doubts: tuple[Doubt, ...] = ()

    @property
    def log(self) -> float:
        """The logarithm of the ratio."""
        return math.log(self.ratio)

    @property
    def word(self) -> Word:
        """Whether the two agree within their digits, are close for a reason that is known, or contradict."""
        return verdict(self.log, self.width, self.mark)

    @property
    def badness(self) -> float:
        """How far the two are apart, in the logarithm and beyond their digits; 0 where they do not contradict."""
        return max(abs(self.log) - self.width, 0.0) if self.word == CONTRADICT else 0.0

    def __str__(self) -> str:
        if self.mark.is_bound:
            more = ", more than it can be" if self.word == CONTRADICT else ""
            return f"{self.called} {people(self.figure)} is {self.ratio:.1%} of {self._other}{more}"
        how = "as much as" if abs(self.ratio - 1) < SAME else f"{ratio_text(self.ratio, 4)} times"
        return f"{self.called} {people(self.figure)} is {how} {self._other}"

    @property
    def called(self) -> str:
        """The figure as messages name it."""
        return named(self.mark.figure) if self.mark.figure in FIELDS else self.mark.figure.replace("_", " ")

    @property
    def _other(self) -> str:
        return f"{self.mark.against}, {people(self.against)}"

    def as_json(self) -> dict[str, Any]:
        """Return stable keys, numbers in full precision; the two figures are in one unit."""
        return {
            "comparison": self.name,
            "figure": self.mark.figure,
            "value": float(self.figure.magnitude),
            "against": self.mark.against,
            "against_value": float(self.against.magnitude),
            "unit": unit_text(self.figure.units) or "dimensionless",
            "ratio": self.ratio,
            "rounding": math.expm1(self.width),
            "verdict": self.word,
            "cause": self.cause or None,
            "explanation": self.explanation or None,
            "known": {"why": self.known.why, "source": self.known.source} if self.known else None,
            "doubts": [each.as_json() for each in self.doubts],
        }


def _short(value: Quantity) -> Quantity:
    return quantity(float(f"{value.magnitude:.4g}"), cast("Any", value.units))


def verdict(log: float, width: float, mark: Comparison) -> Word:
    """Return the word of a ratio, given by its logarithm.

    >>> from runlineage.dataflow.comparisons.work import recorded_to_modeled
    >>> mark = recorded_to_modeled.comparison
    >>> print(*(verdict(math.log(each), 0.02, mark) for each in (1.01, 1.08, 1.36)))
    agree close contradict
    """
    excess = max(abs(log) - width, 0.0)
    if excess <= NOISE or (mark.is_bound and log <= 0):
        return "agree"
    reach = math.log1p(mark.above) if log > 0 else -math.log1p(-min(mark.below, 1 - 1e-12))
    return "close" if excess <= reach else "contradict"
