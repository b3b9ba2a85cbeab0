"""Causes of contradictions in the rows of a table: what `cause_of` names for a run, as an expression."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import narwhals as nw

from runlineage.catalogs.quantities.words import BUILT_ON
from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.checks.causes import (
    CAUSES,
    LEAST_OF_ENCODER_DECODER,
    MOST_RECOMPUTED,
    NARROW,
    NEAR,
    OF_LARGE,
    RECORDED,
    SIZE,
    Cause,
    Factor,
)

# Each cause that a word tells: the word, what it must be, and between which ratios it is taken at its word.
TELLING: dict[str, tuple[str, tuple[str, ...], float, float]] = {
    "base": ("stage", BUILT_ON, MOST_RECOMPUTED, math.inf),
    "recomputation": ("work_counts", ("hardware",), 1.0, MOST_RECOMPUTED),
    "encoder_decoder": ("architecture", ("encoder-decoder",), LEAST_OF_ENCODER_DECODER, 1.0),
}
RECORDED_WORK = "recorded_work"  # known where a row has recorded work


def cause(mark: Comparison, log: Any, width: Any, told: frozenset[str], is_close: Any) -> Any:
    """Return the cause that a row's words tell, or else the one that fits; null where none does, or several do.

    `log` and `width` are expressions for the logarithms of the ratio and of what its digits leave open, `told` the
    columns of words that the table has, `is_close` whether the two are close for a reason of their own.
    """
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
