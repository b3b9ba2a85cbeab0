"""Run files: a user's own run in TOML or JSON, with the same fields as keyword inputs and command-line options."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import CatalogError, Fault, InputError, UnknownNameError, echo, refuse
from runlineage.catalogs.quantities.fields import FIELDS, WORDS
from runlineage.catalogs.records.facts import FACT_KEYS
from runlineage.catalogs.records.toml_rows import parse_json, parse_toml, read_text
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.stage_facts import in_stage
from runlineage.dataflow.runs.staged import AnyRun, StagedRun

LARGEST = 1_000_000
PART = re.compile(r"(?P<path>.+\.(?:json|toml))#(?P<part>.+)", re.IGNORECASE | re.DOTALL)
ENDINGS = (".toml", ".json")
NOT_HERE = {
    "assume": "assumptions are named when asking: --assume NAME",
    "prefer": "routes are chosen when asking: --route METRIC=NAME",
    "self": "",
    "modules": "node modules of your own are named in Python",
    "stages": "write a table [[stage]] for each",
}  # arguments, and no facts


def read_run(path: str | Path) -> AnyRun:
    """Read a run file: `name`, `workload` and any field, each a plain value or a table with value, source and place.

    Tables `[[stage]]`, each with its `name`, are the stages of a run of several; what stands above them is of the run.
    Raises `CatalogError` with all faults of the file at once.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "run.toml"
    >>> _ = file.write_text('name = "LLaMA 65B"\\naccelerator_hours = "1,022,362"\\ndevice_power = "400 W"\\n')
    >>> print(f"{read_run(file).energy:.5f~P}")
    0.40894 GWh
    """
    if not isinstance(path, (str, Path)):
        refuse("path", f"is {echo(path)}", "expected the path of a run file", CatalogError)
    path = Path(path)
    raw = _parsed(path)
    faults = []
    name = raw.pop("name", path.stem)
    if not isinstance(name, str):
        faults.append(Fault("name", f"is {echo(name)}", "expected text"))
    for field in [field for field, value in raw.items() if _is_misplaced(field, value)]:
        table = isinstance(raw.pop(field), dict) and field not in NOT_HERE
        cure = "fields stand at the top of the file, not in a table" if table else NOT_HERE[field]
        faults.append(Fault(field, "is not a field", cure))
    stages, more = _stages(raw)
    faults += more
    run: AnyRun | None = None
    try:
        run = StagedRun(stages, name=str(name), **raw) if stages else PublishedRunScenario(name=str(name), **raw)
    except InputError as problem:
        faults.extend(problem.faults)
    except UnknownNameError as problem:
        faults.append(Fault("workload", str(problem)))
    if faults or run is None:
        raise InputError(tuple(faults)).at(f"{path}: ", kind=CatalogError)
    return run


def split_part(text: str) -> tuple[str, str]:
    """Split `FILE#PART` into the file and what of it is meant: a stage, or a run of several; a file is never split.

    >>> print(*split_part("mine.toml#pre-training"), "|", *split_part("both.json#GPT-3#pre-training"))
    mine.toml pre-training | both.json GPT-3#pre-training
    """
    named = PART.fullmatch(text)
    return (named["path"], named["part"]) if named and not Path(text).is_file() else (text, "")


def part_of(run: AnyRun, name: str, where: str = "RUN") -> AnyRun:
    """Return one stage of a run by its name, the run itself where none is named; a run without stages has none."""
    if not name:
        return run
    if isinstance(run, PublishedRunScenario):
        refuse(where, f"names the stage {echo(name)}, and {run.name} has no stages", "leave it out, with its #")
    return run.stage(name)


def _stages(raw: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """Take the tables `[[stage]]` out of a file, by their names; a word `stage` is a fact, and left."""
    tables = raw.get("stage")
    if isinstance(tables, dict) and not {*tables} <= {*FACT_KEYS}:
        del raw["stage"]
        return {}, [Fault("stage", "is one table", "write [[stage]], which begins a table of a list, for each stage")]
    if not isinstance(tables, list):
        return {}, []
    del raw["stage"]
    stages: dict[str, Any] = {}
    faults = [] if tables else [Fault("stage", "is an empty list", "write a table [[stage]] for each stage")]
    for place, table in enumerate(tables, 1):
        where = f"stage {place} of {len(tables)}"
        name = table.get("name") if isinstance(table, dict) else None
        if not isinstance(table, dict):
            faults.append(Fault(where, f"is {echo(table)}", "write [[stage]] with its name and facts"))
        elif not isinstance(name, str) or not name.strip():
            what = "has no name" if name in (None, "") else f"has the name {echo(name)}"
            faults.append(Fault(where, what, 'give it one, such as name = "pre-training"'))
        elif name in stages:
            faults.append(Fault(where, f"is called {echo(name)}, as another stage is", "give each a name of its own"))
        else:
            stages[name] = {field: value for field, value in table.items() if field != "name"}
            for field in [field for field, value in table.items() if _is_misplaced(field, value)]:
                cure = NOT_HERE.get(field, "fields stand in [[stage]] itself, not in a table within it")
                stages[name].pop(field)
                faults.append(Fault(f"{in_stage(name)}: {field}", "is not a field of a stage", cure))
    return stages, faults


def _parsed(path: Path) -> dict[str, Any]:
    """Parse a run file, which a lineage file in JSON is not."""
    text = read_text(path, LARGEST)
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        refuse(str(path), "is no run file", "a run file ends in .toml or .json", CatalogError)
    raw = _parse_toml(text, path) if kind == ".toml" else parse_json(text, path)
    if isinstance(raw.get("schema"), str):
        what = f"is {echo(raw['schema'])} by its schema, not a run file"
        refuse(str(path), what, "`read_lineage` reads a lineage in JSON", CatalogError)
    return raw


def _is_misplaced(field: str, value: object) -> bool:
    """Whether an entry of a file can be no fact: an argument of ours, or a table that names no field."""
    return field in NOT_HERE or (isinstance(value, dict) and field not in {*FIELDS, *WORDS, "workload"})


def _parse_toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return parse_toml(text, path)
    except CatalogError as problem:
        hint = 'text such as "7B" or "400 W" stands in quotes'
        raise CatalogError(tuple(replace(each, cure=each.cure or hint) for each in problem.faults)) from None
