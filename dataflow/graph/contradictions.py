"""Answers that are given as facts, held against what the other facts give of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.units import is_ours
from runlineage.dataflow.graph.printed import difference, share
from runlineage.dataflow.graph.results import published
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.routes.plans import Plan

TOLERANCE = 0.05
OF_A_PART = {("it_energy", "devices_alone")}  # routes that give a part: a whole that is more contradicts nothing

Compute = Callable[[Plan, Iterable[str], Inputs], Mapping[str, Any]]


def contradictions(book: RouteBook, plan: Plan, inputs: Inputs, run: Compute) -> list[str]:
    """List the supplied answers of a plan that differ from what the other facts give without an assumption.

    `run` computes some quantities of a plan from inputs, as the driver does.
    """
    texts = []
    for name in plan.order:
        if plan.choices[name].route is None and book.routes.get(name):
            rest = Frozen({fact: value for fact, value in inputs.graph.items() if fact != name})
            other = book.plan(rest.keys(), [name], frozenset())
            if other.reached and other.choices[name].needs:  # a default of the graph contradicts nothing
                # A user's node that fails here does not spoil the answer that does not need it.
                with contextlib.suppress(Exception):
                    computed = run(other, [name], replace(inputs, graph=rest))[name]
                    of_part = (name, other.route(name)) in OF_A_PART
                    if not _holds(inputs, name, computed):
                        needs = other.choices[name].needs
                        texts += _difference(name, inputs.graph[name], computed, needs, of_part)
    return texts


def _holds(inputs: Inputs, name: str, computed: Any) -> bool:
    """Whether an answer is given as a range that holds what the facts give."""
    given = inputs.ranges.get(name)
    return given is not None and bool(given.low <= computed <= given.high)


def _difference(name: str, given: Any, computed: Any, needs: Iterable[str], of_part: bool = False) -> list[str]:
    """Put into words that an answer was given and the facts give another; nothing where the two agree."""
    off = difference(given, computed).m_as("") if is_ours(given) and is_ours(computed) else 0.0
    off = np.minimum(off, 0.0) if of_part else off
    worst = float(np.ravel(off)[np.argmax(np.abs(off))])
    if abs(worst) <= TOLERANCE:
        return []
    needs = tuple(needs)
    theirs = f"the {people(published(name, computed))} that {' and '.join(needs)} {'give' if needs[1:] else 'gives'}"
    return [f"{name} is given as {people(published(name, given))}, {share(worst, theirs)}"]
