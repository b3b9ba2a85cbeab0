"""What the figures of a card's tables and lines become: facts, or what stands beside them with the reason."""

from __future__ import annotations

import re
from pathlib import Path

from runlineage.catalogs.base.errors import InputError, echo
from runlineage.catalogs.records.values import read_value
from runlineage.dataflow.cards.blocks import Block, Cell
from runlineage.dataflow.cards.findings import BOUND, ESTIMATE, TONS, CardFacts
from runlineage.dataflow.cards.label_facts import FIELD_OF, LABEL_TAKERS

OF_EXPERTS = re.compile(r"\bmixture[- ]of[- ](?:[0-9]+[- ])?experts?\b|\bmoe\b", re.IGNORECASE)
BARE = re.compile(r"[0-9][0-9,._ ]*")
WITHOUT_E = re.compile(r"CO(?:2|₂)(?![-\w ]{0,2}e)", re.IGNORECASE)
NOTE = re.compile(r" ?\([^()0-9]{1,80}\)$")  # such as a place, behind a mass
IN_TONS = re.compile(r"(?<!metric )\btons?\b", re.IGNORECASE)
SPELT = {"b": "billion", "bn": "billion", "m": "million", "t": "trillion", "w": "W", "kw": "kW"}
LEAST_COUNT = 1000  # a smaller bare number of weights or tokens is of billions, or of something else


def take_block(block: Block, facts: CardFacts, path: Path, design_power: str) -> None:
    """Take the figures of one block; `design_power` is the TDP in watts that the card states, if it does."""
    for kind, cell in block.cells:
        place = f"line {cell.line}, {cell.label}"
        take = TAKERS.get(kind)
        if take:
            take(cell, facts, path, place)
        else:
            _take_figure(FIELD_OF.get(kind, kind), cell, facts, path, place)
        if kind == "device_power" and cell.text == design_power:
            facts.fact("power_basis", "tdp", path, f"line {cell.line}: the power is the TDP that the card states")


def _take_figure(name: str, cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    bare = BARE.fullmatch(cell.text)
    if bare and not cell.unit and name in ("parameters", "active_parameters", "training_tokens") and _small(cell):
        facts.withhold(name, cell.text, path, place, "too few to be a count, and no unit is stated")
    else:
        unit = SPELT.get(cell.unit.rstrip("s"), cell.unit) if bare and cell.unit else ""
        facts.figure(name, f"{cell.text} {unit}".strip(), path, place)


def _small(cell: Cell) -> bool:
    try:
        return float(cell.text.replace(",", "").replace("_", "").replace(" ", "")) < LEAST_COUNT
    except ValueError:
        return False


def _take_location(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    text = cell.text.removesuffix(".")
    if BOUND.fullmatch(text):
        facts.withhold("published_emissions", text, path, place, ESTIMATE)
        return
    mass = re.sub(r"\bof (?=co2)", "", f"{text} {cell.unit}" if BARE.fullmatch(text) else text, flags=re.IGNORECASE)
    if BARE.fullmatch(mass):
        why = "the card does not state the unit; the hub's template asks for grams"
        facts.withhold("published_emissions", text, path, place, why)
    else:
        mass = mass.rstrip(".")
        facts.read("published_emissions", mass, path, place, TONS if IN_TONS.search(mass) else None)
        if WITHOUT_E.search(mass):
            facts.doubt_mass(NOTE.sub("", WITHOUT_E.sub("CO2e", mass)), place)


def _take_market(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    facts.withhold("published_emissions", cell.text, path, place, "market-based; never netted with location")


def _take_provider(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    facts.unused.append(f"Cloud Provider ({place})")


def _take_design(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    if OF_EXPERTS.search(cell.text):
        facts.fact("sparse", True, path, place)


def _take_trainable(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    try:
        facts.trainable = read_value(cell.text, "parameters"), place
    except InputError:
        facts.unused.append(f"{echo(cell.text)} ({place})")


TAKERS = {
    "trainable": _take_trainable,
    "architecture": _take_design,
    "location": _take_location,
    "Carbon Emitted": _take_location,
    "market": _take_market,
    "Cloud Provider": _take_provider,
    **LABEL_TAKERS,
}
