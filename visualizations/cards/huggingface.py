"""The front matter of a Hugging Face card: emissions in grams, with what they rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runlineage.dataflow.cards.findings import CO2
from runlineage.dataflow.cards.front_matter import dump, with_field
from runlineage.visualizations.cards.statement import Statement, magnitude


def huggingface(statement: Statement) -> str:
    """Write the front matter of a card."""
    return f"---\n{dump(CO2, _fields(statement))}\n---\n"


def change(statement: Statement, existing: str, path: Path) -> str:
    """Return the text of an existing card with its emissions set, and all else as it was."""
    return with_field(existing, CO2, _fields(statement), path)


def _fields(statement: Statement) -> dict[str, Any]:
    stated = statement.emissions()
    words = {
        "training_type": statement.word("stage"),
        "geographical_location": statement.location or statement.word("region"),
        "hardware_used": statement.word("accelerator"),
    }
    fields: dict[str, Any] = {"emissions": magnitude(stated.value, "gCO2e"), "source": stated.source}
    return fields | {name: word for name, word in words.items() if word}
