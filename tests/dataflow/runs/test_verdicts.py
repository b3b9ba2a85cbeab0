"""Verdicts: above, below or cannot tell, by each text's own way to count."""

from __future__ import annotations

from typing import Any

import pytest

from runlineage import InputError, PublishedRunScenario, Scenarios, Threshold, UnknownNameError, Verdict, verdicts
from runlineage.catalogs.catalog import Thresholds
from runlineage.catalogs.quantities.units import quantity

SYSTEMIC = "EU_systemic_risk"


def one(threshold: str, **facts: Any) -> Verdict:
    (found,) = verdicts(PublishedRunScenario(**facts), threshold)
    return found


@pytest.mark.parametrize(
    ("name", "word", "factor"), [("DeepSeek-V3", "below", 0.32856), ("Llama 3.1 405B", "above", 3.7908)]
)
def test_the_published_runs_stand_where_they_are_known_to(name: str, word: str, factor: float) -> None:
    (found,) = verdicts(Scenarios[name], SYSTEMIC)
    assert (found.word, found.factor) == (word, pytest.approx(factor, rel=1e-12))
    assert found.margin == found.value - quantity(1e25, "flop")
    assert "by parameter_token; an estimate that may be off by 30%" in found.scope


def test_a_pretraining_is_held_against_lines_for_models_and_none_for_modifications() -> None:
    found = verdicts(Scenarios["gpt-3"])
    keys = ["CA_SB53", "EU_GPAI", "EU_systemic_risk", "KR_high_performance", "NY_RAISE", "US_EO14110"]
    assert [each.threshold.key for each in found] == keys
    assert [each.word for each in found] == ["below", "above", "below", "below", "below", "below"]
    assert verdicts(Scenarios["gpt-3"], "one-third rule") == ()


@pytest.mark.parametrize("name", Scenarios)
def test_every_catalogued_run_gets_its_verdicts(name: str) -> None:
    for found in verdicts(Scenarios[name]):
        assert (found.word == "cannot tell") == bool(found.reason)
        if found.word != "cannot tell":
            assert (found.factor > 1) == (found.word == "above")


@pytest.mark.parametrize(
    ("ops", "word"), [("1e25", "below"), ("1.0000001e25", "above"), ("9.999999e24", "below"), ("1e26", "above")]
)
def test_more_than_the_line_is_above_it_and_as_much_is_not(ops: str, word: str) -> None:
    found = one(SYSTEMIC, training_ops=ops)
    assert found.word == word
    assert ("exactly at the line, which is not above it" in found.caveats) == (ops == "1e25")


@pytest.mark.parametrize(
    ("tokens", "word"),
    # The truth lies within 0.7 to 1.3 of the estimate 6 N D: the line is inside for 7.7e24 to 1.42e25.
    [(7.6e24, "below"), (7.8e24, "cannot tell"), (1e25, "cannot tell"), (1.42e25, "cannot tell"), (1.44e25, "above")],
)
def test_an_estimate_near_the_line_cannot_tell(tokens: float, word: str) -> None:
    found = one(SYSTEMIC, parameters=1e12, training_tokens=tokens / 6e12)
    assert found.word == word
    assert ("within the 30% that the estimate may be off" in found.reason) == (word == "cannot tell")


def test_what_cannot_be_computed_cannot_be_told_and_says_what_is_missing() -> None:
    found = one(SYSTEMIC, accelerator_hours=1e6)
    assert (found.word, found.value, found.factor, found.margin) == ("cannot tell", None, None, None)
    assert found.reason.startswith("training_operations needs recorded work (training_ops) or")


def test_own_work_and_that_of_the_base_are_kept_apart() -> None:
    tuned: dict[str, Any] = {"training_ops": "1e24", "base_training_ops": "3.8e25", "stage": "fine-tuning"}
    model, modification = one(SYSTEMIC, **tuned), one("EU_modification", **tuned)
    assert (model.word, model.compared, model.value) == ("above", "cumulative_operations", quantity(3.9e25, "flop"))
    assert "1×10²⁴ flop of its own and 3.8×10²⁵ flop of the model it started from" in model.scope
    assert (modification.word, modification.compared) == ("below", "modification_share")
    assert modification.factor == pytest.approx(3 / 38)
    assert one("EU_modification", **tuned | {"base_training_ops": "2.9e24"}).word == "above"


def test_a_base_alone_makes_a_modification() -> None:
    assert one("EU_modification", training_ops="1e24", base_training_ops="2e24").word == "above"


def test_where_the_base_is_unknown_own_work_can_only_be_above() -> None:
    small, large = (one(SYSTEMIC, training_ops=ops, stage="fine-tuning") for ops in ("1e24", "2e25"))
    assert (small.word, small.reason) == (
        "cannot tell",
        "the work of the model it started from is not stated: give base_training_ops",
    )
    assert large.word == "above"
    assert "the run's own work alone; that of the model it started from comes on top" in large.caveats


def test_the_absolute_thirds_serve_only_where_the_base_is_unknown() -> None:
    unknown = PublishedRunScenario(training_ops="1e23", stage="continued pre-training")
    words = {each.threshold.key: each.word for each in verdicts(unknown)}
    assert words["EU_modification_of_other"] == "above"
    assert words["EU_modification_of_systemic"] == "below"
    assert "EU_modification" not in words
    known = {each.threshold.key for each in verdicts(unknown.variant(base_training_ops="1e25"))}
    assert "EU_modification" in known
    assert not known & {"EU_modification_of_other", "EU_modification_of_systemic"}


def test_recorded_work_with_recomputation_is_an_upper_bound_where_the_text_leaves_that_out() -> None:
    eu = one(SYSTEMIC, training_ops="1.2e25", work_counts="hardware")
    assert (eu.word, eu.reason) == (
        "cannot tell",
        "recorded work counts recomputation, which this text leaves out: the work that counts is less",
    )
    assert one(SYSTEMIC, training_ops="9e24", work_counts="hardware").word == "below"
    california = one("SB 53", training_ops="1.2e26", work_counts="hardware")
    assert (california.word, california.caveats) == ("above", ("recorded work counts recomputation",))


def test_a_line_of_ones_own_is_held_as_well() -> None:
    mine = Threshold(name="mine", applies_to="model", threshold="1e20 flop")
    (found,) = verdicts(Scenarios["gpt-3"], [mine])
    assert found.word == "above"
    assert found.as_json()["status"] is None


def test_json_has_every_key_for_every_line() -> None:
    documents = [each.as_json() for each in verdicts(Scenarios["DeepSeek-V3"])]
    assert {tuple(document) for document in documents} == {tuple(documents[0])}
    assert [document["threshold"] for document in documents] == [
        key for key in Thresholds if Thresholds[key].applies_to == "model"
    ]


def test_unknown_names_are_said_all_at_once() -> None:
    with pytest.raises(UnknownNameError, match="unknown threshold 'SB 1047'"):
        verdicts(Scenarios["gpt-3"], "SB 1047")
    with pytest.raises(InputError, match=r"2 faults:\n.*SB 1047.*\n.*Art\. 99"):
        verdicts(Scenarios["gpt-3"], ["SB 1047", "GPAI", "Art. 99"])


def test_columns_and_a_pretraining_with_a_base_are_refused() -> None:
    with pytest.raises(InputError, match="training_ops: is a column; a verdict is of one run"):
        verdicts(PublishedRunScenario(training_ops=[1e24, 1e25]))
    with pytest.raises(InputError, match="base_training_ops: does not go with the stage pre-training"):
        verdicts(PublishedRunScenario(training_ops="1e24", base_training_ops="1e24", stage="pre-training"))
