"""Variants of a run: what a changed fact leaves behind, and how a variant is called."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.fields import REPORTED
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import is_ours

# A changed fact leaves behind what described its old value, or was derived from it.
WORK = {"training_ops", "work_counts"}
LEFT_BEHIND: tuple[tuple[set[str], set[str]], ...] = (
    ({"device_power"}, {"power_basis", "system_power"}),
    ({"training_ops"}, {"work_counts"}),
    ({"parameters", "active_parameters", "training_tokens"}, WORK),
    ({"accelerator"}, {"peak_flops", "accelerator_tdp", "device_power", "system_power", "power_basis"}),
    ({"precision"}, {"peak_flops"}),
    ({"accelerator_count", "duration"}, {"periods"}),
    ({"periods"}, {"accelerator_count", "duration"}),
    ({"region", "year"}, {"carbon_intensity"}),
    ({"carbon_intensity"}, {"region", "year"}),
    ({"workload"}, {"parameters", "active_parameters", "sparse", "training_tokens", "architecture"}),
    ({"workload"}, {*WORK, "published_emissions", *REPORTED}),  # recorded of the other model
)


def left_behind(changed: Collection[str]) -> set[str]:
    """List the facts that do not go with a variant in which others have changed.

    >>> print(*left_behind({"precision"}))
    peak_flops
    """
    return {fact for facts, left in LEFT_BEHIND if facts & set(changed) for fact in left}


def titled(name: str, changes: Mapping[str, Any]) -> str:
    """Name a variant after its changes, so that no answer passes for the published run's.

    >>> print(titled("BLOOM 176B", {"year": 2022, "parameters": None}))
    BLOOM 176B with year 2022 without parameters
    """
    changed = ", ".join(f"{key} {_short(value)}" for key, value in sorted(changes.items()) if value is not None)
    dropped = ", ".join(key for key, value in sorted(changes.items()) if value is None)
    return name + (f" with {changed}" if changed else "") + (f" without {dropped}" if dropped else "")


def is_column(value: object) -> bool:
    """Whether a fact is a column, of which the read-only copy is kept in place of the caller's array."""
    return isinstance(value, (list, tuple, np.ndarray)) or np.ndim(getattr(value, "magnitude", 0)) > 0


def _short(value: Any) -> str:
    value = getattr(value, "value", value)
    if is_ours(value):
        return people(value)
    return "…" if is_column(value) or isinstance(value, Mapping) else str(getattr(value, "name", value))[:20]
