"""What is told of a table's rows beside their numbers: the routes, the assumptions, and what a row lacks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, reduce
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from runlineage.catalogs.quantities.fields import BY_NAME
from runlineage.dataflow.inputs.agreement import HIGH_PUE, HOURS_TOLERANCE
from runlineage.dataflow.inputs.lookups import SPARSE_RATIO, TDP_TOLERANCE
from runlineage.dataflow.routes.explain import lacks
from runlineage.dataflow.routes.plans import named
from runlineage.dataflow.routes.routes import ONLY
from runlineage.dataflow.tables.fact_columns import PART, TableFacts
from runlineage.dataflow.tables.headers import SEPARATOR
from runlineage.dataflow.tables.metric_columns import PREFIX, Column
from runlineage.dataflow.tables.request import REMARKS, Asked, output_header

CODE = PREFIX + "pattern"
TEXT = PREFIX + "text "
FEW = 5_000  # rows a pattern
MOST_CODES = 1 << 16


class TableTold:
    """What is told of the rows of one table, by expressions over its facts."""

    def __init__(self, facts: TableFacts) -> None:
        self.facts = facts
        self.asked = facts.asked
        self.varying = sorted(facts.available - facts.complete)
        self.present = frozenset(facts.available & facts.complete)
        self.flags = _flags(facts)

    def beside(self) -> list[nw.Expr]:
        """Give the columns of routes, and of assumptions where any may be made."""
        return [*map(self._route, self.facts.columns), *self._assumes()]

    def rows(self, answered: pl.LazyFrame) -> tuple[pl.LazyFrame, list[pl.Expr]]:
        """Add these columns, and give each row's pattern: its facts and flags as a number, and the texts of its own."""
        told: pl.LazyFrame = nw.from_native(answered).with_columns(*self.beside(), self._code().alias(CODE)).to_native()
        texts = self.facts.refusals()
        texts |= {REMARKS: pl.col(REMARKS).cast(pl.String)} if REMARKS in self.facts.schema else {}
        return told, [pl.col(CODE), *(text.alias(TEXT + name) for name, text in texts.items())]

    def problems(self, rows: pl.DataFrame) -> pl.Series:
        """Say of the patterns of rows what they lack, what was refused in them, and what is doubtful.

        Each pattern is put into words once, and so is each of the few rows with texts of their own.
        """
        codes = rows[CODE]
        texts = rows.select(each for each in rows if each.name.startswith(TEXT) and each.null_count() < len(each))
        most: Any = codes.max() or 0
        if not texts.width and not most:  # nothing varies: one sentence or none for all rows
            return pl.repeat(self._say(0), len(codes), dtype=pl.String, eager=True)
        spoken, codes = self._spoken(codes, most)
        if texts.width:
            spoken, codes = _with_texts(spoken, codes, texts)
        if spoken.null_count() == len(spoken):
            return pl.repeat(None, len(codes), dtype=pl.String, eager=True)
        return _gathered(spoken, codes)

    def _spoken(self, codes: pl.Series, most: int) -> tuple[pl.Series, pl.Series]:
        """Put the patterns into words, and give each row the place of its own among them."""
        if most > MOST_CODES:  # so many facts that the patterns which occur are few among all numbers
            distinct = codes.unique().sort()
            places = codes.replace_strict(distinct, range(len(distinct)), return_dtype=pl.UInt32)
            return pl.Series([self._say(code) for code in distinct], dtype=pl.String), places
        # Over many rows it is cheaper to put every pattern into words than to find those that occur.
        seen = range(most + 1) if most * FEW < len(codes) else set(codes.unique())
        said = [self._say(code) if code in seen else None for code in range(most + 1)]
        return pl.Series(said, dtype=pl.String), codes

    def _open(self, column: Column) -> list[nw.Expr]:
        """For each way of a metric, whether its facts are there."""
        conditions = []
        for way in column.ways:
            there = [~nw.col(PREFIX + name).is_null() for name in sorted(way.facts - self.facts.complete)]
            conditions.append(reduce(lambda one, other: one & other, there) if there else nw.lit(value=True))
        return conditions

    def _route(self, column: Column) -> nw.Expr:
        names = [way.routes[column.name].name or ONLY for way in column.ways]
        # Every route of the book, so that the type does not depend on what a table holds.
        kind = nw.Enum([route.name or ONLY for route in self.asked.book.routes[column.name]])
        return _chosen(self._open(column), [nw.lit(name, kind) for name in names], kind).alias(f"{column.name} route")

    def _assumes(self) -> list[nw.Expr]:
        """Name the assumptions beneath any of a row's answers."""
        columns = self.facts.columns
        if not self.asked.assume:
            return []
        if not columns:
            return [nw.lit(None, nw.String).alias("assumes")]
        used = []
        for name in self.asked.book.assumptions:
            if name in self.asked.assume:
                rests = [
                    _chosen(self._open(column), [nw.lit(name in way.assumes) for way in column.ways], nw.Boolean)
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
        whole = nw.UInt16 if len(conditions) <= 16 else nw.UInt32
        none = nw.lit(0, whole)  # also where a condition is null
        bits = [nw.when(each).then(nw.lit(1 << place, whole)).otherwise(none) for place, each in enumerate(conditions)]
        return reduce(lambda one, other: one + other, bits) if bits else none

    def _say(self, code: int) -> str | None:
        """Put one pattern into words."""
        there = self.present | {name for place, name in enumerate(self.varying) if code >> place & 1}
        raised = [text for place, text in enumerate(self.flags, len(self.varying)) if code >> place & 1]
        lacks = lacking(self.asked, there, sparse=bool(code >> len(self.varying) + len(self.flags)))
        return SEPARATOR.join(filter(None, (*raised, lacks))) or None


def _flags(facts: TableFacts) -> dict[str, nw.Expr]:
    """Say what is refused or doubtful of whole rows: each sentence with the rows that it holds for."""
    found = {}
    if {"parameters", "active_parameters"} <= facts.fields:
        found["active_parameters: more than parameters; check which is which"] = nw.col(PREFIX + "misfit")
        if "sparse" in facts.fields:
            said = "sparse: is false, and active_parameters differ from parameters; check which holds"
            found[said] = nw.col(PREFIX + "unlike")
    if "peak_fraction" in facts.asked.outputs and facts.available:
        found["peak_fraction is above 1: doubt its facts"] = nw.col(output_header("peak_fraction")) > 1
    if {"accelerator_hours", "accelerator_count", "duration"} <= facts.available:
        product = nw.col(PREFIX + "accelerator_count") * nw.col(PREFIX + "duration")
        apart = ((nw.col(PREFIX + "accelerator_hours") - product) / product).abs() > HOURS_TOLERANCE
        found[f"accelerator_hours and accelerator_count × duration differ by over {HOURS_TOLERANCE:.0%}"] = apart
    if "pue" in facts.fields:
        found[f"pue is above {HIGH_PUE:g}: is it the PUE of the facility?"] = nw.col(PREFIX + "pue") > HIGH_PUE
    given = facts.fields & {"peak_flops", "device_power"} if "accelerator" in facts.words else set()
    if "peak_flops" in given:
        dense = SPARSE_RATIO * nw.col(PREFIX + PART + "peak_flops")
        said = f"peak_flops is over {SPARSE_RATIO} times the dense peak of its accelerator: a sparse figure?"
        found[said] = nw.col(PREFIX + "peak_flops") > dense
    if "device_power" in given:
        design = TDP_TOLERANCE * nw.col(PREFIX + PART + "accelerator_tdp")
        said = "device_power is above the design power of its accelerator: is it a device's alone?"
        found[said] = nw.col(PREFIX + "device_power") > design
    return found


def _gathered(spoken: pl.Series, codes: pl.Series) -> pl.Series:
    """Give each row its sentence, in the pieces that the engine left: on all cores, and in memory that is at hand."""
    if codes.n_chunks() == 1:
        return spoken.gather(codes)
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:
        return pl.concat(list(pool.map(spoken.gather, codes.get_chunks())), rechunk=False)


def _with_texts(spoken: pl.Series, codes: pl.Series, texts: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Give each row that has texts of its own a sentence of its own, after those of the patterns."""
    marked = texts.select(pl.any_horizontal(pl.all().is_not_null()))[:, 0].arg_true()
    parts = texts[marked].with_columns(spoken.gather(codes.gather(marked)).alias(CODE))
    joined = parts.select(pl.concat_str(pl.all(), separator=SEPARATOR, ignore_nulls=True))[:, 0]
    places = codes.to_numpy().astype(np.uint32)
    places[marked] = np.arange(len(spoken), len(spoken) + len(joined))
    return pl.concat([spoken.rename(""), joined.rename("")]), pl.Series(places)


def _chosen(conditions: list[nw.Expr], values: list[nw.Expr], dtype: Any) -> nw.Expr:
    """Give the value of the first way that is open; null where none is."""
    found = nw.lit(None, dtype)
    for condition, value in zip(reversed(conditions), reversed(values), strict=True):
        found = nw.when(condition).then(value).otherwise(found)
    return found


@lru_cache(maxsize=65536)
def lacking(asked: Asked, present: frozenset[str], *, sparse: bool) -> str | None:
    """Say what the metrics need that cannot be computed from the facts present."""
    there = present - {"parameters"} if sparse else present
    plan = asked.book.plan(there, asked.outputs, asked.assume)
    weights = "active_parameters" if sparse else "parameters"
    texts = []
    for name in plan.missing:
        if name in BY_NAME:  # whose steps are mostly not asked, so that the facts are named
            withheld = {"parameters": "sparse"} if sparse else {}
            texts.append(f"{name} {lacks(asked.book, name, there, asked.assume, withheld)}")
            continue
        # One step deep: what a missing metric needs in turn is said of that metric.
        routes = (lack.missing for lack in plan.closed[name] if not lack.not_assumed)
        ways = (
            ", ".join(weights if each == "parameters_per_token" else named(each) for each in route) for route in routes
        )
        texts.append(f"{name} needs {' or '.join(dict.fromkeys(ways))}")
    return SEPARATOR.join(texts) or None
