"""Files of codecarbon as runs: all of a file, one by its row, id or project, and as a table of facts."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import (
    AmbiguousNameError,
    CatalogError,
    InputError,
    RunlineageError,
    RunlineageWarning,
    UnknownNameError,
    refuse,
)
from runlineage.catalogs.base.spelling import nearest, plain_text
from runlineage.catalogs.quantities.units import convert, unit
from runlineage.dataflow.codecarbon.measured_facts import facts_of_row
from runlineage.dataflow.codecarbon.rows import TELLING, Measured, is_emissions, measured_runs, run_at
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.tables.files import DIGITS, explained, scan
from runlineage.dataflow.tables.headers import SEPARATOR
from runlineage.dataflow.tables.request import REMARKS

MOST_ROWS = 100_000
LONG_ENOUGH = 6  # letters of an id that are enough to name its run
WORDS = ("accelerator", "region")
HEADS = {  # the columns of facts: header, and unit of its numbers
    "it_energy": ("it_energy (kWh)", "kWh"),
    "energy": ("energy (kWh)", "kWh"),
    "reported_facility_energy": ("reported_facility_energy (kWh)", "kWh*facility"),
    "pue": ("pue", "facility"),
    "published_emissions": ("published_emissions (kgCO2e)", "kgCO2e"),
    "carbon_intensity": ("carbon_intensity (kgCO2e/kWh)", "kgCO2e/kWh/facility"),
    "duration": ("duration (second)", "s"),
    "accelerator_count": ("accelerator_count", "accelerator"),
}


def read_emissions(path: str | Path) -> tuple[PublishedRunScenario, ...]:
    """Read the runs that codecarbon wrote to a file, such as emissions.csv.

    Rows of one run are its running totals, of which the last is read: nothing is added up. `energy_consumed` is the
    energy of CPUs, GPUs and memory (`it_energy`), with a PUE inside where the tracker was given one, and `gpu_energy`
    that of the devices (`energy`); each fact names its row and column. Raises `CatalogError` for a file that cannot be
    read or is not codecarbon's; warns of what is not used.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "emissions.csv"
    >>> _ = file.write_text("project_name,run_id,duration,emissions,energy_consumed\\nmine,a,60,0.1,0.4\\n")
    >>> print(read_emissions(file)[0].it_energy)
    4×10⁻⁷ gigawatt_hour
    """
    path = str(path)
    rows = rows_of(path)
    return tuple(_run(run, path) for run in measured_runs(rows))


def rows_of(path: str) -> list[dict[str, str]]:
    """Read the rows of a file as text; a file that is not codecarbon's is refused."""
    with explained(path):
        table = scan(path)
        return _rows(table, path)


def names_emissions(path: str) -> bool:
    """Whether a path names a file with the columns that codecarbon writes."""
    try:
        with explained(path):
            return is_emissions(scan(path).collect_schema().names())
    except RunlineageError:  # whoever reads the file explains it
        return False


def one_of(path: str, part: str = "") -> PublishedRunScenario:
    """Return one run of a file: the only one, or that of a row's number, of an id or its beginning, or of a project."""
    rows = rows_of(path)
    runs = measured_runs(rows)
    if part.isdecimal():
        return row_of(path, int(part), rows)
    alike = [run for run in runs if not part or part == run.name or _begins(run.identity, part)]
    if len(alike) == 1:
        return _run(alike[0], path)
    if alike:
        choices = tuple(f"{path}#{run.number}{f' ({plain_text(run.name)})' if run.name else ''}" for run in alike)
        raise AmbiguousNameError("run of", f"{path}#{part}" if part else path, choices)
    names = [each for run in runs for each in (run.name, run.identity) if each]
    hint = f"name a row, such as {path}#{runs[0].number}" if runs else f"{path} has no run"
    raise UnknownNameError("run", part, nearest(part, dict.fromkeys(names)), hint)


def row_of(path: str, number: int, rows: Sequence[Mapping[str, str]] | None = None) -> PublishedRunScenario:
    """Return the run as it stands at a row, the first after the header being 1."""
    run = run_at(rows_of(path) if rows is None else rows, number)
    if run is None:
        refuse("--row", f"is {number}, and {path} has no such row", "the first row is 1", CatalogError)
    return _run(run, path)


def in_several(paths: Iterable[str]) -> list[str]:
    """List the runs that several files hold, by their ids: whoever lists them all shows them more than once."""
    found: Counter[str] = Counter()
    for path in dict.fromkeys(paths):
        found.update({run.identity for run in measured_runs(rows_of(path)) if run.identity})
    return [name for name, count in found.items() if count > 1]


def facts_of(table: pl.DataFrame, path: str = "emissions.csv") -> pl.DataFrame:
    """Return a table of facts, a row a run, with remarks on what was not used and why.

    >>> table = pl.DataFrame({"run_id": ["a", "a"], "duration": [1, 2], "emissions": [1, 2], "energy_consumed": [3, 4]})
    >>> print(*facts_of(table).select("row", "it_energy (kWh)").rows())
    (2, 4.0)
    """
    runs = measured_runs(_rows(table.lazy(), path))
    schema: dict[str, Any] = {"run": pl.String, "run_id": pl.String, "row": pl.Int64}
    schema |= {header: pl.Float64 for header, _ in HEADS.values()} | dict.fromkeys((*WORDS, REMARKS), pl.String)
    return pl.DataFrame([_line(run, path) for run in runs], schema=schema, orient="row")


def _line(run: Measured, path: str) -> list[Any]:
    facts, remarks = facts_of_row(run, path)
    values = {name: fact.value for name, fact in facts.items() if fact.value is not None}
    sizes = [
        float(f"{convert(values[name], unit(size)).magnitude:.{DIGITS}g}") if name in values else None
        for name, (_, size) in HEADS.items()
    ]
    words = [values.get(name) for name in WORDS]
    return [run.name, run.identity, run.number, *sizes, *words, SEPARATOR.join(remarks) or None]


def _rows(table: pl.LazyFrame, path: str) -> list[dict[str, str]]:
    headers = table.collect_schema().names()
    if not is_emissions(headers):
        missing = [name for name in TELLING if name not in headers]
        what = f"has no column {' or '.join(missing)}" if missing else "names no project or run"
        refuse(path, what, "expected the columns that codecarbon writes to emissions.csv", CatalogError)
    found = table.head(MOST_ROWS + 1).collect()
    if found.height > MOST_ROWS:
        refuse(path, f"has more than {MOST_ROWS:,} rows", "split the file", CatalogError)
    return [
        {name: "" if cell is None else str(cell) for name, cell in row.items()} for row in found.iter_rows(named=True)
    ]


def _run(run: Measured, path: str) -> PublishedRunScenario:
    facts, remarks = facts_of_row(run, path)
    place = f"{path} row {run.number}"
    for remark in remarks:
        warnings.warn(f"{place}: {remark}", RunlineageWarning, stacklevel=3)
    try:
        return PublishedRunScenario(name=_named(run, path), **facts)
    except InputError as problem:
        raise problem.at(f"{place}: ", kind=CatalogError) from None


def _named(run: Measured, path: str) -> str:
    place = f"{path} row {run.number}"
    return f"{plain_text(run.name)} ({place})" if run.name else place


def _begins(identity: str, part: str) -> bool:
    return len(part) >= LONG_ENOUGH and identity.casefold().startswith(part.casefold())
