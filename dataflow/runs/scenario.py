"""A published run: its facts, and its metrics as lazy attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Unpack

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.names_given import names_given
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.catalog import Workloads
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS, METRICS
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Workload
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.inputs.read_inputs import read_inputs
from runlineage.dataflow.runs.fact_types import Changes, RunFacts, WordValue, with_fields
from runlineage.dataflow.runs.run import Run
from runlineage.dataflow.runs.variants import is_column, titled, varied

if TYPE_CHECKING:
    from runlineage.dataflow.checks.check import Check
    from runlineage.dataflow.graph.driver import Driver
    from runlineage.dataflow.graph.lineage import Lineage
    from runlineage.dataflow.graph.results import Result, Results
    from runlineage.dataflow.graph.solving import Solved
    from runlineage.dataflow.routes.plans import Plan
    from runlineage.dataflow.spreads.spread import Spread


class PublishedRunScenario(Run):
    """A training run by its published facts. Built with keyword inputs: any field by its name.

    `workload` and `accelerator` are records or names in the catalogs; every other fact is a quantity, text such as
    `"30.84M GPU hours"`, a number in the field's unit, or a column. A metric is computed when it is asked for, by the
    route that needs the fewest assumptions; an impossible one raises `CannotComputeError`.

    >>> run = PublishedRunScenario(
    ...     name="LLaMA 65B", accelerator_hours=1_022_362, device_power="400 W",
    ... )
    >>> print(f"{run.energy:.5f~P}")
    0.40894 GWh
    >>> print(f"{run.variant(device_power='350 W').energy:.5f~P}")
    0.35783 GWh
    """

    _own: dict[str, Any]

    @with_fields
    def __init__(
        self,
        workload: Workload | str | None = None,
        accelerator: HardwareNode | WordValue = None,
        *,
        name: str = "",
        assume: Iterable[str] = (),
        modules: Iterable[ModuleType] = (),
        prefer: Mapping[str, str] | None = None,
        **facts: Unpack[RunFacts],
    ) -> None:
        if isinstance(workload, str):
            workload = Workloads[workload]
        faults = [*_wrong_type("workload", workload, (Workload, type(None)), "a Workload or the name of one")]
        faults += _wrong_type("name", name, (str,), "text")
        faults += _wrong_type("prefer", prefer, (Mapping, type(None)), "a mapping of quantities to routes")
        assumed: tuple[str, ...] = ()
        try:
            assumed = names_given(assume, "assume", "names of assumptions")
        except InputError as problem:
            faults.extend(problem.faults)
        if faults:
            raise InputError(tuple(faults))
        name = plain_text(name or (workload.name if workload else "") or "my run")
        own = {key: value for key, value in {"accelerator": accelerator, **facts}.items() if value is not None}
        # Written to __dict__, since a scenario does not change: `variant` gives a changed copy.
        vars(self).update(
            workload=workload,
            name=name,
            assume=frozenset(assumed),
            modules=tuple(modules),
            prefer=Frozen(prefer or {}),
            _own=own,
            _base=name,
            _changes={},
        )
        given = self.inputs.given  # a fault is raised when the scenario is built, not when it is asked
        vars(self).update(
            _own={key: given.get(key, value) if is_column(value) else value for key, value in own.items()}
        )

    @cached_property
    def inputs(self) -> Inputs:
        """The facts as the graph takes them, with what is withheld and what is doubtful."""
        if not self.modules:
            return read_inputs(self.facts, self.name)
        book = self._driver.book
        return read_inputs(book.read_own(self.facts), self.name, book.known)

    @property
    def accelerator(self) -> HardwareNode | None:
        """The accelerator's record."""
        node: HardwareNode | None = self.inputs.words.get("accelerator")
        return node

    @property
    def reported(self) -> dict[str, Fact]:
        """What the authors themselves print of the answers, for comparison."""
        return dict(self.inputs.reported)

    @property
    def facts(self) -> dict[str, Any]:
        """The facts by field: those of the workload, and the run's own before them."""
        of_workload = self.workload.facts() if self.workload else {}
        return {**of_workload, **self._own}

    @with_fields
    def variant(
        self,
        *,
        assume: Iterable[str] | None = None,
        name: str = "",
        prefer: Mapping[str, str] | None = None,
        **changes: Unpack[Changes],
    ) -> PublishedRunScenario:
        """Return a changed copy; None withdraws a fact. A misspelt field is refused.

        What described the old value of a changed fact, or was recorded of it, is left behind: the basis of a power,
        the work of another model. A region and year take no stated intensity's place; withdraw it by None.

        >>> from runlineage import Scenarios
        >>> case = Scenarios.Gpt3PublishedRun.variant(device_power="250 W", assume={"count_duration"})
        >>> print(f"{case.energy:.4f~P}")
        0.8880 GWh
        """
        stated = self.inputs.stated
        before = {"workload", *(name for name, fact in stated.items() if fact.value is not None)}
        own = varied(self._own, changes, before, stated)
        try:
            variant = PublishedRunScenario(
                changes.get("workload", self.workload),
                name=self._base if isinstance(name, str) and not name else name,
                assume=self.assume if assume is None else assume,
                modules=self.modules,
                prefer=self.prefer if prefer is None else prefer,
                **own,
            )
        except InputError as problem:
            raise InputError(problem.faults, self.name) from None
        changed = {} if name else self._changes | changes
        vars(variant).update(name=titled(variant.name, changed), _base=variant.name, _changes=changed)
        return variant

    def result(self, metric: str) -> Result[Quantity]:
        """Return one metric with its route, assumptions, sources or problem; a missing fact raises nothing."""
        return self.results([metric]).result(metric)

    def results(self, metrics: str | Iterable[str] = tuple(METRICS)) -> Results[Quantity]:
        """Return several metrics at once, those that cannot be computed with their reasons."""
        driver, inputs = self._asked(metrics)
        return driver.answer(metrics, inputs)

    def spread(self, metric: str) -> Spread | None:
        """Return a metric's interval, budget and draws; None where none of its facts is a range.

        >>> run = PublishedRunScenario(accelerator_hours=1_022_362, device_power="350 to 400 W")
        >>> print(run.spread("energy"))
        0.383 GWh (0.358 to 0.409)
        """
        return self._driver.execute([metric], self.inputs, stacklevel=3).spreads.get(metric)

    def plan(self, metric: str | Iterable[str]) -> Plan:
        """Return the route to a metric, the routes that were possible, and what each impossible one needs."""
        driver, inputs = self._asked(metric)
        return driver.plan(metric, inputs)

    def lineage(self, metric: str | Iterable[str] = tuple(METRICS)) -> Lineage:
        """Return where a metric, or all of them, came from."""
        return self.trace(metric)[1]

    def trace(self, metric: str | Iterable[str] = tuple(METRICS)) -> tuple[Results, Lineage]:
        """Return results and their lineage from one run of the graph."""
        driver, inputs = self._asked(metric)
        return driver.trace(metric, inputs)

    def solve(self, fact: str, **wanted: Any) -> Solved:
        """Return what a fact would have to be for one metric to have a wanted value, all other facts as they are.

        A fact is scalar, and its answer is in the field's unit. Raises `CannotComputeError` where further facts are
        missing, and `InputError` where the metric does not rest on the fact and where no value of it does.

        >>> from runlineage import Scenarios
        >>> print(Scenarios.Gpt3PublishedRun.solve("duration", peak_fraction="40%"))
        duration = 7.26852 day, for peak_fraction = 0.4
        """
        return self._driver.solve(fact, self.inputs, **wanted)

    def check(self) -> Check:
        """Hold the run's published figures against each other: which cannot all be true, and which to doubt first.

        Raises InputError for columns: a check is of one run.

        >>> run = PublishedRunScenario(accelerator_hours=24_000, accelerator_count=1_000, duration="10 day")
        >>> print(run.check().contradictions[0].ratio)
        0.1
        """
        from runlineage.dataflow.checks.checker import Checker

        return Checker(self.modules, self.assume, self.prefer).check(self.name, self.inputs)

    def _asked(self, metrics: str | Iterable[str]) -> tuple[Driver, Inputs]:
        """Return what answers, and from which inputs: for comparisons of a check, with their nodes."""
        from runlineage.dataflow.routes.book import names_of

        names = names_of(metrics)
        if ANSWERS.keys() >= set(names):
            return self._driver, self.inputs
        from runlineage.dataflow.checks.comparing import comparing

        return comparing(self._driver, self.inputs, names)

    @cached_property
    def _driver(self) -> Driver:
        from runlineage.dataflow.graph.driver import Driver  # Hamilton loads when something is computed, not before
        from runlineage.dataflow.modules import MODULES

        return Driver(*MODULES, *self.modules, assume=self.assume, subject=self.name, prefer=self.prefer)

    def _compute(self, metric: str) -> Quantity:
        # Two frames up is the line that asks for the attribute.
        computed: Quantity = self._driver.execute([metric], self.inputs, stacklevel=4)[metric]
        return computed

    def _no_attribute(self, name: str, guess: str) -> str:
        if name in vars(self).get("_own", ()) or name in FIELDS:
            return f"a run has no {name!r}; its facts stand in .facts, and .lineage() shows them"
        own = f"a node of your own is computed by Driver(metrics, your_module).execute([{name!r}], run.facts)"
        return f"a run has no {name!r}; {guess or own}"

    def __repr__(self) -> str:
        known = (key for key, value in self.facts.items() if getattr(value, "value", value) is not None)
        return f"<{type(self).__name__} {self.name!r}: {', '.join(known)}>"


def _wrong_type(field: str, value: object, types: tuple[type, ...], expected: str) -> list[Fault]:
    return [] if isinstance(value, types) else [Fault(field, f"is {echo(value)}", f"expected {expected}")]
