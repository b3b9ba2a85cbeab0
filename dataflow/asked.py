"""What is asked of a table, and how its answers are headed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runlineage.catalogs.errors import Fault, InputError
from runlineage.catalogs.fields import FIELDS, METRICS
from runlineage.dataflow import metrics
from runlineage.dataflow.resolver import RouteBook, names_of, read_routes

MODULES = (metrics,)
ONLY = "only route"  # what the route column says of a metric that has but one
REMARKS = "remarks"  # a column of a preset: what it left out of a row, and why


def output_header(name: str) -> str:
    """Give the header of a metric's column.

    >>> print(output_header("achieved_rate"), "|", output_header("peak_fraction"))
    achieved_rate (TFLOP/s) | peak_fraction
    """
    unit = FIELDS[name].unit.removesuffix("/accelerator") if name in FIELDS else ""
    return f"{name} ({unit})" if unit else name


@dataclass(frozen=True)
class Asked:
    """What is asked of a table: the metrics, the assumptions, and the routes that lead there."""

    outputs: tuple[str, ...]
    assume: frozenset[str]
    book: RouteBook

    @classmethod
    def of(cls, outputs: str | Iterable[str], assume: str | Iterable[str]) -> Asked:
        """Check what is asked."""
        book = read_routes(*MODULES)
        wanted = tuple(dict.fromkeys(names_of(outputs)))
        faults = [
            Fault("outputs", f"{name!r} is no metric", f"expected any of {', '.join(METRICS)}")
            for name in wanted
            if name not in METRICS
        ]
        if faults:
            raise InputError(tuple(faults))
        return cls(wanted, book.check_assumptions(assume), book)

    @property
    def answers(self) -> list[str]:
        """The columns that are added to a table, in their order."""
        routes = [f"{name} route" for name in self.outputs]
        return [*map(output_header, self.outputs), *routes, *(["assumes"] if self.assume else []), "problems"]
