"""Devices as people write them, and families of devices: what holds of each member, and what is missing."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.base.errors import AmbiguousNameError, InputError, UnknownNameError
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.devices import accelerator_text
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.family import FACTS, family_of


@pytest.mark.parametrize(
    ("text", "count", "name"),
    [
        ("512 H100-80G", 512, "NVIDIA H100 80GB"),
        ("8 v100 GPUs", 8, "NVIDIA V100"),
        ("32 x 8 x V100", 256, "NVIDIA V100"),
        ("2 × 3 × 8 V100 GPUs", 48, "NVIDIA V100"),
        ("NVIDIA V100 (8 GPUs)", 8, "NVIDIA V100"),
        ("NVIDIA V100 (8x GPUs)", 8, "NVIDIA V100"),
        ("NVIDIA V100 x 6 GPUs", 6, "NVIDIA V100"),
        ("32 TPUv3 chips", 32, "Google TPU v3"),
        ("32 TPU v3 cores", 16, "Google TPU v3"),
        ("TPU v3-8", 4, "Google TPU v3"),
        ("v4-512", 256, "Google TPU v4"),
        ("TPU v5p-16", 8, "Google TPU v5p"),
        ("TPU v5e-256", 256, "Google TPU v5e"),
        ("TPU v5litepod-16", 16, "Google TPU v5e"),
        ("cloud tpu v6e-8", 8, "Google TPU v6e"),
        ("4 x TPU v3-8", 16, "Google TPU v3"),
        ("8x A100 80GB", 8, "NVIDIA A100 80GB"),
        ("8xA100", 8, "NVIDIA A100"),
        ("1,024 A100s", 1024, "NVIDIA A100"),
        ("8 A100s (80 GB)", 8, "NVIDIA A100 80GB"),
        ("A100 (x8)", 8, "NVIDIA A100"),
        ("A100*8", 8, "NVIDIA A100"),
        ("2048 NVIDIA H100 80GB HBM3 GPUs", 2048, "NVIDIA H100 SXM5 80GB"),
        ("1024 MI250X GCDs", 1024, "AMD Instinct MI250X GCD"),
        ("10 A10", 10, "NVIDIA A10"),
        ("L40S", None, "NVIDIA L40S"),
        ("H100s", None, "NVIDIA H100"),
        ("910B2", None, "Huawei Ascend 910B2"),
    ],
)
def test_a_text_gives_count_and_device(text, count, name):
    devices = accelerator_text(text)
    assert (devices.count, Accelerators[devices.key].name) == (count, name)


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("TPU v3-7", InputError, "accelerator: 'TPU v3-7' holds 7 cores, 2 a chip; give the number of chips"),
        ("0 A100", InputError, "accelerator: '0 A100' counts no devices; give at least one, or the device alone"),
        ("8 A100 cores", InputError, "accelerator: 'A100 cores' counts cores; give the number of devices"),
        ("8 V100s", AmbiguousNameError, "accelerator 'V100s' matches several; use one of: NVIDIA V100S PCIe 32GB, "),
        ("4 TPUs", UnknownNameError, "unknown accelerator '4 TPUs'"),
        ("TPU v5-8", UnknownNameError, "unknown accelerator 'TPU v5-8'; the nearest: Google TPU v5"),
        ("8 A100 and 4 V100", UnknownNameError, "unknown accelerator '8 A100 and 4 V100'"),
        ("RTX 9990", UnknownNameError, "unknown accelerator 'RTX 9990'"),
        ("100GB", UnknownNameError, "unknown accelerator '100GB'"),
        ("16 GPUs", UnknownNameError, "unknown accelerator '16 GPUs'"),
        ("80GB", AmbiguousNameError, "matches several"),
        ("", UnknownNameError, "unknown accelerator ''"),
    ],
)
def test_what_names_no_device_is_refused(text, error, sentence):
    with pytest.raises(error) as caught:
        accelerator_text(text)
    assert str(caught.value).startswith(sentence) or sentence in str(caught.value)


@given(st.text(max_size=60) | st.text(alphabet="0123456789xX×*,()[] -vVaAhHtTpPuUsS100", max_size=30))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(InputError, UnknownNameError):
        devices = accelerator_text(text)
        assert devices.count is None or devices.count >= 1
        assert devices.key in Accelerators


def test_a_family_holds_what_all_its_members_agree_on_and_names_the_others():
    family = Accelerators["A100"]
    members = [Accelerators[key] for key in Accelerators.members("A100")]
    assert len(members) >= 4
    assert family.compute.peak_flops == quantity(312.0, "TFLOP/s/accelerator")
    assert family.tdp is None
    assert "NVIDIA A100 SXM4 80GB 400 W" in family.missing("tdp")
    assert family.peak_bf16.note.startswith(f"the same for all {len(members)} parts called NVIDIA A100")
    assert family.no_peak() == ""


def test_a_family_whose_members_peaks_differ_gives_none_and_says_each():
    family = Accelerators["H100"]
    assert family.peak() is None
    assert "bf16" not in family.compute.precision_flops
    assert family.no_peak("bf16") == family.no_peak()
    assert "NVIDIA H100 SXM5 80GB 989.4 TFLOP/s" in family.no_peak()
    assert (
        family.no_peak("int4")
        == "NVIDIA H100 has no int4 peak; it has fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8"
    )


@pytest.mark.parametrize("name", ["A100", "V100", "H100", "P100", "A100 80GB", "A100 SXM", "V100 32GB", "A800"])
def test_no_fact_of_a_family_differs_from_a_members(name):
    family = Accelerators[name]
    assert name in Accelerators
    assert Accelerators[family.key] is Accelerators[family.name] is family
    for key in Accelerators.members(name):
        member = Accelerators[key]
        for field in FACTS:
            fact = getattr(family, field)
            assert fact is None or fact.value == getattr(member, field).value, (key, field)
        assert family.peak() is None or family.peak().value == member.peak().value


def test_a_value_that_one_member_does_not_state_is_missing():
    stated, silent = HardwareNode(name="X X1 a", tdp="300 W"), HardwareNode(name="X X1 b", peak_fp16="5 TFLOP/s")
    family = family_of([stated, silent])
    assert (family.name, family.tdp, family.peak_fp16) == ("X X1", None, None)
    assert family.missing("tdp") == "X X1 a 300 W, X X1 b not stated"


def test_where_16_bit_peaks_are_of_different_formats_none_stands_for_the_family():
    one = HardwareNode(name="X1 a", default_precision="bf16", peak_bf16="5 TFLOP/s", peak_fp16="4 TFLOP/s")
    two = HardwareNode(name="X1 b", default_precision="fp16", peak_bf16="5 TFLOP/s", peak_fp16="4 TFLOP/s")
    assert family_of([one, two]).peak() is None
