"""Bands and pairs: each bound is looked at from both sides, for runs and for the rows of tables alike."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from runlineage import HardwareNode, Scenarios, evaluate
from runlineage.catalogs.quantities.fields import FACTS
from runlineage.dataflow.inputs.pairs import PAIRS, Pair
from runlineage.dataflow.inputs.read_inputs import read_inputs

GPU = HardwareNode(name="Example GPU", peak_bf16="300 TFLOP/s", peak_fp8="600 TFLOP/s", tdp="500 W")
MODEL = {"parameters": "175B", "training_tokens": "300B"}


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (
            {"accelerator_hours": 1000, "accelerator_count": 10, "duration": "90 hours"},
            "accelerator_hours, 1,000 accelerator·hour, and accelerator_count × duration, 900 accelerator·hour, "
            "differ by 11%",
        ),
        (
            MODEL | {"training_ops": 3e25},
            "recorded work (training_ops), 3×10²⁵ flop, is 95.2381 times 6 N D, 3.15×10²³ flop: "
            "was a unit or a multiple misread?",
        ),
        (
            MODEL | {"training_ops": 3e20},
            "recorded work (training_ops), 3×10²⁰ flop, is 0.000952381 times 6 N D, 3.15×10²³ flop: "
            "was a unit or a multiple misread?",
        ),
        (
            {"accelerator": GPU, "precision": "bf16", "peak_flops": 600},
            "peak_flops, 600 TFLOP/s per accelerator, is 2 times the dense peak of Example GPU, 300 TFLOP/s per "
            "accelerator: a sparse figure?",
        ),
        (
            {"accelerator": GPU, "peak_flops": "19.5 TFLOP/s"},
            "peak_flops, 19.5 TFLOP/s per accelerator, is 0.065 times the dense peak of Example GPU, 300 TFLOP/s per "
            "accelerator: is it of this device, and of this number format?",
        ),
        (
            {"accelerator": GPU, "accelerator_tdp": "300 W"},
            "accelerator_tdp, 300 W per accelerator, is 0.6 times the design power of Example GPU, 500 W per "
            "accelerator: is it of this device?",
        ),
        (
            {"accelerator": GPU, "device_power": "1.2 kW"},
            "device_power, 1.2 kW per accelerator, is 2.4 times accelerator_tdp, 500 W per accelerator: "
            "is it a device's alone?",
        ),
        (
            {"accelerator_tdp": 500, "device_power": "7 W"},
            "device_power, 7 W per accelerator, is 0.014 times accelerator_tdp, 500 W per accelerator: "
            "in which unit is it?",
        ),
        (
            {"parameters": "7B", "active_parameters": "4.2M", "stage": "fine-tuning"},
            "active_parameters, 4,200,000 parameter, is 0.0006 times parameters, 7×10⁹ parameter: weights that are "
            "trained alone (adapters, LoRA) are not those that a token passes, and 6 N D under-counts",
        ),
        ({"pue": 4}, "pue is above 3: is it the PUE of the facility?"),
        ({"host_overhead": 100}, "host_overhead is above 3: is it the power of servers over that of their devices?"),
        (
            {"stage": "pre-training", "base_training_ops": 1e24},
            "base_training_ops is given, and the stage is pre-training, which starts from no model: which holds?",
        ),
    ],
)
def test_facts_that_hardly_go_together_are_warned_of(facts: dict[str, object], message: str) -> None:
    assert read_inputs(facts).warnings == (message,)


@pytest.mark.parametrize(
    "facts",
    [
        {"accelerator_hours": 1000, "accelerator_count": 10, "duration": "104 hours"},
        MODEL | {"training_ops": 3.14e23},
        MODEL | {"training_ops": 4.2e23, "active_parameters": "175B"},  # recomputation is a third more
        {"parameters": "671B", "active_parameters": "37B", "training_tokens": "14.8T", "training_ops": 3.3e24},
        {"parameters": "1T", "active_parameters": "5B", "sparse": True},
        {"accelerator": GPU, "precision": "fp8", "peak_flops": 600},
        {"accelerator": GPU, "device_power": "520 W"},
        {"pue": 2.9, "host_overhead": 1.8},
    ],
)
def test_facts_that_agree_are_not_doubted(facts: dict[str, object]) -> None:
    assert read_inputs(facts).warnings == ()


def test_a_column_is_doubted_by_its_worst_cell() -> None:
    (warning,) = read_inputs({"accelerator_tdp": 500, "device_power": np.array([480.0, 5000.0])}).warnings
    assert "is 10 times accelerator_tdp" in warning


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.fact} and {pair.against()}")
def test_a_pair_is_of_fields_and_bounded_and_asks_on_each_side(pair: Pair) -> None:
    assert {pair.fact, *pair.others, *pair.unless} <= FACTS.keys()
    assert 0 <= pair.least <= 1 <= pair.most
    assert pair.least < pair.most
    assert pair.is_close or bool(pair.least) == bool(pair.low)
    assert pair.is_close or (pair.most < math.inf) == bool(pair.high)


def test_a_row_is_told_what_a_run_is_told() -> None:
    table = pl.DataFrame(
        {
            "parameters": [175e9, 175e9, 175e9, 671e9],
            "active_parameters": [None, None, 175e9, 37e9],
            "training_tokens": [300e9, 300e9, 300e9, 14.8e12],
            "training_ops": [3e25, 3.14e23, 3e20, 3.3e24],
        }
    )
    slip = "times 6 N D: was a unit or a multiple misread?"
    assert evaluate(table, "training_operations")["problems"].to_list() == [
        f"recorded work (training_ops) is over 3 {slip}",
        None,
        f"recorded work (training_ops) is under 0.333 {slip}",
        None,
    ]


@pytest.mark.parametrize("key", list(Scenarios))
def test_no_catalogued_run_is_doubted_by_a_pair(key: str) -> None:
    doubts = [pair.called for pair in PAIRS for text in Scenarios[key].inputs.warnings if text.startswith(pair.called)]
    assert set(doubts) <= {"recorded work (training_ops)"}
    assert not [text for text in Scenarios[key].inputs.warnings if "6 N D, " in text]
