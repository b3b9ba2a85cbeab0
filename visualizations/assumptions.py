"""What numbers rest on that nobody states: assumptions made by name, facts that are assumed, a TDP taken as power."""

from __future__ import annotations

from runlineage.dataflow.graph.entries import Entry
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.routes.plans import closure

TDP_AS_POWER = "TDP taken as power"


def assumed_beneath(lineage: Lineage, *names: str) -> tuple[str, ...]:
    """List the assumptions that quantities rest on, and the facts that are themselves assumed.

    >>> from runlineage import Scenarios
    >>> print(*assumed_beneath(Scenarios.Gpt3PublishedRun.lineage(), "peak_fraction"))
    accelerator
    >>> print(*assumed_beneath(Scenarios.Llama31_405BPublishedRun.lineage(), "energy"))
    TDP taken as power
    """
    entries = lineage.entries
    assumed = set()
    for name in closure(names, lambda each: entries[each].parents):
        entry = entries[name]
        looked_up = any(entries[parent].basis == "assumed" for parent in entry.parents)
        if entry.assumption:
            assumed.add(entry.assumption)
        elif is_tdp_as_power(lineage, entry):
            assumed.add(TDP_AS_POWER)
        elif entry.is_fact and entry.basis == "assumed" and not looked_up:  # else the parent is named
            assumed.add(name)
    return tuple(sorted(assumed))


def is_tdp_as_power(lineage: Lineage, entry: Entry) -> bool:
    """Return whether an entry is a device power that its source calls a TDP: a bound, and no measurement."""
    if entry.name != "device_power" or not entry.is_fact:
        return False
    run = next((part for part in lineage.parts if part.subject == entry.subject), lineage)
    basis = run.stages.get(entry.stage, {}).get("power_basis") or run.stated.get("power_basis")
    return basis is not None and basis.value == "tdp"
