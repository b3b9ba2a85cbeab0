"""Stages in run files: the tables [[stage]], and one stage as FILE#STAGE."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from runlineage import CatalogError, InputError, PublishedRunScenario, StagedRun, UnknownNameError, read_run
from runlineage.dataflow.exchange.lineage_file import read_file
from runlineage.dataflow.runs.run_file import part_of, split_part

GOOD = """
name = "mine"
device_power = "700 W"
accelerator_hours = "3K"

[[stage]]
name = "pre-training"
stage = "pre-training"
accelerator_hours = { value = "2K", source = "our log", place = "page 2" }

[[stage]]
name = "tuning"
accelerator_hours = "1K"
[[stage.periods]]
accelerator_count = 10
duration = "100 hours"
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(text: str, name: str = "run.toml") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def test_tables_are_the_stages_of_a_run(write: Callable[..., Path]) -> None:
    run = read_run(write(GOOD))
    assert isinstance(run, StagedRun)
    assert (run.name, list(run.stages)) == ("mine", ["pre-training", "tuning"])
    assert run.results("accelerator_hours")["accelerator_hours"].magnitude == 3000
    assert run.energy.m_as("MWh") == pytest.approx(2.1)
    stage = run.stage("pre-training")
    assert stage.inputs.words["stage"] == "pre-training"
    assert (stage.inputs.origins["accelerator_hours"].source, stage.inputs.origins["accelerator_hours"].place) == (
        "our log",
        "page 2",
    )
    assert run.stage("tuning").inputs.given["duration"].m_as("hour") == pytest.approx(100)


def test_json_has_the_same_stages_and_null_withdraws_what_is_shared(write: Callable[..., Path]) -> None:
    text = '{"pue": 1.1, "stage": [{"name": "a", "energy": "1 GWh"}, {"name": "b", "energy": "2 GWh", "pue": null}]}'
    run = read_run(write(text, "run.json"))
    assert isinstance(run, StagedRun)
    assert run.energy.m_as("GWh") == pytest.approx(3)
    assert run.result("facility_energy").value is None
    assert run.stage("a").facility_energy.m_as("GWh*facility") == pytest.approx(1.1)


def test_a_word_stage_is_a_fact_as_before(write: Callable[..., Path]) -> None:
    for text in ('stage = "fine-tuning"', 'stage = { value = "fine-tuning", source = "a card" }'):
        run = read_run(write(text))
        assert isinstance(run, PublishedRunScenario)
        assert run.inputs.words["stage"] == "fine-tuning"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stage = []", "stage: is an empty list; write a table [[stage]] for each stage"),
        ('[stage]\nname = "a"\nduration = 3', "stage: is one table; write [[stage]], which begins a table of a list"),
        ("[[stage]]\nduration = 3", 'stage 1 of 1: has no name; give it one, such as name = "pre-training"'),
        ('[[stage]]\nname = ""', "stage 1 of 1: has no name; give it one"),
        ("[[stage]]\nname = 3", "stage 1 of 1: has the name 3; give it one"),
        ('stage = ["a"]', "stage 1 of 1: is 'a'; write [[stage]] with its name and facts"),
        ('[[stage]]\nname = "a"\n[[stage]]\nname = "a"', "stage 2 of 2: is called 'a', as another stage is; give each"),
        ('[[stage]]\nname = "a"\n[[stage]]\nname = "A"', "stage 'A': is called as 'a' is; give each stage a name"),
        ('[[stage]]\nname = "a"\n[[stage.stage]]\nname = "b"', "stage 'a': stage: holds stages; a stage has none"),
        (
            '[[stage]]\nname = "a"\n[stage.facts]\nduration = 3',
            "stage 'a': facts: is not a field of a stage; fields st",
        ),
        (
            '[[stage]]\nname = "a"\nassume = "tdp"',
            "stage 'a': assume: is not a field of a stage; assumptions are named",
        ),
        ('[[stage]]\nname = "a"\nduratoin = 3', "stage 'a': duratoin: is not a field; did you mean duration?"),
        ('mfu = 0.4\n[[stage]]\nname = "a"', "mfu: does not add up over stages, and is of one of them"),
        ("stages = 3", "stages: is not a field; write a table [[stage]] for each"),
        ('modules = "os"', "modules: is not a field; node modules of your own are named in Python"),
    ],
)
def test_what_is_no_stage_is_refused_with_the_file(write: Callable[..., Path], text: str, message: str) -> None:
    path = write(text)
    with pytest.raises(CatalogError) as caught:
        read_run(path)
    assert f"{path}: {message}" in str(caught.value)


def test_all_faults_of_a_file_are_told_at_once(write: Callable[..., Path]) -> None:
    text = 'mfu = 0.4\npue = 0.5\n[[stage]]\nduration = 3\n[[stage]]\nname = "b"\nduration = "-3 days"\n'
    with pytest.raises(CatalogError, match="4 faults"):
        read_run(write(text))


def test_one_stage_is_named_behind_the_file(write: Callable[..., Path]) -> None:
    path = write(GOOD)
    assert read_file(f"{path}#Tuning").name == "tuning of mine"
    assert isinstance(read_file(str(path)), StagedRun)
    with pytest.raises(UnknownNameError, match="unknown stage 'rl'; the stages of mine are pre-training, tuning"):
        read_file(f"{path}#rl")
    plain = write('name = "plain"\nduration = 3\n', "plain.toml")
    with pytest.raises(InputError, match=r"plain\.toml: names the stage 'a', and plain has no stages; leave it out"):
        read_file(f"{plain}#a")


def test_a_file_whose_name_holds_the_sign_is_not_split(write: Callable[..., Path]) -> None:
    path = write('name = "odd"\nduration = 3\n', "a.toml#b.toml")
    assert split_part(str(path)) == (str(path), "")
    assert read_file(str(path)).name == "odd"
    assert part_of(read_run(path), "").name == "odd"
