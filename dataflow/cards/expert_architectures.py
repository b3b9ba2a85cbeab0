"""Weights of architectures with experts, of which a token passes some: Mixtral, OLMoE, gpt-oss, Qwen MoE, DeepSeek.

The letters are those of `architectures`.
"""

from __future__ import annotations

from runlineage.dataflow.cards.config_fields import ConfigFields
from runlineage.dataflow.cards.weights import Weights, biased_attention, gated, grouped_attention, head_size, tables


def mixtral(c: ConfigFields) -> Weights:
    """Count Mixtral and Granite MoE: Llama with experts in place of the feed-forward block, and a router."""
    d, experts = c.whole("hidden_size"), c.whole("num_local_experts")
    expert = gated(d, c.whole("intermediate_size"))
    common = tables(c, d) + d
    layer = biased_attention(c, d, head_size(c, d)) + d * experts + 2 * d
    return with_experts(c, common, c.layers("num_hidden_layers"), layer, experts, expert)


def olmoe(c: ConfigFields) -> Weights:
    """Count OLMoE: Mixtral with norms over all queries and over all keys."""
    d, experts = c.whole("hidden_size"), c.whole("num_experts")
    h = head_size(c, d)
    norms = (c.whole("num_attention_heads") + c.whole("num_key_value_heads")) * h + 2 * d
    layer = biased_attention(c, d, h) + d * experts + norms
    expert = gated(d, c.whole("intermediate_size"))
    return with_experts(c, tables(c, d) + d, c.layers("num_hidden_layers"), layer, experts, expert)


def with_experts(c: ConfigFields, common: int, layers: int, layer: int, experts: int, expert: int) -> Weights:
    """Add up `layers` with experts, of which a token passes `num_experts_per_tok`."""
    used = c.whole("num_experts_per_tok", most=max(experts, 1))
    return Weights(*(common + layers * (layer + count * expert) for count in (experts, used)))


def gpt_oss(c: ConfigFields) -> Weights:
    """Count gpt-oss: experts and routers with biases, and in each head one weight that draws attention to no token.

    Its report leaves the embedding table, a lookup, out of the weights that a token passes; here it counts.
    """
    d, f, experts = c.whole("hidden_size"), c.whole("intermediate_size"), c.whole("num_local_experts")
    biased = c.truth("attention_bias")
    expert = gated(d, f) + 2 * f + d
    attention = grouped_attention(c, d, c.whole("head_dim"), biases=biased, out=biased) + c.whole("num_attention_heads")
    layer = attention + (d + 1) * experts + 2 * d
    return with_experts(c, tables(c, d) + d, c.layers("num_hidden_layers"), layer, experts, expert)


def qwen_moe(c: ConfigFields) -> Weights:
    """Count Qwen2-MoE and Qwen3-MoE: experts in every few layers, in Qwen2 with a shared expert and its gate."""
    d, experts = c.whole("hidden_size"), c.whole("num_experts")
    layers, step, dense = c.layers("num_hidden_layers"), c.whole("decoder_sparse_step"), c.places("mlp_only_layers")
    sparse = sum(place not in dense and (place + 1) % step == 0 for place in range(layers))
    block, shared = _qwen_attention(c, d)
    dense_blocks = (layers - sparse) * gated(d, c.whole("intermediate_size")) if sparse < layers else 0
    common = tables(c, d) + d + (layers - sparse) * block + dense_blocks
    layer = block + d * experts + shared
    return with_experts(c, common, sparse, layer, experts, gated(d, c.whole("moe_intermediate_size")))


def _qwen_attention(c: ConfigFields, d: int) -> tuple[int, int]:
    """Count what every layer has beside its experts, and what only the layers with experts have beside them."""
    if c.config.get("architectures") == ["Qwen3MoeForCausalLM"]:
        h, biased = c.whole("head_dim"), c.truth("attention_bias")
        return grouped_attention(c, d, h, biases=biased, out=biased) + 2 * h + 2 * d, 0
    shared = gated(d, c.whole("shared_expert_intermediate_size")) + d
    return grouped_attention(c, d, head_size(c, d), biases=True) + 2 * d, shared


def deepseek(c: ConfigFields) -> Weights:
    """Count DeepSeek-V2 and V3: compressed attention, and experts after the first layers, some of them shared.

    The modules that predict several tokens (`num_nextn_predict_layers`) do not count: the main model works without.
    """
    d, layers, first = c.whole("hidden_size"), c.layers("num_hidden_layers"), c.whole("first_k_dense_replace", least=0)
    step, experts = c.whole("moe_layer_freq"), c.whole("n_routed_experts")
    sparse = sum(place >= first and place % step == 0 for place in range(layers))
    expert = gated(d, c.whole("moe_intermediate_size"))
    block = _compressed(c, d) + 2 * d
    dense = gated(d, c.whole("intermediate_size"))
    common = tables(c, d) + d + (layers - sparse) * (block + dense)
    corrections = experts if c.config.get("architectures") == ["DeepseekV3ForCausalLM"] else 0
    layer = block + d * experts + corrections + c.whole("n_shared_experts") * expert
    if c.config.get("num_nextn_predict_layers"):
        c.notes.append("without the modules that predict further tokens")
    return with_experts(c, common, sparse, layer, experts, expert)


def _compressed(c: ConfigFields, d: int) -> int:
    """Count latent attention: queries (unless `q_lora_rank` is null) and keys pass a narrow layer with a norm."""
    heads, rope, rank = c.whole("num_attention_heads"), c.whole("qk_rope_head_dim"), c.whole("kv_lora_rank")
    plain, value = c.whole("qk_nope_head_dim"), c.whole("v_head_dim")
    q = heads * (plain + rope)
    narrow = 0 if c.config.get("q_lora_rank", 0) is None else c.whole("q_lora_rank")
    queries = d * narrow + narrow + narrow * q if narrow else d * q
    return queries + d * (rank + rope) + rank + rank * heads * (plain + value) + heads * value * d
