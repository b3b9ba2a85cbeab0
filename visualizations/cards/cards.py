"""Cards out: a run's answers in the forms that others read: Hugging Face, CycloneDX, Markdown, LaTeX, BibTeX."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import CannotComputeError, UnknownNameError
from runlineage.catalogs.base.spelling import nearest, plain_text
from runlineage.dataflow.cards.front_matter import dump, with_field
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.visualizations.cards.paper import bibtex, latex, markdown
from runlineage.visualizations.cards.statement import Statement, energy_in_kwh, magnitude

CO2 = "co2_eq_emissions"
CYCLONEDX = "http://cyclonedx.org/schema/bom-1.6.schema.json"


def card(run: PublishedRunScenario, to: str = "huggingface", *, location: str = "", existing: str = "") -> str:
    """Write a run's card as text: `to` is huggingface, cyclonedx, markdown, latex or bibtex.

    `location` says where the training was, where the facts do not. For huggingface, `existing` is the text of a card
    of which only the field `co2_eq_emissions` is to change. Raises `CannotComputeError` where the run has no
    emissions (huggingface) or no energy (cyclonedx).

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="Mine", published_emissions="8,930 tCO2e", stage="pre-training")
    >>> print(card(run))
    ---
    co2_eq_emissions:
      emissions: 8930000000
      source: as given by the caller
      training_type: pre-training
    ---
    <BLANKLINE>
    """
    if to not in FORMS:
        raise UnknownNameError("card", to, nearest(to, FORMS, 1), f"there are {', '.join(FORMS)}")
    statement = Statement(run)
    if to == "huggingface":
        return huggingface(statement, location, existing)
    return FORMS[to](statement)


def huggingface(statement: Statement, location: str = "", existing: str = "", path: Path = Path("README.md")) -> str:
    """Write the front matter of a Hugging Face card: emissions in grams, with what they rest on."""
    stated = statement.emissions()
    fields: dict[str, Any] = {"emissions": magnitude(stated.value, "gCO2e"), "source": stated.source}
    words = {
        "training_type": statement.word("stage"),
        "geographical_location": plain_text(location) or statement.word("region"),
        "hardware_used": statement.word("accelerator"),
    }
    fields |= {name: word for name, word in words.items() if word}
    if existing:
        return with_field(existing, CO2, fields, path)
    return f"---\n{dump(CO2, fields)}\n---\n"


def cyclonedx(statement: Statement) -> str:
    """Write a CycloneDX 1.6 bill of one model: energy of the training in kWh and, where known, emissions in tCO2eq.

    Neither serial number nor time stands in it, so that the same run gives the same bytes. Who provided the energy
    is not among the facts of a run: the list, which the format asks for, is empty.
    """
    energy = statement.energy()
    consumption: dict[str, Any] = {
        "activity": "fine-tuning" if statement.word("stage") == "fine-tuning" else "training",
        "energyProviders": [],
        "activityEnergyCost": {"value": energy_in_kwh(energy.value), "unit": "kWh"},
    }
    properties = {"energy:scope": energy.scope, "energy:source": energy.source}
    try:
        emissions = statement.emissions()
    except CannotComputeError:
        pass
    else:
        consumption["co2CostEquivalent"] = {"value": magnitude(emissions.value, "tCO2e"), "unit": "tCO2eq"}
        properties["emissions:source"] = emissions.source
    consumption["properties"] = [{"name": f"runlineage:{name}", "value": each} for name, each in properties.items()]
    considerations = {"environmentalConsiderations": {"energyConsumptions": [consumption]}}
    model = {"type": "machine-learning-model", "name": statement.name, "modelCard": {"considerations": considerations}}
    bill = {"$schema": CYCLONEDX, "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": [model]}
    return json.dumps(bill, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


FORMS: dict[str, Callable[[Statement], str]] = {
    "huggingface": huggingface,
    "cyclonedx": cyclonedx,
    "markdown": markdown,
    "latex": latex,
    "bibtex": bibtex,
}
