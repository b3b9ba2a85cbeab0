"""Which fact to doubt first: the one that, with another value, settles most comparisons and unsettles fewest."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import outside
from runlineage.catalogs.quantities.units import Quantity, convert
from runlineage.dataflow.checks.causes import CAUSES
from runlineage.dataflow.checks.compared import CONTRADICT, Compared, Doubt, verdict

Values = Mapping[str, Quantity]
FARTHEST = 100.0  # that the logarithm of a fact is moved


def doubts_of(
    one: Compared,
    all_compared: Sequence[Compared],
    values: Values,
    widths: Mapping[str, float],
    looked_up: Container[str],
) -> tuple[Doubt, ...]:
    """List the facts beneath a comparison, each with the value that would settle it; the likeliest to be wrong first.

    `values` are the facts as given, `widths` what their digits leave open. A value that no such fact can have is no way
    to settle anything.
    """
    found = []
    wrong = CAUSES[one.cause].fact if one.cause in CAUSES else ""
    for fact, slope in one.slopes.items():
        move = -one.log / slope
        if fact in values and abs(move) < FARTHEST and (would_be := _moved(fact, values[fact], move)) is not None:
            settles, breaks = effect(fact, move, all_compared)
            width, is_looked_up, is_named = widths.get(fact, 0.0), fact in looked_up, fact == wrong
            found.append(Doubt(fact, values[fact], would_be, settles, breaks, width, is_looked_up, is_named))
    return tuple(sorted(found, key=lambda each: each.rank))


def effect(fact: str, move: float, all_compared: Iterable[Compared]) -> tuple[int, int]:
    """Count the comparisons that a move of a fact's logarithm would settle, and those that it would make contradict."""
    settles = breaks = 0
    for each in all_compared:
        slope = each.slopes.get(fact, 0.0)
        if slope:
            after = verdict(each.log + slope * move, each.width, each.mark)
            settles += each.word == CONTRADICT != after
            breaks += each.word != CONTRADICT == after
    return settles, breaks


def _moved(fact: str, value: Quantity, move: float) -> Quantity | None:
    moved: Quantity = value * math.exp(move)
    known = FIELDS.get(fact)
    if known is None:
        return moved
    return None if outside(float(convert(moved, known.units).magnitude), known) else moved
