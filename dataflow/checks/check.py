"""What a check found: every comparison, the facts to doubt, and the least change that reconciles all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from runlineage.catalogs.base.errors import UnknownNameError
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.base.views import shown_as
from runlineage.dataflow.checks.beside import Beside
from runlineage.dataflow.checks.compared import CONTRADICT, Compared, Doubt
from runlineage.dataflow.checks.fit import Fit


@dataclass(frozen=True)
class Check:
    """What a run's published figures say of each other; `warnings` are those of its facts.

    `compared` holds every comparison that the facts allow, in the order of the source; `doubts` the facts to doubt
    first, each with the value that would settle the most; `fit` the least change that reconciles all; `beside` other
    published values of its facts, which are not used.
    """

    subject: str
    compared: tuple[Compared, ...]
    doubts: tuple[Doubt, ...]
    fit: Fit | None
    beside: tuple[Beside, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def contradictions(self) -> tuple[Compared, ...]:
        """The comparisons that cannot both be true, the worst first."""
        wrong = (each for each in self.compared if each.word == CONTRADICT)
        return tuple(sorted(wrong, key=lambda each: -each.badness))

    def __getitem__(self, name: str) -> Compared:
        found = {each.name: each for each in self.compared}
        if name not in found:
            raise UnknownNameError("comparison", name, nearest(str(name), found), "a check has those of its facts")
        return found[name]

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.compared)

    def __len__(self) -> int:
        return len(self.compared)

    def __str__(self) -> str:
        return "\n".join(f"{each.word}: {each}" for each in self.compared)

    def _repr_html_(self) -> str:
        """Show every comparison in a notebook, with causes and doubts."""
        return str(shown_as("html", self))

    def as_json(self) -> dict[str, Any]:
        """Return stable keys, numbers in full precision."""
        return {
            "run": self.subject,
            "contradictions": len(self.contradictions),
            "comparisons": [each.as_json() for each in self.compared],
            "doubts": [each.as_json() for each in self.doubts],
            "fit": self.fit.as_json() if self.fit else None,
            "beside": [each.as_json() for each in self.beside],
        }
