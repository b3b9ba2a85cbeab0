"""What the authors print of an answer, beside it, with the difference: the same for results, lineages and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.fields import FIELDS, REPORTED
from runlineage.catalogs.quantities.formatting import people, ratio_text
from runlineage.catalogs.quantities.rounding import ROUNDEST, USUAL_DIGITS, relative_half_unit
from runlineage.catalogs.quantities.units import Quantity, convert, is_ours
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.inputs.inputs import BEFORE_A_CHANGE, Inputs

# Which answer each figure that authors print is compared with.
ANSWER_OF = REPORTED | {"published_emissions": "location_emissions"}
FIGURES_OF = {
    answer: tuple(name for name in ANSWER_OF if ANSWER_OF[name] == answer) for answer in {*ANSWER_OF.values()}
}

OF = " of "  # what parts a quantity's name and its stage's

A_MILLIONTH = 1e-6 * (1 - 1e-9)  # below which a ratio says no more than that something is wrong


@dataclass(frozen=True)
class Printed:
    """A figure that the authors print of an answer: the fact's name, its value, and how far the answer is from it.

    `difference` is a share of the printed value, None where there is no answer; `rounding` is the share that the
    digits of the printed figure, and of the facts beneath the answer, explain, and `spread` what the interval of either
    does; `note` is what the figure holds;
    `is_of_another` says that it is of the run before a stated fact was changed.
    """

    fact: str
    value: Quantity
    difference: float | None = None
    rounding: float = 0.0
    note: str = ""
    is_of_another: bool = False
    spread: float = 0.0

    @property
    def origin(self) -> str:
        """The fact's name, and what its authors or this catalog note of it."""
        return f"{self.fact}: {self.note.rstrip('.')}" if self.note else self.fact

    @property
    def agrees(self) -> bool:
        """Whether the answer is the printed figure, but for rounding."""
        return self.difference is not None and abs(self.difference) <= (self.rounding + self.spread) * (1 + 1e-9)

    def __str__(self) -> str:
        how = "" if self.difference is None else " (agrees)" if self.agrees else f" (this is {share(self.difference)})"
        return f"printed {people(self.value)}{how}"

    def as_json(self) -> dict[str, Any]:
        """Return stable keys; the value is in the unit of the answer."""
        answer = FIELDS[ANSWER_OF.get(self.fact, self.fact)]  # of a total the amount itself is stated
        value = float(convert(self.value, answer.units).magnitude)
        return {"fact": self.fact, "value": value, "unit": answer.unit_text, "difference": self.difference}


def answer_of(figure: str) -> str:
    """Return the answer that a figure is compared with: of the same stage, or of the whole run.

    >>> print(answer_of("reported_energy"), "|", answer_of("reported_energy of tuning"), "|", answer_of("training_ops"))
    energy | energy of tuning | training_operations
    """
    name, of, stage = figure.partition(OF)
    amount = "training_operations" if name == "training_ops" else name
    return ANSWER_OF.get(name, amount) + of + stage


def difference(answer: Any, printed: Any) -> Any:
    """Return how far an answer is from a printed figure, as a share of that: numbers or expressions in one unit.

    >>> print(f"{difference(24.5558, 24.6):+.4f}")
    -0.0018
    """
    return answer / printed - 1


def share(part: float, than: str = "") -> str:
    """Write a difference for people, and from what.

    >>> print(share(-0.0892), "|", share(0.4286, "11 t"), "|", share(41.0, "11 t"))
    8.9% less | 43% more than 11 t | 42 times as much as 11 t
    >>> print(share(-1.0, "11 t"))
    less than a millionth of 11 t
    """
    if part + 1 < A_MILLIONTH:
        return "less than a millionth" + (f" of {than}" if than else "")
    if not -0.9 < part < 1:
        much = f"{ratio_text(part + 1)} times as much"
        return f"{much} as {than}" if than else much
    size = f"{abs(part) * 100:.{1 if abs(part) < 0.1 else 0}f}"
    return f"{size}% {'less' if part < 0 else 'more'}" + (f" than {than}" if than else "")


def compared(
    value: Any, fact: Fact, name: str, rounding: float = 0.0, interval: tuple[Any, Any] | None = None
) -> Printed | None:
    """Compare an answer with the figure `name` that authors print of it; None for columns and where none is printed.

    `rounding` is what the digits of the answer's own facts leave open, as a share of it, `interval` has its ends.

    >>> from runlineage import Scenarios
    >>> case = Scenarios.Gpt3PublishedRun
    >>> print(compared(case.achieved_rate, case.reported["reported_rate"], "reported_rate"))
    printed 24.6 TFLOP/s per accelerator (agrees)
    """
    printed = fact.value
    if not is_ours(printed) or np.shape(printed.magnitude) or np.shape(getattr(value, "magnitude", 0.0)):
        return None
    if not is_ours(value):
        return Printed(name, printed, note=fact.note or "", is_of_another=fact.reason == BEFORE_A_CHANGE)
    unit: Any = value.units
    another = fact.reason == BEFORE_A_CHANGE
    off = float(difference(value.magnitude, convert(printed, unit).magnitude))
    own = min(relative_half_unit(printed), ROUNDEST)
    spread = _reach(value, interval, printed, below=off > 0) + _reach(
        printed, (fact.low, fact.high) if fact.is_range else None, printed, below=off < 0
    )
    return Printed(name, printed, off, own + rounding * (1 + off), fact.note or "", another, spread)


def _reach(value: Quantity, interval: tuple[Any, Any] | None, of: Quantity, *, below: bool) -> float:
    """Return how far an interval reaches from its value to one side, as a share of another quantity."""
    if interval is None:
        return 0.0
    end = interval[0] if below else interval[1]
    return abs(float(((value - end) / of).m_as("")))


def printed_of(
    answer: str,
    value: Any,
    inputs: Inputs,
    beneath: Callable[[str], Iterable[str]],
    interval: tuple[Any, Any] | None = None,
) -> Printed | None:
    """Return what the authors of a run print of an answer, compared with its value.

    `beneath` lists the facts that an answer rests on; a figure among them is not compared with it.
    """
    for name in FIGURES_OF.get(answer, ()):
        fact = inputs.stated.get(name)
        if fact is not None and fact.value is not None:
            facts = tuple(beneath(answer))
            if name not in facts and (answer in inputs.stated or answer not in facts):  # else supplied as printed
                return compared(value, fact, name, rounding_of(facts, inputs.given), interval)
    return None


def rounding_of(facts: Iterable[str], given: Mapping[str, Quantity]) -> float:
    """Return what the digits of some facts leave open: the share of their product that half units make, added up."""
    return sum(relative_half_unit(given[name], USUAL_DIGITS) for name in facts if name in given)
