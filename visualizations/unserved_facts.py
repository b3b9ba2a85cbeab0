"""What was read of a card and serves none of the answers: it is listed, so that nothing read goes unseen."""

from __future__ import annotations

import textwrap

from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import is_ours
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.graph.results import Results
from runlineage.visualizations.tree import WIDTH

QUALIFY = {"sparse", "architecture", "stage", "work_counts", "power_basis", "precision"}  # words about other facts


def unserved_facts(results: Results) -> str:
    """List the facts that were read and that none of the results rests on, with their places; empty where none is.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(published_emissions="18 t", accelerator_hours=5, device_power=400)
    >>> print(unserved_facts(run.results(["energy"])).strip())
    published_emissions 18 tCO2e
    """
    inputs = results.inputs
    used = set(results.plan.order)
    used |= {word for name in used for word in inputs.parents.get(name, ())}
    used |= {printed.fact for name in results.plan.outputs if (printed := results.result(name).printed)}
    unserved = {name: fact for name, fact in inputs.stated.items() if name not in used | QUALIFY}
    lines = [_line(name, fact) for name, fact in unserved.items() if fact.value is not None]
    return "\n".join(textwrap.fill(line, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6) for line in lines)


def _line(name: str, fact: Fact) -> str:
    value = people(fact.value) if is_ours(fact.value) else plain_text(str(getattr(fact.value, "name", fact.value)))
    return f"{name} {value}" + (f" ({plain_text(fact.place)})" if fact.place else "")
