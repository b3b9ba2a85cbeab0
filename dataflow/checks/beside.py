"""Other published values of a run's facts, which are not used, held against those that are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from runlineage.catalogs.quantities.formatting import people, ratio_text, unit_text
from runlineage.catalogs.quantities.units import Quantity, convert, is_ours
from runlineage.catalogs.records.facts import ALIKE, FEWER_DIGITS, Fact
from runlineage.dataflow.checks.rounding import half_width
from runlineage.dataflow.inputs.inputs import Inputs


@dataclass(frozen=True)
class Beside:
    """Another published value of a fact: how many times the one in use it is, where it stands, and why it is not used.

    `value` is None where the fact is not in use at all.
    """

    fact: str
    other: Quantity
    value: Quantity | None
    source: str
    reason: str

    @property
    def ratio(self) -> float | None:
        """How many times the value in use the other one is."""
        if self.value is None:
            return None
        unit: Any = self.value.units
        other = convert(self.other, unit)
        return float(other.magnitude / self.value.magnitude)

    @property
    def agrees(self) -> bool:
        """Whether the two are one figure but for their digits."""
        width = half_width(self.other) + (half_width(self.value) if self.value is not None else 0.0)
        return self.ratio is not None and abs(self.ratio - 1) <= width

    def __str__(self) -> str:
        text = f"{self.fact} {people(self.other)}" + (f" in {self.source}" if self.source else "")
        if self.ratio is None:
            return text
        how = "agrees with" if self.agrees else f"{ratio_text(self.ratio, 4)} times"
        return f"{text}: {how} the {people(cast('Quantity', self.value))} in use"

    def as_json(self) -> dict[str, Any]:
        """Return stable keys; both values are in the unit of the other one."""
        unit: Any = self.other.units
        value = None if self.value is None else float(convert(self.value, unit).magnitude)
        return {
            "fact": self.fact,
            "value": float(self.other.magnitude),
            "in_use": value,
            "unit": unit_text(self.other.units) or "dimensionless",
            "ratio": self.ratio,
            "source": self.source or None,
            "reason": self.reason or None,
        }


def beside_of(inputs: Inputs) -> tuple[Beside, ...]:
    """List the published values of a run that are not used, but for those that only repeat the one in use."""
    return tuple(
        Beside(name, fact.value, inputs.given.get(name), fact.source or "", _why(fact))
        for name, origin in inputs.origins.items()
        for fact in origin.beside
        if is_ours(fact.value) and fact.reason not in (ALIKE, FEWER_DIGITS)
    )


def _why(fact: Fact) -> str:
    return " ".join(text.rstrip(".") + "." for text in (fact.reason, fact.note) if text)
