"""A lineage read back: the run is computed anew from what is in the file, and edits are refused."""

from __future__ import annotations

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
from runlineage.dataflow.runs.run_file import part_of, read_run, split_part
from runlineage.dataflow.runs.staged import AnyRun

LARGEST_LINEAGE = 50_000_000


def read_lineage(path: str | Path, run: str = "", *, modules: Iterable[ModuleType] = ()) -> AnyRun:
    """Read a run back from a lineage file, JSON or PROV-JSON; `run` names one of several in the file.

    A stage of a run is named behind it, as `RUN#STAGE`, or alone where the file has one run. The run rests on nothing
    but the file: facts, sources, peaks. `modules` are the node modules of your own that the numbers were computed with,
    beside ours. Raises `CatalogError` for a file that cannot be read or was edited, with each place;
    `AmbiguousNameError` where it holds several runs and none is named, and `UnknownNameError` for a run or a stage that
    it does not hold.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios, lineage_json
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "gpt3.json"
    >>> _ = file.write_text(lineage_json(Scenarios.Gpt3PublishedRun.lineage()), encoding="utf-8")
    >>> read_lineage(file).achieved_rate == Scenarios.Gpt3PublishedRun.achieved_rate
    True
    """
    runs = _read(Path(path), run, tuple(modules))
    if len(runs) == 1:
        return runs[0]
    raise AmbiguousNameError("run of", str(path), tuple(f"{path}#{each.name}" for each in runs))


def read_lineages(path: str | Path, *, modules: Iterable[ModuleType] = ()) -> tuple[AnyRun, ...]:
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


def read_file(text: str) -> AnyRun:
    """Read a run file or a lineage, told apart by their content; `FILE#PART` names one run of several, or a stage."""
    name, part = split_part(text)
    path = Path(name)
    if path.suffix.lower() == ".json":
        raw = parse_json(read_text(path, LARGEST_LINEAGE), path)
        if "schema" in raw or is_provenance(raw):
            return read_lineage(path, part)
    return part_of(read_run(path), part, name)


def _read(path: Path, run: str, modules: tuple[ModuleType, ...] = ()) -> tuple[AnyRun, ...]:
    raw = parse_json(read_text(path, LARGEST_LINEAGE), path)
    prov = raw if is_provenance(raw) else None
    if prov is not None:
        raw = read_provenance(prov, path)
    check_form(raw, path)
    raise_faults(edited(raw), path)
    if prov is not None:
        raise_faults(differences(prov, raw), path)
    chosen, stage = _chosen(raw["runs"], run, path)
    version = raw["software"]["version"]
    readers = [Reader(raw["runs"][place], f"runs[{place}]", version, modules) for place in chosen]
    raise_faults((fault for each in readers for fault in each.faults), path)
    return tuple(part_of(each.run, stage, str(path)) for each in readers if each.run is not None)


def _chosen(runs: list[dict[str, Any]], part: str, path: Path) -> tuple[list[int], str]:
    """Find the run that is named, and the stage of it; all runs where none is."""
    names = [each["subject"] for each in runs]
    if not part:
        return list(range(len(runs))), ""
    run, _, stage = part.rpartition("#")
    if part in names:
        return [names.index(part)], ""
    if run in names:
        return [names.index(run)], stage
    if len(runs) == 1 and runs[0].get("stages"):
        return [0], part
    raise UnknownNameError("run", part, nearest(part, names), f"{path} has {', '.join(map(plain_text, names[:12]))}")
