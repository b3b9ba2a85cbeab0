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

    @property
    def compute(self) -> Compute:
        """The peaks as quantities."""
        peaks = {precision: fact.value for precision in PRECISIONS if (fact := self.peak(precision))}
        default = self.peak()
        return Compute(default.value if default else None, peaks)
