"""The one formatter of numbers and units for people; files get `repr(float)` and the unit's text instead."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from runlineage.catalogs.quantities.units import Quantity, Unit, registry

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SPELLED_OUT = {"flop", "minute", "hour", "day", "week", "parameter", "token", "accelerator"}


def number(value: Any) -> str:
    """Write a number to six significant digits, with thousands separators or a power of ten.

    >>> print(number(3.14e23), number(1082990.0), number(0.196446446))
    3.14×10²³ 1,082,990 0.196446
    """
    value = float(value)
    if not math.isfinite(value):
        return str(value)
    size = abs(value)
    if 1e5 <= size < 1e9 and value == round(value):
        return f"{value:,.0f}"
    if size != 0 and not 1e-4 <= float(f"{size:.5e}") < 1e6:
        mantissa, _, exponent = f"{value:.5e}".partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return f"{value:,.6g}"


@lru_cache(maxsize=256)
def unit_text(unit: Unit) -> str:
    """Write a unit as people do: what is per accelerator or at the facility last and in words.

    >>> from runlineage.catalogs.quantities.units import unit
    >>> print(unit_text(unit("TFLOP/s/accelerator")), "|", unit_text(unit("accelerator*hour")))
    TFLOP/s per accelerator | accelerator·hour
    """
    powers = _in_watts({name: float(power) for name, power in dict(unit._units).items()})  # type: ignore[arg-type]
    facility = "" if powers.pop("facility", 0) == 0 or "percent" in powers else " at the facility"
    if facility and not powers:
        return "facility"
    parts = sorted(powers.items(), key=lambda part: (part[0] != "accelerator", part[0]))
    above = "·".join(_power(name, power) for name, power in parts if power > 0)
    below = "".join("/" + _power(name, -power) for name, power in parts if power < 0 and name != "accelerator")
    each = " per accelerator" if any(name == "accelerator" and power < 0 for name, power in parts) else ""
    return (above or "1" if below or each else above) + below + each + facility


def _in_watts(powers: dict[str, float]) -> dict[str, float]:
    """Write powers and energies in root units (g·m²/s³, of another registry) as people do: in W or J."""
    size = powers.get("meter", 0) / 2
    mass = next((name for name in ("kilogram", "gram") if powers.get(name) == size), "")
    if not size or not mass:
        return powers
    rest = {name: power for name, power in powers.items() if name not in (mass, "meter", "second")}
    seconds = powers.get("second", 0) + 2 * size
    if seconds == -size:
        return rest | {"watt": size}
    return rest | {"joule": size} | ({"second": seconds} if seconds else {})


def _power(name: str, power: float) -> str:
    symbol = name if name in SPELLED_OUT else registry().get_symbol(name)
    return symbol if power == 1 else symbol + f"{power:g}".translate(SUPERSCRIPTS)


def people(value: Quantity) -> str:
    """Write a quantity for people: `24.5558 TFLOP/s per accelerator`.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(people(quantity(24.555805805805804, "TFLOP/s/accelerator")))
    24.5558 TFLOP/s per accelerator
    """
    magnitude = value.magnitude
    if getattr(magnitude, "shape", ()):
        text = "[" + ", ".join(number(each) for each in magnitude.ravel()[:3]) + (", …]" if magnitude.size > 3 else "]")
    else:
        text = number(magnitude)
    unit = unit_text(value.units)
    return text if unit in ("", "facility") else f"{text} {unit}"  # a PUE is a plain number to people
