"""The one formatter of numbers and units for people; files get `repr(float)` and the unit's text instead."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from runlineage.catalogs.quantities.units import Quantity, Unit, convert, registry

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LEAST_READ = 1e-3  # a smaller number has zeros that a reader must count
# Units that people use with a decimal prefix, the smallest first. Operations alone keep their power of ten, as
# everybody in this field writes them; a rate of them does not. pint's `to_compact` knows neither: it leaves 0.000205 t,
# and turns 3.14×10²³ flop to 314 zettaflop.
PREFIXED = (
    ("flop", "megaflop", "gigaflop", "teraflop", "petaflop", "exaflop"),
    ("watt", "kilowatt", "megawatt", "gigawatt"),
    ("watt_hour", "kilowatt_hour", "megawatt_hour", "gigawatt_hour", "terawatt_hour"),
    ("gram_CO2e", "kilogram_CO2e", "tonne_CO2e", "megatonne_CO2e"),
)
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


def ratio_text(ratio: float, digits: int = 3) -> str:
    """Write how many times as much one thing is as another, to a few digits.

    >>> print(ratio_text(1.3651, 4), ratio_text(1.32e-8), ratio_text(2_690_123))
    1.365 1.32×10⁻⁸ 2,690,000
    """
    return number(float(f"{ratio:.{digits}g}"))


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
    """Write a quantity for people, in a unit in which its number reads well: `24.5558 TFLOP/s per accelerator`.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(people(quantity(24.555805805805804, "TFLOP/s/accelerator")), "|", people(quantity(6.3e-6, "GWh")))
    24.5558 TFLOP/s per accelerator | 6.3 kWh
    """
    return in_its_unit(readable(value))


def in_its_unit(value: Quantity) -> str:
    """Write a quantity for people in the unit that it has, as refusals do, whose reader looks for what was written.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(in_its_unit(quantity(6.3e-6, "GWh")))
    6.3×10⁻⁶ GWh
    """
    magnitude = value.magnitude
    if getattr(magnitude, "shape", ()):
        text = "[" + ", ".join(number(each) for each in magnitude.ravel()[:3]) + (", …]" if magnitude.size > 3 else "]")
    else:
        text = number(magnitude)
    unit = unit_text(value.units)
    return text if unit in ("", "facility") else f"{text} {unit}"  # a PUE is a plain number to people


def readable(value: Quantity) -> Quantity:
    """Express a quantity in the unit in which its number reads well, which is nearly always its own."""
    magnitude: Any = value.magnitude
    own: Any = value.units
    sizes = magnitude.ravel().tolist() if getattr(magnitude, "shape", ()) else [magnitude]
    shown = readable_unit(sizes, own)
    return value if shown is own else convert(value, shown)


def readable_unit(sizes: Iterable[float], unit: Unit) -> Unit:
    """Return a unit in which numbers read well: their own, or where one is tiny or huge, one with another prefix.

    `sizes` are in `unit`; several are those of one column, which has one unit for all.

    >>> from runlineage.catalogs.quantities.units import unit
    >>> print(unit_text(readable_unit([21.588], unit("GWh"))), unit_text(readable_unit([6.3e-6], unit("GWh"))))
    GWh kWh
    >>> print(unit_text(readable_unit([2.05e-4], unit("tCO2e"))), unit_text(readable_unit([3.14e23], unit("flop"))))
    gCO2e flop
    """
    positive = [size for each in sizes if 0 < (size := abs(float(each))) < math.inf]
    if all(map(_reads_well, positive)):
        return unit

    def fault(step: tuple[Unit, float]) -> tuple[float, ...]:
        shown = [size * step[1] for size in positive]
        badly = sum(not _reads_well(size) for size in shown)
        return badly, sum(size < 1 for size in shown), abs(math.log10(step[1]))

    own = (unit, 1.0)
    best = min([own, *_other_prefixes(unit)], key=fault)
    return best[0] if fault(best)[0] < fault(own)[0] else unit


def _reads_well(size: float) -> bool:
    return size >= LEAST_READ and "×" not in number(size)


@lru_cache(maxsize=256)
def _other_prefixes(unit: Unit) -> Sequence[tuple[Unit, float]]:
    """Return the same unit with other prefixes, each with the factor that leads to it."""
    powers: dict[str, Any] = dict(unit._units)
    for names in PREFIXED:
        found = [name for name, power in powers.items() if power == 1 and name in names]
        if found and (len(powers) > 1 or names[0] != "flop"):
            rest = {name: power for name, power in powers.items() if name != found[0]}
            units = [registry().Unit(registry().UnitsContainer(rest | {name: 1})) for name in names if name != found[0]]
            return [(each, float(registry().convert(1.0, unit, each))) for each in units]
    return ()
