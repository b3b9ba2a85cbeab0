"""What is asked of a table, and how its answers are headed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, FIELDS, RUN_FACTS
from runlineage.dataflow.checks.marks import CHECK_MODULES, marks_of
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import RouteBook, names_of, read_routes
from runlineage.dataflow.routes.spread_assumptions import NAMES as SPREAD_NAMES
from runlineage.dataflow.tables.headers import SEVERAL_UNITS, FactColumn, read_headers
from runlineage.dataflow.tables.lookalikes import lookalikes

REMARKS = "remarks"  # a column of a preset: what it left out of a row, and why
ROUNDING = " rounding"  # after the name of a comparison: the factor that the digits of its facts leave open
GIVEN = "runlineage given "  # before the header of a column in whose place its answer stands


def output_header(name: str) -> str:
    """Return the header of a metric's column.

    >>> print(*map(output_header, ["achieved_rate", "peak_fraction", "facility_energy"]), sep=" | ")
    achieved_rate (TFLOP/s) | peak_fraction | facility_energy (GWh)
    """
    unit = FIELDS[name].unit_shown.removesuffix("/accelerator") if name in FIELDS else ""
    return f"{name} ({unit})" if unit else name


def interval_headers(name: str) -> tuple[str, str]:
    """Return the headers of the ends of a metric's interval.

    >>> print(*interval_headers("energy"), sep=" | ")
    energy low (GWh) | energy high (GWh)
    """
    header = output_header(name)
    low, high = (header.replace(name, f"{name} {end}", 1) for end in ("low", "high"))
    return low, high


@dataclass(frozen=True)
class TableRequest:
    """What is asked of a table: the metrics, the assumptions, the routes that lead there, and the columns by name.

    `columns` are pairs of a `field` or `field (unit)` and the header that holds it under another name; with `interval`
    each metric has the ends of its 90 % interval beside it.
    """

    outputs: tuple[str, ...]
    assume: frozenset[str]
    book: RouteBook
    columns: tuple[tuple[str, str], ...] = ()
    interval: bool = False
    checks: bool = False

    @classmethod
    def of(
        cls,
        outputs: str | Iterable[str],
        assume: str | Iterable[str],
        columns: Mapping[str, str] = Frozen({}),
        prefer: Mapping[str, str] = Frozen({}),
        interval: bool = False,
        *,
        checks: bool = False,
    ) -> TableRequest:
        """Check what is asked; with `checks` the outputs are comparisons, and each has what its digits leave open."""
        modules = (*MODULES, *CHECK_MODULES) if checks else MODULES
        book = read_routes(*modules).preferring(prefer)
        wanted = tuple(dict.fromkeys(names_of(outputs)))
        faults = [
            Fault("outputs", f"{name!r} is no metric", f"expected any of {', '.join(ANSWERS)}")
            for name in wanted
            if name not in ANSWERS and not checks
        ]
        if faults:
            raise InputError(tuple(faults))
        if not isinstance(columns, Mapping) or not all(isinstance(each, str) for each in (*columns, *columns.values())):
            refuse("columns", f"is {echo(columns)}", "expected a mapping of fields to headers")
        assumed = book.check_assumptions(assume)
        for name in SPREAD_NAMES:
            if name in assumed:
                refuse("assume", f"{name!r} is of single runs", "a table takes intervals from cells that are ranges")
        return cls(wanted, assumed, book, tuple(columns.items()), interval, checks)

    @property
    def modules(self) -> tuple[ModuleType, ...]:
        """The node modules that answer."""
        return (*MODULES, *CHECK_MODULES) if self.checks else MODULES

    @property
    def words(self) -> dict[str, Any]:
        """What makes the same request in another process."""
        return {
            "outputs": self.outputs,
            "assume": tuple(sorted(self.assume)),
            "columns": dict(self.columns),
            "prefer": dict(self.book.prefer),
            "interval": self.interval,
            "checks": self.checks,
        }

    def headers(self, written: Iterable[str]) -> tuple[FactColumn, ...]:
        """Find the columns of facts; one that would have to name its unit is a fact only where it can serve."""
        found = read_headers(written, self._facts, dict(self.columns))
        found = tuple(replace(each, keeps_ranges=True) for each in found) if self.interval else found
        return tuple(each for each in found if not each.unit_asked or each.field in self.used)

    def units(self, written: Iterable[str]) -> dict[str, str]:
        """Return the unit in which plain numbers are read, by the header of each column that names none."""
        bare = (each for each in self.headers(written) if not (each.unit or each.is_word or each.unit_asked))
        return {each.header: unit.replace("*", "·") for each in bare if (unit := FIELDS[each.field].unit_shown)}

    def asked_units(self, written: Iterable[str], wanted: Callable[[FactColumn], bool] = bool) -> list[str]:
        """List which of the wanted columns have to name their unit, and how; all are wanted unless told."""
        return [
            f"column {echo(each.header)} names no unit, and its plain numbers are not read; head it {each.unit_asked}"
            for each in self.headers(written)
            if each.unit_asked and wanted(each)
        ]

    def unread(self, written: Iterable[str], option: str = "columns={{{spec!r}: {header!r}}}") -> list[str]:
        """List which columns a user may have meant as facts: they are carried through all the same."""
        found = lookalikes(written, self._facts, dict(self.columns))
        return [
            f"column {echo(header)} is carried through and not read; if it is {field}, "
            f"name it so or add {option.format(spec=spec, header=header, pair=f'{spec}={header}')}"
            for header, field in found.items()
            for spec in [_spec(field, header)]
        ]

    def around_answers(self, written: Iterable[str]) -> tuple[TableRequest, dict[str, str]]:
        """Return the names to read columns by, in whose place their answers stand, and the request with these names."""
        answers = {header for name in self.outputs for header in self._headers_of(name)}
        mapped = dict(self.columns).values()
        if self.checks and (taken := [header for header in written if header in answers]):
            cure = "rename it: the check needs the name"
            raise InputError(tuple(Fault(f"column {header!r}", "is there already", cure) for header in taken))
        names = {header: GIVEN + header for header in written if header in answers and header not in mapped}
        return replace(self, columns=(*self.columns, *names.items())) if names else self, names

    @cached_property
    def used(self) -> frozenset[str]:
        """The quantities on any route to what is asked, under the assumptions made."""
        seen: set[str] = set()
        open_names = list(self.outputs)
        while open_names:
            name = open_names.pop()
            if name not in seen:
                seen.add(name)
                routes = (each for each in self.book.ways(name) if each.assumption in {None, *self.assume})
                open_names += [need for route in routes for need in route.needs]
        return frozenset(seen)

    @cached_property
    def _facts(self) -> frozenset[str]:
        """Name the facts of a run; what only the footprint could use, and answers, are facts where they can serve."""
        return frozenset(RUN_FACTS.keys() | (self.book.upstream(self.outputs) & (FACTS.keys() | ANSWERS.keys())))

    def _headers_of(self, name: str) -> tuple[str, ...]:
        return (output_header(name), *(interval_headers(name) if self.interval else ()))

    @property
    def answers(self) -> list[str]:
        """The columns that are added to a table, in their order."""
        if self.checks:
            marks = marks_of(self.book)
            return [*self.outputs, *(f"{name}{ROUNDING}" for name in self.outputs if name in marks), "problems"]
        routes = [f"{name} route" for name in self.outputs]
        values = [header for name in self.outputs for header in self._headers_of(name)]
        return [*values, *routes, *(["assumes"] if self.assume else []), "problems"]


def _spec(field: str, header: str) -> str:
    """Write a field with the unit that a header names, or the usual one where it must name one."""
    unit = header.partition("(")[2].rstrip(" )") or (SEVERAL_UNITS[field][1] if field in SEVERAL_UNITS else "")
    return f"{field} ({unit})" if unit else field
