"""Which rows of an emissions.csv are runs: running totals of one run are one, and nothing is ever added up.

codecarbon appends a row each time that a tracker is flushed or stopped. Rows of one `run_id` are then the same run at
later times, each with all that came before: the last stands for the run. Rows of tasks carry the `run_id` of their
tracker and are parts of it: each stands for itself. https://docs.codecarbon.io/latest/reference/output/
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

TELLING = ("duration", "emissions", "energy_consumed")  # in every edition since 1.0
NAMED = ("project_name", "run_id", "experiment_id")
TASK = "task_name"
GROWING = ("duration", "energy_consumed")
APART = "rows {} have the same run_id and are no running totals: each stands for itself, and they are not added up"
EARLIER = "row {} is an earlier total of the same run, which ends at row {}"


@dataclass(frozen=True)
class Measured:
    """A run of the file: the number of its row, its cells, and what is to be said of other rows with its id."""

    number: int
    cells: Mapping[str, str]
    earlier: tuple[int, ...] = ()
    remark: str = ""

    @property
    def identity(self) -> str:
        """The id of the run, by which its rows are known; empty where the file has none."""
        return identity_of(self.cells)

    @property
    def name(self) -> str:
        """The name of the project, with that of the task where the row is of one."""
        return " ".join(filter(None, (self.cells.get("project_name", ""), self.cells.get(TASK, ""))))


def is_emissions(headers: Iterable[str]) -> bool:
    """Whether a table has the columns that codecarbon writes, in any of its editions.

    >>> print(is_emissions(["project_name", "duration", "emissions", "energy_consumed"]), is_emissions(["duration"]))
    True False
    """
    names = set(headers)
    return names.issuperset(TELLING) and not names.isdisjoint(NAMED)


def identity_of(cells: Mapping[str, str]) -> str:
    """Return the id of a row's run: `run_id`, which was `experiment_id` before codecarbon 2."""
    return cells.get("run_id" if "run_id" in cells else "experiment_id", "").strip()


def measured_runs(rows: Sequence[Mapping[str, str]]) -> list[Measured]:
    """List the runs of a file's rows in their order.

    >>> rows = [{"run_id": "a", "duration": "10", "energy_consumed": "1"},
    ...         {"run_id": "a", "duration": "20", "energy_consumed": "2"}]
    >>> print(*((run.number, run.earlier) for run in measured_runs(rows)))
    (2, (1,))
    """
    groups: dict[object, list[int]] = {}
    for number, cells in enumerate(rows, 1):
        if cells.get("duration") != "duration":  # a header in the middle, where files were joined
            groups.setdefault(identity_of(cells) or number, []).append(number)
    found = []
    for numbers in groups.values():
        same = [rows[number - 1] for number in numbers]
        if len(numbers) == 1 or any(TASK in cells for cells in same):
            found += [Measured(number, rows[number - 1]) for number in numbers]
        elif _grow(same):
            found.append(Measured(numbers[-1], same[-1], tuple(numbers[:-1])))
        else:
            remark = APART.format(", ".join(map(str, numbers)))
            found += [Measured(number, rows[number - 1], remark=remark) for number in numbers]
    return sorted(found, key=lambda run: run.number)


def run_at(rows: Sequence[Mapping[str, str]], number: int) -> Measured | None:
    """Return the run as it stands at a row, also an earlier total; None where there is no such row."""
    for run in measured_runs(rows):
        if number == run.number:
            return run
        if number in run.earlier:
            return Measured(number, rows[number - 1], remark=EARLIER.format(number, run.number))
    return None


def number_in(cells: Mapping[str, str], column: str) -> float | None:
    """Return the number of a cell; None where there is none."""
    try:
        return float(cells.get(column) or "nan")
    except ValueError:
        return None


def _grow(rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether rows are totals of one run, each of which holds those before."""
    for column in GROWING:
        sizes = [number_in(cells, column) for cells in rows]
        if any(a is None or b is None or not a <= b for a, b in itertools.pairwise(sizes)):
            return False
    return True
