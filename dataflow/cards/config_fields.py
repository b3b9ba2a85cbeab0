"""A model's `config.json`, field by field: what a count of weights needs, and every fault of it at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runlineage.catalogs.base.errors import Fault, echo

MOST = 100_000_000  # no width, depth or vocabulary is larger
MOST_LAYERS = 10_000
HOW_TO_ADD = "add it; `config.to_json_file(path, use_diff=False)` of transformers writes every field"


class ConfigFields:
    """The fields of one config. A missing or unusable one becomes a fault, and reading goes on to find the others.

    No value is taken from the defaults of a library: they change with its releases, and a file that leaves a field
    out does not say which release wrote it.

    >>> keys = ConfigFields({"hidden_size": 4096}, "config.json")
    >>> print(keys.whole("hidden_size"), keys.faults)
    4096 []
    """

    def __init__(self, config: Mapping[str, Any], where: str) -> None:
        self.config = config
        self.where = where
        self.faults: list[Fault] = []
        self.used: dict[str, None] = {}
        self.notes: list[str] = []

    def whole(self, *names: str, least: int = 1, most: int = MOST) -> int:
        """Return a count by its name, or by the first of several names that configs use for it."""
        name = next((each for each in names if each in self.config), names[0])
        value = self._needed(name)
        if value is None:
            return 1
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self._fault(name, f"is {echo(value)}", f"expected a whole number from {least:,} to {most:,}")
            return 1
        return value

    def layers(self, *names: str) -> int:
        """Return the number of layers."""
        return self.whole(*names, most=MOST_LAYERS)

    def truth(self, name: str) -> bool:
        """Return a field that is true or false."""
        value = self._needed(name)
        if value is not None and not isinstance(value, bool):
            self._fault(name, f"is {echo(value)}", "expected true or false")
        return value is True

    def text(self, name: str) -> str:
        """Return a field that is a word."""
        value = self._needed(name)
        if value is not None and not isinstance(value, str):
            self._fault(name, f"is {echo(value)}", "expected text")
        return value if isinstance(value, str) else ""

    def switch(self, name: str) -> bool:
        """Return whether a later extension of the architecture is on; without its field it is off."""
        return name in self.config and self.truth(name)

    def defined(self, name: str, value: int, formula: str) -> int:
        """Return a size that follows from other sizes, unless the config states it."""
        if self.config.get(name) is not None:
            return self.whole(name)
        self.notes.append(f"{name} = {formula}")
        return value

    def share(self, name: str, whole: int, parts: int, formula: str) -> int:
        """Return a size that is a share of another, unless the config states it."""
        if self.config.get(name) is None and whole % parts:
            self._fault(name, f"is missing, and {formula} is no whole number", HOW_TO_ADD)
        return self.defined(name, max(whole // parts, 1), formula)

    def places(self, name: str) -> frozenset[int]:
        """Return a list of layers, empty where the config has none."""
        value = self.config.get(name)
        self.used[name] = None
        if value is None:
            return frozenset()
        if not isinstance(value, list) or not all(isinstance(each, int) for each in value):
            self._fault(name, f"is {echo(value)}", "expected a list of layers")
            return frozenset()
        return frozenset(value)

    def part(self, name: str) -> ConfigFields:
        """Return the fields of a model inside the model; its faults are recorded here."""
        value = self._needed(name)
        inner = ConfigFields(value if isinstance(value, Mapping) else {}, f"{self.where}: {name}")
        if isinstance(value, Mapping):
            inner.faults, inner.notes = self.faults, self.notes
        elif value is not None:
            self._fault(name, f"is {echo(value)}", "expected the fields of a model")
        return inner

    def refuse(self, name: str, why: str) -> None:
        """Record that the count is not known for a field's value."""
        self._fault(name, f"is {echo(self.config.get(name))}", why)

    def _needed(self, name: str) -> Any:
        self.used[name] = None
        if name not in self.config:
            self._fault(name, "is missing", HOW_TO_ADD)
        elif self.config[name] is None:
            self._fault(name, "is null", "write its value")
        return self.config.get(name)

    def _fault(self, name: str, what: str, cure: str) -> None:
        fault = Fault(f"{self.where}: {name}", what, cure)
        if fault not in self.faults:
            self.faults.append(fault)
