"""Weights by architecture: how many a model has, and how many one token passes, from the fields of its config.

Each function is one architecture's equation in the fields' own names; `ARCHITECTURES` lists them by the class that a
config names, and the tests hold each to the exact count of a released model. Letters: d is the width of the stream,
h of a head, q of all queries, kv of all keys, f the inner width of a feed-forward block. Embedding tables count whole;
buffers, such as rotary frequencies, do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runlineage.dataflow.cards.config_keys import Keys

SHARE = "hidden_size ÷ num_attention_heads"


@dataclass(frozen=True)
class Weights:
    """A model's weights: all of them, and those that one token passes."""

    total: int
    active: int


def _dense(total: int) -> Weights:
    return Weights(total, total)


def _tables(c: Keys, d: int) -> int:
    """Give the embedding table, and the output's own unless the two are one."""
    return c.whole("vocab_size") * d * (1 if c.truth("tie_word_embeddings") else 2)


def _grouped(c: Keys, d: int, h: int, *, biases: bool = False) -> int:
    """Give attention with its own count of key heads; `biases` are those of queries, keys and values."""
    q, kv = c.whole("num_attention_heads") * h, c.whole("num_key_value_heads") * h
    return 2 * d * q + 2 * d * kv + (q + 2 * kv) * biases


def _head(c: Keys, d: int) -> int:
    return c.share("head_dim", d, c.whole("num_attention_heads"), SHARE)


def _gated(d: int, f: int) -> int:
    return 3 * d * f


def _like_llama(c: Keys, d: int, attention: int, norms: int) -> Weights:
    layer = attention + _gated(d, c.whole("intermediate_size")) + norms
    return _dense(_tables(c, d) + c.layers("num_hidden_layers") * layer + d)


def llama(c: Keys) -> Weights:
    """Count Llama: grouped attention, a gated feed-forward block, two norms."""
    d, biased = c.whole("hidden_size"), c.switch("attention_bias")
    mlp_biases = (2 * c.whole("intermediate_size") + d) * c.switch("mlp_bias")
    return _like_llama(c, d, _grouped(c, d, _head(c, d), biases=biased) + d * biased + mlp_biases, 2 * d)


def mistral(c: Keys) -> Weights:
    """Count Mistral and Phi-3: Llama that has no biases."""
    d = c.whole("hidden_size")
    return _like_llama(c, d, _grouped(c, d, _head(c, d)), 2 * d)


def qwen2(c: Keys) -> Weights:
    """Count Qwen2: Llama with biases on queries, keys and values."""
    d = c.whole("hidden_size")
    return _like_llama(c, d, _grouped(c, d, _head(c, d), biases=True), 2 * d)


def qwen3(c: Keys) -> Weights:
    """Count Qwen3: Llama with a norm each for the queries and the keys of a head."""
    d, h = c.whole("hidden_size"), c.whole("head_dim")
    biased = c.truth("attention_bias")
    return _like_llama(c, d, _grouped(c, d, h, biases=biased) + d * biased, 2 * d + 2 * h)


def gemma(c: Keys) -> Weights:
    """Count Gemma: Llama with a head size of its own."""
    d = c.whole("hidden_size")
    biased = c.switch("attention_bias")
    return _like_llama(c, d, _grouped(c, d, c.whole("head_dim"), biases=biased) + d * biased, 2 * d)


def gemma2(c: Keys) -> Weights:
    """Count Gemma 2: Gemma with a norm before and after either block."""
    d = c.whole("hidden_size")
    biased = c.switch("attention_bias")
    return _like_llama(c, d, _grouped(c, d, c.whole("head_dim"), biases=biased) + d * biased, 4 * d)


def olmo(c: Keys) -> Weights:
    """Count OLMo: Llama whose norms have no weights, the last one neither."""
    d = c.whole("hidden_size")
    biased = c.switch("attention_bias")
    model = _like_llama(c, d, _grouped(c, d, _head(c, d), biases=biased) + d * biased, 0)
    return _dense(model.total - d)


def olmo2(c: Keys) -> Weights:
    """Count OLMo 2: Llama with norms over all queries and over all keys."""
    d, h = c.whole("hidden_size"), c.share("head_dim", c.whole("hidden_size"), c.whole("num_attention_heads"), SHARE)
    biased = c.switch("attention_bias")
    norms = (c.whole("num_attention_heads") + c.whole("num_key_value_heads")) * h + 2 * d
    return _like_llama(c, d, _grouped(c, d, h, biases=biased) + d * biased, norms)


def mixtral(c: Keys) -> Weights:
    """Count Mixtral: Mistral with experts in place of the feed-forward block, and a router."""
    d, experts = c.whole("hidden_size"), c.whole("num_local_experts")
    expert = _gated(d, c.whole("intermediate_size"))
    common = _tables(c, d) + d
    layer = _grouped(c, d, _head(c, d)) + d * experts + 2 * d
    return _with_experts(c, common, c.layers("num_hidden_layers"), layer, experts, expert)


def _with_experts(c: Keys, common: int, layers: int, layer: int, experts: int, expert: int) -> Weights:
    """Add up `layers` with experts, of which a token passes `num_experts_per_tok`."""
    used = c.whole("num_experts_per_tok", most=max(experts, 1))
    return Weights(*(common + layers * (layer + count * expert) for count in (experts, used)))


def qwen_moe(c: Keys) -> Weights:
    """Count Qwen2-MoE and Qwen3-MoE: experts in every few layers, in Qwen2 with a shared expert and its gate."""
    d, experts = c.whole("hidden_size"), c.whole("num_experts")
    layers, step, dense = c.layers("num_hidden_layers"), c.whole("decoder_sparse_step"), c.places("mlp_only_layers")
    sparse = sum(place not in dense and (place + 1) % step == 0 for place in range(layers))
    block, shared = _qwen_attention(c, d)
    dense_blocks = (layers - sparse) * _gated(d, c.whole("intermediate_size")) if sparse < layers else 0
    common = _tables(c, d) + d + (layers - sparse) * block + dense_blocks
    layer = block + d * experts + shared
    return _with_experts(c, common, sparse, layer, experts, _gated(d, c.whole("moe_intermediate_size")))


def _qwen_attention(c: Keys, d: int) -> tuple[int, int]:
    """Give what a layer has beside its experts, and what it has beside them only where it has experts."""
    if c.config.get("architectures") == ["Qwen3MoeForCausalLM"]:
        h, biased = c.whole("head_dim"), c.truth("attention_bias")
        return _grouped(c, d, h, biases=biased) + d * biased + 2 * h + 2 * d, 0
    shared = _gated(d, c.whole("shared_expert_intermediate_size")) + d
    return _grouped(c, d, _head(c, d), biases=True) + 2 * d, shared


def deepseek(c: Keys) -> Weights:
    """Count DeepSeek-V2 and V3: compressed attention, and experts after the first layers, some of them shared.

    The modules that predict several tokens (`num_nextn_predict_layers`) do not count: the main model works without.
    """
    d, layers, first = c.whole("hidden_size"), c.layers("num_hidden_layers"), c.whole("first_k_dense_replace", least=0)
    step, experts = c.whole("moe_layer_freq"), c.whole("n_routed_experts")
    sparse = sum(place >= first and place % step == 0 for place in range(layers))
    expert = _gated(d, c.whole("moe_intermediate_size"))
    block = _compressed(c, d) + 2 * d
    dense = _gated(d, c.whole("intermediate_size"))
    common = _tables(c, d) + d + (layers - sparse) * (block + dense)
    corrections = experts if c.config.get("architectures") == ["DeepseekV3ForCausalLM"] else 0
    layer = block + d * experts + corrections + c.whole("n_shared_experts") * expert
    if c.config.get("num_nextn_predict_layers"):
        c.notes.append("without the modules that predict further tokens")
    return _with_experts(c, common, sparse, layer, experts, expert)


def _compressed(c: Keys, d: int) -> int:
    """Give latent attention: queries (unless `q_lora_rank` is null) and keys pass a narrow layer with a norm."""
    heads, rope, rank = c.whole("num_attention_heads"), c.whole("qk_rope_head_dim"), c.whole("kv_lora_rank")
    plain, value = c.whole("qk_nope_head_dim"), c.whole("v_head_dim")
    q = heads * (plain + rope)
    narrow = 0 if c.config.get("q_lora_rank", 0) is None else c.whole("q_lora_rank")
    queries = d * narrow + narrow + narrow * q if narrow else d * q
    return queries + d * (rank + rope) + rank + rank * heads * (plain + value) + heads * value * d


def gpt2(c: Keys) -> Weights:
    """Count GPT-2: learned positions, biases everywhere, norms with biases."""
    d = c.whole("n_embd")
    f = c.defined("n_inner", 4 * d, "4 × n_embd")
    layer = (4 * d * d + 4 * d) + (2 * d * f + f + d) + 4 * d
    return _dense(_tables(c, d) + c.whole("n_positions") * d + c.layers("n_layer") * layer + 2 * d)


def gpt_neox(c: Keys) -> Weights:
    """Count GPT-NeoX and Pythia: rotary positions, biases everywhere, norms with biases."""
    d, f = c.whole("hidden_size"), c.whole("intermediate_size")
    biases = 0 if c.config.get("attention_bias") is False else 4 * d
    layer = (4 * d * d + biases) + (2 * d * f + f + d) + 4 * d
    return _dense(_tables(c, d) + c.layers("num_hidden_layers") * layer + 2 * d)


def bloom(c: Keys) -> Weights:
    """Count BLOOM: a norm after the embedding, no learned positions, biases everywhere."""
    d = c.whole("hidden_size", "n_embed")
    layer = (4 * d * d + 4 * d) + (8 * d * d + 5 * d) + 4 * d
    return _dense(_tables(c, d) + 2 * d + c.layers("n_layer", "num_hidden_layers") * layer + 2 * d)


def opt(c: Keys) -> Weights:
    """Count OPT: learned positions with two spare rows, norms before the blocks."""
    d, f = c.whole("hidden_size"), c.whole("ffn_dim")
    if c.whole("word_embed_proj_dim") != d:
        c.refuse("word_embed_proj_dim", "a projection beside the stream is not counted here")
    if not c.truth("do_layer_norm_before"):
        c.refuse("do_layer_norm_before", "norms after the blocks are not counted here")
    layer = (4 * d * d + 4 * d) + (2 * d * f + f + d) + 4 * d
    positions = (c.whole("max_position_embeddings") + 2) * d
    return _dense(_tables(c, d) + positions + c.layers("num_hidden_layers") * layer + 2 * d)


def falcon(c: Keys) -> Weights:
    """Count Falcon 7B (one key head, one norm a layer) and its later design (grouped keys, two norms)."""
    d, heads = c.whole("hidden_size"), c.whole("num_attention_heads", "n_head")
    h = c.share("head_dim", d, heads, SHARE)
    new = c.truth("new_decoder_architecture")
    if c.truth("bias") or c.truth("alibi") or not (new or (c.truth("multi_query") and c.truth("parallel_attn"))):
        c.refuse("new_decoder_architecture", "only Falcon 7B's design and the later one are counted here")
    kv = (c.whole("num_kv_heads", "n_head_kv") if new else 1) * h
    layer = 2 * d * d + 2 * d * kv + 8 * d * d + (4 if new else 2) * d
    return _dense(_tables(c, d) + c.layers("num_hidden_layers", "n_layer") * layer + 2 * d)


def phi(c: Keys) -> Weights:
    """Count Phi-1 to Phi-2: one norm a layer, biases everywhere, the output's too."""
    d, f, vocabulary = c.whole("hidden_size"), c.whole("intermediate_size"), c.whole("vocab_size")
    if c.truth("qk_layernorm"):
        c.refuse("qk_layernorm", "norms of queries and keys are not counted here")
    h = c.share("head_dim", d, c.whole("num_attention_heads"), SHARE)
    keys = c.defined("num_key_value_heads", c.whole("num_attention_heads"), "num_attention_heads")
    layer = (2 * d * d + 2 * d) + 2 * (d + 1) * keys * h + (2 * d * f + f + d) + 2 * d
    return _dense(_tables(c, d) + vocabulary + c.layers("num_hidden_layers") * layer + 2 * d)


ARCHITECTURES: dict[str, Callable[[Keys], Weights]] = {
    "BloomForCausalLM": bloom,
    "DeepseekV2ForCausalLM": deepseek,
    "DeepseekV3ForCausalLM": deepseek,
    "FalconForCausalLM": falcon,
    "GPT2LMHeadModel": gpt2,
    "GPTNeoXForCausalLM": gpt_neox,
    "Gemma2ForCausalLM": gemma2,
    "GemmaForCausalLM": gemma,
    "LlamaForCausalLM": llama,
    "MistralForCausalLM": mistral,
    "MixtralForCausalLM": mixtral,
    "OPTForCausalLM": opt,
    "Olmo2ForCausalLM": olmo2,
    "OlmoForCausalLM": olmo,
    "Phi3ForCausalLM": mistral,
    "PhiForCausalLM": phi,
    "Qwen2ForCausalLM": qwen2,
    "Qwen2MoeForCausalLM": qwen_moe,
    "Qwen3ForCausalLM": qwen3,
    "Qwen3MoeForCausalLM": qwen_moe,
}
