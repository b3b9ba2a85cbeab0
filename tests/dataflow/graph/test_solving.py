"""What a fact would have to be: every metric, every fact beneath it, there and back; and what is refused."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from runlineage import CannotComputeError, Driver, InputError, PublishedRunScenario, Scenarios, UnknownNameError
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, FIELDS
from runlineage.catalogs.quantities.units import convert, quantity
from runlineage.dataflow.graph.results import facts_beneath

GPT3 = Scenarios.Gpt3PublishedRun
RUN = PublishedRunScenario(
    name="all facts",
    parameters="175B",
    training_tokens="300B",
    accelerator_hours="3.5M",
    accelerator_count=10_000,
    duration="14.8 days",
    device_power="330 W",
    peak_flops="125 TFLOP/s",
    host_overhead=1.2,
    pue=1.1,
    carbon_intensity="0.4 kg/kWh",
    market_carbon_intensity="0.1 kg/kWh",
    published_emissions="500 t",
    price="$2",
    base_training_ops=1e24,
    layers=96,
    hidden_size=12288,
    sequence_length=2048,
    tokens_per_step="3.2M",
    step_time="13 s",
    recomputation="full",
)
PAIRS = [(metric, fact) for metric in ANSWERS for fact in facts_beneath(RUN.plan(metric), metric) if fact in FACTS]


@pytest.mark.parametrize(("metric", "fact"), PAIRS)
def test_solving_and_computing_back_gives_the_wanted_value(metric: str, fact: str) -> None:
    now = RUN.result(metric).value
    assert now is not None
    wanted = now * 0.99  # goodput and fractions stay below 1
    solved = RUN.solve(fact, **{metric: wanted})
    changes: dict[str, Any] = {fact: solved.value}
    assert RUN.variant(**changes).result(metric).value.m_as(now.units) == pytest.approx(wanted.magnitude, rel=1e-9)


def test_every_metric_and_most_facts_were_solved_for() -> None:
    assert {metric for metric, _ in PAIRS} == set(ANSWERS)
    assert len(PAIRS) > 40


def test_a_planner_goes_from_work_device_and_fraction_to_hours_and_cost() -> None:
    plan = PublishedRunScenario(training_ops="1e25", accelerator="H100 SXM", price="$2.50")
    hours = plan.solve("accelerator_hours", peak_fraction="40%").value
    expected = 1e25 / (0.4 * 989.4e12) / 3600
    assert hours.m_as("accelerator*hour") == pytest.approx(expected, rel=1e-9)
    assert plan.variant(accelerator_hours=hours).training_cost.magnitude == pytest.approx(2.5 * expected, rel=1e-9)


def test_a_node_of_the_users_own_is_solved_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from runlineage import metrics

    mine = ModuleType("mine")
    monkeypatch.setitem(sys.modules, "mine", mine)
    source = "from runlineage import kinds\ndef twice_and_one(duration: kinds.Duration) -> float:\n"
    exec(source + "    return 2 * duration.m_as('day') + 1", vars(mine))  # a sum, which is no product
    solved = Driver(metrics, mine).solve("duration", {}, twice_and_one=11)
    assert solved.value.m_as("day") == pytest.approx(5, rel=1e-9)


@pytest.mark.parametrize(
    ("fact", "wanted", "message"),
    [
        ("parameters", {"achieved_rate": 100}, "parameters: changes nothing: achieved_rate by reference_run rests on "),
        ("duration", {}, "for: names no metric"),
        ("duration", {"achieved_rate": 1, "energy": 1}, "for: names achieved_rate, energy; name one metric"),
        ("duration", {"achieved_rate": "1 GWh"}, "achieved_rate: '1 GWh' is in GWh, which is not a rate"),
        ("duration", {"achieved_rate": [1, 2]}, "is a column; give one value"),
    ],
)
def test_what_cannot_be_solved_is_one_sentence(fact: str, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        GPT3.solve(fact, **wanted)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_fact_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown fact 'durration'; the nearest: duration"):
        GPT3.solve("durration", achieved_rate=100)


def test_further_missing_facts_are_named() -> None:
    with pytest.raises(CannotComputeError, match="energy by power_time needs accelerator_hours, device_power"):
        GPT3.solve("duration", energy="1 GWh")


def test_what_no_value_within_the_band_gives_is_said_with_the_reach() -> None:
    with pytest.raises(InputError, match=r"pue: has no value from 1 to .* with it facility_energy is from"):
        RUN.solve("pue", facility_energy="1 kWh")


def test_columns_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="duration: is a column"):
        GPT3.variant(duration=np.array([1.0, 2.0])).solve("training_ops", achieved_rate=100)


def test_a_withheld_fact_is_not_solved_for() -> None:
    with pytest.raises(InputError, match="parameters: is withheld: the model is sparse"):
        Scenarios["DeepSeek-V3"].solve("parameters", training_operations=1e24)


def test_a_given_metric_gives_way_to_the_wanted_one() -> None:
    run = PublishedRunScenario(energy="5 GWh", accelerator_hours="1M")
    solved = run.solve("device_power", energy="1 GWh")
    assert convert(solved.value, FIELDS["device_power"].units) == quantity(
        pytest.approx(1000.0, rel=1e-9), "W/accelerator"
    )
