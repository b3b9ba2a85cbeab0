"""Verdicts: whether a run's training compute is above the lines that laws and guidance draw, or cannot be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, RunlineageError, echo, refuse
from runlineage.catalogs.catalog import Thresholds
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import Quantity, convert
from runlineage.catalogs.quantities.words import BUILT_ON
from runlineage.catalogs.records.threshold import Threshold
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.staged import AnyRun, StagedRun, one_stage

ABOVE, BELOW, UNTOLD = "above", "below", "cannot tell"
# How far an estimate may be off in the guidelines of the EU, Annex A.2, point 123 [eu_gpai_guidelines]: by 30 % of the
# estimate, to either side. Other texts give no such figure, and an estimate of ours is no better there.
ESTIMATE_ERROR = 0.30
OUTSIDE = 0.05  # of the draws beyond either end of an interval


@dataclass(frozen=True)
class Verdict:
    """One line and one run: `word` is above, below or cannot tell.

    `compared` names the answer that was held against the line, `value` is that answer (None where it cannot be
    computed) and `factor` how many times the line it is; `scope` says which work that is and whether it is an estimate,
    `reason` why it cannot be told; `caveats` are what else the verdict must not be read without. Where facts are
    ranges, `probability` is that of the answer being above the line.
    """

    threshold: Threshold
    word: str
    compared: str
    value: Quantity | None
    factor: float | None
    scope: str = ""
    reason: str = ""
    caveats: tuple[str, ...] = ()
    probability: float | None = None

    @property
    def line(self) -> Quantity:
        """Where the line lies: operations, or a fraction of the original model's."""
        value: Quantity = self.threshold.facts()["threshold"].value
        return value

    @property
    def margin(self) -> Quantity | None:
        """How far the compared answer is from the line; negative below it."""
        if self.value is None:
            return None
        margin: Quantity = self.value - self.line
        return margin

    def __str__(self) -> str:
        return f"{self.word}: {self.threshold.name}" + (f" ({self.reason})" if self.reason else "")

    def as_json(self) -> dict[str, Any]:
        """Return stable keys, numbers in full precision; operations are in flop, shares are plain fractions."""
        facts = self.threshold.facts()
        since = facts["since"].value if "since" in facts else None
        return {
            "threshold": self.threshold.key,
            "name": self.threshold.name,
            "status": facts["status"].value if "status" in facts else None,
            "since": since.isoformat() if since else None,
            "verdict": self.word,
            "compared": self.compared,
            "value": None if self.value is None else float(self.value.magnitude),
            "line": float(self.line.magnitude),
            "factor": self.factor,
            "probability": self.probability,
            "scope": self.scope or None,
            "reason": self.reason or None,
            "caveats": list(self.caveats),
            "what_counts": facts["what_counts"].value if "what_counts" in facts else None,
        }


def verdicts(run: AnyRun, thresholds: Iterable[str | Threshold] | None = None) -> tuple[Verdict, ...]:
    """Hold a run against thresholds by name, all of the catalog when none.

    Those for modifications apply only where the run is one.
    A run that started from a model (`stage` is fine-tuning or continued pre-training, or `base_training_ops` is given)
    has its own work and its base's, which are compared as each text counts them. Of a run of several stages, their sum
    is compared. Raises InputError for columns, for a pre-training with a base and for stages that start from a model of
    others, UnknownNameError for a threshold that the catalog lacks.

    >>> from runlineage import Scenarios
    >>> for name in ("DeepSeek-V3", "Llama 3.1 405B"):
    ...     (verdict,) = verdicts(Scenarios[name], ["EU 1e25"])
    ...     print(name, verdict.word, f"{verdict.factor:.2f}")
    DeepSeek-V3 below 0.33
    Llama 3.1 405B above 3.79
    """
    stages = (run,) if isinstance(run, PublishedRunScenario) else tuple(run.stages.values())
    for each in stages:
        _check(each)
    case = _Case(run, stages)
    lines = [
        each if isinstance(each, Threshold) else Thresholds[each]
        for each in (Thresholds if thresholds is None else _listed(thresholds))
    ]
    return tuple(verdict for line in lines if (verdict := case.verdict(line)) is not None)


def _listed(thresholds: Iterable[str | Threshold]) -> list[str | Threshold]:
    """Look up every name, so that all unknown ones are listed at once."""
    if not isinstance(thresholds, (Threshold, Iterable)) or isinstance(thresholds, Mapping):
        refuse("thresholds", f"is {echo(thresholds)}", "expected thresholds, or their names")
    names: list[str | Threshold] = [thresholds] if isinstance(thresholds, (str, Threshold)) else list(thresholds)
    faults = []
    for name in names:
        try:
            _ = name if isinstance(name, Threshold) else Thresholds[name]
        except RunlineageError as problem:
            if len(names) == 1:
                raise
            faults.append(Fault("threshold", str(problem)))
    if faults:
        raise InputError(tuple(faults))
    return names


def _check(run: PublishedRunScenario) -> None:
    faults = [
        Fault(name, "is a column", "a verdict is of one run: give one value")
        for name, value in run.inputs.given.items()
        if getattr(value.magnitude, "shape", ())
    ]
    if run.inputs.words.get("stage") == "pre-training" and "base_training_ops" in run.inputs.given:
        what = "does not go with the stage pre-training, which starts from no model"
        faults.append(Fault("base_training_ops", what, "give the stage as fine-tuning or continued pre-training"))
    if faults:
        raise InputError(tuple(faults), run.name)


def _counts_recomputation(run: PublishedRunScenario) -> bool:
    return run.inputs.words.get("work_counts") == "hardware" and "training_ops" in run.inputs.given


def _is_estimate(run: PublishedRunScenario) -> bool:
    """Whether a run's operations are anything but recorded work that somebody states."""
    origin = run.inputs.origins.get("training_ops")
    recorded = run.result("training_operations").route == "recorded"
    return not recorded or (origin is not None and origin.basis not in ("stated", "derived"))


class _Case:
    """One run with the answers that lines are held against; `stages` are the run itself, or its stages."""

    def __init__(self, run: AnyRun, stages: Sequence[PublishedRunScenario]) -> None:
        self.results = run.results(("training_operations", "cumulative_operations", "modification_share"))
        self.answers = {name: self.results.result(name) for name in self.results.plan.outputs}
        first = stages[0].inputs
        self.has_base = any("base_training_ops" in each.inputs.given for each in stages)
        self.is_modification = first.words.get("stage") in BUILT_ON or self.has_base
        if self.is_modification:
            one_stage(run, "a verdict on work that starts from a model")
        of_whole = isinstance(run, StagedRun) and self.answers["training_operations"].route != "stages"
        counted = (run.whole,) if isinstance(run, StagedRun) and of_whole else stages
        self.counts_recomputation = any(map(_counts_recomputation, counted))
        self.is_estimate = any(map(_is_estimate, counted))
        self.base = first.given.get("base_training_ops")
        self.stage = first.words.get("stage", "") if len(stages) == 1 else ""

    def verdict(self, line: Threshold) -> Verdict | None:
        """Hold the run against one line; None where the line does not apply."""
        if line.applies_to == "modification":
            # Whoever knows the original's work has the fraction; the two absolute thirds are for where it is unknown.
            if not self.is_modification or line.of_original != self.has_base:
                return None
            return self._held("modification_share" if line.of_original else "training_operations", line)
        if not self.is_modification:
            return self._held("training_operations", line)
        if self.has_base:
            return self._held("cumulative_operations", line)
        return self._own_alone(line)

    def _own_alone(self, line: Threshold) -> Verdict:
        """Hold the own work of a model of unknown base against a line that counts both: it can only be above."""
        own = self._held("training_operations", line)
        if own.word == BELOW:
            reason = "the work of the model it started from is not stated: give base_training_ops"
            return replace(own, word=UNTOLD, reason=reason)
        caveat = "the run's own work alone; that of the model it started from comes on top"
        return replace(own, caveats=(caveat, *own.caveats))

    def _held(self, name: str, line: Threshold) -> Verdict:
        result, caveats = self.answers[name], []
        where: Quantity = line.facts()["threshold"].value
        if result.problem is not None:
            return Verdict(line, UNTOLD, name, None, None, reason=f"{name} {result.problem.short}")
        ratio: Any = self.results[name] / where
        factor = float(ratio.magnitude)
        word, reason = ABOVE if factor > 1 else BELOW, ""
        if factor == 1:
            caveats.append("exactly at the line, which is not above it")
        if self.is_estimate and 1 / (1 + ESTIMATE_ERROR) <= factor <= 1 / (1 - ESTIMATE_ERROR):
            word, reason = UNTOLD, f"the line is within the {ESTIMATE_ERROR:.0%} that the estimate may be off"
        spread = self.results.spreads.get(name)
        chance = None if spread is None else spread.above(float(convert(where, spread.value.units).magnitude))
        if chance is not None and OUTSIDE < chance < 1 - OUTSIDE:
            word, reason = UNTOLD, f"the line is within the 90 % interval: above it with a probability of {chance:.0%}"
        if self.counts_recomputation:
            excluded = line.recomputation_counts is not None and line.recomputation_counts.value is False
            doubt = "recorded work counts recomputation"
            if excluded and word == ABOVE:
                word, reason = UNTOLD, f"{doubt}, which this text leaves out: the work that counts is less"
            else:
                caveats.append(f"{doubt}, which this text leaves out" if excluded else doubt)
        return Verdict(line, word, name, result.value, factor, self._scope(name), reason, tuple(caveats), chance)

    def _scope(self, name: str) -> str:
        """Describe which work an answer is of: how it is known, and of which training."""
        own = self.answers["training_operations"]
        parts = [f"{name} {self.results.spreads.get(name) or people(self.results[name])}"]
        if name != "training_operations" and self.base is not None:
            way = "and" if name == "cumulative_operations" else "against"
            parts.append(
                f"{people(self.results[own.name])} of its own {way} {people(self.base)} of the model it started from"
            )
        parts.append(f"by {own.route}" if own.route else "given")
        if self.is_estimate:
            parts.append(f"an estimate that may be off by {ESTIMATE_ERROR:.0%}")
        if self.stage == "pre-training":
            parts.append("of pre-training alone: work on the model after it is not in this number")
        return "; ".join(parts)
