"""Which facts of a run are of the whole, which all stages share, and which are of one stage; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from runlineage import StagedRun
from runlineage.catalogs.quantities.fields import FIELDS, WORDS
from runlineage.dataflow.runs.stage_facts import AMOUNTS, OF_ONE_STAGE, inherited

SHARED = {
    *("parameters", "active_parameters", "parameters_per_token", "layers", "hidden_size", "attention_width"),
    *("attention_work", "recomputation_factor", "accelerator", "accelerator_count", "accelerator_tdp", "peak_flops"),
    *("device_power", "system_power", "facility_power", "host_overhead", "pue", "price", "precision", "sparse"),
    *("carbon_intensity", "market_carbon_intensity", "region", "year", "architecture", "work_counts", "power_basis"),
    *("attention", "recomputation"),
}
TWO = {"a": {"accelerator_hours": 1000}, "b": {"accelerator_hours": 500}}


def test_every_field_is_an_amount_or_of_one_stage_or_shared() -> None:
    known = {*FIELDS, *WORDS, "periods"}
    assert known == AMOUNTS | OF_ONE_STAGE | SHARED
    assert len(known) == len(AMOUNTS) + len(OF_ONE_STAGE) + len(SHARED)


@pytest.mark.parametrize("field", sorted(OF_ONE_STAGE))
def test_what_is_of_one_stage_is_refused_of_the_run(refusal: Callable[..., str], field: str) -> None:
    message = refusal(StagedRun, TWO, name="mine", **{field: 1})
    assert message == (
        f"mine: {field}: does not add up over stages, and is of one of them; give it in the stage that it is of"
    )


def test_an_amount_of_the_whole_is_no_stages() -> None:
    run = StagedRun({"a": {}, "b": {}}, accelerator_hours="3M", training_tokens="1T", device_power="700 W")
    assert set(run.stage("a").facts) == {"device_power"}
    assert set(run.facts) == {"accelerator_hours", "training_tokens", "device_power"}


def test_a_stage_has_its_own_facts_before_those_of_the_run_and_none_withdraws_one() -> None:
    run = StagedRun({"a": {"device_power": "500 W"}, "b": {"pue": None}}, device_power="700 W", pue=1.2)
    assert f"{run.stage('a').inputs.given['device_power']:~P}" == "500 W/accelerator"
    assert "device_power" in run.stage("b").inputs.given
    assert "pue" in run.stage("a").inputs.given
    assert "pue" not in run.stage("b").inputs.given


def test_an_accelerator_of_its_own_leaves_the_power_of_the_other_behind() -> None:
    shared = {"accelerator": "H100 SXM", "device_power": "700 W", "power_basis": "tdp", "pue": 1.1}
    run = StagedRun({"a": {}, "b": {"accelerator": "B200"}}, **shared)
    assert set(run.stage("b").facts) == {"accelerator", "pue"}
    assert set(run.stage("a").facts) == set(shared)


def test_tokens_of_a_stage_leave_what_all_stages_share() -> None:
    shared = {"training_tokens": "2T", "training_ops": 1e24, "work_counts": "model", "parameters": "7B"}
    assert set(inherited(shared, {"training_tokens": "1T"})) == {"work_counts", "parameters"}


def test_a_model_brings_its_shape_and_neither_its_tokens_nor_its_sequence() -> None:
    run = StagedRun({"a": {}, "b": {"workload": "BLOOM 176B"}}, workload="PaLM 540B")
    assert {"parameters", "layers", "hidden_size"} <= set(run.stage("a").facts)
    assert not {"training_tokens", "sequence_length"} & {*run.stage("a").facts, *run.facts}
    own = run.stage("b")
    assert own.workload is not None
    assert set(own.facts) == set(own.workload.facts())  # nothing of the other model is left
    assert own.facts["parameters"] == own.workload.facts()["parameters"]


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ({}, "stages: are none; name at least one, with its facts"),
        (3, "stages: are 3; expected a mapping of names to facts, a mapping each"),
        ([{"name": "a"}], "stages: are [{'name': 'a'}]; expected a mapping of names to facts, a mapping each"),
        ({"a": 3}, "stage 'a': is 3; expected its facts by their fields"),
        ({"": {}}, "stages: hold one called ''; name it in one line of text without #"),
        ({1: {}}, "stages: hold one called 1; name it in one line of text without #"),
        ({"a#b": {}}, "stages: hold one called 'a#b'; name it in one line of text without #"),
        ({"a\nb": {}}, "stages: hold one called 'a\\nb'; name it in one line of text without #"),
        ({"The whole": {}}, "stage 'The whole': is the name of all stages together; give the stage another name"),
        ({"pre-training": {}, "Pretraining": {}}, "stage 'Pretraining': is called as 'pre-training' is; give each"),
        ({"a": {"stage": [{}]}}, "stage 'a': stage: holds stages; a stage has none of its own: list them side by side"),
        ({"a": {"stages": {"b": {}}}}, "stage 'a': stages: holds stages; a stage has none of its own"),
        ({"a": {"assume": {"tdp"}}}, "stage 'a': assume: is no fact of a stage; it is asked of the whole run"),
        ({"a": {"prefer": {}}}, "stage 'a': prefer: is no fact of a stage; it is asked of the whole run"),
        ({"a": {"name": "b"}}, "stage 'a': name: is not a field; the stage has its name already"),
        ({"a": {3: 4}}, "stage 'a': 3: is not a field; expected the name of one"),
        ({"a": {"duratoin": 3}}, "stage 'a': duratoin: is not a field; did you mean duration?"),
        ({"a": {"workload": "nix"}}, "stage 'a': workload: unknown workload 'nix'"),
        ({"a": {"workload": 3}}, "stage 'a': workload: is 3; expected a Workload or the name of one"),
        ({"a": {"duration": [1, 2]}}, "stage 'a': duration: is a column; a run of stages is one: give one value"),
    ],
)
def test_what_can_be_no_stage_is_refused_with_its_place(refusal: Callable[..., str], stages: Any, message: str) -> None:
    assert message in refusal(StagedRun, stages)


def test_a_column_of_the_run_is_refused(refusal: Callable[..., str]) -> None:
    assert "device_power: is a column; a run of stages is one" in refusal(StagedRun, TWO, device_power=[300, 400])


def test_all_faults_are_told_at_once_and_those_of_shared_facts_once(refusal: Callable[..., str]) -> None:
    stages = {"a": {"duration": "-3 days"}, "b": {"assume": "tdp"}, "c": {}}
    message = refusal(StagedRun, stages, workload="nix", mfu=0.4, pue=0.5)
    assert message.startswith("5 faults")
    for part in ("stage 'a': duration: ", "stage 'b': assume: ", "workload: ", "mfu: ", "pue: "):
        assert message.count(f"  {part}") == 1
