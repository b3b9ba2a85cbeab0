"""Epoch AI's tables: each rule works and refuses, in every edition's spellings; the real files where they are."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from runlineage.catalogs.base.errors import InputError
from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.quantities.fields import FACTS, WORDS
from runlineage.dataflow.epoch.epoch import EPOCH_COLUMNS, FACT_COLUMNS, facts_of
from runlineage.dataflow.epoch.hardware import hardware_names
from runlineage.dataflow.epoch.notes import (
    active_count,
    says_sparse,
    speaks_of_experts,
    why_estimated,
    why_not_tokens_seen,
)

EPOCH = Path(__file__).parents[4] / "shared" / "epoch"
POWER = "power not used: it is the facility's, not a device's"
PARTS = pl.DataFrame(
    {
        "Hardware name": ["Maia 100 (M100)", "NVIDIA V100", "NVIDIA Titan V", "Google TPU v4"],
        "Tensor-FP16/BF16 performance (FLOP/s)": [800e12, 125e12, None, 1e12],
        "FP16 (half precision) performance (FLOP/s)": [None, 31e12, 29.8e12, None],
    }
)


def facts(hardware=None, **cells):
    return facts_of(pl.DataFrame({header: [cell] for header, cell in cells.items()}), hardware).row(0, named=True)


def sized(notes, epochs=1.0, **more):
    return facts(**{"Training dataset size (datapoints)": 2e12, "Dataset size notes": notes, "Epochs": epochs}, **more)


def computed(notes, ops=1e24, **more):
    return facts(**{"Training compute (FLOP)": ops, "Training compute notes": notes}, **more)


def fitted(name, hardware=None, **more):
    return facts(hardware, **{"Training hardware": name, "Hardware quantity": 8.0}, **more)


def test_fact_columns_are_fields_and_stand_after_the_columns_of_the_table():
    fields = {header.split(" (")[0] for header in FACT_COLUMNS} - {"remarks"}
    assert fields <= FACTS.keys() | WORDS.keys()
    table = pl.DataFrame({"mine": [2, 1], "Parameters": [7e9, None], "Model": ["b", "a"]})
    made = facts_of(table)
    assert made.columns == [*table.columns, *FACT_COLUMNS]
    assert made.select(table.columns).equals(table)
    assert made.schema == table.schema | FACT_COLUMNS
    assert made["parameters"].to_list() == [7e9, None]


def test_a_table_without_rows_keeps_its_columns():
    assert facts_of(pl.DataFrame(schema={"Parameters": pl.Float64})).schema == {
        "Parameters": pl.Float64,
        **FACT_COLUMNS,
    }


def test_a_fact_column_that_is_there_already_is_refused_by_name():
    with pytest.raises(InputError) as caught:
        facts_of(pl.DataFrame({"Parameters": [1.0], "parameters": [1.0], "remarks": ["x"]}))
    assert str(caught.value) == (
        "2 faults:\n  column 'parameters': is there already; rename it\n  column 'remarks': is there already; rename it"
    )


def test_a_table_that_is_not_of_epoch_is_refused_with_the_nearest_columns():
    with pytest.raises(InputError) as caught:
        facts_of(pl.DataFrame({"parameter": [1.0], "Model": ["a"]}))
    assert str(caught.value) == (
        "table: has no column of Epoch's; expected Parameters, Training compute (FLOP), Training dataset size "
        "(datapoints), Training time (hours), Hardware quantity, Training hardware; the nearest here: 'parameter'"
    )
    with pytest.raises(InputError, match="nothing here is near"):
        facts_of(pl.DataFrame({"zz": [1.0]}))
    with pytest.raises(InputError, match="has no column of Epoch's; expected Hardware name"):
        facts_of(pl.DataFrame({"Parameters": [1.0]}), pl.DataFrame({"TDP (W)": [1.0]}))


@pytest.mark.parametrize("header", EPOCH_COLUMNS["dataset_size"])
def test_every_edition_s_spelling_of_the_dataset_size_is_read(header):
    made = facts(**{header: 2e12, "Dataset size notes": "2T tokens", "Epochs": 2.0})
    assert made["training_tokens"] == 4e12


@pytest.mark.parametrize("header", EPOCH_COLUMNS["model"])
def test_every_edition_s_spelling_of_the_model_is_read(header):
    assert facts(**{header: "MoE-Multi", "Parameters": 8.7e9})["parameters"] is None


def test_columns_of_other_editions_are_carried_through():
    table = pl.DataFrame({"Parameters": [1.0], "Hardware utilization (MFU)": [0.4], "Training chip-hours": [9.0]})
    assert facts_of(table).select(table.columns).equals(table)


@pytest.mark.parametrize("cell", [7e9, 7_000_000_000, "7000000000", "7,000,000,000", "7e9", "7B"])
def test_a_number_is_read_from_a_number_or_from_text(cell):
    made = facts(Parameters=cell)
    assert (made["parameters"], made["remarks"]) == (7e9, None)


@pytest.mark.parametrize("cell", [None, "", float("nan")])
def test_an_empty_cell_is_no_fact_and_no_remark(cell):
    made = facts(Parameters=cell)
    assert (made["parameters"], made["remarks"]) == (None, None)


@pytest.mark.parametrize("cell", [0.0, -1.0, float("inf"), "unknown", "~7e9", "7 kg", "1e9,2e9"])
def test_a_cell_that_is_no_number_above_zero_is_said(cell):
    made = facts(Parameters=cell)
    assert made["parameters"] is None
    assert made["remarks"] == f"Parameters not used: {cell!r} is not a number above zero"


@pytest.mark.parametrize(
    "notes",
    [
        "314B parameter Mixture-of-Experts model with 25% of the weights active",
        "Table 5. Note model is sparse MoE with 960 experts; not all parameters are activated",
        "a language model with sparse architecture containing 1.085 trillion parameters",
        "46.7B *sparse* params",
        "a Sparsely Gated Mixture of Experts layer",
        'scaling a sparse model to 269B parameters". If this is true',
    ],
)
def test_notes_that_say_sparse(notes):
    assert says_sparse(notes)
    assert facts(**{"Parameters": 1e12, "Parameters notes": notes})["sparse"] is True


@pytest.mark.parametrize(
    "notes",
    [
        "",
        "a 540-billion parameter, densely activated, Transformer language model",
        "architecture is sparse so we cannot use 6ND method",
        "Not known. Maybe smaller/sparser than GPT-4.",
        "possibly a MoE",
        "a non-Mixture-of-Experts (MoE) architecture",
        "works on the total number of parameters, even for MoE models",
        "Table 5 in 'Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer'",
        "9-layered locally connected sparse autoencoder",
    ],
)
def test_notes_that_do_not_say_sparse(notes):
    assert not says_sparse(notes)
    assert facts(**{"Parameters": 1e12, "Parameters notes": notes})["sparse"] is None


@pytest.mark.parametrize(
    ("notes", "count"),
    [
        ("a 288 billion active parameter model", 288e9),
        ("671B total 37B activated", 37e9),
        ("21B parameters activated per token", 21e9),
        ("94B active/398B total", 94e9),
        ("36B parameters active per inference\n36 billion active params * 12 trillion tokens * 6", 36e9),
        ("has 46.7B total parameters but only uses 12.9B parameters per token", 12.9e9),
        ("The network activates 96.6 billion parameters per token", 96.6e9),
    ],
)
def test_an_active_count_makes_a_model_sparse(notes, count):
    made = facts(**{"Parameters": 1e12, "Training compute notes": notes})
    assert (made["active_parameters"], made["sparse"], made["parameters"]) == (count, True, 1e12)


@pytest.mark.parametrize(
    "notes",
    ["14B active parameters", "2B active, later 3B active", "maybe 2B active", "25% of the weights active", ""],
)
def test_an_active_count_that_is_the_total_or_doubtful_is_none(notes):
    assert active_count(notes, 14e9) is None


def test_a_total_is_withheld_where_only_name_or_abstract_speak_of_experts():
    assert speaks_of_experts("MoE variants")
    made = facts(Parameters=1e12, Abstract="Mixture of Experts (MoE) defies this")
    assert (made["parameters"], made["sparse"]) == (None, None)
    assert made["remarks"].startswith("parameters not used: name or abstract speaks of experts")
    assert facts(Parameters=1e12, Abstract="human experts")["parameters"] == 1e12


def test_tokens_seen_are_a_size_in_tokens_times_epochs():
    assert sized("2T tokens")["training_tokens"] == 2e12
    assert sized("we pre-train for 2 trillion tokens")["training_tokens"] == 2e12
    assert sized("Total 2,000,000,000,000 unique tokens", 1.5)["training_tokens"] == 3e12


@pytest.mark.parametrize(
    ("notes", "epochs", "why"),
    [
        ("2T tokens", None, "without epochs it is not tokens seen"),
        ("2.67 trillion tokens ~= 2 trillion words", 1.0, "its notes do not give it in tokens"),
        ("2T images", 1.0, "its notes do not give it in tokens"),
        (None, 1.0, "its notes do not give it in tokens"),
        ("We train models on the Pile for 2T tokens", 509.0, "its notes call it tokens seen, yet epochs is not 1"),
        ("Average protein has 200 tokens. 10B * 200 = 2T tokens", 1.0, "its notes estimate it"),
    ],
)
def test_a_size_that_is_not_tokens_seen_is_said(notes, epochs, why):
    made = sized(notes, epochs)
    assert made["training_tokens"] is None
    assert made["remarks"] == f"dataset size not used: {why}"


def test_words_are_no_tokens_even_where_both_are_printed():
    assert why_not_tokens_seen("12T tokens is equivalent to 9T words", 9e12, 1.0)
    assert not why_not_tokens_seen("300 billion tokens. 1 token ~ 0.75 words", 300e9, 1.0)


def test_compute_that_was_counted_or_reported_is_used():
    made = computed("6 * 70B * 2.4T = 1e24")
    assert (made["training_ops"], made["remarks"]) == (1e24, None)


@pytest.mark.parametrize(
    "notes",
    [
        "384 A100 GPUs * 314 TFLOPS * 117 days * 0.3 (utilization assumption) = 1e24",
        "128 A100s for 30 days; assumptions: 30% utilization rate",
        "12 hours of training\n0.33 util rate",
        "Utilization rate of 0.33.",
        "22016 * 3600 * 312 * 10 ** 12 * 3/10 = 1e24",
        "0.5*6*60*60*2.5e6 = 1e24",
        "(8 TPUs) * (1.23e14) * (0.565 utilization rate) = 1e24",
        "6ND = 2e24\n1.2e15 * 3600 * 0.3 = 5e23\nsqrt(2e24 * 5e23) = 1e24",
        "given 0.1 utilization we get 2e9 FLOP/step\n32 * 1e15 * 2e9 = 1e24",
    ],
)
def test_compute_from_an_assumed_utilisation_is_not_used(notes):
    assert why_estimated(notes, 1e24) == "the notes assume a utilisation"
    made = computed(notes)
    assert (made["training_ops"], made["remarks"]) == (
        None,
        "training compute not used: the notes assume a utilisation",
    )


@pytest.mark.parametrize(
    "notes",
    [
        "6 * 70B * 2.4T = 1e24\n\n312 trillion * 1e6 GPU-hours * 3600 * 0.3 [utilization] = 3.4e23",
        "1e24 per Table 4\n(512 * 312 teraFLOP/s * 53 * 24 * 3600 * 0.3 = 2.19e23)",
        "46.2% model FLOPs utilization",
        "The total FLOPS is 56.5% * 123 TFLOPS/s * 1024 chips * 57.7 days = 1e24",
        "1.2M images * 90 epochs * 0.75 GFLOP = 1e24. This implies around 31% MFU.",
        "0.018 pfs-days (86400*10^15*0.018)",
    ],
)
def test_a_measured_utilisation_and_a_mere_comparison_leave_the_compute(notes):
    assert computed(notes)["training_ops"] == 1e24


def test_the_method_of_later_editions_is_heeded():
    method = "Training compute estimation method"
    assert computed(None, **{method: "Operation counting"})["training_ops"] == 1e24
    made = computed(None, **{method: "Operation counting,Hardware"})
    assert made["remarks"] == "training compute not used: estimated from hardware and time"


@pytest.mark.parametrize("method", [None, "Operation counting,Hardware", "Reported,Hardware", "Hardware"])
@pytest.mark.parametrize(
    "notes",
    ["6 * 70B * 2.4T = 1e24\n5e6 hours * 312 TFLOPS * 3600 * 0.3 = 1.7e24", "1e24 FLOP are stated in the paper"],
)
def test_a_figure_that_the_notes_print_is_used_in_every_edition(method, notes):
    assert computed(notes, **{"Training compute estimation method": method})["training_ops"] == 1e24


@pytest.mark.parametrize(
    ("notes", "why"),
    [
        ("Speculative. The model is stated to have trained for several weeks", "the notes call it an estimate"),
        ("Estimate based on training time for a cluster of 1,000 devices", "the notes call it an estimate"),
        (
            "https://example.org/?i=312+teraFLOPS+*+16+*+200+hours+*+0.33",
            "it is 33% of what the hardware could do in its time, a share that estimates assume",
        ),
        (
            "16 A100 for 200 hours",
            "it is 33% of what the hardware could do in its time, a share that estimates assume",
        ),
    ],
)
def test_no_answer_is_its_own_assumption_come_back(notes, why):
    run = {"Training hardware": "NVIDIA A100", "Hardware quantity": 16.0, "Training time (hours)": 200.0}
    made = computed(notes, 1.19e21, **run)
    assert made["training_ops"] is None
    assert f"training compute not used: {why}" in made["remarks"]


def test_chip_hours_are_a_fact_unless_they_are_quantity_times_time():
    run = {"Training hardware": "NVIDIA A100", "Hardware quantity": 16.0, "Training time (hours)": 200.0}
    assert facts(**run, **{"Training chip-hours": 2500.0})["accelerator_hours"] == 2500
    made = facts(**run, **{"Training chip-hours": 3200.0, "Power per GPU": 700.0})
    assert made["accelerator_hours"] is None
    assert "chip-hours not used: they are quantity × time" in made["remarks"]
    assert "power per GPU not used: it is not said whether host and cooling are inside" in made["remarks"]


def test_a_fine_tune_s_compute_and_dataset_are_not_used():
    base = {"Base model": "Llama 2-70B"}
    assert computed("6ND = 1e24", **base)["remarks"] == (
        "training compute not used: a fine-tune's includes the base model's"
    )
    assert sized("2T tokens", **base)["remarks"] == "dataset size not used: a fine-tune's may be the base model's"


def test_hardware_that_names_one_part_gives_its_key():
    made = fitted("Google TPU v4", PARTS)
    assert (made["accelerator"], made["peak_flops (TFLOP/s)"], made["remarks"]) == ("TPU_v4", None, None)
    assert made["accelerator_count"] == 8


def test_an_assumed_part_is_said():
    made = fitted("NVIDIA A100")
    assert made["accelerator"] == "A100_SXM4_40GB"
    assert made["remarks"] == "NVIDIA A100 taken as NVIDIA A100 SXM4 40GB: every A100 has this peak, not this power"


@pytest.mark.parametrize(
    "name", ["NVIDIA V100", "NVIDIA P100", "NVIDIA H100", "Huawei Ascend 910", "Huawei Ascend 910B"]
)
def test_a_name_of_parts_with_different_peaks_gives_neither_key_nor_peak(name):
    made = fitted(name, PARTS)
    assert (made["accelerator"], made["peak_flops (TFLOP/s)"]) == (None, None)
    assert made["remarks"] == f"hardware not used: {name} may be any of several parts of the catalog"


def test_several_kinds_of_hardware_give_neither_device_nor_count():
    made = fitted("Google TPU v4, Google TPU v3")
    assert (made["accelerator"], made["accelerator_count"]) == (None, None)
    assert made["remarks"] == "hardware and its quantity not used: several kinds (Google TPU v4, Google TPU v3)"
    assert fitted("Google TPU v4,Google TPU v4")["accelerator"] == "TPU_v4"
    assert fitted(None)["accelerator_count"] == 8


def test_the_hardware_file_gives_a_matrix_rate_and_never_its_fp16_column():
    made = fitted("Maia 100 (M100)", PARTS)
    assert (made["accelerator"], made["peak_flops (TFLOP/s)"]) == (None, 800.0)
    assert made["remarks"] == "Maia 100 (M100) is not in the catalog, peak from the hardware file"
    made = fitted("NVIDIA Titan V", PARTS)
    assert made["peak_flops (TFLOP/s)"] is None
    assert made["remarks"] == "NVIDIA Titan V is not in the catalog, no 16-bit matrix rate of it in the hardware file"
    assert fitted("Maia 100 (M100)", PARTS.select("Hardware name"))["peak_flops (TFLOP/s)"] is None
    assert fitted("Maia 100 (M100)")["remarks"] == "Maia 100 (M100) is not in the catalog"


@pytest.mark.parametrize(("raw", "peak"), [("BF16", 800.0), ("FP16", 800.0), ("FP8", None), ("FP32", None)])
def test_a_16_bit_rate_serves_16_bit_formats_only(raw, peak):
    assert fitted("Maia 100 (M100)", PARTS, **{"Numerical format": raw})["peak_flops (TFLOP/s)"] == peak


@pytest.mark.parametrize(("raw", "word"), [("BF16", "bf16"), ("TF32", "tf32"), ("FP8", "fp8"), (None, None)])
def test_a_number_format_is_read(raw, word):
    made = fitted("Google TPU v4", **{"Numerical format": raw})
    assert (made["precision"], made["remarks"]) == (word, None)


def test_several_number_formats_are_none():
    made = fitted("Google TPU v4", **{"Numerical format": "BF16,FP8"})
    assert (made["precision"], made["remarks"]) == (
        None,
        "number format not used: 'BF16,FP8' is no single known one",
    )


def test_facility_power_is_never_a_device_s_and_remarks_are_joined():
    made = facts(**{"Training power draw (W)": 2e6, "Training time (hours)": 36.0, "Parameters": 0.0})
    assert made["duration (hour)"] == 36
    assert made["remarks"] == f"Parameters not used: 0.0 is not a number above zero | {POWER}"
    assert "device_power" not in FACT_COLUMNS


def test_every_mapped_key_is_in_the_catalog_and_has_a_16_bit_peak():
    assert len(hardware_names()) == 67
    without = {key for key, _ in hardware_names().values() if Accelerators[key].peak() is None}
    assert without == {"GTX_1080_Ti"}  # which trains in fp32


APART = {
    "Intel Habana Gaudi2": "450 there; Intel's own table has 432",
    "NVIDIA GeForce RTX 4090": "with fp16 accumulation there",
    "Huawei Ascend 910C": "press reports there; Huawei's own paper has 752",
}


@pytest.fixture(scope="module")
def tables():
    read = {"infer_schema_length": None}
    return pl.read_csv(EPOCH / "notable_ai_models.csv", **read), pl.read_csv(EPOCH / "ml_hardware.csv", **read)


@pytest.fixture(scope="module")
def made(tables):
    return facts_of(*tables)


@pytest.mark.skipif(not EPOCH.exists(), reason="Epoch's files are not beside the checkout")
class TestRealFiles:
    def test_all_rows_pass_in_order_with_all_their_columns(self, tables, made):
        assert made.height == 954
        assert made.select(tables[0].columns).equals(tables[0])
        assert set(made["accelerator"].drop_nulls()) <= set(Accelerators)

    def test_every_mapped_name_is_one_of_epoch_s(self, tables):
        models, hardware = tables
        written = models["Training hardware"].drop_nulls().str.split(",").explode().str.strip_chars().to_list()
        known = {squash(name) for name in [*written, *hardware["Hardware name"]]}
        assert hardware_names().keys() <= known

    def test_a_mapped_peak_is_the_hardware_file_s_within_its_rounding(self, tables):
        rates = dict(tables[1].select("Hardware name", "Tensor-FP16/BF16 performance (FLOP/s)").iter_rows())
        compared = 0
        for name, rate in rates.items():
            found = hardware_names().get(squash(name))
            if found and rate and name not in APART:
                peak = Accelerators[found[0]].peak()
                assert peak.value.to("FLOP/s/accelerator").magnitude == pytest.approx(rate, rel=0.005)
                compared += 1
        assert compared > 40

    def test_how_many_rows_have_each_fact(self, made):
        counted = {header: made[header].count() for header in FACT_COLUMNS}
        assert counted == {
            "parameters": 631,
            "sparse": 18,
            "active_parameters": 10,
            "training_tokens": 24,
            "training_ops": 248,
            "accelerator": 199,
            "peak_flops (TFLOP/s)": 17,
            "precision": 0,
            "accelerator_count": 201,
            "duration (hour)": 222,
            "accelerator_hours": 0,
            "remarks": 604,
        }

    def test_how_many_rows_have_each_remark(self, made):
        said = Counter(each.split(": ")[0] for row in made["remarks"].drop_nulls() for each in row.split(" | "))
        assert said["dataset size not used"] == 494
        assert said["training compute not used"] == 235
        assert said["power not used"] == 187
        assert said["hardware not used"] == 58
        assert said["hardware and its quantity not used"] == 8
        assert said["parameters not used"] == 5

    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            (
                "GPT-3 175B (davinci)",
                {
                    "parameters": 175e9,
                    "training_tokens": None,
                    "training_ops": 3.14e23,
                    "accelerator": None,
                    "peak_flops (TFLOP/s)": 125.0,
                    "accelerator_count": 10_000,
                    "duration (hour)": 355.2,
                    "remarks": "dataset size not used: its notes do not give it in tokens | "
                    "NVIDIA Tesla V100 DGXS 32 GB is not in the catalog, peak from the hardware file | "
                    f"{POWER}",
                },
            ),
            (
                "PaLM (540B)",
                {
                    "parameters": 540.35e9,
                    "sparse": None,
                    "training_tokens": None,
                    "training_ops": 2.5272e24,
                    "accelerator": "TPU_v4",
                    "accelerator_count": 6144,
                    "duration (hour)": 1536,
                    "remarks": f"dataset size not used: its notes do not give it in tokens | {POWER}",
                },
            ),
            (
                "BLOOM-176B",
                {
                    "parameters": 176_247_271_424,
                    "training_tokens": 379e9,
                    "training_ops": None,
                    "accelerator": "A100_SXM4_80GB",
                    "accelerator_count": 384,
                    "duration (hour)": 2808,
                    "remarks": f"training compute not used: the notes assume a utilisation | {POWER}",
                },
            ),
            (
                "Llama 3.1-405B",
                {
                    "parameters": 405e9,
                    "training_tokens": 15.6e12,
                    "training_ops": 3.8e25,
                    "accelerator": "H100_SXM5_80GB",
                    "accelerator_count": 16_384,
                    "duration (hour)": 2142,
                    "remarks": POWER,
                },
            ),
            (
                "AlexNet",
                {
                    "parameters": 60e6,
                    "training_tokens": None,
                    "training_ops": 4.7e17,
                    "accelerator": None,
                    "peak_flops (TFLOP/s)": None,
                    "accelerator_count": None,
                    "duration (hour)": 132,
                },
            ),
            ("DeepSeek-V3", {"sparse": True, "active_parameters": 37e9, "parameters": 671e9}),
        ],
    )
    def test_known_rows(self, made, model, expected):
        row = made.filter(pl.col("Model") == model).row(0, named=True)
        assert {header: row[header] for header in expected} == expected
