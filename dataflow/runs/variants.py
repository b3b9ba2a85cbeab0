"""Variants of a run: what a changed fact leaves behind, and how a variant is called."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from runlineage.catalogs.quantities.fields import REPORTED
from runlineage.catalogs.quantities.formatting import in_its_unit
from runlineage.catalogs.quantities.units import is_ours
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.inputs.inputs import BEFORE_A_CHANGE

# What is given takes the place of what would speak against it.
REPLACED: tuple[tuple[set[str], set[str]], ...] = (
    ({"accelerator_count", "duration"}, {"periods"}),
    ({"periods"}, {"accelerator_count", "duration"}),
    ({"carbon_intensity"}, {"region", "year"}),
    ({"workload"}, {"parameters", "active_parameters", "sparse", "training_tokens", "architecture"}),
)
# A fact that has another value now leaves behind what described the old one, or was recorded of it.
WORK, PRINTED = {"training_ops", "work_counts"}, {"published_emissions", *REPORTED}
MODEL = {"workload", "parameters", "active_parameters", "training_tokens"}
LEFT_BEHIND: tuple[tuple[set[str], set[str]], ...] = (
    ({"device_power"}, {"power_basis", "system_power"}),
    ({"training_ops"}, {"work_counts"}),
    ({"accelerator"}, {"peak_flops", "accelerator_tdp", "device_power", "system_power", "power_basis"}),
    ({"precision"}, {"peak_flops"}),
    (MODEL, WORK),
    (MODEL | {"accelerator"}, PRINTED),
)


def left_behind(changed: Collection[str], before: Collection[str]) -> set[str]:
    """List the facts that do not go with a variant in which some have changed, of which those `before` had a value.

    >>> print(*left_behind({"precision"}, {"precision"}), "|", *left_behind({"precision"}, {"duration"}))
    peak_flops |
    """
    given = {fact for facts, others in REPLACED if facts & {*changed} for fact in others}
    return given | {fact for facts, left in LEFT_BEHIND if facts & {*changed} & {*before} for fact in left}


def printed_before(stated: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return what authors print of a run, marked as printed of it before a stated fact was changed."""
    return {
        name: replace(fact, reason=BEFORE_A_CHANGE)
        for name, fact in stated.items()
        if name in PRINTED and fact.value is not None
    }


def varied(
    own: Mapping[str, Any], changes: Mapping[str, Any], before: Collection[str], stated: Mapping[str, Fact]
) -> dict[str, Any]:
    """Return a run's own facts with some changed, and without what described, or was recorded of, their old values.

    `before` are the facts that had a value. What authors print of the run is marked where one of these is another now.
    """
    changed = {name for name, value in changes.items() if value is not None}
    left = left_behind(changed, before)
    kept = {name: value for name, value in own.items() if name not in left}
    if changed & {*before}:
        kept |= {name: fact for name, fact in printed_before(stated).items() if name in kept}
    return kept | {
        name: Fact(None) if value is None else value for name, value in changes.items() if name != "workload"
    }


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
        return in_its_unit(value)
    return "…" if is_column(value) or isinstance(value, Mapping) else str(getattr(value, "name", value))[:20]
