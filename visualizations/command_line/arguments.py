"""What the commands take: a RUN in any of its forms, facts as options, metrics by name."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from runlineage.catalogs.base.errors import Fault, InputError, echo, refuse
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import ANSWERS, BY_NAME, FACTS, METRICS, WORDS
from runlineage.dataflow.runs.run_file import ENDINGS
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.scenarios import Scenarios

TABLES = (".csv", ".tsv", ".parquet", ".jsonl", ".ndjson")

RUN = (
    "A catalogued run by any usual spelling, a .toml or .json run file, a model card or its folder, or a lineage that "
    "`why --json` or `--prov` wrote (FILE.json#NAME: one run of several); none: the facts of the options alone."
)
RunArgument = Annotated[str | None, typer.Argument(help=RUN, show_default=False)]
METRICS_HELP = f"Any of {', '.join(METRICS)}; by name alone also {', '.join(BY_NAME)}."
MetricsArgument = Annotated[list[str] | None, typer.Argument(help=METRICS_HELP, show_default=False)]
MetricOption = Annotated[
    list[str] | None, typer.Option("-m", "--metric", help="A metric, where no RUN is named; repeatable.")
]
AssumeOption = Annotated[list[str] | None, typer.Option("--assume", help="An assumption by name; repeatable.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Full precision and stable keys, for programs.")]


def with_facts(command: Callable[..., None]) -> Callable[..., None]:
    """Add one option a fact to a command, from the field table."""
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
    text = f"{sentence[0].upper()}{sentence[1:]}" + (f" ({hint})." if hint else ".")
    option = typer.Option(flag, help=text, rich_help_panel="Facts", show_default=False)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option]
    )


def case_of(
    run: str | None,
    facts: Mapping[str, str | None] = Frozen({}),
    assume: list[str] | None = None,
    row: int | None = None,
    wanted: Iterable[str] = (),
) -> PublishedRunScenario:
    """Find the run, and change it by the facts given as options."""
    given: dict[str, Any] = {name: value for name, value in facts.items() if value is not None}
    assumed = assume or ()
    model = given.pop("model", "")
    if model and (run is None or not is_card(run)):
        refuse("--model", "is of a model card", "name a README.md or its folder as RUN")
    if run is None:
        return PublishedRunScenario(name="my run", assume=assumed, **given)
    if run in ANSWERS:
        refuse("RUN", f"{run} is a metric", f"name the run before it, or ask by `-m {run}`")
    if row is not None:
        return _row(run, row, wanted).variant(assume=assumed, **given)
    if Path(run).suffix.lower() in TABLES:
        refuse(run, "is a table", "name one of its rows with --row")
    is_file = Path(run).suffix.lower() in ENDINGS or os.sep in run or ".json#" in run
    if is_card(run) and (is_file or run not in Scenarios):
        case = run_of_card(run, model)
    else:
        case = _read_file(run) if is_file else Scenarios[run]
    return case.variant(assume=assumed or None, **given) if given or assumed else case


def _read_file(path: str) -> PublishedRunScenario:
    from runlineage.dataflow.exchange.lineage_file import read_file

    return read_file(path)


def _row(path: str, number: int, wanted: Iterable[str]) -> PublishedRunScenario:
    from runlineage.dataflow.tables.files import explained, scan
    from runlineage.dataflow.tables.one_row import run_of_row

    with explained(path):
        return run_of_row(scan(path), number, path, wanted)


def asked_of(metrics: list[str] | None, metric: list[str] | None) -> list[str]:
    """Return the metrics named in either way, once each."""
    asked = list(dict.fromkeys([*(metrics or ()), *(metric or ())]))
    if faults := unknown_metrics(asked):
        raise InputError(tuple(faults))
    return asked


def unknown_metrics(names: Iterable[str], where: str = "METRIC") -> list[Fault]:
    """List what is no metric, with the nearest that is one."""
    faults = []
    for name in names:
        if name not in ANSWERS:
            near = nearest(name, ANSWERS, 1)
            cure = f"did you mean {near[0]}?" if near else f"the metrics are {', '.join(ANSWERS)}"
            faults.append(Fault(where, f"{echo(name)} is unknown", cure))
    return faults


def is_card(run: str) -> bool:
    """Return whether a RUN argument names a model card, a model's config or a folder that may hold them."""
    path = Path(run)
    if path.suffix.lower() != ".json":
        return path.suffix.lower() in (".md", ".markdown") or _is_folder(path)
    from runlineage.dataflow.cards.config import is_config

    return is_config(path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def run_of_card(run: str, model: str) -> PublishedRunScenario:
    """Read the RUN that is a model card."""
    from runlineage.dataflow.cards.card import read_card

    return read_card(run, model)
