"""What the catalogs hold, a row a record."""

from __future__ import annotations

from runlineage.catalogs.catalog import Accelerators, Grids, Households, Sources, Thresholds, Workloads
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.ranges import interval_text
from runlineage.catalogs.quantities.units import convert, unit
from runlineage.catalogs.records.facts import Fact


def _value(fact: Fact | None) -> str:
    if fact and fact.is_range:
        return interval_text(fact.value, fact.low, fact.high)
    return people(fact.value) if fact and fact.value is not None else "–"


def _workloads() -> list[dict[str, str]]:
    rows = []
    for key in Workloads:
        row = Workloads[key]
        rows.append(
            {"key": key, "name": row.name, "parameters": _value(row.parameters), "tokens": _value(row.training_tokens)}
        )
    return rows


def _accelerators() -> list[dict[str, str]]:
    rows = []
    for key in Accelerators:
        node = Accelerators[key]
        rows.append(
            {
                "key": key,
                "name": node.name,
                "dense_16bit": _value(node.peak()).removesuffix(" per accelerator"),
                "tdp": _value(node.tdp).removesuffix(" per accelerator"),
            }
        )
    return rows


def _sources() -> list[dict[str, str]]:
    return [
        {"key": key, "source": str(Sources[key]), "title": Sources[key].title, "url": Sources[key].url}
        for key in Sources
    ]


def _grids() -> list[dict[str, str]]:
    rows = []
    for key in Grids:
        grid = Grids[key]
        newest = dict(grid.intensities)[grid.years[-1]].value
        size = number(convert(newest, unit("gCO2e/kWh/facility")).magnitude)
        years = "-".join(dict.fromkeys(map(str, (grid.years[0], grid.years[-1]))))
        rows.append({"key": key, "name": grid.name, "years": years, "newest": f"{size} gCO2e/kWh"})
    return rows


def _households() -> list[dict[str, str]]:
    found = []
    for key in Households:
        row = Households[key]
        year = str(row.year.value) if row.year else "–"
        found.append({"key": key, "name": row.name, "electricity": f"{_value(row.electricity)} a year", "year": year})
    return found


def _thresholds() -> list[dict[str, str]]:
    rows = []
    for key in Thresholds:
        line = Thresholds[key]
        above = _value(line.threshold) + (" of the original's" if line.of_original else "")
        status = str(line.status.value) if line.status else "–"
        rows.append({"key": key, "name": line.name, "above": above, "applies_to": line.applies_to, "status": status})
    return rows


CATALOGS = {  # beside the runs
    "workloads": _workloads,
    "accelerators": _accelerators,
    "grids": _grids,
    "households": _households,
    "thresholds": _thresholds,
    "sources": _sources,
}


def listing(catalog: str) -> list[dict[str, str]]:
    """List a catalog's rows: the key that Python uses, the name, and what matters most."""
    return CATALOGS[catalog]()
