"""What a table's rows get beside their numbers: the routes, the assumptions, and what is missing or doubtful."""

from __future__ import annotations

import math
from functools import lru_cache, partial, reduce
from typing import Any

import narwhals as nw
import polars as pl

from runlineage.catalogs.quantities.fields import ANSWERS, BY_NAME
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.dataflow.inputs.pairs import PAIRS, Pair
from runlineage.dataflow.routes.explain import lacks
from runlineage.dataflow.routes.plans import SUPPLIED, named
from runlineage.dataflow.routes.routes import ONLY, Route
from runlineage.dataflow.tables.fact_columns import PART, FactColumns
from runlineage.dataflow.tables.headers import SEPARATOR
from runlineage.dataflow.tables.metric_columns import PREFIX, MetricColumn
from runlineage.dataflow.tables.refusals import is_refused, sentences
from runlineage.dataflow.tables.request import REMARKS, TableRequest, output_header
from runlineage.dataflow.tables.row_texts import OwnTexts, RowTexts, own_texts, with_own

CODE = PREFIX + "pattern"
MARKS = PREFIX + "marks"
TEXT = PREFIX + "text "
FEW = 5_000  # rows a pattern
MOST_CODES = 1 << 16
# The answers that are shares, each with the most that it can be.
SHARES = {name: field.band.most for name, field in ANSWERS.items() if field.kind is KINDS["Fraction"] and field.band}


class RowNotes:
    """The routes, assumptions and problems of one table's rows, by expressions over its facts."""

    def __init__(self, facts: FactColumns) -> None:
        self.facts = facts
        self.request = facts.request
        self.varying = sorted(facts.available - facts.complete)
        self.present = frozenset(facts.available & facts.complete)
        self.flags = _flags(facts)
        self.numbers = facts.refused_numbers()
        self.texts = facts.refused_texts()
        self.order = dict.fromkeys([*(each.field for each in facts.headers), *self.texts, REMARKS])

    def beside(self) -> list[nw.Expr]:
        """Return the columns of routes, and of assumptions where any may be made."""
        return [*map(self._route, self.facts.columns), *self._assumes()]

    def rows(self, answered: pl.LazyFrame) -> tuple[pl.LazyFrame, list[pl.Expr]]:
        """Add these columns; return each row's pattern: its facts and flags as a number, and the texts of its own."""
        notes: pl.LazyFrame = (
            nw.from_native(answered).with_columns(*self.beside(), self._code().alias(CODE)).to_native()
        )
        remarks = {REMARKS: pl.col(REMARKS).cast(pl.String)} if REMARKS in self.facts.schema else {}
        cells = (
            self.texts | remarks | {name: pl.col(each.header).cast(pl.Float64) for name, each in self.numbers.items()}
        )
        marks = [self._marks().alias(MARKS)] if self.numbers else []
        return notes, [pl.col(CODE), *marks, *(cell.alias(TEXT + name) for name, cell in cells.items())]

    def problems(self, rows: pl.DataFrame) -> RowTexts:
        """Describe what is missing from each row, what was refused in it, and what is doubtful.

        Each pattern is put into words once, and so are the texts that few rows have of their own.
        """
        codes = rows[CODE]
        most: Any = codes.max() or 0
        marked, own = self._own(rows.select(each for each in rows if each.name.startswith((MARKS, TEXT))))
        if not most:  # no pattern varies: one sentence or none for all rows
            common = RowTexts(pl.Series([self._sentence(0)], dtype=pl.String), None, len(codes))
        else:
            common = RowTexts(*self._sentences(codes, most), len(codes))
        return with_own(common, marked, own) if own else common

    def _own(self, rows: pl.DataFrame) -> tuple[pl.Series, list[OwnTexts]]:
        """Return the rows with texts of their own, by number, and the texts of each column that has any."""
        marks = rows[MARKS] if self.numbers and rows[MARKS].max() else None
        texts = {name: rows[TEXT + name] for name in self.order if TEXT + name in rows and name not in self.numbers}
        texts = {name: each for name, each in texts.items() if each.null_count() < len(each)}
        conditions = [*(each.is_not_null() for each in texts.values()), *([] if marks is None else [marks != 0])]
        if not conditions:
            return pl.Series(dtype=pl.UInt32), []
        is_marked = reduce(lambda one, other: one | other, conditions)
        spoilt = rows.filter(is_marked)
        own = {name: own_texts(spoilt[TEXT + name]) for name in texts}
        for place, (name, column) in enumerate(self.numbers.items() if marks is not None else ()):
            is_own = (spoilt[MARKS] & (1 << place)) != 0
            if is_own.any():
                refused = spoilt.select(pl.when(is_own).then(TEXT + name)).to_series()
                own[name] = own_texts(refused, partial(sentences, column))
        numbers = pl.int_range(rows.height, dtype=pl.UInt32, eager=True)
        return numbers.filter(is_marked), [own[name] for name in self.order if name in own]

    def _marks(self) -> pl.Expr:
        """Mark the columns of numbers of which a row's is refused: a bit each."""
        refused = [is_refused(pl.col(each.header).cast(pl.Float64), each) for each in self.numbers.values()]
        bits: pl.Expr = _bits(pl, refused)
        return bits

    def _sentences(self, codes: pl.Series, most: int) -> tuple[pl.Series, pl.Series]:
        """Write the sentence of each pattern, and return each row's place among them."""
        if most > MOST_CODES:  # so many facts that the patterns which occur are few among all numbers
            distinct = codes.unique().sort()
            places = codes.replace_strict(distinct, range(len(distinct)), return_dtype=pl.UInt32)
            return pl.Series([self._sentence(code) for code in distinct], dtype=pl.String), places
        # Over many rows it is cheaper to put every pattern into words than to find those that occur.
        seen = range(most + 1) if most * FEW < len(codes) else set(codes.unique())
        message = [self._sentence(code) if code in seen else None for code in range(most + 1)]
        return pl.Series(message, dtype=pl.String), codes

    def _open(self, column: MetricColumn) -> list[nw.Expr]:
        """For each path to a metric, whether its facts are there."""
        conditions = []
        for path in column.paths:
            there = [~nw.col(PREFIX + name).is_null() for name in sorted(path.facts - self.facts.complete)]
            conditions.append(reduce(lambda one, other: one & other, there) if there else nw.lit(value=True))
        return conditions

    def _route(self, column: MetricColumn) -> nw.Expr:
        names = [_named(path.routes.get(column.name)) for path in column.paths]
        # Every route of the book, so that the type does not depend on what a table holds.
        kind = nw.Enum([*map(_named, self.request.book.routes[column.name]), SUPPLIED])
        return _chosen(self._open(column), [nw.lit(name, kind) for name in names], kind).alias(f"{column.name} route")

    def _assumes(self) -> list[nw.Expr]:
        """Name the assumptions beneath any of a row's answers."""
        columns = self.facts.columns
        if not self.request.assume:
            return []
        if not columns:
            return [nw.lit(None, nw.String).alias("assumes")]
        used = []
        for name in self.request.book.assumptions:
            if name in self.request.assume:
                rests = [
                    _chosen(self._open(column), [nw.lit(name in path.assumes) for path in column.paths], nw.Boolean)
                    for column in columns
                ]
                any_rests = reduce(lambda one, other: one | other, (rest.fill_null(value=False) for rest in rests))
                used.append(nw.when(any_rests).then(nw.lit(name)))
        joined = nw.concat_str(*used, separator=", ", ignore_nulls=True)
        return [nw.when(joined != "").then(joined).alias("assumes")]

    def _code(self) -> nw.Expr:
        conditions = [~nw.col(PREFIX + name).is_null() for name in self.varying]
        conditions += self.flags.values()
        if "sparse" in self.facts.fields:
            conditions.append(nw.col(PREFIX + "sparse") == "True")
        bits: nw.Expr = _bits(nw, conditions)
        return bits

    def _sentence(self, code: int) -> str | None:
        """Write the sentence of one pattern."""
        there = self.present | {name for place, name in enumerate(self.varying) if code >> place & 1}
        raised = [text for place, text in enumerate(self.flags, len(self.varying)) if code >> place & 1]
        if self.request.checks:  # a comparison that a row does not allow is no problem of it
            return SEPARATOR.join(raised) or None
        lacks = missing_facts(self.request, there, sparse=bool(code >> len(self.varying) + len(self.flags)))
        return SEPARATOR.join(filter(None, (*raised, lacks))) or None


def _named(route: Route | None) -> str:
    """Return the name of a route as tables write it; without one, the quantity was given."""
    return SUPPLIED if route is None else route.name or ONLY


def _flags(facts: FactColumns) -> dict[str, nw.Expr]:
    """Describe what is refused or doubtful of whole rows: each sentence with the rows that it holds for."""
    found = {}
    if {"parameters", "active_parameters"} <= facts.fields:
        found["active_parameters: more than parameters; check which is which"] = nw.col(PREFIX + "misfit")
        if "sparse" in facts.fields:
            message = "sparse: is false, and active_parameters differ from parameters; check which holds"
            found[message] = nw.col(PREFIX + "unlike")
    for name, most in SHARES.items():
        if name in facts.request.outputs and facts.available:
            found[f"{name} is above {most:g}: doubt its facts"] = nw.col(output_header(name)) > most
    for pair in PAIRS:
        for sentence, rows in _doubts(facts, pair).items():
            others = found.get(sentence, nw.lit(value=False))  # of another pair that means the same
            found[sentence] = others.fill_null(value=False) | rows.fill_null(value=False)
    if "energy" in facts.request.outputs and {"device_power", "power_basis"} <= facts.fields:
        message = "device_power: was measured on whole systems, and serves it_energy alone"
        found[message] = nw.col(PREFIX + "power_basis") == "measured_system"
    return found


def _doubts(facts: FactColumns, pair: Pair) -> dict[str, nw.Expr]:
    """Describe the rows in which a fact and what it is compared with are too far apart, in either direction."""
    there = facts.derived if pair.of_device else facts.available
    if pair.fact not in facts.fields or not there >= {*pair.others}:
        return {}
    others = (nw.col(PREFIX + (PART if pair.of_device else "") + name) for name in pair.others)
    ratio = reduce(lambda one, other: one / other, others, nw.col(PREFIX + pair.fact))
    open_ = [nw.col(PREFIX + name).is_null() for name in pair.unless if name in facts.available]
    above, below = (
        reduce(lambda one, other: one & other, open_, bound)
        for bound in (ratio > pair.most * pair.factor, ratio < pair.least * pair.factor)
    )
    if pair.is_close:
        return {pair.sentence(above=True): above | below}
    sides = ((True, above, pair.most < math.inf), (False, below, pair.least > 0))
    return {pair.sentence(above=up): rows for up, rows, is_bound in sides if is_bound}


def _bits(library: Any, conditions: list[Any]) -> Any:
    """Write conditions as one whole number of few bytes, a bit each, which is not set where a condition is null."""
    whole = library.UInt16 if len(conditions) <= 16 else library.UInt32 if len(conditions) <= 32 else library.UInt64
    none = library.lit(0, whole)
    bits = [
        library.when(each).then(library.lit(1 << place, whole)).otherwise(none) for place, each in enumerate(conditions)
    ]
    return reduce(lambda one, other: one + other, bits) if bits else none


def _chosen(conditions: list[nw.Expr], values: list[nw.Expr], dtype: Any) -> nw.Expr:
    """Return the value of the first path that is open; null where none is."""
    found = nw.lit(None, dtype)
    for condition, value in zip(reversed(conditions), reversed(values), strict=True):
        found = nw.when(condition).then(value).otherwise(found)
    return found


@lru_cache(maxsize=65536)
def missing_facts(request: TableRequest, present: frozenset[str], *, sparse: bool) -> str | None:
    """Describe what the metrics need that cannot be computed from the facts present."""
    there = present - {"parameters"} if sparse else present
    plan = request.book.plan(there, request.outputs, request.assume)
    called = {"parameters_per_token": "active_parameters" if sparse else "parameters"}
    texts = []
    for name in plan.missing:
        if name in BY_NAME:  # whose steps are mostly not asked, so that the facts are named
            withheld = {"parameters": "sparse"} if sparse else {}
            texts.append(f"{name} {lacks(request.book, name, there, request.assume, withheld)}")
            continue
        # One step deep: what a missing metric needs in turn is written of that metric.
        routes = [lack.missing for lack in plan.closed.get(name, ()) if not lack.not_assumed]
        routes = [each for each in routes if not any(set(other) < set(each) for other in routes)]
        paths = (", ".join(named(called.get(each, each)) for each in route) for route in routes)
        texts.append(f"{name} needs {' or '.join(dict.fromkeys(paths))}")
    return SEPARATOR.join(texts) or None
