"""Policy thresholds on training compute: where they lie, what counts, since when, and what follows above them."""

from __future__ import annotations

import datetime
import re
from typing import Any

from pydantic import field_validator

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import Quantity, quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Record
from runlineage.catalogs.records.values import read_choice, read_truth

STATUSES = ("in force", "guidance", "signed, not yet in force", "revoked")
SUBJECTS = ("model", "modification")
RATIO = re.compile(r"([1-9])/([1-9])")


class Threshold(Record):
    """A line that a law or guidance draws: more operations than `threshold` are above it, as many are not.

    `threshold` is in flop, or a fraction of the original model's training compute where a modification is measured.

    >>> line = Threshold(name="a law", jurisdiction="EU", applies_to="model", threshold="1e25 flop", status="in force")
    >>> print(line.threshold.value, "|", line.status.value, "|", line.of_original)
    1×10²⁵ flop | in force | False
    """

    jurisdiction: str = ""
    applies_to: str = ""
    threshold: Fact | None = None
    status: Fact | None = None
    since: Fact | None = None
    until: Fact | None = None
    what_counts: Fact | None = None
    recomputation_counts: Fact | None = None
    consequence: Fact | None = None
    note: str = ""

    @property
    def of_original(self) -> bool:
        """Whether the threshold is a fraction of the original model's training compute, and not a number of flop."""
        return self.threshold is not None and self.threshold.value is not None and self.threshold.value.dimensionless

    @field_validator("applies_to")
    @classmethod
    def _subject(cls, raw: str) -> str:
        return read_choice(raw, "applies_to", SUBJECTS) if raw else ""

    @classmethod
    def _read_value(cls, raw: Any, field: str) -> Any:
        if field == "threshold":
            return read_threshold(raw, field)
        if field == "recomputation_counts":
            return read_truth(raw, field)
        if field in ("since", "until"):
            return _date(raw, field)
        if not isinstance(raw, str) or not raw.strip():
            refuse(field, f"is {echo(raw)}", "expected text")
        return read_choice(raw, field, STATUSES) if field == "status" else raw.strip()


def read_threshold(raw: Any, field: str) -> Quantity:
    """Read a number of operations, or a fraction such as `1/3` of the original model's.

    >>> print(read_threshold("1e23 flop", "threshold"), "|", read_threshold("1/3", "threshold"))
    1×10²³ flop | 0.333333 dimensionless
    """
    ratio = RATIO.fullmatch(raw) if isinstance(raw, str) else None
    if ratio:
        return quantity(int(ratio[1]) / int(ratio[2]), "")
    try:
        return as_quantity(raw, field="training_ops")
    except InputError as problem:
        cure = "expected operations such as '1e25 flop', or a fraction of the original model's such as '1/3'"
        raise InputError(tuple(Fault(field, fault.what, cure) for fault in problem.faults)) from None


def _date(raw: Any, field: str) -> datetime.date:
    if type(raw) is not datetime.date:
        refuse(field, f"is {echo(raw)}", "expected a date such as 2025-08-02")
    return raw
