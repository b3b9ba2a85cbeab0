"""DOT: the same bytes always, boxes by kind, and nothing that a name can break."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from runlineage import PublishedRunScenario, Scenarios, dot

SCRIPT = "from runlineage import Scenarios, dot; print(dot(Scenarios.Llama31_405BPublishedRun.lineage()), end='')"


def test_the_same_bytes_for_every_hash_seed() -> None:
    made = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert made == {dot(Scenarios.Llama31_405BPublishedRun.lineage()).encode()}


def test_every_quantity_has_a_box_and_every_parent_an_edge() -> None:
    lineage = Scenarios.Gpt3PublishedRun.lineage()
    text = dot(lineage)
    for name, entry in lineage.entries.items():
        assert f'\n  "{name}" [' in text
        assert all(f'  "{parent}" -> "{name}";\n' in text for parent in entry.parents)


def test_only_the_route_taken_is_drawn() -> None:
    assert "modeled_reference" not in dot(Scenarios.Gpt3PublishedRun.lineage())


@pytest.mark.parametrize(("name", "style"), [("device_power", "filled,dashed"), ("duration", "filled,rounded")])
def test_assumptions_and_facts_have_their_own_style(name: str, style: str) -> None:
    text = dot(Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"]).lineage("energy"))
    (box,) = (line for line in text.splitlines() if line.startswith(f'  "{name}" ['))
    assert f'style="{style}"' in box


def test_a_box_tells_value_unit_equation_route_and_source() -> None:
    text = dot(Scenarios.Gpt3PublishedRun.lineage("achieved_rate"))
    for part in ("24.5558 TFLOP/s per accelerator", "by reference_run", "= training_ops ÷", "Patterson et al. (2021)"):
        assert part in text


def test_names_cannot_break_out_of_their_box() -> None:
    name = 'x"]; evil [label="<script>alert(1)</script> & \\ \n\u202e'
    text = dot(PublishedRunScenario(name=name, training_ops=1e23).lineage("training_operations"))
    assert "\n  evil" not in text
    assert "x&quot;]; evil [label=&quot;&lt;script&gt;" in text
    assert "<script>" not in text


def test_a_warning_stands_in_the_picture() -> None:
    run = PublishedRunScenario(training_ops=3e24, accelerator_hours=1e6, peak_flops=125)
    assert "no device works above its dense peak" in " ".join(dot(run.lineage("peak_fraction")).split())
