"""What is asked of a table, and how its answers are headed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, FIELDS, RUN_FACTS
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import RouteBook, names_of, read_routes
from runlineage.dataflow.tables.headers import FactColumn, lookalikes, read_headers

REMARKS = "remarks"  # a column of a preset: what it left out of a row, and why


def output_header(name: str) -> str:
    """Return the header of a metric's column.

    >>> print(*map(output_header, ["achieved_rate", "peak_fraction", "facility_energy"]), sep=" | ")
    achieved_rate (TFLOP/s) | peak_fraction | facility_energy (GWh)
    """
    unit = FIELDS[name].unit_shown.removesuffix("/accelerator") if name in FIELDS else ""
    return f"{name} ({unit})" if unit else name


@dataclass(frozen=True)
class TableRequest:
    """What is asked of a table: the metrics, the assumptions, and the routes that lead there."""

    outputs: tuple[str, ...]
    assume: frozenset[str]
    book: RouteBook

    @classmethod
    def of(cls, outputs: str | Iterable[str], assume: str | Iterable[str]) -> TableRequest:
        """Check what is asked."""
        book = read_routes(*MODULES)
        wanted = tuple(dict.fromkeys(names_of(outputs)))
        faults = [
            Fault("outputs", f"{name!r} is no metric", f"expected any of {', '.join(ANSWERS)}")
            for name in wanted
            if name not in ANSWERS
        ]
        if faults:
            raise InputError(tuple(faults))
        return cls(wanted, book.check_assumptions(assume), book)

    def headers(self, written: Iterable[str]) -> tuple[FactColumn, ...]:
        """Find the columns of facts."""
        return read_headers(written, self._facts)

    def unread(self, written: Iterable[str]) -> list[str]:
        """List which columns a user may have meant as facts: they are carried through all the same."""
        return [
            f"column {echo(header)} is carried through and not read; if it is {field}, name it so"
            for header, field in lookalikes(written, self._facts).items()
        ]

    @property
    def _facts(self) -> frozenset[str]:
        """Name the facts of a run; one that only the footprint could use is a fact where that is asked."""
        return frozenset(RUN_FACTS.keys() | (self.book.upstream(self.outputs) & FACTS.keys()))

    @property
    def answers(self) -> list[str]:
        """The columns that are added to a table, in their order."""
        routes = [f"{name} route" for name in self.outputs]
        return [*map(output_header, self.outputs), *routes, *(["assumes"] if self.assume else []), "problems"]
