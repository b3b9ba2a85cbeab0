"""Names as people spell them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.base.spelling import matches, nearest, plain_text, squash

KNOWN = ("accelerator_hours", "accelerator_count", "duration", "parameters", "active_parameters")


@pytest.mark.parametrize("spelling", ["Llama 3.1 405B", "llama-3.1-405b", "LLAMA_3.1_405 B", " llama3.1 - 405b. "])
def test_case_and_punctuation_do_not_count(spelling):
    assert squash(spelling) == "llama3.1 405b"


def test_letters_and_digits_do_count():
    assert squash("V100") != squash("V100S")
    assert squash("PanGu-Σ") == "panguσ"
    assert squash("-. _/") == ""
    assert squash("U.S.") == "us"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cerebras-gpt 1.3b", "Cerebras-GPT 13B"),
        ("gemma 12b", "Gemma 1 2B"),
        ("gemma 1.2b", "Gemma 1 2B"),
        ("llama 3.3b", "LLaMA 33B"),
        ("pythia 14b", "Pythia 1.4B"),
        ("llama 3.1 8b", "llama 31.8b"),
        ("v1.0", "v10"),
        ("1,000", "1000"),
    ],
)
def test_the_point_and_the_border_of_a_number_count(one, other):
    assert squash(one) != squash(other)
    assert matches(one, [other]) == ()


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("13B", ["1.3B", "13B"], ("13B",)),
        ("1.3b", ["1.3B", "13B"], ("1.3B",)),
        ("2B", ["12B", "6.9B"], ()),
        ("9B", ["12B", "6.9B"], ()),
        ("8b", ["Llama 3.1 8B", "Llama 3.1 70B"], ("Llama 3.1 8B",)),
        ("llama 3.1", ["Llama 3.1 8B", "Llama 3.1 70B", "Llama 3 8B"], ("Llama 3.1 8B", "Llama 3.1 70B")),
        ("llama3", ["Llama 3.1 8B", "Llama 3 8B"], ("Llama 3 8B",)),
        ("B200", ["GB200", "HGX B200"], ("HGX B200",)),
        ("V100", ["V100S PCIe", "V100-SXM2"], ("V100-SXM2",)),
        ("", ["a"], ()),
        ("-", ["a", "a - b"], ()),
    ],
)
def test_a_name_means_those_spelt_alike_else_those_that_hold_it_as_whole_words(name, known, meant):
    assert matches(name, known) == meant


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_an_exact_name_always_wins_and_a_match_is_always_one_of_the_known(name, known):
    assert set(matches(name, known)) <= set(known)
    if squash(name):
        assert name in matches(name, [*known, name])
        assert all(squash(each) == squash(name) for each in matches(name, [*known, name]))
    assert squash(squash(name)) == squash(name)


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
