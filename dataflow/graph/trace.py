"""From a plan and its values to a lineage: an entry for each quantity, with its equation and sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.catalog import Sources, catalog_version
from runlineage.catalogs.quantities.fields import WORDS, field_of
from runlineage.catalogs.quantities.units import convert_like, is_ours
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact, Source
from runlineage.dataflow.graph.entries import Entry, State, Way
from runlineage.dataflow.graph.equations import described, with_numbers, written
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import ANSWER_OF
from runlineage.dataflow.graph.results import GIVEN, Results, published
from runlineage.dataflow.inputs.inputs import Inputs
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.routes.plans import SUPPLIED, Plan
from runlineage.dataflow.routes.routes import ONLY, Route
from runlineage.dataflow.routes.spread_assumptions import SPREADS, SpreadAssumption
from runlineage.dataflow.spreads.spread import Spread


def trace(
    subject: str,
    results: Results,
    values: Mapping[str, Any],
    others: Mapping[tuple[str, str], Any],
    book: RouteBook,
    assume: Collection[str] = (),
    spreads: Mapping[str, Spread] = Frozen({}),
) -> Lineage:
    """Put together the lineage of some results.

    `values` are those of every quantity of the plan, `others` what the open routes that were not taken would give, by
    quantity and route.
    """
    plan, inputs = results.plan, results.inputs
    values = {**values, **{name: each.value for name, each in spreads.items() if plan.choices[name].route}}
    entries: dict[str, Entry] = {}
    for name in plan.order:
        looked_up_by = inputs.parents.get(name, ()) if plan.choices[name].route is None else ()
        entries |= {word: _fact(word, inputs) for word in looked_up_by}
        route = plan.choices[name].route
        if route is None:
            entries[name] = _fact(name, inputs)
        elif route.is_literal:
            note = f"written in {route.function.__name__}"
            entries[name] = _given(name, published(name, values[name]), Fact(None, note=note))
        else:
            entries |= _written(name, route, plan)
            entries[name] = _computed(name, route, plan, values, others, entries)
    for each in SPREADS.values():
        if each.name in assume and each.quantity in entries and each.concerns(plan.choices.get(each.quantity)):
            entries[each.quantity] = replace(entries[each.quantity], note=_cited(each))
    entries |= {name: _with_interval(entries[name], each) for name, each in spreads.items() if name in entries}
    upstream = book.upstream(plan.outputs)
    beyond = {name: _beyond(name, plan, inputs) for name in sorted(upstream) if name not in entries}
    reported = {
        name: inputs.stated[name]
        for name, answer in ANSWER_OF.items()
        if name in inputs.stated and answer in upstream and name not in entries
    }
    return Lineage(
        subject,
        plan.reached,
        Frozen(entries),
        results.warnings,
        catalog_version(),
        Frozen(_unused(upstream, entries, inputs)),
        Frozen({name: fact for name, fact in reported.items() if fact.value is not None}),
        Frozen({name: problem.short for name, problem in results.problems.items()}),
        Frozen(beyond),
        stated=inputs.stated,
        assume=tuple(sorted(assume)),
        prefer=book.prefer,
    )


def _cited(each: SpreadAssumption) -> str:
    sources = " and ".join(str(Sources[key]) for key in each.sources)
    return f'assumption "{each.name}": {each.sentence}: {sources}, {each.place}'


def _with_interval(entry: Entry, spread: Spread) -> Entry:
    """Add the interval of a quantity, in the unit in which its value is shown."""
    low, high = spread.interval
    if is_ours(entry.value):
        low, high = convert_like(low, entry.value), convert_like(high, entry.value)
    return replace(entry, interval=(low, high), budget=spread.budget)


def _unused(
    upstream: Collection[str], entries: Collection[str], inputs: Inputs
) -> dict[str, tuple[str, tuple[Fact, ...]]]:
    unused = {}
    for name in sorted(upstream):
        origin = inputs.origins.get(name)
        withheld = inputs.withheld.get(name, "")
        if name not in entries and (withheld or (origin and origin.beside)):
            shown = inputs.stated[name] if withheld else None
            unused[name] = (withheld, (*((shown,) if shown else ()), *(origin.beside if origin else ())))
    return unused


def _written(name: str, route: Route, plan: Plan) -> dict[str, Entry]:
    """Make an entry of each number that enters a node and comes from no other: a literal, a default."""
    entries = {}
    for parameter, (value, where) in written(route, plan.order).items():
        called = f"{name}.{parameter}"
        entries[called] = _given(called, published(called, value), Fact(None, note=where))
    return entries


def _computed(
    name: str,
    route: Route,
    plan: Plan,
    values: Mapping[str, Any],
    others: Mapping[tuple[str, str], Any],
    entries: Mapping[str, Entry],
) -> Entry:
    formula, excludes, about = described(route)
    parents = [each for each in (*route.needs, *route.optional) if each in plan.order]
    literals = {f"{name}.{parameter}": parameter for parameter in written(route, plan.order)}
    value = published(name, values[name])
    return Entry(
        name=name,
        value=value,
        route=route.name,
        equation=formula,
        working=with_numbers(
            formula,
            route,
            {each: entries[each].value for each in parents},
            {parameter: entries[called].value for called, parameter in literals.items()},
        ),
        excludes=excludes,
        basis=route.basis,
        assumption=next(iter(route.guesses), None),
        source="",
        citation=None,
        place="",
        note="",
        beside=(),
        parents=(*parents, *literals),
        ways=_ways(name, route, value, plan, others),
        about=about,
    )


def _ways(name: str, taken: Route, value: Any, plan: Plan, others: Mapping[tuple[str, str], Any]) -> tuple[Way, ...]:
    open_ways = (
        _way(route, "open", published(name, others.get((name, route.short))))
        for route in plan.choices[name].alternatives
    )
    return (_way(taken, "taken", value), *open_ways, *_closed(name, plan))


def _beyond(name: str, plan: Plan, inputs: Inputs) -> Entry:
    """Describe a quantity upstream that is not known, or that was not needed."""
    choice = plan.choices.get(name)
    routes = (*((choice.route,) if choice and choice.route else ()), *(choice.alternatives if choice else ()))
    ways = (*(_way(route, "open") for route in routes), *_closed(name, plan))
    return replace(_fact(name, inputs), ways=ways, route=None if ways else SUPPLIED)


def _closed(name: str, plan: Plan) -> tuple[Way, ...]:
    return tuple(_way(lack.route, "closed", lacks=str(lack)) for lack in plan.closed.get(name, ()))


def _way(route: Route, state: State, value: Any = None, lacks: str = "") -> Way:
    return Way(route.name or ONLY, state, described(route)[0], route.needs, route.assumption, value, lacks)


def _fact(name: str, inputs: Inputs) -> Entry:
    origin = inputs.origins.get(name) or Fact(None)
    value = inputs.given.get(name, inputs.graph.get(name, inputs.words.get(name)))
    return _given(name, value.name if isinstance(value, HardwareNode) else value, origin, inputs.parents.get(name, ()))


def _given(name: str, value: Any, origin: Fact, parents: tuple[str, ...] = ()) -> Entry:
    known = field_of(name) or WORDS.get(name)
    return Entry(
        name=name,
        value=value,
        route=SUPPLIED,
        equation="",
        working="",
        excludes="",
        basis=origin.basis,
        assumption=None,
        source=origin.source or GIVEN,
        citation=cited(origin),
        place=origin.place or "",
        note=origin.note or "",
        beside=origin.beside,
        parents=parents,
        about=known.sentence if known else "",
    )


def cited(fact: Fact) -> Source | None:
    """Return the entry of the bibliography behind a fact: the one that came with it, or the catalog's."""
    if fact.citation or not fact.source:
        return fact.citation
    return Sources[fact.source] if fact.source in Sources else None  # noqa: SIM401 - a miss of get() seeks near names
