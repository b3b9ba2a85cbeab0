"""A lineage read back: the same numbers, and every edit refused with its place."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage import (
    AmbiguousNameError,
    CatalogError,
    Driver,
    InputError,
    Lineage,
    PublishedRunScenario,
    Scenarios,
    UnknownNameError,
    lineage_json,
    prov_json,
    read_lineage,
    read_lineages,
    read_run,
)
from runlineage.catalogs.catalog import Accelerators, Sources
from runlineage.catalogs.quantities.fields import METRICS, RUN_FACTS
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.exchange.lineage_file import read_file
from runlineage.dataflow.exchange.schema import digest_of

WRITERS = [lineage_json, prov_json]
ASSUMPTIONS = [(), ("tdp", "count_duration"), ("modeled_reference",)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lineage")


def back(lineage: Lineage, folder: Path, write: Callable[[Lineage], str] = lineage_json) -> PublishedRunScenario:
    path = folder / "lineage.json"
    path.write_text(write(lineage), encoding="utf-8")
    return read_lineage(path)


def spoilt(lineage: Lineage, folder: Path, spoil: Callable[[dict[str, Any]], Any]) -> str:
    document = json.loads(lineage_json(lineage))
    spoil(document)
    path = folder / "lineage.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CatalogError) as caught:
        read_lineage(path)
    return str(caught.value).replace(str(path), "FILE")


def sealed(record: dict[str, Any], **changes: Any) -> None:
    """Edit a record and forge its digest."""
    record.update(changes)
    record["digest"] = digest_of(record)


def assert_same(one: PublishedRunScenario, other: PublishedRunScenario) -> None:
    first, second = one.results(), other.results()
    assert other.name == one.name
    assert second.warnings == first.warnings
    for metric in METRICS:
        mine, theirs = first.result(metric), second.result(metric)
        assert np.array_equal(np.asarray(mine.as_json()["value"]), np.asarray(theirs.as_json()["value"]))
        assert (mine.route, mine.assumes, mine.sources, mine.note) == (
            theirs.route,
            theirs.assumes,
            theirs.sources,
            theirs.note,
        )
        assert str(mine.problem) == str(theirs.problem)
    assert_same_text(one, other)


def assert_same_text(one: PublishedRunScenario, other: PublishedRunScenario) -> None:
    """Values, routes, assumptions, sources, notes and warnings: all of it stands in the text."""
    assert lineage_json(other.lineage()) == lineage_json(one.lineage())


@pytest.mark.parametrize("assume", ASSUMPTIONS, ids="+".join)
@pytest.mark.parametrize("key", list(Scenarios))
def test_every_catalogued_run_comes_back_the_same(folder: Path, key: str, assume: tuple[str, ...]) -> None:
    run = Scenarios[key].variant(assume=assume, name=Scenarios[key].name)
    assert_same(run, back(run.lineage(), folder, lineage_json))
    assert_same_text(run, back(run.lineage(), folder, prov_json))


@pytest.mark.parametrize("metric", list(METRICS))
def test_the_lineage_of_one_metric_holds_the_whole_run(folder: Path, metric: str) -> None:
    assert_same(Scenarios.Gpt3PublishedRun, back(Scenarios.Gpt3PublishedRun.lineage(metric), folder))


def test_a_part_of_a_lineage_can_be_computed_anew_too(folder: Path) -> None:
    whole = Scenarios.Gpt3PublishedRun.lineage()
    for part in (whole.downstream("duration"), whole.upstream("peak_flops"), whole.upstream("achieved_rate")):
        assert_same(Scenarios.Gpt3PublishedRun, back(part, folder))


AMOUNTS = st.floats(min_value=1.0, max_value=1e4)  # within the bands of all fields
GIVEN = st.dictionaries(st.sampled_from([name for name in RUN_FACTS if name != "active_parameters"]), AMOUNTS)


@given(
    facts=GIVEN,
    words=st.fixed_dictionaries(
        {},
        optional={
            "accelerator": st.sampled_from(["H100 SXM", "V100_SXM2_16GB"]),
            "precision": st.just("fp16"),
            "sparse": st.booleans(),
            "power_basis": st.sampled_from(["tdp", "measured_device", "measured_system"]),
            "work_counts": st.sampled_from(["model", "hardware"]),
            "architecture": st.sampled_from(["decoder", "encoder-decoder"]),
        },
    ),
    texts=st.lists(st.text(max_size=12), min_size=3, max_size=3),
    assume=st.sets(st.sampled_from(["tdp", "count_duration", "modeled_reference"])),
)
def test_any_facts_come_back_the_same(
    folder: Path, facts: dict[str, float], words: dict[str, Any], texts: list[str], assume: set[str]
) -> None:
    source, place, note = texts
    stated = {name: Fact(value, "stated", source, place, note) for name, value in facts.items()}
    run = PublishedRunScenario(name="mine", assume=assume, **stated, **words)
    for write in WRITERS:
        assert_same(run, back(run.lineage(), folder, write))


@pytest.mark.parametrize("write", WRITERS)
def test_columns_units_periods_and_withheld_totals_come_back(folder: Path, write: Callable[[Lineage], str]) -> None:
    column = PublishedRunScenario(accelerator_hours=[1.0, 2.5, 3e6], device_power="0.7 kW", training_ops=1e21)
    grid = PublishedRunScenario(accelerator_hours=np.ones((2, 3)), device_power="400 W")
    parts = PublishedRunScenario(
        training_ops="3640 petaflop/s-days",
        periods=[{"accelerator_count": 10, "duration": "10 h"}, {"accelerator_count": 7, "duration": "3 days"}],
        peak_flops=Fact("0.125 PFLOP/s", "derived", "a card", None, "a note", "why", (Fact("1 PFLOP/s", source="b"),)),
    )
    sparse = PublishedRunScenario(parameters="671B", sparse=True, training_tokens="1T")
    for run in (column, grid, parts, sparse):
        assert_same(run, back(run.lineage(), folder, write))


def test_a_row_of_a_table_comes_back(folder: Path) -> None:
    import polars as pl

    from runlineage.dataflow.tables.one_row import run_of_row

    table = pl.LazyFrame({"accelerator_hours": ["30.84M"], "device_power (kW)": [0.7], "accelerator": ["H100 SXM"]})
    run = run_of_row(table, 1, "models.csv")
    assert_same(run, back(run.lineage(), folder))


def test_a_device_of_the_users_own_comes_back(folder: Path) -> None:
    node = HardwareNode(name="X1", peak_bf16="100 TFLOP/s", tdp="300 W")
    run = PublishedRunScenario(training_ops=1e20, accelerator_hours=1e6, accelerator=node)
    assert_same(run, back(run.lineage(), folder))


def test_a_read_run_can_be_changed(folder: Path) -> None:
    read = back(Scenarios.Gpt3PublishedRun.lineage("achieved_rate"), folder)
    assert read.variant(duration="7.4 days").achieved_rate == 2 * Scenarios.Gpt3PublishedRun.achieved_rate


def test_a_catalog_that_changed_is_told_and_the_file_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Scenarios.Gpt3PublishedRun.variant(assume={"tdp", "count_duration"}, name="GPT-3")
    expected = lineage_json(run.lineage())
    path = folder / "old.json"
    path.write_text(expected, encoding="utf-8")
    now = HardwareNode(key="V100_SXM2_16GB", name="other", peak_fp16="130 TFLOP/s", tdp="310 W")
    monkeypatch.setitem(Accelerators._made, "V100_SXM2_16GB", now)
    read = read_lineage(path)
    assert read.results().warnings == (
        "peak_flops of NVIDIA V100 SXM2 16GB, 125 TFLOP/s per accelerator, differs from the catalog, which has "
        "130 TFLOP/s per accelerator",
        "accelerator_tdp of NVIDIA V100 SXM2 16GB, 300 W per accelerator, differs from the catalog, which has "
        "310 W per accelerator",
    )
    assert read.result("peak_fraction").value.magnitude == pytest.approx(0.196446446)
    assert read.result("peak_fraction").note == "of 125 TFLOP/s (precision not stated, device variant assumed)"


def test_sources_that_the_readers_catalog_lacks_stand_in_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "old.json"
    path.write_text(lineage_json(Scenarios.Gpt3PublishedRun.lineage()), encoding="utf-8")
    monkeypatch.setattr(type(Sources), "__contains__", lambda self, name: False)
    citation = read_lineage(path).lineage().entries["duration"].citation
    assert citation is not None
    assert citation.title == "Carbon Emissions and Large Neural Network Training"


def test_of_several_runs_one_is_named(folder: Path) -> None:
    path = folder / "both.json"
    path.write_text(lineage_json(Scenarios["BLOOM 176B"].lineage() + Scenarios["LLaMA 65B"].lineage()))
    assert read_lineage(path, "LLaMA 65B").energy == Scenarios["LLaMA 65B"].energy
    assert [run.name for run in read_lineages(path)] == ["BLOOM 176B", "LLaMA 65B"]
    assert read_file(f"{path}#BLOOM 176B").name == "BLOOM 176B"
    with pytest.raises(AmbiguousNameError, match=r"matches several; use one of: .*both.json#BLOOM 176B, "):
        read_lineage(path)
    with pytest.raises(UnknownNameError, match=r"unknown run 'LLaMA 66B'; the nearest: LLaMA 65B; .* has BLOOM 176B"):
        read_lineage(path, "LLaMA 66B")


GPT3 = Scenarios.Gpt3PublishedRun
EDITS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (
        lambda run: run["entries"][3].update(value=25.0),
        "FILE: runs[0].entries[3] (achieved_rate): is 25 TFLOP/s per accelerator, and its facts give 24.5558; ",
    ),
    (
        lambda run: sealed(run["entries"][3], value=25.0),
        "FILE: runs[0].entries[3] (achieved_rate): is 25 TFLOP/s per accelerator, and its facts give 24.5558; ",
    ),
    (
        lambda run: run["entries"][3].update(unit="PFLOP/s"),
        "is 24.5558 PFLOP/s, and its facts give 24.5558 TFLOP/s per accelerator; ",
    ),
    (
        lambda run: sealed(run["entries"][3], route="accelerator_time"),
        "has the route 'accelerator_time', and its facts ",
    ),
    (lambda run: run["entries"][3].update(working="1 + 1"), "FILE: runs[0].entries[3] (achieved_rate): was edited: "),
    (lambda run: run["entries"][2].update(value=7.4), "FILE: runs[0].entries[2] (duration): was edited: its digest is"),
    (
        lambda run: sealed(run["entries"][2], value=7.4),
        "(duration): is 7.4 day, and its facts give 14.8; ",
    ),
    (lambda run: run["facts"][6].update(place="Table 5"), "FILE: runs[0].facts[6] (parameters): was edited"),
    (lambda run: run["sources"]["brown2020"].update(title="X"), "FILE: runs[0].sources.brown2020: was edited"),
    (lambda run: run["hardware"].update(vendor="X"), "FILE: runs[0].hardware: was edited"),
    (lambda run: run.update(warnings=["all is well"]), "FILE: runs[0]: was edited outside its entries and facts"),
    (
        lambda run: sealed(run["sources"]["brown2020"], read_on="2026-02-31"),
        "brown2020.read_on: is '2026-02-31', which is no day",
    ),
    (lambda run: sealed(run["facts"][0], name="secret"), "FILE: runs[0].facts[0] (secret): is not a field of this "),
    (
        lambda run: run["facts"].append(run["facts"][0]),
        "FILE: runs[0].facts[16] (accelerator): appears twice; keep one",
    ),
    (lambda run: run.update(assume=["magic"]), "FILE: runs[0]: unknown assumption 'magic'"),
    (lambda run: run.update(hardware=None), "FILE: runs[0].hardware : is null, and an accelerator is named"),
]


@pytest.mark.parametrize(("spoil", "said"), EDITS)
def test_an_edit_is_refused_with_its_place(
    folder: Path, spoil: Callable[[dict[str, Any]], Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edit(document: dict[str, Any]) -> None:
        spoil(document["runs"][0])
        if "edited outside" not in said:
            sealed(document["runs"][0])
            sealed(document)

    message = spoilt(GPT3.lineage("achieved_rate"), folder, edit)
    assert said in message
    assert "write a run file to change a fact" in message or "edited" not in message


def test_an_edit_of_the_catalogs_fingerprint_is_refused(folder: Path) -> None:
    said = spoilt(GPT3.lineage("energy"), folder, lambda document: document.update(catalog="0" * 12))
    assert said == "FILE: software, catalog or runs: were edited; write a run file to change a fact"


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("duration", {"value": -1.0}, "duration: -1 day is not above zero"),
        ("duration", {"value": True}, "value: is True; expected a number with its unit"),
        ("duration", {"value": 10**90}, "is beyond what a run can have"),
        ("duration", {"value": [[1.0], [1.0, 2.0]]}, "expected numbers, in rows of one length"),
        ("duration", {"unit": "W/accelerator"}, "which is not a wall-clock duration"),
        ("duration", {"unit": "parsec"}, "unit: is 'parsec', which is not known here; expected a unit such as"),
        ("duration", {"unit": "__class__"}, "unit: is '__class__', which is not known here"),
        ("duration", {"unit": "_x"}, "unit: is '_x', which is not known here"),
        ("duration", {"unit": "day*x__init__"}, "unit: is 'day*x__init__', which is not known here"),
        ("duration", {"unit": "day^0"}, "unit: is 'day^0', which is not known here"),
        ("duration", {"unit": "9**9**9**9"}, "unit: is '9**9**9**9', which is not known here"),
        ("stage", {"value": 5}, "value: is 5; expected a word or true or false"),
        ("stage", {"value": "sleeping"}, "stage: is 'sleeping'; expected one of pre-training"),
    ],
)
def test_a_fact_that_no_field_takes_is_refused(folder: Path, name: str, changes: dict[str, Any], said: str) -> None:
    def edit(document: dict[str, Any]) -> None:
        run = document["runs"][0]
        sealed(next(each for each in run["facts"] if each["name"] == name), **changes)
        sealed(run)
        sealed(document)

    message = spoilt(GPT3.lineage("achieved_rate"), folder, edit)
    assert "runs[0].facts[" in message
    assert said in message


def test_faults_of_form_are_said_all_at_once(folder: Path) -> None:
    def spoil(document: dict[str, Any]) -> None:
        run = document["runs"][0]
        run["entries"][3]["value"] = {"much": 1}
        run["entries"][0]["basis"] = "guessed"
        del run["facts"]
        run["extra"] = 1

    said = spoilt(GPT3.lineage("achieved_rate"), folder, spoil)
    assert said.startswith("4 faults:")
    assert "FILE: runs[0].entries[3].value: is {'much': 1}; expected a number, a word" in said
    assert "FILE: runs[0].entries[0].basis: is 'guessed'; expected 'stated', 'derived'" in said
    assert "FILE: runs[0].facts: is missing; write the lineage anew" in said
    assert "FILE: runs[0].extra: is not a key of the format" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{"schema": "runlineage.lineage/2"}',
            "is 'runlineage.lineage/2', and this version reads runlineage.lineage/1",
        ),
        (
            '{"schema": "runlineage/1"}',
            "is 'runlineage/1', not a lineage; `runlineage why RUN --json` writes a lineage",
        ),
        ('{"schema": 5}', "FILE: schema: is 5, not a lineage"),
        ('{"duration": 5}', "FILE: schema: is missing: this is no lineage"),
        ('{"schema": "runlineage.lineage/1", "schema": 1}', "'schema' appears twice"),
        ('{"schema": NaN}', "NaN is not a finite number"),
        ('{"schema": "runlineage.lineage/1", "runs": [', "line 1: is not valid JSON"),
        ("[" * 100_000, "is nested too deeply"),
        (b'{"schema": "\xff"}', "is not UTF-8 at byte 12"),
        ('{"schema": ' + "9" * 5000 + "}", "a number has too many digits"),
        ('{"prefix": {}, "entity": {}}', "is PROV-JSON without the entity terms:lineage that carries a lineage"),
    ],
)
def test_what_is_no_lineage_is_refused(folder: Path, content: str | bytes, said: str) -> None:
    path = folder / "broken.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CatalogError) as caught:
        read_lineage(path)
    assert said in str(caught.value).replace(str(path), "FILE")


def test_a_run_file_and_a_lineage_are_never_mistaken(folder: Path) -> None:
    path = folder / "lineage.json"
    path.write_text(lineage_json(GPT3.lineage()), encoding="utf-8")
    said = r"is 'runlineage.lineage/1' by its schema, not a run file; `read_lineage` reads"
    with pytest.raises(CatalogError, match=said):
        read_run(path)
    assert read_file(str(path)).name == "GPT-3 175B"
    plain = folder / "run.json"
    plain.write_text('{"accelerator_hours": 5, "device_power": "400 W"}')
    assert read_file(str(plain)).name == "run"


@pytest.mark.parametrize("write", WRITERS)
def test_any_damage_is_refused_or_does_no_harm(folder: Path, write: Callable[[Lineage], str]) -> None:
    good = json.loads(write(GPT3.lineage()))
    chance = random.Random(5)
    path = folder / "damaged.json"
    refused = 0
    for _ in range(300):
        bad = copy.deepcopy(good)
        node: Any = bad
        while True:
            key = chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
            inner = node[key]
            if not isinstance(inner, (dict, list)) or not inner or chance.random() < 0.2:
                break
            node = inner
        if chance.random() < 0.3:
            del node[key]
        else:
            odd = [None, -1, 1e308, 10**400, "words", "", [], {}, True, [[1.0], []], {"a": 1}, "\ud800", "2026-99-99"]
            node[key] = chance.choice(odd)
        path.write_text(json.dumps(bad), encoding="utf-8")
        try:
            for run in read_lineages(path):
                assert run.achieved_rate == GPT3.achieved_rate
        except InputError:
            refused += 1
    assert refused > 250


def test_forged_damage_is_refused_or_computed_from_the_file(folder: Path) -> None:
    """With every digest forged, what is left are the checks of the facts themselves."""
    good = json.loads(lineage_json(GPT3.lineage()))
    chance = random.Random(6)
    path = folder / "forged.json"
    for _ in range(300):
        bad = copy.deepcopy(good)
        run = bad["runs"][0]
        record = chance.choice([*run["facts"], *run["entries"], *run["sources"].values(), run["hardware"], run])
        key = chance.choice([each for each in record if each != "digest"])
        record[key] = chance.choice([None, -1, 5, "words", "", [], {}, True, [1.0, 2.0], [{}], ["energy"], {"tdp": {}}])
        inner = record if record is not run else {}
        for each in [each for each in (inner, run, bad) if each]:
            each["digest"] = digest_of(each)
        path.write_text(json.dumps(bad), encoding="utf-8")
        with contextlib.suppress(InputError):
            read_lineages(path)


def test_five_hundred_quantities_of_a_users_nodes_are_written_and_not_taken_for_ours(folder: Path) -> None:
    nodes = "".join(
        f"def q{n}({f'q{n - 1}' if n else 'duration'}: kinds.Duration) -> kinds.Duration:\n"
        f"    return {f'q{n - 1}' if n else 'duration'}\n"
        for n in range(500)
    )
    module = sys.modules["long_chain"] = types.ModuleType("long_chain")
    exec(f"from runlineage import kinds\n{nodes}", vars(module))
    lineage = Driver(module).lineage("q499", {"duration": "1 day"})
    start = time.process_time()
    written = [write(lineage) for write in WRITERS]
    assert time.process_time() - start < 2  # a fifth of a second; the bound is for slow machines
    assert len(json.loads(written[0])["runs"][0]["entries"]) == 501
    with pytest.raises(CatalogError, match=r"runs\[0\]: unknown metric 'q499'"):
        back(lineage, folder)


def test_writing_and_reading_are_quick(folder: Path) -> None:
    lineage = GPT3.lineage("achieved_rate")
    back(lineage, folder)
    start = time.process_time()
    back(lineage, folder)
    assert time.process_time() - start < 0.5  # some milliseconds; the bound is for slow machines
