"""Figures of several stages of training on one card: those of one are used, the others are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from runlineage import PublishedRunScenario, read_card
from runlineage.catalogs.base.errors import RunlineageWarning
from runlineage.dataflow.cards.stages import stage_of

BASE = "# Tiny\n\n| | |\n|-|-|\n| Parameters | 7B |\n| Training tokens | 2T |\n\n"
TUNING = "## {}\n\n- Hardware Type: 8 A100 80GB\n- GPU hours: 1,200\n- Carbon Emitted: 12 kg CO2eq\n"


def read(folder: Path, text: str, model: str | None = None) -> PublishedRunScenario:
    path = folder / "card.md"
    path.write_text(text)
    return read_card(path, model=model) if model else read_card(path)


@pytest.mark.parametrize(
    "heading",
    ["Fine-tuning", "Instruction tuning", "SFT", "Alignment (RLHF)", "Continued pre-training"],
)
def test_a_later_stage_gives_no_hours_to_the_tokens_of_the_whole(tmp_path: Path, heading: str) -> None:
    with pytest.warns(RunlineageWarning, match=r"1,200' \(line 11, GPU hours\): of another stage of training"):
        run = read(tmp_path, BASE + TUNING.format(heading))
    assert set(run.facts) == {"parameters", "training_tokens"}


def test_headings_within_the_stage_belong_to_it(tmp_path: Path) -> None:
    text = BASE + "## Fine-tuning\n\n### Training hyperparameters\n\nGPU hours: 1,200\n"
    with pytest.warns(RunlineageWarning, match="beneath 'Fine-tuning'"):
        assert "accelerator_hours" not in read(tmp_path, text).facts


def test_rows_of_a_table_beneath_a_stage_are_of_it(tmp_path: Path) -> None:
    text = BASE + "## Fine-tuning\n\n| Model | GPU hours |\n|-|-|\n| Tiny | 1,200 |\n"
    with pytest.warns(RunlineageWarning, match="of another stage of training"):
        facts = read(tmp_path, text).facts
    assert not {"accelerator_hours", "training_tokens"} <= set(facts)


def test_a_stage_that_is_asked_for_takes_no_tokens_of_the_whole(tmp_path: Path) -> None:
    text = BASE + "## Pre-training\n\nGPU hours: 184,320\n\n## Fine-tuning\n\nGPU hours: 1,200\n"
    with pytest.warns(RunlineageWarning, match="2T' .* not beneath 'Fine-tuning'"):
        tuned = read(tmp_path, text, "Fine-tuning")
    assert set(tuned.facts) == {"parameters", "accelerator_hours"}
    whole = read(tmp_path, text, "Pre-training")
    assert set(whole.facts) == {"parameters", "training_tokens", "accelerator_hours"}


@pytest.mark.parametrize("heading", ["Training", "Training and fine-tuning", "Environmental Impact", "Pre-training"])
def test_what_is_of_the_training_stays(tmp_path: Path, heading: str) -> None:
    facts = read(tmp_path, BASE + f"## {heading}\n\nGPU hours: 184,320\n").facts
    assert set(facts) == {"parameters", "training_tokens", "accelerator_hours"}


def test_a_card_of_one_later_stage_keeps_its_figures(tmp_path: Path) -> None:
    text = "# Tiny\n\nParameters: 7B\n\n## Fine-tuning\n\nTraining tokens: 1B\n\nGPU hours: 1,200\n"
    assert set(read(tmp_path, text).facts) == {"parameters", "training_tokens", "accelerator_hours"}


def test_the_innermost_heading_decides() -> None:
    assert stage_of(("Tiny", "Fine-tuning", "Pre-training of the base")) == ""
    assert stage_of(("Tiny", "SFT/DPO training")) == "SFT/DPO training"
    assert stage_of(("Fine-tuned Tiny",)) == "Fine-tuned Tiny"  # a card without a title: all stands beneath it
    assert stage_of(("Fine-tuned Tiny", "Training")) == ""
