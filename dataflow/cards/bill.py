"""CycloneDX bills as cards: energy, emissions and facts of a model's training, as our own bills and others' hold them.

The energy of a bill does not say by itself of what it is. Ours name the scope in a property; an energy without one
stands beside the facts and is not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import CatalogError, InputError, UnknownNameError, echo
from runlineage.catalogs.base.spelling import matches, plain_text
from runlineage.catalogs.quantities.fields import FIELDS, WORDS
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.toml_rows import parse_json, read_text
from runlineage.catalogs.records.values import read_value
from runlineage.catalogs.regions import find_region
from runlineage.dataflow.cards.findings import AGREES, CardFacts

LARGEST_BILL = 10_000_000
SCOPES = {  # the widest scope that can be computed stands in a card, in these words
    "facility_energy": "the whole facility, overhead included",
    "it_energy": "whole servers, without cooling and other facility overhead",
    "energy": "devices alone, without host, cooling and other facility overhead",
}
FIELD_OF = {"facility_energy": ("reported_facility_energy", "kWh*facility"), "it_energy": ("it_energy", "kWh")}
FIELD_OF |= {"energy": ("reported_energy", "kWh")}
OURS = "runlineage:"
FACT, SOURCE = f"{OURS}fact:", f"{OURS}source:"
STAGES = {"training": None, "fine-tuning": "fine-tuning"}
NO_SCOPE = "the bill does not say whether it is of devices, of whole servers or of the facility"
MODEL = "machine-learning-model"


def is_bill(path: Path) -> bool:
    """Distinguish a CycloneDX bill from other JSON by the field that names its format."""
    try:
        return path.suffix.lower() == ".json" and _parsed(path).get("bomFormat") == "CycloneDX"
    except CatalogError:  # the reader of run files explains it
        return False


def take_bill(path: Path, facts: CardFacts, model: str) -> str:
    """Take the facts of one model of a bill, and return its name."""
    models = [each for each in _list(_parsed(path), "components") if each.get("type") == MODEL]
    names = [plain_text(str(each.get("name", ""))) for each in models]
    chosen = matches(model, names) if model else names
    if len(chosen) != 1:
        what = f"has {len(names)} models" if not model else f"has no one model {echo(model)}"
        facts.refuse(path, "components", what, f"name one of {', '.join(names) or 'them'} as FILE#MODEL")
        return ""
    component = models[names.index(chosen[0])]
    take_facts(component, facts, path)
    considerations = _mapping(_mapping(component, "modelCard"), "considerations")
    consumptions = _list(_mapping(considerations, "environmentalConsiderations"), "energyConsumptions")
    for number, consumption in enumerate(consumptions):
        take_consumption(consumption, facts, path, f"energyConsumptions[{number}]")
    return chosen[0]


def take_consumption(consumption: Mapping[str, Any], facts: CardFacts, path: Path, place: str) -> None:
    """Take the energy and the emissions of a training; those of another activity are named as not used."""
    activity = consumption.get("activity")
    if activity not in STAGES:
        facts.unused.append(f"{place}: energy of the activity {echo(activity)}")
        return
    if stage := STAGES[activity]:
        facts.word("stage", stage, path, f"{place}, activity")
    said = properties(consumption)
    energy, emitted = _mapping(consumption, "activityEnergyCost"), _mapping(consumption, "co2CostEquivalent")
    metric = next((name for name, scope in SCOPES.items() if scope == said.get(f"{OURS}energy:scope")), "")
    if energy and not metric:
        text = f"{energy.get('value')} {energy.get('unit')}"
        facts.withhold("reported_energy", text, path, f"{place}, activityEnergyCost", NO_SCOPE)
    elif energy:
        field, unit = FIELD_OF[metric]
        notes = (said.get(f"{OURS}energy:{name}") for name in ("source", "note"))
        note = "; ".join(filter(None, notes)) or None
        _take_cost(energy, "kWh", field, unit, facts, path, f"{place}, activityEnergyCost", note)
    if emitted:
        note = said.get(f"{OURS}emissions:source")
        field = "published_emissions"
        _take_cost(emitted, "tCO2eq", field, "tCO2e", facts, path, f"{place}, co2CostEquivalent", note)


def take_facts(component: Mapping[str, Any], facts: CardFacts, path: Path) -> None:
    """Take the facts that a bill of ours lists as properties, each with the source that it names."""
    said = properties(component)
    for name, text in said.items():
        field = name.removeprefix(FACT)
        if field == name:
            continue
        if field not in FIELDS and field not in WORDS:
            facts.unused.append(f"property {name}: it is no field")
            continue
        source = said.get(f"{SOURCE}{field}")
        try:
            facts.fact(field, fact_value(text, field), path, f"property {name}", source and f"from {source}")
        except (InputError, UnknownNameError) as problem:
            facts.withhold(field, text, path, f"property {name}", str(problem))


def fact_value(text: str, field: str) -> Any:
    """Read a fact as a bill of ours writes it: a number in the field's unit, or a word.

    >>> print(fact_value("700.5 W/accelerator", "device_power"))
    700.5 watt/accelerator
    """
    known = FIELDS.get(field)
    if known is None:
        return find_region(text) if field == "region" else text if field == "accelerator" else read_value(text, field)
    number, _, unit = text.partition(" ")
    try:
        value: Any = quantity(float(number), known.unit) if unit == known.unit_text else text
    except ValueError:
        value = text
    return as_quantity(value, field=field)


def properties(holder: Mapping[str, Any]) -> dict[str, str]:
    """Return the properties of a part of a bill by their names."""
    return {str(each.get("name")): plain_text(str(each.get("value"))) for each in _list(holder, "properties")}


def _take_cost(
    cost: Mapping[str, Any],
    named: str,
    field: str,
    unit: str,
    facts: CardFacts,
    path: Path,
    place: str,
    note: str | None,
) -> None:
    """Take a figure of a bill; where the bill lists the same quantity as a fact, this one was computed beside it."""
    size = cost.get("value")
    if cost.get("unit") != named or isinstance(size, bool) or not isinstance(size, (int, float)) or not isfinite(size):
        facts.withhold(field, f"{size} {cost.get('unit')}", path, place, f"expected a number in {named}")
        return
    try:
        value = as_quantity(quantity(float(size), unit), field=field)
    except InputError as problem:
        facts.withhold(field, f"{size} {named}", path, place, problem.faults[0].what)
        return
    listed = facts.facts.get(field)
    if not listed:
        facts.fact(field, value, path, place, note)
    elif abs((value / listed[0].value).m_as("") - 1) > AGREES:
        facts.withhold(field, f"{size} {named}", path, place, "the bill lists another value of it among its facts")


def _parsed(path: Path) -> dict[str, Any]:
    return parse_json(read_text(path, LARGEST_BILL), path)


def _mapping(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = holder.get(name)
    return found if isinstance(found, Mapping) else {}


def _list(holder: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = holder.get(name)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, Iterable) else []
