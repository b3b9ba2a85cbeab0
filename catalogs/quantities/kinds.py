"""Kinds of quantity: what a node asks for and returns, recognised by dimension.

A kind is a marker class. `isinstance(value, Energy)` holds for any quantity of our registry with that dimension,
whether its magnitude is a number, an array or an expression, so Hamilton refuses a wrong dimension at the inputs
and a mis-wired edge when it builds the graph. Type checkers see an alias of `pint.Quantity`.
"""

from __future__ import annotations

import inspect
from functools import cache
from itertools import combinations
from math import prod
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from pint.facets.plain import PlainQuantity

from runlineage.catalogs.quantities.units import OurQuantity, Unit, unit

if TYPE_CHECKING:
    from typing import TypeAlias

    import pint


class Kind(type):
    """The class of kinds: `coherent` is the unit that flows in the graph, `noun` the word for messages.

    `counted` says whether K, M, B and T may scale it, `implied` what text may leave out beside `unsaid`.
    """

    coherent: str
    noun: str
    counted: bool
    implied: tuple[str, ...]

    def __new__(  # noqa: D102 - a magic method
        cls, name: str, coherent: str, noun: str, *, counted: bool = False, implied: tuple[str, ...] = ()
    ) -> Kind:
        made = super().__new__(cls, name, (), {"__doc__": f"A quantity in {coherent or 'no unit'}: {noun}."})
        made.coherent, made.noun, made.counted, made.implied = coherent, noun, counted, implied
        made.__module__ = __name__
        return made

    def __init__(cls, name: str, *_: object, **__: object) -> None:
        super().__init__(name, (), {})

    @property
    def unit(cls) -> Unit:
        """The coherent unit, in which node bodies need no conversion."""
        return unit(cls.coherent)

    def unsaid(cls, lacking: Unit, *, in_text: bool = False) -> Unit | None:
        """Return what people leave out of the unit where it lacks just that, or None.

        Watts of a device are per accelerator, grams of emissions are of CO2-equivalent.

        >>> print(KINDS["Power"].unsaid(unit("1/accelerator")), KINDS["Power"].unsaid(unit("1/s")))
        1/accelerator None
        """
        return _unsaid(cls, in_text).get(lacking.dimensionality)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, OurQuantity) and bool(value.dimensionality == _dimensionality(cls.coherent))


@cache
def _unsaid(kind: Kind, in_text: bool) -> dict[Any, Unit]:
    """Map a dimension to the unit that supplies it: any of the kind's accelerators, facility and CO2-equivalent."""
    powers: dict[str, Any] = dict(kind.unit._units)
    alone = len(powers) == 1 and "accelerator" in powers  # a bare count is a count of anything
    parts = [unit(name) ** powers[name] for name in ("accelerator", "facility") if name in powers and not alone]
    parts += [unit("gCO2e/g")] if "gram_CO2e" in powers else []
    units: list[Any] = [
        prod(some, start=unit("")) for size in range(len(parts)) for some in combinations(parts, size + 1)
    ]
    units += [unit(text) for text in kind.implied if in_text]
    return {each.dimensionality: each for each in units}


@cache
def _dimensionality(coherent: str) -> Any:
    return unit(coherent).dimensionality


def is_plain(annotation: Any) -> bool:
    """Return whether an annotation is a pint quantity of any dimension that ours may be, or a union with one.

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
    kind.__name__: kind
    for kind in (
        Kind("Operations", "flop", "a count of operations", counted=True),
        Kind("Rate", "flop/s/accelerator", "a rate of operations per accelerator", implied=("1/s", "1/s/accelerator")),
        Kind("AcceleratorTime", "accelerator*s", "an accelerator time", counted=True),
        Kind("Power", "W/accelerator", "a power per accelerator"),
        Kind("Energy", "J", "an energy"),
        Kind("Parameters", "parameter", "a count of parameters", counted=True),
        Kind("Tokens", "token", "a count of tokens", counted=True),
        Kind("Count", "accelerator", "a count of accelerators", counted=True),
        Kind("Duration", "s", "a wall-clock duration"),
        Kind("Fraction", "", "a plain fraction"),
        Kind("FacilityEnergy", "J*facility", "an energy at facility scope"),
        Kind("FacilityPower", "W*facility", "a power of the whole facility"),
        Kind("Overhead", "facility", "a power usage effectiveness (PUE)"),
        Kind("Emissions", "gCO2e", "an amount of CO2-equivalent"),
        Kind("CarbonIntensity", "gCO2e/J/facility", "a carbon intensity of electricity delivered to a facility"),
        Kind("ImpliedIntensity", "gCO2e/J", "emissions per energy of the devices"),
        Kind("Price", "USD/accelerator/s", "a price of accelerator time", implied=("1/accelerator/hour",)),
        Kind("Cost", "USD", "a cost", counted=True),
        Kind("Layers", "layer", "a count of layers"),
        Kind("Width", "channel", "a width of the model in channels"),
        Kind("TokenRate", "token/s", "a rate of tokens", counted=True),
        Kind("WorkPerToken", "flop/token", "operations per token"),
        Kind(
            "AttentionWork",
            "flop/layer/channel/token/token",
            "operations of attention per layer, channel and token squared",
        ),
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
    FacilityPower: TypeAlias = pint.Quantity[Any]
    Layers: TypeAlias = pint.Quantity[Any]
    Width: TypeAlias = pint.Quantity[Any]
    TokenRate: TypeAlias = pint.Quantity[Any]
    WorkPerToken: TypeAlias = pint.Quantity[Any]
    AttentionWork: TypeAlias = pint.Quantity[Any]
else:
    globals().update(KINDS)
