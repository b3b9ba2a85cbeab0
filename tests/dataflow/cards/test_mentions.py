"""Training facts within sentences: listed with their lines, never read."""

from __future__ import annotations

from pathlib import Path

import pytest

from runlineage import RunlineageWarning, read_card
from runlineage.dataflow.cards.body import Line
from runlineage.dataflow.cards.mentions import MOST_SHOWN, mentions


def of(text: str, *headings: str) -> list[str]:
    return mentions([Line(("A", *headings), 3, text, text)])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Training took 425 GPU hours.", "425 GPU hours"),
        ("Training utilised 2.02M GPU hours of compute", "2.02M GPU hours"),
        ("It was trained on 1.5 trillion tokens", "1.5 trillion tokens"),
        ("We emitted 12 tons of CO₂eq", "12 tons of CO2eq"),
        ("Training consumed 1,287 MWh", "1,287 MWh"),
        ("trained on 64 NVIDIA A100 GPUs", "64 NVIDIA A100"),
    ],
)
def test_a_figure_in_a_sentence_on_training_is_listed(text: str, part: str) -> None:
    assert of(text) == [f"line 3: '{part}' in a sentence, which is not read: give the facts yourself"]


@pytest.mark.parametrize(
    "text",
    ["It answers within 5 hours", "Trained in 2022", "Version 2.1 was trained", "8 A100 run it", "GPT-3 was trained"],
)
def test_other_sentences_are_not(text: str) -> None:
    assert of(text) == []


def test_what_a_model_needs_in_use_is_not_listed() -> None:
    assert of("Trained weights run on 8 A100", "Inference") == []
    assert of("Trained weights run on 8 A100", "Training") != []


def test_a_long_card_lists_a_few_and_says_how_many_more() -> None:
    lines = [Line(("A",), number, "", f"trained for {number} GPU hours") for number in range(1, 101)]
    listed = mentions(lines)
    assert len(listed) == MOST_SHOWN + 1
    assert listed[-1] == "94 more such sentences: give the facts yourself"


def test_a_card_says_what_its_sentences_mention(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("# A\n\n**Overview:** A was trained for 425 GPU hours.\n\n- PUE: 1.2\n\n`trained: 5 GPU hours`\n")
    with pytest.warns(RunlineageWarning) as seen:
        run = read_card(path)
    assert set(run.facts) == {"pue"}
    assert [str(each.message) for each in seen] == [
        f"{path}: seen and not used: line 3: '425 GPU hours' in a sentence, which is not read: give the facts yourself"
    ]
