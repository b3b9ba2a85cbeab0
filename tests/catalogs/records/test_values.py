"""Values and words of fields."""

import pytest

from runlineage.catalogs.records.facts import read_fact

PRECISIONS = "fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8"


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
def test_a_word_outside_its_choices_is_refused_with_them(refusal, field, raw, sentence):
    assert refusal(read_fact, raw, field) == sentence
