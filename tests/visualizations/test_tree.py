"""The text tree: what it shows, and that it stays within its width."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hamilton.ad_hoc_utils import create_temporary_module
from hamilton.function_modifiers import subdag, value

from runlineage import Driver, Fact, PublishedRunScenario, Scenarios, as_quantity, kinds, metrics, tree
from runlineage.visualizations.tree import closed_routes, sources, unused_facts


def test_gpt3s_rate_as_a_tree() -> None:
    assert tree(Scenarios.Gpt3PublishedRun.lineage("peak_fraction")) == (
        "peak_fraction = 0.196446\n"
        "  achieved_rate ÷ peak_flops (derived)\n"
        "  = 24.5558 TFLOP/s per accelerator ÷ 125 TFLOP/s per accelerator\n"
        "├─ achieved_rate = 24.5558 TFLOP/s per accelerator\n"
        "│  │ by reference_run: training_ops ÷ (accelerator_count × duration) (derived)\n"
        "│  │ = 3.14×10²³ flop ÷ (10,000 accelerator × 14.8 day)\n"
        "│  │ printed 24.6 TFLOP/s per accelerator (agrees)\n"
        "│  ├─ training_ops = 3.14×10²³ flop\n"
        "│  │    stated, Brown et al. (2020), Table D.1\n"
        "│  │    Six operations a parameter and token; attention is left out.\n"
        "│  ├─ accelerator_count = 10,000 accelerator\n"
        "│  │    stated, Patterson et al. (2021), Table 4\n"
        "│  │    Taken by the study from a description of the cluster.\n"
        "│  └─ duration = 14.8 day\n"
        "│       stated, Patterson et al. (2021), Table 4\n"
        "└─ peak_flops = 125 TFLOP/s per accelerator\n"
        "   │ assumed, NVIDIA (2020), specifications table, NVLink column\n"
        "   │ precision not stated: dense 16-bit matrix peak\n"
        "   └─ accelerator = NVIDIA V100 SXM2 16GB\n"
        "        assumed, Patterson et al. (2021), Table 4\n"
        "        A V100 is stated, its variant is not."
    )


def test_an_assumption_is_told_in_the_tree() -> None:
    case = Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"])
    assert 'by tdp: accelerator_tdp (assumption "tdp")' in tree(case.lineage("energy"))


def test_a_quantity_already_shown_is_not_unfolded_again() -> None:
    text = tree(Scenarios.Llama31_405BPublishedRun.lineage(["achieved_rate", "peak_fraction"]))
    assert "achieved_rate = 341.44 TFLOP/s per accelerator (see above)" in text
    assert text.count("training_tokens = ") == 1


@pytest.mark.parametrize("key", list(Scenarios))
def test_every_run_fits_eighty_columns_but_for_links(key: str) -> None:
    lineage = Scenarios[key].lineage()
    for text in (tree(lineage), closed_routes(lineage), unused_facts(lineage), sources(lineage)):
        assert all(len(line) < 80 for line in text.splitlines() if "http" not in line)


def test_routes_not_taken_say_why() -> None:
    assert closed_routes(Scenarios.Gpt3PublishedRun.lineage(["training_operations", "achieved_rate"])).splitlines() == [
        "  training_operations by parameter_token: possible, would give 3.1428×10²³",
        "    flop; not preferred",
        "  training_operations by with_attention: possible, would give 3.22977×10²³",
        "    flop; not preferred",
        "  achieved_rate by reported: possible, would give 24.6 TFLOP/s per accelerator;",
        "    not preferred",
        "  achieved_rate by accelerator_time: needs accelerator_hours",
        '  achieved_rate by modeled_reference: not assumed ("modeled_reference")',
    ]


def test_what_is_published_and_not_used_says_why() -> None:
    assert unused_facts(Scenarios["BLOOM 176B"].lineage("facility_energy")).startswith(
        "  pue: 1.2 [luccioni2022, Sec. 4.2]: The 24.69 t of the authors leave it out"
    )


def test_sources_are_listed_once_with_link_and_date() -> None:
    text = sources(Scenarios.Gpt3PublishedRun.lineage())
    assert text.count("[patterson2021]") == 1
    assert "https://arxiv.org/abs/2104.10350 (read first hand on 2026-11-30)" in " ".join(text.split())


def share(log: pd.DataFrame, hours: pd.Series, few: np.ndarray, remark: str) -> float:
    return 1 / 3


def test_a_users_own_values_are_told_in_short() -> None:
    driver = Driver(metrics, create_temporary_module(share))
    log = pd.DataFrame({"a": range(9), "b": 1})
    facts = {"log": log, "hours": pd.Series(range(9), name="named"), "few": np.ones(3), "remark": "so much " * 30}
    lines = tree(driver.lineage("share", facts)).splitlines()
    assert [line for line in lines if " = " in line] == [
        "share = 0.333333",
        "├─ log = DataFrame of 9 × 2",
        "├─ hours = Series of 9",
        "├─ few = [1. 1. 1.]",
        "└─ remark = so much so much so much so much so …",
    ]


@subdag(
    metrics,
    inputs={
        "accelerator_hours": value(as_quantity(1e6, field="accelerator_hours")),
        "device_power": value(as_quantity(400, field="device_power")),
    },
)
def mine(energy: kinds.Energy) -> float:
    """Halve it.

    mine = energy ÷ 2
    """
    return float(energy.m_as("GWh")) / 2


def test_a_fact_written_into_a_subdag_is_told_as_a_fact_and_our_node_with_its_equation() -> None:
    assert tree(Driver(create_temporary_module(mine)).lineage("mine")) == (
        "mine = 0.2\n"
        "  energy ÷ 2 (derived)\n"
        "  = 0.4 GWh ÷ 2\n"
        "└─ mine.energy = 0.4 GWh\n"
        "   │ accelerator_hours × device_power (derived)\n"
        "   │ = 1,000,000 accelerator·hour × 400 W per accelerator\n"
        "   │ excludes facility overhead, varying power\n"
        "   ├─ mine.accelerator_hours = 1,000,000 accelerator·hour\n"
        "   │    stated, given by the caller\n"
        "   │    written in mine\n"
        "   └─ mine.device_power = 400 W per accelerator\n"
        "        stated, given by the caller\n"
        "        written in mine"
    )


def test_what_would_steer_a_terminal_or_cannot_be_written_is_dropped() -> None:
    power = Fact("400 W", source="log\ud800", place="\x1b[31mred", note="turned \u202e round")
    text = tree(PublishedRunScenario(accelerator_hours=1e6, device_power=power).lineage("energy"))
    assert 'stated, "log ",  [31mred' in text
    assert all(letter.isprintable() or letter == "\n" for letter in text)
