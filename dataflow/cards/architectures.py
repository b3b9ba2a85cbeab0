"""Weights by architecture: how many a model has, and how many one token passes, from the fields of its config.

Each function is one architecture's equation in the fields' own names; `ARCHITECTURES` lists them by the class that a
config names, and the tests hold each to the exact count of a released model. Letters: d is the width of the stream,
h of a head, q of all queries, kv of all keys, f the inner width of a feed-forward block. Embedding tables count whole;
buffers, such as rotary frequencies, do not count.
"""

from __future__ import annotations

from collections.abc import Callable

from runlineage.dataflow.cards.config_fields import ConfigFields
from runlineage.dataflow.cards.expert_architectures import deepseek, gpt_oss, mixtral, olmoe, qwen_moe
from runlineage.dataflow.cards.image_architectures import gemma3_images, llama4, llama4_text
from runlineage.dataflow.cards.text_to_text import t5
from runlineage.dataflow.cards.weights import (
    SHARE,
    Weights,
    biased_attention,
    dense,
    gated,
    grouped_attention,
    head_size,
    tables,
)


def _like_llama(c: ConfigFields, d: int, attention: int, norms: int) -> Weights:
    layer = attention + gated(d, c.whole("intermediate_size")) + norms
    return dense(tables(c, d) + c.layers("num_hidden_layers") * layer + d)


def llama(c: ConfigFields) -> Weights:
    """Count Llama and Granite: grouped attention, a gated feed-forward block, two norms."""
    d = c.whole("hidden_size")
    mlp_biases = (2 * c.whole("intermediate_size") + d) * c.switch("mlp_bias")
    return _like_llama(c, d, biased_attention(c, d, head_size(c, d)) + mlp_biases, 2 * d)


def mistral(c: ConfigFields) -> Weights:
    """Count Mistral and Phi-3: Llama that has no biases."""
    d = c.whole("hidden_size")
    return _like_llama(c, d, grouped_attention(c, d, head_size(c, d)), 2 * d)


def qwen2(c: ConfigFields) -> Weights:
    """Count Qwen2: Llama with biases on queries, keys and values."""
    d = c.whole("hidden_size")
    return _like_llama(c, d, grouped_attention(c, d, head_size(c, d), biases=True), 2 * d)


def qwen3(c: ConfigFields) -> Weights:
    """Count Qwen3: Llama with a norm each for the queries and the keys of a head."""
    d, h = c.whole("hidden_size"), c.whole("head_dim")
    biased = c.truth("attention_bias")
    return _like_llama(c, d, grouped_attention(c, d, h, biases=biased, out=biased), 2 * d + 2 * h)


def gemma(c: ConfigFields) -> Weights:
    """Count Gemma: Llama with a head size of its own."""
    d = c.whole("hidden_size")
    return _like_llama(c, d, biased_attention(c, d, c.whole("head_dim")), 2 * d)


def gemma2(c: ConfigFields) -> Weights:
    """Count Gemma 2: Gemma with a norm before and after either block."""
    d = c.whole("hidden_size")
    return _like_llama(c, d, biased_attention(c, d, c.whole("head_dim")), 4 * d)


def gemma3(c: ConfigFields) -> Weights:
    """Count Gemma 3 for text: Gemma 2 with a norm each for the queries and the keys of a head."""
    d, h = c.whole("hidden_size"), c.whole("head_dim")
    return _like_llama(c, d, biased_attention(c, d, h), 4 * d + 2 * h)


def olmo(c: ConfigFields) -> Weights:
    """Count OLMo: Llama whose norms have no weights, the last one neither."""
    d = c.whole("hidden_size")
    return dense(_like_llama(c, d, biased_attention(c, d, head_size(c, d)), 0).total - d)


def olmo2(c: ConfigFields) -> Weights:
    """Count OLMo 2 and OLMo 3: Llama with norms over all queries and over all keys."""
    d = c.whole("hidden_size")
    h = head_size(c, d)
    norms = (c.whole("num_attention_heads") + c.whole("num_key_value_heads")) * h + 2 * d
    return _like_llama(c, d, biased_attention(c, d, h), norms)


def gpt2(c: ConfigFields) -> Weights:
    """Count GPT-2: learned positions, biases everywhere, norms with biases."""
    d = c.whole("n_embd")
    f = c.defined("n_inner", 4 * d, "4 × n_embd")
    layer = (4 * d * d + 4 * d) + (2 * d * f + f + d) + 4 * d
    return dense(tables(c, d) + c.whole("n_positions") * d + c.layers("n_layer") * layer + 2 * d)


def gpt_neox(c: ConfigFields) -> Weights:
    """Count GPT-NeoX and Pythia: rotary positions, biases everywhere, norms with biases."""
    d, f = c.whole("hidden_size"), c.whole("intermediate_size")
    biases = 0 if c.config.get("attention_bias") is False else 4 * d
    layer = (4 * d * d + biases) + (2 * d * f + f + d) + 4 * d
    return dense(tables(c, d) + c.layers("num_hidden_layers") * layer + 2 * d)


def bloom(c: ConfigFields) -> Weights:
    """Count BLOOM: a norm after the embedding, no learned positions, biases everywhere."""
    d = c.whole("hidden_size", "n_embed")
    layer = (4 * d * d + 4 * d) + (8 * d * d + 5 * d) + 4 * d
    return dense(tables(c, d) + 2 * d + c.layers("n_layer", "num_hidden_layers") * layer + 2 * d)


def opt(c: ConfigFields) -> Weights:
    """Count OPT: learned positions with two spare rows, norms before the blocks."""
    d, f = c.whole("hidden_size"), c.whole("ffn_dim")
    if c.whole("word_embed_proj_dim") != d:
        c.refuse("word_embed_proj_dim", "a projection beside the stream is not counted here")
    if not c.truth("do_layer_norm_before"):
        c.refuse("do_layer_norm_before", "norms after the blocks are not counted here")
    layer = (4 * d * d + 4 * d) + (2 * d * f + f + d) + 4 * d
    positions = (c.whole("max_position_embeddings") + 2) * d
    return dense(tables(c, d) + positions + c.layers("num_hidden_layers") * layer + 2 * d)


def falcon(c: ConfigFields) -> Weights:
    """Count Falcon 7B (one key head, one norm a layer) and its later design (grouped keys, two norms)."""
    d, heads = c.whole("hidden_size"), c.whole("num_attention_heads", "n_head")
    h = c.share("head_dim", d, heads, SHARE)
    new = c.truth("new_decoder_architecture")
    if c.truth("bias") or c.truth("alibi") or not (new or (c.truth("multi_query") and c.truth("parallel_attn"))):
        c.refuse("new_decoder_architecture", "only Falcon 7B's design and the later one are counted here")
    kv = (c.whole("num_kv_heads", "n_head_kv") if new else 1) * h
    layer = 2 * d * d + 2 * d * kv + 8 * d * d + (4 if new else 2) * d
    return dense(tables(c, d) + c.layers("num_hidden_layers", "n_layer") * layer + 2 * d)


def phi(c: ConfigFields) -> Weights:
    """Count Phi-1 to Phi-2: one norm a layer, biases everywhere, the output's too."""
    d, f, vocabulary = c.whole("hidden_size"), c.whole("intermediate_size"), c.whole("vocab_size")
    if c.truth("qk_layernorm"):
        c.refuse("qk_layernorm", "norms of queries and keys are not counted here")
    h = head_size(c, d)
    keys = c.defined("num_key_value_heads", c.whole("num_attention_heads"), "num_attention_heads")
    layer = (2 * d * d + 2 * d) + 2 * (d + 1) * keys * h + (2 * d * f + f + d) + 2 * d
    return dense(tables(c, d) + vocabulary + c.layers("num_hidden_layers") * layer + 2 * d)


ARCHITECTURES: dict[str, Callable[[ConfigFields], Weights]] = {
    "BloomForCausalLM": bloom,
    "DeepseekV2ForCausalLM": deepseek,
    "DeepseekV3ForCausalLM": deepseek,
    "FalconForCausalLM": falcon,
    "GPT2LMHeadModel": gpt2,
    "GPTNeoXForCausalLM": gpt_neox,
    "Gemma2ForCausalLM": gemma2,
    "Gemma3ForCausalLM": gemma3,
    "Gemma3ForConditionalGeneration": lambda c: gemma3_images(c, gemma3),
    "GemmaForCausalLM": gemma,
    "GptOssForCausalLM": gpt_oss,
    "GraniteForCausalLM": llama,
    "GraniteMoeForCausalLM": mixtral,
    "Llama4ForCausalLM": llama4_text,
    "Llama4ForConditionalGeneration": llama4,
    "LlamaForCausalLM": llama,
    "MT5ForConditionalGeneration": t5,
    "MistralForCausalLM": mistral,
    "MixtralForCausalLM": mixtral,
    "OPTForCausalLM": opt,
    "Olmo2ForCausalLM": olmo2,
    "Olmo3ForCausalLM": olmo2,
    "OlmoForCausalLM": olmo,
    "OlmoeForCausalLM": olmoe,
    "Phi3ForCausalLM": mistral,
    "PhiForCausalLM": phi,
    "Qwen2ForCausalLM": qwen2,
    "Qwen2MoeForCausalLM": qwen_moe,
    "Qwen3ForCausalLM": qwen3,
    "Qwen3MoeForCausalLM": qwen_moe,
    "T5ForConditionalGeneration": t5,
}
