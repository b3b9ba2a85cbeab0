"""Lineage as W3C PROV-JSON: well-formed for the `prov` package, and every record where it belongs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from prov.model import ProvDocument

from runlineage import CatalogError, PublishedRunScenario, Scenarios, prov_json, read_lineage, read_lineages
from runlineage.catalogs.records.facts import Fact

GPT3 = Scenarios.Gpt3PublishedRun


def again(text: str) -> str:
    """Through the `prov` package and back, with keys sorted."""
    return ProvDocument.deserialize(content=text).serialize(indent=2, sort_keys=True, ensure_ascii=False)


def counts(text: str) -> Counter[str]:
    document = ProvDocument.deserialize(content=text)
    held = [*document.get_records(), *(each for bundle in document.bundles for each in bundle.get_records())]
    return Counter(type(record).__name__ for record in held)


@pytest.mark.parametrize("key", list(Scenarios))
def test_what_every_run_writes_passes_through_the_prov_package_unchanged(key: str) -> None:
    text = prov_json(Scenarios[key].variant(assume={"tdp", "count_duration"}).lineage())
    assert json.loads(again(text)) == json.loads(text)
    assert ProvDocument.deserialize(content=again(text)) == ProvDocument.deserialize(content=text)


def test_facts_are_entities_and_routes_are_activities() -> None:
    written = json.loads(prov_json(GPT3.lineage("achieved_rate")))
    rate = "run:GPT-3_175B/achieved_rate"
    assert written["entity"][rate]["prov:value"] == {"$": "24.555805805805804", "type": "xsd:double"}
    assert written["activity"][f"{rate}/by/reference_run"]["terms:working"].startswith("3.14×10²³ flop ÷ (10,000")
    assert written["wasGeneratedBy"][f"{rate}/generated"]["prov:activity"] == f"{rate}/by/reference_run"
    assert [each["prov:entity"].rpartition("/")[2] for each in written["used"].values()] == [
        "accelerator_count",
        "duration",
        "training_ops",
    ]
    source = written["entity"]["source:brown2020"]
    assert source["dcterms:title"] == "Language Models are Few-Shot Learners"
    assert source["dcterms:identifier"] == "https://arxiv.org/abs/2005.14165"
    association = written["wasAssociatedWith"][f"{rate}/associated"]
    assert written["agent"][association["prov:agent"]]["terms:version"] == "0.1.0"


def test_every_record_of_one_metric_is_counted() -> None:
    assert counts(prov_json(GPT3.lineage("achieved_rate"))) == {
        "ProvEntity": 7,  # the lineage, three facts, the rate, two sources
        "ProvActivity": 1,
        "ProvAgent": 1,
        "ProvUsage": 3,
        "ProvGeneration": 1,
        "ProvDerivation": 6,  # three facts behind the rate, a source behind each fact
        "ProvAssociation": 1,
        "ProvAttribution": 1,
    }


def test_an_assumption_is_the_plan_of_its_route() -> None:
    run = PublishedRunScenario(name="mine", accelerator_hours=1, accelerator_tdp="400 W", assume={"tdp"})
    written = json.loads(prov_json(run.lineage("energy")))
    association = written["wasAssociatedWith"]["run:mine/device_power/associated"]
    assert association["prov:plan"] == "run:mine/assuming/tdp"
    assert {each["$"] for each in written["entity"]["run:mine/assuming/tdp"]["prov:type"]} == {
        "prov:Plan",
        "terms:Assumption",
    }
    assert written["wasAttributedTo"]["run:mine/accelerator_hours/attributed"]["prov:agent"] == "run:mine/caller"


def test_several_runs_are_bundles(tmp_path: Path) -> None:
    text = prov_json(Scenarios["BLOOM 176B"].lineage() + Scenarios["LLaMA 65B"].lineage())
    assert list(json.loads(text)["bundle"]) == ["run:BLOOM_176B/0", "run:LLaMA_65B/1"]
    assert json.loads(again(text)) == json.loads(text)
    path = tmp_path / "both.prov.json"
    path.write_text(text, encoding="utf-8")
    assert [run.energy for run in read_lineages(path)] == [Scenarios[key].energy for key in ("BLOOM 176B", "LLaMA 65B")]


def test_what_passed_through_another_program_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gpt3.prov.json"
    path.write_text(again(prov_json(GPT3.lineage())), encoding="utf-8")
    assert read_lineage(path).achieved_rate == GPT3.achieved_rate


@pytest.mark.parametrize(
    "name", ["<script>", "a.", "-b", ".c", "ü ~/#?", "right \u202eto left", "%", "\n", "\ud800", ":"]
)
def test_any_name_and_source_makes_a_well_formed_document(name: str, tmp_path: Path) -> None:
    power = Fact("400 W", "stated", name, name, name)
    lineage = PublishedRunScenario(name=name, accelerator_hours=1, device_power=power).lineage("energy")
    text = prov_json(lineage)
    assert json.loads(ProvDocument.deserialize(content=text).serialize()) == json.loads(text)
    path = tmp_path / "odd.json"
    path.write_text(text, encoding="utf-8")
    assert read_lineage(path).lineage("energy").entries["device_power"].place == name


def spoilt(tmp_path: Path, spoil: Any) -> str:
    document = json.loads(prov_json(GPT3.lineage("achieved_rate")))
    spoil(document)
    path = tmp_path / "gpt3.prov.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CatalogError) as caught:
        read_lineage(path)
    return str(caught.value).replace(str(path), "FILE")


def test_an_edited_record_is_refused_with_its_name(tmp_path: Path) -> None:
    def edit(document: Any) -> None:
        document["entity"]["run:GPT-3_175B/duration"]["prov:value"]["$"] = "7.4"
        del document["used"]

    assert spoilt(tmp_path, edit) == (
        "2 faults:\n"
        "  FILE: entity › run:GPT-3_175B/duration › prov:value › $: was edited; write a run file to change a fact\n"
        "  FILE: used: was edited; write a run file to change a fact"
    )


def test_an_edit_of_the_lineage_inside_is_refused(tmp_path: Path) -> None:
    def edit(document: Any) -> None:
        whole = document["entity"]["terms:lineage"]
        whole["prov:value"] = whole["prov:value"].replace('"place":"Table 4"', '"place":"Table 5"')

    assert "runs[0].entries[1] (accelerator_count): was edited" in spoilt(tmp_path, edit)


def test_what_carries_no_lineage_is_refused(tmp_path: Path) -> None:
    def edit(document: Any) -> None:
        document["entity"]["terms:lineage"]["prov:value"] = "{}"

    assert spoilt(tmp_path, edit) == (
        "FILE: entity.terms:lineage: carries no lineage; `runlineage why RUN --prov` writes one"
    )
