"""The command line: `show`, `why`, `draw`, `table`, `list`, and those that stand in files of their own."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import Fault, InputError, RunlineageError, UnknownNameError
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.base.version import __version__
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables.engines import CHOICES
from runlineage.visualizations.command_line import card_command, report_command, verdict_command
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    JsonOption,
    MetricOption,
    MetricsArgument,
    RunArgument,
    asked_of,
    case_of,
    with_facts,
)
from runlineage.visualizations.command_line.console import (
    ANSWERED,
    BAD_INPUT,
    INTERRUPTED,
    close,
    on_terminal,
    readers_may_leave,
    say,
    to_nowhere,
)

EXAMPLE = 'runlineage show --parameters 405B --training-tokens 15.6T --accelerator "H100 SXM" --precision bf16'

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich" if on_terminal() else None,
    help="Operations, rate, energy and peak fraction of a published training run, each with its lineage.",
)


@app.command(
    epilog=f"Examples:  runlineage show Gpt3PublishedRun   |   runlineage show bloom energy --json   |   {EXAMPLE}"
)
@with_facts
def show(
    run: RunArgument = None,
    metrics: MetricsArgument = None,
    *,
    metric: MetricOption = None,
    assume: AssumeOption = None,
    as_json: JsonOption = False,
    **facts: str | None,
) -> None:
    """Show a run's metrics, the route of each, and what is lacking."""
    from runlineage.visualizations.answers import answer_json, answer_text

    case = case_of(run, facts, assume)
    asked = asked_of(metrics, metric)
    wanted = asked or list(METRICS)
    results = case.results(wanted)
    say(answer_json(case.name, results, wanted) if as_json else answer_text(case.name, results, wanted))
    close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json)


@app.command(
    epilog="Examples:  runlineage why Gpt3PublishedRun achieved_rate   |   runlineage why 'llama 3.1 405b' energy"
)
@with_facts
def why(
    run: RunArgument = None,
    metrics: MetricsArgument = None,
    *,
    metric: MetricOption = None,
    row: Annotated[
        int | None, typer.Option("--row", help="The row, where RUN is a table file; the first is 1.")
    ] = None,
    assume: AssumeOption = None,
    as_json: JsonOption = False,
    as_prov: Annotated[bool, typer.Option("--prov", help="W3C PROV-JSON, for programs.")] = False,
    **facts: str | None,
) -> None:
    """Say where a number came from: tree, routes, sources."""
    from runlineage.dataflow.exchange.lineage_json import lineage_json
    from runlineage.dataflow.exchange.prov import prov_json
    from runlineage.visualizations import tree

    if as_json and as_prov:
        raise InputError((Fault("--prov", "stands beside --json, and each is a form of its own", "choose one"),))
    asked = asked_of(metrics, metric)
    wanted = asked or list(METRICS)
    case = case_of(run, facts, assume, row, wanted)
    lineage, results = case.lineage(wanted), case.results(wanted)
    if as_json or as_prov:
        say(prov_json(lineage) if as_prov else lineage_json(lineage))
    else:
        sections = {
            "routes not taken": tree.closed_routes(lineage),
            "published and not used": tree.unused_facts(lineage),
            "published by the authors": tree.reported_facts(lineage),
            "sources": tree.sources(lineage),
        }
        parts = [case.name, tree.tree(lineage), *(f"{title}\n{text}" for title, text in sections.items() if text)]
        say("\n\n".join(filter(None, [*parts, f"catalog {lineage.catalog}"])))
    close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json or as_prov)


@app.command(
    epilog="Examples:  runlineage draw Gpt3PublishedRun -o gpt3.svg   |   runlineage draw bloom energy -o bloom.png"
    "   |   runlineage draw gpt-3 --affects duration -o what.svg   |   runlineage draw gpt-3 --beside bloom -o both.svg"
)
@with_facts
def draw(
    run: RunArgument = None,
    metrics: MetricsArgument = None,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file: .svg, .png, .pdf, .dot, .mmd or .txt.")],
    metric: MetricOption = None,
    beside: Annotated[
        list[str] | None, typer.Option("--beside", help="A further run, drawn beside; repeatable.")
    ] = None,
    affects: Annotated[str | None, typer.Option("--affects", help="A fact: draw what changes with it.")] = None,
    routes: Annotated[bool, typer.Option("--routes", help="Every route, with the taken ones bold.")] = False,
    nodes: Annotated[bool, typer.Option("--nodes", help="The bare graph of our nodes; no RUN.")] = False,
    assume: AssumeOption = None,
    **facts: str | None,
) -> None:
    """Draw the lineage of a run's metrics to a file."""
    from runlineage.dataflow.graph.lineage import together
    from runlineage.dataflow.modules import MODULES
    from runlineage.visualizations.pictures.picture import draw as write
    from runlineage.visualizations.pictures.picture import picture_kind

    picture_kind(output)
    if nodes:
        if run is not None:
            raise InputError((Fault("--nodes", "draws no run", "leave RUN out, or draw it with --routes"),))
        say(f"{write(MODULES, output)}: every route of our nodes")
        return
    asked = asked_of(metrics, metric)
    wanted = asked or list(METRICS)
    cases = [case_of(run, facts, assume), *(case_of(each, {}, assume) for each in beside or ())]
    lineage = together(*(case.lineage(wanted) for case in cases))
    if affects is not None:
        lineage = together(*(part.downstream(affects) for part in lineage.runs))
    if lineage.outputs or routes:
        shown = ", ".join(dict.fromkeys(lineage.entries[name].name for name in lineage.outputs)) or "routes"
        say(f"{write(lineage, output, routes=routes)}: {shown} of {lineage.subject}")
    results = cases[0].results(wanted)
    unanswered = asked if lineage.outputs else list(METRICS)
    problems = [results.problems[name] for name in unanswered if name in results.problems]
    close(lineage.warnings, [] if routes else problems, as_json=False)


@app.command(
    epilog="Examples:  runlineage table models.csv -o answers.csv   |   runlineage table - -o - < models.csv   |   "
    "runlineage table epoch.csv --from epoch -o answers.parquet"
)
def table(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A .csv, .tsv, .parquet or .jsonl file, a glob, a folder of Parquet, or -."),
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The file to write; its suffix names the kind; - for a pipe.")
    ],
    metric: Annotated[
        list[str] | None, typer.Option("-m", "--metric", help="A metric; repeatable; all when none.")
    ] = None,
    assume: AssumeOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on a bad cell before anything is written.")] = False,
    preset: Annotated[str, typer.Option("--from", help="Whose layout the table has: epoch.")] = "",
    hardware: Annotated[
        str | None, typer.Option("--hardware", help="Epoch's hardware file, for parts that the catalog lacks.")
    ] = None,
    engine: Annotated[str, typer.Option("--engine", help=f"One of {', '.join(CHOICES)}.")] = "polars",
    scheduler: Annotated[str | None, typer.Option("--scheduler", help="The address of a running Dask cluster.")] = None,
    master: Annotated[str | None, typer.Option("--master", help="The URL of a running Spark cluster.")] = None,
) -> None:
    """Answer every row of a table: its columns, then metrics, routes and problems."""
    from runlineage.dataflow.tables.request import TableRequest
    from runlineage.visualizations.command_line.table_command import run_engine, run_table

    asked = TableRequest.of(asked_of(None, metric) or list(METRICS), assume or ())
    if engine != "polars" and (strict or preset or hardware):
        raise InputError(
            (Fault("--engine", f"{engine} takes no --strict, --from or --hardware", "leave --engine out"),)
        )
    for option, address, whose in (("--scheduler", scheduler, "dask"), ("--master", master, "spark")):
        if address and engine != whose:
            raise InputError((Fault(option, f"is not of {engine}", f"add --engine {whose}"),))
    with readers_may_leave():
        if engine == "polars":
            summary = run_table(source, output, asked, strict=strict, preset=preset, hardware=hardware)
        else:
            summary = run_engine(engine, source, output, asked, scheduler or master)
    if output == "-":
        print(summary, file=sys.stderr)
    else:
        say(f"{output}\n\n{summary}")


@app.command("list", epilog="Examples:  runlineage list runs   |   runlineage list accelerators --json")
def list_(
    catalog: Annotated[str, typer.Argument(help="runs, workloads, accelerators, grids, thresholds or sources.")],
    as_json: JsonOption = False,
) -> None:
    """List runs, workloads, accelerators, grids, thresholds or sources."""
    from runlineage.visualizations.command_line.listing import CATALOGS, listing

    if catalog not in CATALOGS:
        raise UnknownNameError("catalog", catalog, nearest(catalog, CATALOGS, 1), f"there are {', '.join(CATALOGS)}")
    rows = listing(catalog)
    if as_json:
        say(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    widths = [max(len(row[column]) for row in rows) for column in rows[0]]
    say(
        "\n".join(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row.values(), widths, strict=True)).rstrip()
            for row in rows
        )
    )


def _version(asked: bool) -> None:
    if asked:
        print(f"runlineage {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Operations, rate, energy and peak fraction of a published training run, each with its lineage."""


app.command(epilog=card_command.EXAMPLES)(card_command.card)
app.command(epilog=report_command.EXAMPLES)(report_command.report)
app.command("verdicts", epilog=verdict_command.EXAMPLES)(verdict_command.verdicts_)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input is one sentence and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a stream that knows no × still gets its numbers
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        code = app(arguments, prog_name="runlineage", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else ANSWERED
    except RunlineageError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as problem:  # the output itself, on a full disk
        to_nowhere()
        print(f"error: the output cannot be written: {problem.strerror or problem}", file=sys.stderr)
        return BAD_INPUT
    except Exception as problem:  # a usage error: typer's base class has moved between its releases
        if not (hasattr(problem, "show") and hasattr(problem, "exit_code")):
            raise
        problem.show()
        return int(problem.exit_code)
