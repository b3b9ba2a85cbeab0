"""Weights from a config: the exact counts of released models, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from runlineage.dataflow.cards.architectures import ARCHITECTURES
from runlineage.dataflow.cards.config_fields import ConfigFields
from runlineage.dataflow.cards.weights import Weights


def llama_like(d: int, layers: int, f: int, heads: int, keys: int, vocabulary: int, tied: bool, **more: Any) -> Any:
    return {
        "hidden_size": d,
        "num_hidden_layers": layers,
        "intermediate_size": f,
        "num_attention_heads": heads,
        "num_key_value_heads": keys,
        "vocab_size": vocabulary,
        "tie_word_embeddings": tied,
        **more,
    }


GPT_OSS = {"head_dim": 64, "attention_bias": True}
QWEN_MOE = {"decoder_sparse_step": 1}
MLA = {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "kv_lora_rank": 512, "moe_layer_freq": 1}
FALCON = {"bias": False, "alibi": False, "multi_query": True, "parallel_attn": True, "tie_word_embeddings": True}
OPT = {"do_layer_norm_before": True, "max_position_embeddings": 2048, "tie_word_embeddings": True, "vocab_size": 50272}
LLAMA4_IMAGES = {
    "hidden_size": 1408,
    "intermediate_size": 5632,
    "num_hidden_layers": 34,
    "image_size": 336,
    "patch_size": 14,
    "num_channels": 3,
    "projector_input_dim": 4096,
    "projector_output_dim": 4096,
    "vision_output_dim": 4096,
}


def llama4(experts: int, step: int, **more: Any) -> Any:
    text = llama_like(5120, 48, 8192, 40, 8, 202048, False, head_dim=128, attention_bias=False)
    text |= {"intermediate_size_mlp": 16384, "num_local_experts": experts, "num_experts_per_tok": 1}
    text |= {"interleave_moe_layer_step": step, **more}
    return {"text_config": text, "vision_config": LLAMA4_IMAGES}


GEMMA3_IMAGES = {
    "hidden_size": 1152,
    "intermediate_size": 4304,
    "num_hidden_layers": 27,
    "image_size": 896,
    "patch_size": 14,
    "num_channels": 3,
}


def gemma3(*sizes: int, head_dim: int) -> Any:
    text = llama_like(*sizes, 262208, True, head_dim=head_dim)  # type: ignore[arg-type]
    return {"text_config": text, "vision_config": GEMMA3_IMAGES}


def t5(d: int, layers: int, f: int, heads: int, kv: int, vocabulary: int = 32128, **more: Any) -> Any:
    sizes = {"d_model": d, "num_layers": layers, "d_ff": f, "num_heads": heads, "d_kv": kv}
    return {**sizes, "relative_attention_num_buckets": 32, "vocab_size": vocabulary, **more}


GATED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}


# The sizes of released models, as their own configs state them, and the counts that their weights have. Files that
# store a shared table twice hold more: 7,217,189,760 for Falcon 7B and 41,835,970,560 for Falcon 40B.
RELEASED: dict[str, tuple[str, dict[str, Any], int]] = {
    "Llama 2 7B": ("LlamaForCausalLM", llama_like(4096, 32, 11008, 32, 32, 32000, False), 6_738_415_616),
    "Llama 3.1 8B": ("LlamaForCausalLM", llama_like(4096, 32, 14336, 32, 8, 128256, False), 8_030_261_248),
    "Llama 3.1 70B": ("LlamaForCausalLM", llama_like(8192, 80, 28672, 64, 8, 128256, False), 70_553_706_496),
    "Llama 3.1 405B": ("LlamaForCausalLM", llama_like(16384, 126, 53248, 128, 8, 128256, False), 405_853_388_800),
    "Llama 3.2 1B": ("LlamaForCausalLM", llama_like(2048, 16, 8192, 32, 8, 128256, True, head_dim=64), 1_235_814_400),
    "Mistral 7B": ("MistralForCausalLM", llama_like(4096, 32, 14336, 32, 8, 32000, False), 7_241_732_096),
    "Phi-3 mini": ("Phi3ForCausalLM", llama_like(3072, 32, 8192, 32, 32, 32064, False), 3_821_079_552),
    "Qwen2.5 7B": ("Qwen2ForCausalLM", llama_like(3584, 28, 18944, 28, 4, 152064, False), 7_615_616_512),
    "Qwen2.5 0.5B": ("Qwen2ForCausalLM", llama_like(896, 24, 4864, 14, 2, 151936, True), 494_032_768),
    "Qwen3 8B": (
        "Qwen3ForCausalLM",
        llama_like(4096, 36, 12288, 32, 8, 151936, False, head_dim=128, attention_bias=False),
        8_190_735_360,
    ),
    "Gemma 2B": ("GemmaForCausalLM", llama_like(2048, 18, 16384, 8, 1, 256000, True, head_dim=256), 2_506_172_416),
    "Gemma 7B": ("GemmaForCausalLM", llama_like(3072, 28, 24576, 16, 16, 256000, True, head_dim=256), 8_537_680_896),
    "Gemma 2 2B": ("Gemma2ForCausalLM", llama_like(2304, 26, 9216, 8, 4, 256000, True, head_dim=256), 2_614_341_888),
    "Gemma 2 9B": ("Gemma2ForCausalLM", llama_like(3584, 42, 14336, 16, 8, 256000, True, head_dim=256), 9_241_705_984),
    "Gemma 2 27B": (
        "Gemma2ForCausalLM",
        llama_like(4608, 46, 36864, 32, 16, 256000, True, head_dim=128),
        27_227_128_320,
    ),
    "Gemma 3 1B": ("Gemma3ForCausalLM", llama_like(1152, 26, 6912, 4, 1, 262144, True, head_dim=256), 999_885_952),
    "Gemma 3 270M": ("Gemma3ForCausalLM", llama_like(640, 18, 2048, 4, 1, 262144, True, head_dim=256), 268_098_176),
    "Granite 3.1 2B": ("GraniteForCausalLM", llama_like(2048, 40, 8192, 32, 8, 49155, True), 2_533_531_648),
    "OLMo 7B": ("OlmoForCausalLM", llama_like(4096, 32, 11008, 32, 32, 50304, False), 6_888_095_744),
    "OLMo 2 7B": ("Olmo2ForCausalLM", llama_like(4096, 32, 11008, 32, 32, 100352, False), 7_298_617_344),
    "OLMo 3 7B": ("Olmo3ForCausalLM", llama_like(4096, 32, 11008, 32, 32, 100278, False), 7_298_011_136),
    "OLMo 3 32B": ("Olmo3ForCausalLM", llama_like(5120, 64, 27648, 40, 8, 100278, False), 32_233_522_176),
    "gpt-oss 20B": (
        "GptOssForCausalLM",
        GPT_OSS | llama_like(2880, 24, 2880, 64, 8, 201088, False, num_local_experts=32, num_experts_per_tok=4),
        20_914_757_184,
    ),
    "gpt-oss 120B": (
        "GptOssForCausalLM",
        GPT_OSS | llama_like(2880, 36, 2880, 64, 8, 201088, False, num_local_experts=128, num_experts_per_tok=4),
        116_829_156_672,
    ),
    "Gemma 3 4B": (
        "Gemma3ForConditionalGeneration",
        gemma3(2560, 34, 10240, 8, 4, head_dim=256),
        4_300_079_472 - 416_866_032 - 1152 * 2560 - 1152,  # without the tower for images and the way from it
    ),
    "Gemma 3 27B": (
        "Gemma3ForConditionalGeneration",
        gemma3(5376, 62, 21504, 32, 16, head_dim=128),
        27_432_406_640 - 416_866_032 - 1152 * 5376 - 1152,
    ),
    "Granite 3.1 1B A400M": (
        "GraniteMoeForCausalLM",
        llama_like(1024, 24, 512, 16, 8, 49155, True, num_local_experts=32, num_experts_per_tok=8),
        1_334_628_352,
    ),
    "Granite 3.1 3B A800M": (
        "GraniteMoeForCausalLM",
        llama_like(1536, 32, 512, 24, 8, 49155, True, num_local_experts=40, num_experts_per_tok=8),
        3_298_793_472,
    ),
    "OLMoE 1B-7B": (
        "OlmoeForCausalLM",
        llama_like(2048, 16, 1024, 16, 16, 50304, False, num_experts=64, num_experts_per_tok=8),
        6_919_161_856,
    ),
    "T5 small": ("T5ForConditionalGeneration", t5(512, 6, 2048, 8, 64), 60_506_624),
    "T5 11B": ("T5ForConditionalGeneration", t5(1024, 24, 65536, 128, 128), 11_307_321_344),
    "T5 1.1 XXL": ("T5ForConditionalGeneration", t5(4096, 24, 10240, 64, 64, **GATED), 11_135_332_352),
    "mT5 small": ("MT5ForConditionalGeneration", t5(512, 8, 1024, 6, 64, 250112, **GATED), 300_176_768),
    "Llama 4 Scout, text": (
        "Llama4ForCausalLM",
        llama4(16, 1)["text_config"],
        107_769_861_120,  # of the 108,641,793,536 all but the tower
    ),
    "Llama 4 Scout": ("Llama4ForConditionalGeneration", llama4(16, 1), 108_641_793_536),
    "Llama 4 Maverick": ("Llama4ForConditionalGeneration", llama4(128, 2), 401_583_781_376),
    "Mixtral 8x7B": (
        "MixtralForCausalLM",
        llama_like(4096, 32, 14336, 32, 8, 32000, False, num_local_experts=8, num_experts_per_tok=2),
        46_702_792_704,
    ),
    "Mixtral 8x22B": (
        "MixtralForCausalLM",
        llama_like(6144, 56, 16384, 48, 8, 32768, False, num_local_experts=8, num_experts_per_tok=2),
        140_630_071_296,
    ),
    "Qwen1.5 MoE A2.7B": (
        "Qwen2MoeForCausalLM",
        QWEN_MOE
        | llama_like(2048, 24, 5632, 16, 16, 151936, False, num_experts=60, num_experts_per_tok=4)
        | {"moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632},
        14_315_784_192,
    ),
    "Qwen3 30B A3B": (
        "Qwen3MoeForCausalLM",
        QWEN_MOE
        | llama_like(2048, 48, 6144, 32, 4, 151936, False, num_experts=128, num_experts_per_tok=8)
        | {"moe_intermediate_size": 768, "head_dim": 128, "attention_bias": False, "mlp_only_layers": []},
        30_532_122_624,
    ),
    "DeepSeek-V2-Lite": (
        "DeepseekV2ForCausalLM",
        MLA
        | llama_like(2048, 27, 10944, 16, 16, 102400, False, n_routed_experts=64, num_experts_per_tok=6)
        | {"q_lora_rank": None, "n_shared_experts": 2, "moe_intermediate_size": 1408, "first_k_dense_replace": 1},
        15_706_484_224,
    ),
    "DeepSeek-V2": (
        "DeepseekV2ForCausalLM",
        MLA
        | llama_like(5120, 60, 12288, 128, 128, 102400, False, n_routed_experts=160, num_experts_per_tok=6)
        | {"q_lora_rank": 1536, "n_shared_experts": 2, "moe_intermediate_size": 1536, "first_k_dense_replace": 1},
        235_741_434_880,
    ),
    "DeepSeek-V3": (
        "DeepseekV3ForCausalLM",
        MLA
        | llama_like(7168, 61, 18432, 128, 128, 129280, False, n_routed_experts=256, num_experts_per_tok=8)
        | {"q_lora_rank": 1536, "n_shared_experts": 1, "moe_intermediate_size": 2048, "first_k_dense_replace": 3}
        | {"num_nextn_predict_layers": 1},
        671_026_419_200,
    ),
    "GPT-2": (
        "GPT2LMHeadModel",
        {"n_embd": 768, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257, "tie_word_embeddings": True},
        124_439_808,
    ),
    "GPT-2 XL": (
        "GPT2LMHeadModel",
        {"n_embd": 1600, "n_layer": 48, "n_positions": 1024, "vocab_size": 50257, "tie_word_embeddings": True},
        1_557_611_200,
    ),
    "Pythia 12B": ("GPTNeoXForCausalLM", llama_like(5120, 36, 20480, 40, 40, 50688, False), 11_846_072_320),
    "GPT-NeoX 20B": ("GPTNeoXForCausalLM", llama_like(6144, 44, 24576, 64, 64, 50432, False), 20_554_567_680),
    "BLOOM 176B": (
        "BloomForCausalLM",
        {"n_embed": 14336, "n_layer": 70, "vocab_size": 250880, "tie_word_embeddings": True},
        176_247_271_424,
    ),
    "OPT 125M": (
        "OPTForCausalLM",
        OPT | {"hidden_size": 768, "word_embed_proj_dim": 768, "num_hidden_layers": 12, "ffn_dim": 3072},
        125_239_296,
    ),
    "OPT 6.7B": (
        "OPTForCausalLM",
        OPT | {"hidden_size": 4096, "word_embed_proj_dim": 4096, "num_hidden_layers": 32, "ffn_dim": 16384},
        6_658_473_984,
    ),
    "Falcon 7B": (
        "FalconForCausalLM",
        FALCON
        | {"hidden_size": 4544, "num_attention_heads": 71, "num_hidden_layers": 32, "vocab_size": 65024}
        | {"new_decoder_architecture": False},
        6_921_720_704,
    ),
    "Falcon 40B": (
        "FalconForCausalLM",
        FALCON
        | {"hidden_size": 8192, "num_attention_heads": 128, "num_hidden_layers": 60, "vocab_size": 65024}
        | {"new_decoder_architecture": True, "num_kv_heads": 8},
        41_303_293_952,
    ),
    "Phi-2": (
        "PhiForCausalLM",
        llama_like(2560, 32, 10240, 32, 32, 51200, False, qk_layernorm=False),
        2_779_683_840,
    ),
}


def count(architecture: str, config: dict[str, Any]) -> Weights:
    keys = ConfigFields({"architectures": [architecture], **config}, "config.json")
    weights = ARCHITECTURES[architecture](keys)
    assert keys.faults == []
    return weights


@pytest.mark.parametrize(("architecture", "config", "total"), RELEASED.values(), ids=RELEASED)
def test_the_count_is_that_of_the_released_weights(architecture: str, config: dict[str, Any], total: int) -> None:
    assert count(architecture, config).total == total


def test_every_architecture_is_held_to_a_released_model() -> None:
    assert {architecture for architecture, _, _ in RELEASED.values()} == set(ARCHITECTURES)


@pytest.mark.parametrize(
    ("name", "active"),
    [
        ("Mixtral 8x7B", 12_879_925_248),
        ("Granite 3.1 1B A400M", 428_658_688),  # the card: 400M
        ("Granite 3.1 3B A800M", 882_874_368),  # the card: 800M
        ("OLMoE 1B-7B", 1_282_017_280),  # the paper: 1.3B
        ("Gemma 3 27B", 27_009_346_304),  # of text alone: nothing is sparse
        ("Qwen3 30B A3B", 3_353_032_704),
        ("Llama 4 Scout", 17_172_894_720),  # nothing of the tower for images
        ("gpt-oss 20B", 3_608_307_264 + 201088 * 2880),  # the report, 3.61e9, leaves the embedding table out
        ("gpt-oss 120B", 5_132_849_472 + 201088 * 2880),
        ("DeepSeek-V3", 37_552_297_472),  # with the corrections of its 58 routers, 14,848
    ],
)
def test_a_token_passes_the_chosen_experts_alone(name: str, active: int) -> None:
    architecture, config, _ = RELEASED[name]
    assert count(architecture, config).active == active


def test_biases_that_a_config_names_are_counted() -> None:
    plain = llama_like(64, 2, 128, 4, 2, 100, True)
    biased = count("LlamaForCausalLM", plain | {"attention_bias": True, "mlp_bias": True})
    assert biased.total - count("LlamaForCausalLM", plain).total == 2 * ((64 + 2 * 32 + 64) + (2 * 128 + 64))


def faults(architecture: str, config: dict[str, Any]) -> list[str]:
    keys = ConfigFields({"architectures": [architecture], **config}, "config.json")
    ARCHITECTURES[architecture](keys)
    return [str(fault) for fault in keys.faults]


@pytest.mark.parametrize(("architecture", "config", "_"), RELEASED.values(), ids=RELEASED)
def test_every_missing_field_is_named_and_none_has_a_default(architecture: str, config: dict[str, Any], _: int) -> None:
    for field in sorted(set(config) - MAY_LACK - UNUSED.get(architecture, set())):
        said = faults(architecture, {name: value for name, value in config.items() if name != field})
        assert any(each.startswith(f"config.json: {NAMES.get(field, field)}: is missing; add it") for each in said)


MAY_LACK = {"num_nextn_predict_layers", "mlp_only_layers"}  # additions: a model without them is one that lacks them
UNUSED = {
    "FalconForCausalLM": {"multi_query", "parallel_attn"},  # the later design does not ask for them
    "GPTNeoXForCausalLM": {"num_attention_heads", "num_key_value_heads"},
    "PhiForCausalLM": {"num_key_value_heads"},  # as many as heads, unless the config says otherwise
    "LlamaForCausalLM": {"head_dim"},  # a share of the stream, unless the config says otherwise
    "Qwen2MoeForCausalLM": {"intermediate_size"},  # no layer is without experts
    "Qwen3MoeForCausalLM": {"intermediate_size"},
    "DeepseekV2ForCausalLM": {"num_key_value_heads"},
    "DeepseekV3ForCausalLM": {"num_key_value_heads"},
}
NAMES = {"n_embed": "hidden_size"}


def test_layers_with_experts_may_be_named_one_by_one() -> None:
    named = llama4(128, 1, moe_layers=list(range(1, 48, 2)))
    assert count("Llama4ForConditionalGeneration", named).total == 401_583_781_376


def test_the_faults_of_a_model_inside_are_named_with_their_place() -> None:
    config = llama4(16, 1)
    inner = {name: value for name, value in config["text_config"].items() if name != "num_local_experts"}
    said = faults("Llama4ForConditionalGeneration", {**config, "text_config": inner})
    assert len(said) == 1
    assert said[0].startswith("config.json: text_config: num_local_experts: is missing; add it")
    assert faults("Llama4ForConditionalGeneration", {**config, "vision_config": 1}) == [
        "config.json: vision_config: is 1; expected the fields of a model"
    ]


def test_all_faults_are_found_in_one_pass() -> None:
    said = faults("LlamaForCausalLM", {"hidden_size": "4096", "vocab_size": -1, "tie_word_embeddings": 0})
    assert "config.json: hidden_size: is '4096'; expected a whole number from 1 to 100,000,000" in said
    assert "config.json: tie_word_embeddings: is 0; expected true or false" in said
    assert any("num_key_value_heads: is missing; add it" in each for each in said)
    assert len(said) == 7


@pytest.mark.parametrize(
    ("architecture", "name", "changed", "said"),
    [
        ("OPTForCausalLM", "OPT 125M", {"word_embed_proj_dim": 512}, "a projection beside the stream is not counted"),
        ("OPTForCausalLM", "OPT 125M", {"do_layer_norm_before": False}, "norms after the blocks are not counted"),
        ("PhiForCausalLM", "Phi-2", {"qk_layernorm": True}, "norms of queries and keys are not counted"),
        (
            "T5ForConditionalGeneration",
            "T5 small",
            {"feed_forward_proj": "swish"},
            "only relu, gelu and the gated ones",
        ),
        ("T5ForConditionalGeneration", "T5 small", {"feed_forward_proj": 3}, "expected text"),
        ("FalconForCausalLM", "Falcon 7B", {"alibi": True}, "only Falcon 7B's design and the later one are counted"),
        ("LlamaForCausalLM", "Llama 2 7B", {"num_attention_heads": 33}, "is no whole number"),
        ("Qwen3MoeForCausalLM", "Qwen3 30B A3B", {"mlp_only_layers": "1"}, "expected a list of layers"),
        ("MixtralForCausalLM", "Mixtral 8x7B", {"num_experts_per_tok": 9}, "expected a whole number from 1 to 8"),
    ],
)
def test_what_an_equation_does_not_hold_for_is_refused(
    architecture: str, name: str, changed: dict[str, Any], said: str
) -> None:
    assert any(said in each for each in faults(architecture, RELEASED[name][1] | changed))
