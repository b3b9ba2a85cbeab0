"""Weights of encoder-decoders: T5, its later design with a gated feed-forward block, and mT5.

A token passes the encoder or the decoder, not both, so that 6 N D over-counts: what is read says "encoder-decoder". The
letters are those of `architectures`; q is heads × size of a head, which need not be d.
"""

from __future__ import annotations

from runlineage.dataflow.cards.config_fields import ConfigFields
from runlineage.dataflow.cards.weights import Weights, dense

ENCODER_DECODERS = frozenset({"MT5ForConditionalGeneration", "T5ForConditionalGeneration"})
FIRST_DESIGN = "relu"
LATER = {"feed_forward_proj", "tie_word_embeddings"}  # that later designs state


def t5(c: ConfigFields) -> Weights:
    """Count T5: one table unless untied, no biases, positions by one table of buckets a stack, norms without shifts."""
    d, heads = c.whole("d_model"), c.whole("num_heads")
    attention = 4 * d * heads * c.whole("d_kv")
    block = _matrices(c) * d * c.whole("d_ff")
    encoder, decoder = c.layers("num_layers"), _decoder_layers(c)
    layers = encoder * (attention + block + 2 * d) + decoder * (2 * attention + block + 3 * d)
    positions = 2 * c.whole("relative_attention_num_buckets") * heads
    return dense(_tables(c, d) + layers + positions + 2 * d)


def _tables(c: ConfigFields, d: int) -> int:
    """Count the table of the vocabulary, and the output's own where it is untied."""
    tied = _is_first(c, "tie_word_embeddings", "true") or c.truth("tie_word_embeddings")
    return c.whole("vocab_size") * d * (1 if tied else 2)


def _decoder_layers(c: ConfigFields) -> int:
    if c.config.get("num_decoder_layers") is None:
        return c.defined("num_decoder_layers", c.layers("num_layers"), "num_layers")
    return c.layers("num_decoder_layers")


def _matrices(c: ConfigFields) -> int:
    """Count the matrices of a feed-forward block: two, three where it is gated."""
    if _is_first(c, "feed_forward_proj", FIRST_DESIGN):
        return 2
    kind = c.text("feed_forward_proj")
    if kind.startswith("gated-"):
        return 3
    if kind not in ("", FIRST_DESIGN, "gelu"):
        c.refuse("feed_forward_proj", "only relu, gelu and the gated ones are counted here")
    return 2


def _is_first(c: ConfigFields, field: str, value: str) -> bool:
    """Return whether a config lacks a field since it is of the first T5, which had one design and did not state it."""
    first = c.config.get("architectures") == ["T5ForConditionalGeneration"] and not LATER & c.config.keys()
    if first:
        c.notes.append(f"{field} = {value}, as in the first T5")
    return first
