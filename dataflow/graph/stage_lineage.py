"""The lineage of a run of several stages: that of each stage under its name, and the totals that rest on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.entries import Entry, Way, of_stage
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.stages import STAGES, StagedResults, figures_named
from runlineage.dataflow.inputs.inputs import WHOLE
from runlineage.dataflow.routes.plans import closure

FIRMNESS = ("stated", "derived", "modeled", "assumed")


@dataclass(frozen=True)
class Part:
    """The lineage of a stage, or of the whole, with the facts that it has in common with all: these are told once."""

    lineage: Lineage
    shared: Collection[str]


def staged_lineage(
    results: StagedResults, stages: Mapping[str, Part], whole: Part, served: Collection[str], run: Lineage
) -> Lineage:
    """Put together the lineage of totals.

    `served` are those that the facts of the whole run give, whether taken or not; `run` has what is told of the run
    itself: name, facts, assumptions.
    """
    made = _Gathered()
    reached = results.plan.reached
    added = [name for name in reached if results.answers[name].route == STAGES]
    stated = [name for name in reached if name not in added]
    for stage, part in stages.items():
        made.take(stage, part, added)
    made.take(WHOLE, whole, stated, plain=stated)
    for name in added:
        made.entries[name] = _sum(name, results, made.entries, stages, whole.lineage if name in served else None)
    for name in stated:
        made.entries[name] = _with_lacks(made.entries[name], stages)
    figures = {figure for name in added for figure in figures_named(name)}
    given = {name: fact for name, fact in whole.lineage.stated.items() if name in figures and fact.value is not None}
    return replace(
        run,
        outputs=reached,
        entries=Frozen(made.entries),
        warnings=results.warnings,
        unused=Frozen(made.unused),
        reported=Frozen(given | made.reported),
        problems=Frozen({name: problem.short for name, problem in results.problems.items()}),
        beyond=Frozen({name: entry for name, entry in made.beyond.items() if name not in made.entries}),
    )


class _Gathered:
    """What is gathered from the parts, each quantity once."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.beyond: dict[str, Entry] = {}
        self.unused: dict[str, tuple[str, tuple[Fact, ...]]] = {}
        self.reported: dict[str, Fact] = {}

    def take(self, stage: str, part: Part, outputs: Collection[str], plain: Collection[str] = ()) -> None:
        """Take what some outputs of a part rest on, under the names of the part; `plain` ones keep their own."""
        if not outputs:
            return
        lineage = part.lineage
        needed = closure(outputs, lambda name: lineage.entries[name].parents)
        names: dict[str, str] = {}
        for name, entry in lineage.entries.items():
            if name in needed:
                named = replace(entry, parents=tuple(names[each] for each in entry.parents))
                own = name not in plain and not self._is_common(name, named, part.shared)
                names[name] = of_stage(name, stage if own else "")
                self.entries[names[name]] = _named(named, names, stage, own=own)
        for name, entry in lineage.beyond.items():
            own = name not in part.shared
            self.beyond.setdefault(of_stage(name, stage if own else ""), _named(entry, names, stage, own=own))
        for name, unused in lineage.unused.items():
            own = name not in part.shared or self.unused.get(name, unused) != unused
            self.unused[of_stage(name, stage if own else "")] = unused
        self.reported |= {of_stage(name, "" if plain else stage): fact for name, fact in lineage.reported.items()}

    def _is_common(self, name: str, entry: Entry, shared: Collection[str]) -> bool:
        """Whether a fact is of all stages: given to the run, or looked up by such facts alone."""
        common = entry.is_fact and (name in shared or bool(entry.parents))
        looked_up = all(not self.entries[each].stage for each in entry.parents)
        known = self.entries.get(name)
        return common and looked_up and (known is None or known == entry)


def _named(entry: Entry, names: Mapping[str, str], stage: str, *, own: bool) -> Entry:
    """Name what the routes to a quantity of a stage need as the stage's own; the quantity itself where it is."""
    ways = tuple(
        replace(way, needs=tuple(names.get(each, of_stage(each, stage)) for each in way.needs)) for way in entry.ways
    )
    return replace(entry, ways=ways, stage=stage if own else "")


def _sum(
    name: str,
    results: StagedResults,
    entries: Mapping[str, Entry],
    stages: Mapping[str, Part],
    whole: Lineage | None,
) -> Entry:
    parents = tuple(of_stage(name, stage) for stage in stages)
    terms = [entries[each] for each in parents]
    equation, value = " + ".join(parents), results[name]
    ways = [Way(STAGES, "taken", equation, parents, value=value)]
    other = whole.entries[name] if whole is not None else None
    if other is not None and not other.is_fact:  # a stated one stands beside as what is printed
        ways.append(Way(WHOLE, "open", other.equation, (), other.assumption, other.value))
    return Entry(
        name=name,
        value=value,
        route=STAGES,
        equation=equation,
        working=" + ".join(people(each.value) for each in terms),
        excludes=", ".join(dict.fromkeys(each.excludes for each in terms if each.excludes)),
        basis=max("derived", *(each.basis for each in terms), key=FIRMNESS.index),
        assumption=None,
        source="",
        citation=None,
        place="",
        note="",
        beside=(),
        parents=parents,
        ways=tuple(ways),
        about=FIELDS[name].sentence,
    )


def _with_lacks(entry: Entry, stages: Mapping[str, Part]) -> Entry:
    """Say of a figure of the whole which stages it could not be added up from."""
    problems = ((stage, part.lineage.problems.get(entry.name)) for stage, part in stages.items())
    lacks = "; ".join(f"{problem} in {stage}" for stage, problem in problems if problem)
    equation = " + ".join(of_stage(entry.name, stage) for stage in stages)
    return replace(entry, ways=(*entry.ways, Way(STAGES, "closed", equation, (), lacks=lacks)))
