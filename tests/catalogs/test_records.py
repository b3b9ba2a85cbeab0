"""Records: facts with their origin; all faults at once; unknown fields refused."""

import copy
import pickle

import pytest
from pydantic import ValidationError

from runlineage.catalogs.errors import InputError
from runlineage.catalogs.records import Fact, HardwareNode, Period, Run, Workload, read_fact, read_periods
from runlineage.catalogs.units import quantity

COUNT = "expected a count of parameters in parameter, such as '405B' or '176.247e9'"
FACT_KEYS = "the keys are value, source, place, basis, note, preferred, reason"
PRECISIONS = "fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8"


def refusal(make, *arguments, **facts):
    with pytest.raises(InputError) as caught:
        make(*arguments, **facts)
    return str(caught.value)


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
def test_a_fact_that_is_not_whole_is_refused_with_all_its_faults(raw, sentence):
    assert refusal(read_fact, raw, "parameters") == sentence


@pytest.mark.parametrize(
    ("field", "raw", "value"),
    [
        ("precision", "bf16", "bf16"),
        ("precision", "BF-16", "bf16"),
        ("precision", "bfloat16", "bf16"),
        ("precision", "FP64 tensor", "fp64_tensor"),
        ("architecture", "Encoder-Decoder", "encoder-decoder"),
        ("stage", "fine tuning", "fine-tuning"),
        ("power_basis", "TDP", "tdp"),
        ("accelerator", " H100 SXM ", "H100 SXM"),
        ("sparse", True, True),
        ("sparse", "No", False),
        ("sparse", " yes ", True),
    ],
)
def test_a_word_is_read_in_any_usual_spelling(field, raw, value):
    assert read_fact(raw, field).value == value


@pytest.mark.parametrize(
    ("field", "raw", "sentence"),
    [
        ("precision", "bf8", f"precision: is 'bf8'; expected one of {PRECISIONS}; the nearest: fp8"),
        ("precision", "zz", f"precision: is 'zz'; expected one of {PRECISIONS}"),
        ("precision", 16, f"precision: is 16; expected a word: {PRECISIONS}"),
        ("precision", " ", f"precision: is ' '; expected a word: {PRECISIONS}"),
        ("accelerator", "", "accelerator: is ''; expected a word"),
        ("sparse", "maybe", "sparse: is 'maybe'; expected true or false"),
        ("sparse", 1, "sparse: is 1; expected true or false"),
    ],
)
def test_a_word_outside_its_choices_is_refused_with_them(field, raw, sentence):
    assert refusal(read_fact, raw, field) == sentence


def test_a_record_gives_its_facts_by_field():
    model = Workload(name="PaLM", parameters="540B", training_tokens=None)
    assert model.facts() == {"parameters": Fact(quantity(540e9, "parameter"))}
    assert model.training_tokens is None


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"parametres": 5}, "parametres: is not a field here; the nearest: parameters"),
        ({"key": "Mine", "self": 5}, "Mine: self: is not a field here; the fields are "),
        ({"name": 3}, "3: name: is 3; expected text"),
        ({"aliases": "x"}, "Workload: aliases: is 'x'; expected a list of names"),
        (
            {"name": "Mine", "sparse": "maybe", "parametrs": 5},
            "2 faults in Mine:\n  sparse: is 'maybe'; expected true or false\n"
            "  parametrs: is not a field here; the nearest: parameters",
        ),
    ],
    ids=range(5),
)
def test_a_record_says_all_its_faults_at_once(facts, sentence):
    assert sentence in refusal(Workload, **facts)


def test_a_record_shows_its_name_and_which_facts_it_has():
    assert repr(Workload(name="PaLM", parameters="540B")) == "<Workload 'PaLM': parameters>"


def test_a_record_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        Workload(name="x").name = "y"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))])
def test_a_record_comes_back_from_a_pickle_equal(again):
    run = Run(key="Mine", accelerator_hours="5M", periods=[{"accelerator_count": 2, "duration": 3, "source": "card"}])
    assert again(run) == run


def test_the_peak_is_that_of_the_precision_or_the_16_bit_one():
    node = HardwareNode(name="x", default_precision="fp16", peak_fp16=10, peak_bf16=5, peak_fp8="20 TFLOPS", tdp=700)
    assert node.compute.peak_flops == node.peak().value == quantity(10.0, "TFLOP/s/accelerator")
    assert {name: peak.magnitude for name, peak in node.compute.precision_flops.items()} == {
        "fp16": 10.0,
        "bf16": 5.0,
        "fp8": 20.0,
    }
    assert node.peak("bf16").value == quantity(5.0, "TFLOP/s/accelerator")
    assert node.peak("int8") is None


@pytest.mark.parametrize("precision", ["fp8", "bf15", "BF16"])
def test_the_default_precision_is_one_of_two(precision):
    said = refusal(HardwareNode, name="x", default_precision=precision)
    assert said == f"x: default_precision: is '{precision}'; expected bf16 or fp16"


def test_without_a_16_bit_rate_there_is_no_default_peak():
    node = HardwareNode(name="x", peak_fp8=20, peak_bf16={"value": 5, "preferred": False, "reason": "sparse"})
    assert node.compute.peak_flops is None
    assert list(node.compute.precision_flops) == ["fp8"]


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"peak_bf17": 5}, "x: peak_bf17: is not a field here; the nearest: peak_bf16"),
        ({"peak_bf16": "700 W"}, "x: peak_bf16: '700 W' is in W, which is not a rate of operations per accelerator"),
        ({"tdp": "5 TFLOPS"}, "x: tdp: '5 TFLOPS' is in TFLOP/s, which is not a power per accelerator"),
    ],
)
def test_an_accelerator_refuses_what_is_no_peak_or_power(facts, sentence):
    assert refusal(HardwareNode, name="x", **facts).startswith(sentence)


@pytest.mark.parametrize("raw", [5, "x", {"accelerator_count": 3}])
def test_periods_that_are_no_list_are_refused(raw):
    assert refusal(read_periods, raw) == f"periods: is {raw!r}; expected a list of tables"
    assert refusal(Run, name="x", periods=raw) == f"x: periods: is {raw!r}; expected a list of tables"


def test_the_origin_of_a_fact_is_one_printable_line():
    fact = read_fact({"value": 5, "source": "a\x1b[31mb", "note": "one\ntwo"}, "duration")
    assert (fact.source, fact.note) == ("a [31mb", "one two")


def test_periods_keep_count_duration_and_origin():
    raw = {"accelerator_count": "6144", "duration": "1200 hour", "source": "paper", "place": "App. B"}
    (period,) = read_periods([raw])
    assert period.accelerator_count == quantity(6144.0, "accelerator")
    assert (period.duration, period.fact.source) == (quantity(1200.0, "hour"), "paper")
    assert read_periods([period]) == (period,)
    assert isinstance(Run(periods=[raw]).periods[0], Period)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (["x"], "periods[0]: is 'x'; expected a table with accelerator_count and duration"),
        (
            [{"duration": 3}],
            "periods[0]: is {'duration': 3}; expected a table with accelerator_count and duration",
        ),
        (
            [{"accelerator_count": 3, "duration": 4, "value": 9}],
            "periods[0]: is {'accelerator_count': 3, 'duration': 4, 'value': 9}; "
            "expected a table with accelerator_count and duration",
        ),
        (
            [{"accelerator_count": [3, 4], "duration": 4}],
            "periods[0]: has columns; expected one count and one duration",
        ),
        (
            [{"accelerator_count": 3, "duration": 4, "foo": 9}],
            f"periods[0].accelerator_count.foo: is not a key of a fact; {FACT_KEYS}",
        ),
        (
            [{"accelerator_count": True, "duration": 0}, 5],
            "3 faults:\n"
            "  periods[0].accelerator_count: True is a truth value, not a quantity; "
            "expected a count of accelerators in accelerator, such as '10,000' or '384 GPUs'\n"
            "  periods[0].duration: 0 is not above zero; "
            "expected a wall-clock duration in day, such as '14.8 days' or '1200 hours'\n"
            "  periods[1]: is 5; expected a table with accelerator_count and duration",
        ),
    ],
    ids=range(6),
)
def test_periods_that_are_not_whole_are_refused_with_their_place(raw, sentence):
    assert refusal(read_periods, raw) == sentence
    assert sentence in refusal(Run, name="x", periods=raw).replace("3 faults in x:", "3 faults:")
