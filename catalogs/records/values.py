"""The value of one field, by the one reader for quantities or as one of the field's words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import InputError, echo, refuse
from runlineage.catalogs.base.spelling import nearest, squash
from runlineage.catalogs.quantities.fields import PRECISION_SPELLINGS, WORDS, field_of
from runlineage.catalogs.quantities.ranges import as_range
from runlineage.catalogs.quantities.reading import as_quantity

Reader = Callable[[Any, str], Any]
PRECISIONS = WORDS["precision"].choices
FIRST_YEAR, LAST_YEAR = 1990, 2030
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
YEAR = re.compile(r"([0-9]{4})(?:\.0)?")  # the numbers of a column with gaps are written 2022.0


def read_value(raw: Any, field: str) -> Any:
    """Read the value of a field, whether it is a quantity, a truth, a year or a word."""
    if field_of(field):
        return read_quantity(raw, field)
    reader: Reader = READERS.get(field, read_word)
    return reader(raw, field)


def read_figure(raw: Any, field: str) -> Any:
    """Read the value of a field as `read_value` does, or a range of values where it is a quantity.

    >>> print(read_figure("350 to 400 W", "tdp"), "|", read_figure("Bfloat16", "precision"))
    374 W per accelerator (350 to 400) | bf16
    """
    return read_quantity(raw, field, reader=as_range) if field_of(field) else read_value(raw, field)


def read_quantity(raw: Any, field: str, known: str = "", reader: Callable[..., Any] = as_quantity) -> Any:
    """Read a quantity by the one reader, as the field `known` is read where the name is only a record's own."""
    as_field = field_of(known or field)
    try:
        return reader(raw, field=as_field.name if as_field else field)
    except InputError as problem:
        raise problem.at(field, only=True) from None


def read_truth(raw: Any, field: str) -> bool:
    """Read true or false."""
    truth = raw if isinstance(raw, bool) else TRUTHS.get(raw.strip().casefold()) if isinstance(raw, str) else None
    if truth is None:
        refuse(field, f"is {echo(raw)}", "expected true or false")
    return truth


def read_year(raw: Any, field: str) -> str:
    """Read a year, given as a number or as text, as the word that it is: nothing is computed with it.

    Raises `InputError` for anything but one whole year that electricity is accounted for.

    >>> print(read_year(2022, "year"), read_year(" 2022 ", "year"))
    2022 2022
    """
    written = isinstance(raw, (str, int, float, np.integer)) and not isinstance(raw, bool)
    match = YEAR.fullmatch(str(raw).strip()) if written else None
    if not match or not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        refuse(field, f"is {echo(raw)}", f"expected a year from {FIRST_YEAR} to {LAST_YEAR}, such as 2022")
    return match[1]


def read_word(raw: Any, field: str) -> str:
    """Read a word: where it has fixed choices, one of them in any usual spelling.

    >>> print(read_word("Bfloat16", "precision"), read_word("pre training", "stage"))
    bf16 pre-training
    """
    choices = WORDS[field].choices if field in WORDS else ()
    if not isinstance(raw, str) or not raw.strip():
        refuse(field, f"is {echo(raw)}", "expected a word" + (f": {', '.join(choices)}" if choices else ""))
    other = PRECISION_SPELLINGS if field == "precision" else {}
    return read_choice(raw, field, choices, other) if choices else raw.strip()


def read_choice(raw: str, field: str, choices: tuple[str, ...], other: dict[str, str] | None = None) -> str:
    """Read one of a field's choices in any usual spelling; `other` spellings, squashed, lead to a choice too."""
    spellings = {squash(choice): choice for choice in choices} | (other or {})
    choice = spellings.get(squash(raw))
    if choice is None:
        near = nearest(raw, choices, 1)
        shown = repr if any("," in each for each in choices) else str
        hint = f"; the nearest: {shown(near[0])}" if near else ""
        refuse(field, f"is {echo(raw)}", f"expected one of {', '.join(map(shown, choices))}{hint}")
    return choice


READERS: dict[str, Reader] = {"sparse": read_truth, "year": read_year}
