"""Which headings of a card name a stage after pre-training: a fine-tune's hours are not those of its base's tokens."""

from __future__ import annotations

import re

from runlineage.dataflow.cards.body import Headings

LATER = re.compile(
    r"\b(?:fine-? ?tun\w*|(?:instruction|instruct|preference|supervised)[- ]tun\w*|sft|rlhf|dpo|ppo|grpo"
    r"|post-? ?train\w*|alignment|reinforcement learning|reward model\w*|(?:continued|continual) pre-?train\w*"
    r"|mid-?train\w*|annealing|context extension|distillation)\b"
)
FIRST = re.compile(r"\bpre-?train\w*")
WITH_TRAINING = re.compile(r"\btraining ?(?:and|&|\+|/|,)|(?:and|&|\+|/|,) ?(?:pre-?)?training\b")
# What all stages share: the size and design of the model, and where the machines stand.
SHARED = {
    "parameters",
    "active_parameters",
    "architecture",
    "trainable",
    "Compute Region",
    "Cloud Provider",
    "pue",
    "carbon_intensity",
}


def stage_of(headings: Headings) -> str:
    """Return the innermost heading that names a stage after pre-training; empty beneath none, or beneath the title.

    >>> print([stage_of(("Tiny", "Fine-tuning", "Hardware")), stage_of(("Tiny", "Training and fine-tuning"))])
    ['Fine-tuning', '']
    """
    for title in reversed(headings[1:] or headings):
        text = title.casefold()
        rest = LATER.sub("§", text)
        if rest != text:
            return "" if WITH_TRAINING.search(rest) else title
        if FIRST.search(text):
            return ""
    return ""
