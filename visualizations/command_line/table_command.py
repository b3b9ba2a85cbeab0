"""`runlineage table`: a whole table in, the same table with its answers out."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables.engines import CHOICES, PIPE, RUNNERS
from runlineage.dataflow.tables.files import explained, pipes_read, scan, sink, table_kind
from runlineage.dataflow.tables.polars_frames import evaluate_lazy, refusals
from runlineage.dataflow.tables.request import REMARKS, TableRequest
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    RouteOption,
    asked_of,
    routes_of,
)
from runlineage.visualizations.command_line.console import complain, readers_may_leave, say
from runlineage.visualizations.command_line.presets import (
    ColumnOption,
    FromOption,
    HardwareOption,
    columns_of,
    preset_of,
)
from runlineage.visualizations.command_line.table_summary import PREVIEW_ROWS, Tally

EXAMPLES = (
    "runlineage table models.csv -o answers.csv",
    "runlineage table log.csv -m energy --column 'accelerator_hours=GPU hours'",
    "runlineage table - -o - < models.csv",
    "runlineage table epoch.csv --from epoch -o answers.parquet",
)
SCREEN = "the screen"  # in place of a file, where the answers are shown alone
ROWS_ON_SCREEN = 40
MEASURED = "note: read as codecarbon's: a run's rows are its running totals, the last counts, and none are added up"
PATIENCE = 2.0  # seconds before a progress line appears
MOST_REFUSED = 10


def command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A .csv, .tsv or .jsonl (also .gz, .zst) or .parquet file, a folder of these, a glob, or -.",
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            help="The file to write; its suffix names the kind; - for a pipe. Without: a terminal shows the answers.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option("-m", "--metric", help="A metric; repeatable; all when none.")
    ] = None,
    assume: AssumeOption = None,
    route: RouteOption = None,
    column: ColumnOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on a bad cell before anything is written.")] = False,
    interval: Annotated[
        bool, typer.Option("--interval", help="Two more columns a metric: the ends of its 90 % interval.")
    ] = False,
    preset: FromOption = "",
    hardware: HardwareOption = None,
    engine: Annotated[str, typer.Option("--engine", help=f"One of {', '.join(CHOICES)}.")] = "polars",
    scheduler: Annotated[str | None, typer.Option("--scheduler", help="The address of a running Dask cluster.")] = None,
    master: Annotated[str | None, typer.Option("--master", help="The URL of a running Spark cluster.")] = None,
) -> None:
    """Answer every row of a table: its columns, then metrics, routes and problems."""
    request = TableRequest.of(
        asked_of(None, metric) or list(METRICS), assume or (), columns_of(column), routes_of(route), interval
    )
    if engine != "polars" and (strict or preset or hardware):
        refuse("--engine", f"{engine} takes no --strict, --from or --hardware", "leave --engine out")
    for option, address, whose in (("--scheduler", scheduler, "dask"), ("--master", master, "spark")):
        if address and engine != whose:
            refuse(option, f"is not of {engine}", f"add --engine {whose}")
    if engine != "polars" and output is None:
        refuse("--engine", f"{engine} writes a file", "name it with -o")
    target = output or (SCREEN if sys.stdout is not None and sys.stdout.isatty() else PIPE)
    with readers_may_leave(), pipes_read():
        if engine == "polars":
            summary = run_table(source, target, request, strict=strict, preset=preset, hardware=hardware)
        else:
            summary = run_engine(engine, source, target, request, scheduler or master)
    if target == PIPE:
        complain(summary)
    else:
        say(summary if target == SCREEN else f"{target}\n\n{summary}")


def run_table(
    source: str, target: str, request: TableRequest, *, strict: bool, preset: str, hardware: str | None
) -> str:
    """Evaluate a table file into another, and return the preview and the summary."""
    with explained(source):
        found = scan(source)
        preset = preset or _measured(found, request)
        table = preset_of(found, preset, hardware, source)
        notes = [MEASURED] * (preset == "codecarbon") + _notes(table.collect_schema().names(), request)
        if strict:
            _refuse(source, table, request)
        tally = Tally(request.outputs, ROWS_ON_SCREEN if target == SCREEN else PREVIEW_ROWS)
        with _progress(tally):
            answered = tally.onto(evaluate_lazy(table, request))
            if target == SCREEN:
                answered.select(pl.col("problems").count()).collect(engine="streaming")
            else:
                sink(answered.drop(REMARKS, strict=False) if preset else answered, target)
    return _summary(tally, notes)


def _measured(table: pl.LazyFrame, request: TableRequest) -> str:
    """Return the preset of codecarbon's files where a table is one and nobody maps its columns."""
    from runlineage.dataflow.codecarbon.rows import is_emissions

    return "codecarbon" if not request.columns and is_emissions(table.collect_schema().names()) else ""


def run_engine(engine: str, source: str, target: str, request: TableRequest, address: str | None) -> str:
    """Evaluate a table file by another engine, and count what it wrote."""
    if engine not in RUNNERS:
        refuse("--engine", f"{echo(engine)} is unknown", f"there are {', '.join(CHOICES)}")
    with explained(source):
        table_kind(target)
        if source != PIPE and _measured(scan(source), request):
            refuse("--engine", f"{engine} does not read codecarbon's files", "leave --engine out")
        RUNNERS[engine].through(source, target, request, address)
        tally = Tally(request.outputs)
        parts = f"{target}/*{Path(target).suffix}" if Path(target).is_dir() else target
        tally.onto(scan(parts)).collect(engine="streaming")
        return _summary(tally, _notes(scan(source).collect_schema().names(), request))


def _summary(tally: Tally, notes: list[str]) -> str:
    preview = tally.preview() if tally.rows else ""
    return "\n\n".join(filter(None, (preview, tally.text(), "\n".join(notes))))


def _notes(names: list[str], request: TableRequest) -> list[str]:
    """List the units that plain numbers are read in, and what columns may have been meant as, though they are not."""
    from runlineage.dataflow.epoch.epoch import is_epochs

    units = ", ".join(f"{name} in {unit}" for name, unit in request.units(names).items())
    found = [f"plain numbers are read as {units}"] if units else []
    found += [*request.asked_units(names), *request.unread(names, "--column {pair!r}")]
    if not request.headers(names):
        if is_epochs(names):
            found = ["no column is a fact, and these are Epoch's: add --from epoch"]
        elif not found:
            found = ["no column is a fact; `runlineage show --help` lists the fields"]
    return [f"note: {message}" for message in found]


def _refuse(source: str, table: pl.LazyFrame, request: TableRequest) -> None:
    """Fail on the first cells that cannot be read, before anything is written."""
    found = refusals(table, request).head(MOST_REFUSED + 1).collect(engine="streaming")
    faults = [Fault(f"{source}: row {row}", message) for row, message in found.iter_rows()]
    if faults:
        more = [Fault(source, "has more such rows")] if len(faults) > MOST_REFUSED else []
        raise InputError((*faults[:MOST_REFUSED], *more))


@contextmanager
def _progress(tally: Tally) -> Iterator[None]:
    """Show the rows done so far on a terminal, if it takes a while; pipes see nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    done = threading.Event()
    columns: tuple[Any, ...] = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())

    def show() -> None:
        if done.wait(PATIENCE):
            return
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("reading", total=None)
            while not done.wait(0.1):
                progress.update(task, description=f"{tally.rows:,} rows")

    watcher = threading.Thread(target=show, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
