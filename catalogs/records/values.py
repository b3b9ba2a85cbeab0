"""The value of one field, by the one reader for quantities or as one of the field's words."""

from __future__ import annotations

from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest, squash
from runlineage.catalogs.quantities.fields import FIELDS, PRECISION_SPELLINGS, WORDS
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.records.years import read_year

# What authors print of the answers, to compare.
REPORTED = ("reported_energy", "reported_facility_energy", "reported_rate")
PRECISIONS = WORDS["precision"].choices
# What a record's field is read as: its kind, and the field whose unit a plain number has.
QUANTITIES: dict[str, tuple[str, str]] = (
    {name: (field.kind.__name__, name) for name, field in FIELDS.items()}
    | {f"peak_{precision}": ("Rate", "peak_flops") for precision in PRECISIONS}
    | {
        "tdp": ("Power", "accelerator_tdp"),
        "reported_energy": ("Energy", "energy"),
        "reported_facility_energy": ("FacilityEnergy", "facility_energy"),
        "reported_rate": ("Rate", "achieved_rate"),
    }
)


def read_value(raw: Any, field: str) -> Any:
    """Read the value of a field, by the one reader for quantities or as one of the field's words."""
    if field in QUANTITIES:
        kind, known = QUANTITIES[field]
        try:
            return as_quantity(raw, KINDS[kind], field=known)
        except InputError as problem:
            raise InputError(tuple(Fault(field, fault.what, fault.cure) for fault in problem.faults)) from None
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
