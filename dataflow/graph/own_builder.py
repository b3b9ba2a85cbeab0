"""For a user's own `hamilton.driver.Builder`: the config that picks the routes, and inputs in coherent units."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from types import ModuleType
from typing import Any

from runlineage.catalogs.base.errors import RunlineageWarning
from runlineage.catalogs.quantities.fields import FIELDS, WORDS
from runlineage.dataflow.inputs.read_inputs import read_inputs
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import names_of, read_routes
from runlineage.dataflow.routes.explain import explain


def routes(
    modules: ModuleType | Iterable[ModuleType],
    supplied: Mapping[str, Any] | Collection[str],
    outputs: str | Iterable[str],
    assume: Iterable[str] = (),
) -> dict[str, str]:
    """Return the config of the routes that the supplied facts open to the outputs, sorted.

    `supplied` are facts by name, read as `graph_inputs` reads them, or names alone, taken as they are.
    Raises `CannotComputeError` where no route leads to an output.

    >>> from runlineage.dataflow import metrics
    >>> routes(metrics, {"training_ops", "accelerator_count", "duration"}, ["achieved_rate"])
    {'achieved_rate_route': 'reference_run'}
    """
    book = read_routes(*((modules,) if isinstance(modules, ModuleType) else modules))
    read = read_inputs(supplied, other=book.known) if isinstance(supplied, Mapping) else None
    names = frozenset(supplied) if read is None else frozenset(read.graph)
    book.refuse_plain(names)
    plan = book.plan(names, names_of(outputs), book.check_assumptions(assume))
    if plan.missing:
        raise explain(book, plan.missing[0], names, assume, read.withheld if read else None)
    return dict(plan.config)


def graph_inputs(inputs: Mapping[str, Any], modules: ModuleType | Iterable[ModuleType] = ()) -> dict[str, Any]:
    """Bring facts, as people state them, into the coherent units that flow in the graph; all else passes as it is.

    With `modules` of your own, text for an input of theirs is read where the node declares a kind, and a name that
    neither they nor our facts know is refused. Raises `InputError` for facts that cannot be used.

    >>> print(graph_inputs({"duration": "14.8 days"})["duration"])
    1.27872×10⁶ second
    """
    if not modules:
        read = read_inputs(inputs, other=inputs.keys() - FIELDS.keys() - WORDS.keys() - {"periods"})
    else:
        book = read_routes(*MODULES, *((modules,) if isinstance(modules, ModuleType) else modules))
        read = read_inputs(book.read_own(inputs), other=book.known)
    for name in read.ranges:
        what = f"{name} is a range, of which a graph of your own gets the median; Driver gives the interval"
        warnings.warn(what, RunlineageWarning, stacklevel=2)
    return dict(read.graph)
