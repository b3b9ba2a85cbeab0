"""The totals of a run of several stages, computed stage by stage and from what is stated of the whole."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from runlineage.catalogs.base.errors import InputError, RunlineageWarning
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.catalog import catalog_version
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.entries import of_stage
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import Printed
from runlineage.dataflow.graph.results import Result, Results
from runlineage.dataflow.graph.stage_lineage import Part, staged_lineage
from runlineage.dataflow.graph.stages import (
    STAGES,
    StagedResults,
    adds_up,
    figures_beside,
    no_total,
    rounding_of_sum,
    serves,
    told,
    total,
)
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.book import names_of
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.stage_facts import Divided, in_stage

T = TypeVar("T")


class Totals:
    """What is computed of a run of stages, whose facts are divided."""

    def __init__(self, divided: Divided) -> None:
        self.divided = divided
        self.name = divided.top.name
        self.whole = divided.whole

    def results(self, metrics: str | Iterable[str]) -> StagedResults:
        """Add up some metrics; those that do not add up have the reason as their problem."""
        asked, adding = self._asked(metrics)
        return self._answered(asked, self._each(lambda run: run.results(adding)), self.whole.results(adding))

    def trace(self, metrics: str | Iterable[str]) -> tuple[StagedResults, Lineage]:
        """Add up some metrics, with the lineage of each."""
        asked, adding = self._asked(metrics)
        stages = self._each(lambda run: run.trace(adding))
        whole, of_whole = self.whole.trace(adding)
        results = self._answered(asked, {stage: each for stage, (each, _) in stages.items()}, whole)
        parts = {stage: Part(lineage, self.divided.common[stage]) for stage, (_, lineage) in stages.items()}
        common = frozenset.intersection(*self.divided.common.values())
        served = [name for name in adding if serves(name, whole, alike=self.divided.is_alike)]
        lineage = staged_lineage(results, parts, Part(of_whole, common), served, self._of_run())
        return results, lineage

    def compute(self, metric: str, stacklevel: int) -> Quantity:
        """Return one total, and warn of what is doubtful at the line of the caller."""
        results = self.results(metric)
        value: Quantity = results[metric]
        for text in results.warnings:
            warnings.warn(text, RunlineageWarning, stacklevel=stacklevel)
        return value

    def against_whole(self) -> tuple[tuple[str, Quantity, Printed], ...]:
        """Return each sum beside each figure that is stated of the whole."""
        names = [name for name in FIELDS if adds_up(name)]
        stages = self._each(lambda run: run.results(names))
        results = self._answered(tuple(names), stages, self.whole.results(names))
        return tuple(
            (name, results[name], printed)
            for name in results.plan.reached
            if results.answers[name].route == STAGES
            for printed in figures_beside(name, results[name], self.inputs, rounding_of_sum(name, stages))
        )

    @property
    def inputs(self) -> Inputs:
        """The facts of the run itself, and those of each stage under its name."""
        stated = dict(self.divided.top.inputs.stated)
        for stage, facts in self._own.items():
            stated |= {of_stage(name, stage): fact for name, fact in facts.items()}
        return replace(self.divided.top.inputs, stated=Frozen(stated))

    @cached_property
    def _own(self) -> Mapping[str, Mapping[str, Fact]]:
        return Frozen({stage: Frozen(self.divided.stated(stage)) for stage in self.divided.stages})

    def _asked(self, metrics: str | Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what is asked, and what of it adds up; an unknown name is refused as that of any run."""
        asked = tuple(dict.fromkeys(names_of(metrics)))
        self.whole.plan(asked)
        return asked, tuple(name for name in asked if adds_up(name))

    def _each(self, ask: Callable[[PublishedRunScenario], T]) -> dict[str, T]:
        """Ask every stage; a route that is chosen and not open is refused with the stage."""
        answers = {}
        for stage, run in self.divided.stages.items():
            try:
                answers[stage] = ask(run)
            except InputError as problem:
                raise InputError(problem.at(f"{in_stage(stage)}: ").faults, self.name) from None
        return answers

    def _answered(self, asked: Iterable[str], stages: Mapping[str, Results], whole: Results) -> StagedResults:
        alike = self.divided.is_alike
        answers = {
            name: total(name, self.name, stages, whole, alike=alike) if adds_up(name) else self._refused(name)
            for name in asked
        }
        used = {*whole.plan.order, *(name for stage, each in stages.items() for name in self._used(stage, each))}
        return StagedResults(answers, used, self.inputs, told(answers, stages, whole, self.inputs.warnings))

    def _refused(self, name: str) -> Result:
        field = FIELDS.get(name)
        problem = no_total(name, self.name, self.divided.stages)
        return Result(name, None, field.unit_text if field else "", None, (), (), problem=problem)

    def _used(self, stage: str, results: Results) -> Iterable[str]:
        """Name what the answers of a stage rest on or are compared with."""
        words = (word for name in results.plan.order for word in results.inputs.parents.get(name, ()))
        figures = (each.fact for name in results.plan.outputs if (each := results.result(name).printed))
        for name in (*results.plan.order, *words, *figures):
            yield name if name in self.divided.common[stage] else of_stage(name, stage)

    def _of_run(self) -> Lineage:
        """Return what a lineage tells of the run itself, without any number."""
        top = self.divided.top
        return Lineage(
            self.name,
            (),
            Frozen({}),
            (),
            catalog_version(),
            Frozen({}),
            Frozen({}),
            stated=top.inputs.stated,
            assume=tuple(sorted(top.assume)),
            prefer=top.prefer,
            stages=self._own,
        )
