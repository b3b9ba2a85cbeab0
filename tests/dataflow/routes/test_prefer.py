"""Routes that the user chose: taken where they are open, refused with what they lack where they are not."""

from __future__ import annotations

import pickle
from typing import Any

import polars as pl
import pytest

from runlineage import Driver, InputError, PublishedRunScenario, Scenarios, evaluate, read_lineage
from runlineage.dataflow.exchange.lineage_json import lineage_json

GPT3 = Scenarios.Gpt3PublishedRun


def test_the_chosen_route_is_taken_and_the_others_stand_beside_it() -> None:
    assert GPT3.plan("training_operations").route("training_operations") == "recorded"
    chosen = GPT3.variant(prefer={"training_operations": "parameter_token"})
    plan = chosen.plan("training_operations")
    assert plan.route("training_operations") == "parameter_token"
    assert "recorded" in plan.alternatives("training_operations")
    assert chosen.training_operations.m_as("flop") == pytest.approx(6 * 174.6e9 * 300e9)


def test_a_choice_beneath_what_is_asked_serves_too() -> None:
    facts: dict[str, Any] = {
        "training_ops": "5e22 flop",
        "parameters": "7B",
        "training_tokens": "1T",
        "accelerator_hours": 1e5,
    }
    run = PublishedRunScenario(**facts, prefer={"training_operations": "parameter_token"})
    assert run.achieved_rate.m_as("TFLOP/s/accelerator") == pytest.approx(4.2e22 / 1e5 / 3600 / 1e12)


def test_a_chosen_route_that_is_not_open_is_refused_with_what_it_lacks() -> None:
    with pytest.raises(InputError, match="achieved_rate by accelerator_time is not open: needs accelerator_hours"):
        GPT3.variant(prefer={"achieved_rate": "accelerator_time"}).results("achieved_rate")
    with pytest.raises(InputError, match='not assumed \\("count_duration"\\)'):
        GPT3.variant(prefer={"accelerator_hours": "count_duration"}).results("energy")


def test_a_choice_for_what_is_given_is_refused() -> None:
    run = PublishedRunScenario(
        energy="1 GWh", accelerator_hours=1e6, device_power="400 W", prefer={"energy": "power_time"}
    )
    with pytest.raises(InputError, match="energy is given, so that power_time does not serve; withdraw energy"):
        run.results("energy")
    assert run.variant(energy=None).energy.m_as("GWh") == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("prefer", "said"),
    [
        ({"achieved_rate": "reference_ru"}, "achieved_rate has no route 'reference_ru'; did you mean reference_run?"),
        ({"speed": "fast"}, "'speed' has no routes to choose from"),
        ({"peak_fraction": "x"}, "'peak_fraction' has no routes to choose from"),
        ({"energy": 3}, "holds 'energy': 3; expected a mapping"),
        ({3: "power_time"}, "holds 3: 'power_time'; expected a mapping"),
    ],
)
def test_a_choice_that_cannot_be_read_is_refused(prefer: dict[Any, Any], said: str) -> None:
    with pytest.raises(InputError) as problem:
        Driver(prefer=prefer)
    assert said in str(problem.value)
    with pytest.raises(InputError):
        GPT3.variant(prefer=prefer).results()
    with pytest.raises(InputError):
        evaluate(pl.DataFrame({"parameters": [1e9]}), prefer=prefer)


@pytest.mark.parametrize("prefer", ["energy=power_time", ["energy"], 3])
def test_what_is_no_mapping_is_refused(prefer: Any) -> None:
    with pytest.raises(InputError, match="mapping of quantities to routes"):
        GPT3.variant(prefer=prefer)


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(InputError) as problem:
        Driver(prefer={"achieved_rate": "x", "energy": "y"})
    assert len(problem.value.faults) == 2


def test_a_choice_that_nothing_rests_on_is_said() -> None:
    results = GPT3.variant(prefer={"energy": "power_time"}).results("training_operations")
    assert 'route "energy=power_time" was not needed' in results.warnings


def test_a_row_has_no_other_route_in_the_place_of_the_chosen_one() -> None:
    table = pl.DataFrame({"training_ops": [5e22, None], "parameters": [7e9, 7e9], "training_tokens": [1e12, 1e12]})
    column = "training_operations (flop)"
    assert evaluate(table, "training_operations")[column].to_list() == [5e22, 4.2e22]
    by_size = evaluate(table, "training_operations", prefer={"training_operations": "parameter_token"})
    assert by_size[column].to_list() == [4.2e22, 4.2e22]
    recorded = evaluate(table, "training_operations", prefer={"training_operations": "recorded"})
    assert recorded[column].to_list() == [5e22, None]
    assert recorded["problems"][1].startswith("training_operations needs recorded work (training_ops)")


def test_the_choice_goes_with_the_run_and_its_lineage(tmp_path: Any) -> None:
    run = GPT3.variant(prefer={"achieved_rate": "reported"})
    assert run.plan("achieved_rate").route("achieved_rate") == "reported"
    assert pickle.loads(pickle.dumps(run)).plan("achieved_rate").route("achieved_rate") == "reported"
    driver = Driver(prefer={"achieved_rate": "reported"})
    assert pickle.loads(pickle.dumps(driver)).book.prefer == {"achieved_rate": "reported"}
    file = tmp_path / "run.json"
    file.write_text(lineage_json(run.lineage("achieved_rate")))
    back = read_lineage(file)
    assert back.plan("achieved_rate").route("achieved_rate") == "reported"
    assert back.variant(prefer={}).plan("achieved_rate").route("achieved_rate") == "reference_run"
