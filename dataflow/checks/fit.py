"""The least change of facts that reconciles all: of a single fact where one does, else the least of squares."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.formatting import ratio_text
from runlineage.dataflow.checks.compared import CONTRADICT, NOISE, Compared
from runlineage.dataflow.checks.doubt import FARTHEST, effect

EXACT_WIDTH = 1e-4  # that a fact is known to which all its digits give more exactly


@dataclass(frozen=True)
class Fit:
    """What reconciles the facts of a run: `factors` by which each fact changes, and the one that changes most.

    `alike` are the facts that explain the contradictions just as well as `fact`: the figures that are there cannot tell
    them apart. `is_single` says that one fact alone reconciles all.
    """

    fact: str
    factors: Mapping[str, float]
    alike: tuple[str, ...] = ()
    is_single: bool = False

    def __str__(self) -> str:
        factor = self.factors[self.fact]
        if not self.is_single:
            return f"no single fact reconciles all; {self.fact} moves most, to {ratio_text(factor)} times what it is"
        text = f"{self.fact} at {ratio_text(factor)} times what it is reconciles all"
        others = " or ".join(f"{each} at {ratio_text(self.factors[each])} times" for each in self.alike)
        return f"{text}; it cannot be told apart from {others}" if others else text

    def as_json(self) -> dict[str, Any]:
        """Return stable keys."""
        return {
            "fact": self.fact,
            "single": self.is_single,
            "cannot_be_told_apart_from": list(self.alike),
            "factors": dict(self.factors),
        }


def fit(all_compared: Sequence[Compared], widths: Mapping[str, float]) -> Fit | None:
    """Return the least change that reconciles the comparisons of a run; None where nothing contradicts.

    `widths` are what the digits of each fact leave open: a fact that is known exactly moves last.
    """
    wrong = [each for each in all_compared if each.word == CONTRADICT]
    if not wrong:
        return None
    single = _single(all_compared, wrong)
    return _ranked(single, widths) if single else _least_squares(all_compared, widths)


def _single(all_compared: Sequence[Compared], wrong: Sequence[Compared]) -> dict[str, float]:
    """Find each fact that alone settles all that contradicts and makes nothing else contradict: fact and factor."""
    found = {}
    for fact in dict.fromkeys(name for each in wrong for name in each.slopes):
        if not all(fact in each.slopes for each in wrong):
            continue
        moves = [-each.log / each.slopes[fact] for each in wrong if not each.mark.is_bound]
        moves = moves or [-each.log / each.slopes[fact] for each in wrong]
        move = sum(moves) / len(moves)
        if abs(move) < FARTHEST and effect(fact, move, all_compared) == (len(wrong), 0):
            found[fact] = math.exp(move)
    return found


def _ranked(single: Mapping[str, float], widths: Mapping[str, float]) -> Fit:
    """Name the roundest fact first; facts that do alike are said to be so."""
    order = sorted(single, key=lambda name: -widths.get(name, 0.0))
    return Fit(order[0], {name: single[name] for name in order}, tuple(order[1:]), is_single=True)


def _least_squares(all_compared: Sequence[Compared], widths: Mapping[str, float]) -> Fit:
    """Spread the change over the facts, each by its width, so that every comparison comes out."""
    held = [each for each in all_compared if not each.mark.is_bound or each.word == CONTRADICT]
    facts = list(dict.fromkeys(name for each in held for name in each.slopes))
    slopes = np.array([[each.slopes.get(name, 0.0) for name in facts] for each in held])
    weights = np.array([max(widths.get(name, 0.0), EXACT_WIDTH) for name in facts])
    # In units of its own width each fact moves as little as it can: the least norm among all that reconcile.
    moves = np.linalg.lstsq(slopes * weights, -np.array([each.log for each in held]), rcond=None)[0]
    most = int(np.argmax(np.abs(moves)))
    factors = {
        name: math.exp(move) for name, move in zip(facts, (moves * weights).tolist(), strict=True) if abs(move) > NOISE
    }
    return Fit(facts[most], factors)
