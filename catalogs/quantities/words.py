"""The facts that are words: what each says, and what it may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """A fact that is a word: `choices` are the words it may be (empty: looked up in a catalog)."""

    name: str
    sentence: str
    choices: tuple[str, ...] = ()


WORDS: dict[str, Word] = {
    word.name: word
    for word in (
        Word("accelerator", "the device, by any usual spelling of its name in the catalog, such as 'H100 SXM'"),
        Word(
            "precision",
            "number format of the training, which picks the peak",
            ("fp64", "fp64_tensor", "fp32", "tf32", "fp16", "bf16", "fp8", "int8"),
        ),
        Word("sparse", "whether only part of the weights serve a token, true or false"),
        Word("architecture", "how tokens pass the weights, where 6 N D depends on it", ("decoder", "encoder-decoder")),
        Word("stage", "which training this was", ("pre-training", "continued pre-training", "fine-tuning")),
        Word(
            "work_counts",
            "whether recorded work counts the model's operations or also recomputation (hardware)",
            ("model", "hardware"),
        ),
        Word("power_basis", "what device_power is", ("tdp", "measured_device", "measured_system")),
        Word("attention", "how attention counts in the operations of a step", ("full", "causal", "none")),
        Word("recomputation", "whether activations are computed anew in the backward pass", ("none", "full")),
        Word(
            "region", "where the electricity was used: ISO 3166 code or name in the catalog, such as 'FR' or 'Oregon'"
        ),
        Word("year", "year of the grid's intensity, which region and year look up together, such as 2022"),
    )
}

BUILT_ON = ("continued pre-training", "fine-tuning")  # stages that start from a model
TOLD = ("architecture", "work_counts", "stage", "recomputation")  # words that tell a cause of a contradiction

LOOKUP = {"region", "year"}  # words that together give the intensity of a grid

PRECISION_SPELLINGS = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "single": "fp32",
    "float64": "fp64",
    "double": "fp64",
    "tensorfloat32": "tf32",
    "float8": "fp8",
    "e4m3": "fp8",
}
