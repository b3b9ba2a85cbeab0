"""How the facts of a run of stages are divided: amounts of the whole, what all stages share, and a stage's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, UnknownNameError, echo
from runlineage.catalogs.base.spelling import plain_text, squash
from runlineage.catalogs.catalog import Workloads
from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS, PRINTED
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Workload
from runlineage.dataflow.inputs.inputs import WHOLE
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.variants import left_behind, printed_before

# What adds up: at the top of a run it is of the whole, and no stage's.
AMOUNTS = {"periods", *(name for name, field in FIELDS.items() if field.adds_up)}
# What is of the stage that it was measured in, or of the model that this one started from.
OF_ONE_STAGE = {
    *(name for name in (*ANSWERS, *PRINTED) if name not in AMOUNTS),
    *("tokens_per_second", "tokens_per_step", "step_time", "sequence_length", "attention_operations"),
    *("base_training_ops", "stage"),
}
OF_THE_RUN = {"assume", "prefer", "modules"}  # what is asked of the run, and never of one stage of it


@dataclass
class Divided:
    """The facts of a run divided: `top` is the run by its own facts, `stages` has each stage as a run.

    `given` are the facts of the run itself without those of its `workload`; `own` those of each stage alone, and
    `common` the names of those that it has from the run.
    """

    workload: Workload | None
    given: dict[str, Any]
    top: PublishedRunScenario
    stages: dict[str, PublishedRunScenario]
    own: dict[str, dict[str, Any]]
    common: dict[str, frozenset[str]]

    @property
    def is_alike(self) -> bool:
        """Whether the stages differ in amounts alone, so that what all have in common describes the whole."""
        return all(name in AMOUNTS or name == "stage" for facts in self.own.values() for name in facts)

    @property
    def whole(self) -> PublishedRunScenario:
        """The whole as one run: its amounts, with what describes all of them where the stages are alike in it."""
        shared = frozenset.intersection(*self.common.values()) if self.is_alike else frozenset[str]()
        facts = {name: fact for name, fact in self.top.facts.items() if name in AMOUNTS or name in shared}
        return PublishedRunScenario(name=self.top.name, assume=self.top.assume, modules=self.top.modules, **facts)

    def stated(self, stage: str) -> dict[str, Fact]:
        """Return the facts that a stage was given for itself; one of the run that it lacks is there without a value."""
        of_run, of_stage = self.top.inputs.stated, self.stages[stage].inputs.stated
        lacking = (name for name in of_run if name not in AMOUNTS and name not in of_stage)
        own = {name: fact for name, fact in of_stage.items() if name not in of_run or fact != of_run[name]}
        return own | {name: Fact(None) for name in lacking}


def divided(
    stages: Mapping[str, Mapping[str, Any]], workload: Any, given: Mapping[str, Any], name: str, asked: dict[str, Any]
) -> Divided:
    """Read a run of stages; `given` are the facts of the run itself, `asked` its assumptions, routes and modules.

    Raises `InputError` with the faults of the run and of every stage.
    """
    faults: list[Fault] = []
    sound = _sound(stages, faults)
    model = _model(workload, "workload", faults)
    faults += _faults_of_shared(given)
    of_model = _facts_of_model(model)
    shared = {key: each for key, each in {**of_model, **given}.items() if key not in OF_ONE_STAGE}
    title = name if name != "" else model.name if model else ""
    top = _read(faults, "", {"name": title, **asked, **shared})
    own = {stage: _with_withdrawn(facts) for stage, facts in sound.items()}
    # Where what is shared has faults, these are told once, and not again of each stage.
    common = {stage: inherited(shared, facts, of_model) if top else {} for stage, facts in own.items()}
    named = {stage: f"{stage} of {top.name if top else ''}" for stage in own}
    read = {
        stage: _read(faults, stage, {"name": named[stage], **(asked if top else {}), **common[stage], **facts})
        for stage, facts in own.items()
    }
    if faults or top is None:
        raise InputError(tuple(faults), top.name if top else plain_text(str(title)))
    runs = {stage: run for stage, run in read.items() if run is not None}
    return Divided(model, dict(given), top, runs, own, {stage: frozenset(facts) for stage, facts in common.items()})


def in_stage(name: object) -> str:
    """Name the place of a fault in a stage."""
    return f"stage {plain_text(str(name))[:60]!r}"


def inherited(shared: Mapping[str, Any], own: Mapping[str, Any], of_model: Collection[str] = ()) -> dict[str, Any]:
    """Return what a stage has of the facts that are given to the run: no amounts, and nothing that it has otherwise.

    A stage's own accelerator leaves behind the power of the other, and its own model the shape of the other, as in a
    variant. `of_model` are the facts that came with the run's model.

    >>> shared = {"accelerator": "H100 SXM", "device_power": "700 W", "pue": 1.1, "energy": "1 GWh"}
    >>> print(*inherited(shared, {"accelerator": "B200"}))
    pue
    """
    changed = [name for name, value in own.items() if _is_given(value)]
    common = {name: value for name, value in shared.items() if name not in AMOUNTS}
    gone = {*own, *left_behind(changed, common)} | ({*of_model} if "workload" in changed else set())
    return {name: value for name, value in common.items() if name not in gone}


def left_by_stage(
    own: Mapping[str, Any], stage: PublishedRunScenario, changed: Iterable[str], before: Collection[str]
) -> dict[str, Any]:
    """Return a stage's own facts without what described, or was recorded of, a shared fact that is another now."""
    shared = [name for name in changed if name not in own and name not in AMOUNTS]
    gone = left_behind(shared, before) - left_behind(shared, ())  # what is merely given beside stays the stage's
    kept = {name: value for name, value in own.items() if name not in gone}
    if any(name in before for name in shared):
        kept |= {name: fact for name, fact in printed_before(stage.inputs.stated).items() if name in kept}
    return kept


def _is_given(value: Any) -> bool:
    return getattr(value, "value", value) is not None


def _with_withdrawn(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stage's facts, where None withdraws a fact that it would share."""
    return {name: Fact(None) if value is None and name != "workload" else value for name, value in facts.items()}


def _read(faults: list[Fault], stage: str, facts: Mapping[str, Any]) -> PublishedRunScenario | None:
    """Read the facts of the run or of a stage, and keep their faults with the place."""
    try:
        run = PublishedRunScenario(**facts)
    except InputError as problem:
        faults += problem.at(f"{in_stage(stage)}: " if stage else "").faults
        return None
    faults += [
        Fault(f"{in_stage(stage)}: {name}" if stage else name, "is a column", "a run of stages is one: give one value")
        for name, value in run.inputs.given.items()
        if np.shape(value.magnitude)
    ]
    return run


def _sound(stages: Any, faults: list[Fault]) -> dict[str, dict[str, Any]]:
    """Return the stages by their names with what may be their facts; what may not is told, and left out."""
    if not isinstance(stages, Mapping):
        faults.append(Fault("stages", f"are {echo(stages)}", "expected a mapping of names to facts, a mapping each"))
        return {}
    if not stages:
        faults.append(Fault("stages", "are none", "name at least one, with its facts"))
    sound: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}
    for name, facts in stages.items():
        if not isinstance(name, str) or not squash(name) or name != plain_text(name).strip() or "#" in name:
            faults.append(Fault("stages", f"hold one called {echo(name)}", "name it in one line of text without #"))
        elif squash(name) == squash(WHOLE):
            faults.append(Fault(in_stage(name), "is the name of all stages together", "give the stage another name"))
        elif (other := names.setdefault(squash(name), name)) != name:
            faults.append(Fault(in_stage(name), f"is called as {other!r} is", "give each stage a name of its own"))
        if isinstance(facts, Mapping):
            sound[str(name)] = _sound_facts(name, facts, faults)
        else:
            faults.append(Fault(in_stage(name), f"is {echo(facts)}", "expected its facts by their fields"))
    return sound


def _sound_facts(stage: object, facts: Mapping[Any, Any], faults: list[Fault]) -> dict[str, Any]:
    sound = dict(facts)
    if "workload" in facts:
        sound["workload"] = _model(facts["workload"], f"{in_stage(stage)}: workload", faults)
    for name, value in facts.items():
        if fault := _fault_of_fact(f"{in_stage(stage)}: {plain_text(str(name))}", name, value):
            faults.append(fault)
            del sound[name]
    return sound


def _fault_of_fact(where: str, name: object, value: object) -> Fault | None:
    """Return what is wrong with a fact of a stage by its name alone: it is none, or not of a stage."""
    if not isinstance(name, str):
        return Fault(where, "is not a field", "expected the name of one")
    if name == "stages" or (name == "stage" and isinstance(value, (list, tuple))):
        return Fault(where, "holds stages", "a stage has none of its own: list them side by side")
    if name in OF_THE_RUN:
        return Fault(where, "is no fact of a stage", "it is asked of the whole run")
    return Fault(where, "is not a field", "the stage has its name already") if name in ("name", "self") else None


def _faults_of_shared(given: Mapping[str, Any]) -> list[Fault]:
    """List what is given to a whole run and can only be true of one stage."""
    return [
        Fault(name, "does not add up over stages, and is of one of them", "give it in the stage that it is of")
        for name, value in given.items()
        if name in OF_ONE_STAGE and _is_given(value)
    ]


def _facts_of_model(workload: Workload | None) -> dict[str, Any]:
    """Return the facts of a model that all stages share: its shape, and not the data of one training."""
    facts = workload.facts() if workload is not None else {}
    return {name: fact for name, fact in facts.items() if name not in AMOUNTS | OF_ONE_STAGE}


def _model(workload: Any, where: str, faults: list[Fault]) -> Workload | None:
    """Return the model that is named, of the run or of a stage."""
    if workload is None or isinstance(workload, Workload):
        return workload
    if not isinstance(workload, str):
        faults.append(Fault(where, f"is {echo(workload)}", "expected a Workload or the name of one"))
        return None
    try:
        return Workloads[workload]
    except UnknownNameError as problem:
        faults.append(Fault(where, str(problem)))
        return None
