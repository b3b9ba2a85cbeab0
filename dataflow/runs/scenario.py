"""A published run: its facts, and the four metrics as lazy attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest, plain_text
from runlineage.catalogs.catalog import Workloads
from runlineage.catalogs.quantities.fields import FIELDS, METRICS
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import Quantity, is_ours
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Workload
from runlineage.catalogs.records.values import REPORTED
from runlineage.dataflow.graph.views import shown_as
from runlineage.dataflow.inputs.inputs import Inputs, read_inputs

if TYPE_CHECKING:
    from runlineage.dataflow.graph.driver import Driver
    from runlineage.dataflow.graph.lineage import Lineage
    from runlineage.dataflow.graph.results import Result, Results
    from runlineage.dataflow.routes.plans import Plan

FOLLOWERS = {  # a changed fact leaves behind what described its old value
    "device_power": ("power_basis",),
    "training_ops": ("work_counts",),
    "accelerator": ("peak_flops", "accelerator_tdp", "device_power", "power_basis"),
    "parameters": ("training_ops", "work_counts"),
    "active_parameters": ("training_ops", "work_counts"),
    "training_tokens": ("training_ops", "work_counts"),
    "precision": ("peak_flops",),
    "accelerator_count": ("periods",),
    "duration": ("periods",),
    "periods": ("accelerator_count", "duration"),
    "region": ("carbon_intensity",),
    "year": ("carbon_intensity",),
    "carbon_intensity": ("region", "year"),
    "workload": (
        *("parameters", "active_parameters", "sparse", "training_tokens", "architecture"),
        *("training_ops", "work_counts", "published_emissions", *REPORTED),  # recorded of the other model
    ),
}


class PublishedRunScenario:
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

    def __init__(
        self,
        workload: Workload | str | None = None,
        accelerator: HardwareNode | str | None = None,
        *,
        name: str = "",
        assume: Iterable[str] = (),
        **facts: Any,
    ) -> None:
        if isinstance(workload, str):
            workload = Workloads[workload]
        faults = [*_wrong_type("workload", workload, (Workload, type(None)), "a Workload or the name of one")]
        faults += _wrong_type("name", name, (str,), "text")
        faults += _wrong_type("assume", assume, (str, Iterable), "names of assumptions")
        if faults:
            raise InputError(tuple(faults))
        name = plain_text(name or (workload.name if workload else "") or "my run")
        own = {key: value for key, value in {"accelerator": accelerator, **facts}.items() if value is not None}
        # Written to __dict__, since a scenario does not change: `variant` gives a changed copy.
        vars(self).update(
            workload=workload,
            name=name,
            assume=frozenset((assume,) if isinstance(assume, str) else assume),
            _own=own,
            _base=name,
            _changes={},
        )
        given = self.inputs.given  # a fault is said when the scenario is built, not when it is asked
        vars(self).update(
            _own={key: given.get(key, value) if _is_column(value) else value for key, value in own.items()}
        )

    @property
    def training_operations(self) -> Quantity:
        """Operations of the training run, in flop."""
        return self._compute("training_operations")

    @property
    def achieved_rate(self) -> Quantity:
        """Operations per second and accelerator over the whole run, in TFLOP/s per accelerator."""
        return self._compute("achieved_rate")

    @property
    def energy(self) -> Quantity:
        """Energy of the devices over the run, in GWh."""
        return self._compute("energy")

    @property
    def peak_fraction(self) -> Quantity:
        """Achieved rate over the dense peak of the device."""
        return self._compute("peak_fraction")

    @property
    def it_energy(self) -> Quantity:
        """Energy of the devices and of the servers around them, in GWh."""
        return self._compute("it_energy")

    @property
    def facility_energy(self) -> Quantity:
        """Energy of the whole facility for the run, in GWh at the facility."""
        return self._compute("facility_energy")

    @property
    def location_emissions(self) -> Quantity:
        """Emissions by the average intensity of the grid, in tCO2e."""
        return self._compute("location_emissions")

    @property
    def market_emissions(self) -> Quantity:
        """Emissions by the intensity of the electricity's contracts, in tCO2e; never netted with the grid's."""
        return self._compute("market_emissions")

    @property
    def implied_carbon_intensity(self) -> Quantity:
        """Published emissions over the energy of the devices, in kgCO2e/kWh, facility overhead inside."""
        return self._compute("implied_carbon_intensity")

    @property
    def training_cost(self) -> Quantity:
        """Price of the accelerator time of the run, in USD."""
        return self._compute("training_cost")

    @property
    def cumulative_operations(self) -> Quantity:
        """Operations of the run and of the model that it started from, in flop."""
        return self._compute("cumulative_operations")

    @property
    def modification_share(self) -> Quantity:
        """Operations of the run over those of the model that it started from."""
        return self._compute("modification_share")

    @cached_property
    def inputs(self) -> Inputs:
        """The facts as the graph takes them, with what is withheld and what is doubtful."""
        return read_inputs(self.facts, self.name)

    @property
    def accelerator(self) -> HardwareNode | None:
        """The accelerator's record."""
        found: HardwareNode | None = self.inputs.words.get("accelerator")
        return found

    @property
    def reported(self) -> dict[str, Fact]:
        """What the authors themselves print of the answers, for comparison."""
        return dict(self.inputs.reported)

    @property
    def facts(self) -> dict[str, Any]:
        """The facts by field: those of the workload, and the run's own before them."""
        of_workload: dict[str, Any] = self.workload.facts() if self.workload else {}
        own: dict[str, Any] = self._own
        return of_workload | own

    def variant(self, *, assume: Iterable[str] | None = None, name: str = "", **changes: Any) -> PublishedRunScenario:
        """Give a changed copy; None withdraws a fact. A misspelt field is refused.

        >>> from runlineage import Scenarios
        >>> case = Scenarios.Gpt3PublishedRun.variant(device_power="250 W", assume={"count_duration"})
        >>> print(f"{case.energy:.4f~P}")
        0.8880 GWh
        """
        own = dict(self._own)
        for key, value in changes.items():
            for follower in FOLLOWERS.get(key, ()) if value is not None else ():
                own.pop(follower, None)
        workload = changes.get("workload", self.workload)
        own |= {key: Fact(None) if value is None else value for key, value in changes.items() if key != "workload"}
        try:
            variant = PublishedRunScenario(
                workload,
                name=name or _titled(self._base, self._changes | changes),
                assume=self.assume if assume is None else assume,
                **own,
            )
        except InputError as problem:
            raise InputError(problem.faults, self.name) from None
        vars(variant).update(_base=name or self._base, _changes={} if name else self._changes | changes)
        return variant

    def result(self, metric: str) -> Result:
        """Give one metric with its route, assumptions, sources or problem; nothing is raised for a missing fact."""
        return self.results([metric]).result(metric)

    def results(self, metrics: Iterable[str] = tuple(METRICS)) -> Results:
        """Give several metrics at once, those that cannot be computed with their reasons."""
        return self._driver.answer(tuple(metrics), self.inputs)

    def plan(self, metric: str | Iterable[str]) -> Plan:
        """Say the route to a metric, the routes that were possible, and what each impossible one lacks."""
        return self._driver.plan(metric, self.inputs)

    def lineage(self, metric: str | Iterable[str] = tuple(METRICS)) -> Lineage:
        """Say where a metric, or all of them, came from."""
        return self._driver.lineage(metric, self.inputs)

    def trace(self, metric: str | Iterable[str] = tuple(METRICS)) -> tuple[Results, Lineage]:
        """Return results and their lineage from one run of the graph."""
        return self._driver.trace(metric, self.inputs)

    @cached_property
    def _driver(self) -> Driver:
        from runlineage.dataflow.graph.driver import Driver  # Hamilton loads when something is computed, not before

        return Driver(assume=self.assume, subject=self.name)

    def _compute(self, metric: str) -> Quantity:
        # Two frames up is the line that asks for the attribute.
        computed: Quantity = self._driver.execute([metric], self.inputs, stacklevel=4)[metric]
        return computed

    def __getattr__(self, name: str) -> Any:
        if hasattr(type(self), name):
            return object.__getattribute__(self, name)  # an error inside a property keeps its own words
        if name in self.__dict__.get("_own", ()) or name in FIELDS:
            raise AttributeError(f"a run has no {name!r}; its facts stand in .facts, and .lineage() shows them")
        near = () if name.startswith("_") else nearest(name, (each for each in dir(self) if each[0] != "_"), 1)
        raise AttributeError(f"a run has no {name!r}" + (f"; did you mean {near[0]}?" if near else ""))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a run does not change; .variant({name}=…) gives a changed copy")

    def __repr__(self) -> str:
        known = (key for key, value in self.facts.items() if getattr(value, "value", value) is not None)
        return f"<{type(self).__name__} {self.name!r}: {', '.join(known)}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook: its metrics, their routes, and what the others need."""
        return str(shown_as("html", self))

    def __getstate__(self) -> dict[str, Any]:
        names = ("workload", "name", "assume", "_own", "_base", "_changes")
        return {name: vars(self)[name] for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


def _is_column(value: object) -> bool:
    """Whether a fact is a column, of which the read-only copy is kept in place of the caller's array."""
    return isinstance(value, (list, tuple, np.ndarray)) or np.ndim(getattr(value, "magnitude", 0)) > 0


def _wrong_type(field: str, value: object, types: tuple[type, ...], expected: str) -> list[Fault]:
    return [] if isinstance(value, types) else [Fault(field, f"is {echo(value)}", f"expected {expected}")]


def _titled(name: str, changes: Mapping[str, Any]) -> str:
    """Name a variant after its changes, so that no answer passes for the published run's."""
    changed = [f"{key} {_short(value)}" for key, value in sorted(changes.items()) if value is not None]
    dropped = [key for key, value in sorted(changes.items()) if value is None]
    return (
        name
        + (f" with {', '.join(changed)}" if changed else "")
        + (f" without {', '.join(dropped)}" if dropped else "")
    )


def _short(value: Any) -> str:
    value = getattr(value, "value", value)
    if is_ours(value):
        return people(value)
    return "…" if _is_column(value) or isinstance(value, dict) else str(getattr(value, "name", value))[:20]
