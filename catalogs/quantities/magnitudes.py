"""Magnitudes as float64: of the numbers, arrays and lengths of time that Python and NumPy have."""

from __future__ import annotations

import datetime
import numbers
from decimal import Decimal
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.grammar import Unreadable


def floats(magnitude: Any) -> Any:
    """Make float64 of a number, and a read-only float64 copy of an array: int64 overflows in 6 N D without a word."""
    if isinstance(magnitude, (np.ndarray, list, tuple)):
        if np.ma.is_masked(magnitude):
            raise Unreadable("has masked cells", "drop them, or fill them")
        if not isinstance(magnitude, np.ndarray) and not all(_is_number(each) for each in magnitude):
            raise Unreadable("holds cells that are not plain numbers")
        array = np.asarray(magnitude)
        if array.dtype.kind not in "iuf":
            raise Unreadable(f"holds {array.dtype} cells, not numbers")
        if not array.size:
            raise Unreadable("is an empty column")
        with np.errstate(over="ignore"):  # a long double past the range becomes inf, which is refused
            array = array.astype(np.float64)
        array.flags.writeable = False
        return array if array.shape else float(array)
    if not _is_number(magnitude):
        raise Unreadable(f"has a magnitude of type {type(magnitude).__name__}")
    try:
        return float(magnitude)
    except OverflowError:
        raise Unreadable("is too large for a float64") from None
    except ValueError:  # Decimal("sNaN")
        raise Unreadable("is not a finite number") from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, (bool, np.bool_, np.timedelta64))


def seconds(value: Any) -> Any:
    """Return the seconds of a length of time of Python or NumPy, or of a column of such."""
    if isinstance(value, datetime.timedelta):
        return value / datetime.timedelta(seconds=1)
    if np.any(np.isnat(value)):
        raise Unreadable("is or holds no time (NaT)", "leave out what is not known")
    if np.datetime_data(value.dtype)[0] in ("Y", "M", "generic"):
        raise Unreadable("counts in months or years, or without a unit", "give it in days, hours or seconds")
    lasted = value / np.timedelta64(1, "s")
    return float(lasted) if not np.shape(lasted) else lasted
