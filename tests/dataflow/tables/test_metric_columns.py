"""Metrics as expressions: every node runs on columns, and the ways of a metric are those of the resolver."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator

import narwhals as nw
import polars as pl
import pytest

from runlineage import metrics
from runlineage.catalogs.quantities.fields import FIELDS, FOOTPRINT, METRICS
from runlineage.catalogs.quantities.units import quantity, registry
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.routes.routes import node_functions
from runlineage.dataflow.tables.metric_columns import PREFIX, Path, columns_of, needed, paths_to

BOOK = read_routes(metrics)
WHOLE = read_routes(*MODULES)
NODES = {key: function for module in MODULES for key, function in node_functions(module)}
SUBSETS = [frozenset(chosen) for size in range(4) for chosen in itertools.combinations(BOOK.assumptions, size)]
NAMES = (*METRICS, "parameters_per_token", "accelerator_hours", "device_power")


def facts_of(name: str) -> tuple[str, ...]:
    """Name the facts that some route to a quantity could use."""
    return tuple(sorted(BOOK.upstream([name]) & set(BOOK.inputs)))


def patterns(facts: tuple[str, ...]) -> Iterator[frozenset[str]]:
    for size in range(len(facts) + 1):
        yield from map(frozenset, itertools.combinations(facts, size))


def taken(name: str, supplied: frozenset[str], assume: frozenset[str]) -> tuple[dict[str, str], frozenset[str]] | None:
    """Give the resolver's own way to a quantity: its config and its assumptions."""
    plan = BOOK.plan(supplied, (name,), assume)
    if plan.missing:
        return None
    return dict(plan.config), frozenset(plan.assumes(name))


def first_open(paths: tuple[Path, ...], supplied: frozenset[str]) -> Path | None:
    return next((path for path in paths if path.facts <= supplied), None)


@pytest.mark.parametrize("key", NODES)
def test_every_node_runs_on_expressions(key: str) -> None:
    names = list(inspect.signature(NODES[key]).parameters)
    units = {name: FIELDS[name].kind.unit for name in names}
    numbers = {name: 3.0 + 4.0 * place for place, name in enumerate(names)}
    if not names:
        assert isinstance(NODES[key](), FIELDS[key.partition("__")[0]].kind)
        return
    symbolic = NODES[key](**{name: registry().Quantity(nw.col(name), units[name]) for name in names})
    scalar = NODES[key](**{name: quantity(numbers[name], units[name]) for name in names})
    assert isinstance(symbolic, FIELDS[key.partition("__")[0]].kind)
    assert symbolic.units == scalar.units
    table = nw.from_native(pl.DataFrame({name: [number, None] for name, number in numbers.items()}))
    column = table.select(symbolic.magnitude.alias("found"))["found"].to_list()
    assert column == [pytest.approx(scalar.magnitude, rel=1e-15), None]


def test_every_route_of_the_book_has_its_node_here() -> None:
    assert sum(map(len, WHOLE.routes.values())) == len(NODES)


@pytest.mark.parametrize("name", FOOTPRINT)
def test_the_footprints_first_open_way_is_the_resolvers(name: str) -> None:
    facts = tuple(sorted(WHOLE.upstream([name]) & set(WHOLE.inputs) - {"training_ops", "accelerator_count"}))
    for assume in (frozenset[str](), frozenset({"no_overhead"}), frozenset({"no_overhead", "tdp"})):
        paths = paths_to(WHOLE, name, facts, assume)
        for supplied in patterns(facts):
            plan, path = WHOLE.plan(supplied, (name,), assume), first_open(paths, supplied)
            assert (path is None) == bool(plan.missing)
            if path is not None:
                assert (path.config, path.assumes) == (plan.config, frozenset(plan.assumes(name)))


@pytest.mark.parametrize("assume", SUBSETS, ids=lambda assume: "+".join(sorted(assume)) or "none")
@pytest.mark.parametrize("name", NAMES)
def test_the_first_open_way_is_the_resolvers_for_every_pattern_of_facts(name: str, assume: frozenset[str]) -> None:
    facts = facts_of(name)
    paths = paths_to(BOOK, name, facts, assume)
    for supplied in patterns(facts):
        found, path = taken(name, supplied, assume), first_open(paths, supplied)
        if found is None:
            assert path is None
        else:
            assert path is not None
            assert (path.config, path.assumes) == found, sorted(supplied)


@pytest.mark.parametrize("assume", SUBSETS, ids=lambda assume: "+".join(sorted(assume)) or "none")
@pytest.mark.parametrize("name", METRICS)
def test_no_way_that_would_be_chosen_is_dropped(name: str, assume: frozenset[str]) -> None:
    facts = facts_of(name)
    paths = paths_to(BOOK, name, facts, assume)
    chosen = {supplied: first_open(paths, supplied) for supplied in patterns(facts)}
    for complete in chosen:
        kept = needed(paths, complete)
        for supplied, path in chosen.items():
            if complete <= supplied:
                assert first_open(kept, supplied) is path, (sorted(complete), sorted(supplied))


@pytest.mark.parametrize("name", METRICS)
def test_every_way_that_is_kept_is_reached_by_some_row(name: str) -> None:
    facts, assume = facts_of(name), frozenset(BOOK.assumptions)
    paths = paths_to(BOOK, name, facts, assume)
    for complete in patterns(facts):
        kept = needed(paths, complete)
        assert {id(path) for path in kept} == {id(first_open(kept, complete | path.facts)) for path in kept}


def test_ways_come_by_fewest_assumptions_then_by_source() -> None:
    paths = paths_to(BOOK, "achieved_rate", facts_of("achieved_rate"), frozenset(BOOK.assumptions))
    assert [len(path.assumes) for path in paths] == sorted(len(path.assumes) for path in paths)
    routes = [path.config["achieved_rate_route"] for path in paths if not path.assumes]
    assert list(dict.fromkeys(routes)) == ["accelerator_time", "reference_run", "reported"]


def test_a_fact_that_is_there_in_every_row_closes_what_comes_after_it() -> None:
    paths = paths_to(BOOK, "training_operations", facts_of("training_operations"), frozenset())
    assert len(needed(paths, ())) == 5
    assert [path.config for path in needed(paths, {"training_ops"})] == [{"training_operations_route": "recorded"}]
    assert len(needed(paths, {"active_parameters"})) == 4


def test_columns_come_in_the_order_asked_and_in_published_units() -> None:
    facts = {"training_ops": 3.6e17, "accelerator_hours": 3600.0, "peak_flops": 2e14, "device_power": 400.0}
    columns = columns_of((metrics,), BOOK, ("peak_fraction", "energy", "achieved_rate"), frozenset(facts))
    assert [column.name for column in columns] == ["peak_fraction", "energy", "achieved_rate"]
    table = nw.from_native(pl.LazyFrame({PREFIX + name: [value] for name, value in facts.items()}))
    found = table.select(**{column.name: column.expressions[0] for column in columns}).collect()
    assert found.rows(named=True) == [
        {
            "peak_fraction": pytest.approx(0.5, rel=1e-15),
            "energy": pytest.approx(4e-7, rel=1e-15),
            "achieved_rate": pytest.approx(100, rel=1e-15),
        }
    ]


def test_a_fact_may_be_asked_and_an_assumption_stands_behind_it() -> None:
    available = ("accelerator_hours", "accelerator_count", "duration")
    (column,) = columns_of((metrics,), BOOK, ("accelerator_hours",), available, frozenset({"count_duration"}))
    assert [sorted(path.facts) for path in column.paths] == [["accelerator_hours"], ["accelerator_count", "duration"]]
    rows = {PREFIX + "accelerator_hours": [3600.0, None], PREFIX + "accelerator_count": [2.0] * 2}
    table = nw.from_native(pl.DataFrame(rows | {PREFIX + "duration": [36000.0] * 2}))
    found = table.select(found=nw.coalesce(*column.expressions))["found"].to_list()
    assert found == [pytest.approx(1), pytest.approx(20)]


def test_what_no_fact_leads_to_has_no_expression() -> None:
    (column,) = columns_of((metrics,), BOOK, ("energy",), ("training_ops",))
    assert (column.paths, column.expressions) == ((), ())


def test_the_graph_is_run_once_for_a_pattern_of_columns() -> None:
    asked = (metrics,), BOOK, tuple(METRICS), ("training_ops", "accelerator_hours")
    assert columns_of(*asked) is columns_of(*asked)
