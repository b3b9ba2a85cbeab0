"""The bibliography of some lineages: every source once, with the address that a browser may follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runlineage.catalogs.catalog import Sources
from runlineage.catalogs.records import Source
from runlineage.dataflow.lineage import Lineage, followable
from runlineage.dataflow.results import GIVEN


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
    keys: set[str] = set()
    for lineage in lineages:
        for entry in lineage.entries.values():
            keys.update([entry.source] if entry.is_fact else [], (fact.source or "" for fact in entry.beside))
        keys.update(fact.source or "" for fact in lineage.reported.values())
        keys.update(fact.source or "" for _, facts in lineage.unused.values() for fact in facts)
    listed = [Listed(key, Sources.get(key)) for key in keys - {"", GIVEN}]
    return sorted(listed, key=lambda each: (each.citation is None, each.text.casefold(), each.key))
