"""Names that a caller gives: one, or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse


def names_given(value: Any, where: str, expected: str) -> tuple[str, ...]:
    """Return names that were given as one text or as several; all else is refused, with what was expected.

    >>> print(names_given("tdp", "assume", "names of assumptions"))
    ('tdp',)
    >>> names_given({"tdp": True}, "assume", "names of assumptions")
    Traceback (most recent call last):
    runlineage.catalogs.base.errors.InputError: assume: is {'tdp': True}; expected names of assumptions
    """
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (Mapping, bytes, bytearray)) or not isinstance(value, Iterable):
        refuse(where, f"is {echo(value)}", f"expected {expected}")
    names = tuple(value)
    wrong = [each for each in names if not isinstance(each, str)]
    if wrong:
        raise InputError(tuple(Fault(where, f"holds {echo(each)}", f"expected {expected}") for each in wrong))
    return names
