"""The catalogued runs, a row a run: its year, its device, and the metrics that its facts suffice for."""

from __future__ import annotations

from dataclasses import dataclass

from runlineage.catalogs.base.errors import UnknownNameError
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.catalogs.records.values import read_year
from runlineage.dataflow.graph.trace import cited
from runlineage.dataflow.runs.scenarios import Scenarios
from runlineage.visualizations.columns import aligned, fitted

NEAR = 3  # years that are offered in place of one without a run
SHORT = {"training_operations": "ops", "achieved_rate": "rate", "energy": "energy", "peak_fraction": "peak"}


@dataclass(frozen=True)
class Listed:
    """A run of the catalog as a list shows it; `year` is that of the earliest source of its facts."""

    key: str
    name: str
    year: int | None
    accelerator: str
    metrics: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return the row with stable keys."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}

    @property
    def cells(self) -> list[str]:
        """The row as text: key, name, year and device."""
        return [self.key, self.name, str(self.year or "–"), self.accelerator or "–"]


def listed_runs(year: str | None = None, accelerator: str | None = None) -> list[Listed]:
    """List the runs of the catalog, all or those of a year and of a device or its family.

    >>> print(*(run.name for run in listed_runs("2020", "V100")), sep=", ")
    GPT-3 175B
    """
    rows = [_listed(key) for key in Scenarios]
    wanted = None if year is None else _year(year, {row.year for row in rows if row.year})
    devices = None if accelerator is None else devices_of(accelerator)
    return [
        row
        for row in rows
        if (wanted is None or row.year == wanted)
        and (devices is None or (row.accelerator and devices_of(row.accelerator) <= devices))
    ]


def devices_of(name: str) -> set[str]:
    """Return the keys of the devices that a name means: one, or all of its family."""
    key = Accelerators.find(name)
    return {key} if key in list(Accelerators) else set(Accelerators.members(name))


def runs_text(rows: list[Listed], width: int | None) -> str:
    """Write the rows: a line each for a pipe, or a table with heads within the columns of a terminal."""
    if width is None:
        return aligned([*row.cells, ", ".join(row.metrics) or "–"] for row in rows)
    table = [["key", "name", "year", "accelerator", *SHORT.values()]]
    table += [[*row.cells, *("yes" if name in row.metrics else "–" for name in SHORT)] for row in rows]
    whole = aligned(table)
    if max(map(len, whole.splitlines())) <= width:
        return whole
    return fitted((cells[1:] for cells in table), width)  # any command takes the name for the key


def _listed(key: str) -> Listed:
    run = Scenarios[key]
    years = [source.year for fact in run.inputs.stated.values() if (source := cited(fact))]
    missing = run.plan(tuple(METRICS)).missing
    device = run.accelerator.name if run.accelerator else ""
    return Listed(key, run.name, min(years, default=None), device, tuple(m for m in METRICS if m not in missing))


def _year(text: str, known: set[int]) -> int:
    year = int(read_year(text, "--year"))
    if year not in known:
        near = sorted(known, key=lambda each: (abs(each - year), each))[:NEAR]
        hint = f"the runs of the catalog are of {min(known)} to {max(known)}"
        raise UnknownNameError("year of a run", text, tuple(map(str, sorted(near))), hint)
    return year
