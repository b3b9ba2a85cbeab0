"""What a fact would have to be for a metric to have a wanted value: one search on the forward graph, no inverse routes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.base.errors import CannotComputeError, InputError, UnknownNameError, echo, refuse
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, Field
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.reading import as_quantity, band, coherent
from runlineage.catalogs.quantities.units import Quantity, convert, quantity
from runlineage.dataflow.graph import hamilton_graph
from runlineage.dataflow.graph.results import facts_beneath

if TYPE_CHECKING:
    from runlineage.dataflow.graph.driver import Driver
    from runlineage.dataflow.inputs.inputs import Inputs

ROUND_TRIP = 1e-9  # how near the metric must come to the wanted value, relative to it


@dataclass(frozen=True)
class Solved:
    """A fact with the value, in its field's unit, at which a metric has the wanted value."""

    fact: str
    value: Quantity
    metric: str
    wanted: Quantity

    def as_json(self) -> dict[str, Any]:
        """Return stable keys, numbers in full precision."""
        return {
            "fact": self.fact,
            "value": float(self.value.magnitude),
            "unit": FACTS[self.fact].unit_text,
            "for": {self.metric: float(self.wanted.magnitude)},
            "for_unit": ANSWERS[self.metric].unit_text if self.metric in ANSWERS else str(self.wanted.units),
        }

    def __str__(self) -> str:
        return f"{self.fact} = {people(self.value)} for {self.metric} = {people(self.wanted)}"


def solve(driver: Driver, inputs: Inputs, fact: str, metric: str, wanted: Any) -> Solved:
    """Find the value of one scalar fact at which a metric is as wanted, all other facts as they are.

    The search is on the logarithm, since every fact is positive. Raises `UnknownNameError` for a fact that is none,
    `CannotComputeError` where the metric cannot be computed even with the fact, and `InputError` where the metric does
    not rest on it, where facts are columns, and where no value within the fact's band gives the wanted one.
    """
    field = _fact(fact)
    target = as_quantity(wanted, field=metric) if metric in ANSWERS else as_quantity(wanted, kind=None, field=metric)
    given = {name: value for name, value in inputs.graph.items() if name not in (fact, metric)}
    columns = [name for name, value in {**given, metric: target}.items() if np.ndim(getattr(value, "magnitude", 0))]
    if columns:
        refuse(columns[0], "is a column", "give one value: a fact is solved for one run at a time")
    plan = driver.book.plan({*given, fact}, (metric,), driver.assume)
    if plan.missing:
        needs = driver.answer(metric, inputs).problems[metric]
        raise CannotComputeError(metric, needs.needs, f"{needs}\n  also with {fact}", needs.guesses)
    beneath = facts_beneath(plan, metric)
    if fact not in beneath:
        route = f" by {plan.route(metric)}" if plan.route(metric) else ""
        refuse(fact, f"changes nothing: {metric}{route} rests on {', '.join(beneath)}", "solve for one of these")

    def at(logarithm: float) -> float:
        trial = {**given, fact: quantity(math.exp(logarithm), field.kind.unit)}
        used = {name: trial[name] for name in beneath}
        computed = hamilton_graph.run(driver.modules, {**driver.config, **plan.config}, [metric], used)[metric]
        return math.log(computed.magnitude / coherent(target, computed_kind).magnitude)

    computed_kind = ANSWERS[metric].kind
    low, high = (math.log(coherent(quantity(end, field.units), field.kind).magnitude) for end in band(field))
    root = _root(at, low, high, field, metric, target)
    value = convert(quantity(math.exp(root), field.kind.unit), field.units)
    return Solved(fact, value, metric, convert(target, ANSWERS[metric].units))


def _fact(name: str) -> Field:
    if name not in FACTS:
        raise UnknownNameError("fact", name, nearest(name, FACTS, 1), f"the facts are {', '.join(FACTS)}")
    return FACTS[name]


def _root(at: Any, low: float, high: float, field: Field, metric: str, target: Quantity) -> float:
    from scipy.optimize import brentq  # loaded here: only planners pay for it

    ends = (at(low), at(high))
    if ends[0] * ends[1] > 0:
        reached = sorted(float(target.magnitude) * math.exp(end) for end in ends)
        shown = " to ".join(f"{number(each)}" for each in reached)
        what = f"has no value within {number(math.exp(low))} to {number(math.exp(high))} for which {metric} is {people(target)}"
        raise InputError((_fault(field.name, what, f"it can be {shown}"),))
    return float(brentq(at, low, high, xtol=1e-15, rtol=8.9e-16))
