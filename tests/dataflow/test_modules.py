"""What holds for every node of our modules: whole annotations, an equation, a mark where its basis is not derived."""

from __future__ import annotations

import pytest

from runlineage.catalogs.quantities.fields import ANSWERS, FIELDS, STEPS
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.dataflow.graph.equations import described
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.routes.routes import Route, node_functions

BOOK = read_routes(*MODULES)
ROUTES = [route for each in BOOK.routes.values() for route in each]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.label)
def test_a_node_annotates_parameters_and_result_with_kinds_and_has_an_equation(route: Route) -> None:
    annotations = route.function.__annotations__
    assert set(annotations) == {*route.needs, "return"}
    assert all(kind in KINDS.values() for kind in annotations.values())
    assert route.gives is FIELDS[route.result].kind
    equation, _, about = described(route)
    assert all(name in equation for name in route.needs)
    assert about.endswith(".")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_function_of_a_module_is_left_out_of_the_book(module: object) -> None:
    written = {key for key, _ in node_functions(module)}  # type: ignore[arg-type]
    read = {f"{route.result}__{route.name}" if route.name else route.result for route in ROUTES}
    assert written <= read


def test_every_metric_has_a_route_and_only_facts_have_none_without_an_assumption() -> None:
    without = {name for name, routes in BOOK.routes.items() if all(route.assumption for route in routes)}
    assert set(BOOK.routes) - without == {*ANSWERS, *STEPS}
    assert without.isdisjoint(ANSWERS)
