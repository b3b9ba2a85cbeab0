"""What a run of one stage and a run of several have in common: they do not change, and show themselves."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.base.views import shown_as
from runlineage.catalogs.quantities.answers import Answers
from runlineage.catalogs.records.records import Workload


class Run(Answers):
    """A run, by the metrics that are asked of it as attributes."""

    workload: Workload | None
    name: str
    assume: frozenset[str]
    modules: tuple[ModuleType, ...]
    prefer: Mapping[str, str]
    _base: str
    _changes: dict[str, Any]

    if not TYPE_CHECKING:  # which would let every misspelt name pass

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                return object.__getattribute__(self, name)  # an error inside a property keeps its own words
            near = () if name.startswith("_") else nearest(name, (each for each in dir(self) if each[0] != "_"), 1)
            raise AttributeError(self._no_attribute(name, f"did you mean {near[0]}?" if near else ""))

    def _no_attribute(self, name: str, guess: str) -> str:
        """Explain what to do about an attribute that the run does not have; `guess` offers the nearest, if any."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a run does not change; .variant({name}=…) gives a changed copy")

    def _repr_html_(self) -> str:
        """Show itself in a notebook: its metrics, their routes, and what the others need."""
        return str(shown_as("html", self))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is computed when it is asked for, and name the modules, which do not pickle."""
        kept = {key: each for key, each in vars(self).items() if not _is_computed(self, key)}
        return kept | {"modules": tuple(module.__name__ for module in self.modules)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state | {"modules": tuple(map(importlib.import_module, state["modules"]))})


def _is_computed(run: Run, name: str) -> bool:
    return isinstance(getattr(type(run), name, None), cached_property)
