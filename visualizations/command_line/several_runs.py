"""Several runs from the arguments of a command: names, files and cards, tables with all rows, rows as FILE#ROW."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence

from runlineage.catalogs.base.errors import Fault, InputError, RunlineageError, RunlineageWarning
from runlineage.catalogs.base.frozen import Frozen
from runlineage.dataflow.runs.staged import AnyRun
from runlineage.visualizations.command_line.presets import Layout
from runlineage.visualizations.command_line.run_argument import (
    TABLE,
    case_of,
    facts_given,
    is_card,
    refuse_address,
    rows_of,
)

MOST_ROWS = 1000  # of a table: a page of more is no page
ROW = re.compile(r"(.+)#(\d{1,15})", re.DOTALL)


def runs_named(
    names: Sequence[str],
    facts: Mapping[str, str | None],
    assume: list[str] | None,
    wanted: Iterable[str],
    layout: Layout,
    prefer: Mapping[str, str] = Frozen({}),
) -> tuple[list[AnyRun], list[Fault]]:
    """Find the runs of some names, each changed by the facts given as options, and all that is wrong with them."""
    given = {name: value for name, value in facts.items() if name != "model"}
    model = facts.get("model")
    cards = [name for name in names if is_card(name)]
    faults: list[Fault] = []
    if model and len(cards) != 1:
        faults.append(Fault("--model", f"is of one card, and RUN names {len(cards) or 'none'}", "write FILE#MODEL"))
    if layout != Layout() and not any(map(_table, names)):
        faults.append(Fault("--column", "is of a table, as --from and --hardware are", "name a table file as RUN"))
    cases: list[AnyRun] = []
    for name in names:
        own = {**given, "model": model} if model and name in cards[:1] else given
        try:
            cases += _cases(name, own, assume, wanted, layout, prefer)
        except RunlineageError as problem:
            if len(names) == 1 and not faults:
                raise
            faults += problem.faults if isinstance(problem, InputError) else [Fault("RUN", str(problem))]
    _doubt_repeated(names, layout)
    return cases, faults


def _doubt_repeated(names: Sequence[str], layout: Layout) -> None:
    """Warn of a run that several of codecarbon's files hold: it is shown as often, and never added up."""
    files = [path for path, row in filter(None, map(_table, names)) if row is None and layout.is_measured(path)]
    if len(files) < 2:
        return
    from runlineage.dataflow.codecarbon.emissions import in_several

    for identity in in_several(files):
        text = f"run {identity} is in several of the files: it is shown for each file, and is one run"
        warnings.warn(text, RunlineageWarning, stacklevel=2)


def _cases(
    name: str,
    facts: Mapping[str, str | None],
    assume: list[str] | None,
    wanted: Iterable[str],
    layout: Layout,
    prefer: Mapping[str, str],
) -> list[AnyRun]:
    refuse_address(name)  # also of a table: nothing is fetched
    if not (table := _table(name)):
        return [case_of(name, facts, assume, prefer=prefer)]
    path, row = table
    if row is not None:
        return [case_of(path, facts, assume, row, wanted, layout, prefer)]
    given = {fact: value for fact, value in facts.items() if value is not None}
    runs = rows_of(path, MOST_ROWS, wanted, layout)
    return [run.variant(assume=assume or (), prefer=prefer, **facts_given(given)) for run in runs]


def _table(name: str) -> tuple[str, int | None] | None:
    """Part FILE#ROW into the path of a table and the row; of a whole table the row is None."""
    if TABLE.fullmatch(name):
        return name, None
    found = ROW.fullmatch(name)
    return (found[1], int(found[2])) if found and TABLE.fullmatch(found[1]) else None
