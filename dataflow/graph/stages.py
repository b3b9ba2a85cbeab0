"""Totals: what the stages of a run add up to, or the figure that is stated of the whole, or what is missing where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import fsum
from typing import Any

from runlineage.catalogs.base.errors import CannotComputeError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import Quantity, quantity
from runlineage.dataflow.graph.printed import FIGURES_OF, Printed, compared, rounding_of, share
from runlineage.dataflow.graph.results import Result, Results, facts_beneath
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.plans import Plan

STAGES = "stages"  # the route of a total: the sum of the stages
OF_THE_WHOLE = "of the whole"
UNNEEDED = " was not needed"


class StagedResults(Results):
    """The totals of a run of several stages, each with how it was had; `plan` names what was asked."""

    def __init__(
        self, answers: Mapping[str, Result], used: Iterable[str], inputs: Inputs, warnings: tuple[str, ...]
    ) -> None:
        problems = {name: answer.problem for name, answer in answers.items() if answer.problem is not None}
        plan = Plan(tuple(answers), {}, {}, tuple(problems), {}, (), tuple(used))
        values = {name: answer.value for name, answer in answers.items() if name not in problems}
        super().__init__(values, plan, inputs, problems, warnings)
        self.answers = dict(answers)

    def result(self, name: str) -> Result:
        """Return one total with its route and sources; one that was not asked for raises `UnknownNameError`."""
        if name not in self.answers:
            raise self._unasked(name)
        return self.answers[name]

    def __reduce__(self) -> Any:
        return StagedResults, (self.answers, self.plan.order, self.inputs, self.warnings)


def adds_up(name: str) -> bool:
    """Return whether the amounts of stages make that of the whole.

    >>> print(adds_up("energy"), adds_up("achieved_rate"), adds_up("a_node_of_yours"))
    True False False
    """
    return name in FIELDS and FIELDS[name].adds_up


def total(name: str, subject: str, stages: Mapping[str, Results], whole: Results, *, alike: bool) -> Result:
    """Add a metric up over the stages of a run, if each has it; else take the figure of the whole.

    `whole` are the results of the facts that are stated of the whole run. Where the stages are not `alike` in all but
    their amounts, only what is stated of the whole serves, and nothing that is computed with the facts of one stage.
    """
    answers = {stage: results.result(name) for stage, results in stages.items()}
    problems = {stage: answer.problem for stage, answer in answers.items() if answer.problem is not None}
    stated = whole.result(name)
    if not problems:
        return _sum(name, stages, answers, whole.inputs)
    if serves(name, whole, alike=alike):
        return replace(stated, note=", ".join(filter(None, (stated.note, OF_THE_WHOLE))))
    problem = _lacking(name, subject, problems)
    return replace(stated, value=None, route=None, assumes=(), sources=(), note="", problem=problem)


def serves(name: str, whole: Results, *, alike: bool) -> bool:
    """Return whether the facts of the whole run give a metric, which they do only as far as its stages are alike."""
    choice = whole.plan.choices.get(name)
    return name in whole and choice is not None and (alike or choice.is_stated)


def _sum(name: str, stages: Mapping[str, Results], answers: Mapping[str, Result], whole: Inputs) -> Result:
    field = FIELDS[name]
    sizes = {stage: float(results[name].magnitude) for stage, results in stages.items()}
    value = quantity(fsum(sizes.values()), field.units)
    rounding = rounding_of_sum(name, stages)
    return Result(
        name,
        value,
        field.unit_text,
        STAGES,
        tuple(sorted({each for answer in answers.values() for each in answer.assumes})),
        tuple(dict.fromkeys(source for answer in answers.values() for source in answer.sources)),
        _common_note(answers.values()),
        printed=next(figures_beside(name, value, whole, rounding), None),
    )


def rounding_of_sum(name: str, stages: Mapping[str, Results]) -> float:
    """Return what the digits of the facts leave open in a sum over stages, as a share of it."""
    sizes = {stage: float(results[name].magnitude) for stage, results in stages.items()}
    shares = {
        stage: rounding_of(facts_beneath(results.plan, name), results.inputs.given) for stage, results in stages.items()
    }
    return rounding_in_sum(sizes.values(), shares.values())


def rounding_in_sum(sizes: Iterable[float], shares: Iterable[float]) -> float:
    """Return the share of a sum that is left open, where shares of its terms are.

    >>> print(rounding_in_sum([90.0, 10.0], [0.01, 0.1]))
    0.019
    """
    sizes = tuple(sizes)
    whole = fsum(sizes)
    return fsum(size * each for size, each in zip(sizes, shares, strict=True)) / whole if whole else 0.0


def _common_note(answers: Iterable[Result]) -> str:
    """Return what the number of every stage must not be read without; what holds for one is said with that one."""
    notes = {answer.note for answer in answers}
    return notes.pop() if len(notes) == 1 else ""


def figures_named(name: str) -> tuple[str, ...]:
    """List the facts that state a total of the whole run: the amount itself, and what authors print of it.

    >>> print(*figures_named("training_operations"), *figures_named("energy"))
    training_operations training_ops energy reported_energy
    """
    recorded = ("training_ops",) if name == "training_operations" else ()
    return (name, *recorded, *FIGURES_OF.get(name, ()))


def figures_beside(name: str, value: Quantity, whole: Inputs, rounding: float = 0.0) -> Iterator[Printed]:
    """Compare a total with each figure that is stated of the whole run."""
    for figure in figures_named(name):
        fact = whole.stated.get(figure)
        printed = compared(value, fact, figure, rounding) if fact is not None and fact.value is not None else None
        if printed is not None:
            yield printed


def told(
    answers: Mapping[str, Result], stages: Mapping[str, Results], whole: Results, of_all: Iterable[str]
) -> tuple[str, ...]:
    """List what is doubtful of the totals: first of facts that all stages share, then stage by stage."""
    texts = dict.fromkeys(of_all)
    every = [results.warnings for results in stages.values()]
    texts |= dict.fromkeys(text for text in every[0] if all(text in others for others in every)) if every else {}
    for stage, results in stages.items():
        own = (text for text in results.warnings if text not in texts and not text.endswith(UNNEEDED))
        texts |= dict.fromkeys(f"{stage}: {text}" for text in own)
    if any(OF_THE_WHOLE in answer.note for answer in answers.values()):
        texts |= dict.fromkeys(text for text in whole.warnings if not text.endswith(UNNEEDED))
    texts |= dict.fromkeys(text for answer in answers.values() if answer.route == STAGES for text in _doubted(answer))
    return tuple(texts)


def _doubted(answer: Result) -> Iterator[str]:
    printed, value = answer.printed, answer.value
    if (
        value is not None
        and printed
        and printed.difference is not None
        and not (printed.agrees or printed.is_of_another)
    ):
        theirs = f"the {people(printed.value)} that is stated of the whole ({printed.origin})"
        yield f"{answer.name} of the stages is {people(value)}, {share(printed.difference, theirs)}"


def _lacking(name: str, subject: str, problems: Mapping[str, CannotComputeError]) -> CannotComputeError:
    """Explain what is missing for a total, stages that lack the same in one group."""
    short: dict[str, list[str]] = {}
    whole: dict[str, list[str]] = {}
    for stage, problem in problems.items():
        short.setdefault(problem.needs, []).append(stage)
        whole.setdefault("\n".join(f"  {line}" for line in problem.explanation.splitlines()[1:]), []).append(stage)
    needs = "; ".join(f"{needs} in {_and(names)}" for needs, names in short.items())
    lines = [f"cannot compute {name} of {subject}, which is the sum of its stages:"]
    lines += [f"  {_and(names)}:\n{text}" for text, names in whole.items()]
    lines.append(f"  or give {name} of the whole")
    guesses = {problem.guesses for problem in problems.values()}
    return CannotComputeError(name, needs, "\n".join(lines), guesses.pop() if len(guesses) == 1 else "")


def no_total(name: str, subject: str, stages: Iterable[str]) -> CannotComputeError:
    """Explain that a metric does not add up over stages, and how one stage is asked.

    >>> print(no_total("achieved_rate", "a run", ["pre-training", "fine-tuning"]))
    cannot compute achieved_rate of a run: it does not add up over stages
      ask one stage: RUN#pre-training or RUN#fine-tuning, in Python run.stage('pre-training')
    """
    names = tuple(stages)
    asked = " or ".join(f"RUN#{stage}" for stage in names)
    head = f"cannot compute {name} of {subject}: it does not add up over stages"
    needs = f"does not add up over stages: ask one, as RUN#{names[0]}"
    return CannotComputeError(name, needs, f"{head}\n  ask one stage: {asked}, in Python run.stage({names[0]!r})")


def _and(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
