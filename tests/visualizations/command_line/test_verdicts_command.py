"""The command `verdicts`: what it prints, as text and as JSON, and what it refuses."""

from __future__ import annotations

import json

import pytest


def test_a_run_and_a_line_are_said_with_margin_scope_and_status(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("verdicts", "deepseek-v3", "--threshold", "EU 1e25")
    assert (code, err) == (0, "")
    assert out.startswith(
        "DeepSeek-V3\n\n"
        "  training_operations 3.2856×10²⁴ flop; by parameter_token; an estimate that\n"
        "    may be off by 30%; of pre-training alone: work on the model after it is not\n"
        "    in this number\n\n"
        "below        EU AI Act, presumption of systemic risk\n"
        "  the line: more than 1×10²⁵ flop; in force, since 2025-08-02\n"
        "  training_operations is 0.329 times that, 6.7144×10²⁴ flop below it\n"
        "  counts: All compute meant to raise capabilities before deployment: pre-\n"
    )


def test_every_line_says_its_status(command) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command("verdicts", "llama 3.1 405b")
    for said in ("in force, since 2026-01-01", "signed, not yet in force, from 2027-01-01", "revoked on 2025-01-20"):
        assert said in out


def test_a_fine_tune_by_its_facts_alone(command) -> None:  # type: ignore[no-untyped-def]
    facts = ("--training-ops", "1e24", "--stage", "fine-tuning", "--base-training-ops", "3.8e25")
    code, out, _ = command("verdicts", *facts, "--threshold", "one third")
    assert code == 0
    assert "below        EU AI Act, modification of a general-purpose AI model\n" in out
    assert "more than 0.333333 of the original's operations; guidance, since\n" in out
    assert "modification_share is 0.0789 times that, 0.307018 below it" in out


def test_json_is_for_programs(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("verdicts", "deepseek-v3", "--json")
    document = json.loads(out)
    assert (code, document["schema"], document["run"]) == (0, "runlineage.verdicts/1", "DeepSeek-V3")
    assert [each["verdict"] for each in document["verdicts"]] == ["below", "above", "below", "below", "below", "below"]


def test_a_line_that_does_not_apply_is_said(command) -> None:  # type: ignore[no-untyped-def]
    assert command("verdicts", "gpt-3", "--threshold", "one third")[:2] == (
        0,
        "GPT-3 175B: no such threshold applies to it\n",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gpt-3", "--threshold", "SB 1047"), "unknown threshold 'SB 1047'"),
        (("gpt-3", "--threshold", "EU AI Act"), "threshold 'EU AI Act' matches several"),
        (("gpt-4000",), "unknown run 'gpt-4000'"),
        (("gpt-3", "--base-training-ops", "3e25"), "base_training_ops: does not go with the stage pre-training"),
        (("--base-training-ops", "3 tons"), "base_training_ops"),
    ],
)
def test_what_is_wrong_ends_with_2(command, arguments: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("verdicts", *arguments)
    assert (code, out) == (2, "")
    assert said in err
