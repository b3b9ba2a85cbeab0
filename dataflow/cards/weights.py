"""The parts that architectures share: embedding tables, attention and feed-forward blocks.

Letters: d is the width of the stream, h of a head, q of all queries, kv of all keys, f the inner width of a
feed-forward block.
"""

from __future__ import annotations

from dataclasses import dataclass

from runlineage.dataflow.cards.config_fields import ConfigFields

SHARE = "hidden_size ÷ num_attention_heads"


@dataclass(frozen=True)
class Weights:
    """A model's weights: all of them, and those that one token passes."""

    total: int
    active: int


def dense(total: int) -> Weights:
    """Return the weights of a model of which each token passes all."""
    return Weights(total, total)


def tables(c: ConfigFields, d: int) -> int:
    """Count the embedding table, and the output's own unless the two are one."""
    return c.whole("vocab_size") * d * (1 if c.truth("tie_word_embeddings") else 2)


def grouped_attention(c: ConfigFields, d: int, h: int, *, biases: bool = False, out: bool = False) -> int:
    """Count attention with its own number of key heads; `biases` of queries, keys and values, `out` of the output."""
    q, kv = c.whole("num_attention_heads") * h, c.whole("num_key_value_heads") * h
    return 2 * d * q + 2 * d * kv + (q + 2 * kv) * biases + d * out


def biased_attention(c: ConfigFields, d: int, h: int) -> int:
    """Count grouped attention that has all its biases where the config switches them on."""
    biased = c.switch("attention_bias")
    return grouped_attention(c, d, h, biases=biased, out=biased)


def head_size(c: ConfigFields, d: int) -> int:
    """Return the size of a head: a share of the stream, unless the config states it."""
    return c.share("head_dim", d, c.whole("num_attention_heads"), SHARE)


def gated(d: int, f: int) -> int:
    """Count a gated feed-forward block."""
    return 3 * d * f
