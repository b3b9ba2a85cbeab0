"""What stands behind the labels of a card becomes: devices, times, energies and words, or the reason why not."""

from __future__ import annotations

import re
from pathlib import Path

from runlineage.catalogs.base.errors import InputError
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.records.values import read_value, read_word
from runlineage.dataflow.cards.blocks import Cell
from runlineage.dataflow.cards.findings import CardFacts
from runlineage.dataflow.cards.hardware import WHOLE, hardware_of
from runlineage.dataflow.cards.labels import DEVICE

OF_DEVICES = re.compile(rf"(?:{DEVICE}s?|\b[AVHBP][0-9]{{2,3}})[ -]?(?:hours|hrs|h|days)\b", re.IGNORECASE)
IN_DAYS = re.compile(r"\b(?:days?|weeks?|months?)\b", re.IGNORECASE)
OF_CLOCK = re.compile(r"clock", re.IGNORECASE)
OF_COUNT = re.compile(r"\bcount\b|\bnumber\b|\bno\b|\bnum|#|s$", re.IGNORECASE)
FORMAT = re.compile(
    r"(?:(?:pure|mixed)[ -])?(?P<format>bf16|bfloat16|fp16|float16|fp32|float32|tf32|fp8)"
    r"(?:[ -](?:non-)?mixed)?(?:[ -]precision)?",
    re.IGNORECASE,
)
INTENSITY = re.compile(
    r"(?P<place>[^()]*[^() ]) ?\((?:[a-z0-9 ]*[a-z]:? )?(?P<intensity>[0-9][0-9.,]* ?k?g ?CO2[^()/]{0,4}/ ?kWh)\)",
    re.IGNORECASE,
)
WHICH_HOURS = "the card does not state whether wall-clock or accelerator hours"
WHICH_POWER = "the card does not state whether the power is of one accelerator or of all; give device_power"
WHICH_ENERGY = (
    "the card does not state whether the energy is that of the devices or of the facility; give reported_energy or"
    " reported_facility_energy"
)
WHICH_TOKENS = "the card does not state whether these are the tokens of the data or all that the run saw"


def take_hardware(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take a device with its count and its design power; a bare number is a count where the label asks for one."""
    if WHOLE.fullmatch(cell.text):
        _take_count(cell, facts, path, place)
        return
    hardware = hardware_of(cell.text)
    facts.accelerator(hardware.devices, path, place)
    if hardware.design_power:
        facts.read("accelerator_tdp", hardware.design_power, path, place, None)
    facts.unused += [f"{each!r} beside the device ({place})" for each in hardware.asides]


def _take_count(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    if not OF_COUNT.search(cell.label) or _is_device(cell.text):
        facts.withhold("accelerator_count", cell.text, path, place, "this may be a count or the name of a device")
    else:
        facts.fact("accelerator_count", read_value(cell.text, "accelerator_count"), path, place)


def _is_device(text: str) -> bool:
    """Return whether a number alone is what people call a device by, as 4090 is."""
    return any(f"{brand} {text}".strip() in Accelerators for brand in ("", "RTX", "GTX"))


def take_hours(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take accelerator-hours where they are called so."""
    if OF_DEVICES.search(cell.text):
        facts.figure("accelerator_hours", cell.text, path, place)
    else:
        facts.withhold("accelerator_hours", cell.text, path, place, WHICH_HOURS)


def take_time(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take days as those of the clock, and accelerator-hours where they are called so; plain hours may be either."""
    text = f"{cell.text} {cell.unit}".strip() if WHOLE.fullmatch(cell.text) else cell.text
    if OF_DEVICES.search(text):
        facts.figure("accelerator_hours", text, path, place)
    elif IN_DAYS.search(text) or OF_CLOCK.search(cell.label):
        facts.figure("duration", text, path, place)
    else:
        facts.withhold("duration", text, path, place, WHICH_HOURS)


def take_energy(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Keep an energy of which the card does not state the scope beside the fact."""
    facts.withhold("reported_energy", cell.text, path, place, WHICH_ENERGY)


def take_power(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Keep a power of which the card does not state the scope beside the fact."""
    facts.withhold("device_power", cell.text, path, place, WHICH_POWER)


def take_work(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take operations, or accelerator-hours where the compute is stated in those."""
    name = "accelerator_hours" if OF_DEVICES.search(cell.text) else "training_ops"
    facts.figure(name, cell.text, path, place)


def take_region(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take a region, and the intensity of its grid where the card states it behind."""
    stated = INTENSITY.fullmatch(cell.text.replace("₂", "2"))
    facts.region(stated["place"] if stated else cell.text, path, place)
    if stated:
        facts.read("carbon_intensity", stated["intensity"], path, place, None)


def take_stage(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take the kind of training, where the text is one."""
    try:
        facts.fact("stage", read_word(cell.text, "stage"), path, place)
    except InputError:
        return  # such labels also tell of supervised training, of losses and of much else


def take_precision(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Take the format of the numbers, where the text is one: `bf16 mixed precision` is bf16."""
    if match := FORMAT.fullmatch(cell.text.strip()):
        facts.fact("precision", read_value(match["format"], "precision"), path, place)


def take_tokens(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    """Keep tokens that may be of the data beside the fact."""
    if "token" in f"{cell.label} {cell.text}".casefold():
        facts.withhold("training_tokens", cell.text, path, place, WHICH_TOKENS)


LABEL_TAKERS = {
    "Hardware Type": take_hardware,
    "accelerator_count": take_hardware,
    "Hours used": take_hours,
    "time": take_time,
    "energy": take_energy,
    "power": take_power,
    "training_ops": take_work,
    "Compute Region": take_region,
    "stage": take_stage,
    "precision": take_precision,
    "bare_precision": take_precision,
    "tokens": take_tokens,
}
FIELD_OF = {"device_energy": "reported_energy", "facility_energy": "reported_facility_energy"}
