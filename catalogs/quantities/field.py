"""The record of a field: all that this project knows of one quantity or word that can be given or asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, overload

from runlineage.catalogs.quantities.kinds import Kind
from runlineage.catalogs.quantities.units import Quantity, Unit, unit

Group = Literal["run", "footprint", "policy", "utilisation", "step", "printed"]


class Asked(Protocol):
    """What computes an answer when its attribute is asked for: a published run."""

    def _compute(self, metric: str) -> Quantity: ...


@dataclass(frozen=True)
class Band:
    """The least and the greatest number, in the field's unit, that can be true at all, and why."""

    least: float | None
    most: float | None
    why: str


@dataclass(frozen=True)
class Field:
    """A quantity that can be given or asked: `unit` is that of a plain number, and the published one of a metric.

    `gloss` says in messages what the name does not; `also` are the names under which catalogs hold the same quantity,
    such as `tdp` of an accelerator; `adds_up` says that the amounts of a run's stages make that of the whole. The class
    that holds the field names it.
    """

    kind: Kind
    unit: str
    sentence: str
    examples: tuple[str, ...]
    gloss: str = ""
    group: Group = "run"
    band: Band | None = None
    also: tuple[str, ...] = ()
    name: str = ""
    whole: bool = False  # a count of which there is no part
    adds_up: bool = False

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)
        text = self.sentence[0].upper() + self.sentence[1:]
        object.__setattr__(self, "__doc__", f"{text}{self.unit_shown and f', in {self.unit_shown}'}.")

    @property
    def units(self) -> Unit:
        """The unit of a plain number, as pint knows it."""
        return unit(self.unit)

    @property
    def unit_text(self) -> str:
        """The unit as files and JSON spell it."""
        return self.unit or "dimensionless"

    @property
    def unit_shown(self) -> str:
        """The unit as people write it in the field: what the facility adds goes without saying."""
        return "" if self.unit == "facility" else self.unit.removesuffix("/facility").removesuffix("*facility")

    @property
    def is_bounded(self) -> bool:
        """Whether the field has a band of its own."""
        return self.band is not None


class Answer(Field):
    """A field that a run computes: on an instance the quantity, on the class this record."""

    @overload
    def __get__(self, run: None, owner: type) -> Answer: ...
    @overload
    def __get__(self, run: Asked, owner: type) -> Quantity: ...
    def __get__(self, run: Asked | None, owner: type) -> Answer | Quantity:
        return self if run is None else run._compute(self.name)

    def __set__(self, run: object, value: NoReturn) -> NoReturn:  # a data descriptor: `help` shows its docstring
        raise AttributeError(f"{self.name} is computed, not set")


def fields_of(owner: type, *groups: Group) -> dict[str, Field]:
    """Return the fields that a class holds by their names, in order: all, or those of some groups."""
    return {name: each for name, each in _entries(owner) if not groups or each.group in groups}


def _entries(owner: type) -> Iterator[tuple[str, Field]]:
    return ((name, each) for name, each in vars(owner).items() if isinstance(each, Field))
