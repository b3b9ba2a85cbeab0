"""A cause is named where one alone fits, and where the run's words tell it."""

from __future__ import annotations

import pytest

from runlineage import PublishedRunScenario
from runlineage.dataflow.checks.causes import BY_WORDS, CAUSES, RATIOS, cause_of
from runlineage.dataflow.checks.marks import CHECK_MODULES, marks_of
from runlineage.dataflow.routes.book import read_routes


def test_every_cause_that_a_comparison_names_is_there_and_each_serves_one() -> None:
    named = {name for mark in marks_of(read_routes(*CHECK_MODULES)).values() for name in mark.causes}
    assert named == {*CAUSES, *BY_WORDS}


def test_every_ratio_that_a_cause_asks_has_a_node() -> None:
    assert {*RATIOS} <= read_routes(*CHECK_MODULES).routes.keys()


@pytest.mark.parametrize(
    ("ratio", "width", "names", "found"),
    [
        (4 / 3, 0.01, ("recomputation", "kilo"), "recomputation"),
        (1.30, 0.01, ("recomputation", "kilo"), ""),  # further off than its digits
        (1.20, 0.2, ("recomputation", "kilo"), ""),  # round digits do not make it near
        (1000.0, 0.01, ("recomputation", "kilo"), "kilo"),
        (1.02, 0.5, ("recomputation",), ""),  # digits that leave everything open
    ],
)
def test_a_factor_is_named_only_where_it_is_near(
    ratio: float, width: float, names: tuple[str, ...], found: str
) -> None:
    assert cause_of(ratio, width, names, {}, {})[0] == found


def test_two_causes_that_fit_are_none() -> None:
    ratios = {"base_factor": 1.335}
    assert cause_of(4 / 3, 0.01, ("recomputation", "base"), ratios, {}) == ("", "")


@pytest.mark.parametrize(
    ("words", "ratio", "found"),
    [
        ({"architecture": "encoder-decoder"}, 0.6, "encoder_decoder"),
        ({"architecture": "encoder-decoder"}, 1.2, ""),
        ({"architecture": "encoder-decoder"}, 4 / 3, ""),  # of which 6 N D tells nothing
        ({"work_counts": "hardware"}, 1.25, "recomputation"),
        ({"work_counts": "hardware"}, 0.8, ""),
        ({"stage": "fine-tuning"}, 40.0, "base"),
        ({"stage": "pre-training"}, 40.0, ""),
        ({"stage": "fine-tuning"}, 1.2, ""),
    ],
)
def test_words_tell_a_cause(words: dict[str, str], ratio: float, found: str) -> None:
    names = ("recomputation", "encoder_decoder", "base")
    assert cause_of(ratio, 0.01, names, {}, words)[0] == found


@pytest.mark.parametrize("name", ["recomputation", "multiply_adds"])
def test_what_attention_may_make_is_named_of_large_models_alone(name: str) -> None:
    ratio = {"recomputation": 4 / 3, "multiply_adds": 2.0}[name]
    assert cause_of(ratio, 0.01, (name,), {"size_factor": 1.5}, {})[0] == name
    assert cause_of(ratio, 0.01, (name,), {}, {})[0] == name
    assert cause_of(ratio, 0.01, (name,), {"size_factor": 0.5}, {}) == ("", "")
    counted = cause_of(4 / 3, 0.01, ("recomputation",), {"size_factor": 0.5}, {"work_counts": "hardware"})
    assert counted[0] == "recomputation"  # the words tell it


@pytest.mark.parametrize(
    ("size", "sequence", "cause"),
    [("90B", None, "recomputation"), ("1.2B", None, ""), ("7B", 2048, "recomputation"), ("7B", 8192, "")],
)
def test_small_models_and_long_sequences_have_no_cause_by_four_thirds(
    size: str, sequence: int | None, cause: str
) -> None:
    work = 4 / 3 * 6 * float(size.rstrip("B")) * 1e9 * 300e9
    run = PublishedRunScenario(
        parameters=size, training_tokens="300.0B", training_ops=f"{work:.4g}", sequence_length=sequence
    )
    compared = run.check()["recorded_to_modeled"]
    assert (compared.word, compared.cause) == ("contradict", cause)
