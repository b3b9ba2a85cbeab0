"""Whole tables: the four metrics of every row, by the same nodes run once on expressions.

A table passes the door (cells become facts or null), the metrics' expressions are evaluated by the user's own engine,
and each row is told its routes, its assumptions and what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from runlineage.catalogs.errors import Fault, InputError
from runlineage.catalogs.fields import ANSWERS, FACTS, FIELDS, FOOTPRINT, METRICS, RUN_FACTS
from runlineage.catalogs.headers import SEPARATOR, read_headers
from runlineage.catalogs.headers import Column as Header
from runlineage.dataflow import cells
from runlineage.dataflow.expressions import PREFIX, Column, columns_of
from runlineage.dataflow.inputs import HIGH_PUE, HOURS_TOLERANCE, SPARSE_RATIO, TDP_TOLERANCE
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.problems import lacks
from runlineage.dataflow.resolver import RouteBook, names_of, read_routes

PART = "part "  # of working columns: what the accelerator's record says, whatever the row gives
DENSE_TOLERANCE = 1e-9
ONLY = "only route"  # what the route column says of a metric that has but one
REMARKS = "remarks"  # a column of a preset: what it left out of a row, and why


def output_header(name: str) -> str:
    """Give the header of a metric's column.

    >>> print(*map(output_header, ["achieved_rate", "peak_fraction", "facility_energy"]), sep=" | ")
    achieved_rate (TFLOP/s) | peak_fraction | facility_energy (GWh)
    """
    unit = FIELDS[name].unit_shown.removesuffix("/accelerator")
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
            Fault("outputs", f"{name!r} is no metric", f"expected any of {', '.join(ANSWERS)}")
            for name in wanted
            if name not in ANSWERS
        ]
        if faults:
            raise InputError(tuple(faults))
        return cls(wanted, book.check_assumptions(assume), book)

    def headers(self, written: Iterable[str]) -> tuple[Header, ...]:
        """Find the columns of facts; one that only the footprint could use is a fact where that is asked."""
        wanted = RUN_FACTS.keys() | (self.book.upstream(self.outputs) & FACTS.keys())
        return read_headers(written, wanted)


def evaluate_lazy(table: pl.LazyFrame, asked: Asked) -> pl.LazyFrame:
    """Add the metrics to a lazy table, row by row, so that it streams."""
    plan = _Plan(table.collect_schema(), asked)
    return plan.told(plan.answered(table), plan.flags())


def evaluate_eager(table: pl.DataFrame, asked: Asked) -> pl.DataFrame:
    """Add the metrics to a table in memory; what holds for whole columns is found out first and spares work."""
    plan = _Plan(table.schema, asked)
    numeric = [header for header in plan.numbers if table.schema[header.header].is_numeric()]
    looks = []
    for header in numeric:
        number = pl.col(header.header).cast(pl.Float64)
        looks.append(cells.valid(number, header).sum().alias(header.field))
        looks.append(number.null_count().alias(f"{header.field} null"))
    found = table.select(looks).row(0, named=True) if looks and table.height else {}
    complete = {name for name in plan.fields if found.get(name) == table.height}
    # Every cell is a fact or null: nothing to refuse, and no mask to lay over the column.
    sound = {
        name for name in plan.fields if found and found.get(name, -1) + found.get(f"{name} null", 0) == table.height
    }
    plan = _Plan(table.schema, asked, frozenset(complete), frozenset(sound))
    answered = plan.answered(table.lazy()).collect()
    raised = [said for said in plan.flags() if answered[PREFIX + said].any()]
    return plan.told(answered.lazy(), raised).collect()


def refusals(table: pl.LazyFrame) -> pl.LazyFrame:
    """Find the rows with cells that cannot be read: their number, from 1, and what is wrong."""
    return _Plan(table.collect_schema(), Asked.of(tuple(METRICS), ())).refused(table)


class _Plan:
    """How one table is evaluated: which columns are facts, and the expressions over them."""

    def __init__(
        self,
        schema: pl.Schema,
        asked: Asked,
        complete: frozenset[str] = frozenset(),
        sound: frozenset[str] = frozenset(),
    ) -> None:
        self.sound = sound | complete
        self.schema = schema
        self.asked = asked
        self.headers = asked.headers(schema.names())
        cells.check_types(self.headers, schema)
        self.numbers = [header for header in self.headers if not header.is_word]
        self.fields = {header.field for header in self.headers}
        self.words = {header.field: header for header in self.headers if header.is_word}
        self.complete = complete - ({"parameters"} if {"sparse", "active_parameters"} & self.fields else set())
        self.complete -= {"active_parameters"} if {"parameters", "sparse"} & self.fields else set()
        self.complete -= {"host_overhead"} if "power_basis" in self.fields else set()
        self._refuse_clashes()
        given = {header.field for header in self.numbers}
        self.derived = {"peak_flops", "accelerator_tdp"} if "accelerator" in self.words else set()
        self.available = frozenset(given | self.derived)
        self.columns = columns_of(MODULES, asked.book, asked.outputs, self.available, asked.assume, self.complete)

    def answered(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Add the facts as working columns, and the metrics on them."""
        facts = table.with_columns(self._words()).with_columns(self._facts()).with_columns(self._agreement())
        answers = [_coalesced(column).alias(output_header(column.name)) for column in self.columns]
        counted: pl.LazyFrame = nw.from_native(facts).with_columns(answers).to_native()
        return counted.with_columns(flag.alias(PREFIX + said) for said, flag in self.flags().items())

    def told(self, answered: pl.LazyFrame, flags: Iterable[str]) -> pl.LazyFrame:
        """Add routes, assumptions and problems, and drop the working columns."""
        routes = map(self._route, self.columns)
        told = answered.with_columns(*routes, *self._assumes(), self._problems(flags))
        names = [output_header(column.name) for column in self.columns]
        names += [f"{column.name} route" for column in self.columns]
        names += ["assumes"] if self.asked.assume else []
        return told.select(*self.schema.names(), *names, "problems")

    def refused(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Give the number and the refusals of the rows that have any."""
        texts = self._refusals()
        if not texts:
            return pl.LazyFrame(schema={"row": pl.UInt32, "said": pl.String})
        said = pl.concat_str(list(texts.values()), separator=SEPARATOR, ignore_nulls=True)
        words = table.with_row_index("runlineage:row", offset=1).with_columns(self._words())
        return words.select(pl.col("runlineage:row").alias("row"), said.alias("said")).filter(pl.col("said") != "")

    def _refuse_clashes(self) -> None:
        taken = [*map(output_header, self.asked.outputs), *(f"{name} route" for name in self.asked.outputs), "problems"]
        taken += ["assumes", *(name for name in self.schema if name.startswith(PREFIX))]
        clashes = [name for name in taken if name in self.schema]
        if clashes:
            cure = "drop or rename it: the answers need the name"
            raise InputError(tuple(Fault(f"column {name!r}", "is there already", cure) for name in clashes))

    def _words(self) -> list[pl.Expr]:
        return [
            cells.word(header, self.schema[header.header]).alias(PREFIX + field) for field, header in self.words.items()
        ]

    def _facts(self) -> list[pl.Expr]:
        """Read the facts; from a row's accelerator those that have no cell of their own."""
        found = {header.field: self._fact(header) for header in self.numbers}
        accelerator = pl.col(PREFIX + "accelerator")
        precision = pl.col(PREFIX + "precision") if "precision" in self.words else pl.lit(None, pl.String)
        for name in sorted(self.derived):
            part = cells.looked_up(name, accelerator, precision)
            found[name] = pl.coalesce(found[name], part) if name in found else part
            found[PART + name] = part
        return [each.alias(PREFIX + name) for name, each in found.items()]

    def _fact(self, header: Header) -> pl.Expr:
        if header.field in self.sound:
            cell = pl.col(header.header).cast(pl.Float64)
            return cell if header.scale == 1 else cell * header.scale
        return cells.fact(header, self.schema[header.header])

    def _agreement(self) -> list[pl.Expr]:
        """Withhold a sparse model's total and a host that is counted already; refuse what cannot be.

        That is more active than total parameters, or fewer of a dense model.
        """
        fields = self.fields
        total, active = pl.col(PREFIX + "parameters"), pl.col(PREFIX + "active_parameters")
        sparse = pl.col(PREFIX + "sparse") == "True"
        kept = []
        if {"parameters", "active_parameters"} <= fields:
            fits = ~(active > total).fill_null(value=False)
            kept = [(~fits).alias(PREFIX + "misfit")]
            serves = fits
            if "sparse" in fields:
                unlike = (fits & ~sparse & (active < total * (1 - DENSE_TOLERANCE))).fill_null(value=False)
                kept.append(unlike.alias(PREFIX + "unlike"))
                fits &= ~unlike
                serves = fits & ~sparse.fill_null(value=False)
            kept += [pl.when(serves).then(total), pl.when(fits).then(active)]
        elif {"parameters", "sparse"} <= fields:
            kept = [pl.when(~sparse.fill_null(value=False)).then(total)]
        if {"host_overhead", "power_basis"} <= fields:
            system = (pl.col(PREFIX + "power_basis") == "measured_system").fill_null(value=False)
            kept.append(pl.when(~system).then(pl.col(PREFIX + "host_overhead")))
        return kept

    def _open(self, column: Column) -> list[pl.Expr]:
        """For each way of a metric, whether its facts are there."""
        conditions = []
        for way in column.ways:
            there = [pl.col(PREFIX + name).is_not_null() for name in sorted(way.facts - self.complete)]
            conditions.append(reduce(lambda one, other: one & other, there) if there else pl.lit(value=True))
        return conditions

    def _route(self, column: Column) -> pl.Expr:
        names = [way.routes[column.name].name or ONLY for way in column.ways]
        # Every route of the book, so that the type does not depend on what a table holds.
        kind = pl.Enum([route.name or ONLY for route in self.asked.book.routes[column.name]])
        return _chosen(self._open(column), [pl.lit(name, kind) for name in names], kind).alias(f"{column.name} route")

    def _assumes(self) -> list[pl.Expr]:
        """Name the assumptions beneath any of a row's answers."""
        if not self.asked.assume:
            return []
        if not self.columns:
            return [pl.lit(None, pl.String).alias("assumes")]
        used = []
        for name in self.asked.book.assumptions:
            if name in self.asked.assume:
                rests = [
                    _chosen(self._open(column), [pl.lit(name in way.assumes) for way in column.ways], pl.Boolean)
                    for column in self.columns
                ]
                used.append(pl.when(pl.any_horizontal(rests).fill_null(value=False)).then(pl.lit(name)))
        joined = pl.concat_str(used, separator=", ", ignore_nulls=True)
        return [pl.when(joined != "").then(joined).alias("assumes")]

    def _problems(self, flags: Iterable[str]) -> pl.Expr:
        """Say what a row lacks, what was refused in it, and what is doubtful."""
        texts = self._refusals()
        texts |= {REMARKS: pl.col(REMARKS).cast(pl.String)} if REMARKS in self.schema else {}
        code, say = self._pattern(flags)
        if not texts and code is None:
            return pl.lit(say(0)).cast(pl.String).alias("problems")
        pattern = (pl.lit(0, pl.UInt32) if code is None else code).alias(CODE)
        together = pl.struct([pattern, *(text.alias(name) for name, text in texts.items())])
        return together.map_batches(partial(_told, say), pl.String, is_elementwise=True).alias("problems")

    def _refusals(self) -> dict[str, pl.Expr]:
        texts = {
            header.field: cells.refusal(header, self.schema[header.header])
            for header in self.headers
            if header.field not in self.sound and self.schema[header.header] != pl.Null
        }
        if {"accelerator", "precision"} <= self.words.keys():
            lacks = cells.lacks_precision(pl.col(PREFIX + "accelerator"), pl.col(PREFIX + "precision"))
            peaks = [self._fact(header) for header in self.numbers if header.field == "peak_flops"]
            texts["precision peak"] = pl.when(peaks[0].is_null()).then(lacks) if peaks else lacks
        return texts

    def flags(self) -> dict[str, pl.Expr]:
        """Say what is refused or doubtful of whole rows: each sentence with the rows that it holds for."""
        found = {}
        if {"parameters", "active_parameters"} <= self.fields:
            found["active_parameters: more than parameters; check which is which"] = pl.col(PREFIX + "misfit")
            if "sparse" in self.fields:
                said = "sparse: is false, and active_parameters differ from parameters; check which holds"
                found[said] = pl.col(PREFIX + "unlike")
        if "peak_fraction" in self.asked.outputs and self.available:
            found["peak_fraction is above 1: doubt its facts"] = pl.col(output_header("peak_fraction")) > 1
        if {"accelerator_hours", "accelerator_count", "duration"} <= self.available:
            product = pl.col(PREFIX + "accelerator_count") * pl.col(PREFIX + "duration")
            apart = ((pl.col(PREFIX + "accelerator_hours") - product) / product).abs() > HOURS_TOLERANCE
            found[f"accelerator_hours and accelerator_count × duration differ by over {HOURS_TOLERANCE:.0%}"] = apart
        if "pue" in self.fields:
            found[f"pue is above {HIGH_PUE:g}: is it the PUE of the facility?"] = pl.col(PREFIX + "pue") > HIGH_PUE
        given = self.fields & {"peak_flops", "device_power"} if self.derived else set()
        if "peak_flops" in given:
            dense = SPARSE_RATIO * pl.col(PREFIX + PART + "peak_flops")
            said = f"peak_flops is over {SPARSE_RATIO} times the dense peak of its accelerator: a sparse figure?"
            found[said] = pl.col(PREFIX + "peak_flops") > dense
        if "device_power" in given:
            design = TDP_TOLERANCE * pl.col(PREFIX + PART + "accelerator_tdp")
            said = "device_power is above the design power of its accelerator: is it a device's alone?"
            found[said] = pl.col(PREFIX + "device_power") > design
        return found

    def _pattern(self, flags: Iterable[str]) -> tuple[pl.Expr | None, Callable[[int], str | None]]:
        """Give the pattern of a row's facts and flags as a number, and what to say of each pattern."""
        varying = sorted(self.available - self.complete)
        present = frozenset(self.available & self.complete)
        conditions = [pl.col(PREFIX + name).is_not_null() for name in varying]
        raised = tuple(flags)
        conditions += [pl.col(PREFIX + said).fill_null(value=False) for said in raised]
        if "sparse" in self.fields:
            conditions.append((pl.col(PREFIX + "sparse") == "True").fill_null(value=False))
        whole = pl.UInt16 if len(conditions) <= 16 else pl.UInt32
        bits = [each.cast(whole) * pl.lit(1 << place, whole) for place, each in enumerate(conditions)]

        def say(code: int) -> str | None:
            there = present | {name for place, name in enumerate(varying) if code >> place & 1}
            spoken = [text for place, text in enumerate(raised, len(varying)) if code >> place & 1]
            lacks = lacking(self.asked, there, sparse=bool(code >> len(varying) + len(raised)))
            return SEPARATOR.join(filter(None, (*spoken, lacks))) or None

        return (reduce(lambda one, other: one + other, bits) if bits else None), say


CODE = "pattern"
MOST_CODES = 1 << 16


def _told(say: Callable[[int], str | None], rows: pl.Series) -> pl.Series:
    """Join what is said of each row: by its pattern, each pattern once, and of the few rows with texts of their own."""
    table = rows.struct.unnest()
    codes = table[CODE].to_numpy()
    if codes.any() and codes.max() > MOST_CODES:  # so many facts that their patterns are few among all numbers
        distinct, codes = np.unique(codes, return_inverse=True)
        patterns = pl.Series([say(int(code)) for code in distinct], dtype=pl.String)
    else:
        patterns = pl.Series([say(code) if found else None for code, found in enumerate(_seen(codes))], dtype=pl.String)
    texts = table.select(each for each in table if each.name != CODE and each.null_count() < len(each))
    if texts.width:
        marked = texts.select(pl.any_horizontal(pl.all().is_not_null()))[:, 0].arg_true()
        codes = codes.astype(np.uint32)
        parts = texts[marked].with_columns(patterns.gather(codes[marked]).alias(CODE))
        joined = parts.select(pl.concat_str(pl.all(), separator=SEPARATOR, ignore_nulls=True))[:, 0]
        codes[marked] = np.arange(len(patterns), len(patterns) + len(joined))
        patterns = pl.concat([patterns.rename(""), joined.rename("")])
    if len(patterns) == 1 or patterns.null_count() == len(patterns):
        return pl.repeat(patterns[0], len(codes), dtype=pl.String, eager=True)
    return patterns.gather(pl.Series(codes))


def _seen(codes: Any) -> Any:
    """For each number up to the largest code, whether it occurs."""
    if not codes.any():
        return np.ones(1, dtype=np.bool_)
    seen = np.zeros(int(codes.max()) + 1, dtype=np.bool_)
    seen[codes] = True
    return seen


def _coalesced(column: Column) -> Any:
    if not column.expressions:
        return nw.lit(None, nw.Float64)
    return nw.coalesce(*column.expressions) if len(column.expressions) > 1 else column.expressions[0]


def _chosen(conditions: list[pl.Expr], values: list[pl.Expr], dtype: Any) -> pl.Expr:
    """Give the value of the first way that is open; null where none is."""
    if not conditions:
        return pl.lit(None, dtype)
    chain: Any = pl
    for condition, value in zip(conditions, values, strict=True):
        chain = chain.when(condition).then(value)
    found: pl.Expr = chain
    return found


@lru_cache(maxsize=65536)
def lacking(asked: Asked, present: frozenset[str], *, sparse: bool) -> str | None:
    """Say what the metrics need that cannot be computed from the facts present."""
    there = present - {"parameters"} if sparse else present
    plan = asked.book.plan(there, asked.outputs, asked.assume)
    weights = "active_parameters" if sparse else "parameters"
    texts = []
    for name in plan.missing:
        if name in FOOTPRINT:  # whose steps are mostly not asked, so that the facts are named
            withheld = {"parameters": "sparse"} if sparse else {}
            texts.append(f"{name} {lacks(asked.book, name, there, asked.assume, withheld)}")
            continue
        # One step deep: what a missing metric needs in turn is said of that metric.
        routes = (lack.missing for lack in plan.closed[name] if not lack.not_assumed)
        ways = (", ".join(weights if each == "parameters_per_token" else each for each in route) for route in routes)
        texts.append(f"{name} needs {' or '.join(dict.fromkeys(ways))}")
    return SEPARATOR.join(texts) or None
