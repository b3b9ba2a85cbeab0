"""The driver: what it computes, what it refuses, and what it leaves to Hamilton."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from hamilton import driver as hamilton_driver

from runlineage import CannotComputeError, Driver, InputError, RunlineageWarning, graph_inputs, metrics, routes

BLOOM = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": 1_082_990, "device_power": 400}
METRICS = ["training_operations", "achieved_rate", "energy"]


def test_execute_gives_a_dict_in_published_units() -> None:
    answer = Driver().execute(METRICS, BLOOM)
    assert list(answer) == METRICS
    assert [str(answer[name].units) for name in METRICS] == ["flop", "teraflop/accelerator/second", "gigawatt_hour"]


def test_columns_are_answered_like_scalars() -> None:
    one = Driver().execute(METRICS, BLOOM)
    two = Driver().execute(METRICS, BLOOM | {"accelerator_hours": np.array([1_082_990, 2_165_980])})
    assert two["achieved_rate"].magnitude.tolist() == pytest.approx(
        [one["achieved_rate"].magnitude, one["achieved_rate"].magnitude / 2], rel=1e-15
    )


def test_an_output_that_is_an_input_comes_back() -> None:
    assert Driver().execute("device_power", {"device_power": "0.4 kW"})["device_power"].magnitude == pytest.approx(400)


def test_a_supplied_metric_is_used_and_checked() -> None:
    answer = Driver().execute("peak_fraction", {"achieved_rate": "150 TFLOP/s", "peak_flops": 312})
    assert answer["peak_fraction"].magnitude == pytest.approx(150 / 312)
    with pytest.raises(InputError, match="achieved_rate: '150 GWh' is in GWh, which is not a rate of operations"):
        Driver().execute("peak_fraction", {"achieved_rate": "150 GWh", "peak_flops": 312})


def test_what_cannot_be_computed_is_all_said_in_one_error() -> None:
    with pytest.raises(CannotComputeError) as caught:
        Driver().execute(["energy", "achieved_rate"], {"training_ops": 1e23})
    assert caught.value.metric == "energy"
    assert "cannot compute energy of my run" in str(caught.value)
    assert "cannot compute achieved_rate of my run" in str(caught.value)


def test_answer_keeps_the_reason_instead_of_raising() -> None:
    answer = Driver().answer(["energy", "training_operations"], {"training_ops": 1e23})
    assert set(answer) == {"training_operations"}
    assert answer.problems["energy"].needs == "needs accelerator_hours, device_power"


def test_a_fraction_above_one_is_answered_with_a_loud_warning() -> None:
    facts = {"training_ops": 3e24, "accelerator_hours": 1e6, "peak_flops": 125}
    said = (
        "peak_fraction is 6.66667, and no device works above its dense peak: "
        "doubt training_ops, accelerator_hours, peak_flops"
    )
    with pytest.warns(RunlineageWarning, match=said):
        answer = Driver().execute("peak_fraction", facts)
    assert answer.warnings == (said,)


def test_an_unneeded_assumption_is_said() -> None:
    assert Driver(assume={"tdp"}).answer("energy", {"accelerator_hours": 1, "device_power": 1}).warnings == (
        'assumption "tdp" was not needed',
    )


def test_only_what_is_asked_is_computed() -> None:
    calls: list[str] = []

    from hamilton.lifecycle import NodeExecutionHook

    class Recorder(NodeExecutionHook):
        def run_before_node_execution(self, *, node_name: str, **_: Any) -> None:
            calls.append(node_name)

        def run_after_node_execution(self, **_: Any) -> None:
            pass

    built = Driver().hamilton(["energy"], BLOOM, Recorder())
    built.execute(["energy"], inputs=graph_inputs(BLOOM))
    assert calls == ["energy"]


def test_the_users_own_builder_gives_the_same_numbers() -> None:
    config = routes(metrics, BLOOM.keys(), METRICS)
    built = hamilton_driver.Builder().with_modules(metrics).with_config(config).build()
    theirs = built.execute(METRICS, inputs=graph_inputs(BLOOM))
    ours = Driver().execute(METRICS, BLOOM)
    assert [theirs[name].to(ours[name].units).magnitude for name in METRICS] == pytest.approx(
        [ours[name].magnitude for name in METRICS], rel=1e-15
    )


def test_hamiltons_view_shows_only_the_route_taken() -> None:
    built = Driver().hamilton(["achieved_rate"], {"training_ops": 1, "accelerator_count": 1, "duration": 1})
    upstream = {each.name for each in built.what_is_upstream_of("achieved_rate")}
    assert upstream == {"achieved_rate", "training_ops", "accelerator_count", "duration"}


def test_the_help_banner_of_hamilton_stays_out_of_our_calls(capfd: pytest.CaptureFixture[str]) -> None:
    from hamilton.ad_hoc_utils import create_temporary_module

    def failing_node(energy: metrics.Energy) -> float:
        raise ZeroDivisionError("theirs")

    theirs = create_temporary_module(failing_node)
    with pytest.raises(ZeroDivisionError, match="theirs"):
        Driver(metrics, theirs).execute("failing_node", BLOOM)
    captured = capfd.readouterr()
    assert "slack" not in (captured.err + captured.out).lower()


def test_the_banner_of_a_users_own_driver_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    built = Driver().hamilton(["energy"], BLOOM)
    with pytest.raises(ValueError, match="Type requirement mismatch"):
        built.execute(["energy"], inputs={"accelerator_hours": 1, "device_power": 1})
    assert "slack" in caplog.text.lower()


def energy_of(driver: Driver) -> float:
    return float(driver.execute("energy", BLOOM)["energy"].magnitude)


def test_drivers_work_in_other_threads_and_processes() -> None:
    driver = Driver(assume={"tdp"})
    again = pickle.loads(pickle.dumps(driver))
    assert again.assume == driver.assume
    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(energy_of, [Driver()] * 16))) == 1
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        assert list(processes.map(energy_of, [Driver()])) == [energy_of(Driver())]


def test_results_pickle_with_their_plan_and_warnings() -> None:
    answer = pickle.loads(pickle.dumps(Driver().answer(METRICS, BLOOM)))
    assert answer.result("energy").as_json() == Driver().answer(METRICS, BLOOM).result("energy").as_json()


def test_none_is_an_input_that_is_not_given() -> None:
    assert Driver().plan("energy", {"accelerator_hours": 1, "device_power": None}).missing == ("energy",)


@pytest.mark.parametrize("inputs", [{"device_power": True}, {"device_power": "700 V"}])
def test_bad_inputs_are_refused_before_anything_runs(inputs: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="device_power"):
        Driver().execute("energy", {"accelerator_hours": 1} | inputs)
