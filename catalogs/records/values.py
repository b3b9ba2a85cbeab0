"""The value of one field, by the one reader for quantities or as one of the field's words."""

from __future__ import annotations

from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest, squash
from runlineage.catalogs.quantities.fields import PRECISION_SPELLINGS, WORDS, field_of
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.records.years import read_year

PRECISIONS = WORDS["precision"].choices


def read_value(raw: Any, field: str) -> Any:
    """Read the value of a field, by the one reader for quantities or as one of the field's words."""
    known = field_of(field)
    if known:
        try:
            return as_quantity(raw, field=known.name)
        except InputError as problem:
            raise problem.at(field, only=True) from None
    if field == "sparse":
        return read_truth(raw, field)
    if field == "year":
        return read_year(raw, field)
    word = WORDS.get(field)
    if not isinstance(raw, str) or not raw.strip():
        raise InputError(
            (
                Fault(
                    field,
                    f"is {echo(raw)}",
                    "expected a word" + (f": {', '.join(word.choices)}" if word and word.choices else ""),
                ),
            )
        )
    return read_word(raw, field)


def read_truth(raw: Any, field: str) -> bool:
    """Read true or false."""
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.strip().casefold() in ("true", "yes", "false", "no"):
        return raw.strip().casefold() in ("true", "yes")
    raise InputError((Fault(field, f"is {echo(raw)}", "expected true or false"),))


def read_word(raw: str, field: str) -> str:
    """Read a word that has fixed choices, in any usual spelling."""
    choices = WORDS[field].choices if field in WORDS else ()
    if not choices:
        return raw.strip()
    spellings = {squash(choice): choice for choice in choices} | (PRECISION_SPELLINGS if field == "precision" else {})
    found = spellings.get(squash(raw))
    if found is None:
        near = nearest(raw, choices, 1)
        cure = f"expected one of {', '.join(choices)}" + (f"; the nearest: {near[0]}" if near else "")
        raise InputError((Fault(field, f"is {echo(raw)}", cure),))
    return found
