"""The command `solve`: the fact that was found, its lineage, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

RUN = ("--training-ops", "1e22", "--accelerator-count", "100")


def test_the_fact_and_the_lineage_of_the_solved_run_are_printed(command: Any) -> None:
    code, out, err = command("solve", "duration", *RUN, "--for", "achieved_rate=100 TFLOP/s")
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "  duration = 11.5741 day, for achieved_rate = 100 TFLOP/s per accelerator"
    assert "Solved for achieved_rate = 100 TFLOP/s per accelerator; nobody states it." in " ".join(out.split())


def test_json_has_the_fact_in_full_precision(command: Any) -> None:
    code, out, _ = command("solve", "duration", *RUN, "--for", "achieved_rate=100 TFLOP/s", "--json")
    document = json.loads(out)
    assert (code, document["fact"], document["unit"]) == (0, "duration", "day")
    assert document["value"] == pytest.approx(1e22 / 1e14 / 100 / 86400, rel=1e-9)


def test_a_doubt_about_the_solved_run_is_printed(command: Any) -> None:
    facts = ("--training-ops", "1e24", "--accelerator", "H100 SXM", "--precision", "bf16")
    code, _, err = command("solve", "accelerator_hours", *facts, "--for", "achieved_rate=2000 TFLOP/s")
    assert code == 0
    assert "reported" not in err
    code, _, err = command("solve", "training_ops", "--reported-rate", "1 TFLOP/s", *facts[2:], "--accelerator-hours",
                           "1e6", "--for", "achieved_rate=400 TFLOP/s")  # fmt: skip
    assert code == 0
    assert "achieved_rate is 400 TFLOP/s per accelerator, 400 times as much as the 1 TFLOP/s" in " ".join(err.split())


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (("duration", *RUN, "--duration", "3 days", "--for", "achieved_rate=100 TFLOP/s"), "--duration is given"),
        (("duration", *RUN, "--for", "achieved_rate"), "--for is 'achieved_rate'"),
        (("duration", *RUN, "--for", "speed=3"), "--for"),
        (("layers", *RUN, "--duration", "3 days", "--for", "achieved_rate=100 TFLOP/s"), "layers changes nothing"),
        (("durations", *RUN, "--for", "achieved_rate=100 TFLOP/s"), "durations"),
        (("duration", *RUN, "--for", "achieved_rate=1e-9 TFLOP/s"), "duration has no value from"),
    ],
)
def test_what_cannot_be_solved_is_one_sentence(command: Any, words: tuple[str, ...], where: str) -> None:
    code, out, err = command("solve", *words)
    assert (code, out) == (2, "")
    assert where in " ".join(err.replace(":", "").split()), err
    assert "Traceback" not in err
