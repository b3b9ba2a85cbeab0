"""What is wrong with a lineage file: its form, and the records that were edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from runlineage.catalogs.base.errors import CatalogError, Fault, InputError, echo, refuse
from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.exchange.schema import FAMILY, SCHEMA, DocumentForm, digest_of

CURE = "write a run file to change a fact"
REWRITE = "write the lineage anew: `runlineage why RUN --json`"


def raise_faults(faults: Iterable[Fault], path: Path) -> None:
    """Refuse a file for its faults, if there are any."""
    faults = tuple(faults)
    if faults:
        raise InputError(faults).at(f"{path}: ", kind=CatalogError)


def check_form(raw: dict[str, Any], path: Path) -> None:
    """Refuse what is not of the format, with every place at once."""
    version = raw.get("schema")
    if version != SCHEMA:
        known = isinstance(version, str) and version.startswith(FAMILY)
        what = f"is {echo(version)}, and this version reads {SCHEMA}" if known else f"is {echo(version)}, not a lineage"
        if version is None:
            what = "is missing: this is no lineage"
        cure = "use the release that wrote it" if known else "`runlineage why RUN --json` writes a lineage"
        refuse(f"{path}: schema", what, cure, CatalogError)
    try:
        DocumentForm.model_validate(raw)
    except ValidationError as problem:
        errors = problem.errors(include_url=False)
        raise_faults([Fault(_place(each["loc"]), *_what(each)) for each in errors], path)


def _what(error: Mapping[str, Any]) -> tuple[str, str]:
    if error["type"] == "missing":
        return "is missing", REWRITE
    if error["type"] == "extra_forbidden":
        return "is not a key of the format", "remove it"
    reason = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input should be ").removeprefix("expected ")
    if reason.startswith(("is ", "has ")):
        return reason, REWRITE
    return f"is {echo(error['input'])}", f"expected {reason}"


def _place(parts: Iterable[str | int]) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{plain_text(part)}" if text else plain_text(part)
    return text


def edited(raw: dict[str, Any]) -> Iterable[Fault]:
    """Find the innermost records whose digest is not theirs; computed entries are left to the computing."""
    inside = False
    for place, run in enumerate(raw["runs"]):
        faults = [*_within(run, f"runs[{place}]")]
        if not faults and run["digest"] != digest_of(run) and not computed_edits(run):
            faults.append(Fault(f"runs[{place}]", "was edited outside its entries and facts", CURE))
        inside = inside or bool(faults or computed_edits(run))
        yield from faults
    if not inside and raw["digest"] != digest_of(raw):
        yield Fault("software, catalog or runs", "were edited", CURE)


def _within(run: dict[str, Any], where: str) -> Iterable[Fault]:
    for name in ("entries", "beyond", "reported", "facts"):
        for place, record in enumerate(run[name]):
            is_computed = name == "entries" and record["route"] != "supplied"
            if record["digest"] != digest_of(record) and not is_computed:
                yield edit(f"{where}.{name}[{place}] ({record['name']})", record)
    for key, record in run["sources"].items():
        if record["digest"] != digest_of(record):
            yield edit(f"{where}.sources.{key}", record)
    if run["hardware"] and run["hardware"]["digest"] != digest_of(run["hardware"]):
        yield edit(f"{where}.hardware", run["hardware"])
    for place, stage in enumerate(run.get("stages", ())):
        yield from _within_stage(stage, f"{where}.stages[{place}] ({stage['name']})")


def _within_stage(stage: dict[str, Any], where: str) -> Iterable[Fault]:
    inside = [
        edit(f"{where}.facts[{place}] ({record['name']})", record)
        for place, record in enumerate(stage["facts"])
        if record["digest"] != digest_of(record)
    ]
    if stage["hardware"] and stage["hardware"]["digest"] != digest_of(stage["hardware"]):
        inside.append(edit(f"{where}.hardware", stage["hardware"]))
    if not inside and stage["digest"] != digest_of(stage):
        inside.append(edit(where, stage))
    yield from inside


def computed_edits(run: dict[str, Any]) -> list[int]:
    """List the places of computed entries whose digest is not theirs."""
    return [
        place
        for place, entry in enumerate(run["entries"])
        if entry["route"] != "supplied" and entry["digest"] != digest_of(entry)
    ]


def edit(where: str, record: dict[str, Any]) -> Fault:
    """Return the fault of an edited record."""
    what = f"was edited: its digest is {record['digest']}, and its content gives {digest_of(record)}"
    return Fault(plain_text(where), what, CURE)
