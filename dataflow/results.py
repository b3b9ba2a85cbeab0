"""Results: values that know their route, assumptions, sources and doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from runlineage.catalogs.errors import CannotComputeError
from runlineage.catalogs.fields import FIELDS
from runlineage.catalogs.formatting import number, people
from runlineage.catalogs.units import convert, is_ours
from runlineage.dataflow.inputs import Inputs
from runlineage.dataflow.routes import Plan


@dataclass(frozen=True)
class Result:
    """One metric's answer: `value` in its published unit, or `problem` saying why there is none.

    `route` is None where a metric has only one way; `assumes` holds every assumption beneath it; `sources` are the
    keys of the sources its facts came from.
    """

    name: str
    value: Any
    unit: str
    route: str | None
    assumes: tuple[str, ...]
    sources: tuple[str, ...]
    note: str = ""
    problem: CannotComputeError | None = None

    def __str__(self) -> str:
        if self.problem:
            return f"{self.name}: {self.problem.needs}"
        return f"{self.name} = {people(self.value) if is_ours(self.value) else self.value}"

    def as_json(self) -> dict[str, Any]:
        """Give the five stable keys, numbers in full precision."""
        magnitude = getattr(self.value, "magnitude", self.value)
        return {
            "value": magnitude.tolist() if isinstance(magnitude, np.ndarray) else magnitude,
            "unit": self.unit,
            "route": self.route,
            "assumes": list(self.assumes),
            "problem": self.problem.needs if self.problem else None,
        }


class Results(dict[str, Any]):
    """The values by name, as Hamilton gives them, with the plan, the inputs and the warnings they came with."""

    def __init__(
        self,
        values: Mapping[str, Any],
        plan: Plan,
        inputs: Inputs,
        problems: Mapping[str, CannotComputeError],
        warnings: tuple[str, ...],
    ) -> None:
        super().__init__(values)
        self.plan = plan
        self.inputs = inputs
        self.problems = dict(problems)
        self.warnings = warnings

    def result(self, name: str) -> Result:
        """Give one output with its route and sources."""
        field = FIELDS.get(name)
        value = self.get(name)
        unit = field.unit_text if field else str(getattr(value, "units", ""))
        facts = facts_beneath(self.plan, name)
        origins = [self.inputs.origins[fact] for fact in facts if fact in self.inputs.origins]
        sources = tuple(dict.fromkeys(origin.source for origin in origins if origin.source))
        route, assumes = self.plan.route(name), self.plan.assumes(name)
        return Result(name, value, unit, route, assumes, sources, self._note(name), self.problems.get(name))

    def _note(self, name: str) -> str:
        peak = self.inputs.given.get("peak_flops")
        if name != "peak_fraction" or peak is None or np.shape(peak.magnitude) or name in self.problems:
            return ""
        origin = self.inputs.origins.get("peak_flops")
        unstated = " (precision not stated)" if origin and origin.note and "precision not stated" in origin.note else ""
        precision = self.inputs.words.get("precision")
        return f"of {people(peak).removesuffix(' per accelerator')}" + (f" at {precision}" if precision else unstated)

    def __reduce__(self) -> Any:
        return Results, (dict(self), self.plan, self.inputs, self.problems, self.warnings)


def facts_beneath(plan: Plan, name: str) -> tuple[str, ...]:
    """Name the supplied quantities that a quantity rests on, in the order of the plan."""
    waiting, reached = [name], set()
    while waiting:
        each = waiting.pop()
        choice = plan.choices.get(each)
        if each not in reached and choice is not None:
            reached.add(each)
            waiting.extend(choice.route.needs if choice.route else ())
    return tuple(each for each in plan.order if each in reached and plan.choices[each].route is None)


def published(name: str, value: Any) -> Any:
    """Express a result in the unit that its field is published in."""
    field = FIELDS.get(name)
    return convert(value, field.units) if field is not None and is_ours(value) else value


def doubts(values: Mapping[str, Any], plan: Plan) -> list[str]:
    """Say what an answer itself shows to be doubtful: no device works above its peak."""
    fraction = values.get("peak_fraction")
    largest = float(np.max(fraction.magnitude)) if fraction is not None else 0.0
    if largest <= 1:
        return []
    facts = ", ".join(facts_beneath(plan, "peak_fraction")) or "peak_fraction as supplied"
    return [f"peak_fraction is {number(largest)}, and no device works above its dense peak: doubt {facts}"]
