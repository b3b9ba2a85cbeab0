"""Each route against a published number, through the graph as a user asks it."""

from __future__ import annotations

import pytest

from runlineage import Driver, PublishedRunScenario, Scenarios, Workload
from runlineage.catalogs.quantities.units import quantity


def published(case: PublishedRunScenario, metric: str) -> float:
    return float(case.results([metric])[metric].magnitude)


@pytest.fixture(scope="module")
def palm() -> PublishedRunScenario:
    return PublishedRunScenario(
        name="PaLM 540B",
        workload=Workload(parameters=540e9, training_tokens=780e9),
        accelerator="TPU v4",
        accelerator_count=6144,
        duration=57,
    )


@pytest.mark.parametrize(
    ("run", "metric", "value", "route"),
    [
        ("Gpt3PublishedRun", "training_operations", 3.14e23, "recorded"),
        ("Gpt3PublishedRun", "achieved_rate", 24.5558, "reference_run"),
        ("Gpt3PublishedRun", "peak_fraction", 0.19645, None),
        ("Llama31_405BPublishedRun", "training_operations", 3.7908e25, "parameter_token"),
        ("Llama31_405BPublishedRun", "achieved_rate", 341.44, "accelerator_time"),
        ("Llama31_405BPublishedRun", "energy", 21.588, "power_time"),
        ("Llama31_405BPublishedRun", "peak_fraction", 0.3451, None),
        ("BloomPublishedRun", "training_operations", 3.870e23, "parameter_token"),
        ("BloomPublishedRun", "achieved_rate", 99.27, "accelerator_time"),
        ("BloomPublishedRun", "energy", 0.43320, "power_time"),
        ("BloomPublishedRun", "peak_fraction", 0.3182, None),
        ("DeepSeekV3PublishedRun", "training_operations", 3.286e24, "parameter_token"),
        ("DeepSeekV3PublishedRun", "achieved_rate", 342.6, "accelerator_time"),
        ("DeepSeekV3PublishedRun", "peak_fraction", 0.1731, None),
        ("Llama65BPublishedRun", "energy", 0.40894, "power_time"),
    ],
)
def test_a_published_run_answers_its_published_number(run: str, metric: str, value: float, route: str | None) -> None:
    result = Scenarios[run].result(metric)
    digits = len(f"{value:g}".replace(".", "").lstrip("0").partition("e")[0])
    assert float(f"{result.value.magnitude:.{digits - 1}e}") == pytest.approx(value, rel=10.0**-digits)
    assert result.route == route
    assert result.assumes == ()


def test_gpt3_in_full_precision() -> None:
    assert Scenarios.Gpt3PublishedRun.result("achieved_rate").as_json() == {
        "value": 24.555805805805804,
        "unit": "TFLOP/s/accelerator",
        "route": "reference_run",
        "assumes": [],
        "problem": None,
        "published": {
            "fact": "reported_rate",
            "value": 24.6,
            "unit": "TFLOP/s/accelerator",
            "difference": pytest.approx(-0.001796512),
        },
        "interval": None,
        "budget": None,
    }


def test_gpt3_energy_says_what_it_needs_and_keeps_the_system_power_aside() -> None:
    case = Scenarios.Gpt3PublishedRun
    assert case.result("energy").problem.needs == "needs accelerator_hours, device_power"
    assert case.inputs.given["system_power"].magnitude == 330.0
    assert "device_power" not in case.inputs.graph


@pytest.mark.parametrize(
    ("changes", "assume", "energy"),
    [({"device_power": "330 W"}, ["count_duration"], 1.1722), ({}, ["count_duration", "tdp"], 1.0656)],
)
def test_gpt3_energy_under_assumptions_keeps_the_reference_run(
    changes: dict[str, str], assume: list[str], energy: float
) -> None:
    case = Scenarios.Gpt3PublishedRun.variant(assume=assume, **changes)
    assert case.result("energy").value.magnitude == pytest.approx(energy, abs=5e-5)
    assert case.result("energy").assumes == tuple(sorted(assume))
    assert case.result("achieved_rate").route == "reference_run"
    assert case.result("achieved_rate").assumes == ()


def test_deepseek_v3_at_bf16_is_measured_against_the_bf16_peak() -> None:
    assert published(Scenarios.DeepSeekV3PublishedRun.variant(precision="bf16"), "peak_fraction") == pytest.approx(
        0.3463, abs=5e-5
    )


def test_hand_built_palm_models_its_operations(palm: PublishedRunScenario) -> None:
    assert published(palm, "training_operations") == pytest.approx(2.527e24, rel=5e-4)


def test_hand_built_palm_rate_needs_an_assumption(palm: PublishedRunScenario) -> None:
    assert palm.result("achieved_rate").problem is not None
    assert published(palm.variant(assume={"modeled_reference"}), "achieved_rate") == pytest.approx(83.5, abs=0.05)


def test_a_run_in_periods_sums_count_times_duration() -> None:
    case = Scenarios.Palm540BPublishedRun.variant(assume={"count_duration"})
    hours = case.results(["accelerator_hours"])["accelerator_hours"].magnitude
    assert hours == pytest.approx(6144 * 1200 + 3072 * 336, rel=1e-12)


def test_every_metric_is_lazy_until_it_is_asked() -> None:
    case = PublishedRunScenario(accelerator_hours=1_022_362, device_power=400)
    assert "_driver" not in vars(case)
    assert case.energy.magnitude == pytest.approx(0.40894, abs=5e-6)


def test_routes_of_a_metric_agree_where_their_facts_do() -> None:
    ops, hours = quantity(3.6e23, "flop"), quantity(1e6, "accelerator*hour")
    by_time = Driver().execute(["achieved_rate"], {"training_ops": ops, "accelerator_hours": hours})
    by_run = Driver().execute(
        ["achieved_rate"], {"training_ops": ops, "accelerator_count": 1000, "duration": "1000 hours"}
    )
    assert by_time["achieved_rate"].magnitude == pytest.approx(by_run["achieved_rate"].magnitude, rel=1e-15)
    assert (by_time.plan.route("achieved_rate"), by_run.plan.route("achieved_rate")) == (
        "accelerator_time",
        "reference_run",
    )
