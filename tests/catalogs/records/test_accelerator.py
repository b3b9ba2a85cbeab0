"""Accelerators: their peaks and design power."""

import pytest

from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.accelerator import HardwareNode


def test_the_peak_is_that_of_the_precision_or_the_16_bit_one():
    node = HardwareNode(name="x", default_precision="fp16", peak_fp16=10, peak_bf16=5, peak_fp8="20 TFLOPS", tdp=700)
    assert node.compute.peak_flops == node.peak().value == quantity(10.0, "TFLOP/s/accelerator")
    assert {name: peak.magnitude for name, peak in node.compute.precision_flops.items()} == {
        "fp16": 10.0,
        "bf16": 5.0,
        "fp8": 20.0,
    }
    assert node.peak("bf16").value == quantity(5.0, "TFLOP/s/accelerator")
    assert node.peak("int8") is None


@pytest.mark.parametrize("precision", ["fp8", "bf15", "BF16"])
def test_the_default_precision_is_one_of_two(refusal, precision):
    said = refusal(HardwareNode, name="x", default_precision=precision)
    assert said == f"x: default_precision: is '{precision}'; expected bf16 or fp16"


def test_without_a_16_bit_rate_there_is_no_default_peak():
    node = HardwareNode(name="x", peak_fp8=20, peak_bf16={"value": 5, "preferred": False, "reason": "sparse"})
    assert node.compute.peak_flops is None
    assert list(node.compute.precision_flops) == ["fp8"]


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"peak_bf17": 5}, "x: peak_bf17: is not a field here; the nearest: peak_bf16"),
        ({"peak_bf16": "700 W"}, "x: peak_bf16: '700 W' is in W, which is not a rate of operations per accelerator"),
        ({"memory": "80 GiB"}, "x: memory: is '80 GiB'; expected a number of GB, such as 80 GB"),
        ({"memory": 0}, "x: memory: is 0; expected a number of GB, such as 80 GB"),
        ({"released": "soon"}, "x: released: is 'soon'; expected a year from 1990 to 2030, such as 2022"),
        ({"tdp": "5 TFLOPS"}, "x: tdp: '5 TFLOPS' is in TFLOP/s, which is not a power per accelerator"),
    ],
)
def test_an_accelerator_refuses_what_is_no_peak_or_power(refusal, facts, sentence):
    assert refusal(HardwareNode, name="x", **facts).startswith(sentence)


def test_memory_and_year_of_release_are_told_and_nothing_is_computed_with_them():
    node = HardwareNode(name="x", memory={"value": "80 GB", "source": "page"}, released=2022, tdp=700)
    assert (node.memory.value, node.memory.source, node.released.value) == (80.0, "page", 2022)
    assert list(node.facts()) == ["tdp"]
