"""One private pint registry, built on first use from `units.txt`; the application registry is never touched."""

# pyright: reportReturnType=false
# (by pint's own types a registry makes some PlainQuantity, which no annotation of pint.Quantity accepts)

from __future__ import annotations

# A second copy of this module would be a second registry, and pint refuses to mix quantities of two.
if __name__ != "runlineage.catalogs.quantities.units":
    raise ImportError(
        f"import runlineage.catalogs.quantities.units, not {__name__}: a second copy would be a second registry"
    )

import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import pint
from pint.registry import Quantity as PintQuantity
from pint.registry import Unit as PintUnit
from pint.registry import UnitRegistry

if TYPE_CHECKING:
    from typing import TypeAlias

    Quantity: TypeAlias = pint.Quantity[Any]
    Unit: TypeAlias = pint.Unit

DEFINITIONS = Path(__file__).with_name("units.txt")


class OurQuantity(PintQuantity):  # type: ignore[type-arg]
    """A quantity of this registry, and not of the application's: made so, found so by `isinstance`, and pickled so.

    >>> print(OurQuantity(3.0, "GPU*hour").to("accelerator*minute").magnitude)
    180.0
    """

    def __new__(cls, value: Any, units: Any = None) -> OurQuantity:
        """Make a quantity in a unit, or in none."""
        if cls is OurQuantity:  # the registry makes a class of its own from this one
            return registry().Quantity(value, units)
        return super().__new__(cls, value, units)  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_quantity, (self.magnitude, dict(self._units))


class OurUnit(PintUnit):
    """A pint unit that pickles into our registry instead of the application's."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_unit, (dict(self._units),)


class OurRegistry(UnitRegistry):  # type: ignore[type-arg]
    """The registry class whose quantities and units are ours."""

    Quantity = OurQuantity
    Unit = OurUnit


if not TYPE_CHECKING:
    Quantity, Unit = OurQuantity, PintUnit

MOST_KEPT = 4096  # texts and units whose meaning pint keeps


class Bounded(dict[Any, Any]):
    """What pint keeps of the texts and units that it met: it starts anew when it is full, so that junk takes no room.

    >>> kept = Bounded()
    >>> for each in range(2 * MOST_KEPT):
    ...     kept[each] = each
    >>> print(len(kept) <= MOST_KEPT)
    True
    """

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self) >= MOST_KEPT:
            self.clear()
        super().__setitem__(key, value)


_lock = threading.Lock()
_registry: OurRegistry | None = None


def registry() -> OurRegistry:
    """Return the one pint registry of this package, reading `units.txt` at the first call (from any thread).

    Quantities of another registry do not mix with these; `as_quantity` brings them in.

    >>> print(registry().Quantity(3.14e23, "flop"), "|", registry().Unit("W/GPU"))
    3.14×10²³ flop | watt/accelerator
    """
    global _registry
    if _registry is None:
        with _lock:
            if _registry is None:
                fresh = OurRegistry(str(DEFINITIONS), on_redefinition="raise")
                fresh.formatter.default_format = ".6gP"
                fresh.separate_format_defaults = True  # f"{value:.2f}" keeps the unit's P
                for kept in ("root_units", "dimensionality", "parse_unit", "conversion_factor"):
                    setattr(fresh._cache, kept, Bounded(getattr(fresh._cache, kept)))
                _registry = fresh
    return _registry


def quantity(magnitude: Any, units: str | Unit) -> Quantity:
    """Make a quantity of a magnitude (scalar or array, as it is) and a unit that this project wrote.

    Text that people write goes through `as_quantity` instead.

    >>> print(quantity(700.0, "W/accelerator"))
    700 watt/accelerator
    """
    return registry().Quantity(magnitude, unit(units) if isinstance(units, str) else units)


@lru_cache(maxsize=256)
def unit(text: str) -> Unit:
    """Return the unit behind a text that this project wrote, such as `TFLOP/s/accelerator`.

    >>> print(unit("TFLOP/s/accelerator"))
    teraflop/accelerator/second
    """
    return registry().Unit(text)


@lru_cache(maxsize=1024)
def _factor(from_unit: Unit, to_unit: Unit) -> float:
    return float(registry().convert(1.0, from_unit, to_unit))


def convert(value: Quantity, to_unit: Unit) -> Quantity:
    """Express a quantity in another unit of its dimension: `.to()` with the factor remembered.

    >>> print(convert(quantity(14.8, "day"), unit("hour")))
    355.2 hour
    """
    from_unit = value.units
    if from_unit == to_unit and from_unit._units == to_unit._units:
        return value
    return registry().Quantity(value.magnitude * _factor(from_unit, to_unit), to_unit)


def convert_like(value: Quantity, other: Quantity) -> Quantity:
    """Express a quantity in the unit of another.

    >>> print(convert_like(quantity(14.8, "day"), quantity(1.0, "hour")))
    355.2 hour
    """
    to_unit: Any = other.units
    return convert(value, to_unit)


def quantity_like(magnitude: Any, other: Quantity) -> Quantity:
    """Make a quantity of a magnitude in the unit of another."""
    units: Any = other.units
    return quantity(magnitude, units)


def is_ours(value: object) -> TypeGuard[Quantity]:
    """Return whether a value is a quantity of this registry."""
    return isinstance(value, OurQuantity)


def _rebuild_quantity(magnitude: Any, units: Mapping[str, Any]) -> Quantity:
    return registry().Quantity(magnitude, _rebuild_unit(units))


def _rebuild_unit(units: Mapping[str, Any]) -> Unit:
    return registry().Unit(registry().UnitsContainer(units))
