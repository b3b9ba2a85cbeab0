"""Facts: their origin, and what stands beside them."""

import pytest

from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.facts import Fact, read_fact

COUNT = "expected a count of parameters in parameter, such as '405B' or '176.247e9'"
FACT_KEYS = "the keys are value, source, place, basis, note, preferred, reason, low, high"


def test_a_plain_value_is_a_stated_fact():
    assert read_fact("405B", "parameters") == Fact(quantity(405e9, "parameter"))


def test_a_fact_keeps_its_origin():
    raw = {"value": "700 W", "source": "card", "place": "Table 1", "basis": "derived", "note": "the TDP"}
    fact = read_fact(raw, "device_power")
    assert fact == Fact(quantity(700.0, "W/accelerator"), "derived", "card", "Table 1", "the TDP")
    assert read_fact(fact, "device_power") is fact


def test_of_several_values_the_preferred_one_is_used_and_the_others_stand_beside():
    first = {"value": 5, "source": "a"}
    second = {"value": 6, "source": "b", "preferred": True, "reason": "later"}
    fact = read_fact([first, second], "duration")
    assert (fact.value, fact.source, fact.reason) == (quantity(6.0, "day"), "b", "later")
    assert fact.beside == (Fact(quantity(5.0, "day"), source="a"),)


@pytest.mark.parametrize("wrap", [lambda table: table, lambda table: [table, {**table, "value": 6}]])
def test_values_that_are_not_preferred_are_kept_and_not_used(wrap):
    table = {"value": 5, "preferred": False, "reason": "a plan"}
    fact = read_fact(wrap(table), "duration")
    assert fact.value is None
    assert fact.beside[0] == Fact(quantity(5.0, "day"), reason="a plan")
    assert len(fact.beside) == (1 if isinstance(wrap(table), dict) else 2)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({}, "parameters: has no value"),
        ({"source": "x"}, "parameters: has no value"),
        ({"value": "5 W"}, f"parameters: '5 W' is in W, which is not a count of parameters; {COUNT}"),
        ({"value": {"value": 5}}, f"parameters: {{'value': 5}} is of type dict; {COUNT}"),
        ([{"value": 5}, 3], f"parameters: [{{'value': 5}}, 3] holds cells that are not plain numbers; {COUNT}"),
        ({"value": 5, "soruce": "x"}, f"parameters.soruce: is not a key of a fact; {FACT_KEYS}"),
        (
            {"value": 5, "basis": "guess"},
            "parameters.basis: is 'guess'; expected one of stated, derived, modeled, assumed",
        ),
        ({"value": 5, "place": 3}, "parameters.place: is 3; expected text"),
        ({"value": 5, "preferred": True}, "parameters.preferred: needs true or false and a reason"),
        ({"value": 5, "preferred": "yes", "reason": "x"}, "parameters.preferred: needs true or false and a reason"),
        (
            [{"value": 5}, {"value": 6}],
            "parameters: has 2 values and none preferred; mark one preferred = true with its reason",
        ),
        (
            [{"value": 5, "preferred": True, "reason": "x"}, {"value": 6, "preferred": True, "reason": "y"}],
            "parameters: has two preferred values; prefer one",
        ),
        (
            {"value": "x", "basis": "guess", "note": 3},
            "3 faults:\n  parameters.basis: is 'guess'; expected one of stated, derived, modeled, assumed\n"
            "  parameters.note: is 3; expected text\n"
            "  parameters: 'x' does not start with a plain number; write it like 405B, 1,082,990 or 3.14e23",
        ),
    ],
    ids=range(13),
)
def test_a_fact_that_is_not_whole_is_refused_with_all_its_faults(refusal, raw, sentence):
    assert refusal(read_fact, raw, "parameters") == sentence


def test_the_origin_of_a_fact_is_one_printable_line():
    fact = read_fact({"value": 5, "source": "a\x1b[31mb", "note": "one\ntwo"}, "duration")
    assert (fact.source, fact.note) == ("a [31mb", "one two")
