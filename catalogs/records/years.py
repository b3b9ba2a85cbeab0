"""Years as people give them, of what changes from year to year."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, echo

FIRST, LAST = 1990, 2030
YEAR = re.compile(r"([0-9]{4})(?:\.0)?")  # the numbers of a column with gaps are written 2022.0


def read_year(raw: Any, field: str) -> str:
    """Read a year, given as a number or as text, as the word that it is: nothing is computed with it.

    Raises `InputError` for anything but one whole year that electricity is accounted for.

    >>> print(read_year(2022, "year"), read_year(" 2022 ", "year"))
    2022 2022
    """
    written = isinstance(raw, (str, int, float, np.integer)) and not isinstance(raw, bool)
    found = YEAR.fullmatch(str(raw).strip()) if written else None
    if not found or not FIRST <= int(found[1]) <= LAST:
        raise InputError((Fault(field, f"is {echo(raw)}", f"expected a year from {FIRST} to {LAST}, such as 2022"),))
    return found[1]
