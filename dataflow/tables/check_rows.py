"""Tables checked: one row for each comparison that a row of the table allows, in the user's own engine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, TypeVar

import narwhals as nw
import polars as pl

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.words import BUILT_ON, TOLD
from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.checks.causes import (
    CAUSES,
    LEAST_OF_ENCODER_DECODER,
    MOST_RECOMPUTED,
    NARROW,
    NEAR,
    OF_LARGE,
    RATIOS,
    RECORDED,
    SIZE,
    Cause,
    Factor,
)
from runlineage.dataflow.checks.compared import AGREE, CLOSE, CONTRADICT, NOISE
from runlineage.dataflow.checks.marks import CHECK_MODULES, OF_TOTAL, marks_of
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.tables.evaluate import evaluated
from runlineage.dataflow.tables.request import WIDTH, TableRequest

Frame = TypeVar("Frame")
# Each cause that a word tells: the word, what it must be, and between which ratios it is taken at its word.
TELLING: dict[str, tuple[str, tuple[str, ...], float, float]] = {
    "base": ("stage", BUILT_ON, MOST_RECOMPUTED, math.inf),
    "recomputation": ("work_counts", ("hardware",), 1.0, MOST_RECOMPUTED),
    "encoder_decoder": ("architecture", ("encoder-decoder",), LEAST_OF_ENCODER_DECODER, 1.0),
}
# Comparisons that only repeat others, where a row allows these too.
MADE_UP_OF = {
    "fraction_to_work": ("fraction_to_rate", "rate_to_work"),
}
WORK = "run_work"  # known where a row has recorded work, or weights and tokens
RECORDED_WORK = "recorded_work"  # known where a row has recorded work
ADDED = ("comparison", "ratio", "rounding", "verdict", "cause", "badness")


def check(
    frame: Frame, assume: str | Iterable[str] = (), columns: Mapping[str, str] = Frozen({}), *, keep: str = "all"
) -> Frame:
    """Compare the published figures of every row of a table, in the engine that the table is of.

    `frame` is any table that `evaluate` takes; the same type comes back, with the table's own columns and one row for
    each comparison that a row allows: its name, the `ratio` of the two figures, `rounding` (what their digits leave
    open, as a share), `verdict` (agree, close, contradict), `cause` where one fits, and `badness`, how far beyond its
    digits the ratio is in logarithms. With `keep="contradict"` only the contradictions come back. A lazy Polars table
    is computed at the call. Raises InputError as `evaluate` does.

    >>> import polars as pl
    >>> rows = pl.DataFrame({"training_ops": [4.3e23], "parameters": [175e9], "training_tokens": [300e9]})
    >>> print(check(rows).select("comparison", "verdict", "cause").row(0))
    ('recorded_to_modeled', 'contradict', 'recomputation')
    """
    if isinstance(frame, pl.LazyFrame):  # a union of lazy branches is a plan that Polars 1.38 trips over
        computed = frame.collect(engine="streaming")
        return check(computed, assume, columns, keep=keep).lazy()  # type: ignore[return-value]
    marks = marks_of(read_routes(*MODULES, *CHECK_MODULES))
    request = TableRequest.of((*marks, *RATIOS, WORK, RECORDED_WORK), assume, columns, checks=True)
    native: Any = evaluated(frame, request)
    answered: Any = nw.from_native(native)
    schema = answered.collect_schema()
    own = [name for name in schema.names() if name not in request.answers]
    told = frozenset(name for name in TOLD if name in own and schema[name] in (nw.String, nw.Categorical, nw.Object))
    parts = [_of_one(answered, name, mark, own, told, keep) for name, mark in marks.items()]
    found: Frame = nw.concat(parts, how="vertical").to_native()
    return found


def _of_one(answered: Any, name: str, mark: Comparison, own: list[str], told: frozenset[str], keep: str) -> Any:
    """Return the rows that one comparison is possible in, with what comes of it."""
    ratio, log, width = nw.col(name), nw.col(name).log(), nw.col(name + WIDTH)
    there = ~ratio.is_null() if name != OF_TOTAL else ~ratio.is_null() & nw.col(WORK).is_null()
    if name in MADE_UP_OF:
        there &= reduce(lambda one, other: one | other, (nw.col(each).is_null() for each in MADE_UP_OF[name]))
    excess = log.abs() - width
    reach = nw.when(log > 0).then(nw.lit(math.log1p(mark.above))).otherwise(nw.lit(_below(mark)))
    agrees = excess <= NOISE if not mark.is_bound else (excess <= NOISE) | (log <= 0)
    contradicts = ~agrees & (excess > reach)
    verdict = (
        nw.when(agrees)
        .then(nw.lit(AGREE))
        .otherwise(nw.when(contradicts).then(nw.lit(CONTRADICT)).otherwise(nw.lit(CLOSE)))
    )
    return answered.filter(there & contradicts if keep == CONTRADICT else there).select(
        *own,
        nw.lit(name).alias("comparison"),
        ratio.alias("ratio"),
        (width.exp() - 1).alias("rounding"),
        verdict.alias("verdict"),
        nw.when(~agrees).then(_cause(mark, log, width, told, excess <= reach)).alias("cause"),
        nw.when(contradicts).then(excess).otherwise(nw.lit(0.0)).alias("badness"),
        nw.col("problems"),
    )


def _below(mark: Comparison) -> float:
    return -math.log1p(-min(mark.below, 1 - 1e-12))


def _cause(mark: Comparison, log: Any, width: Any, told: frozenset[str], is_close: Any) -> Any:
    """Name the cause that a row's words tell, or else the one that fits; null where none does, or several do."""
    if "sparse_total" in mark.causes:
        return nw.lit("sparse_total")
    named = _by_factor(mark, log, width, told, is_close)
    for name, (word, choices, least, most) in TELLING.items():
        if name in mark.causes and word in told and (name != "recomputation" or mark.figure == RECORDED):
            says = _says(word, choices)
            if name == "base":  # of modeled work, and where the work of the base is known, the word tells nothing
                says &= ~nw.col(RECORDED_WORK).is_null() & nw.col("base_factor").is_null()
            if name == "encoder_decoder":  # of which a factor tells nothing
                named = nw.when(~says).then(named)
            named = (
                nw.when(says & (log > math.log(least)) & (log <= math.log(most))).then(nw.lit(name)).otherwise(named)
            )
    return named


def _says(word: str, choices: tuple[str, ...]) -> Any:
    return nw.col(word).cast(nw.String).is_in(choices).fill_null(value=False)


def _is_open(cause: Cause, mark: Comparison, told: frozenset[str], is_close: Any) -> list[Any]:
    """Return what must hold for a factor to tell of a cause: no word denies it, and no other reason is at hand."""
    held = [] if all(factor.of for factor in cause.factors) else [~is_close]
    if cause.name in OF_LARGE:
        held.append((nw.col(SIZE) >= 1).fill_null(value=True))
    if cause.name == "recomputation":
        held += [~_says("recomputation", ("none",))] if "recomputation" in told else []
        held += [~_says("work_counts", ("model",))] if "work_counts" in told and mark.figure == RECORDED else []
    return held


def _by_factor(mark: Comparison, log: Any, width: Any, told: frozenset[str], is_close: Any) -> Any:
    none = nw.lit(None, nw.String)
    known = [CAUSES[name] for name in mark.causes if name in CAUSES]
    if not known:
        return none
    is_open = {each.name: _is_open(each, mark, told, is_close) for each in known}
    near = nw.when(width < NEAR).then(width).otherwise(nw.lit(NEAR))
    ones = (
        nw.when(_fits(each, log, width, width), *is_open[each.name]).then(nw.lit(1)).otherwise(nw.lit(0))
        for each in known
    )
    is_one = (reduce(lambda one, other: one + other, ones) == 1) & (width <= NARROW)
    named = none
    for each in known:
        named = nw.when(_fits(each, log, width, near), *is_open[each.name]).then(nw.lit(each.name)).otherwise(named)
    return nw.when(is_one).then(named).otherwise(none)


def _fits(cause: Cause, log: Any, width: Any, within: Any) -> Any:
    return reduce(lambda one, other: one | other, (_near(each, log, width, within) for each in cause.factors))


def _near(factor: Factor, log: Any, width: Any, within: Any) -> Any:
    """Whether a ratio is that of a factor, so far as digits tell; not where the row lacks what the factor is of."""
    wanted: Any = math.log(factor.times)
    if factor.of:
        wanted = nw.col(factor.of).log() * factor.power + wanted
        return ((wanted.abs() > width) & ((log - wanted).abs() <= within)).fill_null(value=False)
    return (nw.lit(abs(wanted)) > width) & ((log - wanted).abs() <= within)
