"""Ranges: a fact of which its authors state how far it may be off, as an interval that holds it in 90 % of cases."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import in_its_unit, number, ratio_text, readable_unit, unit_text
from runlineage.catalogs.quantities.grammar import Unreadable, read
from runlineage.catalogs.quantities.kinds import Kind
from runlineage.catalogs.quantities.range_text import WIDEST, RangeText, range_text
from runlineage.catalogs.quantities.reading import as_quantity, coherent
from runlineage.catalogs.quantities.units import OurQuantity, Quantity, convert, convert_like, quantity, quantity_like

LEVEL = 0.9  # the share of cases in which a range holds the fact
NORMAL_END = 1.6448536269514722  # standard deviations of a normal distribution from its median to its 95th percentile
LONGEST_NUMBER = 6  # digits that people are shown
Shape = Literal["lognormal", "uniform"]


@dataclass(frozen=True)
class Range:
    """A fact with its median `value` and the ends of its 90 % interval, all in one unit.

    Lognormal, since every fact is positive: each half with the width of its own, so that median and both ends are those
    that were stated. A `uniform` one (of roundings) lies between its ends always.
    """

    value: Any
    low: Any
    high: Any
    shape: Shape = "lognormal"
    note: str = ""

    @property
    def halves(self) -> tuple[float, float]:
        """The standard deviations of the logarithm below and above the median.

        >>> print(*(f"{each:.4f}" for each in as_range("350 to 400 W", field="device_power").halves))
        0.0406 0.0406
        """
        low, value, high = (float(getattr(each, "magnitude", each)) for each in (self.low, self.value, self.high))
        return math.log(value / low) / NORMAL_END, math.log(high / value) / NORMAL_END

    def __str__(self) -> str:
        return interval_text(self.value, self.low, self.high)


def as_range(value: Any, kind: Kind | None = None, field: str = "value") -> Quantity | Range:
    """Read a fact that may be a range: text such as `350 to 400 W`, `20k-30k` or `25,000 ± 10%`; else as `as_quantity`.

    The median of `A to B` is the geometric mean of its ends; that of `A ± B` is A.
    Raises `InputError` for a range that is reversed, without width, or reaches zero.

    >>> print(as_range("350 to 400 W", field="device_power"))
    374 W per accelerator (350 to 400)
    >>> print(as_range("about 25,000 ± 10%", field="accelerator_count"))
    25,000 accelerator (22,500 to 27,500)
    >>> print(as_range("700 W", field="device_power"))
    700 watt/accelerator
    """
    if not isinstance(value, str):
        return as_quantity(value, kind, field)
    try:
        text = range_text(value)
    except Unreadable as problem:
        refuse(field, f"{echo(value)} {problem.reason}", problem.cure)
    return as_quantity(value, kind, field) if text is None else _from_text(value, text, kind, field)


def range_of(value: Any, low: Any, high: Any, field: str) -> Range:
    """Make a range of a median and its two ends, each read as the field reads it.

    >>> print(range_of("375 W", "350 W", "400 W", "device_power"))
    375 W per accelerator (350 to 400)
    """
    given = {"value": value, f"{field}.low": low, f"{field}.high": high}
    faults = [
        Fault(f"{field}.{end}", "is missing", "give both ends of a range")
        for end in ("low", "high")
        if given[f"{field}.{end}"] is None
    ]
    found = []
    for where, each in given.items():
        try:
            found += [] if each is None else [as_quantity(each, field=field)]
        except InputError as problem:
            faults += problem.faults if where == "value" else problem.at(where, only=True).faults
    if faults:
        raise InputError(tuple(faults))
    median, least, most = (convert_like(each, found[0]) for each in found)
    if any(np.shape(each.magnitude) for each in found):
        refuse(field, "is a column with ends", "a range is of one run; a table takes ranges in its cells")
    if not least.magnitude <= median.magnitude <= most.magnitude:
        middle, low_end, high_end = map(in_its_unit, (median, least, most))
        what = f"is {middle}, which is not from its low end, {low_end}, to its high end, {high_end}"
        refuse(field, what, "give low, value and high in this order")
    _check_width(field, f"{in_its_unit(least)} to {in_its_unit(most)}", least, most)
    return Range(median, least, most)


def checked(made: Range, field: str) -> Range:
    """Refuse a range of plain numbers, or of quantities in one unit, that is none; for inputs of a user's own nodes.

    >>> print(checked(Range(0.9, 0.8, 1.0), "share").high)
    1.0
    """
    ends = [getattr(each, "magnitude", each) for each in (made.low, made.value, made.high)]
    units = {str(getattr(each, "units", "")) for each in (made.low, made.value, made.high)}
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in ends)
    if not numbers or len(units) > 1 or not 0 < ends[0] <= ends[1] <= ends[2] < math.inf or ends[0] == ends[2]:
        refuse(field, f"has {echo(made.value)} with ends", "give low, value and high as rising numbers in one unit")
    return made


def in_units_of(kind: Kind, read: Quantity | Range) -> Quantity | Range:
    """Bring a quantity or a range into the unit that flows in the graph."""
    if not isinstance(read, Range):
        return coherent(read, kind)
    value, low, high = (coherent(each, kind) for each in (read.value, read.low, read.high))
    return replace(read, value=value, low=low, high=high)


def _from_text(value: str, text: RangeText, kind: Kind | None, field: str) -> Range:
    note = f"{text.word!r} is read as the range that follows it" if text.word else ""
    if text.middle:
        median = _read(value, text.middle, kind, field)
        reach = median * text.share if text.share else None
        if text.reach:
            reach = convert_like(_distance(value, text.reach, kind, field), median)
        size: Any = 0.0 if reach is None else reach.magnitude
        if reach is None or not 0 < size < median.magnitude:
            what = "is negative to either side" if size < 0 else "reaches zero or below" if size else "has no width"
            refuse(field, f"{echo(value)} {what}", "every fact is above zero: write its low end and its high end")
        low, high = (as_quantity(each, kind, field) for each in (median - reach, median + reach))
    else:
        high = _read(value, text.high, kind, field)
        low = convert_like(_read(value, text.low, kind, field), high)
        _check_width(field, value, low, high, f"write {text.high} to {text.low}")
        median = quantity_like(math.sqrt(low.magnitude) * math.sqrt(high.magnitude), high)
    _check_width(field, value, low, high)
    return Range(median, low, high, note=note)


def _read(whole: str, part: str, kind: Kind | None, field: str) -> Quantity:
    """Read one end by the one reader, which refuses it by the text that it is a part of."""
    try:
        return as_quantity(part, kind, field)
    except InputError as problem:
        faults = (Fault(each.where or field, f"{each.what} (in {echo(whole)})", each.cure) for each in problem.faults)
        raise InputError(tuple(faults)) from None


def _distance(whole: str, part: str, kind: Kind | None, field: str) -> Quantity:
    """Read how far a range reaches: of the field's kind, but not held to its band, and below zero if it says so."""
    known = FIELDS.get(field)
    negative = part.startswith("-")
    if known is None:
        size = _read(whole, part.lstrip("-"), kind, field)
    elif (written := read(part)).unit is None:
        size = quantity(abs(written.number), known.units)
    else:
        size = _read(whole, part.lstrip("-"), known.kind, "value")
    return size * -1.0 if negative else size


def _check_width(field: str, shown: str, low: Quantity, high: Quantity, turned: str = "") -> None:
    ratio = high.magnitude / low.magnitude
    if ratio < 1:
        refuse(field, f"{echo(shown)} is reversed", turned or "write the low end first")
    if ratio < 1 + 1e-9:
        refuse(field, f"{echo(shown)} has no width", "write the one number that it is")
    if ratio > WIDEST:
        what = f"spans a factor of {ratio_text(ratio, 2)}"
        refuse(field, f"{echo(shown)} {what}", "is a scale, unit or power of ten missing on one end?")


def interval_text(value: Any, low: Any, high: Any, times: float = 1.0, unit: str | None = None) -> str:
    """Write a value with its interval for people, in as many digits as the width of the interval bears.

    Plain numbers have no unit; `times` and `unit` are for a share that is written in per cent.

    >>> print(interval_text(*(quantity(each, "TFLOP/s/accelerator") for each in (24.5558, 21.31, 28.42))))
    24.6 TFLOP/s per accelerator (21.3 to 28.4)
    >>> print(interval_text(0.1943, 0.182, 0.208, 100, "%"))
    19.4% (18.2 to 20.8)
    """
    if isinstance(value, OurQuantity):
        low, high = convert_like(low, value), convert_like(high, value)
        if unit is None:
            own: Any = value.units
            shown = readable_unit([float(each.magnitude) for each in (value, low, high)], own)
            value, low, high = (convert(each, shown) for each in (value, low, high))
            unit = unit_text(shown)
    ends = [float(getattr(each, "magnitude", each)) * times for each in (value, low, high)]
    widest, width = max(map(abs, ends)), abs(ends[2] - ends[1])
    digits = LONGEST_NUMBER if not width else 2 + max(1, math.ceil(math.log10(widest / width)))
    middle, least, most = (number(float(f"{each:.{min(digits, LONGEST_NUMBER) - 1}e}")) for each in ends)
    named = "" if unit in (None, "", "facility") else unit if unit == "%" else f" {unit}"
    return f"{middle}{named} ({least} to {most})"
