"""The inputs of a graph, and the draft that they are while facts are read, completed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from runlineage.catalogs.base.errors import Fault
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import FIELDS, field_named
from runlineage.catalogs.quantities.ranges import Range
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact

# The reason kept with what authors print of a run, once a stated fact of the run has another value: answers are then
# meant to differ from it, and it is no answer of the changed run. It travels with the fact, also in lineage files.
BEFORE_A_CHANGE = "of the run before a stated fact was changed"

WHOLE = "the whole"  # what the facts of all stages of a run together are called, where each stage has its name


@dataclass(frozen=True)
class Inputs:
    """Facts ready for the graph, by their field.

    `given` are quantities in the unit as written, `graph` the same in coherent units (with a user's own inputs as
    they are), `words` the facts that are words; `origins` hold where a fact comes from, `parents` which words a
    quantity was looked up by; `withheld` are facts that exist and may not be used, with the reason; `reported` what
    the authors print of the answers; `stated` are the facts as they were given, before anything was looked up or
    noted. None of these mappings changes.
    """

    given: dict[str, Quantity] = field(default_factory=dict)
    graph: dict[str, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, Fact] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    withheld: dict[str, str] = field(default_factory=dict)
    reported: dict[str, Fact] = field(default_factory=dict)
    stated: dict[str, Fact] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @cached_property
    def ranges(self) -> Mapping[str, Range]:
        """The facts of the graph that are ranges, in its units, by name and in the order of names."""
        found = {name: fact for name, fact in self.origins.items() if fact.is_range and name in self.graph}
        return Frozen({name: _in_graph_units(name, found[name], self.graph[name]) for name in sorted(found)})


def _in_graph_units(name: str, fact: Fact, median: Any) -> Range:
    kind = FIELDS[name].kind if name in FIELDS else None
    low, high = (coherent(each, kind) if kind else each for each in (fact.low, fact.high))
    return Range(median, low, high)


@dataclass(frozen=True)
class InputDraft(Inputs):
    """Inputs while they are made, with the faults and doubts met so far.

    Until it is finished, `graph` has a user's own inputs alone. `texts` are the quantities that were given as text,
    `counted` the number of devices that the accelerator's text names.
    """

    texts: dict[str, str] = field(default_factory=dict)
    counted: list[int] = field(default_factory=list)
    converted: dict[str, Quantity] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def derive(self, name: str, fact: Fact, note: str, parents: tuple[str, ...]) -> None:
        """Take a fact of the record that the first parent names; where that is assumed, so is what follows from it."""
        self.given[name] = fact.value
        self.parents[name] = parents
        chosen = self.origins.get(parents[0])
        basis = "assumed" if chosen and chosen.basis == "assumed" else fact.basis
        self.origins[name] = replace(fact, basis=basis, note=f"{note}; {fact.note}" if fact.note else note)

    def keep_as_stated(self) -> None:
        """Keep the facts with their values as read, and those of which only values beside are published."""
        values = {**self.given, **self.words, **self.graph}
        for name in dict.fromkeys([*self.origins, *values]):
            self.stated[name] = replace(self.origins.get(name, Fact(None)), value=values.get(name))
        self.stated.update(self.reported)

    def in_graph_units(self, name: str) -> Quantity:
        """Return a quantity that is completely read in the graph's unit, converted once."""
        if name not in self.converted:
            self.converted[name] = coherent(self.given[name], field_named(name).kind)
        return self.converted[name]

    def finished(self) -> Inputs:
        """Return the inputs, which no longer change, with what may be used in the graph's units."""
        of_another = {name for name, fact in self.reported.items() if fact.reason == BEFORE_A_CHANGE}
        usable = (name for name in self.given if name not in self.withheld and name not in of_another)
        graph = {name: self.in_graph_units(name) for name in usable} | self.graph
        made = {each.name: getattr(self, each.name) for each in fields(Inputs)} | {"graph": graph}
        frozen: dict[str, Any] = {name: Frozen(each) for name, each in made.items() if isinstance(each, dict)}
        return Inputs(**frozen, warnings=tuple(self.doubts))
