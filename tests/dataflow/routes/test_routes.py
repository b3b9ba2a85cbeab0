"""The resolver: which route wins, what it says of the others, and every subset of facts."""

from __future__ import annotations

import itertools
import sys
import types
from types import FunctionType

import pytest
from hamilton.ad_hoc_utils import create_temporary_module

from runlineage import CannotComputeError, Driver, InputError, UnknownNameError, metrics, routes
from runlineage.catalogs.base.errors import GraphError
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.routes.book import RouteBook, read_routes
from runlineage.dataflow.routes.explain import explain

BOOK = read_routes(metrics)
METRICS = ("training_operations", "achieved_rate", "energy", "peak_fraction")
VALUES = {
    "training_ops": 3.14e23,
    "training_tokens": 300e9,
    "active_parameters": 17e9,
    "parameters": 175e9,
    "accelerator_hours": 3.552e6,
    "accelerator_count": 10_000,
    "duration": 14.8,
    "device_power": 330,
    "peak_flops": 125,
    "accelerator_tdp": 300,
}
ASSUMPTIONS = BOOK.assumptions


def module(name: str, **functions: FunctionType) -> types.ModuleType:
    """Make a user's module of node functions, as in a notebook."""
    sys.modules.pop(name, None)
    for key, function in functions.items():
        function.__name__ = key
    return create_temporary_module(*functions.values(), module_name=name)


def test_preference_is_the_order_of_the_functions() -> None:
    assert [route.name for route in BOOK.routes["achieved_rate"]] == [
        "accelerator_time",
        "reference_run",
        "modeled_reference",
        "reported_fraction",
        "reported",
    ]
    assert ASSUMPTIONS == ("modeled_reference", "count_duration", "tdp")


def test_the_first_open_route_wins_and_the_others_are_known() -> None:
    plan = BOOK.plan({"training_ops", "parameters", "training_tokens"}, ("training_operations",))
    assert plan.config == {"training_operations_route": "recorded"}
    assert plan.alternatives("training_operations") == ("parameter_token",)


def test_fewest_assumptions_come_before_order() -> None:
    supplied = {"training_ops", "accelerator_count", "duration", "device_power"}
    plan = BOOK.plan(supplied, ("achieved_rate", "energy"), {"count_duration"})
    assert plan.route("achieved_rate") == "reference_run"
    assert plan.route("accelerator_hours") == "count_duration"
    assert plan.assumes("achieved_rate") == ()
    assert plan.assumes("energy") == ("count_duration",)
    assert plan.alternatives("achieved_rate") == ("accelerator_time",)


def test_what_each_closed_route_lacks_is_said() -> None:
    plan = BOOK.plan({"training_ops", "accelerator_count", "duration"}, ("achieved_rate",))
    assert plan.lacks("achieved_rate") == {
        "accelerator_time": "needs accelerator_hours",
        "modeled_reference": 'not assumed ("modeled_reference")',
    }
    assert str(plan) == (
        "achieved_rate: reference_run\n"
        "  achieved_rate by accelerator_time: needs accelerator_hours\n"
        '  achieved_rate by modeled_reference: not assumed ("modeled_reference")'
    )


def test_a_plan_says_what_an_impossible_metric_lacks() -> None:
    plan = BOOK.plan({"device_power"}, ("energy",))
    assert (plan.missing, [str(lack) for lack in plan.closed["energy"]]) == (("energy",), ["needs accelerator_hours"])


def test_an_assumption_that_is_not_enough_is_not_called_unneeded() -> None:
    assert BOOK.plan({"accelerator_tdp"}, ("energy",), {"tdp"}).unneeded == ()


def test_a_kept_plan_cannot_be_changed() -> None:
    plan = BOOK.plan({"training_ops"}, ("training_operations",))
    with pytest.raises(TypeError, match="does not change"):
        plan.config["training_operations_route"] = "parameter_token"  # type: ignore[index]


def test_a_supplied_metric_is_used_and_nothing_above_it_is_asked() -> None:
    plan = BOOK.plan({"achieved_rate", "peak_flops"}, ("peak_fraction",))
    assert plan.config == {"achieved_rate_route": "supplied"}
    assert plan.order == ("achieved_rate", "peak_flops", "peak_fraction")


def test_an_assumption_that_was_not_needed_is_said() -> None:
    assert BOOK.plan({"training_ops"}, ("training_operations",), {"tdp"}).unneeded == ("tdp",)


def test_the_config_is_sorted_and_ready_for_the_users_own_builder() -> None:
    supplied = {"parameters", "training_tokens", "accelerator_count", "duration", "accelerator_tdp"}
    config = routes(metrics, supplied, ["achieved_rate", "energy"], assume={"count_duration", "tdp"})
    assert list(config.items()) == [
        ("accelerator_hours_route", "count_duration"),
        ("achieved_rate_route", "accelerator_time"),
        ("device_power_route", "tdp"),
        ("energy_route", "power_time"),
        ("parameters_per_token_route", "total"),
        ("training_operations_route", "parameter_token"),
    ]


def test_routes_refuses_what_cannot_be_reached() -> None:
    with pytest.raises(CannotComputeError, match="cannot compute energy of my run"):
        routes(metrics, {"device_power"}, ["energy"])


def test_an_unknown_metric_says_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        BOOK.plan(set(), ("enrgy",))
    assert str(caught.value).startswith(
        "unknown metric 'enrgy'; the nearest: energy; the metrics are training_operations"
    )


def test_an_unknown_assumption_says_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Driver(assume=["tpd"])
    assert str(caught.value) == (
        "unknown assumption 'tpd'; the nearest: tdp; there are modeled_reference, count_duration, tdp, no_overhead, "
        "rounding, power_draw, estimate_error"
    )


def test_the_message_of_the_contract() -> None:
    supplied = {"parameters", "training_tokens", "accelerator_count", "duration", "peak_flops"}
    assert str(explain(BOOK, "peak_fraction", supplied)) == (
        "cannot compute peak_fraction of my run:\n"
        "  peak_fraction needs achieved_rate\n"
        "    achieved_rate by accelerator_time needs accelerator_hours\n"
        "    achieved_rate by reference_run needs recorded work (training_ops)\n"
        '  give accelerator_hours or recorded work (training_ops), or assume "modeled_reference" or "count_duration"'
    )


def test_two_assumptions_that_are_needed_together_are_said_together() -> None:
    supplied = {"accelerator_count", "duration", "accelerator_tdp"}
    assert str(explain(BOOK, "energy", supplied)).splitlines()[-1] == (
        '  give accelerator_hours and device_power, or assume "count_duration" and "tdp"'
    )


def test_a_withheld_fact_is_neither_used_nor_asked_for() -> None:
    problem = explain(BOOK, "training_operations", {"training_tokens"}, withheld={"parameters": "the model is sparse"})
    assert "parameters_per_token by total needs parameters (withheld: the model is sparse)" in str(problem)
    assert problem.needs == "needs recorded work (training_ops) or active_parameters"


def every_subset() -> list[frozenset[str]]:
    names = sorted(VALUES)
    return [frozenset(each) for size in range(len(names) + 1) for each in itertools.combinations(names, size)]


@pytest.mark.parametrize("assume", [(), ("count_duration",), ("tdp", "modeled_reference"), ASSUMPTIONS])
def test_every_subset_of_facts_computes_or_says_what_would_do(assume: tuple[str, ...]) -> None:
    """Exhaustive: an answer of the plan computes; a refusal's first cure, once given, opens the metric."""
    driver = Driver(assume=assume)
    read = driver.answer((), VALUES).inputs.graph
    for supplied in every_subset():
        plan = BOOK.plan(supplied, METRICS, assume)
        for metric in plan.missing:
            problem = explain(BOOK, metric, supplied, assume)
            text = problem.needs.removeprefix("needs ").replace("recorded work (training_ops)", "training_ops")
            cure = text.split(" or ")[0].strip("()").replace(" and ", ", ").split(", ")
            assert metric not in BOOK.plan(supplied | set(cure), (metric,), assume).missing, problem
            assert not set(cure) <= supplied
        if plan.reached and len(supplied) % 3 == 0:  # running each takes too long; every third size runs
            from runlineage.dataflow.graph import hamilton_graph

            answers = hamilton_graph.run((metrics,), plan.config, plan.reached, {name: read[name] for name in supplied})
            assert all(answers[name] is not None for name in plan.reached)


def test_more_facts_never_close_a_route() -> None:
    for supplied in every_subset():
        reached = set(BOOK.plan(supplied, METRICS).reached)
        for extra in set(VALUES) - supplied:
            assert reached <= set(BOOK.plan(supplied | {extra}, METRICS).reached)


def test_a_users_node_stands_on_top_of_ours() -> None:
    def joules_per_token(energy: metrics.Energy, training_tokens: metrics.Tokens) -> object:
        return energy / training_tokens

    answer = Driver(metrics, module("theirs", joules_per_token=joules_per_token)).execute(
        ["joules_per_token"], {"accelerator_hours": 1, "device_power": 1000, "training_tokens": 3600}
    )
    assert answer["joules_per_token"].to("J/token").magnitude == pytest.approx(1000)


def test_a_users_node_replaces_a_metric_of_ours() -> None:
    def achieved_rate(peak_flops: metrics.Rate) -> metrics.Rate:
        return 0.4 * peak_flops

    driver = Driver(metrics, module("theirs", achieved_rate=achieved_rate))
    assert driver.execute(["peak_fraction"], {"peak_flops": 100})["peak_fraction"].magnitude == pytest.approx(0.4)
    assert driver.plan(["peak_fraction"], {"peak_flops": 100}).config == {"achieved_rate_route": "theirs"}


def test_a_users_node_wins_over_an_assumption_of_the_same_name() -> None:
    def device_power(accelerator_tdp: metrics.Power) -> metrics.Power:
        return 0.5 * accelerator_tdp

    driver = Driver(metrics, module("theirs", device_power=device_power))
    answer = driver.execute(["energy"], {"accelerator_hours": 1e6, "accelerator_tdp": 400})
    assert answer["energy"].magnitude == pytest.approx(0.2)
    assert "tdp" not in driver.book.assumptions


def test_two_users_nodes_of_one_name_are_refused_with_both_modules() -> None:
    def energy(accelerator_hours: metrics.AcceleratorTime) -> metrics.Energy:
        return accelerator_hours

    def energy_too(accelerator_hours: metrics.AcceleratorTime) -> metrics.Energy:
        return accelerator_hours

    with pytest.raises(GraphError) as caught:
        Driver(metrics, module("one", energy=energy), module("two", energy=energy_too))
    assert str(caught.value) == "energy is in two modules, one and two: give one of them another name"


def test_nodes_that_go_in_a_circle_are_refused() -> None:
    def accelerator_hours(energy: metrics.Energy) -> metrics.AcceleratorTime:
        return energy

    with pytest.raises(CannotComputeError, match="accelerator_hours needs energy\n  give accelerator_hours"):
        Driver(metrics, module("theirs", accelerator_hours=accelerator_hours)).execute(["energy"], {"device_power": 1})


def test_a_function_that_is_no_node_is_refused_by_name() -> None:
    def unannotated(energy):  # type: ignore[no-untyped-def]
        return energy

    with pytest.raises(GraphError, match=r"theirs\.unannotated is not a node function"):
        Driver(metrics, module("theirs", unannotated=unannotated))


def test_a_node_of_the_wrong_kind_is_refused_before_the_graph_is_built() -> None:
    def watts_doubled(device_power: metrics.Energy) -> metrics.Power:
        return device_power

    with pytest.raises(GraphError) as caught:
        Driver(metrics, module("theirs", watts_doubled=watts_doubled))
    assert str(caught.value) == (
        "watts_doubled of theirs asks for device_power as an energy (kinds.Energy), and "
        "device_power by tdp of runlineage.dataflow.metrics gives a power per accelerator (kinds.Power)"
    )


def test_a_supplied_fact_wins_over_a_users_node_of_that_name() -> None:
    def accelerator_count(nodes: int) -> metrics.Count:
        return quantity(nodes * 8.0, "accelerator")

    driver = Driver(metrics, module("theirs", accelerator_count=accelerator_count))
    facts = {"nodes": 5, "training_ops": 1e20, "duration": 1}
    assert driver.plan("achieved_rate", facts).order[:2] == ("training_ops", "nodes")
    supplied = driver.lineage("achieved_rate", facts | {"accelerator_count": 7})
    assert supplied.entries["accelerator_count"].value.magnitude == 7
    assert supplied.entries["achieved_rate"].value.magnitude == pytest.approx(1e20 / 7 / 86400 / 1e12)
    with pytest.raises(GraphError, match="accelerator_count is supplied, and theirs computes it in every graph"):
        driver.hamilton("achieved_rate", facts | {"accelerator_count": 7})


def test_a_users_node_may_take_optional_inputs_and_words() -> None:
    def scaled_energy(energy: metrics.Energy, precision: str, factor: float = 2.0) -> metrics.Energy:
        assert precision == "bf16"
        return factor * energy

    driver = Driver(metrics, module("theirs", scaled_energy=scaled_energy))
    facts = {"accelerator_hours": 1e6, "device_power": 1000, "precision": "BF16"}
    assert driver.execute("scaled_energy", facts)["scaled_energy"].m_as("GWh") == pytest.approx(2)
    assert driver.execute("scaled_energy", facts | {"factor": 3.0})["scaled_energy"].m_as("GWh") == pytest.approx(3)


def test_a_users_node_that_gives_another_kind_is_refused_by_name() -> None:
    def achieved_rate(peak_flops: metrics.Rate) -> metrics.Rate:
        return 5.0  # type: ignore[return-value]

    driver = Driver(metrics, module("theirs", achieved_rate=achieved_rate))
    with pytest.raises(GraphError, match=r"achieved_rate of theirs returned 5\.0, which is not a rate of operations"):
        driver.execute("achieved_rate", {"peak_flops": 1})


def test_a_users_input_of_the_wrong_type_is_our_error() -> None:
    def cost(energy: metrics.Energy, fee: float) -> float:
        return fee

    driver = Driver(metrics, module("theirs", cost=cost))
    with pytest.raises(GraphError, match=r"the inputs do not fit the nodes: .*Expected fee \(float\) got 0\.1 \(str\)"):
        driver.execute("cost", {"accelerator_hours": 1, "device_power": 1, "fee": "0.1"})


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"energy": 5}, "config 'energy' would silently take a node's place"),
        ({"achieved_rate_route": "nosuch"}, "config 'achieved_rate_route' would silently take"),
    ],
)
def test_a_config_that_would_mislead_is_refused(config: dict[str, object], said: str) -> None:
    with pytest.raises(GraphError, match=said):
        Driver(metrics, config=config)


@pytest.mark.parametrize("module", [5, "metrics", metrics.energy__power_time])
def test_what_is_no_module_is_refused(module: object) -> None:
    with pytest.raises(GraphError, match="is not a module"):
        Driver(module)  # type: ignore[arg-type]


@pytest.mark.parametrize("outputs", [5, [5], None])
def test_outputs_are_names(outputs: object) -> None:
    with pytest.raises(UnknownNameError, match="expected a name, or several"):
        Driver().execute(outputs, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("inputs", [5, "x", [1]])
def test_inputs_are_a_mapping(inputs: object) -> None:
    with pytest.raises(InputError, match="expected a mapping of facts by name"):
        Driver().execute("energy", inputs)  # type: ignore[arg-type]


def test_routes_reads_facts_as_graph_inputs_does_and_withholds_alike() -> None:
    facts = {"parameters": "671B", "sparse": True, "training_tokens": "1T"}
    with pytest.raises(CannotComputeError, match="withheld: the model is sparse"):
        routes(metrics, facts, "training_operations")


def test_an_optional_parameter_takes_our_metric_where_it_can_be_had() -> None:
    def rated(energy: metrics.Energy, achieved_rate: metrics.Rate = None) -> bool:  # type: ignore[assignment]
        return achieved_rate is not None

    driver = Driver(metrics, module("theirs", rated=rated))
    facts = {"accelerator_hours": 1, "device_power": 1}
    assert driver.execute("rated", facts)["rated"] is False
    assert driver.execute("rated", facts | {"training_ops": 1e20})["rated"] is True


def test_a_node_that_is_written_anew_is_read_anew() -> None:
    def twice(energy: metrics.Energy) -> metrics.Energy:
        """Double.

        twice = 2 × energy
        """
        return 2 * energy

    def thrice(energy: metrics.Energy) -> metrics.Energy:
        """Triple.

        twice = 3 × energy
        """
        return 3 * energy

    theirs = module("theirs", twice=twice)
    facts = {"accelerator_hours": 1, "device_power": 1}
    first = Driver(metrics, theirs).lineage("twice", facts).entries["twice"]
    thrice.__module__, thrice.__name__ = "theirs", "twice"
    theirs.twice = thrice  # type: ignore[attr-defined]
    second = Driver(metrics, theirs).lineage("twice", facts).entries["twice"]
    assert (first.equation, second.equation) == ("2 × energy", "3 × energy")
    assert second.value.magnitude == 1.5 * first.value.magnitude


def test_an_override_of_the_wrong_type_is_refused() -> None:
    def region(code: str) -> str:
        return code

    def label(region: str) -> str:
        return region

    driver = Driver(metrics, module("theirs", region=region, label=label))
    assert driver.execute("label", {"region": "FR"})["label"] == "FR"
    with pytest.raises(GraphError, match="region is 5, which is not the <class 'str'> that its node returns"):
        driver.execute("label", {"region": 5})


def test_peak_fraction_is_doubted_also_beneath_a_users_node() -> None:
    def headroom(peak_fraction: metrics.Fraction) -> metrics.Fraction:
        return 1 - peak_fraction

    answer = Driver(metrics, module("theirs", headroom=headroom)).answer(
        "headroom", {"achieved_rate": 400, "peak_flops": 312}
    )
    assert list(answer) == ["headroom"]
    assert "no device works above its dense peak" in answer.warnings[0]


def test_many_threads_on_a_cold_book_agree() -> None:
    from concurrent.futures import ThreadPoolExecutor

    fresh = RouteBook(BOOK.routes, BOOK.replaced)
    with ThreadPoolExecutor(8) as threads:
        plans = threads.map(lambda _: fresh.plan({"training_ops"}, ("training_operations",)), range(64))
    assert {plan.route("training_operations") for plan in plans} == {"recorded"}
