"""How exactly a figure is printed: half a unit of its last digit."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

import numpy as np

from runlineage.catalogs.quantities.units import Quantity

EXACT = 12  # significant digits beyond which a float's own noise begins
ROUNDEST = 0.05  # that a printed figure is taken to be off by rounding: 100 t may be 95 t to 105 t, and never 75 t
USUAL_DIGITS = 3  # that a fact is taken to be known to, where zeros at its end may be digits or none


def printed_half_unit(printed: str | float, least_digits: int = 1) -> float:
    """Return half a unit of the last digit of a number, in the number's own unit.

    Zeros at the end of a whole number are not significant; those of a text with a point are. With `least_digits`
    a number is taken to be known to at least so many digits. Text that is no plain number raises ValueError.

    >>> print(*(printed_half_unit(each) for each in ("24.70", 24.7, "1,287", 30.0, 3.14e23)))
    0.005 0.05 0.5 5.0 5e+20
    >>> print(printed_half_unit(400.0), printed_half_unit(400.0, least_digits=3))
    50.0 0.5
    """
    number = _decimal(printed)
    parts = number.as_tuple()
    last = int(parts.exponent)
    if not isinstance(printed, str) or "." not in printed:
        digits = number.normalize().as_tuple()
        last = min(int(digits.exponent), int(digits.exponent) + len(digits.digits) - least_digits)
    return float(Decimal(5).scaleb(last - 1))


def relative_half_unit(value: Quantity, least_digits: int = 1) -> float:
    """Return half a unit of a quantity's last digit, as a share of it; 0 for a column, whose digits nobody printed.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(f"{relative_half_unit(quantity(24.6, 'TFLOP/s/accelerator')):.4f}")
    0.0020
    """
    magnitude = value.magnitude
    if np.shape(magnitude) or not magnitude:
        return 0.0
    return printed_half_unit(float(magnitude), least_digits) / abs(float(magnitude))


def _decimal(printed: str | float) -> Decimal:
    text = printed.replace(",", "").replace("_", "") if isinstance(printed, str) else f"{printed:.{EXACT}g}"
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise ValueError(f"{printed!r} is not a plain number")
    return number
