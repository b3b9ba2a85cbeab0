"""A config as a key: what is built for it is kept, whatever its values are."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping
from typing import Any


class Config(dict[str, Any]):
    """A copy of a config that can be a key; two are equal where their values are, dicts and lists within too.

    >>> {Config({"sites": ["FR", "DE"]}): 1}[Config({"sites": ["FR", "DE"]})]
    1
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__({name: _copied(value) for name, value in sorted(values.items())})
        self.key = _key(dict(self))

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self.key == other.key

    def __reduce__(self) -> tuple[Any, ...]:
        return Config, (dict(self),)

    def __ne__(self, other: object) -> bool:
        return not self == other


def _copied(value: Any) -> Any:
    """Copy what may be changed later; a value that cannot be copied is kept as it is."""
    try:
        return copy.deepcopy(value)
    except Exception:  # whatever a stranger's copy raises
        return value


def _key(value: Any) -> Hashable:
    if isinstance(value, dict):
        return "dict", tuple((name, _key(each)) for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(map(_key, value))
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, frozenset(map(_key, value))
    try:
        hash(value)
    except TypeError:
        return type(value).__name__, id(value)  # a frame, say: the same only as itself
    return type(value).__name__, value
