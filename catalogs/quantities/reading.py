"""The front door for quantities: keyword inputs, catalogs, tables and command line all pass `as_quantity`."""

# pyright: reportAssignmentType=false
# (by pint's own types a registry makes some PlainQuantity, which no annotation of pint.Quantity accepts)

from __future__ import annotations

import datetime
import math
import numbers
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pint

from runlineage.catalogs.base.errors import echo, refuse
from runlineage.catalogs.quantities.fields import FIELDS, Field
from runlineage.catalogs.quantities.formatting import in_its_unit, number, unit_text
from runlineage.catalogs.quantities.grammar import Unreadable, read
from runlineage.catalogs.quantities.kinds import KINDS, Kind
from runlineage.catalogs.quantities.magnitudes import floats, seconds
from runlineage.catalogs.quantities.range_text import is_range
from runlineage.catalogs.quantities.units import OurQuantity, Quantity, convert, quantity, registry

TABLES = {"pandas", "polars", "pyarrow", "narwhals", "dask", "pyspark", "duckdb"}
LEAST, MOST = 1e-60, 1e60  # products of three such facts stay finite
ROUNDING = 1e-12
NEARLY_WHOLE = 1e-9  # of the number
# "312 TFLOPs" means a rate where one is asked for; whatever says more of time, or has no prefix, is what it says.
BARE_RATE = re.compile(r"[A-Za-z]{1,5}FLOPs?(?: ?(?:/|\bper\b) ?[A-Za-z0-9 ]+)?$", re.IGNORECASE)
SI_ROOTS = {"meter", "gram", "kilogram", "second"}


def as_quantity(value: Any, kind: Kind | None = None, field: str = "value") -> Quantity:
    """Read a fact: one of our quantities, another registry's, text that people write, a number or an array of numbers.

    A plain number is in the field's unit; the field also decides that `700 W` of a device or `30.84e6 hours` of
    accelerator time are per accelerator, that `385 g/kWh` is of CO2-equivalent, and whose energy `1,287 MWh` is: text
    cannot tell, so in `energy` it is the devices' and in `facility_energy` that of the whole facility, PUE inside.
    Scalar or column in, float64 out, in the unit as written. Raises `InputError` for what is not this field's
    dimension, not finite, not above zero, or outside the field's band.

    >>> print(as_quantity("700 W", field="device_power"))
    700 watt/accelerator
    >>> print(as_quantity(14.8, field="duration"))
    14.8 day
    """
    known = FIELDS.get(field)
    if known and kind and known.kind is not kind:
        refuse(field, f"is {known.kind.noun}, not {kind.noun}", "leave the kind out")
    kind = known.kind if known else kind
    if kind is None:
        refuse(field, "is not a field", "name a field or a kind")
    try:
        fact = _within(_positive(_read(value, kind, known), known), known)
        if known and known.whole and not isinstance(value, OurQuantity):  # as solve gives one: where equality lies
            _refuse_parts(fact, known)
        return fact
    except Unreadable as problem:
        if isinstance(value, str) and is_range(value):
            refuse(field, f"{echo(value)} is a range", "one value is needed here")
        what = f"{echo(value)} {problem.reason}"
        full = problem.cure and not problem.cure.startswith("did you mean '")
        cure = problem.cure if full else expected(kind, known)
        hint = f"{problem.cure} " if cure is not problem.cure and problem.cure else ""
        refuse(field, what, hint + cure)


def expected(kind: Kind, known: Field | None) -> str:
    """Describe what a field takes, with examples.

    >>> power = FIELDS["device_power"]
    >>> print(expected(power.kind, power))
    expected a power per accelerator in W/accelerator, such as '700 W' or '0.7 kW'
    """
    if known is None:
        return f"expected {kind.noun}" + (f" in {kind.coherent}" if kind.coherent else "")
    in_unit = f" in {known.unit_shown}" if known.unit_shown else ""
    return f"expected {kind.noun}{in_unit}, such as " + " or ".join(repr(example) for example in known.examples)


def _read(value: Any, kind: Kind, known: Field | None) -> Quantity:
    if isinstance(value, str):
        return _from_text(value, kind, known)
    if isinstance(value, (datetime.timedelta, np.timedelta64)) or getattr(value, "dtype", np.dtype(int)).kind == "m":
        lasted = _of_kind(quantity(seconds(value), "s"), kind)
        return convert(lasted, known.units) if known else lasted
    if isinstance(value, OurQuantity):
        return _of_kind(value, kind)
    if isinstance(value, pint.Quantity):
        brought = _from_elsewhere(value, kind)
        return convert(brought, known.units) if known else brought
    if type(value).__module__.split(".")[0] in TABLES:
        raise Unreadable("is a table or a column of one", "pass its NumPy values: this door takes numbers and arrays")
    if isinstance(value, (bool, np.bool_)):
        raise Unreadable("is a truth value, not a quantity")
    if isinstance(value, (numbers.Real, Decimal, np.ndarray, list, tuple)):
        if known is None and kind.coherent:
            raise Unreadable("is a plain number where no unit is known", "give it a unit")
        return quantity(floats(value), known.units if known else kind.unit)
    raise Unreadable(f"is of type {type(value).__name__}")


def _from_text(text: str, kind: Kind, known: Field | None) -> Quantity:
    written = read(text)
    if written.scale and not kind.counted:
        raise Unreadable(
            f"scales {kind.noun} by {written.scale!r}", f"K, M, B and T scale counts only; {expected(kind, known)}"
        )
    if written.unit is None:
        if known is None and kind.coherent:
            raise Unreadable("has no unit", expected(kind, known))
        return quantity(written.number, known.units if known else kind.unit)
    if kind.__name__ == "AcceleratorTime" and str(written.unit) in ("day", "week"):
        raise Unreadable("may be wall-clock time", "write GPU-days if it is not; wall-clock time is duration")
    bare = kind.__name__ != "Rate" or bool(BARE_RATE.search(text.strip()))
    return _of_kind(_per_accelerator(quantity(written.number, written.unit), kind, from_text=True, implied=bare), kind)


def _from_elsewhere(value: Any, kind: Kind) -> Quantity:
    """Bring in another registry's quantity if its unit rests on the same base units as ours."""
    roots = value.to_root_units()
    units: dict[str, float] = dict(roots._units)
    ours = registry()
    for name in units:
        if name not in SI_ROOTS and not (name in ours and ours.get_root_units(name)[1] == ours.Unit(name)):
            raise Unreadable(f"is in a unit of another registry that means nothing here ({name})")
    brought: Quantity = ours.Quantity(floats(roots.magnitude), ours.UnitsContainer(units))
    if "accelerator" not in value._REGISTRY:
        brought = _per_accelerator(brought, kind, from_text=False)
    return _of_kind(brought, kind)


def _per_accelerator(value: Quantity, kind: Kind, *, from_text: bool, implied: bool = True) -> Quantity:
    """Let the field decide what a card leaves out: hours, watts and FLOP/s there are those of accelerators."""
    if from_text and "CO2e" in kind.coherent:
        value = _of_co2e(value)
    lacking: Any = kind.unit / value.units
    unsaid = kind.unsaid(lacking, in_text=from_text and implied)
    return value if unsaid is None else quantity(value.magnitude, value.units * unsaid)


def _of_co2e(value: Quantity) -> Quantity:
    """Take the masses in a unit for those of CO2-equivalent, in the same multiple."""
    units = {
        f"{name}_CO2e" if name.endswith(("gram", "tonne")) else name: power
        for name, power in dict(value._units).items()
    }
    mass: Quantity = registry().Quantity(value.magnitude, registry().UnitsContainer(units))
    return mass


def _of_kind(value: Quantity, kind: Kind) -> Quantity:
    fits: bool = isinstance(value, kind)
    if not fits and kind.__name__ == "Energy" and isinstance(value, KINDS["FacilityEnergy"]):
        raise Unreadable(f"is in {unit_text(value.units)}, with PUE inside already", "give it as facility_energy")
    if not fits:
        raise Unreadable(f"is in {unit_text(value.units) or 'no unit'}, which is not {kind.noun}")
    if isinstance(value.magnitude, float):
        return value
    made: Quantity = registry().Quantity(floats(value.magnitude), value.units)
    return made


def _positive(value: Quantity, known: Field | None) -> Quantity:
    magnitude = value.magnitude
    zero = known is not None and known.band is not None and known.band.least == 0
    if zero and np.all(np.isfinite(magnitude) & (magnitude >= 0)):
        return value  # nothing divides by what may be zero
    if isinstance(magnitude, float):
        if not (math.isfinite(magnitude) and magnitude > 0):
            low = "is below zero" if zero else "is not above zero"
            raise Unreadable(low if math.isfinite(magnitude) else "is not a finite number")
        if not LEAST <= magnitude <= MOST:
            raise Unreadable(f"is beyond what a run can have ({LEAST:g} to {MOST:g})")
        return value
    bad = ~((magnitude >= LEAST) & (magnitude <= MOST))
    if bad.any():
        where = int(np.flatnonzero(bad)[0])
        cell, total = magnitude.ravel()[where], f"{int(bad.sum())} of {bad.size}"
        raise Unreadable(f"has {cell!s} at position {where}; {total} cells are not between {LEAST:g} and {MOST:g}")
    return value


def _within(value: Quantity, known: Field | None) -> Quantity:
    """Refuse what cannot be true of a field that has a band of its own."""
    if known is None or known.band is None:
        return value
    sizes = convert(value, known.units).magnitude
    bad = outside(sizes, known)
    if np.any(bad):
        where = int(np.flatnonzero(bad)[0])
        cell = float(np.ravel(sizes)[where])
        shown = in_its_unit(quantity(cell, known.unit_shown))
        at = f"has {shown} at position {where}" if np.shape(sizes) else f"is {shown}" if known.unit_shown else ""
        raise Unreadable(at or "is out of its band", _slip(cell, known))
    return value


def band(known: Field) -> tuple[float, float]:
    """Return the least and the greatest number, in the field's unit, with room for the rounding of a conversion."""
    least, most = (known.band.least, known.band.most) if known.band else (None, None)
    return LEAST if least is None else least * (1 - ROUNDING), MOST if most is None else most * (1 + ROUNDING)


def outside(sizes: Any, known: Field) -> Any:
    """Return which numbers, in the field's unit, lie outside its band.

    >>> print(outside(0.9, FIELDS["pue"]), outside(1.1, FIELDS["pue"]))
    True False
    """
    least, most = band(known)
    return ~((sizes >= least) & (sizes <= most)) if np.shape(sizes) else not least <= sizes <= most


def _refuse_parts(value: Quantity, known: Field) -> None:
    """Refuse a count that is not whole."""
    if not np.all(is_whole(convert(value, known.units).magnitude)):
        raise Unreadable("is not a whole number, and it is a count")


def is_whole(sizes: Any) -> Any:
    """Return which numbers are whole, but for the rounding of a conversion; numbers, arrays and expressions alike.

    >>> print(is_whole(2048.0), is_whole(3.5))
    True False
    """
    if isinstance(sizes, float):
        return abs(sizes - round(sizes)) <= sizes * NEARLY_WHOLE
    apart = sizes - sizes.round(0)
    return (abs(apart) if isinstance(apart, np.ndarray) else apart.abs()) <= sizes * NEARLY_WHOLE


def _slip(size: float, known: Field) -> str:
    """Explain why a number cannot be, and what was likely meant."""
    if known.kind.__name__ == "CarbonIntensity" and not outside(size / 1000, known):
        meant = f"{number(size / 1000)} {known.unit_shown}"
        return f"did you mean {number(size)} {known.unit_shown.removeprefix('k')}, that is {meant}?"
    return known.band.why if known.band else ""


def coherent(value: Quantity, kind: Kind) -> Quantity:
    """Bring a quantity into the unit that flows in the graph.

    >>> print(coherent(as_quantity("1 day", field="duration"), FIELDS["duration"].kind))
    86400 second
    """
    return convert(value, kind.unit)
