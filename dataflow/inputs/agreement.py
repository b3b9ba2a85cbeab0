"""Whether the facts of one input agree: what may not serve is withheld, what cannot be is refused or doubted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runlineage.catalogs.base.errors import Fault
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.units import Quantity, convert, quantity, unit
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.inputs.inputs import InputDraft

HOURS_TOLERANCE = 0.05
HIGH_PUE = 3.0  # above it a figure is hardly an annual one of a whole facility
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
    hours, count, duration = (draft.given.get(name) for name in ("accelerator_hours", "accelerator_count", "duration"))
    if hours is not None and count is not None and duration is not None and not draft.faults:
        stated = coherent(hours, KINDS["AcceleratorTime"]).magnitude
        product = coherent(count, KINDS["Count"]).magnitude * coherent(duration, KINDS["Duration"]).magnitude
        apart = np.max(np.abs(stated - product) / product)
        if apart > HOURS_TOLERANCE:
            times = people(convert(quantity(product, "accelerator*s"), unit("accelerator*hour")))
            text = f"accelerator_hours, {people(hours)}, and accelerator_count × duration, {times}"
            draft.doubts.append(f"{text}, differ by {apart:.0%}")
    if "pue" in draft.given and np.max(draft.given["pue"].magnitude) > HIGH_PUE:
        draft.doubts.append(f"pue is above {HIGH_PUE:g}: is it the PUE of the facility?")
    if draft.words.get("work_counts") == "hardware" and "training_ops" in draft.given:
        draft.doubts.append(
            "recorded work (training_ops) counts recomputation: rate and peak_fraction are hardware's (HFU), "
            "not the model's (MFU)"
        )
    if draft.words.get("architecture") == "encoder-decoder" and "training_ops" not in draft.given:
        draft.doubts.append(
            "the model is an encoder-decoder: a token passes only part of the weights, so 6 N D over-counts"
        )


def _comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two magnitudes can be compared: of one shape, or one of them a number."""
    shapes = {np.shape(one.magnitude), np.shape(other.magnitude)} - {()}
    return len(shapes) < 2
