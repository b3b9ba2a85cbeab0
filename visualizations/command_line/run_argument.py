"""The run that RUN and the options name: a catalogued one, a file, a card, a row of a table, or facts alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import AmbiguousNameError, UnknownNameError, echo, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS, METRICS
from runlineage.dataflow.runs.run_file import ENDINGS, part_of, split_part
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.scenarios import Scenarios
from runlineage.dataflow.runs.staged import USUAL, AnyRun, StagedRun
from runlineage.visualizations.command_line.presets import NO_LAYOUT, Layout

TABLE = re.compile(r".*\.(csv|tsv|parquet|jsonl|ndjson)(\.(gz|zst))?", re.IGNORECASE | re.DOTALL)
ONLY_A_PATH = re.compile(r"[/~]|\.\.?/|.*/$")
CARDS = (".md", ".markdown")
ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]+:/+\S|(www\.|[\w-]+\.)?[\w-]+\.(com|org|co|net|io|ai|edu|gov)/\S", re.IGNORECASE
)


def case_of(
    run: str | None,
    facts: Mapping[str, str | None] = Frozen({}),
    assume: list[str] | None = None,
    row: int | None = None,
    wanted: Iterable[str] = (),
    layout: Layout | None = None,
    prefer: Mapping[str, str] = Frozen({}),
) -> AnyRun:
    """Find the run, and change it by the facts given as options; `none` withdraws a quantity."""
    given = facts_given(facts)
    assumed = assume or ()
    model = given.pop("model", "")
    if run is not None:
        refuse_address(run)
    if model and (run is None or not is_card(run)):
        refuse("--model", "is of a model card", "name a README.md or its folder as RUN")
    if run is None:
        if row is not None:
            refuse("--row", "is of a table", "name the table file as RUN")
        return PublishedRunScenario(name="my run", assume=assumed, prefer=prefer, **given)
    if run in ANSWERS:
        refuse("RUN", f"{run} is a metric", f"name the run before it, or ask by `-m {run}`")
    if row is None and layout is not None and layout != NO_LAYOUT:
        refuse("--column", "is of a table, as --from and --hardware are", "name one of its rows with --row")
    if row is not None:
        return _row(run, row, wanted, layout or NO_LAYOUT).variant(assume=assumed, prefer=prefer, **given)
    case = run_named(run, model)
    if not (given or assumed or prefer):
        return case
    return case.variant(assume=assumed or None, prefer=prefer or None, **given)


def usual_of(case: AnyRun) -> list[str]:
    """Return what is answered of a run where no metric is named."""
    return list(USUAL if isinstance(case, StagedRun) else METRICS)


def facts_given(facts: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the facts that are given as options; `none` withdraws a quantity."""
    return {
        name: None if name in FIELDS and value.strip().casefold() == "none" else value
        for name, value in facts.items()
        if value is not None
    }


def refuse_address(run: str) -> None:
    """Refuse an address of the web, unless a file or a catalogued run has that name."""
    if ADDRESS.match(run) and run not in Scenarios and not _is(Path.exists, run):
        refuse("RUN", f"{echo(run)} is an address, and nothing is fetched", "save the card or file, and give its path")


def run_named(run: str, model: str = "") -> AnyRun:
    """Return the run of a name or a path: the catalog is asked before the disk, unless it can only be a path."""
    if not run.strip():
        refuse("RUN", "is empty", "name a run (`runlineage list runs`) or a file")
    if not ONLY_A_PATH.match(run) and run in Scenarios:
        return Scenarios[run]
    card, part = card_and_model(run)
    if card:
        if model and part:
            refuse("--model", f"is {echo(model)}, and {run} names a model too", "name it once")
        return _card(card, part or model)
    if Path(split_part(run)[0]).suffix.lower() in ENDINGS:
        return _file(run)
    if found := emissions_and_part(run):
        return _measured(*found)
    if TABLE.fullmatch(run):
        refuse(run, "is a table", "`runlineage table` answers all its rows, `runlineage why` one by --row")
    return _of_catalog(run)


def _of_catalog(run: str) -> AnyRun:
    """Look a name up, and explain what else it may have been meant as."""
    if _is(Path.is_file, run):
        kinds = ", ".join((*ENDINGS, *CARDS))
        refuse(
            run,
            "is a file of no kind that holds a run",
            f"expected {kinds}, a folder with a card, or a table and --row",
        )
    if ONLY_A_PATH.match(run):
        refuse(run, "is not there", "name a file or folder that exists, or a run (`runlineage list runs`)")
    name, _, part = run.rpartition("#")
    if part and name in Scenarios:
        return part_of(Scenarios[name], part)
    try:
        return Scenarios[run]
    except AmbiguousNameError:
        raise
    except UnknownNameError as problem:
        hint = "there is no such file or folder either" if "/" in run else problem.hint
        raise UnknownNameError(problem.what, problem.unknown, problem.nearest, hint) from None


def card_and_model(run: str) -> tuple[str, str]:
    """Part FILE#MODEL into the path of a card and the model; the path is empty where RUN names no card.

    >>> print(*card_and_model("README.md#Llama 3.1 8B"), sep=" | ")
    README.md | Llama 3.1 8B
    """
    from runlineage.dataflow.cards.choice import split_model

    path, model = split_model(run)
    return (path, model) if _holds_card(path) else ("", "")


def emissions_and_part(run: str) -> tuple[str, str] | None:
    """Part FILE#PART into the path of a file of codecarbon's and a row, an id or a project; None for other runs."""
    from runlineage.dataflow.cards.choice import split_model

    path, part = split_model(run)
    if not TABLE.fullmatch(path):
        return None
    from runlineage.dataflow.codecarbon.emissions import names_emissions

    return (path, part) if names_emissions(path) else None


def is_card(run: str) -> bool:
    """Return whether RUN names a model card, a model's config or a folder that may hold them."""
    return bool(card_and_model(run)[0])


def _holds_card(run: str) -> bool:
    path = Path(run)
    if path.suffix.lower() != ".json":
        return bool(run) and (path.suffix.lower() in CARDS or _is(Path.is_dir, run))
    from runlineage.dataflow.cards.bill import is_bill
    from runlineage.dataflow.cards.config import is_config

    return is_config(path) or is_bill(path)


def _is(kind: Any, run: str) -> bool:
    try:
        return bool(kind(Path(run)))
    except (OSError, ValueError):  # a name that no file can have
        return False


def _card(path: str, model: str) -> PublishedRunScenario:
    from runlineage.dataflow.cards.card import read_card

    return read_card(path, model)


def _file(path: str) -> AnyRun:
    from runlineage.dataflow.exchange.lineage_file import read_file

    return read_file(path)


def _measured(path: str, part: str) -> PublishedRunScenario:
    from runlineage.dataflow.codecarbon.emissions import one_of

    return one_of(path, part)


def _row(path: str, number: int, wanted: Iterable[str], layout: Layout) -> PublishedRunScenario:
    from runlineage.dataflow.tables.files import explained, scan
    from runlineage.dataflow.tables.one_row import run_of_row

    if layout.is_measured(path):
        return _measured(path, str(number))
    with explained(path):
        return run_of_row(layout.of(scan(path)), number, path, wanted, layout.columns)


def rows_of(path: str, most: int, wanted: Iterable[str], layout: Layout) -> list[PublishedRunScenario]:
    """Make a run of each row of a table file."""
    from runlineage.dataflow.tables.files import explained, scan
    from runlineage.dataflow.tables.one_row import runs_of_table

    if layout.is_measured(path):
        from runlineage.dataflow.codecarbon.emissions import read_emissions

        return list(read_emissions(path))
    with explained(path):
        return runs_of_table(layout.of(scan(path)), most, path, wanted, layout.columns)
