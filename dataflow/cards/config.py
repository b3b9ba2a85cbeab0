"""A model's `config.json`: its weights by the equation of its architecture, and the shape of its attention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import CatalogError, echo, refuse
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.toml_rows import parse_json, read_text
from runlineage.dataflow.cards.architectures import ARCHITECTURES
from runlineage.dataflow.cards.config_fields import ConfigFields
from runlineage.dataflow.cards.text_to_text import ENCODER_DECODERS
from runlineage.dataflow.cards.weights import Weights

LARGEST_CONFIG = 1_000_000
SHAPE = {  # what attention's own work depends on, by the names that configs use for it
    "layers": ("num_hidden_layers", "n_layer"),
    "hidden_size": ("hidden_size", "n_embd", "n_embed"),
    "attention_heads": ("num_attention_heads", "n_head"),
    "key_heads": ("num_key_value_heads", "num_kv_heads"),
    "head_size": ("head_dim",),
    "longest_sequence": ("max_position_embeddings", "n_positions", "seq_length"),
}
# Their attention is not that of heads × size over the width of the stream, so its shape is no fact of theirs.
OTHER_ATTENTION = ENCODER_DECODERS | {"DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM"}


@dataclass(frozen=True)
class ModelConfig:
    """What a config states of its model: `facts` by field, each with its file and keys, and `shape` as it stands there.

    `shape` has whole numbers by name: layers, hidden_size, attention_heads, key_heads, head_size and
    longest_sequence, which is what the model can take and not what it was trained on.
    """

    architecture: str
    weights: Weights
    facts: Mapping[str, Fact]
    shape: Mapping[str, int]


def read_config(path: str | Path) -> ModelConfig:
    """Count the weights of the model that a config.json describes.

    Raises `CatalogError` for an architecture that is not known here and for every field that is missing: no default
    of a library stands in for it.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "config.json"
    >>> _ = file.write_text('''{"architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_layer": 12,
    ...     "n_positions": 1024, "vocab_size": 50257, "tie_word_embeddings": true}''')
    >>> print(read_config(file).facts["parameters"].value)
    1.2444×10⁸ parameter
    """
    path = Path(path)
    raw = parse_json(read_text(path, LARGEST_CONFIG), path)
    return config_of(raw, str(path))


def config_of(raw: Mapping[str, Any], where: str) -> ModelConfig:
    """Count the weights of the model that a config already parsed describes."""
    name = _architecture(raw, where)
    fields = ConfigFields(raw, where)
    weights = ARCHITECTURES[name](fields)
    if fields.faults:
        raise CatalogError(tuple(fields.faults))
    place = f"{name}: {', '.join(fields.used)}"
    note = "; ".join(dict.fromkeys(fields.notes)) or None
    sparse = weights.active != weights.total
    counts = {"parameters": weights.total} | ({"active_parameters": weights.active} if sparse else {})
    facts: dict[str, Any] = {
        field: Fact(as_quantity(count, field="parameters"), "derived", where, place, note)
        for field, count in counts.items()
    }
    facts["sparse"] = Fact(sparse, "derived", where, place)
    kind = "encoder-decoder" if name in ENCODER_DECODERS else "decoder"
    facts["architecture"] = Fact(kind, "derived", where, f"architectures: {name}")
    shape = _shape(raw)
    return ModelConfig(name, weights, facts | _attention(name, shape, where), shape)


def _attention(name: str, shape: Mapping[str, int], where: str) -> dict[str, Fact]:
    """Return what attention's own work rests on as facts; the length of a sequence in training is not in a config."""
    if name in OTHER_ATTENTION or not {"layers", "hidden_size"} <= shape.keys():
        return {}
    facts = {
        field: Fact(as_quantity(shape[field], field=field), "stated", where, f"{name}: {field}")
        for field in ("layers", "hidden_size")
    }
    heads, size = shape.get("attention_heads"), shape.get("head_size")
    if heads and size and heads * size != shape["hidden_size"]:
        width = as_quantity(heads * size, field="attention_width")
        facts["attention_width"] = Fact(width, "derived", where, f"{name}: heads × size of a head")
    return facts


def is_config(path: Path) -> bool:
    """Distinguish a model's config from a run file of the same name, by the field that only a config has."""
    try:
        return path.suffix.lower() == ".json" and "architectures" in parse_json(read_text(path, LARGEST_CONFIG), path)
    except CatalogError:  # the reader of run files explains it
        return False


def _architecture(raw: Mapping[str, Any], where: str) -> str:
    named = raw.get("architectures")
    place, known = f"{where}: architectures", ", ".join(ARCHITECTURES)
    if not isinstance(named, list) or len(named) != 1 or not isinstance(named[0], str):
        what = f"is {echo(named)}" if "architectures" in raw else "is missing"
        refuse(place, what, f"expected one of {known}", CatalogError)
    if named[0] not in ARCHITECTURES:
        near = nearest(named[0], ARCHITECTURES, 1)
        hint = f"the nearest: {near[0]}; " if near else ""
        refuse(place, f"{echo(named[0])} is not known", f"{hint}there are {known}", CatalogError)
    return named[0]


def _shape(raw: Mapping[str, Any]) -> dict[str, int]:
    inner = raw.get("text_config")
    raw = inner if isinstance(inner, Mapping) else raw
    shape = {}
    for name, spellings in SHAPE.items():
        value = next((raw[each] for each in spellings if raw.get(each) is not None), None)
        if isinstance(value, int) and not isinstance(value, bool):
            shape[name] = value
    return shape
