"""What the lines of the usual template state of a run: hardware, hours, region and emissions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from runlineage.dataflow.cards.body import Cell
from runlineage.dataflow.cards.findings import TONS, CardFacts

OF_DEVICES = re.compile(r"(?:GPU|TPU|accelerator|device)[ -]?(?:hours|h)\b", re.IGNORECASE)


def take_labels(labels: Mapping[str, Cell], facts: CardFacts, path: Path) -> None:
    """Take the facts of the template's lines, by their labels."""
    for label, cell in labels.items():
        place = f"line {cell.line}, {label}"
        if label == "Hardware Type":
            facts.accelerator(cell.text, path, place)
        elif label == "Hours used":
            _take_hours(cell, facts, path, place)
        elif label == "Carbon Emitted":
            _take_carbon(cell, facts, path, place)
        elif label == "Compute Region":
            facts.region(cell.text, path, place)
        else:
            facts.unused.append(f"{label} ({place})")


def _take_hours(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    if OF_DEVICES.search(cell.text):
        facts.read("accelerator_hours", cell.text, path, place, None)
    else:
        why = "the card does not say whether wall-clock or accelerator hours"
        facts.withhold("accelerator_hours", cell.text, path, place, why)


def _take_carbon(cell: Cell, facts: CardFacts, path: Path, place: str) -> None:
    if cell.text.replace(",", "").replace(".", "").isdecimal():
        why = "the card does not say in which unit; the template asks for grams"
        facts.withhold("published_emissions", cell.text, path, place, why)
    else:
        note = TONS if re.search(r"\btons?\b", cell.text) else None
        facts.read("published_emissions", cell.text, path, place, note)
