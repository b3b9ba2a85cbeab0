"""The devices that an input names, in the accelerator itself and in the text of other facts."""

from __future__ import annotations

import pytest

from runlineage import HardwareNode, InputError, PublishedRunScenario
from runlineage.dataflow.inputs.read_inputs import read_inputs


def test_an_accelerator_may_be_counted_where_it_is_named() -> None:
    run = PublishedRunScenario(
        accelerator="8 v100 GPUs", duration="10 hours", device_power=300, assume="count_duration"
    )
    assert run.result("energy").value.m_as("kWh") == pytest.approx(24.0)
    count = run.lineage("energy").entries["accelerator_count"]
    assert (count.value.magnitude, count.note) == (8.0, "counted where the accelerator is named")


@pytest.mark.parametrize(
    ("facts", "warning"),
    [
        (
            {"accelerator": "512 H100 SXM", "accelerator_count": 256},
            "accelerator names 512 devices, and accelerator_count is 256",
        ),
        (
            {"accelerator": "H100 SXM", "accelerator_hours": "1000 A100 hours"},
            "accelerator_hours is '1000 A100 hours', and accelerator is NVIDIA H100 SXM5 80GB: which device was it?",
        ),
        (
            {"accelerator": "H100 SXM", "accelerator_count": "2 A100s"},
            "accelerator_count is '2 A100s', and accelerator is NVIDIA H100 SXM5 80GB: which device was it?",
        ),
        (
            {"accelerator": "TPU v4", "accelerator_hours": "1000 TPUv3 chip-hours"},
            "accelerator_hours is '1000 TPUv3 chip-hours', and accelerator is Google TPU v4: which device was it?",
        ),
    ],
)
def test_devices_that_differ_are_warned_of(facts: dict[str, object], warning: str) -> None:
    assert read_inputs(facts).warnings == (warning,)


@pytest.mark.parametrize(
    "facts",
    [
        {"accelerator": "A100 80GB SXM", "accelerator_hours": "1000 A100 hours"},
        {"accelerator": "H100 SXM", "accelerator_hours": "30.84M GPU hours"},
        {"accelerator": "H100 SXM", "accelerator_hours": "1e6"},
        {"accelerator": "TPU v4", "accelerator_hours": "1000 TPUv4 chip-hours"},
        {"accelerator": "4 A100 80GB SXM", "accelerator_count": 4},
        {"accelerator": HardwareNode(name="My part", tdp="300 W"), "accelerator_hours": "1000 A100 hours"},
        {"accelerator_hours": "1000 A100 hours"},
    ],
)
def test_devices_that_agree_are_not(facts: dict[str, object]) -> None:
    assert read_inputs(facts).warnings == ()


def test_a_family_gives_what_holds_of_its_members_and_names_what_does_not() -> None:
    inputs = read_inputs({"accelerator": "A100", "precision": "bf16", "device_power": "400 W"})
    assert inputs.given["peak_flops"].m_as("TFLOP/s/accelerator") == 312
    assert inputs.warnings == ()
    warnings = read_inputs({"accelerator": "H100", "precision": "bf16"}).warnings
    assert [text.partition(":")[0] for text in warnings] == ["peak_flops is missing", "accelerator_tdp is missing"]
    assert "NVIDIA H100 PCIe 80GB 756 TFLOP/s" in warnings[0]
    assert read_inputs({"accelerator": "H100", "peak_flops": "989 TFLOP/s", "device_power": 700}).warnings == ()


def test_a_precision_that_no_member_has_is_refused() -> None:
    with pytest.raises(InputError, match="precision: NVIDIA V100 has no fp8 peak"):
        read_inputs({"accelerator": "V100", "precision": "fp8"})


def test_the_count_is_one_of_the_facts_that_a_run_is_computed_from_again() -> None:
    run = PublishedRunScenario(accelerator="8 A100", duration=1)
    assert {"accelerator", "accelerator_count"} <= run.inputs.stated.keys()
    assert run.variant(accelerator_count=16).inputs.given["accelerator_count"].magnitude == 16
