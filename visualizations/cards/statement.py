"""What a card states of a run: answers with their routes and sources, emissions and energy in the units of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from runlineage.catalogs.base.errors import CannotComputeError, Fault, InputError
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.catalog import Grids
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS, WORDS
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.ranges import interval_text
from runlineage.catalogs.quantities.units import Quantity, Unit, convert, unit
from runlineage.catalogs.records.facts import Fact, Source
from runlineage.dataflow.cards.bill import SCOPES
from runlineage.dataflow.cards.findings import OWN_SOURCE
from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.results import GIVEN, Result
from runlineage.dataflow.graph.trace import cited
from runlineage.dataflow.inputs.inputs import BEFORE_A_CHANGE
from runlineage.dataflow.runs.scenario import PublishedRunScenario

COMPUTED = "location_emissions"
PUBLISHED = "published_emissions"


@dataclass(frozen=True)
class Stated:
    """A quantity of a card: its value, and in words where it comes from."""

    value: Quantity
    source: str
    scope: str = ""
    note: str = ""  # what a stated figure counts


class Statement:
    """A run as cards state it. Columns are refused: a card is of one run."""

    def __init__(self, run: PublishedRunScenario, location: str = "", more: Mapping[str, str] = Frozen({})) -> None:
        self.run = run
        self.location = location
        self.more = {name: plain_text(text) for name, text in more.items()}  # what no facts state
        self.name = plain_text(run.name)
        shaped = [name for name, value in run.inputs.given.items() if getattr(value.magnitude, "shape", ())]
        if shaped:
            fault = Fault(shaped[0], "is a column", "a card is of one run: give one value")
            raise InputError((fault,), run.name)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Where each answer comes from."""
        return self.run.lineage(tuple(ANSWERS)).entries

    def answers(self, metrics: Iterable[str]) -> list[Result]:
        """List those of some metrics that can be computed."""
        results = self.run.results(tuple(metrics))
        answers = [results.result(name) for name in results.plan.outputs]
        return [result for result in answers if result.problem is None and not _repeats_energy(result)]

    def way(self, result: Result) -> str:
        """Describe the way to an answer: its route where there are several, and what it rests on."""
        basis = self.entries[result.name].basis
        return basis if result.route in (None, "supplied") else f"by {str(result.route).replace('_', ' ')}, {basis}"

    def emissions(self) -> Stated:
        """Return the emissions: computed by location where the facts allow, else as the authors published them."""
        results = self.run.results([COMPUTED])
        if COMPUTED in results:
            return Stated(results[COMPUTED], f"computed by runlineage from {self.why(COMPUTED)}")
        given = self.run.inputs.given.get(PUBLISHED)
        if given is None:
            needs = f"needs {COMPUTED} or {PUBLISHED}"
            why = f"the card of {self.name} {needs}, and has neither: {COMPUTED} {results.problems[COMPUTED].needs}"
            raise CannotComputeError("emissions", needs, why)
        origin = self.run.inputs.origins.get(PUBLISHED)
        return Stated(given, self.published_source(origin) if origin else f"as {GIVEN}")

    def energy(self, scopes: Iterable[str] = tuple(SCOPES)) -> Stated:
        """Return the energy of the first scope that can be computed; the widest is the first."""
        results = [self.run.result(name) for name in scopes]
        for result in results:
            if result.value is not None and not _repeats_energy(result):
                fact = self.run.inputs.stated.get(result.name)
                note = plain_text(fact.note) if fact is not None and fact.note else ""
                return Stated(result.value, self.origin(result.name), SCOPES[result.name], note)
        problem = self.run.result("energy").problem
        assert problem is not None
        raise problem

    def origin(self, metric: str) -> str:
        """Describe where an answer comes from: the facts that it is computed from, or who states it."""
        fact = self.run.inputs.stated.get(metric)
        if fact is None or fact.value is None:
            return f"computed by runlineage from {self.why(metric)}"
        place = f", {fact.place}" if fact.place else ""
        return f"as stated: {self.source_text(fact.source)}{place}" if fact.source else f"as {GIVEN}"

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """The bibliography of the run by key: what came with its facts, as in a lineage file, else the catalog's."""
        facts = [fact for origin in self.run.inputs.origins.values() for fact in (origin, *origin.beside)]
        named = {entry.source: entry.citation for entry in self.entries.values()}
        named |= {fact.source: cited(fact) for fact in facts if fact.source}
        return {key: source for key, source in named.items() if source}

    def source_text(self, key: str) -> str:
        """Name a source for people: by its authors and year where the bibliography has it."""
        return plain_text(str(self.sources.get(key, key)))

    def citations(self, results: Iterable[Result]) -> dict[str, Source]:
        """Return the entries of the bibliography that answers rest on, by key."""
        keys = dict.fromkeys(key for result in results for key in result.sources)
        return {key: self.sources[key] for key in keys if key in self.sources}

    def published_source(self, origin: Fact) -> str:
        """Describe where a published figure is from; what a card itself names as its source stays as it is."""
        if origin.note and origin.note.startswith(OWN_SOURCE):
            return origin.note.removeprefix(OWN_SOURCE)
        place = f", {origin.place}" if origin.place else ""
        return f"as published: {self.source_text(origin.source)}{place}" if origin.source else f"as {GIVEN}"

    def why(self, metric: str) -> str:
        """Describe in one line what a metric rests on: equation, assumptions, sources."""
        entry = self.entries[metric]
        result = self.run.result(metric)
        assumed = f", assuming {' and '.join(result.assumes)}" if result.assumes else ""
        return f"{entry.equation}{assumed} ({'; '.join(map(self.source_text, result.sources)) or GIVEN})"

    def facts(self) -> dict[str, tuple[str, str]]:
        """Return the facts of the run as text, each with its source: a quantity in its field's unit, or a word."""
        found = {}
        for name, fact in self.run.inputs.stated.items():
            if fact.value is None or fact.reason == BEFORE_A_CHANGE or name not in {*FIELDS, *WORDS}:
                continue
            field = FIELDS.get(name)
            text = f"{magnitude(fact.value, field.unit)} {field.unit_text}" if field else self.word(name)
            place = f", {fact.place}" if fact.place else ""
            found[name] = (text, f"{self.source_text(fact.source)}{place}" if fact.source else "")
        return found

    def word(self, name: str) -> str:
        """Return a fact that is a word, in one printable line; empty where it is not known."""
        value = self.run.inputs.words.get(name, "")
        if name == "region" and value:
            return Grids[value].name
        return plain_text(str(getattr(value, "name", value)))


def answer_text(result: Result) -> str:
    """Write an answer for people, with its interval where it is uncertain."""
    if not result.spread:
        return amount_text(result.value)
    value: Any = result.value
    shown = convert(value, _unit_of_mass(value)) if _is_mass(value) else value
    return interval_text(shown, result.spread.low, result.spread.high)


def _repeats_energy(result: Result) -> bool:
    """Whether an energy of servers is that of their devices, for want of a host's own."""
    return result.name == "it_energy" and result.route == "devices_alone"


def magnitude(value: Quantity, unit_name: str) -> int | float:
    """Return a plain number in a unit, to 15 digits, whole where it is: the last bit of a float is noise."""
    number = float(f"{convert(value, unit(unit_name)).magnitude:.15g}")
    return int(number) if number == int(number) else number


def energy_in_kwh(value: Quantity) -> int | float:
    """Return an energy as a plain number, that of a facility too: a card has one unit for both."""
    of_facility = "facility" in dict(value.units._units)
    return magnitude(value, "kWh*facility" if of_facility else "kWh")


def amount_text(value: Any) -> str:
    """Write a value for people, a mass of CO2-equivalent in grams, kilograms or tonnes by its size."""
    if _is_mass(value):
        return people(convert(value, _unit_of_mass(value)))
    return people(value) if hasattr(value, "magnitude") else str(value)


def _is_mass(value: Any) -> bool:
    return bool(getattr(value, "dimensionality", None) == unit("gCO2e").dimensionality)


def _unit_of_mass(value: Quantity) -> Unit:
    grams = magnitude(value, "gCO2e")
    return unit("tCO2e" if grams >= 1e6 else "kgCO2e" if grams >= 1e3 else "gCO2e")
