"""Weights of models that read images beside text: Llama 4, Gemma 3.

A token of text passes none of the tower that reads images. The letters are those of `architectures`.
"""

from __future__ import annotations

from collections.abc import Callable

from runlineage.dataflow.cards.config_fields import ConfigFields
from runlineage.dataflow.cards.expert_architectures import with_experts
from runlineage.dataflow.cards.weights import Weights, gated, grouped_attention, tables


def llama4(c: ConfigFields) -> Weights:
    """Count Llama 4: experts and one shared expert in every few layers, and a tower for images."""
    text, images = c.part("text_config"), c.part("vision_config")
    weights = llama4_text(text)
    return Weights(weights.total + _tower(images, text.whole("hidden_size")), weights.active)


def gemma3_images(c: ConfigFields, text: Callable[[ConfigFields], Weights]) -> Weights:
    """Count Gemma 3's language model; the tower for images, which stays frozen, is noted and not inside."""
    inner = c.part("text_config")
    weights, tower = text(inner), siglip(c.part("vision_config"), inner.whole("hidden_size"))
    c.notes.append(f"without the {tower:,} weights of the tower for images")
    return weights


def siglip(c: ConfigFields, d: int) -> int:
    """Count Gemma 3's tower for images, without a head, and its way to the width of text."""
    v, f, patch = c.whole("hidden_size"), c.whole("intermediate_size"), c.whole("patch_size")
    table = c.whole("num_channels") * patch**2 * v + v + (c.whole("image_size") // patch) ** 2 * v
    layer = (4 * v * v + 4 * v) + (2 * v * f + f + v) + 4 * v
    return table + c.layers("num_hidden_layers") * layer + 2 * v + v * d + v


def llama4_text(c: ConfigFields) -> Weights:
    """Count Llama 4's language model: experts and one shared expert in every few layers."""
    d, experts, layers = c.whole("hidden_size"), c.whole("num_local_experts"), c.layers("num_hidden_layers")
    step, named = c.whole("interleave_moe_layer_step"), c.places("moe_layers")
    by_step = c.config.get("moe_layers") is None
    sparse = sum((place + 1) % step == 0 if by_step else place in named for place in range(layers))
    biased = c.truth("attention_bias")
    block = grouped_attention(c, d, c.whole("head_dim"), biases=biased, out=biased) + 2 * d
    expert = gated(d, c.whole("intermediate_size"))
    common = tables(c, d) + d + (layers - sparse) * (block + gated(d, c.whole("intermediate_size_mlp")))
    return with_experts(c, common, sparse, block + d * experts + expert, experts, expert)


def _tower(c: ConfigFields, d: int) -> int:
    """Count the tower for images: patches, positions, layers with biases, and two ways down to the width of text."""
    v, f, patch = c.whole("hidden_size"), c.whole("intermediate_size"), c.whole("patch_size")
    patches = (c.whole("image_size") // patch) ** 2
    table = c.whole("num_channels") * patch**2 * v + v + (patches + 1) * v
    layer = (4 * v * v + 4 * v) + (2 * v * f + f + v) + 4 * v
    adapter = f * c.whole("projector_input_dim") + c.whole("projector_output_dim") ** 2
    return table + c.layers("num_hidden_layers") * layer + 4 * v + adapter + c.whole("vision_output_dim") * d
