"""A lineage read back: the run is computed anew from what is in the file, and edits are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from runlineage.catalogs.base.errors import AmbiguousNameError, UnknownNameError
from runlineage.catalogs.base.spelling import nearest, plain_text
from runlineage.catalogs.records.toml_rows import parse_json, read_text
from runlineage.dataflow.exchange.checks import check_form, edited, raise_faults
from runlineage.dataflow.exchange.prov import differences, is_provenance, read_provenance
from runlineage.dataflow.exchange.recompute import Reader
from runlineage.dataflow.runs.run_file import read_run
from runlineage.dataflow.runs.scenario import PublishedRunScenario

LARGEST_LINEAGE = 50_000_000
PART = re.compile(r"(?P<path>.+\.json)#(?P<run>.+)", re.IGNORECASE | re.DOTALL)


def read_lineage(path: str | Path, run: str = "", *, modules: Iterable[ModuleType] = ()) -> PublishedRunScenario:
    """Read a run back from a lineage file, JSON or PROV-JSON; `run` names one of several in the file.

    The run rests on nothing but the file: facts, sources, peaks. `modules` are the node modules of your own that the
    numbers were computed with, beside ours. Raises `CatalogError` for a file that cannot be read or was edited, with
    each place; `AmbiguousNameError` where it holds several runs and none is named, and `UnknownNameError` for a run
    that it does not hold.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios, lineage_json
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "gpt3.json"
    >>> _ = file.write_text(lineage_json(Scenarios.Gpt3PublishedRun.lineage()), encoding="utf-8")
    >>> read_lineage(file).achieved_rate == Scenarios.Gpt3PublishedRun.achieved_rate
    True
    """
    runs = _read(Path(path), run, tuple(modules))
    if len(runs) > 1:
        names = tuple(each.name for each in runs)
        raise AmbiguousNameError("run of", str(path), tuple(f"{path}#{name}" for name in names))
    return runs[0]


def read_lineages(path: str | Path, *, modules: Iterable[ModuleType] = ()) -> tuple[PublishedRunScenario, ...]:
    """Read every run of a lineage file, in its order; `modules` are node modules of your own, beside ours.

    Raises `CatalogError` as `read_lineage` does.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios, lineage_json
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.json"
    >>> both = Scenarios["BLOOM 176B"].lineage() + Scenarios["LLaMA 65B"].lineage()
    >>> _ = file.write_text(lineage_json(both), encoding="utf-8")
    >>> print(*(run.name for run in read_lineages(file)), sep=", ")
    BLOOM 176B, LLaMA 65B
    """
    return _read(Path(path), "", tuple(modules))


def read_file(text: str) -> PublishedRunScenario:
    """Read a run file or a lineage, distinguished by their content; `FILE.json#RUN` names one run of several."""
    named = PART.fullmatch(text)
    path = Path(named["path"] if named else text)
    if path.suffix.lower() != ".json":
        return read_run(path)
    raw = parse_json(read_text(path, LARGEST_LINEAGE), path)
    if named or "schema" in raw or is_provenance(raw):
        return read_lineage(path, named["run"] if named else "")
    return read_run(path)


def _read(path: Path, run: str, modules: tuple[ModuleType, ...] = ()) -> tuple[PublishedRunScenario, ...]:
    raw = parse_json(read_text(path, LARGEST_LINEAGE), path)
    prov = raw if is_provenance(raw) else None
    if prov is not None:
        raw = read_provenance(prov, path)
    check_form(raw, path)
    raise_faults(edited(raw), path)
    if prov is not None:
        raise_faults(differences(prov, raw), path)
    chosen = _chosen(raw["runs"], run, path)
    version = raw["software"]["version"]
    readers = [Reader(raw["runs"][place], f"runs[{place}]", version, modules) for place in chosen]
    raise_faults((fault for each in readers for fault in each.faults), path)
    return tuple(each.run for each in readers if each.run is not None)


def _chosen(runs: list[dict[str, Any]], run: str, path: Path) -> list[int]:
    names = [each["subject"] for each in runs]
    if not run:
        return list(range(len(runs)))
    if run not in names:
        raise UnknownNameError("run", run, nearest(run, names), f"{path} has {', '.join(map(plain_text, names[:12]))}")
    return [names.index(run)]
