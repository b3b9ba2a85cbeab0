"""Whether the facts of one input agree: what may not serve is withheld, what cannot be is refused or doubted."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import replace

import numpy as np

from runlineage.catalogs.base.errors import Fault
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.units import Quantity, convert, quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.inputs.devices import other_devices
from runlineage.dataflow.inputs.inputs import InputDraft
from runlineage.dataflow.inputs.lookups import figures
from runlineage.dataflow.inputs.pairs import PAIRS, Pair

POWER_BASES = {
    "tdp": "the device's thermal design power",
    "measured_device": "measured on devices",
    "measured_system": "measured on whole systems",
}
PARAMETERS = KINDS["Parameters"]


def move_system_power(draft: InputDraft) -> None:
    """Take a power that was measured on whole systems for what it is: no device's, since host and fans are inside."""
    if draft.words.get("power_basis") != "measured_system" or "device_power" not in draft.given:
        return
    if "system_power" in draft.given:
        what = "is given, and device_power with power_basis measured_system is the same"
        draft.faults.append(Fault("system_power", what, "give one of them"))
    power = draft.given.pop("device_power")
    draft.given["system_power"] = power
    origin = draft.origins.get("device_power", Fact(None))
    note = POWER_BASES["measured_system"]
    draft.origins["system_power"] = replace(origin, note=f"{note}; {origin.note}" if origin.note else note)
    draft.parents["system_power"] = ("power_basis",)
    draft.withheld["device_power"] = "it was measured on whole systems, and serves it_energy as system_power"


def withhold(draft: InputDraft) -> None:
    """Keep from the graph what may not serve there."""
    if draft.words.get("sparse") is True and "parameters" in draft.given:
        draft.withheld["parameters"] = "the model is sparse, and a token passes only part of its total"
    basis = POWER_BASES.get(draft.words.get("power_basis", ""))
    if basis and "device_power" in draft.given:
        origin = draft.origins.get("device_power", Fact(None))
        draft.origins["device_power"] = replace(origin, note=f"{basis}; {origin.note}" if origin.note else basis)


def check_agreement(draft: InputDraft) -> None:
    """Refuse facts that contradict each other: more active than total parameters, columns of unlike shapes."""
    total, active = draft.given.get("parameters"), draft.given.get("active_parameters")
    if total is not None and active is not None and _comparable(total, active):
        whole, part = (coherent(each, PARAMETERS).magnitude for each in (total, active))
        if np.any(part > whole * (_reach(draft, "parameters") * _reach(draft, "active_parameters"))):
            what = f"{people(active)} is more than parameters, {people(total)}"
            draft.faults.append(Fault("active_parameters", what, "check which is which"))
        elif draft.words.get("sparse") is False and not np.allclose(part, whole, rtol=1e-9, atol=0):
            what = "is false, and active_parameters differ from parameters"
            draft.faults.append(Fault("sparse", what, "check which holds"))
    ranges = [name for name in draft.given if name in draft.origins and draft.origins[name].is_range]
    shapes = {name: np.shape(value.magnitude) for name, value in draft.given.items() if np.shape(value.magnitude)}
    if shapes and ranges:
        what = f"is a range, and {next(iter(shapes))} is a column"
        draft.faults.append(Fault(ranges[0], what, "a table takes ranges in its cells, and gives intervals on request"))
    if len(set(shapes.values())) > 1:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        draft.faults.append(Fault("columns", f"have different shapes: {text}", "give columns of one length"))


def warn(draft: InputDraft) -> None:
    """Warn of what is usable and doubtful."""
    if not draft.faults:
        usable = draft.given.keys() - draft.withheld.keys()
        doubts = (_doubt(draft, pair, usable) for pair in PAIRS if pair.fact in usable)
        draft.doubts.extend(filter(None, doubts))
        draft.doubts.extend(other_devices(draft))
    words, given = draft.words, draft.given
    if words.get("work_counts") == "hardware" and "training_ops" in given:
        draft.doubts.append(
            "recorded work (training_ops) counts recomputation: rate and peak_fraction are hardware's (HFU), "
            "not the model's (MFU)"
        )
    if words.get("architecture") == "encoder-decoder" and "training_ops" not in given:
        draft.doubts.append(
            "the model is an encoder-decoder: a token passes only part of the weights, so 6 N D over-counts"
        )
    if words.get("stage") == "pre-training" and "base_training_ops" in given:
        draft.doubts.append(
            "base_training_ops is given, and the stage is pre-training, which starts from no model: which holds?"
        )


def _doubt(draft: InputDraft, pair: Pair, usable: Set[str]) -> str:
    """Put into words that a fact and what it is compared with are too far apart; empty where they are not."""
    node = draft.words.get("accelerator") if pair.of_device else None
    held = figures(node, draft.words.get("precision", "")) if node else {}
    looked_up = pair.of_device and pair.fact in draft.parents
    if looked_up or not {*pair.others} <= (held.keys() if pair.of_device else usable) or usable & {*pair.unless}:
        return ""
    others = (coherent(held[each], FIELDS[each].kind) if node else draft.in_graph_units(each) for each in pair.others)
    product = pair.factor * math.prod(each.magnitude for each in others)
    given, field = draft.given[pair.fact], FIELDS[pair.fact]
    ratios = draft.in_graph_units(pair.fact).magnitude / product
    reach = math.prod(_reach(draft, each) for each in (pair.fact, *pair.others))
    above = bool(np.max(ratios) > pair.most * reach)
    if not above and np.min(ratios) >= pair.least / reach:
        return ""
    if not pair.others:
        return pair.sentence(above=above)
    other = people(convert(quantity(product, field.kind.unit), field.units))
    against = f"{pair.against(node.name if node else '')}, {other}"
    if pair.is_close:
        return f"{pair.called}, {people(given)}, and {against}, differ by {np.max(np.abs(ratios - 1)):.0%}"
    times = number(np.max(ratios) if above else np.min(ratios))
    return pair.asking(f"{pair.called}, {people(given)}, is {times} times {against}", above=above)


def _reach(draft: InputDraft, name: str) -> float:
    """Return the factor by which a range reaches beyond its median; 1 of any other fact."""
    origin = draft.origins.get(name)
    if origin is None or not origin.is_range:
        return 1.0
    return float(max((origin.high / origin.value).m_as(""), (origin.value / origin.low).m_as("")))


def _comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two magnitudes can be compared: of one shape, or one of them a number."""
    shapes = {np.shape(one.magnitude), np.shape(other.magnitude)} - {()}
    return len(shapes) < 2
