"""Kinds of quantity: what a node asks for and gives back, told by dimension.

A kind is a marker class. `isinstance(value, Energy)` holds for any quantity of our registry with that dimension,
whether its magnitude is a number, an array or an expression, so Hamilton refuses a wrong dimension at the inputs
and a mis-wired edge when it builds the graph. Type checkers see an alias of `pint.Quantity`.
"""

from __future__ import annotations

import inspect
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from pint.facets.plain import PlainQuantity

from runlineage.catalogs.quantities.units import OurQuantity, Unit, unit

if TYPE_CHECKING:
    from typing import TypeAlias

    import pint


class Kind(type):
    """The class of kinds: `coherent` is the unit that flows in the graph, `noun` the word for messages."""

    coherent: str
    noun: str

    def __new__(cls, name: str, coherent: str, noun: str) -> Kind:  # noqa: D102 - a magic method
        made = super().__new__(cls, name, (), {"__doc__": f"A quantity in {coherent or 'no unit'}: {noun}."})
        made.coherent = coherent
        made.noun = noun
        made.__module__ = __name__
        return made

    def __init__(cls, name: str, coherent: str, noun: str) -> None:
        super().__init__(name, (), {})

    @property
    def unit(cls) -> Unit:
        """The coherent unit, in which node bodies need no conversion."""
        return unit(cls.coherent)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, OurQuantity) and bool(value.dimensionality == _dimensionality(cls.coherent))


@cache
def _dimensionality(coherent: str) -> Any:
    return unit(coherent).dimensionality


def is_plain(annotation: Any) -> bool:
    """Tell whether an annotation is a pint quantity of any dimension that ours may be, or a union with one.

    >>> import pint
    >>> is_plain(pint.Quantity[float]), is_plain(pint.Quantity | None), is_plain(float)
    (True, True, False)
    """
    origin = get_origin(annotation) or annotation
    if origin in (Union, UnionType):
        return any(map(is_plain, get_args(annotation)))
    if not inspect.isclass(origin) or isinstance(origin, Kind):
        return False
    # Hamilton types a quantity handed to `value(...)` by its class, which the registry makes from ours.
    return issubclass(origin, OurQuantity) or (issubclass(origin, PlainQuantity) and issubclass(OurQuantity, origin))


KINDS: dict[str, Kind] = {
    name: Kind(name, coherent, noun)
    for name, coherent, noun in (
        ("Operations", "flop", "a count of operations"),
        ("Rate", "flop/s/accelerator", "a rate of operations per accelerator"),
        ("AcceleratorTime", "accelerator*s", "an accelerator time"),
        ("Power", "W/accelerator", "a power per accelerator"),
        ("Energy", "J", "an energy"),
        ("Parameters", "parameter", "a count of parameters"),
        ("Tokens", "token", "a count of tokens"),
        ("Count", "accelerator", "a count of accelerators"),
        ("Duration", "s", "a wall-clock duration"),
        ("Fraction", "", "a plain fraction"),
        ("FacilityEnergy", "J*facility", "an energy at facility scope"),
        ("Overhead", "facility", "a power usage effectiveness (PUE)"),
        ("Emissions", "gCO2e", "an amount of CO2-equivalent"),
        ("CarbonIntensity", "gCO2e/J/facility", "a carbon intensity of electricity delivered to a facility"),
        ("ImpliedIntensity", "gCO2e/J", "emissions per energy of the devices"),
        ("Price", "USD/accelerator/s", "a price of accelerator time"),
        ("Cost", "USD", "a cost"),
    )
}

if TYPE_CHECKING:
    Operations: TypeAlias = pint.Quantity[Any]
    Rate: TypeAlias = pint.Quantity[Any]
    AcceleratorTime: TypeAlias = pint.Quantity[Any]
    Power: TypeAlias = pint.Quantity[Any]
    Energy: TypeAlias = pint.Quantity[Any]
    Parameters: TypeAlias = pint.Quantity[Any]
    Tokens: TypeAlias = pint.Quantity[Any]
    Count: TypeAlias = pint.Quantity[Any]
    Duration: TypeAlias = pint.Quantity[Any]
    Fraction: TypeAlias = pint.Quantity[Any]
    FacilityEnergy: TypeAlias = pint.Quantity[Any]
    Overhead: TypeAlias = pint.Quantity[Any]
    Emissions: TypeAlias = pint.Quantity[Any]
    CarbonIntensity: TypeAlias = pint.Quantity[Any]
    ImpliedIntensity: TypeAlias = pint.Quantity[Any]
    Price: TypeAlias = pint.Quantity[Any]
    Cost: TypeAlias = pint.Quantity[Any]
else:
    globals().update(KINDS)
