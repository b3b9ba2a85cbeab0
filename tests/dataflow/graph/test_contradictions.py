"""An answer that is given is held against what the other facts give of it."""

from __future__ import annotations

import numpy as np
import pytest
from hamilton.ad_hoc_utils import create_temporary_module

from runlineage import Driver, PublishedRunScenario, RunlineageWarning, metrics
from runlineage.catalogs.quantities.kinds import KINDS

Energy = KINDS["Energy"]
HOURS = {"accelerator_hours": "30.84M", "device_power": "700 W"}  # 21.588 GWh
WORK = {"training_ops": "3e23", "accelerator_hours": "1e4"}  # 8,333 TFLOP/s


@pytest.mark.parametrize(
    ("facts", "asked", "warning"),
    [
        (
            HOURS | {"energy": "1 GWh"},
            "energy",
            "energy is given as 1 GWh, 0.0463 times as much as the 21.588 GWh that accelerator_hours and "
            "device_power give",
        ),
        (
            WORK | {"achieved_rate": 100},
            "achieved_rate",
            "achieved_rate is given as 100 TFLOP/s per accelerator, 0.012 times as much as the 8,333.33 TFLOP/s per "
            "accelerator that training_operations and accelerator_hours give",
        ),
        (
            HOURS | {"energy": "1 TWh", "pue": 1.1},
            "facility_energy",
            "energy is given as 1,000 GWh, 46.3 times as much as the 21.588 GWh that accelerator_hours and "
            "device_power give",
        ),
        (
            HOURS | {"pue": 1.1, "facility_energy": "21.6 GWh", "carbon_intensity": "0.4 kg/kWh"},
            "location_emissions",
            "facility_energy is given as 21.6 GWh at the facility, 9.0% less than the 23.7468 GWh at the facility "
            "that it_energy and pue give",
        ),
        (
            {"energy": "1 GWh", "it_energy": "0.5 GWh"},
            "it_energy",
            "it_energy is given as 0.5 GWh, 50% less than the 1 GWh that energy gives",
        ),
        (
            {"training_operations": "1e25", "parameters": "7B", "training_tokens": "2T"},
            "training_operations",
            "training_operations is given as 1×10²⁵ flop, 119 times as much as the 8.4×10²² flop that "
            "parameters_per_token and training_tokens give",
        ),
    ],
)
def test_an_answer_that_the_facts_contradict_is_warned_of(facts: dict[str, object], asked: str, warning: str) -> None:
    run = PublishedRunScenario(**facts)  # type: ignore[arg-type]
    assert run.results([asked]).warnings[:1] == (warning,)
    assert warning in run.lineage(asked).warnings


@pytest.mark.parametrize(
    "facts",
    [
        {"energy": "1 GWh"},
        {"energy": "1 GWh", "it_energy": "1.8 GWh"},  # servers around the devices
        HOURS | {"energy": "21 GWh"},
        {"energy": "1 GWh", "accelerator_count": 10, "duration": 3, "device_power": 400},  # only by an assumption
    ],
)
def test_an_answer_that_nothing_contradicts_is_taken(facts: dict[str, object]) -> None:
    asked = ["it_energy" if "it_energy" in facts else "energy"]
    results = PublishedRunScenario(**facts, assume=["count_duration"]).results(asked)  # type: ignore[arg-type]
    assert [text for text in results.warnings if "not needed" not in text] == []


def test_the_worst_cell_of_a_column_is_named() -> None:
    run = PublishedRunScenario(accelerator_hours=1e6, device_power=np.array([400.0, 500.0]), energy="0.4 GWh")
    (warning,) = run.results(["energy"]).warnings
    assert "20% less than the [0.4, 0.5] GWh" in warning


def test_a_metric_of_ones_own_is_held_against_its_facts_and_a_failing_one_does_no_harm() -> None:
    def water(energy: Energy) -> Energy:  # type: ignore[valid-type]
        return 2 * energy

    def broken(energy: Energy) -> Energy:  # type: ignore[valid-type]
        raise RuntimeError

    driver = Driver(metrics, create_temporary_module(water, broken))
    with pytest.warns(RunlineageWarning, match="energy is given as 1 GWh, 0.0463 times as much"):
        driver.execute(["water"], HOURS | {"energy": "1 GWh"})
    assert driver.answer(["energy"], HOURS).warnings == ()
