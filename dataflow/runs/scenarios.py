"""The catalogued runs as scenarios: `Scenarios.Gpt3PublishedRun`, `Scenarios["llama 3.1 405b"]`."""

from __future__ import annotations

from typing import Any

from runlineage.catalogs.catalog import HERE, Catalog, Workloads
from runlineage.catalogs.records.records import Run
from runlineage.dataflow.runs.scenario import PublishedRunScenario


def of_record(**row: Any) -> PublishedRunScenario:
    """Make the scenario of a run's row: its workload's facts, and its own before them."""
    run = Run(**row)
    facts: dict[str, Any] = {**run.facts(), "periods": run.periods or None}
    return PublishedRunScenario(Workloads[run.workload] if run.workload else None, name=run.name, **facts)


Scenarios: Catalog[PublishedRunScenario] = Catalog("run", HERE / "runs.toml", of_record, "PublishedRun")
