"""The run that RUN and the options name: a catalogued one, a file, a card, a row of a table, or facts alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS
from runlineage.dataflow.runs.run_file import ENDINGS
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.scenarios import Scenarios

TABLES = (".csv", ".tsv", ".parquet", ".jsonl", ".ndjson")


def case_of(
    run: str | None,
    facts: Mapping[str, str | None] = Frozen({}),
    assume: list[str] | None = None,
    row: int | None = None,
    wanted: Iterable[str] = (),
) -> PublishedRunScenario:
    """Find the run, and change it by the facts given as options; `none` withdraws a quantity."""
    given: dict[str, Any] = {
        name: None if name in FIELDS and value.strip().casefold() == "none" else value
        for name, value in facts.items()
        if value is not None
    }
    assumed = assume or ()
    model = given.pop("model", "")
    if model and (run is None or not is_card(run)):
        refuse("--model", "is of a model card", "name a README.md or its folder as RUN")
    if run is None:
        return PublishedRunScenario(name="my run", assume=assumed, **given)
    if run in ANSWERS:
        refuse("RUN", f"{run} is a metric", f"name the run before it, or ask by `-m {run}`")
    if row is not None:
        return _row(run, row, wanted).variant(assume=assumed, **given)
    if Path(run).suffix.lower() in TABLES:
        refuse(run, "is a table", "name one of its rows with --row")
    is_file = Path(run).suffix.lower() in ENDINGS or os.sep in run or ".json#" in run
    if is_card(run) and (is_file or run not in Scenarios):
        case = run_of_card(run, model)
    else:
        case = _read_file(run) if is_file else Scenarios[run]
    return case.variant(assume=assumed or None, **given) if given or assumed else case


def _read_file(path: str) -> PublishedRunScenario:
    from runlineage.dataflow.exchange.lineage_file import read_file

    return read_file(path)


def _row(path: str, number: int, wanted: Iterable[str]) -> PublishedRunScenario:
    from runlineage.dataflow.tables.files import explained, scan
    from runlineage.dataflow.tables.one_row import run_of_row

    with explained(path):
        return run_of_row(scan(path), number, path, wanted)


def is_card(run: str) -> bool:
    """Return whether a RUN argument names a model card, a model's config or a folder that may hold them."""
    path = Path(run)
    if path.suffix.lower() != ".json":
        return path.suffix.lower() in (".md", ".markdown") or _is_folder(path)
    from runlineage.dataflow.cards.config import is_config

    return is_config(path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def run_of_card(run: str, model: str) -> PublishedRunScenario:
    """Read the RUN that is a model card."""
    from runlineage.dataflow.cards.card import read_card

    return read_card(run, model)
