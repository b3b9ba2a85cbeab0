"""The record of an accelerator: its dense peaks, its design power, and what it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import field_validator

from runlineage.catalogs.base.errors import echo, refuse
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Record
from runlineage.catalogs.records.values import PRECISIONS, read_figure, read_year

DESCRIPTIVE = ("memory", "released")  # nothing is computed with these
MEMORY = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?: GB)?")

SIXTEEN_BIT = ("peak_bf16", "peak_fp16")


@dataclass(frozen=True)
class Compute:
    """Dense peaks of one device: `peak_flops` is the 16-bit matrix rate, `precision_flops` has one a format."""

    peak_flops: Quantity | None
    precision_flops: Mapping[str, Quantity]


class HardwareNode(Record):
    """An accelerator, as schedulers count it; `memory` is in GB, as makers count it, and `released` a year.

    >>> node = HardwareNode(name="H100 SXM5", peak_bf16="989.4 TFLOP/s", peak_fp8="1978.9 TFLOP/s", tdp="700 W")
    >>> print(node.compute.peak_flops)
    989.4 teraflop/accelerator/second
    """

    vendor: str = ""
    counted_as: str = ""
    default_precision: str = ""
    differing: tuple[tuple[str, str], ...] = ()  # of a family: facts on which its members differ, and what each has
    memory: Fact | None = None
    released: Fact | None = None
    tdp: Fact | None = None
    peak_fp64: Fact | None = None
    peak_fp64_tensor: Fact | None = None
    peak_fp32: Fact | None = None
    peak_tf32: Fact | None = None
    peak_fp16: Fact | None = None
    peak_bf16: Fact | None = None
    peak_fp8: Fact | None = None
    peak_int8: Fact | None = None

    @field_validator("default_precision")
    @classmethod
    def _sixteen_bit(cls, raw: str) -> str:
        if raw not in ("", "bf16", "fp16"):
            refuse("default_precision", f"is {echo(raw)}", "expected bf16 or fp16")
        return raw

    @classmethod
    def _read_value(cls, raw: Any, field: str) -> Any:
        if field == "released":
            return int(read_year(raw, field))
        return read_memory(raw, field) if field == "memory" else read_figure(raw, field)

    def facts(self) -> dict[str, Fact]:
        """Return the facts that anything is computed with, by their fields: memory and year of release are not."""
        return {name: fact for name, fact in super().facts().items() if name not in DESCRIPTIVE}

    def peak(self, precision: str = "") -> Fact | None:
        """Return the dense peak at a precision; without one, the 16-bit matrix peak that `default_precision` names."""
        if precision:
            fact = getattr(self, f"peak_{precision}", None)
            return fact if fact and fact.value is not None else None
        for choice in (self.default_precision, "bf16", "fp16"):
            if choice and (peak := self.peak(choice)):
                return peak
        return None

    def missing(self, field: str) -> str:
        """Return what the members of a family have each of a fact on which they differ; empty where they agree."""
        return dict(self.differing).get(field, "")

    def no_peak(self, precision: str = "") -> str:
        """Explain why no peak is given at a precision: the device has none, or a family's members differ; else empty.

        >>> print(HardwareNode(name="A40", peak_bf16="149.7 TFLOP/s").no_peak("fp8"))
        A40 has no fp8 peak; it has bf16
        """
        if self.peak(precision):
            return ""
        members = self.missing(f"peak_{precision}" if precision else "peak")
        if members:
            return f"{self.name} may be any of several parts, whose peaks differ: {members}"
        held = (each for each in PRECISIONS if self.peak(each) or self.missing(f"peak_{each}"))
        return f"{self.name} has no {precision or '16-bit'} peak; it has {', '.join(held) or 'none'}"

    @property
    def compute(self) -> Compute:
        """The peaks as quantities."""
        peaks = {precision: fact.value for precision in PRECISIONS if (fact := self.peak(precision))}
        default = self.peak()
        return Compute(default.value if default else None, peaks)


def read_memory(raw: Any, field: str) -> float:
    """Read the memory of a device, such as `80 GB` or 80, as a number of GB.

    >>> print(read_memory("80 GB", "memory"))
    80.0
    """
    match = MEMORY.fullmatch(str(raw).strip())
    if match is None or float(match[1]) == 0:
        refuse(field, f"is {echo(raw)}", "expected a number of GB, such as 80 GB")
    return float(match[1])
