"""Names as people spell them."""

import time

import pytest

from runlineage.catalogs.base.spelling import nearest, plain_text, squash

KNOWN = ("accelerator_hours", "accelerator_count", "duration", "parameters", "active_parameters")


@pytest.mark.parametrize("spelling", ["Llama 3.1 405B", "llama-3.1-405b", "LLAMA_31_405B", " llama31405b "])
def test_case_and_punctuation_do_not_count(spelling):
    assert squash(spelling) == "llama31405b"


def test_letters_and_digits_do_count():
    assert squash("V100") != squash("V100S")
    assert squash("PanGu-Σ") == "panguσ"
    assert squash("-. _/") == ""


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("acelerator_hours", ("accelerator_hours", "accelerator_count")),
        ("Duration", ("duration",)),
        ("accelerator", ("accelerator_count", "accelerator_hours")),
        ("parameter", ("parameters", "active_parameters")),
        ("params", ("parameters",)),
        ("zzz", ()),
        ("", ()),
    ],
)
def test_the_nearest_names_come_best_first_and_far_ones_not_at_all(wanted, near):
    assert nearest(wanted, KNOWN) == near


def test_text_is_made_one_printable_line_and_plain_text_stays():
    assert plain_text("a\x1b[31mb\nc\u2028d\ud800") == "a [31mb c d "
    assert plain_text("PanGu-Σ, 30 % — “so”") == "PanGu-Σ, 30 % — “so”"


def test_at_most_as_many_as_asked_are_given_whatever_the_order_of_the_known():
    assert nearest("accelerator", KNOWN, 1) == nearest("accelerator", reversed(KNOWN), 1) == ("accelerator_count",)


def test_a_name_of_a_million_letters_costs_no_more_than_a_short_one():
    long = "x" * 1_000_000
    start = time.process_time()
    assert nearest(long, KNOWN) == ()
    assert time.process_time() - start < 0.05
