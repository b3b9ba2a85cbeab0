"""The entries of a lineage: a quantity with its value, equation, basis, source and parents, and the ways to it."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Any, Literal

from runlineage.catalogs.quantities.fields import field_of
from runlineage.catalogs.quantities.units import is_ours
from runlineage.catalogs.records.facts import Fact, Source
from runlineage.dataflow.routes.plans import SUPPLIED

State = Literal["taken", "open", "closed"]


def followable(address: str) -> str:
    """Return an address that a browser may follow as it is, and of any other text nothing.

    >>> print([followable("https://arxiv.org/abs/2005.14165"), followable("javascript:alert(1)")])
    ['https://arxiv.org/abs/2005.14165', '']
    """
    return address if address.startswith(("https://", "http://")) and not set(address) & set(" \n\t\"'<>") else ""


def summary(value: object) -> str:
    """Describe any value by its type and size; a number by itself.

    >>> print(summary({"a": 1}), "|", summary(float("nan")))
    dict of 1 | nan
    """
    shape = getattr(value, "shape", None) or ((len(value),) if isinstance(value, Sized) else ())
    kind = type(value).__name__
    if isinstance(value, float):
        return str(value)
    return f"{kind} of {' × '.join(map(str, shape))}" if shape else kind


def of_stage(name: str, stage: str) -> str:
    """Name a quantity of one stage of a run.

    >>> print(of_stage("energy", "pre-training"), "|", of_stage("energy", ""))
    energy of pre-training | energy
    """
    return f"{name} of {stage}" if stage else name


@dataclass(frozen=True)
class Way:
    """One route to a quantity: the one taken, one that was open (with the value it would give), or a closed one.

    `lacks` says what a closed one needs, or that its assumption is off.
    """

    name: str
    state: State
    equation: str
    needs: tuple[str, ...]
    assumption: str | None = None
    value: Any = None
    lacks: str = ""


@dataclass(frozen=True)
class Entry:
    """One quantity of a lineage. `working` is the equation with the numbers in it, `about` what the quantity is.

    `stage` is that of the run whose quantity it is, where the run has several. `interval` holds the ends of its 90 %
    interval where it is uncertain, in the unit of the value, and `budget` the share of each fact in it; the value is
    then the median.
    """

    name: str
    value: Any
    route: str | None
    equation: str
    working: str
    excludes: str
    basis: str
    assumption: str | None
    source: str
    citation: Source | None
    place: str
    note: str
    beside: tuple[Fact, ...]
    parents: tuple[str, ...]
    ways: tuple[Way, ...] = ()
    about: str = ""
    subject: str = ""
    stage: str = ""
    interval: tuple[Any, Any] | None = None
    budget: Mapping[str, float] | None = None

    @property
    def called(self) -> str:
        """The name of the quantity, and of its stage where it is of one."""
        return of_stage(self.name, self.stage)

    @property
    def unit(self) -> str:
        """The unit of the value, as files spell it; empty for a word."""
        if not is_ours(self.value):
            return ""
        known = field_of(self.name)
        return known.unit_text if known and known.units == self.value.units else str(self.value.units)

    @property
    def is_fact(self) -> bool:
        """Whether the quantity was supplied and not computed."""
        return self.route == SUPPLIED

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The names of the routes that were open and not taken."""
        return tuple(way.name for way in self.ways if way.state == "open")

    @property
    def closed(self) -> tuple[tuple[str, str], ...]:
        """The routes that were not open, each with what it needs."""
        return tuple((way.name, way.lacks) for way in self.ways if way.state == "closed")

    @property
    def link(self) -> str:
        """The address of the source, where it has one that a browser may follow."""
        return followable(self.citation.url if self.citation else self.source)
