"""`runlineage card`: a run's answers as the cards that others read; an existing card keeps all but one field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import CannotComputeError, OutputError
from runlineage.catalogs.base.files import write_whole
from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.staged import one_stage
from runlineage.visualizations.cards.boamps import INFRASTRUCTURES
from runlineage.visualizations.cards.form import FORM_NAMES, check_words, form_of
from runlineage.visualizations.command_line.arguments import (
    AssumeOption,
    RouteOption,
    routes_of,
    with_facts,
)
from runlineage.visualizations.command_line.console import NOT_COMPUTABLE, complain, say
from runlineage.visualizations.command_line.run_argument import case_of

EXAMPLES = (
    "runlineage card 'llama 3.1 405b' -o README.md",
    "runlineage card bloom --to cyclonedx",
    "runlineage card bloom --to boamps --task-family 'text generation' --infrastructure onPremise",
    "runlineage card README.md --model 'Llama 3.1 8B' --to latex",
)
BOAMPS = "What a boamps card requires and no facts state:"


@with_facts
def command(
    run: Annotated[
        str | None, typer.Argument(help="A run, a run file, a model card or its folder.", show_default=False)
    ] = None,
    *,
    to: Annotated[str, typer.Option("--to", help=f"{FORM_NAMES}.")] = "huggingface",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file; of an existing card only co2_eq_emissions changes."),
    ] = None,
    task_family: Annotated[str, typer.Option("--task-family", help=f"{BOAMPS} such as 'text generation'.")] = "",
    infrastructure: Annotated[
        str, typer.Option("--infrastructure", help=f"{BOAMPS} {', '.join(INFRASTRUCTURES)}.")
    ] = "",
    data_type: Annotated[
        str, typer.Option("--data-type", help=f"{BOAMPS} token, text, image and so on; token where tokens are known.")
    ] = "",
    location: Annotated[str, typer.Option("--location", help="Where the training was, for the card.")] = "",
    assume: AssumeOption = None,
    route: RouteOption = None,
    **facts: str | None,
) -> None:
    """Write a run's card: emissions and energy for model hubs, bills of materials and papers."""
    case = one_stage(case_of(run, facts, assume, prefer=routes_of(route)), "a card")
    try:
        words = {"task_family": task_family, "infrastructure": infrastructure, "data_type": data_type}
        text = written(case, to, location, output, words)
    except CannotComputeError as problem:
        complain(problem)
        raise typer.Exit(NOT_COMPUTABLE) from None
    if output is None:
        say(text.rstrip("\n"))
        return
    write_whole(output, text.encode())
    say(f"{output}: {to} card of {case.name}")


def written(run: PublishedRunScenario, to: str, location: str, output: Path | None, words: Mapping[str, str]) -> str:
    """Return the text to write; that of an existing card with one field changed."""
    from runlineage.dataflow.cards.card import read_card_text
    from runlineage.visualizations.cards.statement import Statement

    form = form_of(to)
    check_words(form, words)
    statement = Statement(run, plain_text(location), words)
    if output is None:
        return form.write(statement)
    if output.suffix.lower() not in form.suffixes:
        raise OutputError(f"{output} is no file for a {to} card", f"name one that ends in {' or '.join(form.suffixes)}")
    if not output.is_file():
        return form.write(statement)
    if form.changes:
        return form.write(statement, read_card_text(output), output)
    if output.name.casefold() == "readme.md":
        raise OutputError(f"{output} exists and would be lost", f"name another file for --to {to}")
    return form.write(statement)
