"""The least change: one planted fault is found, or said to look like others."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from runlineage import InputError, PublishedRunScenario
from runlineage.dataflow.checks.check import Check
from runlineage.dataflow.checks.checker import Checker

CHECKER = Checker()
# Facts that appear only together in the comparisons of such a run, so that no figure tells which of them is wrong.
ALIKE = (
    {"parameters", "training_tokens"},
    {"accelerator_count", "duration"},
    {"peak_fraction", "peak_flops"},
    {"carbon_intensity", "published_emissions"},
)


def digits(number: float) -> float:
    return float(f"{number:.4g}")


def consistent(seed: int) -> dict[str, float]:
    """Facts of a run that hold together to four digits, each stated once."""
    chance = random.Random(seed)

    def between(least: float, most: float) -> float:
        return digits(math.exp(chance.uniform(math.log(least), math.log(most))))

    facts = {"accelerator_count": float(round(between(100, 10_000))), "duration": between(5, 90)}
    facts["peak_flops"], facts["peak_fraction"] = between(100, 2_000), digits(chance.uniform(0.2, 0.45))
    facts["reported_rate"] = digits(facts["peak_flops"] * facts["peak_fraction"])
    seconds = facts["duration"] * 86_400 * facts["accelerator_count"]
    facts["training_ops"] = digits(facts["reported_rate"] * 1e12 * seconds)
    facts["parameters"] = between(1e9, 1e11)
    facts["training_tokens"] = digits(facts["training_ops"] / 6 / facts["parameters"])
    facts["accelerator_hours"] = digits(facts["accelerator_count"] * facts["duration"] * 24)
    facts["device_power"] = digits(chance.uniform(200, 700))
    facts["reported_energy"] = digits(facts["accelerator_hours"] * facts["device_power"] / 1e9)
    facts["pue"] = 1.1
    facts["reported_facility_energy"] = digits(facts["reported_energy"] * 1.1)
    facts["carbon_intensity"] = digits(chance.uniform(0.05, 0.6))
    facts["published_emissions"] = digits(facts["reported_facility_energy"] * 1e3 * facts["carbon_intensity"])
    return facts


def check(facts: dict[str, float]) -> Check:
    run = PublishedRunScenario(**facts)
    return CHECKER.check(run.name, run.inputs)


@pytest.mark.filterwarnings("ignore")
def test_a_factor_of_two_in_one_fact_is_found_or_cannot_be_told_apart() -> None:
    found: Counter[str] = Counter()
    for seed in range(4):
        facts = consistent(seed)
        assert check(facts).contradictions == ()
        for name in facts:
            alike = next((group for group in ALIKE if name in group), {name})
            for factor in (2.0, 0.5):
                try:
                    fit = check({**facts, name: digits(facts[name] * factor)}).fit
                except InputError:  # out of the field's band, and said at the door
                    continue
                assert fit is not None
                named = {fit.fact, *fit.alike} if fit.is_single else set()
                found["told apart" if len(alike) == 1 else "alike"] += 1
                found["found"] += len(alike) == 1 and named == {name}
                found["said alike"] += len(alike) > 1 and named >= {name}
    assert found["found"] / found["told apart"] >= 0.9
    assert found["said alike"] / found["alike"] >= 0.9


def test_two_faults_that_no_single_fact_explains_move_several() -> None:
    facts = consistent(1)
    fit = check(
        {**facts, "training_ops": facts["training_ops"] * 2, "reported_energy": facts["reported_energy"] * 3}
    ).fit
    assert fit is not None
    assert not fit.is_single
    assert "no single fact reconciles all" in str(fit)


def test_a_run_that_holds_together_needs_no_change() -> None:
    assert check(consistent(2)).fit is None
