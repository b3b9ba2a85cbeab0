"""The record of an accelerator: its dense peaks and its design power."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import field_validator

from runlineage.catalogs.base.errors import echo, refuse
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Record
from runlineage.catalogs.records.values import PRECISIONS

SIXTEEN_BIT = ("peak_bf16", "peak_fp16")


@dataclass(frozen=True)
class Compute:
    """Dense peaks of one device: `peak_flops` is the 16-bit matrix rate, `precision_flops` has one a format."""

    peak_flops: Quantity | None
    precision_flops: Mapping[str, Quantity]


class HardwareNode(Record):
    """An accelerator, as schedulers count it.

    >>> node = HardwareNode(name="H100 SXM5", peak_bf16="989.4 TFLOP/s", peak_fp8="1978.9 TFLOP/s", tdp="700 W")
    >>> print(node.compute.peak_flops)
    989.4 teraflop/accelerator/second
    """

    vendor: str = ""
    counted_as: str = ""
    default_precision: str = ""
    differing: tuple[tuple[str, str], ...] = ()  # of a family: facts on which its members differ, and what each has
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
