"""Run files: a user's own run in TOML or JSON, with the same fields as keyword inputs and command-line options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import CatalogError, Fault, InputError, UnknownNameError, echo
from runlineage.catalogs.quantities.fields import FIELDS, REPORTED, WORDS
from runlineage.catalogs.records.facts import read_fact
from runlineage.catalogs.records.toml_rows import parse_json, parse_toml, read_text
from runlineage.dataflow.runs.scenario import PublishedRunScenario

LARGEST = 1_000_000
ENDINGS = (".toml", ".json")
NOT_HERE = {"assume": "assumptions are named when asking: --assume NAME"}


def read_run(path: str | Path) -> PublishedRunScenario:
    """Read a run file: `name`, `workload` and any field, each a plain value or a table with value, source and place.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "run.toml"
    >>> _ = file.write_text('name = "LLaMA 65B"\\naccelerator_hours = "1,022,362"\\ndevice_power = "400 W"\\n')
    >>> print(f"{read_run(file).energy:.5f~P}")
    0.40894 GWh
    """
    path = Path(path)
    text = read_text(path, LARGEST)
    if path.suffix.lower() not in ENDINGS:
        raise CatalogError((Fault(str(path), "is no run file", "a run file ends in .toml or .json"),))
    raw = _parse_toml(text, path) if path.suffix.lower() == ".toml" else parse_json(text, path)
    if isinstance(raw.get("schema"), str):
        what = f"says that it is {echo(raw['schema'])}, and not a run file"
        raise CatalogError((Fault(str(path), what, "a lineage in JSON is read by `read_lineage`"),))
    faults = []
    name = raw.pop("name", path.stem)
    if not isinstance(name, str):
        faults.append(Fault(f"{path}: name", f"is {echo(name)}", "expected text"))
    facts: dict[str, Any] = {}
    for field in {"assume", "self"} & set(raw):
        faults.append(Fault(f"{path}: {field}", "is not a field", NOT_HERE.get(field, "")))
        del raw[field]
    for field in [
        field
        for field, value in raw.items()
        if isinstance(value, dict) and field not in {*FIELDS, *WORDS, *REPORTED, "workload"}
    ]:
        faults.append(
            Fault(f"{path}: {field}", "is not a field", "fields stand at the top of the file, not in a table")
        )
        del raw[field]
    for field, value in raw.items():
        try:
            is_fact = isinstance(value, (dict, list)) and (field in FIELDS or field in WORDS)
            facts[field] = read_fact(value, field) if is_fact else value
        except InputError as problem:
            faults.extend(Fault(f"{path}: {fault.where}", fault.what, fault.cure) for fault in problem.faults)
    try:
        run = PublishedRunScenario(name=str(name), **facts)
    except InputError as problem:
        faults.extend(Fault(f"{path}: {fault.where}", fault.what, fault.cure) for fault in problem.faults)
    except (UnknownNameError, TypeError) as problem:
        faults.append(Fault(str(path), str(problem)))
    if faults:
        raise CatalogError(tuple(faults))
    return run


def _parse_toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return parse_toml(text, path)
    except CatalogError as problem:
        hint = 'text such as "7B" or "400 W" stands in quotes'
        raise CatalogError(
            tuple(Fault(fault.where, fault.what, fault.cure or hint) for fault in problem.faults)
        ) from None
