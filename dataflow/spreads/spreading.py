"""From uncertain facts to the spread of each answer: draws through the very same graph, one array a fact."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.ranges import NORMAL_END, Range
from runlineage.catalogs.quantities.units import is_ours, quantity_like
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.plans import Plan
from runlineage.dataflow.routes.spread_assumptions import NAMES, ROUNDING, SPREADS, SpreadAssumption
from runlineage.dataflow.spreads.budget import Products, is_skewed, is_symmetric, product_budget, sobol_budget
from runlineage.dataflow.spreads.columns_check import misfits
from runlineage.dataflow.spreads.draws import DRAWS, drawn_facts, logarithms, normals
from runlineage.dataflow.spreads.quantiles import ends
from runlineage.dataflow.spreads.rounded import rounded
from runlineage.dataflow.spreads.spread import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

Compute = Callable[..., Mapping[str, Any]]  # of a plan, names, inputs, and values that take the place of computed ones
Publish = Callable[[str, Any], Any]


@dataclass(frozen=True)
class Spreads:
    """The spreads of some quantities by name, and what is to be said of them."""

    found: Mapping[str, Spread] = field(default_factory=lambda: Frozen({}))
    warnings: tuple[str, ...] = ()


NOTHING = Spreads()


@dataclass(frozen=True)
class Uncertain:
    """A plan with its uncertain facts and factors, ready to be drawn."""

    plan: Plan
    inputs: Inputs
    run: Compute
    facts: Mapping[str, Range]
    assumed: Mapping[str, SpreadAssumption]

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """All that is drawn, in the order of its columns."""
        return {**self.facts, **{name: each.range for name, each in self.assumed.items()}}

    @cached_property
    def factors(self) -> dict[str, str]:
        """The quantities of the plan that are multiplied, by the assumption that multiplies them."""
        return {
            name: each.quantity
            for name, each in self.assumed.items()
            if each.quantity in self.plan.order and each.concerns(self.plan.choices[each.quantity])
        }

    def values(self, names: Iterable[str], logs: NDArray[np.float64]) -> Mapping[str, Any]:
        """Compute quantities from draws of the logarithms: arrays, or one number where a row is given."""
        drawn = drawn_facts(self.ranges, logs)
        facts = {name: drawn[name] for name in self.facts}
        inputs = replace(self.inputs, graph=Frozen({**self.inputs.graph, **facts}))
        instead: dict[str, Any] = {}
        for name, multiplied in self.factors.items():
            base = self.run(self.plan, [multiplied], inputs, instead)[multiplied]
            instead[multiplied] = base * drawn[name]
        return {name: instead.get(name, value) for name, value in self.run(self.plan, names, inputs, instead).items()}

    def over_draws(self, name: str, fact: str) -> Callable[[Any], Any]:
        """Return a function from a column of values of one fact, one for each draw of the others, to a quantity."""
        logs = logarithms(self.ranges)

        def computed(column: Any) -> Any:
            given = replace(self, inputs=replace(self.inputs, graph=Frozen({**self.inputs.graph, fact: column})))
            return given.values([name], logs)[name]

        return computed


def uncertain(
    plan: Plan, inputs: Inputs, assume: frozenset[str], run: Compute, but: Collection[str] = ()
) -> Uncertain | None:
    """Return the uncertain facts of some inputs, but for some by name; None where nothing is uncertain.

    Every fact has its column of draws whatever is asked, so that an answer is the same alone and beside others.
    """
    assumed = [name for name in NAMES if name in assume]
    if not inputs.ranges and not assumed:
        return None
    facts = {**inputs.ranges, **(rounded(inputs) if ROUNDING in assume else {})}
    kept = {name: facts[name] for name in sorted(facts) if name not in but}
    return Uncertain(plan, inputs, run, kept, {name: SPREADS[name] for name in assumed if name in SPREADS})


def spreads(
    plan: Plan,
    names: Iterable[str],
    inputs: Inputs,
    assume: frozenset[str],
    values: Mapping[str, Any],
    run: Compute,
    publish: Publish,
) -> Spreads:
    """Return the spread of each quantity whose facts are uncertain; `values` are those at the medians, published.

    Where no fact is a range and no spread is assumed, nothing is drawn.
    """
    case = uncertain(plan, inputs, assume, run)
    if case is None:
        return NOTHING
    is_rounded = any(each.shape == "uniform" and name in plan.order for name, each in case.facts.items())
    unused = [
        name for name in NAMES if name in assume and not (is_rounded if name == ROUNDING else name in case.factors)
    ]
    unneeded = tuple(f'assumption "{name}" was not needed' for name in unused if not plan.missing)
    if not case.ranges:
        return Spreads(warnings=unneeded)
    logs = logarithms(case.ranges)
    wanted = tuple(names)
    warnings = misfits(case.values, plan, wanted, logs)
    fit = [name for name in wanted if name not in warnings]
    drawn = {name: publish(name, value) for name, value in case.values(fit, logs).items()} if fit else {}
    medians = values
    if case.factors:  # whose own medians move the answers
        single = case.values(fit, np.zeros((1, len(case.ranges))))
        medians = {name: publish(name, each) for name, each in single.items()}
    found = _summarised(case, drawn, medians, logs, publish)
    return Spreads(Frozen(found), (*dict.fromkeys(warnings.values()), *unneeded))


def _summarised(
    case: Uncertain,
    drawn: Mapping[str, Any],
    values: Mapping[str, Any],
    logs: NDArray[np.float64],
    publish: Publish,
) -> dict[str, Spread]:
    products, found, others = Products(logs), {}, []
    for name, value in drawn.items():
        sizes = getattr(value, "magnitude", value)
        if np.shape(sizes) != (DRAWS,) or not np.isfinite(sizes).all() or np.ptp(sizes) == 0:
            continue
        exponents = products.exponents(sizes)
        if exponents is None:
            others.append(name)
        elif exponents.any():
            found[name] = _of_product(name, case.ranges, exponents, sizes, values[name], logs)
    if others:
        found |= _of_others(case, others, drawn, publish)
    return {name: found[name] for name in drawn if name in found}


def _of_product(
    name: str,
    ranges: Mapping[str, Range],
    exponents: NDArray[np.float64],
    sizes: NDArray[np.float64],
    value: Any,
    logs: NDArray[np.float64],
) -> Spread:
    """Summarise a product: by algebra where each of its facts is lognormal, by its draws else."""
    own = [(each, power) for each, power in zip(ranges.values(), exponents, strict=True) if power]
    low, middle, high = _ends(sizes, len(ranges))
    point = float(np.ravel(getattr(value, "magnitude", value))[0])
    if not any(is_skewed(each) for each, _ in own):
        middle = point
    if all(is_symmetric(each) for each, _ in own):
        width = NORMAL_END * float(np.sqrt(sum((power * each.halves[0]) ** 2 for each, power in own)))
        low, high = point * float(np.exp(-width)), point * float(np.exp(width))
    budget = product_budget(ranges, exponents, logs)
    return Spread(name, *_like(value, middle, low, high), Frozen(_sorted(budget)), sizes)


def _of_others(case: Uncertain, names: list[str], drawn: Mapping[str, Any], publish: Publish) -> dict[str, Spread]:
    count = len(case.ranges)
    one, other = (logarithms(case.ranges, first, 2 * count) for first in (0, count))

    def answers(logs: NDArray[np.float64]) -> Mapping[str, NDArray[np.float64]]:
        return {
            name: np.broadcast_to(_sizes(publish(name, each)), (DRAWS,))
            for name, each in case.values(names, logs).items()
        }

    places = list(case.ranges)
    found = {}
    for name, indices in sobol_budget(names, count, answers, one, other).items():
        value = drawn[name]
        sizes = getattr(value, "magnitude", value)
        low, middle, high = _ends(sizes, count)
        budget = {places[place]: share for place, share in indices.items()}
        found[name] = Spread(name, *_like(value, middle, low, high), Frozen(_sorted(budget)), sizes, is_product=False)
    return found


def _sizes(value: Any) -> Any:
    return getattr(value, "magnitude", value)


def _ends(sizes: NDArray[np.float64], dimensions: int) -> tuple[float, float, float]:
    low, middle, high = map(float, ends(sizes, normals(dimensions)))
    return low, middle, high


def _like(value: Any, *sizes: float) -> tuple[Any, Any, Any]:
    middle, low, high = (quantity_like(size, value) if is_ours(value) else size for size in sizes)
    return middle, low, high


def _sorted(budget: Mapping[str, float]) -> dict[str, float]:
    """Put the fact that drives the spread first."""
    return dict(sorted(budget.items(), key=lambda part: (-part[1], part[0])))
