"""What the front matter of a card states of its run: a name, and the emissions by the hub's field for them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import echo
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.cards.findings import CO2, OWN_SOURCE, CardFacts
from runlineage.dataflow.cards.front_matter import FrontMatter
from runlineage.dataflow.cards.words import plain

WORDS = ("source", "training_type", "geographical_location", "hardware_used")
GROUPED = re.compile(r"[0-9]{1,3}(?:_[0-9]{3})+(?:\.[0-9]+)?")
UNSTATED = ("", "unknown", "n/a", "[more information needed]")


def take_front_matter(head: FrontMatter, facts: CardFacts, path: Path) -> str:
    """Take the facts of a card's front matter, and return the name of the model; empty where there is none."""
    name = head.fields.get("model_name")
    if name is not None and not isinstance(name, str):
        facts.refuse(path, _place(head, "model_name"), f"is {echo(name)}", "expected text; put it in quotes")
    if head.fields.get("library_name") == "peft" or head.fields.get("base_model_relation") == "adapter":
        key = "library_name" if head.fields.get("library_name") == "peft" else "base_model_relation"
        facts.conflicts.append(f"an adapter was trained ({_place(head, key)}): 6 N D of its base would count too much")
    if head.fields.get("base_model"):
        facts.unused.append(f"base_model ({_place(head, 'base_model')}): its own training is not this run's")
    if CO2 in head.fields:
        given = head.fields[CO2]
        fields = given if isinstance(given, Mapping) else {"emissions": given}
        unknown = [key for key in fields if key not in ("emissions", *WORDS)]
        facts.unused += [f"{CO2}.{key}"[:80] + f" ({_place(head, CO2)})" for key in unknown]
        _take_emissions(fields, facts, path, head.place_of(CO2))
    return plain_text(plain(name)) if isinstance(name, str) else ""


def _place(head: FrontMatter, key: str) -> str:
    return f"line {head.lines[key]}, {key}"


def _take_emissions(fields: Mapping[str, Any], facts: CardFacts, path: Path, places: Mapping[str, str]) -> None:
    words = _words(fields, facts, path, places)
    if "training_type" in words:
        facts.word("stage", words["training_type"], path, places["training_type"])
    if "hardware_used" in words:
        facts.accelerator(words["hardware_used"], path, places["hardware_used"])
    if "geographical_location" in words:
        facts.region(words["geographical_location"], path, places["geographical_location"])
    if "emissions" not in fields:
        facts.refuse(path, places[""], "has no emissions", "add them in grams, as a plain number")
        return
    source = f"{OWN_SOURCE}{words['source']}" if "source" in words else None
    _take_grams(fields["emissions"], facts, path, places.get("emissions", places[""]), source)


def _words(fields: Mapping[str, Any], facts: CardFacts, path: Path, places: Mapping[str, str]) -> dict[str, str]:
    words = {}
    for key in WORDS:
        value = fields.get(key)
        if value is not None and not isinstance(value, str):
            facts.refuse(path, places[key], f"is {echo(value)}", "expected text; put it in quotes")
        elif value and value.strip().casefold() not in UNSTATED:
            words[key] = plain_text(value)
    return words


def _take_grams(grams: Any, facts: CardFacts, path: Path, where: str, source: str | None) -> None:
    if isinstance(grams, str) and GROUPED.fullmatch(grams):  # YAML 1.1 reads 24_700_000 as a number, YAML 1.2 as text
        grams = float(grams)
    if isinstance(grams, bool) or not isinstance(grams, (int, float)):
        facts.refuse(path, where, f"is {echo(grams)}", "expected a plain number of grams, such as 8930000000")
    elif not 0 <= grams <= sys.float_info.max:
        facts.refuse(path, where, f"is {echo(grams)}", "expected a number above zero")
    elif grams == 0:
        facts.unused.append(f"{CO2} ({where}): 0 g means that nothing was measured")
    else:
        facts.fact("published_emissions", quantity(float(grams), "gCO2e"), path, where, source)
        facts.grams = float(grams)
