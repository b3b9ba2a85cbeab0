"""What the catalogs hold, a row a record."""

from __future__ import annotations

from runlineage.catalogs.catalog import Accelerators, Sources, Workloads
from runlineage.catalogs.formatting import people
from runlineage.catalogs.records import Fact
from runlineage.dataflow.scenarios import Scenarios


def _value(fact: Fact | None) -> str:
    return people(fact.value) if fact and fact.value is not None else "–"


def _runs() -> list[dict[str, str]]:
    return [{"key": key, "name": Scenarios.names(key)[0]} for key in Scenarios]


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


CATALOGS = {"runs": _runs, "workloads": _workloads, "accelerators": _accelerators, "sources": _sources}


def listing(catalog: str) -> list[dict[str, str]]:
    """Give a catalog's rows: the key that Python uses, the name, and what matters most."""
    return CATALOGS[catalog]()
