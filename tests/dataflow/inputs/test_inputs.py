"""The inputs: what is read, completed, withheld, refused and warned of."""

from __future__ import annotations

import numpy as np
import pytest

from runlineage import HardwareNode, InputError
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.inputs.read_inputs import read_inputs

GPU = HardwareNode(name="Example GPU", peak_bf16="300 TFLOP/s", peak_fp8="600 TFLOP/s", tdp="500 W")


def faults(**raw: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_inputs(raw)
    return [str(fault) for fault in caught.value.faults]


def test_facts_reach_the_graph_in_coherent_units() -> None:
    graph = read_inputs({"duration": "14.8 days", "peak_flops": 125, "energy": "1 kWh"}).graph
    assert graph["duration"].magnitude == pytest.approx(14.8 * 86400)
    assert graph["peak_flops"].magnitude == pytest.approx(1.25e14)
    assert graph["energy"].magnitude == pytest.approx(3.6e6)


def test_the_accelerator_gives_its_peak_and_tdp() -> None:
    given = read_inputs({"accelerator": GPU}).given
    assert (given["peak_flops"].magnitude, given["accelerator_tdp"].magnitude) == (300.0, 500.0)


def test_the_precision_picks_the_peak() -> None:
    inputs = read_inputs({"accelerator": GPU, "precision": "FP8"})
    assert inputs.given["peak_flops"].magnitude == 600.0
    assert inputs.origins["peak_flops"].note == "dense fp8 peak"
    assert inputs.parents["peak_flops"] == ("accelerator", "precision")


def test_without_a_precision_the_sixteen_bit_peak_serves_and_says_so() -> None:
    note = read_inputs({"accelerator": GPU}).origins["peak_flops"].note
    assert note == "precision not stated: dense 16-bit matrix peak"


def test_a_precision_that_the_part_lacks_is_refused_with_those_it_has() -> None:
    assert faults(accelerator=GPU, precision="int8") == ["precision: Example GPU has no int8 peak; it has bf16, fp8"]


def test_given_peak_and_tdp_go_before_the_record() -> None:
    given = read_inputs({"accelerator": GPU, "peak_flops": 290, "accelerator_tdp": 450}).given
    assert (given["peak_flops"].magnitude, given["accelerator_tdp"].magnitude) == (290.0, 450.0)


def test_an_assumed_part_is_said_where_its_peak_is_used() -> None:
    chosen = Fact(GPU, "assumed", note="the paper names no variant")
    inputs = read_inputs({"accelerator": chosen})
    assert inputs.origins["peak_flops"].basis == "assumed"
    assert inputs.origins["accelerator_tdp"].basis == "assumed"
    assert inputs.origins["accelerator"].note == "the paper names no variant"


def test_a_sparse_models_total_is_withheld() -> None:
    inputs = read_inputs({"parameters": "671B", "active_parameters": "37B", "sparse": True})
    assert "parameters" not in inputs.graph
    assert inputs.withheld == {"parameters": "the model is sparse, and a token passes only part of its total"}


def test_a_dense_models_total_is_not_withheld() -> None:
    assert "parameters" in read_inputs({"parameters": "671B", "sparse": False}).graph


def test_periods_become_one_count_and_duration_with_the_same_product() -> None:
    rows = [
        {"accelerator_count": 6144, "duration": "1200 h", "source": "paper"},
        {"accelerator_count": 3072, "duration": "336 h"},
    ]
    inputs = read_inputs({"periods": rows})
    product = inputs.graph["accelerator_count"] * inputs.graph["duration"]
    assert product.to("accelerator*hour").magnitude == pytest.approx(6144 * 1200 + 3072 * 336, rel=1e-14)
    assert inputs.origins["duration"].basis == "derived"
    assert inputs.origins["duration"].note == "sum of 2 periods: 6,144 for 1,200 hour and 3,072 for 336 hour"


def test_periods_beside_a_count_are_refused() -> None:
    rows = [{"accelerator_count": 1, "duration": 1}]
    assert faults(accelerator_count=5, periods=rows) == [
        "periods: stand beside accelerator_count; give either the periods or one count and duration"
    ]


def test_more_active_than_total_parameters_are_refused() -> None:
    assert faults(parameters="37B", active_parameters="671B") == [
        "active_parameters: 6.71×10¹¹ parameter is more than parameters, 3.7×10¹⁰ parameter; check which is which"
    ]


def test_a_model_that_is_not_sparse_cannot_have_other_active_parameters() -> None:
    assert faults(parameters="671B", active_parameters="37B", sparse=False) == [
        "sparse: is false, and active_parameters differ from parameters; check which holds"
    ]


def test_all_faults_are_said_at_once() -> None:
    assert faults(device_pwoer=1, duration=0, accelerator="H100 XSM", precision="bf61", sparse="maybe") == [
        "device_pwoer: is not a field; did you mean device_power?",
        "duration: 0 is not above zero; expected a wall-clock duration in day, such as '14.8 days' or '1200 hours'",
        "accelerator: unknown accelerator 'H100 XSM'; the nearest: NVIDIA H100 SXM5 80GB, NVIDIA B100, "
        "NVIDIA H200 SXM 141GB; `runlineage list accelerators` lists all",
        "precision: is 'bf61'; expected one of fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8; the nearest: bf16",
        "sparse: is 'maybe'; expected true or false",
    ]


def test_hours_that_disagree_with_count_and_duration_are_warned_of() -> None:
    raw = {"accelerator_hours": 1000, "accelerator_count": 10, "duration": "110 hours"}
    assert read_inputs(raw).warnings == (
        "accelerator_hours, 1,000 accelerator·hour, and accelerator_count × duration, 1,100 accelerator·hour, "
        "differ by 9%",
    )
    assert read_inputs(raw | {"duration": "104 hours"}).warnings == ()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"training_ops": 1e23, "work_counts": "hardware"}, "counts recomputation"),
        ({"parameters": 1e9, "architecture": "encoder-decoder"}, "6 N D over-counts"),
    ],
)
def test_a_scope_that_does_not_fit_is_warned_of(raw: dict[str, object], said: str) -> None:
    (warning,) = read_inputs(raw).warnings
    assert said in warning


def test_columns_keep_their_shape_and_must_agree() -> None:
    inputs = read_inputs({"accelerator_hours": np.array([1, 2]), "device_power": 400})
    assert inputs.graph["accelerator_hours"].magnitude.dtype == np.float64
    assert faults(accelerator_hours=[1, 2], device_power=[1, 2, 3]) == [
        "columns: have different shapes: accelerator_hours (2,), device_power (3,); give columns of one length"
    ]


def test_columns_are_read_only_copies() -> None:
    column = np.array([1.0, 2.0])
    read = read_inputs({"duration": column}).given["duration"].magnitude
    column[0] = 9
    assert read[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        read[0] = 2


def test_inputs_of_a_users_own_nodes_pass_as_they_are() -> None:
    assert read_inputs({"region": "FR"}, other={"region"}).graph == {"region": "FR"}


def test_our_quantities_in_plain_hours_are_refused_as_accelerator_time() -> None:
    (fault,) = faults(accelerator_hours=quantity(5.0, "hour"))
    assert fault.startswith("accelerator_hours: 5 hour is in hour, which is not an accelerator time")


def test_an_own_peak_serves_where_the_part_lists_none_at_the_precision() -> None:
    assert (
        read_inputs({"accelerator": GPU, "precision": "int8", "peak_flops": 100}).graph["peak_flops"].magnitude == 1e14
    )


def test_plain_days_are_not_taken_for_accelerator_time() -> None:
    (fault,) = faults(accelerator_hours="41 days")
    assert fault == (
        "accelerator_hours: '41 days' may be wall-clock time; write GPU-days if it is not; wall-clock time is duration"
    )
    assert read_inputs({"accelerator_hours": "41 GPU-days"}).given["accelerator_hours"].m_as("accelerator*hour") == 984


def test_what_many_readers_share_cannot_be_changed() -> None:
    inputs = read_inputs({"duration": 1})
    with pytest.raises(TypeError, match="does not change"):
        inputs.graph["duration"] = 2  # type: ignore[index]


def test_a_family_of_accelerators_serves_where_its_members_agree() -> None:
    inputs = read_inputs({"accelerator": "A100"})
    assert inputs.given["peak_flops"] == quantity(312.0, "TFLOP/s/accelerator")
    assert "accelerator_tdp" not in inputs.given
    (warning,) = inputs.warnings
    assert warning.startswith(
        "accelerator_tdp is missing: NVIDIA A100 may be any of several parts, whose design powers"
    )
    assert warning.endswith("NVIDIA A100 SXM4 80GB 400 W")


def test_where_the_members_of_a_family_differ_the_fact_is_missing_with_their_values() -> None:
    for facts in ({"accelerator": "H100"}, {"accelerator": "H100", "precision": "bf16"}):
        inputs = read_inputs(facts)
        assert "peak_flops" not in inputs.given
        warning, _ = inputs.warnings
        assert warning.startswith(
            "peak_flops is missing: NVIDIA H100 may be any of several parts, whose peaks differ: "
        )
        assert "NVIDIA H100 PCIe 80GB 756 TFLOP/s, " in warning
        assert warning.endswith("; name the part, or give peak_flops")
    powered = {"accelerator": "H100", "peak_flops": "800 TFLOP/s", "device_power": "500 W"}
    assert read_inputs(powered).warnings == ()
    with pytest.raises(InputError, match="precision: NVIDIA A100 has no fp8 peak; it has fp64, "):
        read_inputs({"accelerator": "A100", "precision": "fp8"})


def test_a_count_written_with_the_accelerator_is_a_fact_unless_another_contradicts_it() -> None:
    inputs = read_inputs({"accelerator": "TPU v3-8"})
    assert inputs.given["accelerator_count"] == quantity(4.0, "accelerator")
    assert inputs.words["accelerator"].key == "TPU_v3"
    assert read_inputs({"accelerator": "8x A100", "accelerator_count": 8}).given["accelerator_count"].magnitude == 8.0
    twice = read_inputs({"accelerator": "8x A100", "accelerator_count": 16})
    assert "accelerator names 8 devices, and accelerator_count is 16" in twice.warnings
