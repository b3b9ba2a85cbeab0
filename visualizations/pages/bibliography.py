"""The bibliography of some lineages: every source once, with the address that a browser may follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runlineage.catalogs.records.facts import Fact, Source
from runlineage.dataflow.graph.entries import followable
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.results import GIVEN
from runlineage.dataflow.graph.trace import cited


@dataclass(frozen=True)
class Listed:
    """A source as the bibliography has it: a catalogued one, or the words of a run file."""

    key: str
    citation: Source | None

    @property
    def link(self) -> str:
        """The address that a browser may follow, if any."""
        return followable(self.citation.url if self.citation else self.key)

    @property
    def text(self) -> str:
        """How the source is called in passing."""
        return str(self.citation) if self.citation else self.key


def bibliography(lineages: Iterable[Lineage]) -> list[Listed]:
    """List every source of some lineages, catalogued ones by author and year first.

    >>> from runlineage import Scenarios
    >>> print(*(each.text for each in bibliography([Scenarios.Gpt3PublishedRun.lineage("achieved_rate")])), sep=" | ")
    Brown et al. (2020) | Patterson et al. (2021)
    """
    citations: dict[str, Source | None] = {}
    for lineage in lineages:
        for entry in lineage.entries.values():
            if entry.is_fact and entry.source != GIVEN:
                citations[entry.source] = citations.get(entry.source) or entry.citation
        for fact in _beside(lineage):
            if fact.source:
                citations[fact.source] = citations.get(fact.source) or cited(fact)
    listed = [Listed(key, citation) for key, citation in citations.items() if key]
    return sorted(listed, key=lambda each: (each.citation is None, each.text.casefold(), each.key))


def _beside(lineage: Lineage) -> Iterator[Fact]:
    """List what a page shows beside the facts that are used."""
    for entry in lineage.entries.values():
        yield from entry.beside
    yield from lineage.reported.values()
    for _, facts in lineage.unused.values():
        yield from facts
