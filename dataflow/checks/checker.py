"""A run's published figures held against each other: every comparison that its facts allow."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.contradictions import explanation
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.units import Quantity, convert, is_ours, quantity, unit
from runlineage.dataflow.checks.beside import beside_of
from runlineage.dataflow.checks.causes import RATIOS, RECORDED, cause_of
from runlineage.dataflow.checks.check import Check
from runlineage.dataflow.checks.compared import AGREE, CLOSE, CONTRADICT, Compared, Doubt
from runlineage.dataflow.checks.doubt import doubts_of
from runlineage.dataflow.checks.fit import fit
from runlineage.dataflow.checks.marks import CHECK_MODULES, OF_TOTAL, marks_of
from runlineage.dataflow.checks.rounding import carried, half_width, slopes_of
from runlineage.dataflow.checks.total import with_total
from runlineage.dataflow.graph.driver import Driver
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.results import facts_beneath
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.inputs.lookups import FROM_WORDS
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.plans import Plan

BY_WORD = frozenset(name for name, _ in FROM_WORDS.values())  # numbers of the graph that nobody printed
STEP = 1e-4  # of a fact's logarithm, by which its slopes are read


class Checker:
    """Compare the figures of one run after another with the same comparisons: ours, and those of a user's modules."""

    def __init__(self, modules: Iterable[ModuleType] = (), assume: Iterable[str] = (), prefer: Any = None) -> None:
        self.driver = Driver(*MODULES, *CHECK_MODULES, *modules, assume=assume, prefer=prefer)
        self.marks = marks_of(self.driver.book)

    def check(self, subject: str, inputs: Inputs) -> Check:
        """Compare all figures of a run. Raises InputError for columns."""
        _refuse_columns(subject, inputs)
        given = with_total(inputs)
        plan = self.driver.plan(self._names(given), given)
        raw = self._compare(plan, given)
        widths = _widths(given, given.given)
        described = tuple(
            replace(
                each,
                doubts=doubts_of(each, raw, given.given, widths, given.parents) if each.word == CONTRADICT else (),
                known=explanation(subject, each.name, each.ratio),
            )
            for each in self._with_causes(raw, given)
        )
        return Check(subject, described, _first(described), fit(described, widths), beside_of(given), inputs.warnings)

    def lineage(self, subject: str, inputs: Inputs, names: Iterable[str] = ()) -> Lineage:
        """Return where comparisons come from: those named, or all that the facts allow."""
        given = with_total(inputs)
        wanted = tuple(names) or self.driver.plan(self._names(given), given).reached
        found = self.driver.lineage(wanted, given)
        return replace(found, subject=subject)

    def _names(self, given: Inputs) -> tuple[str, ...]:
        """Name the comparisons to try: that of a sparse model's total where nothing else tells its work."""
        is_known = not {"active_parameters", "training_ops"}.isdisjoint(given.given)
        return tuple(name for name in self.marks if not (is_known and name == OF_TOTAL))

    def _compare(self, plan: Plan, given: Inputs) -> tuple[Compared, ...]:
        """Run the graph once, on the facts as they are and with each a step up, and read ratios, slopes and widths."""
        beneath = {name: facts_beneath(plan, name) for name in plan.reached}
        facts = tuple(
            name
            for name in dict.fromkeys(each for names in beneath.values() for each in names)
            if is_ours(given.graph[name])
        )
        stepped = {name: _stepped(given.graph[name], facts.index(name), len(facts)) for name in facts}
        moved = replace(given, graph=Frozen({**given.graph, **stepped}))
        names = [*plan.reached, *(self.marks[name].figure for name in plan.reached)]
        values = self.driver.values(plan, dict.fromkeys(names), moved)
        widths = _widths(given, facts)
        found = []
        for name in plan.reached:
            mark = self.marks[name]
            ratios = np.broadcast_to(np.asarray(values[name].m_as(""), dtype=float), (len(facts) + 1,))
            slopes = slopes_of(np.log(ratios), facts, STEP)
            if slopes:  # else the two are one figure
                figure = _first_of(values[mark.figure])
                shown = _shown(mark.figure, figure, given, facts_beneath(plan, mark.figure))
                ratio = float(ratios[0])
                found.append(Compared(name, mark, shown, shown / ratio, ratio, carried(slopes, widths), Frozen(slopes)))
        return tuple(_lowest(found))

    def _with_causes(self, raw: Sequence[Compared], given: Inputs) -> Iterable[Compared]:
        off = [each for each in raw if each.word != AGREE]
        ratios = self._ratios(given) if off else {}
        for each in raw:
            cause, sentence = "", ""
            if each in off:
                cause, sentence = cause_of(
                    each.ratio,
                    each.width,
                    each.mark.causes,
                    ratios,
                    given.words,
                    figure=each.mark.figure,
                    is_recorded=RECORDED in given.given,
                    is_close=each.word == CLOSE,
                )
            yield replace(each, cause=cause, explanation=sentence)

    def _ratios(self, given: Inputs) -> dict[str, float]:
        """Compute the ratios that causes make in this run, as far as its facts allow."""
        plan = self.driver.plan(RATIOS, given)
        return {name: float(value.m_as("")) for name, value in self.driver.values(plan, plan.reached, given).items()}


def _refuse_columns(subject: str, inputs: Inputs) -> None:
    faults = [
        Fault(name, "is a column", "a check is of one run: give one value, or check a table")
        for name, value in inputs.given.items()
        if np.shape(value.magnitude)
    ]
    if faults:
        raise InputError(tuple(faults), subject)


def _stepped(value: Any, place: int, facts: int) -> Quantity:
    """Return a fact as a column: as it is, and a step up at its own place."""
    steps = np.ones(facts + 1)
    steps[place + 1] = math.exp(STEP)
    return quantity(float(value.magnitude) * steps, value.units)


def _widths(given: Inputs, names: Iterable[str]) -> dict[str, float]:
    """Return what facts leave open: to the ends of a range, else by their digits; nothing for a word's number."""
    ends = {name: (each.low.m, each.value.m, each.high.m) for name, each in given.ranges.items()}
    widths = {name: math.log(max(high / value, value / low)) for name, (low, value, high) in ends.items()}
    digits = {name: 0.0 if name in BY_WORD else half_width(given.given[name]) for name in names if name in given.given}
    return digits | {name: width for name, width in widths.items() if name in digits}


def _first_of(value: Any) -> Quantity:
    return quantity(float(np.ravel(value.magnitude)[0]), value.units)


UNITS = {
    "run_work": "flop",
    "total_work": "flop",
    "printed_rate": "TFLOP/s/accelerator",
    "stated_power": "W/accelerator",
    "printed_energy": "GWh",
    "device_energy": "GWh",
    "printed_it_energy": "GWh",
    "printed_facility_energy": "GWh*facility",
}


def _shown(name: str, value: Quantity, given: Inputs, beneath: Collection[str]) -> Quantity:
    """Express a figure as it was given, or in the unit that people read it in."""
    fact = name if name in given.given else next(iter(beneath)) if len(beneath) == 1 else ""
    if fact in given.given and math.isclose(float(given.graph[fact].magnitude), float(value.magnitude)):
        return given.given[fact]
    known = FIELDS.get(name)
    text = known.unit if known else UNITS.get(name)
    return convert(value, unit(text)) if text else value


def _lowest(found: Iterable[Compared]) -> Iterable[Compared]:
    """Drop what only repeats comparisons before it: whose slopes these make up, so that it tells nothing further.

    A bound is another statement than an equation, and is kept.
    """
    basis: list[dict[str, float]] = []
    for each in found:
        if each.mark.is_bound:
            yield each
        elif not _is_made_up_of(each.slopes, basis):
            basis.append(dict(each.slopes))
            yield each


def _is_made_up_of(slopes: Mapping[str, float], basis: Iterable[Mapping[str, float]]) -> bool:
    basis = list(basis)
    if not basis:
        return False
    names = list(dict.fromkeys([*slopes, *(name for each in basis for name in each)]))
    matrix = np.array([[each.get(name, 0.0) for name in names] for each in basis]).T
    wanted = np.array([slopes.get(name, 0.0) for name in names])
    rest = wanted - matrix @ np.linalg.lstsq(matrix, wanted, rcond=None)[0]
    return bool(np.max(np.abs(rest)) < 1e-3)


def _first(compared: Iterable[Compared]) -> tuple[Doubt, ...]:
    """Return the facts to doubt first, over all contradictions: each once, by the value that settles the most."""
    best: dict[str, Doubt] = {}
    for doubt in (doubt for each in compared for doubt in each.doubts):
        if doubt.fact not in best or doubt.rank < best[doubt.fact].rank:
            best[doubt.fact] = doubt
    return tuple(sorted(best.values(), key=lambda each: each.rank))
