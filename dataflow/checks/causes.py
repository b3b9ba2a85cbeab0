"""Causes of a contradiction: the factor that each makes between two figures, and what the facts must say for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from runlineage.catalogs.quantities.words import BUILT_ON

SECOND_FORWARD = 4 / 3  # of three passes a forward one, which recomputation does again [korthikanti2022]
CARBON_OF_CO2 = 12 / 44  # the mass of the carbon in carbon dioxide
NODES = (4, 8)  # devices in the nodes that are sold
NARROW = 0.2  # a cause by its factor alone is named only where the digits leave no more open than this,
NEAR = 0.03  # and only where the ratio is as near to the factor as this, however round the digits are
MOST_RECOMPUTED = 5 / 3  # of what hardware counts beside the model: two more forward passes in the place of one


@dataclass(frozen=True)
class Factor:
    """The ratio that a cause makes: `times` a plain number, and a ratio of the run to a power where `of` names one."""

    times: float = 1.0
    of: str = ""
    power: int = 1

    def of_run(self, ratios: Mapping[str, float]) -> float | None:
        """Return the factor for a run by its own ratios; None where it lacks the one that is asked."""
        if not self.of:
            return self.times
        return self.times * ratios[self.of] ** self.power if self.of in ratios else None


@dataclass(frozen=True)
class Cause:
    """One cause: its name, what it says, the ratios that it can make, and the fact that it makes wrong, if any."""

    name: str
    sentence: str
    factors: tuple[Factor, ...]
    fact: str = ""


CAUSES = {
    cause.name: cause
    for cause in (
        Cause(
            "recomputation",
            "one counts a second forward pass, since activations are computed anew, and the other does not",
            (Factor(SECOND_FORWARD), Factor(SECOND_FORWARD, "attention_factor"), Factor(1 / SECOND_FORWARD)),
        ),
        Cause("attention", "one counts attention, and the other does not", (Factor(of="attention_factor"),)),
        Cause(
            "total_parameters",
            "one counts all parameters of a sparse model, of which a token passes only the active ones",
            (Factor(of="total_factor"),),
        ),
        Cause("forward_pass", "one counts the forward pass alone: 2 N D in place of 6 N D", (Factor(1 / 3),)),
        Cause(
            "multiply_adds",
            "one counts a multiply-add as one operation, and the other as two",
            (Factor(2.0), Factor(0.5)),
        ),
        Cause(
            "sparse_peak",
            "the fraction is of a peak twice this one, as those for sparse matrices or 8-bit numbers are",
            (Factor(0.5),),
        ),
        Cause("base", "one counts the work of the model that the run started from", (Factor(of="base_factor"),)),
        Cause("kilo", "a prefix was misread: a factor of a thousand", (Factor(1e3), Factor(1e-3), Factor(1e-6))),
        Cause(
            "count_in_nodes",
            "the count is of nodes, each of several accelerators",
            tuple(map(Factor, NODES)),
            "accelerator_count",
        ),
        Cause(
            "hours_of_nodes",
            "the hours are of nodes, each of several accelerators",
            tuple(Factor(1 / each) for each in NODES),
            "accelerator_hours",
        ),
        Cause(
            "wall_clock",
            "the hours are those of the clock, not of each accelerator: they are to be multiplied by the count",
            (Factor(of="count_factor"), Factor(of="count_factor", power=-1)),
            "accelerator_hours",
        ),
        Cause("rate_of_nodes", "the rate is of a node, with several accelerators", tuple(map(Factor, NODES))),
        Cause("hours_for_days", "hours were written for days, or days for hours", (Factor(24.0), Factor(1 / 24))),
        Cause(
            "seconds_for_hours",
            "seconds were written for hours, or hours for seconds",
            (Factor(3600.0), Factor(1 / 3600)),
        ),
        Cause(
            "overhead",
            "the energy is of the facility, with its overhead (PUE), and not of the devices",
            (Factor(of="overhead_factor"),),
        ),
        Cause("host", "one counts the hosts, and the other does not", (Factor(of="host_factor"),)),
        Cause(
            "without_overhead",
            "the printed figure leaves out the overhead of the facility (PUE)",
            (Factor(of="overhead_factor", power=-1),),
        ),
        Cause(
            "market_based",
            "the printed emissions are market-based, and the intensity is of the grid",
            (Factor(of="market_factor"),),
        ),
        Cause("carbon_alone", "the printed figure is of carbon, not of carbon dioxide", (Factor(CARBON_OF_CO2),)),
    )
}
SIZE = "size_factor"
RATIOS = (*dict.fromkeys(each.of for cause in CAUSES.values() for each in cause.factors if each.of), SIZE)
OF_LARGE = ("recomputation", "multiply_adds")  # in small models and long sequences attention makes such ratios too
BY_WORDS = {
    "encoder_decoder": "the model is an encoder-decoder: a token passes only part of the weights, so 6 N D over-counts",
    "recomputation": "recorded work counts what the hardware ran, recomputation with it, as the fact work_counts says",
    "base": "the run started from a model, and the figure counts that model's work too",
    "sparse_total": "the model is sparse: a token passes only part of its weights, so the total is no measure of work",
}
RECORDED = "training_ops"  # the figure of which the word work_counts tells
LEAST_OF_ENCODER_DECODER = 0.4  # half of the weights serve a token where encoder and decoder are alike, or more


def cause_of(
    ratio: float,
    width: float,
    names: Iterable[str],
    ratios: Mapping[str, float],
    words: Mapping[str, Any],
    *,
    figure: str = RECORDED,
    is_recorded: bool = True,
    is_close: bool = False,
) -> tuple[str, str]:
    """Return the one cause that fits a ratio, with its sentence; two empty texts where none does, or several do.

    `width` is what the digits of the figures leave open, in the logarithm of their ratio; `ratios` are those of the run
    that `RATIOS` names, as far as they are known. `figure` is what is compared, since words tell what recorded work
    counts and nothing of other figures; `is_recorded` says whether the run's work is recorded; `is_close` that the two
    are close for a reason of their own, beside which a plain number that happens to be near tells nothing. Nor does one
    that attention may make, which adds over a tenth to the work of small models and of long sequences.

    >>> print(cause_of(1.35, 0.02, ("recomputation", "base"), {}, {})[0])
    recomputation
    >>> cause_of(1.2, 0.02, ("recomputation", "base"), {}, {})
    ('', '')
    """
    told = (name for name in names if name in BY_WORDS and says(name, ratio, words))
    by_words = next((name for name in told if _is_told(name, figure, ratios, is_recorded=is_recorded)), "")
    if by_words:
        return by_words, BY_WORDS[by_words]
    is_small = ratios.get(SIZE, 1.0) < 1
    open_names = [name for name in names if name in CAUSES and not denied(name, figure, words)]
    open_names = [name for name in open_names if not (is_small and name in OF_LARGE)]
    fitting = [name for name in open_names if fits(CAUSES[name], ratio, width, width, ratios)]
    if is_close:
        fitting = [name for name in fitting if all(factor.of for factor in CAUSES[name].factors)]
    encoder_decoder = "encoder_decoder" in names and words.get("architecture") == "encoder-decoder"
    is_one = len(fitting) == 1 and not encoder_decoder and width <= NARROW
    if not (is_one and fits(CAUSES[fitting[0]], ratio, width, min(width, NEAR), ratios)):
        return "", ""
    return fitting[0], CAUSES[fitting[0]].sentence


def says(name: str, ratio: float, words: Mapping[str, Any]) -> bool:
    """Return whether a run's own words name a cause that its ratio does not speak against."""
    if name == "encoder_decoder":
        return words.get("architecture") == "encoder-decoder" and LEAST_OF_ENCODER_DECODER < ratio < 1
    if name == "recomputation":
        return words.get("work_counts") == "hardware" and 1 < ratio <= MOST_RECOMPUTED
    if name == "base":
        return words.get("stage") in BUILT_ON and ratio > MOST_RECOMPUTED
    return name == "sparse_total"


def _is_told(name: str, figure: str, ratios: Mapping[str, float], *, is_recorded: bool) -> bool:
    """Return whether words can tell a cause of a figure: what recorded work counts, and no base whose work is known."""
    if name == "base":
        return is_recorded and "base_factor" not in ratios
    return name != "recomputation" or figure == RECORDED


def denied(name: str, figure: str, words: Mapping[str, Any]) -> bool:
    """Return whether a run's own words speak against a cause."""
    is_model = figure == RECORDED and words.get("work_counts") == "model"
    return name == "recomputation" and (is_model or words.get("recomputation") == "none")


def fits(cause: Cause, ratio: float, width: float, within: float, ratios: Mapping[str, float]) -> bool:
    """Return whether a cause makes this ratio, `within` so much of its logarithm.

    A factor that is itself within the digits of one explains nothing.
    """
    factors = (factor for each in cause.factors if (factor := each.of_run(ratios)))
    return any(abs(math.log(factor)) > width and abs(math.log(ratio / factor)) <= within for factor in factors)
