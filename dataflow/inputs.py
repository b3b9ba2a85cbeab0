"""From facts as people state them to what flows into the graph: read, completed from the accelerator, checked.

All faults of one input are said at once. What the graph may not see (a sparse model's total) is withheld with its
reason, and what is doubtful but usable becomes a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runlineage.catalogs.catalog import Accelerators, Grids, find_region
from runlineage.catalogs.errors import MOST_FAULTS, Fault, InputError, UnknownNameError, echo
from runlineage.catalogs.facts import Fact, read_fact
from runlineage.catalogs.fields import FIELDS, WORDS
from runlineage.catalogs.formatting import number, people
from runlineage.catalogs.frozen import Frozen
from runlineage.catalogs.grids import Grid
from runlineage.catalogs.hardware import HardwareNode
from runlineage.catalogs.headers import LOOKUP
from runlineage.catalogs.kinds import KINDS
from runlineage.catalogs.names import nearest, plain_text
from runlineage.catalogs.periods import Period, read_periods
from runlineage.catalogs.quantities import as_quantity, coherent
from runlineage.catalogs.units import Quantity, convert, quantity, unit
from runlineage.catalogs.values import REPORTED, read_truth, read_word
from runlineage.catalogs.years import read_year

HOURS_TOLERANCE = 0.05
TDP_TOLERANCE = 1.05  # boards may be set a little above their design power
HIGH_PUE = 3.0  # above it a figure is hardly an annual one of a whole facility
UNLIKE_GRID = 2.0  # a site's own grid is rarely twice as dirty, or half, as its region's
SPARSE_RATIO = 1.5  # structured sparsity doubles a peak
POWER_BASES = {
    "tdp": "the device's thermal design power",
    "measured_device": "measured on devices",
    "measured_system": "measured on whole systems",
}
RATE, POWER, PARAMETERS = KINDS["Rate"], KINDS["Power"], KINDS["Parameters"]
MOST_FIELDS = 1_000
TONS = re.compile(r"\btons?\b")  # of which there are short and long ones elsewhere


@dataclass(frozen=True)
class Inputs:
    """Facts ready for the graph.

    `given` are quantities in the unit as written, `graph` the same in coherent units (with a user's own inputs as
    they are), `words` the facts that are words; `origins` say where a fact comes from, `parents` which words a
    quantity was looked up by; `withheld` are facts that exist and may not be used; `stated` are the facts as they were
    given, before anything was looked up or noted.
    """

    given: Mapping[str, Quantity]
    graph: Mapping[str, Any]
    words: Mapping[str, Any]
    origins: Mapping[str, Fact]
    parents: Mapping[str, tuple[str, ...]]
    withheld: Mapping[str, str]
    reported: Mapping[str, Fact]
    warnings: tuple[str, ...]
    stated: Mapping[str, Fact]


def read_inputs(raw: Mapping[str, Any], subject: str = "", other: Collection[str] = ()) -> Inputs:
    """Read facts by their field names; `other` are inputs of a user's own nodes, which pass through as they are.

    >>> inputs = read_inputs({"device_power": "0.7 kW", "accelerator_hours": "30.84M"})
    >>> print(inputs.graph["device_power"])
    700 watt/accelerator
    """
    reading = _Reading(raw, frozenset(other))
    if reading.faults:
        raise InputError(tuple(reading.faults), subject)
    return reading.inputs()


class _Reading:
    """One pass over a set of facts, gathering its faults."""

    def __init__(self, raw: Mapping[str, Any], other: frozenset[str]) -> None:
        self.faults: list[Fault] = []
        self.warnings: list[str] = []
        self.given: dict[str, Quantity] = {}
        self.words: dict[str, Any] = {}
        self.origins: dict[str, Fact] = {}
        self.withheld: dict[str, str] = {}
        self.passed: dict[str, Any] = {}
        self.reported: dict[str, Fact] = {}
        self.parents: dict[str, tuple[str, ...]] = {}
        self.stated: dict[str, Fact] = {}
        if len(raw) > MOST_FIELDS:
            self.faults.append(Fault("facts", f"are {len(raw):,}", f"a run has at most {MOST_FIELDS:,}"))
            return
        # Periods come last, so that a count or duration beside them is always seen.
        for name, value in sorted(raw.items(), key=lambda item: item[0] == "periods"):
            self._take(name, value, other)
        self.passed |= {name: word for name, word in self.words.items() if name in other}
        self._keep_as_stated()
        if self.words:
            self._complete_from_accelerator()
            self._complete_from_region()
            self._withhold()
        self._check_agreement()
        self._warn()

    def inputs(self) -> Inputs:
        graph: dict[str, Any] = {
            name: coherent(value, FIELDS[name].kind) for name, value in self.given.items() if name not in self.withheld
        }
        return Inputs(
            Frozen(self.given),
            Frozen(graph | self.passed),
            Frozen(self.words),
            Frozen(self.origins),
            Frozen(self.parents),
            Frozen(self.withheld),
            Frozen(self.reported),
            tuple(self.warnings),
            Frozen(self.stated),
        )

    def _take(self, name: str, raw: Any, other: frozenset[str]) -> None:
        """Read one fact by its name."""
        value = raw
        if isinstance(value, Fact):
            self.origins[name] = value
            value = value.value
        if value is None:  # not given; or other published values stand beside, and none of them is used
            return
        try:
            if name in FIELDS:
                self.given[name] = as_quantity(value, FIELDS[name].kind, field=name)
                if name == "published_emissions" and name not in self.origins and TONS.search(str(value)):
                    self.origins[name] = Fact(self.given[name], note="tons read as metric")
            elif name in LOOKUP and name in other:  # a user's own, which may mean any region or year
                self.passed[name] = value
            elif name == "accelerator":
                self.words[name] = value if isinstance(value, HardwareNode) else Accelerators[value]
            elif name == "region":
                self.words[name] = find_region(value)
            elif name == "year":
                self.words[name] = read_year(value, name)
            elif name == "sparse":
                self.words[name] = read_truth(value, name)
            elif name in WORDS:
                self.words[name] = read_word(value, name) if isinstance(value, str) else _no_word(value, name)
            elif name == "periods":
                self._take_periods(read_periods(value))
            elif name in REPORTED:
                self.reported[name] = read_fact(raw, name)
            elif name in other:
                self.passed[name] = value
            else:
                self._refuse(name, other)
        except InputError as problem:
            self.faults.extend(problem.faults)
        except UnknownNameError as problem:
            self.faults.append(Fault(name, str(problem)))

    def _keep_as_stated(self) -> None:
        """Keep the facts with their values as read, and those of which only values beside are published."""
        values = {**self.given, **self.words, **self.passed}
        for name in dict.fromkeys([*self.origins, *values]):
            self.stated[name] = replace(self.origins.get(name, Fact(None)), value=values.get(name))
        self.stated |= self.reported

    def _refuse(self, name: str, other: frozenset[str]) -> None:
        known = dict.fromkeys([*FIELDS, *WORDS, *sorted(other), "periods"])
        near = nearest(name, known, 1) if len(self.faults) < MOST_FAULTS else ()
        cure = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(known)}"
        self.faults.append(Fault(plain_text(name), "is not a field", cure))

    def _take_periods(self, periods: tuple[Period, ...]) -> None:
        """Sum a run's periods: duration is their sum and count their mean over time, so that their product is exact."""
        if not periods:
            return
        for name in ("accelerator_count", "duration"):
            if name in self.given:
                self.faults.append(
                    Fault("periods", f"stand beside {name}", "give either the periods or one count and duration")
                )
        days = [convert(period.duration, unit("day")).magnitude for period in periods]
        counts = [period.accelerator_count.magnitude for period in periods]
        device_days = sum(count * day for count, day in zip(counts, days, strict=True))
        said = " and ".join(
            f"{number(count)} for {people(period.duration)}" for count, period in zip(counts, periods, strict=True)
        )
        origin = periods[0].fact
        note = f"{len(periods)} periods: {said}"
        self.given["duration"] = quantity(float(sum(days)), "day")
        self.given["accelerator_count"] = quantity(device_days / sum(days), "accelerator")
        self.origins["duration"] = Fact(None, "derived", origin.source, origin.place, f"sum of {note}")
        self.origins["accelerator_count"] = Fact(
            None, "derived", origin.source, origin.place, f"mean over time of {note}"
        )

    def _complete_from_accelerator(self) -> None:
        """Take the peak at the run's precision, and the TDP, from the accelerator's record where they are not given."""
        node = self.words.get("accelerator")
        if node is None:
            return
        precision = self.words.get("precision", "")
        peak = node.peak(precision)
        if "peak_flops" in self.given:
            self._doubt_peak(node, peak)
        elif precision and peak is None:
            has = ", ".join(node.compute.precision_flops) or "none"
            self.faults.append(Fault("precision", f"{node.name} has no {precision} peak", f"it has {has}"))
        elif peak is not None:
            said = f"dense {precision} peak" if precision else "precision not stated: dense 16-bit matrix peak"
            self._derive("peak_flops", peak, said, ("accelerator", "precision") if precision else ("accelerator",))
        if node.tdp is not None and node.tdp.value is not None:
            self._doubt_power(node, node.tdp.value)
            if "accelerator_tdp" not in self.given:
                self._derive("accelerator_tdp", node.tdp, "thermal design power", ("accelerator",))
        self._compare_with_catalog(node, precision)

    def _complete_from_region(self) -> None:
        """Take the intensity of the region's grid in the year; another year or a wider region never stands in.

        A region alone gives none, since a grid's intensity changes from year to year.
        """
        region, year = self.words.get("region"), self.words.get("year")
        if region is None or year is None:
            return
        grid = Grids[region]
        fact = grid.intensity(int(year))
        if "carbon_intensity" in self.given:
            self._doubt_intensity(grid, year, fact)
        elif fact is None:
            what = f"is {year}, and no intensity of {grid.name} is held for it"
            self.faults.append(Fault("year", what, f"held: {grid.held}; or give carbon_intensity itself"))
        else:
            self._derive("carbon_intensity", fact, f"grid of {grid.name} in {year}", ("region", "year"))

    def _compare_with_catalog(self, node: HardwareNode, precision: str) -> None:
        """Say where a record that did not come from this catalog, though it has its key, gives another figure."""
        known = Accelerators[node.key] if node.key and node.key in Accelerators else node
        if known is node:
            return
        for name, now in (("peak_flops", known.peak(precision)), ("accelerator_tdp", known.tdp)):
            kind, used = FIELDS[name].kind, self.given.get(name)
            if name not in self.parents or used is None or now is None or now.value is None:
                continue
            if not np.isclose(coherent(used, kind).magnitude, coherent(now.value, kind).magnitude, rtol=1e-12, atol=0):
                said = f"{name} of {node.name}, {people(used)}, differs from the catalog"
                self.warnings.append(f"{said}, which has {people(now.value)}")

    def _derive(self, name: str, fact: Fact, note: str, parents: tuple[str, ...]) -> None:
        """Take a fact of the record that the first parent names; where that is assumed, so is what follows from it."""
        self.given[name] = fact.value
        self.parents[name] = parents
        chosen = self.origins.get(parents[0])
        basis = "assumed" if chosen and chosen.basis == "assumed" else fact.basis
        self.origins[name] = replace(fact, basis=basis, note=f"{note}; {fact.note}" if fact.note else note)

    def _doubt_peak(self, node: HardwareNode, peak: Fact | None) -> None:
        if peak is not None:
            ratio = np.max(coherent(self.given["peak_flops"], RATE).magnitude) / coherent(peak.value, RATE).magnitude
            if ratio > SPARSE_RATIO:
                dense = f"the dense peak of {node.name}, {people(peak.value)}"
                self.warnings.append(f"peak_flops is {number(ratio)} times {dense}: a sparse figure?")

    def _doubt_intensity(self, grid: Grid, year: str, fact: Fact | None) -> None:
        if fact is not None:
            kind = KINDS["CarbonIntensity"]
            ratio = coherent(self.given["carbon_intensity"], kind).magnitude / coherent(fact.value, kind).magnitude
            if np.max(ratio) > UNLIKE_GRID or np.min(ratio) < 1 / UNLIKE_GRID:
                known = f"the grid of {grid.name} in {year} has {people(fact.value)}"
                self.warnings.append(f"carbon_intensity is given, and {known}: is it that of the region?")

    def _doubt_power(self, node: HardwareNode, tdp: Quantity) -> None:
        power = self.given.get("device_power")
        if (
            power is not None
            and np.max(coherent(power, POWER).magnitude) > TDP_TOLERANCE * coherent(tdp, POWER).magnitude
        ):
            self.warnings.append(
                f"device_power is above the {people(tdp)} that {node.name} is designed for: is it a device's alone?"
            )

    def _withhold(self) -> None:
        """Keep from the graph what may not serve there."""
        if self.words.get("power_basis") == "measured_system" and "host_overhead" in self.given:
            self.withheld["host_overhead"] = "device_power was measured on whole systems, so that energy holds the host"
        if self.words.get("sparse") is True and "parameters" in self.given:
            self.withheld["parameters"] = "the model is sparse, and a token passes only part of its total"
        basis = POWER_BASES.get(self.words.get("power_basis", ""))
        if basis and "device_power" in self.given:
            origin = self.origins.get("device_power", Fact(None))
            self.origins["device_power"] = replace(origin, note=f"{basis}; {origin.note}" if origin.note else basis)

    def _check_agreement(self) -> None:
        total, active = self.given.get("parameters"), self.given.get("active_parameters")
        if total is not None and active is not None and _agree(total, active):
            whole, part = (coherent(each, PARAMETERS).magnitude for each in (total, active))
            if np.any(part > whole):
                what = f"{people(active)} is more than parameters, {people(total)}"
                self.faults.append(Fault("active_parameters", what, "check which is which"))
            elif self.words.get("sparse") is False and not np.allclose(part, whole, rtol=1e-9, atol=0):
                what = "is false, and active_parameters differ from parameters"
                self.faults.append(Fault("sparse", what, "check which holds"))
        shapes = {name: np.shape(value.magnitude) for name, value in self.given.items() if np.shape(value.magnitude)}
        if len(set(shapes.values())) > 1:
            said = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
            self.faults.append(Fault("columns", f"have different shapes: {said}", "give columns of one length"))

    def _warn(self) -> None:
        """Say what is usable and doubtful."""
        hours, count, duration = (
            self.given.get(name) for name in ("accelerator_hours", "accelerator_count", "duration")
        )
        if hours is not None and count is not None and duration is not None and not self.faults:
            stated = coherent(hours, KINDS["AcceleratorTime"]).magnitude
            product = coherent(count, KINDS["Count"]).magnitude * coherent(duration, KINDS["Duration"]).magnitude
            apart = np.max(np.abs(stated - product) / product)
            if apart > HOURS_TOLERANCE:
                times = people(convert(quantity(product, "accelerator*s"), unit("accelerator*hour")))
                said = f"accelerator_hours, {people(hours)}, and accelerator_count × duration, {times}"
                self.warnings.append(f"{said}, differ by {apart:.0%}")
        if self.words.get("power_basis") == "measured_system" and "device_power" in self.given:
            self.warnings.append(
                "device_power was measured on whole systems: energy holds host and fans as well, not devices alone"
            )
        if "pue" in self.given and np.max(self.given["pue"].magnitude) > HIGH_PUE:
            self.warnings.append(f"pue is above {HIGH_PUE:g}: is it the PUE of the facility?")
        if self.words.get("work_counts") == "hardware" and "training_ops" in self.given:
            self.warnings.append(
                "training_ops counts recomputation: rate and peak_fraction are hardware's (HFU), not the model's (MFU)"
            )
        if self.words.get("architecture") == "encoder-decoder" and "training_ops" not in self.given:
            self.warnings.append(
                "the model is an encoder-decoder: a token passes only part of the weights, so 6 N D over-counts"
            )


def _agree(one: Quantity, other: Quantity) -> bool:
    """Tell whether two magnitudes can be compared: of one shape, or one of them a number."""
    shapes = {np.shape(one.magnitude), np.shape(other.magnitude)} - {()}
    return len(shapes) < 2


def _no_word(value: Any, name: str) -> str:
    raise InputError((Fault(name, f"is {echo(value)}", f"expected one of {', '.join(WORDS[name].choices)}"),))
