"""What is gathered of one input on its way into the graph: facts, where they come from, faults and doubts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from runlineage.catalogs.base.errors import Fault
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact


@dataclass
class Gathered:
    """Facts by their field, as `Inputs` describes them, while they are read, completed and checked."""

    faults: list[Fault] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    given: dict[str, Quantity] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, Fact] = field(default_factory=dict)
    withheld: dict[str, str] = field(default_factory=dict)
    passed: dict[str, Any] = field(default_factory=dict)
    reported: dict[str, Fact] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stated: dict[str, Fact] = field(default_factory=dict)

    def derive(self, name: str, fact: Fact, note: str, parents: tuple[str, ...]) -> None:
        """Take a fact of the record that the first parent names; where that is assumed, so is what follows from it."""
        self.given[name] = fact.value
        self.parents[name] = parents
        chosen = self.origins.get(parents[0])
        basis = "assumed" if chosen and chosen.basis == "assumed" else fact.basis
        self.origins[name] = replace(fact, basis=basis, note=f"{note}; {fact.note}" if fact.note else note)

    def keep_as_stated(self) -> None:
        """Keep the facts with their values as read, and those of which only values beside are published."""
        values = {**self.given, **self.words, **self.passed}
        for name in dict.fromkeys([*self.origins, *values]):
            self.stated[name] = replace(self.origins.get(name, Fact(None)), value=values.get(name))
        self.stated |= self.reported
