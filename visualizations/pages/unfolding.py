"""What the HTML forms show of a lineage, as plain data: numbers that unfold to steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from runlineage.catalogs.everyday import equal, is_energy
from runlineage.catalogs.quantities.fields import ANSWERS
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.ranges import interval_text
from runlineage.catalogs.quantities.units import is_ours
from runlineage.catalogs.records.facts import Fact, Source
from runlineage.dataflow.graph.entries import Entry, Way
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.trace import cited
from runlineage.dataflow.routes.routes import ONLY
from runlineage.visualizations.assumptions import assumed_beneath
from runlineage.visualizations.pages.bibliography import Listed
from runlineage.visualizations.pictures.boxes import box_kind
from runlineage.visualizations.printed_figures import comparison, printed_figure, printed_figures
from runlineage.visualizations.tree import entry_text, value_text, working_text
from runlineage.visualizations.unused import left_over

LEAST_BAR = 0.005  # share of a spread below which a bar would not be seen
DEEPEST = 5  # where indenting stops


@dataclass(frozen=True)
class Origin:
    """Where a fact is read: the source, its number in the bibliography (0: none), the place in it, its address."""

    text: str
    place_in_list: int
    place: str
    link: str


@dataclass(frozen=True)
class Figure:
    """A published figure that serves for comparison, or stands beside the one used."""

    name: str
    value: str
    origin: Origin | None
    why: str
    compared: str = ""


@dataclass(frozen=True)
class Step:
    """One quantity of an unfolded number; `again` where it is shown above, or in the answer that it is itself."""

    name: str
    value: str
    kind: str
    depth: int
    again: bool = False
    shown_in: int = 0
    about: str = ""
    route: str = ""
    equation: str = ""
    working: str = ""
    excludes: str = ""
    basis: str = ""
    origin: Origin | None = None
    note: str = ""
    beside: tuple[Figure, ...] = ()
    open: tuple[dict[str, str], ...] = ()
    closed: tuple[Way, ...] = ()


@dataclass(frozen=True)
class Number:
    """One answer of a run, with the steps that it unfolds to.

    `published` is the figure that the authors print of it, `difference` how far the answer is from that as a share,
    and `is_off` whether this is more than rounding; `budget` has the share of each fact in an answer's spread.
    """

    place: int
    value: str
    route: str
    assumes: tuple[str, ...]
    printed: str
    steps: tuple[Step, ...]
    published: str = ""
    difference: float | None = None
    is_off: bool = False
    everyday: str = ""
    budget: tuple[tuple[str, float], ...] = ()

    @property
    def compared(self) -> str:
        """How far the answer is from the authors' figure, for people."""
        if self.difference is None:
            return ""
        return f"{100 * self.difference:+.1f}%".replace("-", "−") if self.is_off else "agrees"


@dataclass(frozen=True)
class Unfolded:
    """A run as a page shows it; `place` counts runs from 1, and is 0 where nothing links to its numbers."""

    subject: str
    place: int
    asked: tuple[str, ...]
    numbers: dict[str, Number]
    problems: dict[str, str]
    warnings: tuple[str, ...]
    reported: tuple[Figure, ...]
    unused: tuple[Figure, ...]
    diagram: str = field(default="", compare=False)
    checked: object = field(default=None, compare=False)


def unfolded(
    lineage: Lineage, asked: Iterable[str], sources: Iterable[Listed], place: int = 0, everyday: str = ""
) -> Unfolded:
    """Lay out the lineage of one run for a page, its energies with an everyday equal where one is asked."""
    numbered = {listed.key: (number, listed) for number, listed in enumerate(sources, 1)}
    layout = _Layout(lineage, numbered, everyday, linked=place > 0)
    return Unfolded(
        lineage.subject,
        place,
        tuple(asked),
        {name: layout.number(name, number) for number, name in enumerate(lineage.outputs, 1)},
        dict(lineage.problems),
        lineage.warnings,
        tuple(
            layout.figure(
                name.removeprefix("reported_").replace("pue", "PUE"),
                fact,
                compared=comparison(printed_figure(lineage, name)),
            )
            for name, fact in lineage.reported.items()
        ),
        tuple(layout.unused()),
    )


class _Layout:
    """Texts of one lineage, with the numbers that its sources have in the bibliography."""

    def __init__(
        self, lineage: Lineage, numbered: dict[str, tuple[int, Listed]], everyday: str, *, linked: bool
    ) -> None:
        self.lineage = lineage
        self.numbered, self.everyday = numbered, everyday
        self.printed = printed_figures(lineage)
        self.places = {name: number for number, name in enumerate(lineage.outputs, 1)} if linked else {}

    def number(self, name: str, place: int) -> Number:
        entry, printed = self.lineage.entries[name], self.printed.get(name)
        share = is_share(name, entry.value) and self.places
        return Number(
            place,
            _share_text(entry) if share else entry_text(entry),
            entry.route or "",
            assumed_beneath(self.lineage, name),
            str(printed) if printed else "",
            self._steps(name),
            people(printed.value) if printed else "",
            printed.difference if printed else None,
            bool(printed and printed.difference is not None and not printed.agrees),
            equal(entry.value, self.everyday) if self.everyday and is_energy(entry.value) else "",
            tuple((fact, share) for fact, share in (entry.budget or {}).items() if share >= LEAST_BAR),
        )

    def _steps(self, name: str) -> tuple[Step, ...]:
        # A stack and no recursion: the lineage of a user's graph may be deep.
        steps, seen, stack = [], set[str](), [(name, 0)]
        while stack:
            each, depth = stack.pop()
            entry = self.lineage.entries[each]
            other = self.places.get(each, 0) if each != name else 0
            steps.append(self._step(each, entry, min(depth, DEEPEST), again=each in seen, shown_in=other))
            if each not in seen and not other:
                stack += [(parent, depth + 1) for parent in reversed(entry.parents)]
            seen.add(each)
        return tuple(steps)

    def _step(self, name: str, entry: Entry, depth: int, *, again: bool, shown_in: int) -> Step:
        kind = box_kind(self.lineage, name, entry)
        if again or shown_in:
            return Step(name, entry_text(entry), kind, depth, again=True, shown_in=shown_in)
        return Step(
            name,
            entry_text(entry),
            kind,
            depth,
            about=entry.about,
            route=entry.route if entry.route and not entry.is_fact else "",
            equation=entry.equation,
            working=working_text(entry).removeprefix("= ") if entry.equation else "",
            excludes=entry.excludes,
            basis=f'assumption "{entry.assumption}"' if entry.assumption else entry.basis,
            origin=self.origin(entry.source, entry.place, entry.citation) if entry.is_fact else None,
            note=entry.note,
            beside=tuple(self.figure(name, fact) for fact in entry.beside),
            open=tuple(_open(way) for way in entry.ways if way.state == "open"),
            closed=tuple(way for way in entry.ways if way.state == "closed"),
        )

    def origin(self, source: str, place: str | None, citation: Source | None) -> Origin:
        number, listed = self.numbered.get(source, (0, Listed(source, citation)))
        return Origin(listed.text, number, place or "", listed.link)

    def figure(self, name: str, fact: Fact, why: str = "", compared: str = "") -> Figure:
        origin = self.origin(fact.source, fact.place, cited(fact)) if fact.source else None
        return Figure(
            name, _figure_text(fact), origin, why or "; ".join(filter(None, [fact.reason, fact.note])), compared
        )

    def unused(self) -> Iterable[Figure]:
        for name, (withheld, facts) in self.lineage.unused.items():
            for place, fact in enumerate(facts):
                if fact.value is not None:
                    yield self.figure(name, fact, withheld if place == 0 else "")
        for name, fact in left_over(self.lineage).items():
            yield self.figure(name, fact)


def _figure_text(fact: Fact) -> str:
    if fact.is_range:
        return interval_text(fact.value, fact.low, fact.high)
    return value_text(getattr(fact.value, "name", fact.value))


def _share_text(entry: Entry) -> str:
    """Write a share in per cent."""
    if entry.interval:
        return interval_text(entry.value, *entry.interval, times=100, unit="%")
    return f"{100 * float(entry.value.magnitude):.6g}%"


def is_share(name: str, value: object) -> bool:
    """Return whether an answer is one share, which a page writes in per cent."""
    known = ANSWERS.get(name)
    return known is not None and known.kind is KINDS["Fraction"] and is_ours(value) and not np.ndim(value.magnitude)


def _open(way: Way) -> dict[str, str]:
    value = "" if way.value is None else value_text(way.value)
    return {"name": way.name or ONLY, "equation": way.equation, "value": value, "assumption": way.assumption or ""}
