"""The lineage of a run of stages: its entries, its files, and what is read back from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runlineage import (
    CatalogError,
    Fact,
    Lineage,
    Scenarios,
    StagedRun,
    UnknownNameError,
    lineage_json,
    prov_json,
    read_lineage,
    read_lineages,
    together,
)
from runlineage.dataflow.exchange.lineage_file import read_file
from runlineage.dataflow.exchange.schema import digest_of

RUN = StagedRun(
    {
        "pre-training": {"accelerator_hours": Fact(2e6, source="a report", place="Table 1")},
        "reasoning": {"accelerator_hours": 1e6, "accelerator": "B200", "pue": None},
        "tuning": {"accelerator_hours": 5e4, "workload": "BLOOM 176B", "accelerator_count": 10, "duration": "200 days"},
    },
    name="mine",
    workload="PaLM 540B",
    accelerator="H100 SXM",
    pue=1.1,
    accelerator_hours="3.05M",
    assume={"tdp"},
)
ASKED = ("accelerator_hours", "energy", "facility_energy", "training_operations", "mfu")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        path = tmp_path / "lineage.json"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_each_stage_has_its_entries_and_what_is_shared_stands_once() -> None:
    lineage = RUN.lineage("energy")
    assert lineage.outputs == ("energy",)
    assert lineage.entries["energy"].route == "stages"
    assert lineage.entries["energy"].parents == tuple(f"energy of {stage}" for stage in RUN.stages)
    assert lineage.entries["energy of tuning"].parents == ("accelerator_hours of tuning", "device_power of tuning")
    assert lineage.entries["device_power of tuning"].parents == ("accelerator_tdp",)
    assert lineage.entries["device_power of pre-training"].parents == ("accelerator_tdp",)
    assert lineage.entries["device_power of reasoning"].parents == ("accelerator_tdp of reasoning",)
    assert lineage.entries["accelerator of reasoning"].value == "NVIDIA B200 SXM"
    assert all(parent in lineage.entries for entry in lineage.entries.values() for parent in entry.parents)
    assert lineage.entries["energy"].working == "1.4 GWh + 1 GWh + 0.035 GWh"


def test_every_number_of_a_stage_is_that_of_the_stage_alone() -> None:
    lineage = RUN.lineage("energy")
    for stage, run in RUN.stages.items():
        assert lineage.entries[f"energy of {stage}"].value == run.energy


def test_upstream_and_downstream_follow_one_stage() -> None:
    lineage = RUN.lineage("energy")
    assert "accelerator_hours of reasoning" not in lineage.upstream("energy of tuning").entries
    assert list(lineage.downstream("accelerator_hours of tuning").entries) == [
        "accelerator_hours of tuning",
        "energy of tuning",
        "energy",
    ]


def test_a_figure_of_the_whole_is_told_apart_from_sums() -> None:
    run = StagedRun({"a": {"accelerator_hours": 10}, "b": {}}, accelerator_hours=100, device_power="700 W")
    lineage = run.lineage(("accelerator_hours", "energy"))
    assert lineage.entries["accelerator_hours"].value.magnitude == 100
    assert lineage.entries["energy"].parents == ("accelerator_hours", "device_power")
    alone = run.lineage("energy")
    assert alone.entries["energy"].parents == ("accelerator_hours of the whole", "device_power")
    assert alone.entries["energy"].closed == (("stages", "needs accelerator_hours in b"),)


def test_a_whole_that_computes_an_amount_stands_beside_the_sum() -> None:
    run = StagedRun({"a": {"accelerator_hours": 10}, "b": {"accelerator_hours": 20}}, device_power="1 kW",
                    accelerator_hours=40)  # fmt: skip
    entry = run.lineage("energy").entries["energy"]
    assert [(way.name, way.state) for way in entry.ways] == [("stages", "taken"), ("the whole", "open")]
    assert entry.ways[1].value.m_as("kWh") == pytest.approx(40)


@pytest.mark.parametrize("written", [lineage_json, prov_json])
def test_a_run_of_stages_is_computed_anew_from_its_file(
    write: Callable[[str], Path], written: Callable[[Lineage], str]
) -> None:
    lineage = RUN.lineage(ASKED)
    again = read_lineage(write(written(lineage)))
    assert isinstance(again, StagedRun)
    assert again.results(ASKED) == RUN.results(ASKED)
    assert {stage: set(run.inputs.given) for stage, run in again.stages.items()} == {
        stage: set(run.inputs.given) for stage, run in RUN.stages.items()
    }
    assert written(again.lineage(ASKED)) == written(lineage)


def test_a_stage_and_a_stage_of_one_run_of_several_are_read(write: Callable[[str], Path]) -> None:
    path = write(lineage_json(RUN.lineage("energy")))
    assert read_lineage(path, "Tuning").name == "tuning of mine"
    assert read_file(f"{path}#tuning").energy == RUN.stage("tuning").energy
    assert read_file(f"{path}#mine#tuning").energy == RUN.stage("tuning").energy
    assert isinstance(read_file(f"{path}#mine"), StagedRun)
    with pytest.raises(UnknownNameError, match="unknown stage 'rl'"):
        read_file(f"{path}#rl")
    write(lineage_json(together(RUN.lineage("energy"), Scenarios["LLaMA 65B"].lineage("energy"))))
    assert [run.name for run in read_lineages(path)] == ["mine", "LLaMA 65B"]
    assert read_file(f"{path}#mine#tuning").energy == RUN.stage("tuning").energy
    with pytest.raises(UnknownNameError, match="unknown run 'tuning'"):
        read_file(f"{path}#tuning")


def _edited(change: Callable[[dict[str, Any]], None]) -> str:
    raw = json.loads(lineage_json(RUN.lineage("energy")))
    change(raw["runs"][0]["stages"][0])
    return json.dumps(raw)


def _sealed_anew(record: dict[str, Any]) -> None:
    record["digest"] = digest_of(record)


def test_an_edited_fact_of_a_stage_is_refused_with_its_place(write: Callable[[str], Path]) -> None:
    def fact(stage: dict[str, Any]) -> None:
        stage["facts"][0]["value"] = 1e6

    def name(stage: dict[str, Any]) -> None:
        stage["name"] = "other"

    with pytest.raises(CatalogError, match=r"runs\[0\].stages\[0\] \(pre-training\).facts\[0\] \(accelerator_hours\)"):
        read_lineage(write(_edited(fact)))
    with pytest.raises(CatalogError, match=r"runs\[0\].stages\[0\] \(other\): was edited"):
        read_lineage(write(_edited(name)))


def test_numbers_that_the_stages_do_not_give_are_refused(write: Callable[[str], Path]) -> None:
    raw = json.loads(lineage_json(RUN.lineage("energy")))
    stage = raw["runs"][0]["stages"][0]
    stage["facts"][0]["value"] = 1e6
    for record in (stage["facts"][0], stage, raw["runs"][0], raw):
        _sealed_anew(record)
    with pytest.raises(CatalogError, match=r"energy of pre-training\): is 1.4 GWh, and its facts give 0.7;"):
        read_lineage(write(json.dumps(raw)))


def test_two_stages_of_one_name_and_an_unknown_field_are_refused(write: Callable[[str], Path]) -> None:
    raw = json.loads(lineage_json(RUN.lineage("energy")))
    stages = raw["runs"][0]["stages"]
    stages[1]["name"] = "pre-training"
    stages[2]["facts"][0]["name"] = "foo"
    for record in (stages[2]["facts"][0], stages[1], stages[2], raw["runs"][0], raw):
        _sealed_anew(record)
    with pytest.raises(CatalogError) as caught:
        read_lineage(write(json.dumps(raw)))
    assert "stages[1] (pre-training): appears twice; keep one" in str(caught.value)
    assert "stages[2] (tuning).facts[0] (foo): is not a field of this package" in str(caught.value)


def test_a_run_without_stages_has_none_in_its_file() -> None:
    assert "stages" not in json.loads(lineage_json(Scenarios["LLaMA 65B"].lineage()))["runs"][0]
