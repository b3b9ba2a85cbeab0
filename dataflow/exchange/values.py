"""What a value of a lineage file may be: a finite number, a word, true, false, null, or a column of numbers."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

DEEPEST = 8  # axes of a column
NUMBERS = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/Column"}]}, "minItems": 1}
SCALARS = [{"type": "number"}, {"type": "string"}, {"type": "boolean"}, {"type": "null"}]


def _value(raw: Any) -> Any:
    if isinstance(raw, list):
        return _column(raw, 1)
    if raw is None or isinstance(raw, (str, bool)):
        return raw
    return _number(raw)


def _number(raw: Any) -> Any:
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        raise ValueError("expected a number, a word, true, false, null or a column of numbers")
    try:
        finite = math.isfinite(raw)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError("is not a finite number")
    return raw


def _column(raw: list[Any], depth: int) -> list[Any]:
    if not raw or depth > DEEPEST:
        raise ValueError("is an empty column" if not raw else f"has more than {DEEPEST} axes")
    for each in raw:
        if isinstance(each, list):
            _column(each, depth + 1)
        else:
            _number(each)
    return raw


MARK = {"format": "value"}  # stands for SCALARS and columns until `schema` puts them there
Value = Annotated[Any, BeforeValidator(_value), WithJsonSchema(MARK)]


def with_values(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema in which it is written what a value may be."""
    made: dict[str, Any] = _untitled(schema)
    made["$defs"]["Column"] = {"description": "A column of numbers; a list in a list is a further axis.", **NUMBERS}
    return made


def _untitled(node: Any) -> Any:
    """Drop the titles that repeat a property's name, and add what a value may be."""
    if isinstance(node, dict):
        kept = {key: _untitled(value) for key, value in node.items() if not (key == "title" and isinstance(value, str))}
        if kept.get("format") == MARK["format"]:
            del kept["format"]
            kept |= {"anyOf": [*SCALARS, {"$ref": "#/$defs/Column"}]}
        return kept
    return [_untitled(each) for each in node] if isinstance(node, list) else node
