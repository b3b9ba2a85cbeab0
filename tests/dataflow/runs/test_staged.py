"""A run of several stages: what adds up, what is stated of the whole, what is refused, and what a variant keeps."""

from __future__ import annotations

import pickle
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from runlineage import (
    CannotComputeError,
    InputError,
    PublishedRunScenario,
    RunlineageWarning,
    StagedRun,
    UnknownNameError,
    card,
    verdicts,
)
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS
from runlineage.dataflow.runs.staged import USUAL, one_stage

STAGES = {
    "pre-training": {"accelerator_hours": "2664K", "training_tokens": "14.8T"},
    "context extension": {"accelerator_hours": "119K"},
    "post-training": {"accelerator_hours": "5K"},
}
SHARED: dict[str, Any] = {"active_parameters": "37B", "accelerator": "H800 SXM", "precision": "fp8"}
RUN = StagedRun(STAGES, name="DeepSeek-V3", **SHARED)


def test_the_hours_of_deepseek_v3_add_up_to_what_is_printed() -> None:
    run = StagedRun(STAGES, name="DeepSeek-V3", accelerator_hours="2788K", **SHARED)
    result = run.result("accelerator_hours")
    assert result.value is not None
    assert result.value.magnitude == 2_788_000
    assert result.route == "stages"
    assert str(result.printed) == "printed 2,788,000 accelerator·hour (agrees)"


def test_amounts_add_up_over_routes_of_each_stage() -> None:
    stages = {
        "a": {"energy": "2 GWh", "pue": 1.2},
        "b": {"accelerator_hours": "1M", "device_power": "390 W"},
        "c": {"accelerator_count": 1000, "duration": "100 days"},
    }
    run = StagedRun(
        stages, accelerator="A100 SXM4 80GB", pue=1.1, carbon_intensity="400 g/kWh", price="$2",
        assume={"tdp", "count_duration"},
    )  # fmt: skip
    # a: 2; b: 1e6 h × 390 W = 0.39; c: 1,000 × 2,400 h × 400 W = 0.96
    assert run.energy.m_as("GWh") == pytest.approx(3.35)
    facility = 2 * 1.2 + (0.39 + 0.96) * 1.1
    assert run.facility_energy.m_as("GWh*facility") == pytest.approx(facility)
    assert run.location_emissions.m_as("tCO2e") == pytest.approx(facility * 400)
    assert run.result("energy").assumes == ("count_duration", "tdp")
    with pytest.raises(CannotComputeError, match=r"training_cost of my run, which is the sum of its stages:\n  a:\n"):
        _ = run.training_cost  # a states no hours
    assert run.variant(price=None).result("training_cost").problem is not None


@pytest.mark.parametrize("name", [name for name in ANSWERS if not FIELDS[name].adds_up])
def test_what_does_not_add_up_is_refused_with_the_stages(name: str) -> None:
    result = RUN.result(name)
    assert result.value is None
    assert result.problem is not None
    assert result.problem.short == "does not add up over stages: ask one, as RUN#pre-training"
    with pytest.raises(CannotComputeError, match="RUN#pre-training or RUN#context extension or RUN#post-training"):
        getattr(RUN, name)


def test_a_stage_is_a_run_of_its_own_by_any_spelling() -> None:
    stage = RUN.stage("Pretraining")
    assert isinstance(stage, PublishedRunScenario)
    assert stage.name == "pre-training of DeepSeek-V3"
    assert stage.training_operations.magnitude == pytest.approx(6 * 37e9 * 14.8e12)
    assert stage.achieved_rate.magnitude == pytest.approx(6 * 37e9 * 14.8e12 / (2.664e6 * 3600) / 1e12)


def test_an_unknown_or_ambiguous_stage_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="unknown stage 'posttrain'; the nearest: post-training; the stages of"):
        RUN.stage("posttrain")
    with pytest.raises(UnknownNameError, match="matches several; use one of: stage 1 long, stage 1 short"):
        StagedRun({"stage 1 long": {}, "stage 1 short": {}}).stage("1")
    with pytest.raises(UnknownNameError, match="unknown stage '3'"):
        RUN.stage(3)  # type: ignore[arg-type]


def test_what_is_missing_is_grouped_by_stage() -> None:
    with pytest.raises(CannotComputeError) as caught:
        _ = RUN.training_operations
    assert str(caught.value).startswith(
        "cannot compute training_operations of DeepSeek-V3, which is the sum of its stages:\n"
        "  context extension and post-training:\n"
        "    training_operations by recorded needs recorded work (training_ops)\n"
    )
    assert "pre-training" not in str(caught.value)
    assert str(caught.value).endswith("\n  or give training_operations of the whole")
    assert caught.value.short == (
        "needs recorded work (training_ops) or training_tokens in context extension and post-training"
    )


def test_stages_that_lack_unlike_things_stand_apart() -> None:
    run = StagedRun({"a": {"accelerator_hours": 1}, "b": {"device_power": "400 W"}, "c": {"energy": "1 GWh"}})
    problem = run.result("energy").problem
    assert problem is not None
    assert problem.short == "needs device_power in a; needs accelerator_hours in b"


def test_the_figure_of_the_whole_serves_where_a_stage_has_none() -> None:
    result = RUN.variant(training_ops=3.4e24).result("training_operations")
    assert (result.value.magnitude, result.route, result.note) == (3.4e24, "recorded", "of the whole")  # type: ignore[union-attr]


def test_amounts_of_the_whole_compute_only_while_its_stages_are_alike() -> None:
    hours: dict[str, Any] = {"accelerator_hours": "1M", "device_power": "700 W"}
    alike = StagedRun({"a": {"training_tokens": "1T"}, "b": {"stage": "fine-tuning"}}, **hours)
    assert alike.energy.m_as("GWh") == pytest.approx(0.7)
    unlike = StagedRun({"a": {"host_overhead": 1.3}, "b": {}}, **hours)
    assert unlike.result("it_energy").value is None  # 0.7 GWh would leave out the servers of one stage
    assert unlike.result("energy").value is None
    assert unlike.variant(reported_energy="0.72 GWh").energy.m_as("GWh") == pytest.approx(0.72)


def test_a_sum_that_is_not_the_figure_of_the_whole_is_warned_of() -> None:
    run = StagedRun(STAGES, accelerator_hours="3.1M", reported_energy="1.95 GWh", device_power="700 W")
    with pytest.warns(RunlineageWarning, match=(
        r"accelerator_hours of the stages is 2,788,000 accelerator·hour, 10% less than the 3,100,000 accelerator·hour "
        r"that is stated of the whole \(accelerator_hours\)"
    )):  # fmt: skip
        run._compute("accelerator_hours")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run.energy.m_as("GWh") == pytest.approx(1.9516)  # 1.95 by rounding


def test_rounding_is_that_of_each_term() -> None:
    hours = {"a": {"accelerator_hours": "1.00M"}, "b": {"accelerator_hours": "10K"}}
    ((_, total, printed),) = StagedRun(hours, accelerator_hours="1.02M").against_whole()
    assert total.magnitude == 1_010_000
    # Half units: 5,000 of 1.00M and 50 of 10.0K in the sum; 5,000 of 1.02M beside it.
    assert printed.rounding == pytest.approx(5_000 / 1_020_000 + 5_050 / 1_010_000 * (1 + printed.difference))  # type: ignore[operator]
    assert printed.agrees


def test_each_sum_stands_beside_every_figure_of_the_whole() -> None:
    run = StagedRun(
        {"a": {"energy": "1 GWh", "training_ops": 1e24}, "b": {"energy": "2 GWh", "training_ops": 2e24}},
        energy="3 GWh", reported_energy="3.3 GWh", training_ops=3e24, published_emissions="10 t",
    )  # fmt: skip
    pairs = [(name, printed.fact, printed.agrees) for name, _, printed in run.against_whole()]
    assert pairs == [
        ("training_ops", "training_ops", True),
        ("training_operations", "training_ops", True),
        ("energy", "energy", True),
        ("energy", "reported_energy", False),
    ]


def test_doubts_of_shared_facts_are_told_once_and_those_of_a_stage_with_its_name() -> None:
    run = StagedRun(
        {"a": {"accelerator_hours": 1000},
         "b": {"accelerator_hours": 10, "accelerator_count": 10, "duration": "9 days"}},
        device_power="400 W", pue=3.5, assume={"tdp"},
    )  # fmt: skip
    told = run.results("facility_energy").warnings
    assert sum("pue" in text for text in told) == 1
    assert any(text.startswith("b: accelerator_hours, 10 ") for text in told)
    assert told.count('assumption "tdp" was not needed') == 1
    one = run.variant(device_power=None, accelerator="H100 SXM").results("energy").warnings
    assert not any("not needed" in text for text in one)


def test_an_assumption_that_one_stage_needs_is_not_called_unneeded() -> None:
    stages = {"a": {"accelerator_hours": 1}, "b": {"accelerator_hours": 1, "device_power": "600 W"}}
    assert StagedRun(stages, accelerator="H100 SXM", assume={"tdp"}).results("energy").warnings == ()


def test_a_chosen_route_is_taken_in_every_stage_or_refused_with_the_stage() -> None:
    stages = {"a": {"training_ops": 1e24, "training_tokens": "1T"}, "b": {"training_tokens": "2T"}}
    run = StagedRun(stages, parameters="100B", prefer={"training_operations": "parameter_token"})
    assert run.training_operations.magnitude == pytest.approx(6 * 1e11 * 3e12)
    with pytest.raises(InputError, match="stage 'b': route: training_operations by recorded is not open"):
        run.variant(prefer={"training_operations": "recorded"}).results("training_operations")


def test_an_unknown_metric_and_one_of_a_users_own_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'enrgy'"):
        RUN.results("enrgy")
    own = ModuleType("own")
    monkeypatch.setitem(sys.modules, "own", own)
    exec("from runlineage import kinds\ndef heat(energy: kinds.Energy) -> kinds.Energy:\n    return energy", vars(own))
    run = StagedRun(STAGES, device_power="700 W", modules=[own])
    assert run.result("heat").problem is not None
    assert run.stage("post-training").result("heat").value is not None


def test_what_is_of_one_stage_only_is_refused_alike_everywhere(refusal: Callable[..., str]) -> None:
    tail = "is of one; name one: RUN#pre-training, in Python run.stage('pre-training')"
    head = "DeepSeek-V3: stages: are pre-training, context extension, post-training, and "
    assert refusal(RUN.solve, "duration", peak_fraction=0.4) == f"{head}solving for a fact {tail}"
    assert refusal(RUN.plan, "energy") == f"{head}a plan of routes {tail}"
    assert refusal(card, RUN) == f"{head}a card {tail}"
    assert one_stage(RUN.stage("post-training"), "a card") is RUN.stage("post-training")


def test_verdicts_compare_the_sum_of_the_stages() -> None:
    stages = {"pre-training": {"training_ops": 8e24}, "post-training": {"training_ops": 4e24, "stage": "fine-tuning"}}
    (verdict,) = verdicts(StagedRun(stages), ["EU 1e25"])
    assert (verdict.word, verdict.factor) == ("above", pytest.approx(1.2))
    assert verdict.scope == "training_operations 1.2×10²⁵ flop; by stages"
    (modeled,) = verdicts(StagedRun(stages | {"more": {"training_tokens": "1B"}}, parameters="1B"), ["EU 1e25"])
    assert modeled.word == "cannot tell"  # an estimate among them, within 30 % of the line
    (whole,) = verdicts(RUN.variant(training_ops=3e25), ["EU 1e25"])
    assert (whole.word, "an estimate" in whole.scope) == ("above", False)


def test_verdicts_on_stages_that_start_from_another_model_are_refused(refusal: Callable[..., str]) -> None:
    for first in ({"base_training_ops": 1e25}, {"stage": "fine-tuning"}):
        run = StagedRun({"a": {"training_ops": 1e23, **first}, "b": {"training_ops": 1e23}})
        assert "a verdict on work that starts from a model is of one" in refusal(verdicts, run)


def test_a_variant_changes_what_the_stages_share_and_keeps_what_is_theirs() -> None:
    run = StagedRun({"a": {"accelerator_hours": 1e6, "device_power": "500 W"}, "b": {"accelerator_hours": 1e6}},
                    name="mine", accelerator="H100 SXM", device_power="700 W")  # fmt: skip
    changed = run.variant(device_power="300 W")
    assert changed.energy.m_as("GWh") == pytest.approx(0.8)
    assert changed.name == "mine with device_power 300 W"
    assert changed.stage("b").name == "b of mine with device_power 300 W"
    assert changed.variant(pue=1.1).name == "mine with device_power 300 W, pue 1.1"
    assert run.variant(device_power=None).result("energy").value is None
    assert run.variant(name="other", pue=1.1).name == "other"
    other = run.variant(accelerator="B200", assume={"tdp"})  # both powers were of the other device
    assert "device_power" not in other.stage("a").facts
    assert other.energy.m_as("GWh") == pytest.approx(2.0)


def test_a_variant_leaves_behind_what_was_recorded_of_another_model() -> None:
    run = StagedRun({"a": {"training_ops": 1e24, "training_tokens": "1T", "reported_rate": "300 TFLOP/s"}},
                    parameters="70B", training_ops=1e24)  # fmt: skip
    changed = run.variant(parameters="140B")
    assert changed.training_operations.magnitude == pytest.approx(6 * 140e9 * 1e12)
    assert "training_ops" not in changed.facts
    assert "reported_rate" not in changed.stage("a").facts
    kept = StagedRun({"a": {"training_ops": 1e24, "parameters": "70B"}}, parameters="1B").variant(parameters="2B")
    assert kept.training_operations.magnitude == 1e24


def test_a_variant_may_have_another_model_or_none_of_a_fact_of_it() -> None:
    run = StagedRun({"a": {"training_tokens": "1T"}}, workload="BLOOM 176B")
    assert run.training_operations.magnitude == pytest.approx(6 * 176.247e9 * 1e12, rel=1e-5)
    assert run.variant(parameters=None).result("training_operations").value is None
    other = run.variant(workload="GPT-3 175B")
    assert other.stage("a").inputs.given["parameters"].magnitude == pytest.approx(175e9, rel=0.01)
    assert run.variant(workload=None).result("training_operations").value is None


def test_a_run_does_not_change_pickles_and_shows_itself() -> None:
    with pytest.raises(AttributeError, match=r"a run does not change; .variant\(pue=…\)"):
        RUN.pue = 1  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps(RUN))
    assert again.results() == RUN.results()
    assert pickle.loads(pickle.dumps(RUN.results())).result("accelerator_hours").route == "stages"
    assert repr(RUN) == "<StagedRun 'DeepSeek-V3': pre-training, context extension, post-training>"
    assert "2,788,000 accelerator·hour" in RUN._repr_html_()
    assert RUN.results().plan.outputs == USUAL
    with pytest.raises(UnknownNameError, match="asked for"):
        RUN.results().result("energy_of_all")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("accelerator_hours", r"; .result\('accelerator_hours'\) adds it up over the stages"),
        ("device_power", r"; it is asked of one stage, whose facts stand in .stage\(name\).facts"),
        ("enrgy", r"; did you mean energy\?"),
        ("_inner", "$"),
    ],
)
def test_an_attribute_that_is_not_there_is_explained(name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=f"a run of stages has no '{name}'{hint}"):
        getattr(RUN, name)


def test_a_zero_adds_up() -> None:
    run = StagedRun({"a": {"energy": "1 GWh"}, "b": {"energy": "2 GWh"}}, pue=1.1, market_carbon_intensity="0 kg/kWh")
    assert run.market_emissions.magnitude == 0
