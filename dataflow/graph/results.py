"""Results: values that know their route, assumptions, sources and doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from runlineage.catalogs.base.errors import CannotComputeError, UnknownNameError, echo
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.views import shown_as
from runlineage.catalogs.catalog import Grids
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.units import convert, is_ours
from runlineage.dataflow.graph.printed import Printed, printed_of, share
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.plans import SUPPLIED, Plan
from runlineage.dataflow.spreads.spread import Spread

# What an answer's value is: a quantity, but where a user's own node gives anything.
if TYPE_CHECKING:
    from typing_extensions import TypeVar

    V = TypeVar("V", default=Any)
else:
    from typing import TypeVar

    V = TypeVar("V")

PART_TOLERANCE = 0.01  # within which the energy of a facility and that of its devices are one printed figure
GIVEN = "given by the caller"
POWER_WORDS = {"tdp": "TDP", "measured_device": "measured", "measured_system": "of whole systems"}


@dataclass(frozen=True)
class Result(Generic[V]):
    """One metric's answer: `value` in its published unit, or None and the `problem` that explains why.

    `route` is None where a metric has only one way; `assumes` holds every assumption beneath it; `sources` are the
    keys of the sources its facts came from; `note` is what the number must not be read without; `printed` is the
    figure that the authors print of it, with the difference; `spread` its interval where facts are ranges.
    """

    name: str
    value: V | None
    unit: str
    route: str | None
    assumes: tuple[str, ...]
    sources: tuple[str, ...]
    note: str = ""
    problem: CannotComputeError | None = None
    printed: Printed | None = None
    spread: Spread | None = None

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """The ends of the 90 % interval, in the unit of the value; None where no fact is uncertain."""
        return self.spread.interval if self.spread else None

    @property
    def budget(self) -> Mapping[str, float] | None:
        """The share of each uncertain fact in the variance of the logarithm; None where no fact is uncertain."""
        return self.spread.budget if self.spread else None

    def __str__(self) -> str:
        if self.problem:
            return f"{self.name}: {self.problem.needs}"
        plain = number(self.value) if isinstance(self.value, float) else self.value
        return f"{self.name} = {self.spread or (people(self.value) if is_ours(self.value) else plain)}"

    def _repr_html_(self) -> str:
        """Show itself in a notebook: name, value, and how it was had or what is missing."""
        return str(shown_as("html", self))

    def as_json(self) -> dict[str, Any]:
        """Return the stable keys, numbers in full precision."""
        magnitude = getattr(self.value, "magnitude", self.value)
        return {
            "value": magnitude.tolist() if isinstance(magnitude, np.ndarray) else magnitude,
            "unit": self.unit,
            "route": self.route,
            "assumes": list(self.assumes),
            "problem": self.problem.needs if self.problem else None,
            "published": self.printed.as_json() if self.printed else None,
            "interval": self.spread.interval_json() if self.spread else None,
            "budget": dict(self.spread.budget) if self.spread else None,
        }


class Results(dict[str, V]):
    """The values by name, as Hamilton gives them, with the plan, the inputs and the warnings they came with."""

    def __init__(
        self,
        values: Mapping[str, V],
        plan: Plan,
        inputs: Inputs,
        problems: Mapping[str, CannotComputeError],
        warnings: tuple[str, ...],
        spreads: Mapping[str, Spread] = Frozen({}),
    ) -> None:
        super().__init__(values)
        self.plan = plan
        self.inputs = inputs
        self.problems = dict(problems)
        self.warnings = warnings
        self.spreads = spreads

    def result(self, name: str) -> Result[V]:
        """Return one output with its route and sources; one that was not asked for raises `UnknownNameError`."""
        if not isinstance(name, str) or (name not in self and name not in self.problems):
            raise self._unasked(name)
        field = FIELDS.get(name)
        value = self.get(name)
        unit = field.unit_text if field else str(getattr(value, "units", ""))
        facts = facts_beneath(self.plan, name)
        words = [word for fact in facts for word in self.inputs.parents.get(fact, ())]
        origins = (self.inputs.origins.get(each) for each in dict.fromkeys([*facts, *words]))
        sources = tuple(dict.fromkeys(origin.source if origin and origin.source else GIVEN for origin in origins))
        route, assumes = self.plan.route(name), self.plan.assumes(name)
        note, spread = self._note(name), self.spreads.get(name)
        printed = printed_of(name, value, self.inputs, lambda _: facts, spread.interval if spread else None)
        return Result(name, value, unit, route, assumes, sources, note, self.problems.get(name), printed, spread)

    def __missing__(self, name: str) -> V:
        if name in self.problems:
            raise self.problems[name]
        raise self._unasked(name)

    def _unasked(self, name: object) -> UnknownNameError:
        text = name if isinstance(name, str) else echo(name)
        return UnknownNameError("output", text, hint=f"asked for: {', '.join(self.plan.outputs) or 'nothing'}")

    def __str__(self) -> str:
        return "\n".join(str(self.result(name)) for name in self.plan.outputs)

    def _repr_html_(self) -> str:
        """Show every output in a notebook, with what is missing, and the warnings."""
        return str(shown_as("html", self))

    def _note(self, name: str) -> str:
        """Describe what a number must not be read without: which peak, which power, which grid."""
        if name in self.problems or self.plan.route(name) == SUPPLIED:
            return ""
        words = self.inputs.words
        if name == "location_emissions" and "region" in self.inputs.parents.get("carbon_intensity", ()):
            return f"grid of {Grids[words['region']].name} in {words['year']}"
        if name == "energy" and "power_basis" in words and self.plan.route("device_power") == SUPPLIED:
            return f"device power is {POWER_WORDS[words['power_basis']]}"
        peak = self.inputs.given.get("peak_flops")
        if name != "peak_fraction" or peak is None or np.shape(peak.magnitude):
            return ""
        text = f"of {people(peak).removesuffix(' per accelerator')}" + (
            f" at {words['precision']}" if "precision" in words else ""
        )
        origin = self.inputs.origins.get("peak_flops")
        looked_up = "peak_flops" in self.inputs.parents
        doubts = ["precision not stated"] if looked_up and "precision" not in words else []
        doubts += ["device variant assumed"] if origin and origin.basis == "assumed" else []
        return text + (f" ({', '.join(doubts)})" if doubts else "")

    def __reduce__(self) -> Any:
        return Results, (dict(self), self.plan, self.inputs, self.problems, self.warnings, self.spreads)


def facts_beneath(plan: Plan, name: str) -> tuple[str, ...]:
    """List the supplied quantities that a quantity rests on, in the order of the plan."""
    waiting, reached = [name], set()
    while waiting:
        each = waiting.pop()
        choice = plan.choices.get(each)
        if each not in reached and choice is not None:
            reached.add(each)
            waiting.extend(choice.needs)
    return tuple(each for each in plan.order if each in reached and plan.choices[each].route is None)


def published(name: str, value: Any) -> Any:
    """Express a result in the unit that its field is published in; a user's own in the unit of its kind."""
    if not is_ours(value):
        return value
    field = FIELDS.get(name.rpartition(".")[2])  # `bloom.energy` of a user's @subdag is an energy too
    fits: bool = field is not None and isinstance(value, field.kind)
    if field and fits:
        return convert(value, field.units)
    return next((convert(value, kind.unit) for kind in KINDS.values() if isinstance(value, kind)), value)


def doubts(
    values: Mapping[str, Any], plan: Plan, inputs: Inputs, spreads: Mapping[str, Spread] = Frozen({})
) -> list[str]:
    """List what the answers themselves show to be doubtful: a rate above the peak, or what authors print otherwise."""
    texts = []
    for name, field in ANSWERS.items():
        bound = field.band.most if field.band and field.kind is KINDS["Fraction"] else None
        largest = float(np.max(values[name].magnitude)) if bound and values.get(name) is not None else 0.0
        if field.band and bound and largest > bound:
            facts = ", ".join(facts_beneath(plan, name)) or f"{name} as supplied"
            texts.append(f"{name} is {number(largest)}, and {field.band.why}: doubt {facts}")
    texts += _less_than_its_part(values)
    for name in plan.reached:
        interval = spreads[name].interval if name in spreads else None
        printed = printed_of(name, values[name], inputs, partial(facts_beneath, plan), interval)
        if printed and printed.difference is not None and not (printed.agrees or printed.is_of_another):
            theirs = f"the {people(printed.value)} that the authors print ({printed.origin})"
            texts.append(f"{name} is {people(values[name])}, {share(printed.difference, theirs)}")
    return texts


def _less_than_its_part(values: Mapping[str, Any]) -> list[str]:
    """Say where a facility used less than the devices in it."""
    whole, part = values.get("facility_energy"), values.get("energy")
    if whole is None or part is None or not np.any(whole.m_as("J*facility") < part.m_as("J") * (1 - PART_TOLERANCE)):
        return []
    return ["facility_energy is less than the energy of the devices in it: doubt the facts of one of them"]
