"""Whether the facts of one input agree: what may not serve is withheld, what cannot be is refused or doubted."""

from __future__ import annotations

import math
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


def withhold(draft: InputDraft) -> None:
    """Keep from the graph what may not serve there."""
    if draft.words.get("power_basis") == "measured_system" and "host_overhead" in draft.given:
        draft.withheld["host_overhead"] = "device_power was measured on whole systems, so that energy holds the host"
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
        if np.any(part > whole):
            what = f"{people(active)} is more than parameters, {people(total)}"
            draft.faults.append(Fault("active_parameters", what, "check which is which"))
        elif draft.words.get("sparse") is False and not np.allclose(part, whole, rtol=1e-9, atol=0):
            what = "is false, and active_parameters differ from parameters"
            draft.faults.append(Fault("sparse", what, "check which holds"))
    shapes = {name: np.shape(value.magnitude) for name, value in draft.given.items() if np.shape(value.magnitude)}
    if len(set(shapes.values())) > 1:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        draft.faults.append(Fault("columns", f"have different shapes: {text}", "give columns of one length"))


def warn(draft: InputDraft) -> None:
    """Warn of what is usable and doubtful."""
    if not draft.faults:
        draft.doubts.extend(doubt for pair in PAIRS if (doubt := _doubt(draft, pair)))
        draft.doubts.extend(other_devices(draft))
    words, given = draft.words, draft.given
    if words.get("power_basis") == "measured_system" and "device_power" in given:
        draft.doubts.append(
            "device_power was measured on whole systems: energy holds host and fans as well, not devices alone"
        )
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


def _doubt(draft: InputDraft, pair: Pair) -> str:
    """Put into words that a fact and what it is compared with are too far apart; empty where they are not."""
    usable = {name: value for name, value in draft.given.items() if name not in draft.withheld}
    node = draft.words.get("accelerator") if pair.of_device else None
    others = figures(node, draft.words.get("precision", "")) if node else {} if pair.of_device else usable
    looked_up = pair.of_device and pair.fact in draft.parents
    if looked_up or pair.fact not in usable or not others.keys() >= {*pair.others} or usable.keys() & {*pair.unless}:
        return ""
    given, field = usable[pair.fact], FIELDS[pair.fact]
    product = pair.factor * math.prod(coherent(others[each], FIELDS[each].kind).magnitude for each in pair.others)
    ratios = coherent(given, field.kind).magnitude / product
    above = bool(np.max(ratios) > pair.most)
    if not above and np.min(ratios) >= pair.least:
        return ""
    if not pair.others:
        return pair.sentence(above=above)
    other = people(convert(quantity(product, field.kind.unit), field.units))
    against = f"{pair.against(node.name if node else '')}, {other}"
    if pair.is_close:
        return f"{pair.called}, {people(given)}, and {against}, differ by {np.max(np.abs(ratios - 1)):.0%}"
    times = number(np.max(ratios) if above else np.min(ratios))
    return pair.asking(f"{pair.called}, {people(given)}, is {times} times {against}", above=above)


def _comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two magnitudes can be compared: of one shape, or one of them a number."""
    shapes = {np.shape(one.magnitude), np.shape(other.magnitude)} - {()}
    return len(shapes) < 2
