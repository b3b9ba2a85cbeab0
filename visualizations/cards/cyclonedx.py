"""A CycloneDX 1.6 bill of one model."""

from __future__ import annotations

import json
from typing import Any

from runlineage.catalogs.base.errors import CannotComputeError
from runlineage.dataflow.cards.bill import FACT, MODEL, OURS, SOURCE
from runlineage.visualizations.cards.statement import Statement, energy_in_kwh, magnitude

SCHEMA = "http://cyclonedx.org/schema/bom-1.6.schema.json"


def cyclonedx(statement: Statement) -> str:
    """Write a CycloneDX 1.6 bill of one model: energy of the training in kWh and, where known, emissions in tCO2eq.

    The facts of the run stand in properties, each with its source, so that `read_card` reads the same facts back. It
    has neither serial number nor time, so that the same run gives the same bytes. Who provided the energy is not among
    the facts of a run: the list, which the format requires, is empty.
    """
    energy = statement.energy()
    consumption: dict[str, Any] = {
        "activity": "fine-tuning" if statement.word("stage") == "fine-tuning" else "training",
        "energyProviders": [],
        "activityEnergyCost": {"value": energy_in_kwh(energy.value), "unit": "kWh"},
    }
    properties = {"energy:scope": energy.scope, "energy:source": energy.source}
    properties |= {"energy:note": energy.note} if energy.note else {}
    try:
        emissions = statement.emissions()
    except CannotComputeError:
        pass
    else:
        consumption["co2CostEquivalent"] = {"value": magnitude(emissions.value, "tCO2e"), "unit": "tCO2eq"}
        properties["emissions:source"] = emissions.source
    consumption["properties"] = [{"name": f"{OURS}{name}", "value": each} for name, each in properties.items()]
    considerations = {"environmentalConsiderations": {"energyConsumptions": [consumption]}}
    model: dict[str, Any] = {"type": MODEL, "name": statement.name, "modelCard": {"considerations": considerations}}
    model["properties"] = [
        {"name": f"{prefix}{name}", "value": text}
        for name, pair in sorted(statement.facts().items())
        for prefix, text in zip((FACT, SOURCE), pair, strict=True)
        if text
    ]
    bill = {"$schema": SCHEMA, "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": [model]}
    return json.dumps(bill, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
