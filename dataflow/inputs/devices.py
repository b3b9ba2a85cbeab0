"""The devices that an input names: the accelerator with its count, and devices named in the text of other facts."""

from __future__ import annotations

import re
from typing import Any

from runlineage.catalogs.base.errors import UnknownNameError, echo, refuse
from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.devices import accelerator_text
from runlineage.catalogs.quantities.formatting import number
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.family import model_of
from runlineage.dataflow.inputs.inputs import InputDraft

LONGEST_TEXT = 100
NAME = re.compile(r"TPU[ -]?v[0-9]\w*|(?<![0-9.])[A-Za-wyz]+[0-9]\w*", re.IGNORECASE)  # not the x of 8xA100


def take_accelerator(draft: InputDraft, value: Any) -> None:
    """Take an accelerator by its record or its name; a text may count the devices too: `512 H100-80G`."""
    if isinstance(value, str):
        devices = accelerator_text(value)
        draft.words["accelerator"] = Accelerators[devices.key]
        draft.counted.extend([devices.count] if devices.count is not None else [])
    elif isinstance(value, HardwareNode):
        draft.words["accelerator"] = value
    else:
        refuse("accelerator", f"is {echo(value)}", "expected a HardwareNode or the name of an accelerator")


def count_devices(draft: InputDraft) -> None:
    """Take the count that the accelerator's text names, where none is given; where another is, say so."""
    for count in draft.counted:
        given = draft.given.get("accelerator_count")
        if given is None:
            origin = draft.origins.get("accelerator", Fact(None))
            draft.given["accelerator_count"] = quantity(float(count), "accelerator")
            draft.origins["accelerator_count"] = Fact(
                None, origin.basis, origin.source, origin.place, "counted where the accelerator is named"
            )
        elif given.magnitude != count and "periods" not in draft.given:
            draft.doubts.append(
                f"accelerator names {number(count)} devices, and accelerator_count is {number(given.magnitude)}"
            )


def other_devices(draft: InputDraft) -> list[str]:
    """List the facts whose text names another device than the accelerator.

    >>> from runlineage.dataflow.inputs.read_inputs import read_inputs
    >>> print(*read_inputs({"accelerator": "H100 SXM", "accelerator_hours": "1000 A100 hours"}).warnings)
    accelerator_hours is '1000 A100 hours', and accelerator is NVIDIA H100 SXM5 80GB: which device was it?
    """
    node = draft.words.get("accelerator")
    if node is None or not model_of(node):
        return []
    model = squash(model_of(node))
    return [
        f"{name} is {text!r}, and accelerator is {node.name}: which device was it?"
        for name, text in draft.texts.items()
        if any(each not in model and model not in each for each in _models(text))
    ]


def _models(text: str) -> set[str]:
    """Return the models of the devices that a text names, in the singular or the plural."""
    names = NAME.findall(text[:LONGEST_TEXT])
    return {squash(model_of(Accelerators[key])) for name in names if (key := _key(name) or _key(name[:-1]))} - {""}


def _key(name: str) -> str:
    try:
        return Accelerators.find(name)
    except UnknownNameError:
        return ""
