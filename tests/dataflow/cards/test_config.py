"""A config.json as facts: exact counts with their keys, and every way to break one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runlineage import CatalogError, read_config

LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 16384,
    "num_hidden_layers": 126,
    "intermediate_size": 53248,
    "num_attention_heads": 128,
    "num_key_value_heads": 8,
    "max_position_embeddings": 131072,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
}
MIXTRAL = {
    "architectures": ["MixtralForCausalLM"],
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "intermediate_size": 14336,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
    "vocab_size": 32000,
    "tie_word_embeddings": False,
}


def write(folder: Path, content: object) -> Path:
    path = folder / "config.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def message(path: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        read_config(path)
    return str(caught.value).replace(str(path), "FILE")


def test_a_dense_model_has_its_count_with_file_and_keys(tmp_path: Path) -> None:
    path = write(tmp_path, LLAMA)
    found = read_config(path)
    fact = found.facts["parameters"]
    assert fact.value.magnitude == 405_853_388_800
    assert (fact.basis, fact.source) == ("derived", str(path))
    assert fact.place is not None
    assert fact.place.startswith("LlamaForCausalLM: hidden_size, ")
    assert fact.note == "head_dim = hidden_size ÷ num_attention_heads"
    assert "active_parameters" not in found.facts
    assert found.facts["sparse"].value is False


def test_the_shape_of_attention_stands_as_the_config_has_it(tmp_path: Path) -> None:
    assert read_config(write(tmp_path, LLAMA)).shape == {
        "layers": 126,
        "hidden_size": 16384,
        "attention_heads": 128,
        "key_heads": 8,
        "longest_sequence": 131072,
    }


def test_the_shape_of_a_model_for_text_and_images_is_that_of_its_text(tmp_path: Path) -> None:
    text = {**LLAMA, "head_dim": 128, "attention_bias": False, "num_local_experts": 16, "num_experts_per_tok": 1}
    text |= {"intermediate_size_mlp": 16384, "interleave_moe_layer_step": 1}
    images = {"hidden_size": 1408, "intermediate_size": 5632, "num_hidden_layers": 34, "image_size": 336}
    images |= {"patch_size": 14, "num_channels": 3, "projector_input_dim": 4096, "projector_output_dim": 4096}
    config = {"text_config": text, "vision_config": images | {"vision_output_dim": 4096}}
    read = read_config(write(tmp_path, {"architectures": ["Llama4ForConditionalGeneration"], **config}))
    assert read.shape["layers"] == 126
    assert read.shape["hidden_size"] == 16384
    assert read.facts["sparse"].value is True


def test_a_sparse_model_has_both_counts(tmp_path: Path) -> None:
    facts = read_config(write(tmp_path, MIXTRAL)).facts
    assert facts["parameters"].value.magnitude == 46_702_792_704
    assert facts["active_parameters"].value.magnitude == 12_879_925_248
    assert facts["sparse"].value is True


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({}, "FILE: architectures: is missing; expected one of BloomForCausalLM, "),
        ({"architectures": []}, "FILE: architectures: is []; expected one of "),
        ({"architectures": ["LlamaForCasualLM"]}, "the nearest: LlamaForCausalLM; there are Bloom"),
        ({"architectures": ["MambaForCausalLM"]}, "there are BloomForCausalLM, DeepseekV2ForCausalLM, "),
        ({**LLAMA, "hidden_size": -5}, "FILE: hidden_size: is -5; expected a whole number from 1 to 100,000,000"),
        ({**LLAMA, "hidden_size": 10**50}, "expected a whole number from 1 to 100,000,000"),
        ({**LLAMA, "num_hidden_layers": 10**6}, "expected a whole number from 1 to 10,000"),
        ({**LLAMA, "vocab_size": None}, "FILE: vocab_size: is null; write its value"),
        ([1], "FILE: holds [1]; expected an object with fields"),
        (b"[" * 100_000, "FILE: is nested too deeply"),
        (b'{"a": 1, "a": 2}', "FILE: is not valid here: 'a' appears twice"),
        (b"\xff\xfe", "FILE: is not UTF-8 at byte 0"),
        (
            b"{" + b" " * 1_000_001,
            "FILE: is over the limit of 1,000,000 bytes; split it",
        ),
    ],
)
def test_a_broken_config_is_refused(tmp_path: Path, content: object, said: str) -> None:
    assert said in message(write(tmp_path, content))


def test_a_missing_field_says_how_to_add_it(tmp_path: Path) -> None:
    path = write(tmp_path, {name: value for name, value in LLAMA.items() if name != "tie_word_embeddings"})
    assert message(path) == (
        "FILE: tie_word_embeddings: is missing; add it; "
        "`config.to_json_file(path, use_diff=False)` of transformers writes every field"
    )


def test_a_config_gives_what_attention_rests_on(tmp_path: Path) -> None:
    facts = read_config(write(tmp_path, LLAMA)).facts
    assert {name: facts[name].value.magnitude for name in ("layers", "hidden_size")} == {
        "layers": 126,
        "hidden_size": 16384,
    }
    assert not {"attention_width", "sequence_length"} & facts.keys()
    wide = read_config(write(tmp_path, {**LLAMA, "head_dim": 256})).facts["attention_width"]
    assert (wide.value.magnitude, wide.basis) == (128 * 256, "derived")


T5 = {
    "architectures": ["T5ForConditionalGeneration"],
    "d_model": 512,
    "num_layers": 6,
    "d_ff": 2048,
    "num_heads": 8,
    "d_kv": 64,
    "relative_attention_num_buckets": 32,
    "vocab_size": 32128,
}


def test_an_encoder_decoder_is_said_to_be_one_and_its_first_design_is_noted(tmp_path: Path) -> None:
    facts = read_config(write(tmp_path, T5)).facts
    assert facts["architecture"].value == "encoder-decoder"
    assert facts["parameters"].value.magnitude == 60_506_624
    assert facts["parameters"].note is not None
    assert "feed_forward_proj = relu, as in the first T5" in facts["parameters"].note
    assert "layers" not in facts  # of two stacks


def test_a_decoder_may_have_a_depth_of_its_own(tmp_path: Path) -> None:
    deeper = read_config(write(tmp_path, {**T5, "num_decoder_layers": 7})).facts["parameters"].value.magnitude
    assert deeper - 60_506_624 == 8 * 512 * 512 + 2 * 512 * 2048 + 3 * 512  # two attentions, a block, three norms


def test_a_later_design_states_all_of_itself(tmp_path: Path) -> None:
    said = message(write(tmp_path, {**T5, "feed_forward_proj": "gated-gelu"}))
    assert "tie_word_embeddings: is missing; add it" in said
    said = message(write(tmp_path, {**T5, "architectures": ["MT5ForConditionalGeneration"]}))
    assert "feed_forward_proj: is missing; add it" in said
    assert "tie_word_embeddings: is missing; add it" in said


def test_the_tower_for_images_is_noted_and_not_inside(tmp_path: Path) -> None:
    text = {name: value for name, value in LLAMA.items() if name != "architectures"} | {"head_dim": 128}
    images = {"hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27, "image_size": 896}
    config = {"architectures": ["Gemma3ForConditionalGeneration"], "text_config": text}
    whole = config | {"vision_config": images | {"patch_size": 14, "num_channels": 3}}
    facts = read_config(write(tmp_path, whole)).facts
    assert facts["sparse"].value is False
    assert facts["parameters"].note is not None
    assert (
        f"without the {416_866_032 + 1152 * 16384 + 1152:,} weights of the tower for images" in facts["parameters"].note
    )
    assert "vision_config: is missing" in message(write(tmp_path, config))


def test_granite_with_state_space_layers_is_refused_by_name(tmp_path: Path) -> None:
    said = message(write(tmp_path, {"architectures": ["GraniteMoeHybridForCausalLM"]}))
    assert "'GraniteMoeHybridForCausalLM' is not known" in said
