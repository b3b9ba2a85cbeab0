"""What was read of a card or file and serves no answer: a figure that is seen nowhere would be lost in silence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from runlineage.catalogs.catalog import Sources
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.entries import of_stage
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import OF
from runlineage.dataflow.graph.results import Results
from runlineage.visualizations.tree import WIDTH, published_text, wrapped

REMARKS = {
    "stage",
    "architecture",
    "sparse",
    "work_counts",
    "power_basis",
    "precision",
}  # words about other facts


def unused_by_results(results: Results, *, width: int = WIDTH) -> str:
    """List the facts of a card or file that no answer of some results rests on or is compared with.

    >>> from runlineage import Fact, PublishedRunScenario
    >>> run = PublishedRunScenario(published_emissions=Fact("18 t", source="a card", place="line 3"))
    >>> print(unused_by_results(run.results("energy")))
      published_emissions: 18 tCO2e [a card, line 3]
    """
    parents = {word for name in results.plan.order for word in results.inputs.parents.get(name, ())}
    printed = {each.fact for name in results.plan.outputs if (each := results.result(name).printed)}
    return _listed(_left_over(results.inputs.stated, {*results.plan.order, *parents, *printed}), width)


def unused_by_lineage(lineage: Lineage, *, width: int = WIDTH) -> str:
    """List the facts of a card or file that nothing in a lineage rests on, is compared with or explains."""
    return "\n".join(filter(None, (_listed(left_over(part), width) for part in lineage.runs)))


def left_over(lineage: Lineage) -> dict[str, Fact]:
    """Return the facts of a card or file that nothing in the lineage of a run uses."""
    stated = dict(lineage.stated)
    for stage, facts in lineage.stages.items():
        stated |= {of_stage(name, stage): fact for name, fact in facts.items()}
    return _left_over(stated, {*lineage.entries, *lineage.reported, *lineage.unused})


def _left_over(stated: Mapping[str, Fact], used: Collection[str]) -> dict[str, Fact]:
    """Leave out what the catalog holds and what the caller gave: whoever gave a fact knows of it."""
    return {
        name: replace(fact, value=getattr(fact.value, "name", fact.value))
        for name, fact in stated.items()
        if fact.value is not None
        and fact.source
        and fact.source not in Sources
        and name not in used
        and name.partition(OF)[0] not in REMARKS
    }


def _listed(facts: Mapping[str, Fact], width: int) -> str:
    lines = [f"{name}: {published_text(fact)}" for name, fact in facts.items()]
    return "\n".join(part for line in lines for part in wrapped(line, "  ", width))
