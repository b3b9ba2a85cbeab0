"""A BoAmps report of one training: what its schema requires and what the facts state beside; all else is left out."""

from __future__ import annotations

import json
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.catalog import Grids
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.visualizations.cards.statement import Statement, energy_in_kwh, magnitude

# The choices of the schema: https://github.com/Boavizta/BoAmps/tree/main/model, as read on 2026-04-08.
INFRASTRUCTURES = ("publicCloud", "privateCloud", "onPremise", "other")
DATA_TYPES = (
    *("tabular", "audio", "boolean", "image", "video", "object"),
    *("text", "token", "word", "other"),
)
SCOPES = ("it_energy", "energy", "facility_energy")  # the IT equipment of the task first, which the format measures
GPU_MAKERS = ("NVIDIA", "AMD", "Intel")
WHOLE = 1e-9  # a count this near to a whole number is one


def boamps(statement: Statement) -> str:
    """Write a BoAmps report: task, energy in kWh with its method, devices, place and carbon intensity.

    The schema requires what no published facts state: the family of the task, the kind of infrastructure, and the kind
    of data where no tokens are known. These are given as `task_family`, `infrastructure` and `data_type`; whatever is
    missing is refused at once. It has no header, which would require a date: the same run gives the same bytes.
    """
    task, infrastructure = _task(statement), _infrastructure(statement)
    faults = [*task.pop("faults"), *infrastructure.pop("faults")]
    environment = _environment(statement)
    if statement.location and not environment:
        faults.append(Fault("location", "stands beside no country, which BoAmps requires", "give region too"))
    if faults:
        raise InputError(tuple(faults), f"the BoAmps report of {statement.name}")
    report = {"task": task, "measures": [_measure(statement)], "infrastructure": infrastructure}
    report |= {"environment": environment} if environment else {}
    return json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _task(statement: Statement) -> dict[str, Any]:
    given = statement.run.inputs.given
    family, data = statement.more.get("task_family", ""), statement.more.get("data_type", "")
    faults = [] if family else [_missing("task_family", "such as 'text generation'")]
    if not data and "training_tokens" in given:
        data = "token"
    faults += _not_of(data, "data_type", DATA_TYPES)
    sizes = {"parametersNumber": ("parameters", 1e9), "layersNumber": ("layers", 1)}
    algorithm = {
        name: _whole(float(given[fact].magnitude) / scale) for name, (fact, scale) in sizes.items() if fact in given
    }
    tokens = f", {people(given['training_tokens'])}s seen" if "training_tokens" in given else ""
    return {
        "faults": faults,
        "taskStage": "finetuning" if statement.word("stage") == "fine-tuning" else "training",
        "taskFamily": family,
        "algorithms": [algorithm],
        "dataset": [{"dataUsage": "input", "dataType": data}],  # its size is not known: tokens seen count epochs
        "taskDescription": f"Training of {statement.name}{tokens}",
    }


def _measure(statement: Statement) -> dict[str, Any]:
    energy = statement.energy(SCOPES)
    measure = {
        "measurementMethod": f"{energy.source}; {energy.note or energy.scope}",
        "powerConsumption": energy_in_kwh(energy.value),  # the format's name of an energy
    }
    duration = statement.run.inputs.given.get("duration")
    return measure | ({"measurementDuration": magnitude(duration, "s")} if duration is not None else {})


def _infrastructure(statement: Statement) -> dict[str, Any]:
    kind, node = statement.more.get("infrastructure", ""), statement.run.accelerator
    count = statement.run.inputs.given.get("accelerator_count")
    faults = _not_of(kind, "infrastructure", INFRASTRUCTURES)
    faults += [] if node else [_missing("accelerator", "the device, by its name")]
    number = None if count is None else _whole(float(count.magnitude))
    if number is None:
        faults.append(_missing("accelerator_count", "the number of devices"))
    elif not isinstance(number, int):
        faults.append(Fault("accelerator_count", f"is {number:.6g}, a mean of periods", "give a whole number"))
    known = next((each for each in INFRASTRUCTURES if each.casefold() == kind.casefold()), "")
    component = {} if node is None else _component(node)
    return {"faults": faults, "infraType": known, "components": [component | {"nbComponent": number}]}


def _component(node: HardwareNode) -> dict[str, Any]:
    component: dict[str, Any] = {"componentName": node.name, "componentType": component_type(node)}
    if node.memory is not None and node.memory.value is not None:
        size = getattr(node.memory.value, "magnitude", node.memory.value)
        component["memorySize"] = _whole(float(size))
    return component | ({"manufacturer": node.vendor} if node.vendor else {})


def component_type(node: HardwareNode) -> str:
    """Return what kind of part a device is, in the lower case of the format's own examples.

    >>> from runlineage import Accelerators
    >>> print(*(component_type(Accelerators[name]) for name in ("V100 SXM2 16GB", "TPU v4", "Ascend 910A")))
    gpu tpu npu
    """
    word = node.counted_as.split()[0].casefold() if node.counted_as else ""
    if node.vendor == "Google":
        return "tpu"
    return word if word in ("npu", "ipu", "hpu", "apu") else "gpu" if node.vendor in GPU_MAKERS else "accelerator"


def _environment(statement: Statement) -> dict[str, Any]:
    region = statement.run.inputs.words.get("region")
    if not region:
        return {}
    country, place = Grids[region.partition("_")[0]].name, Grids[region].name
    location = statement.location or (place if place != country else "")
    intensity = statement.run.inputs.given.get("carbon_intensity")
    found: dict[str, Any] = {"country": country} | ({"location": location} if location else {})
    if intensity is not None:
        found["powerSourceCarbonIntensity"] = magnitude(intensity, "gCO2e/kWh/facility")
    return found


def _missing(name: str, what: str) -> Fault:
    return Fault(name, "is not stated, and BoAmps requires it", f"give --{name.replace('_', '-')}, {what}")


def _not_of(value: str, name: str, choices: tuple[str, ...]) -> list[Fault]:
    """Find a fault in a word that the schema lists: none is given, or another."""
    if not value:
        return [_missing(name, f"one of {', '.join(choices)}")]
    if value.casefold() in map(str.casefold, choices):
        return []
    near = nearest(value, choices, 1)
    hint = f"; the nearest: {near[0]}" if near else ""
    return [Fault(name, f"is {echo(value)}", f"expected one of {', '.join(choices)}{hint}")]


def _whole(size: float) -> int | float:
    """Return a number to 15 digits, whole where it is."""
    size = float(f"{size:.15g}")
    return round(size) if abs(size - round(size)) <= WHOLE else size
