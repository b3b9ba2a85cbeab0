"""Lineage as plain data: the entries of a run, or of several side by side, and what was not used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, UnknownNameError, echo, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import nearest, numbered
from runlineage.catalogs.base.views import shown_as
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.printed import answer_of
from runlineage.dataflow.routes.plans import closure


@dataclass(frozen=True, repr=False)
class Lineage:
    """Where the numbers of a run, or of several, came from: entries in the order of computing, parents first.

    `outputs` are what was asked and answered, `problems` what was asked and could not be, with what it needs.
    `unused` holds facts upstream that are published and not used: why they are withheld, and their values; `reported`
    what the authors themselves print of the answers; `beyond` the quantities upstream that are not known (their value
    is None) or not used; `catalog` the fingerprint of the catalogs. `stated` are all facts of the run as they were
    given, also those that nothing here rests on, `assume` and `prefer` the assumptions and routes that it was asked
    with: from these the run can be computed anew. `scope` says which part of a run's lineage this is, where it is but a
    part. Of several runs, `parts` has the lineage of each, and the names of entries say whose they are. Of a run of
    several stages, `stages` has the facts that each was given for itself, and `stated` those of the run.
    """

    subject: str
    outputs: tuple[str, ...]
    entries: Mapping[str, Entry]
    warnings: tuple[str, ...]
    catalog: str
    unused: Mapping[str, tuple[str, tuple[Fact, ...]]]
    reported: Mapping[str, Fact]
    problems: Mapping[str, str] = field(default_factory=lambda: Frozen({}))
    beyond: Mapping[str, Entry] = field(default_factory=lambda: Frozen({}))
    parts: tuple[Lineage, ...] = ()
    stated: Mapping[str, Fact] = field(default_factory=lambda: Frozen({}))
    assume: tuple[str, ...] = ()
    prefer: Mapping[str, str] = field(default_factory=lambda: Frozen({}))
    scope: str = ""
    stages: Mapping[str, Mapping[str, Fact]] = field(default_factory=lambda: Frozen({}))

    @property
    def runs(self) -> tuple[Lineage, ...]:
        """The lineage of each run: this one itself where there is but one."""
        return self.parts or (self,)

    @cached_property
    def assumes(self) -> tuple[str, ...]:
        """Every assumption that a number of this lineage rests on."""
        return tuple(sorted({entry.assumption for entry in self.entries.values() if entry.assumption}))

    def upstream(self, *names: str) -> Lineage:
        """Keep what the named quantities came from, and themselves.

        >>> from runlineage import Scenarios
        >>> print(*Scenarios.Gpt3PublishedRun.lineage().upstream("peak_flops").entries)
        accelerator peak_flops
        """
        self._check(names)
        scope = f"what {', '.join(names)} rests on"
        return self._kept(closure(names, lambda name: self.entries[name].parents), names, scope)

    def downstream(self, *names: str) -> Lineage:
        """Keep what the named quantities affect, and themselves: what would change with this number.

        >>> from runlineage import Scenarios
        >>> print(*Scenarios.Gpt3PublishedRun.lineage().downstream("duration").entries)
        duration achieved_rate peak_fraction
        """
        self._check(names)
        reached = set(names)
        for name, entry in self.entries.items():  # parents stand before children
            if reached & set(entry.parents):
                reached.add(name)
        outputs = tuple(name for name in self.outputs if name in reached) or names
        return self._kept(reached, outputs, f"what {', '.join(names)} affects")

    def _check(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.entries:
                near = nearest(str(name), self.entries, 1)
                known = f"{self.subject} has {', '.join(self.entries) or 'no numbers'}"
                raise UnknownNameError("quantity", str(name), near, known)

    def _kept(self, kept: Collection[str], outputs: tuple[str, ...], scope: str) -> Lineage:
        entries = {
            name: replace(entry, parents=tuple(each for each in entry.parents if each in kept))
            for name, entry in self.entries.items()
            if name in kept
        }
        unused = {name: value for name, value in self.unused.items() if name in kept}
        reported = {name: fact for name, fact in self.reported.items() if answer_of(name) in kept}
        return Lineage(
            self.subject,
            outputs,
            Frozen(entries),
            self.warnings,
            self.catalog,
            Frozen(unused),
            Frozen(reported),
            stated=self.stated,
            assume=self.assume,
            prefer=self.prefer,
            scope=scope,
            stages=self.stages,
        )

    def __add__(self, other: Lineage) -> Lineage:
        return together(self, other)

    def __repr__(self) -> str:
        return f"<Lineage of {self.subject}: {', '.join(self.outputs) or 'nothing computed'}; print() shows the tree>"

    def __str__(self) -> str:
        return str(shown_as("tree", self)) if self.outputs else f"{self.subject}: nothing could be computed"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Show itself in a notebook; which of the forms is taken, the notebook decides."""
        bundle: dict[str, Any] = shown_as("mimebundle", self)
        return bundle


def together(*lineages: Lineage) -> Lineage:
    """Put the lineages of several runs side by side.

    >>> from runlineage import Scenarios
    >>> both = together(*(Scenarios[name].lineage("energy") for name in ("LLaMA 65B", "BLOOM 176B")))
    >>> print(*both.outputs, sep=" | ")
    energy of LLaMA 65B | energy of BLOOM 176B
    """
    faults = [
        Fault(f"lineages[{place}]", f"is {echo(each)}", "expected a lineage; `.lineage()` gives that of a run")
        for place, each in enumerate(lineages)
        if not isinstance(each, Lineage)
    ]
    if faults:
        raise InputError(tuple(faults))
    parts = tuple(part for each in lineages for part in each.runs)
    if not parts:
        refuse("lineages", "are none", "give the lineage of at least one run")
    if len(parts) == 1:
        return parts[0]
    names = numbered(part.subject for part in parts)
    parts = tuple(replace(part, subject=name) for part, name in zip(parts, names, strict=True))
    owned = [_owned(part) for part in parts]
    return Lineage(
        subject=", ".join(names),
        outputs=tuple(name for each in owned for name in each.outputs),
        entries=Frozen({name: entry for each in owned for name, entry in each.entries.items()}),
        warnings=tuple(f"{each.subject}: {warning}" for each in owned for warning in each.warnings),
        catalog=parts[0].catalog,
        unused=Frozen({name: value for each in owned for name, value in each.unused.items()}),
        reported=Frozen({name: fact for each in owned for name, fact in each.reported.items()}),
        problems=Frozen({name: problem for each in owned for name, problem in each.problems.items()}),
        beyond=Frozen({name: entry for each in owned for name, entry in each.beyond.items()}),
        parts=parts,
    )


def _owned(part: Lineage) -> Lineage:
    """Write the run into every name."""

    def own(name: str) -> str:
        return f"{name} of {part.subject}"

    entries = {
        own(name): replace(entry, subject=part.subject, parents=tuple(map(own, entry.parents)))
        for name, entry in part.entries.items()
    }
    return replace(
        part,
        outputs=tuple(map(own, part.outputs)),
        entries=Frozen(entries),
        unused=Frozen({own(name): value for name, value in part.unused.items()}),
        reported=Frozen({own(name): fact for name, fact in part.reported.items()}),
        problems=Frozen({own(name): problem for name, problem in part.problems.items()}),
        beyond=Frozen({own(name): entry for name, entry in part.beyond.items()}),
    )
