"""How exactly the numbers of a column are known: half a unit of the last digit of each."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from runlineage.catalogs.quantities.rounding import ROUNDEST

DIGITS_SEEN = 6
WHOLE = 1e-9  # of a number, within which it is whole


def half_width_of(number: Any) -> Any:
    """Return what `half_width` does for an expression over numbers as they are written; null stays null.

    Digits beyond the sixth leave nothing open that would be seen.
    """
    mantissa = number / 10.0 ** number.log(10).floor()
    found = nw.lit(0.5 * 10.0**-DIGITS_SEEN)
    for digits in range(DIGITS_SEEN, 0, -1):
        whole = mantissa * 10.0 ** (digits - 1)
        is_last = (whole - whole.round(0)).abs() <= WHOLE * whole
        share = nw.when(0.5 / whole < ROUNDEST).then(0.5 / whole).otherwise(nw.lit(ROUNDEST))
        found = nw.when(is_last).then(share).otherwise(found)
    return nw.when(~number.is_null()).then((found + 1).log())
