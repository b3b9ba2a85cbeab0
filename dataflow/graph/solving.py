"""What a fact would have to be for a metric to have a wanted value: a search on the forward graph itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.base.errors import UnknownNameError, echo, refuse
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, FIELDS, Field
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.ranges import LEVEL, interval_text
from runlineage.catalogs.quantities.reading import LEAST, as_quantity, band, coherent
from runlineage.catalogs.quantities.units import Quantity, convert, is_ours, quantity
from runlineage.dataflow.graph.results import facts_beneath
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.plans import Plan
from runlineage.dataflow.spreads.draws import DRAWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

HALVINGS = 60
QUANTILES = (0.05, 0.95)


@dataclass(frozen=True)
class Solved:
    """A fact with the value, in its field's unit, at which a metric has the wanted value by the route taken.

    `interval` has the ends of its 90 % interval where other facts are ranges; the value is that at their medians.
    """

    fact: str
    value: Quantity
    metric: str
    wanted: Any
    plan: Plan
    interval: tuple[Quantity, Quantity] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return stable keys, numbers in full precision."""
        return {
            "fact": self.fact,
            "value": float(self.value.magnitude),
            "unit": FACTS[self.fact].unit_text,
            "for": {
                "metric": self.metric,
                "value": float(getattr(self.wanted, "magnitude", self.wanted)),
                "unit": ANSWERS[self.metric].unit_text if self.metric in ANSWERS else None,
            },
            "route": self.plan.route(self.metric),
            "assumes": list(self.plan.assumes(self.metric)),
            "interval": self._interval_json(),
        }

    def _interval_json(self) -> dict[str, float] | None:
        if self.interval is None:
            return None
        low, high = (float(each.magnitude) for each in self.interval)
        return {"low": low, "high": high, "level": LEVEL}

    def __str__(self) -> str:
        wanted = people(self.wanted) if is_ours(self.wanted) else number(self.wanted)
        found = interval_text(self.value, *self.interval) if self.interval else people(self.value)
        return f"{self.fact} = {found}, for {self.metric} = {wanted}"


def known_fact(name: str) -> Field:
    """Return the field of a fact that can be solved for; an unknown one is refused with the nearest."""
    if name not in FACTS:
        raise UnknownNameError("fact", str(name), nearest(str(name), FACTS, 1), f"the facts are {', '.join(FACTS)}")
    return FACTS[name]


def one_wanted(wanted: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the one metric that is wanted, with its value as it was given."""
    if len(wanted) != 1:
        what = f"names {', '.join(wanted)}" if wanted else "names no metric"
        refuse("for", what, "name one metric with its value: one fact is solved for one metric")
    ((metric, value),) = wanted.items()
    return metric, as_quantity(value, field=metric) if metric in FIELDS else value


def refuse_columns(inputs: Inputs, target: Any) -> None:
    """Refuse facts, or a wanted value, of which there are several."""
    columns = [name for name, value in inputs.graph.items() if np.ndim(getattr(value, "magnitude", 0))]
    if columns or np.ndim(getattr(target, "magnitude", target)):
        refuse(columns[0] if columns else "for", "is a column", "give one value: a fact is solved for one run")


def search(
    field: Field,
    metric: str,
    target: Any,
    plan: Plan,
    compute: Callable[[Quantity], Any],
    drawn: Callable[[Quantity], Any] | None = None,
) -> Solved:
    """Find the fact's value, on the logarithm since facts are positive; `compute` returns the metric for a value.

    `drawn` returns it for a column of values, each with one draw of the other facts, where those are ranges.
    """
    beneath = facts_beneath(plan, metric)
    if field.name not in beneath:
        by = f" by {plan.route(metric)}" if plan.route(metric) else ""
        refuse(field.name, f"changes nothing: {metric}{by} rests on {', '.join(beneath)}", "solve for one of these")
    aim = coherent(target, FIELDS[metric].kind).magnitude if metric in FIELDS else getattr(target, "magnitude", target)
    if isinstance(aim, bool) or not isinstance(aim, (int, float)) or not 0 < aim < math.inf:
        refuse("for", f"{metric} is {echo(target)}", "expected a number above zero")

    def at(logarithm: float) -> float:
        value = compute(quantity(math.exp(logarithm), field.kind.unit))
        size = float(getattr(value, "magnitude", value))
        return math.log(size / aim) if size > 0 else -math.inf

    span = [quantity(max(end, LEAST), field.units) for end in band(field)]
    low, high = (math.log(coherent(end, field.kind).magnitude) for end in span)
    ends = sorted((at(low), at(high)))
    if not ends[0] <= 0 <= ends[1]:
        unit = FIELDS[metric].units if metric in FIELDS else None
        reach = (_shown(aim * math.exp(end), metric, unit) for end in ends)
        what = f"has no value from {' to '.join(map(people, span))} that makes {metric} {_shown(aim, metric, unit)}"
        refuse(field.name, what, f"with it {metric} is from {' to '.join(reach)}")
    from scipy.optimize import brentq  # loaded here: only who solves pays for it

    root: Any = brentq(at, low, high, xtol=1e-15, rtol=8.9e-16)  # pyright: ignore[reportArgumentType] # its own types
    value = convert(quantity(math.exp(root), field.kind.unit), field.units)
    wanted = convert(target, FIELDS[metric].units) if metric in FIELDS else target
    if drawn is None:
        return Solved(field.name, value, metric, wanted, plan)
    found = _roots(field, drawn, float(aim), low, high, rising=at(low) < at(high))
    sizes = map(float, np.quantile(found, QUANTILES))
    least, most = (convert(quantity(size, field.kind.unit), field.units) for size in sizes)
    return Solved(field.name, value, metric, wanted, plan, (least, most))


def _roots(
    field: Field, drawn: Callable[[Quantity], Any], aim: float, low: float, high: float, *, rising: bool
) -> NDArray[np.float64]:
    """Find the value for each draw of the other facts, by halving all their spans at once."""
    lows, highs = np.full(DRAWS, low), np.full(DRAWS, high)

    def sizes(logs: NDArray[np.float64]) -> Any:
        value = drawn(quantity(np.exp(logs), field.kind.unit))
        return np.broadcast_to(getattr(value, "magnitude", value), (DRAWS,))

    first, last = (sizes(lows), sizes(highs)) if rising else (sizes(highs), sizes(lows))
    if (first > aim).any() or (last < aim).any():
        what = f"has no value within its band for {(((first > aim) | (last < aim)).mean()):.0%} of the draws"
        refuse(field.name, what, "narrow the ranges of the other facts")
    for _ in range(HALVINGS):
        middle = (lows + highs) / 2
        below = (sizes(middle) < aim) == rising
        lows, highs = np.where(below, middle, lows), np.where(below, highs, middle)
    return np.asarray(np.exp((lows + highs) / 2))


def _shown(size: float, metric: str, unit: Any) -> str:
    return number(size) if unit is None else people(convert(quantity(size, FIELDS[metric].kind.unit), unit))
