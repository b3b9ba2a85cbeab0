"""A run of several stages: amounts add up over them, rates do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, Unpack

from runlineage.catalogs.base.errors import AmbiguousNameError, Fault, InputError, UnknownNameError
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import matches, nearest
from runlineage.catalogs.quantities.fields import FIELDS, METRICS
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.records import Workload
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.runs.fact_types import Changes, RunFacts, WordValue, with_fields
from runlineage.dataflow.runs.run import Run
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.stage_facts import AMOUNTS, Divided, divided, left_by_stage
from runlineage.dataflow.runs.variants import titled, varied

if TYPE_CHECKING:
    from runlineage.dataflow.checks.check import Check
    from runlineage.dataflow.graph.lineage import Lineage
    from runlineage.dataflow.graph.printed import Printed
    from runlineage.dataflow.graph.results import Result
    from runlineage.dataflow.graph.stages import StagedResults
    from runlineage.dataflow.runs.stage_totals import Totals

USUAL = ("accelerator_hours", *METRICS)  # what is shown of a run of stages where nothing is asked by name


class StagedRun(Run):
    """A run of several stages, each with facts of its own, such as pre-training and what follows it.

    `stages` has the facts of each stage by its name. Facts beside them are of the run: amounts (operations, hours,
    energy, emissions, tokens, cost) are of the whole and are held against the sum, and all else is shared by the
    stages. A metric that adds up is the sum over the stages if each has it, else the figure that is stated of the
    whole; rates, fractions and what is of single steps are asked of one stage. Raises `InputError` with all faults.

    >>> run = StagedRun(
    ...     {"pre-training": {"accelerator_hours": "2664K"}, "post-training": {"accelerator_hours": "5K"}},
    ...     name="a run", device_power="700 W",
    ... )
    >>> print(f"{run.energy:.4f~P}", f"{run.stage('post-training').energy.to('MWh'):.1f~P}")
    1.8683 GWh 3.5 MWh
    """

    stages: Mapping[str, PublishedRunScenario]
    _divided: Divided

    @with_fields
    def __init__(
        self,
        stages: Mapping[str, Mapping[str, Any]],
        workload: Workload | str | None = None,
        accelerator: HardwareNode | WordValue = None,
        *,
        name: str = "",
        assume: Iterable[str] = (),
        modules: Iterable[ModuleType] = (),
        prefer: Mapping[str, str] | None = None,
        **facts: Unpack[RunFacts],
    ) -> None:
        asked: dict[str, Any] = {"assume": assume, "modules": tuple(modules), "prefer": prefer}
        given = {key: each for key, each in {"accelerator": accelerator, **facts}.items() if each is not None}
        made = divided(stages, workload, given, name, asked)
        top = made.top
        # Written to __dict__, since a run does not change: `variant` gives a changed copy.
        vars(self).update(
            workload=made.workload,
            name=top.name,
            stages=Frozen(made.stages),
            assume=top.assume,
            prefer=top.prefer,
            modules=top.modules,
            _divided=made,
            _base=top.name,
            _changes={},
        )

    @property
    def inputs(self) -> Inputs:
        """The facts that are given to the run itself: amounts of the whole, and what all stages share."""
        return self._divided.top.inputs

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the run itself by field; those of a stage stand in its own `.facts`."""
        return dict(self._divided.top.facts)

    @property
    def whole(self) -> PublishedRunScenario:
        """The whole as one run: its own amounts, and what all stages share where they differ in nothing else."""
        return self._divided.whole

    def stage(self, name: str) -> PublishedRunScenario:
        """Return one stage as a run of its own, by any usual spelling of its name.

        Raises `UnknownNameError` for a stage that the run does not have.
        """
        found = matches(name, self.stages) if isinstance(name, str) else ()
        if len(found) == 1:
            return self.stages[found[0]]
        if found:
            raise AmbiguousNameError("stage", name, found)
        known = f"the stages of {self.name} are {', '.join(self.stages)}"
        raise UnknownNameError("stage", str(name), nearest(str(name), self.stages, 1), known)

    def result(self, metric: str) -> Result[Quantity]:
        """Return one total with its route or problem; a missing fact raises nothing."""
        return self.results([metric]).result(metric)

    def results(self, metrics: str | Iterable[str] = USUAL) -> StagedResults:
        """Return several totals at once, those that cannot be computed with their reasons."""
        return self._totals.results(metrics)

    def lineage(self, metric: str | Iterable[str] = USUAL) -> Lineage:
        """Return where the totals came from, stage by stage."""
        return self.trace(metric)[1]

    def trace(self, metric: str | Iterable[str] = USUAL) -> tuple[StagedResults, Lineage]:
        """Return totals and their lineage."""
        return self._totals.trace(metric)

    def against_whole(self) -> tuple[tuple[str, Quantity, Printed], ...]:
        """Return each sum of the stages beside each figure that is stated of the whole: name, sum, comparison.

        >>> hours = {"a": {"accelerator_hours": 2e6}, "b": {"accelerator_hours": 1e6}}
        >>> for name, total, stated in StagedRun(hours, accelerator_hours="3.3M").against_whole():
        ...     print(name, total.m_as("accelerator*hour"), "|", stated, stated.agrees)
        accelerator_hours 3000000.0 | printed 3,300,000 accelerator·hour (this is 9.1% less) False
        """
        return self._totals.against_whole()

    def check(self) -> Check:
        """Hold the figures of each stage against each other, and the sum of the stages against those of the whole.

        >>> hours = {"a": {"accelerator_hours": 2e6}, "b": {"accelerator_hours": 1e6}}
        >>> print(StagedRun(hours, accelerator_hours="3.3M").check().contradictions[0].ratio)
        1.1
        """
        from runlineage.dataflow.runs.stage_checks import check_stages

        return check_stages(self.name, self.stages, self.against_whole())

    @with_fields
    def variant(
        self,
        *,
        assume: Iterable[str] | None = None,
        name: str = "",
        prefer: Mapping[str, str] | None = None,
        **changes: Unpack[Changes],
    ) -> StagedRun:
        """Return a copy in which facts of the run itself are changed; None withdraws one.

        A stage keeps what it was given for itself, but for what described or was recorded of a fact that it shares and
        that is another now. A stage alone is changed by `.stage(name).variant(…)`.
        """
        changed = [key for key, each in changes.items() if each is not None]
        now = self._divided
        before = {"workload", *(key for key in now.top.facts if key not in AMOUNTS)}
        kept = varied(now.given, changes, before, self.inputs.stated)
        base = self._base if isinstance(name, str) and not name else name
        told = self._changes | changes if name == "" else {}
        made = StagedRun(
            {stage: left_by_stage(own, self.stages[stage], changed, before) for stage, own in now.own.items()},
            changes.get("workload", self.workload),
            name=titled(base, told) if told else base,
            assume=self.assume if assume is None else assume,
            modules=self.modules,
            prefer=self.prefer if prefer is None else prefer,
            **kept,
        )
        vars(made).update(_base=base, _changes=told)
        return made

    def plan(self, metric: str | Iterable[str] = USUAL) -> NoReturn:
        """Refuse: a plan is of one stage, `.stage(name).plan(…)`."""
        raise of_one_stage(self, "a plan of routes")

    def solve(self, fact: str, **wanted: Any) -> NoReturn:
        """Refuse: a fact is solved for one stage, `.stage(name).solve(…)`."""
        raise of_one_stage(self, "solving for a fact")

    @cached_property
    def _totals(self) -> Totals:
        from runlineage.dataflow.runs.stage_totals import Totals  # Hamilton loads when something is computed

        return Totals(self._divided)

    def _compute(self, metric: str) -> Quantity:
        return self._totals.compute(metric, stacklevel=4)

    def _no_attribute(self, name: str, guess: str) -> str:
        amount = f".result({name!r}) adds it up over the stages"
        fact = "it is asked of one stage, whose facts stand in .stage(name).facts"
        hint = amount if name in AMOUNTS else fact if name in FIELDS else guess
        return f"a run of stages has no {name!r}" + (f"; {hint}" if hint else "")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {', '.join(self.stages)}>"


AnyRun: TypeAlias = PublishedRunScenario | StagedRun


def one_stage(run: AnyRun, what: str) -> PublishedRunScenario:
    """Return a run that has no stages; what can be had of one stage only is refused of a run of several.

    >>> one_stage(StagedRun({"a": {"duration": 1}, "b": {"duration": 2}}, name="mine"), "a card")
    Traceback (most recent call last):
    runlineage.catalogs.base.errors.InputError: mine: stages: are a, b, and a card is of one; name one: RUN#a, in \
Python run.stage('a')
    """
    if isinstance(run, PublishedRunScenario):
        return run
    raise of_one_stage(run, what)


def of_one_stage(run: StagedRun, what: str) -> InputError:
    """Return the refusal of what can be had of one stage only."""
    first = next(iter(run.stages))
    what = f"are {', '.join(run.stages)}, and {what} is of one"
    return InputError((Fault("stages", what, f"name one: RUN#{first}, in Python run.stage({first!r})"),), run.name)
