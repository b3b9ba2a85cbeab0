"""The command line: `show`, `why`, `draw` and `list`."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from runlineage import __version__
from runlineage.catalogs.errors import Fault, InputError, RunlineageError, UnknownNameError, echo
from runlineage.catalogs.fields import ANSWERS, FACTS, FOOTPRINT, METRICS, WORDS
from runlineage.catalogs.names import nearest, plain_text
from runlineage.dataflow.runfile import ENDINGS
from runlineage.dataflow.scenario import PublishedRunScenario
from runlineage.dataflow.scenarios import Scenarios
from runlineage.visualizations import card_command, report_command
from runlineage.visualizations.card_command import is_card, run_of_card

TABLES = (".csv", ".tsv", ".parquet", ".jsonl", ".ndjson")
ANSWERED, NOT_COMPUTABLE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
EXAMPLE = 'runlineage show --parameters 405B --training-tokens 15.6T --accelerator "H100 SXM" --precision bf16'


def _on_terminal() -> bool:
    """Whether people read the output in colour; a closed standard output is nobody's terminal."""
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich" if _on_terminal() else None,
    help="Operations, rate, energy and peak fraction of a published training run, each with its lineage.",
)

RUN = (
    "A catalogued run by any usual spelling, a .toml or .json run file, a model card or its folder, or a lineage that "
    "`why --json` or `--prov` wrote (FILE.json#NAME: one run of several); none: the facts of the options alone."
)
RunArgument = Annotated[str | None, typer.Argument(help=RUN, show_default=False)]
METRICS_HELP = f"Any of {', '.join(METRICS)}; by name alone also {', '.join(FOOTPRINT)}."
MetricsArgument = Annotated[list[str] | None, typer.Argument(help=METRICS_HELP, show_default=False)]
MetricOption = Annotated[
    list[str] | None, typer.Option("-m", "--metric", help="A metric, where no RUN is named; repeatable.")
]
AssumeOption = Annotated[list[str] | None, typer.Option("--assume", help="An assumption by name; repeatable.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Full precision and stable keys, for programs.")]


def with_facts(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one option a fact, from the field table."""
    signature = inspect.signature(command, eval_str=True)
    kept = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    kept += [_option(name, field.sentence, f"e.g. {field.examples[0]}") for name, field in FACTS.items()]
    kept += [_option(name, word.sentence, ", ".join(word.choices)) for name, word in WORDS.items()]
    kept.append(_option("model", "the model, where RUN is a card with figures of several", "'Llama 3.1 8B'"))
    command.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in kept}
    return command


def _option(name: str, sentence: str, hint: str) -> inspect.Parameter:
    flag = f"--{name.replace('_', '-')}"
    said = f"{sentence[0].upper()}{sentence[1:]}" + (f" ({hint})." if hint else ".")
    option = typer.Option(flag, help=said, rich_help_panel="Facts", show_default=False)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option]
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

    case = _case(run, facts, assume)
    asked = _asked(metrics, metric)
    wanted = asked or list(METRICS)
    results = case.results(wanted)
    _say(answer_json(case.name, results, wanted) if as_json else answer_text(case.name, results, wanted))
    _close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json)


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
    from runlineage import lineage_json, prov_json
    from runlineage.visualizations import tree

    if as_json and as_prov:
        raise InputError((Fault("--prov", "stands beside --json, and each is a form of its own", "choose one"),))
    asked = _asked(metrics, metric)
    wanted = asked or list(METRICS)
    case = _case(run, facts, assume, row, wanted)
    lineage, results = case.lineage(wanted), case.results(wanted)
    if as_json or as_prov:
        _say(prov_json(lineage) if as_prov else lineage_json(lineage))
    else:
        sections = {
            "routes not taken": tree.closed_routes(lineage),
            "published and not used": tree.unused_facts(lineage),
            "published by the authors": tree.reported_facts(lineage),
            "sources": tree.sources(lineage),
        }
        parts = [case.name, tree.tree(lineage), *(f"{title}\n{text}" for title, text in sections.items() if text)]
        _say("\n\n".join(filter(None, [*parts, f"catalog {lineage.catalog}"])))
    _close(results.warnings, [results.problems[name] for name in asked if name in results.problems], as_json or as_prov)


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
    from runlineage.dataflow.lineage import together
    from runlineage.dataflow.modules import MODULES
    from runlineage.visualizations.picture import draw as write
    from runlineage.visualizations.picture import picture_kind

    picture_kind(output)
    if nodes:
        if run is not None:
            raise InputError((Fault("--nodes", "draws no run", "leave RUN out, or draw it with --routes"),))
        _say(f"{write(MODULES, output)}: every route of our nodes")
        return
    asked = _asked(metrics, metric)
    wanted = asked or list(METRICS)
    cases = [_case(run, facts, assume), *(_case(each, {}, assume) for each in beside or ())]
    lineage = together(*(case.lineage(wanted) for case in cases))
    if affects is not None:
        lineage = together(*(part.downstream(affects) for part in lineage.runs))
    if lineage.outputs or routes:
        shown = ", ".join(dict.fromkeys(lineage.entries[name].name for name in lineage.outputs)) or "routes"
        _say(f"{write(lineage, output, routes=routes)}: {shown} of {lineage.subject}")
    results = cases[0].results(wanted)
    unanswered = asked if lineage.outputs else list(METRICS)
    problems = [results.problems[name] for name in unanswered if name in results.problems]
    _close(lineage.warnings, [] if routes else problems, as_json=False)


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
    engine: Annotated[str, typer.Option("--engine", help="polars, duckdb, dask or spark.")] = "polars",
    scheduler: Annotated[str | None, typer.Option("--scheduler", help="The address of a running Dask cluster.")] = None,
    master: Annotated[str | None, typer.Option("--master", help="The URL of a running Spark cluster.")] = None,
) -> None:
    """Answer every row of a table: its columns, then metrics, routes and problems."""
    from runlineage.dataflow.asked import Asked
    from runlineage.visualizations.table_command import run_engine, run_table

    asked = Asked.of(_asked(None, metric) or list(METRICS), assume or ())
    if engine != "polars" and (strict or preset):
        raise InputError((Fault("--engine", f"{engine} takes no --strict and no --from", "leave --engine out"),))
    with _readers_may_leave():
        if engine == "polars":
            summary = run_table(source, output, asked, strict=strict, preset=preset, hardware=hardware)
        else:
            summary = run_engine(engine, source, output, asked, scheduler or master)
    if output == "-":
        print(summary, file=sys.stderr)
    else:
        _say(f"{output}\n\n{summary}")


@app.command("list", epilog="Examples:  runlineage list runs   |   runlineage list accelerators --json")
def list_(
    catalog: Annotated[str, typer.Argument(help="runs, workloads, accelerators, grids, thresholds or sources.")],
    as_json: JsonOption = False,
) -> None:
    """List runs, workloads, accelerators, grids, thresholds or sources."""
    from runlineage.visualizations.listing import CATALOGS, listing

    if catalog not in CATALOGS:
        raise UnknownNameError("catalog", catalog, nearest(catalog, CATALOGS, 1), f"there are {', '.join(CATALOGS)}")
    rows = listing(catalog)
    if as_json:
        _say(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    widths = [max(len(row[column]) for row in rows) for column in rows[0]]
    _say(
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


def _case(
    run: str | None,
    facts: Mapping[str, str | None],
    assume: list[str] | None,
    row: int | None = None,
    wanted: Iterable[str] = (),
) -> PublishedRunScenario:
    """Find the run, and change it by the facts given as options."""
    given: dict[str, Any] = {name: value for name, value in facts.items() if value is not None}
    assumed = assume or ()
    model = given.pop("model", "")
    if model and (run is None or not is_card(run)):
        raise InputError((Fault("--model", "is of a model card", "name a README.md or its folder as RUN"),))
    if run is None:
        return PublishedRunScenario(name="my run", assume=assumed, **given)
    if run in ANSWERS:
        raise InputError((Fault("RUN", f"{run} is a metric", f"name the run before it, or ask by `-m {run}`"),))
    if row is not None:
        return _row(run, row, wanted).variant(assume=assumed, **given)
    if Path(run).suffix.lower() in TABLES:
        raise InputError((Fault(run, "is a table", "name one of its rows with --row"),))
    is_file = Path(run).suffix.lower() in ENDINGS or os.sep in run or ".json#" in run
    if is_card(run) and (is_file or run not in Scenarios):
        case = run_of_card(run, model)
    else:
        case = _read_file(run) if is_file else Scenarios[run]
    return case.variant(assume=assumed or None, **given) if given or assumed else case


def _read_file(path: str) -> PublishedRunScenario:
    from runlineage.dataflow.lineagefile import read_file

    return read_file(path)


def _row(path: str, number: int, wanted: Iterable[str]) -> PublishedRunScenario:
    from runlineage.dataflow.rows import run_of_row
    from runlineage.dataflow.tablefiles import explained, scan

    with explained(path):
        return run_of_row(scan(path), number, path, wanted)


def _asked(metrics: list[str] | None, metric: list[str] | None) -> list[str]:
    """Give the metrics named in either way, once each; an unknown one says the nearest."""
    asked = list(dict.fromkeys([*(metrics or ()), *(metric or ())]))
    faults = []
    for name in asked:
        if name not in ANSWERS:
            near = nearest(name, ANSWERS, 1)
            cure = f"did you mean {near[0]}?" if near else f"the metrics are {', '.join(ANSWERS)}"
            faults.append(Fault("METRIC", f"{echo(name)} is unknown", cure))
    if faults:
        raise InputError(tuple(faults))
    return asked


def _say(text: str) -> None:
    """Print plain text; on a terminal, names and assumptions get a colour. What would steer a terminal is dropped."""
    text = "\n".join(map(plain_text, text.split("\n")))
    if _on_terminal():
        from runlineage.visualizations.colour import coloured

        coloured(text)
        return
    with _readers_may_leave():
        print(text, flush=True)


@contextlib.contextmanager
def _readers_may_leave() -> Iterator[None]:
    """End well where a reader has seen enough, such as `head`."""
    try:
        yield
    except BrokenPipeError:
        _to_nowhere()
        raise typer.Exit(ANSWERED) from None


def _to_nowhere() -> None:
    """Let what is still buffered vanish, so that the interpreter's own flush at the end finds no fault."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _close(warnings: tuple[str, ...], problems: list[Any], as_json: bool) -> None:
    """End with the warnings and with what was asked by name and cannot be computed."""
    if not as_json:
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        for problem in problems:
            print(problem, file=sys.stderr)
    if problems:
        raise typer.Exit(NOT_COMPUTABLE)


card_command.register(app, with_facts, _case, _say)
report_command.register(app, lambda run: _case(run, {}, None), _say)


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
        _to_nowhere()
        print(f"error: the output cannot be written: {problem.strerror or problem}", file=sys.stderr)
        return BAD_INPUT
    except Exception as problem:  # a usage error: typer's base class has moved between its releases
        if not (hasattr(problem, "show") and hasattr(problem, "exit_code")):
            raise
        problem.show()
        return int(problem.exit_code)
