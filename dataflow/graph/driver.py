"""The driver, in Hamilton's own words: assemble, resolve, compute what is asked, and keep where it came from."""

from __future__ import annotations

import contextlib
import importlib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from runlineage.catalogs.base.errors import (
    CannotComputeError,
    Fault,
    GraphError,
    InputError,
    RunlineageWarning,
    echo,
    refuse,
)
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.units import Quantity
from runlineage.dataflow.graph import hamilton_graph, solving
from runlineage.dataflow.graph.contradictions import contradictions
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.results import Results, doubts, published
from runlineage.dataflow.graph.solving import Solved
from runlineage.dataflow.graph.trace import trace
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.inputs.read_inputs import read_inputs
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import names_of, read_routes
from runlineage.dataflow.routes.config import Config
from runlineage.dataflow.routes.explain import explain
from runlineage.dataflow.routes.plans import Plan
from runlineage.dataflow.routes.prefer import refuse_unmet
from runlineage.dataflow.routes.prefer import unneeded as unneeded_choices
from runlineage.dataflow.routes.routes import Route
from runlineage.dataflow.spreads.spread import Spread
from runlineage.dataflow.spreads.spreading import spreads, uncertain

if TYPE_CHECKING:
    from runlineage.dataflow.graph.hamilton_graph import HamiltonDriver

Facts: TypeAlias = "Mapping[str, Any] | Inputs"


class Driver:
    """Ask node modules (ours, when none is named) for outputs, from whichever inputs are there.

    >>> driver = Driver()
    >>> answer = driver.execute(["energy"], inputs={"accelerator_hours": "1,022,362", "device_power": "400 W"})
    >>> print(f"{answer['energy']:.5f~P}")
    0.40894 GWh
    >>> driver.plan(["energy"], {"accelerator_hours": 1, "accelerator_tdp": 400}).missing
    ('energy',)
    """

    def __init__(
        self,
        *modules: ModuleType,
        assume: Iterable[str] = (),
        config: Mapping[str, Any] | None = None,
        subject: str = "my run",
        prefer: Mapping[str, str] | None = None,
    ) -> None:
        self.modules = modules or MODULES
        self.config = Config(config or {})
        self.subject = subject
        self.book = read_routes(*self.modules, config=self.config).preferring(prefer)
        self.assume = self.book.check_assumptions(assume)

    def execute(self, outputs: str | Iterable[str], inputs: Facts | None = None, *, stacklevel: int = 2) -> Results:
        """Compute outputs, in their published units; what cannot be computed raises `CannotComputeError`.

        Doubtful facts are warned of at the caller's line, as `stacklevel` of `warnings.warn` counts.
        """
        answer = self.answer(outputs, inputs)
        if answer.problems:
            first = next(iter(answer.problems.values()))
            together = "\n".join(str(problem) for problem in answer.problems.values())
            raise CannotComputeError(first.metric, first.needs, together, first.guesses)
        for warning in answer.warnings:
            warnings.warn(warning, RunlineageWarning, stacklevel=stacklevel)
        return answer

    def answer(self, outputs: str | Iterable[str], inputs: Facts | None = None) -> Results:
        """Compute what can be computed, and keep the reason of what cannot; nothing is raised for a missing fact."""
        given, plan = self._resolve(outputs, inputs)
        # peak_fraction is looked at wherever it is on the way, since it tells whether the facts can hold.
        values = self._run(plan, dict.fromkeys([*plan.reached, *({"peak_fraction"} & set(plan.order))]), given)
        return self._results(values, plan, given)[0]

    def trace(self, outputs: str | Iterable[str], inputs: Facts | None = None) -> tuple[Results, Lineage]:
        """Return the results, as `answer` does, and their lineage from the same run of the graph."""
        given, plan = self._resolve(outputs, inputs)
        values = self._run(plan, plan.order, given)
        results, spread = self._results(values, plan, given, plan.order)
        others = self._others(plan, given)
        return results, trace(self.subject, results, values, others, self.book, self.assume, spread)

    def plan(self, outputs: str | Iterable[str], inputs: Facts | None = None) -> Plan:
        """Resolve the routes: those chosen, those possible, and what each impossible one lacks."""
        return self._resolve(outputs, inputs)[1]

    def lineage(self, outputs: str | Iterable[str], inputs: Facts | None = None) -> Lineage:
        """Return the lineage of the outputs that can be computed."""
        return self.trace(outputs, inputs)[1]

    def solve(self, fact: str, inputs: Facts | None = None, **wanted: Any) -> Solved:
        """Return what a scalar fact would have to be for one metric, ours or a node of yours, to have a wanted value.

        All other facts stay as they are; what is given of the fact or the metric itself is left out. Raises
        `CannotComputeError` where further facts are missing, and `InputError` where the metric does not rest on the
        fact, for columns, and where no value within the fact's band does.

        >>> facts = {"training_ops": 3.14e23, "accelerator_count": 10_000, "accelerator": "V100 SXM2 16GB"}
        >>> print(Driver().solve("duration", facts, peak_fraction=0.4))
        duration = 7.26852 day, for peak_fraction = 0.4
        """
        field = solving.known_fact(fact)
        metric, target = solving.one_wanted(wanted)
        given, _ = self._resolve(metric, inputs)
        solving.refuse_columns(given, target)
        if fact in given.withheld:
            refuse(fact, f"is withheld: {given.withheld[fact]}", "solve for another fact")
        others = {name: value for name, value in given.graph.items() if name not in (fact, metric)}
        plan = self.book.plan({*others, fact}, (metric,), self.assume)
        if plan.missing:
            raise explain(
                self.book, metric, {*others, fact}, self.assume, given.withheld, f"{self.subject} with {fact}"
            )

        def compute(value: Quantity) -> Any:
            return self._run(plan, [metric], replace(given, graph={**others, fact: value}))[metric]

        case = uncertain(plan, given, self.assume, self._run, but=(fact, metric))
        drawn = case.over_draws(metric, fact) if case else None
        return solving.search(field, metric, target, plan, compute, drawn)

    def hamilton(self, outputs: str | Iterable[str], inputs: Facts | None = None, *adapters: Any) -> HamiltonDriver:
        """Return the plain Hamilton driver of these outputs, with adapters of Hamilton's or yours on it.

        Feed it `graph_inputs(inputs)`. Where a module is a user's own, `PlainQuantities` is on it too, unless an
        adapter given here judges types itself: Hamilton takes only one that does.
        """
        given, plan = self._resolve(outputs, inputs)
        if plan.missing:
            raise explain(self.book, plan.missing[0], given.graph, self.assume, given.withheld, self.subject)
        self.book.refuse_plain(given.graph)
        return hamilton_graph.build(self.modules, self._config(plan), adapters)

    def values(self, plan: Plan, names: Iterable[str], inputs: Inputs) -> dict[str, Any]:
        """Compute some quantities of a plan, in the graph's units; its facts may have got other values since."""
        return self._run(plan, names, inputs)

    def _resolve(self, outputs: str | Iterable[str], inputs: Facts | None) -> tuple[Inputs, Plan]:
        wanted = names_of(outputs)
        if not isinstance(inputs, (Inputs, Mapping, type(None))):
            raise InputError((Fault("inputs", f"are {echo(inputs)}", "expected a mapping of facts by name"),))
        given = inputs if isinstance(inputs, Inputs) else self._read(inputs or {})
        plan = self.book.plan(given.graph.keys(), wanted, self.assume)
        refuse_unmet(plan, self.book.prefer)
        return given, plan

    def _read(self, inputs: Mapping[str, Any]) -> Inputs:
        return read_inputs(self.book.read_own(inputs), self.subject, self.book.known)

    def _config(self, plan: Plan) -> dict[str, Any]:
        for name in plan.order:
            route = plan.choices[name].route
            if route is not None and route.is_refused:
                raise GraphError(f"{route.label} of {route.module} {route.is_refused}")
        return {**self.config, **plan.config}

    def _run(
        self, plan: Plan, names: Iterable[str], given: Inputs, instead: Mapping[str, Any] = Frozen({})
    ) -> dict[str, Any]:
        """Run the graph for the computed names, and return the supplied ones as they are.

        Values in `instead` take the place of what would be computed.
        """
        names = tuple(names)
        taken = {name: choice.route for name in plan.order if (choice := plan.choices[name]).route is not None}
        used = {*plan.order, *(name for route in taken.values() if route for name in route.optional)} - set(taken)
        supplied = {name: value for name, value in given.graph.items() if name in used and name not in self.book.plain}
        overrides = {name: value for name, value in given.graph.items() if name in used and name in self.book.plain}
        for name, value in overrides.items():
            hamilton_graph.check_type(name, value, self.book.plain[name].gives)
        overrides |= instead
        computed = [name for name in names if name in taken]
        found = hamilton_graph.run(self.modules, self._config(plan), computed, supplied, overrides) if computed else {}
        for name in computed:
            _check_kind(name, found[name], taken[name])
        return {name: found[name] if name in found else given.graph[name] for name in names}

    def _results(
        self, values: Mapping[str, Any], plan: Plan, given: Inputs, spread_of: Iterable[str] = ()
    ) -> tuple[Results, Mapping[str, Spread]]:
        """Express what was computed in published units, with the reason of what could not be, and its spread.

        The spread of further quantities may be asked for, as a lineage does.
        """
        known = {name: published(name, value) for name, value in values.items()}
        problems = {
            name: explain(self.book, name, given.graph, self.assume, given.withheld, self.subject)
            for name in plan.missing
        }
        unneeded = [f'assumption "{name}" was not needed' for name in plan.unneeded]
        unneeded += unneeded_choices(plan, self.book.prefer)
        contradicted = contradictions(self.book, plan, given, self._run)
        names = dict.fromkeys([*plan.reached, *spread_of])
        spread = spreads(plan, names, given, self.assume, known, self._run, published)
        known |= {name: each.value for name, each in spread.found.items()}
        doubtful = doubts(known, plan, given, spread.found)
        warnings = (*given.warnings, *contradicted, *doubtful, *spread.warnings, *unneeded)
        of_outputs = Frozen({name: spread.found[name] for name in plan.reached if name in spread.found})
        answers = {name: known[name] for name in plan.reached}
        return Results(answers, plan, given, problems, warnings, of_outputs), spread.found

    def _others(self, plan: Plan, given: Inputs) -> dict[tuple[str, str], Any]:
        """Compute what the open routes that were not taken would give."""
        values = {}
        for name in plan.order:
            for route in plan.choices[name].alternatives:
                # A user's node that fails on a road not taken does not spoil the lineage of the one taken.
                with contextlib.suppress(Exception):
                    other = self.book.by(route, given.graph.keys(), self.assume)
                    values[name, route.short] = self._run(other, [name], given)[name]
        return values

    def __reduce__(self) -> tuple[Any, ...]:
        names = tuple(module.__name__ for module in self.modules)
        return _rebuild, (names, tuple(sorted(self.assume)), self.config, self.subject, dict(self.book.prefer))


def _check_kind(name: str, value: Any, route: Route | None) -> None:
    """Refuse what a user's node returns for a metric, if it is not of the metric's kind."""
    field = FIELDS.get(name)
    if field and route and not isinstance(value, field.kind):
        raise GraphError(f"{name} of {route.module} returned {echo(value)}, which is not {field.kind.noun}")


def _rebuild(
    names: tuple[str, ...], assume: tuple[str, ...], config: dict[str, Any], subject: str, prefer: dict[str, str]
) -> Driver:
    modules = map(importlib.import_module, names)
    return Driver(*modules, assume=assume, config=config, subject=subject, prefer=prefer)
