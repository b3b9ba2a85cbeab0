"""Routes in circles: rates give work and work gives rates, and no choice depends on what is asked first."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.routes.resolver import Resolution

BOOK = read_routes(*MODULES)
FACTS = (
    *("parameters", "training_tokens", "training_ops", "accelerator_hours", "accelerator_count", "duration"),
    *("peak_flops", "achieved_rate", "peak_fraction"),
)
ASKED = ("training_operations", "achieved_rate", "peak_fraction")


@pytest.mark.parametrize("assume", [(), ("count_duration",), ("modeled_reference", "count_duration")])
def test_each_choice_is_the_same_whatever_else_is_asked(assume: tuple[str, ...]) -> None:
    """Exhaustive over all subsets of facts: plans without circles, in an order that can be computed."""
    for size in range(len(FACTS) + 1):
        for supplied in map(frozenset, combinations(FACTS, size)):
            alone = {name: _route(supplied, (name,), assume, name) for name in ASKED}
            for asked in permutations(ASKED):
                plan = Resolution(BOOK.routes, BOOK.replaced, supplied, frozenset(assume)).plan(asked)
                done: set[str] = set()
                for name in plan.order:
                    assert set(plan.choices[name].needs) <= done, (supplied, asked, name)
                    done.add(name)
                assert {name: _route(supplied, asked, assume, name) for name in ASKED} == alone, supplied


def _route(supplied: frozenset[str], asked: tuple[str, ...], assume: tuple[str, ...], name: str) -> str | None:
    plan = BOOK.plan(supplied, asked, assume)
    return None if name in plan.missing else plan.route(name) or "its only route"


@pytest.mark.parametrize(
    ("supplied", "metric", "route"),
    [
        ({"achieved_rate", "accelerator_hours"}, "training_operations", "rate_time"),
        ({"achieved_rate", "accelerator_count", "duration"}, "training_operations", "rate_count_duration"),
        ({"peak_fraction", "peak_flops", "accelerator_hours"}, "training_operations", "rate_time"),
        ({"peak_fraction", "peak_flops"}, "achieved_rate", "reported_fraction"),
        ({"achieved_rate", "training_ops", "accelerator_hours"}, "training_operations", "recorded"),
        ({"peak_fraction", "peak_flops", "training_ops", "accelerator_hours"}, "achieved_rate", "accelerator_time"),
    ],
)
def test_a_published_figure_serves_after_what_computes(supplied: set[str], metric: str, route: str) -> None:
    assert BOOK.plan(supplied, (metric,)).route(metric) == route


def test_a_computed_rate_does_not_come_back_as_its_own_evidence() -> None:
    plan = BOOK.plan({"training_ops", "accelerator_hours", "accelerator_count", "duration"}, ("training_operations",))
    assert plan.alternatives("training_operations") == ()
    assert "rate_time" not in plan.lacks("training_operations")
