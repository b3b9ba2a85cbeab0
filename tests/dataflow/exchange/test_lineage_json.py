"""Lineage as JSON: it holds to its schema, and is the same text for the same lineage."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from pydantic import ValidationError

import runlineage
from runlineage import PublishedRunScenario, Scenarios, lineage_json
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.exchange import schema as lineageform
from runlineage.dataflow.exchange.schema import DocumentForm

SCHEMA_FILE = Path(lineageform.__file__).with_name("lineage.schema.json")
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def records(node: Any) -> list[Any]:
    """Every object and list of a document."""
    inner = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    return [node, *(each for one in inner for each in records(one))] if isinstance(node, (dict, list)) else []


def test_the_schema_is_that_of_the_records_and_describes_every_property() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert lineageform.schema() == SCHEMA
    properties = [each for node in records(SCHEMA) if isinstance(node, dict) for each in [node.get("properties", {})]]
    assert all("description" in said for each in properties for said in each.values())


@pytest.mark.parametrize("key", list(Scenarios))
def test_what_every_catalogued_run_writes_holds_to_the_schema(key: str) -> None:
    VALIDATOR.validate(json.loads(lineage_json(Scenarios[key].lineage())))


def test_several_runs_rows_and_columns_hold_to_the_schema() -> None:
    column = PublishedRunScenario(accelerator_hours=[1.0, 2.0], device_power="400 W").lineage("energy")
    grid = PublishedRunScenario(accelerator_hours=np.ones((2, 2)), device_power="400 W").lineage("energy")
    both = json.loads(lineage_json(column + grid + Scenarios["BLOOM 176B"].lineage()))
    VALIDATOR.validate(both)
    assert [run["subject"] for run in both["runs"]] == ["my run", "my run (2)", "BLOOM 176B"]
    assert both["runs"][0]["entries"][-1]["value"] == [0.0004 / 1e3, 0.0008 / 1e3]


def test_an_entry_tells_value_unit_route_source_and_ways() -> None:
    run = json.loads(lineage_json(Scenarios.Gpt3PublishedRun.lineage("achieved_rate")))["runs"][0]
    count, rate = run["entries"][1], run["entries"][3]
    assert (count["name"], count["value"], count["unit"]) == ("accelerator_count", 10000.0, "accelerator")
    assert (count["route"], count["source"], count["place"]) == ("supplied", "patterson2021", "Table 4")
    assert run["sources"]["patterson2021"]["authors"] == "Patterson et al."
    assert rate["value"] == Scenarios.Gpt3PublishedRun.achieved_rate.magnitude
    assert rate["working"] == "3.14×10²³ flop ÷ (10,000 accelerator × 14.8 day)"
    assert [(way["name"], way["state"], way["lacks"]) for way in rate["ways"]] == [
        ("reference_run", "taken", None),
        ("accelerator_time", "closed", "needs accelerator_hours"),
        ("modeled_reference", "closed", 'not assumed ("modeled_reference")'),
    ]


def test_what_a_caller_gives_has_no_source() -> None:
    run = PublishedRunScenario(accelerator_hours=1e6, device_power="400 W")
    entries = json.loads(lineage_json(run.lineage("energy")))["runs"][0]["entries"]
    assert [each["source"] for each in entries] == [None, None, None]


def test_the_text_is_the_same_for_every_hash_seed() -> None:
    script = "from runlineage import *; print(lineage_json(Scenarios.Gpt3PublishedRun.lineage()))"
    said = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


HOSTILE = '<script>alert(1)</script>\n"quoted" \u202eright to left\u202c \x1b[31m \ud800'


def test_hostile_text_stays_as_it_is_and_is_escaped() -> None:
    note = Fact("400 W", "stated", HOSTILE, HOSTILE, HOSTILE)
    text = lineage_json(PublishedRunScenario(accelerator_hours=1, device_power=note).lineage("energy"))
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    entry = json.loads(text)["runs"][0]["entries"][1]
    assert (entry["source"], entry["place"], entry["note"]) == (HOSTILE, HOSTILE, HOSTILE)


@pytest.mark.parametrize(
    ("value", "written"),
    [({}, "dict of 0"), ({"a": 1}, "dict of 1"), (float("nan"), "nan"), ([1.0, float("inf")], "list of 2")],
)
def test_a_value_that_json_cannot_hold_is_written_by_its_type_and_size(value: Any, written: str) -> None:
    lineage = PublishedRunScenario(energy="1 GWh").lineage("energy")
    odd = replace(lineage, entries={"energy": replace(lineage.entries["energy"], value=value)})
    text = lineage_json(odd)
    VALIDATOR.validate(json.loads(text))
    assert json.loads(text)["runs"][0]["entries"][0]["value"] == written


def test_schema_and_reader_refuse_the_same() -> None:
    good = json.loads(lineage_json(Scenarios.Gpt3PublishedRun.lineage()))
    chance = random.Random(4)
    verdicts = []
    for _ in range(400):
        bad = copy.deepcopy(good)
        node = chance.choice(records(bad))
        key = chance.choice(list(node) if isinstance(node, dict) else range(len(node))) if node else None
        if key is None:
            continue
        if chance.random() < 0.4:
            del node[key]
        else:
            node[key] = chance.choice([None, 5, "words", [], {}, True, [1.0], {"a": 1}])
        try:
            DocumentForm.model_validate(bad)
            reads = True
        except ValidationError:
            reads = False
        assert VALIDATOR.is_valid(bad) == reads
        verdicts.append(reads)
    assert verdicts.count(False) > 150


@pytest.mark.parametrize(
    "spoil",
    [
        lambda run: run.pop("facts"),
        lambda run: run.update(more=1),
        lambda run: run["entries"][0].update(basis="guessed"),
        lambda run: run["entries"][0].update(value=[]),
        lambda run: run["entries"][0].update(digest="0"),
        lambda run: run["sources"].update(x={}),
    ],
)
def test_the_schema_refuses_what_is_not_of_the_format(spoil: Any) -> None:
    document = json.loads(lineage_json(Scenarios.Gpt3PublishedRun.lineage()))
    spoil(document["runs"][0])
    assert not VALIDATOR.is_valid(document)


def test_the_version_is_that_of_the_package() -> None:
    written = json.loads(lineage_json(Scenarios.Gpt3PublishedRun.lineage("energy")))
    assert written["software"] == {"name": "runlineage", "version": runlineage.__version__}
