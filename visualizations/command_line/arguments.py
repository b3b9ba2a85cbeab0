"""What the commands take: RUN, metrics by name, facts as options."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Collection, Iterable
from typing import Annotated

import typer

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import (
    ANSWERS,
    FACTS,
    FOOTPRINT_FACTS,
    METRICS,
    POLICY_FACTS,
    PRINTED,
    STEP_FACTS,
    WORDS,
    Field,
)
from runlineage.visualizations.command_line.console import text_width

ASSUMPTIONS = (
    "modeled_reference",
    "count_duration",
    "tdp",
    "no_overhead",
    "rounding",
    "power_draw",
    "estimate_error",
)  # the test of commands holds it to the nodes
RUN = (
    "A catalogued run by any usual spelling, a .toml or .json run file, a model card or its folder (FILE#MODEL: one "
    "model of several), or a lineage that `why --json` or `--prov` wrote (FILE.json#NAME: one run of several); a stage "
    "of a run file or lineage is FILE#STAGE; left out: the facts of the options alone. Options change the run's "
    "facts; `none` withdraws one."
)


def runs_like(incomplete: str) -> list[str]:
    """List the runs that begin as what is typed, each in the spelling of its name without spaces.

    >>> print(runs_like("gpt-3"))
    ['gpt-3-175b']
    """
    from runlineage.dataflow.runs.scenarios import Scenarios  # loaded when a shell asks, and by who looks a run up

    names = (Scenarios.names(key)[0].casefold().replace(" ", "-") for key in Scenarios)
    return [name for name in names if name.startswith(incomplete.casefold()) and name in Scenarios]


def metrics_like(incomplete: str) -> list[str]:
    """List the metrics that begin as what is typed."""
    return [name for name in ANSWERS if name.startswith(incomplete)]


def households_like(incomplete: str) -> list[str]:
    """List the households that energies can be compared with, of those that begin as what is typed."""
    from runlineage.catalogs.catalog import Households

    return [key for key in Households if key.startswith(incomplete.upper())]


def assumptions_like(incomplete: str) -> list[str]:
    """List the assumptions that begin as what is typed."""
    return [name for name in ASSUMPTIONS if name.startswith(incomplete)]


RunArgument = Annotated[str | None, typer.Argument(help=RUN, show_default=False, autocompletion=runs_like)]
AMOUNTS = ("accelerator_hours", "training_tokens", "duration")  # facts that are asked for, as sums over stages
METRICS_HELP = f"Metrics of those above, or {', '.join(AMOUNTS)}; {', '.join(METRICS)} when none is named."
MetricsArgument = Annotated[
    list[str] | None, typer.Argument(help=METRICS_HELP, show_default=False, autocompletion=metrics_like)
]
MetricOption = Annotated[
    list[str] | None, typer.Option("-m", "--metric", help="A metric, where no RUN is named; repeatable.")
]
AssumeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--assume",
        help=f"An assumption by name: {', '.join(ASSUMPTIONS)}; repeatable.",
        autocompletion=assumptions_like,
    ),
]
RouteOption = Annotated[
    list[str] | None,
    typer.Option("--route", help="The route to take to a quantity, as METRIC=NAME; repeatable.", show_default=False),
]
EverydayOption = Annotated[
    str,
    typer.Option(
        "--everyday",
        help="Energies as households' yearly electricity too, with its source: US or EU.",
        autocompletion=lambda incomplete: households_like(incomplete),
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Full precision and stable keys, for programs.")]

STATED = "Answers that are stated"
PANELS = (
    "Facts of the run",
    "Facts of the device",
    "Facts of the footprint",
    "Facts of steps and of the model's shape",
    "Facts for thresholds of policy",
    STATED,
)


def with_facts(command: Callable[..., None]) -> Callable[..., None]:
    """Add one option a fact to a command, and the meaning of each metric to its help, from the field table."""
    signature = inspect.signature(command, eval_str=True)
    kept = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    facts = sorted(FACTS.items(), key=lambda fact: PANELS.index(_panel(fact[1])))  # in their groups, also in plain text
    kept += [_option(name, field.sentence, f"e.g. {field.examples[0]}", _panel(field)) for name, field in facts]
    kept += [
        _option(name, word.sentence, ", ".join(word.choices), "Facts that are words") for name, word in WORDS.items()
    ]
    kept += [_option(name, field.sentence, f"e.g. {field.examples[0]}", STATED) for name, field in ANSWERS.items()]
    kept.append(_option("model", "the model, where RUN is a card with figures of several", "e.g. 'Llama 3.1 8B'"))
    command.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in kept}
    command.__doc__ = f"{command.__doc__}\n\n\b\nMetrics:\n{meanings(text_width() - 4)}"
    return command


def meanings(width: int = 76) -> str:
    """Write the meaning of each metric."""
    longest = max(map(len, ANSWERS))
    indent = " " * (longest + 4)
    lines = [
        textwrap.fill(f"  {name:<{longest}}  {field.sentence}", width, subsequent_indent=indent)
        for name, field in ANSWERS.items()
    ]
    return "\n".join(lines)


def _panel(field: Field) -> str:
    """Return the group of a fact's option."""
    if field.name in FOOTPRINT_FACTS:
        return "Facts of the footprint"
    if field.name in PRINTED:
        return STATED
    if field.name in STEP_FACTS:
        return "Facts of steps and of the model's shape"
    if field.name in POLICY_FACTS:
        return "Facts for thresholds of policy"
    return "Facts of the device" if field.unit.endswith("/accelerator") else "Facts of the run"


def _option(name: str, sentence: str, hint: str, panel: str | None = None) -> inspect.Parameter:
    flag = f"--{name.replace('_', '-')}"
    text = f"{sentence[0].upper()}{sentence[1:]}" + (f" ({hint})." if hint else ".")
    option = typer.Option(flag, help=text, rich_help_panel=panel, show_default=False)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option]
    )


def asked_of(metrics: list[str] | None, metric: list[str] | None) -> list[str]:
    """Return the metrics named in either way, once each."""
    asked = list(dict.fromkeys([*(metrics or ()), *(metric or ())]))
    if faults := unknown_metrics([name for name in asked if name not in AMOUNTS]):
        raise InputError(tuple(faults))
    return asked


def routes_of(options: Iterable[str] | None) -> dict[str, str]:
    """Read the options --route; one that is no METRIC=NAME, or a second one of a quantity, is refused.

    >>> print(routes_of(["achieved_rate=reference_run"]))
    {'achieved_rate': 'reference_run'}
    """
    found: dict[str, str] = {}
    faults = []
    for text in options or ():
        name, equals, route = (each.strip() for each in text.partition("="))
        if not (name and equals and route):
            faults.append(Fault("--route", f"is {echo(text)}", "write METRIC=NAME, such as energy=power_time"))
        elif found.setdefault(name, route) != route:
            faults.append(Fault("--route", f"chooses {found[name]} and {route} for {name}", "choose one"))
    if faults:
        raise InputError(tuple(faults))
    return found


def _comparisons() -> Collection[str]:
    """Name the comparisons of a check, which are asked as metrics are."""
    from runlineage.dataflow.checks.marks import comparison_names

    return comparison_names()


def unknown_metrics(names: Iterable[str], where: str = "METRIC") -> list[Fault]:
    """List what is no metric, with the nearest that is one."""
    faults = []
    for name in names:
        if name not in ANSWERS and name not in _comparisons():
            near = nearest(name, ANSWERS, 1)
            cure = f"did you mean {near[0]}?" if near else f"the metrics are {', '.join(ANSWERS)}"
            faults.append(Fault(where, f"{echo(name)} is unknown", cure))
    return faults
