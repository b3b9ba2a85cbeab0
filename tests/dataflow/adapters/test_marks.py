"""The marks on a user's own nodes: a route has the name of its suffix, and a mistyped one is refused."""

from __future__ import annotations

import itertools
import pickle
from types import ModuleType

import pytest
from hamilton import driver as hamilton_driver
from hamilton.ad_hoc_utils import module_from_source

from runlineage import Driver, GraphError, graph_inputs, metrics, routes

HEAD = """
from hamilton.function_modifiers import config
from runlineage import as_quantity, assumption, basis, kinds, route
"""
METERED = "(meter: float) -> kinds.Energy:\n    return as_quantity(f'{meter} kWh', field='energy')\n"
FACTS = {"meter": 3.0}
NUMBERS = itertools.count()


def module(source: str) -> ModuleType:
    return module_from_source(HEAD + source, f"marked_{next(NUMBERS)}")


@pytest.mark.parametrize("mark", ["@route", '@config.when(energy_route="metered")'])
def test_a_users_route_stands_beside_ours_and_is_named_by_its_suffix(mark: str) -> None:
    theirs = module(f"{mark}\ndef energy__metered{METERED}")
    driver = Driver(metrics, theirs)
    assert driver.execute("energy", FACTS)["energy"].m_as("kWh") == pytest.approx(3)
    assert driver.plan("energy", FACTS).route("energy") == "metered"
    both = driver.plan("energy", FACTS | {"accelerator_hours": 1, "device_power": 1})
    assert (both.route("energy"), both.alternatives("energy")) == (None, ("metered",))
    assert pickle.loads(pickle.dumps(both)) == both


@pytest.mark.parametrize(
    "mark", ["@route", '@config.when(energy_route="metered")', '@config.when_in(energy_route=[None, "metered"])']
)
def test_what_is_not_asked_never_clashes_with_a_route_of_another_module(mark: str) -> None:
    driver = Driver(metrics, module(f"{mark}\ndef energy__metered{METERED}"))
    assert driver.execute("training_operations", {"training_ops": 1e20})["training_operations"].magnitude == 1e20


def test_a_users_node_that_replaces_ours_does_not_clash_where_it_is_not_asked() -> None:
    driver = Driver(metrics, module("def achieved_rate(peak_flops: kinds.Rate) -> kinds.Rate: return peak_flops"))
    assert driver.execute("energy", {"accelerator_hours": 1e6, "device_power": 1000})["energy"].magnitude == 1


def test_the_first_route_of_a_module_serves_where_none_is_chosen() -> None:
    theirs = module(
        "@route\n@assumption\ndef cost__guessed() -> float: return 1.0\n"
        "@route\ndef cost__billed(bill: float) -> float: return bill\n"
        "@route\ndef cost__again(bill: float) -> float: return 2 * bill\n"
        "def on_top(cost: float) -> float: return cost\n"
    )
    built = hamilton_driver.Builder().with_modules(theirs).build()
    assert built.execute(["on_top"], inputs={"bill": 5.0}) == {"on_top": 5.0}
    built = hamilton_driver.Builder().with_modules(theirs).with_config({"cost_route": "again"}).build()
    assert built.execute(["on_top"], inputs={"bill": 5.0}) == {"on_top": 10.0}
    assert Driver(theirs, assume="guessed").execute("on_top")["on_top"] == 1.0
    built = hamilton_driver.Builder().with_modules(theirs).with_config({"cost_route": "supplied"}).build()
    assert built.execute(["on_top"], inputs={"cost": 7.0}) == {"on_top": 7.0}


def test_an_assumption_takes_its_name_from_the_suffix_or_shares_another() -> None:
    theirs = module(
        '@route\n@assumption\n@basis("modeled")\ndef a__one() -> float: return 1.0\n'
        '@route\n@assumption("two")\ndef b__other() -> float: return 2.0\n'
    )
    driver = Driver(theirs)
    assert driver.book.assumptions == ("one", "two")
    assert Driver(theirs, assume={"one", "two"}).execute(["a", "b"]) == {"a": 1.0, "b": 2.0}


def test_a_builder_of_the_users_own_takes_the_config_of_a_marked_route() -> None:
    theirs = module(f"@route\ndef energy__metered{METERED}")
    config = routes([metrics, theirs], {"meter"}, "energy")
    built = hamilton_driver.Builder().with_modules(metrics, theirs).with_config(config).build()
    assert built.execute(["energy"], inputs=FACTS)["energy"].m_as("kWh") == pytest.approx(3)
    assert graph_inputs({}) == {}


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (
            '@config.when(energy_route="metered")\ndef energy__meter',
            "energy__meter of {} serves no route: its decorator says energy_route='metered', and its suffix is "
            "'meter'; write @route, which takes the name from the suffix",
        ),
        ('@config.when(enrgy_route="metered")\ndef energy__metered', "its decorator says enrgy_route='metered'"),
        ('@config.when_in(energy_route=["metred"])\ndef energy__metered', "energy_route='metred', and its suffix"),
        ('@config.when(energy_route="metered")\ndef energy', "and its name has no suffix"),
        ("def energy__metered", "it is named like a route to energy and has no decorator; write @route above it"),
        ('@route\n@assumption("half")\ndef energy', "its name has no suffix; call it energy__half"),
    ],
)
def test_a_mistyped_route_is_refused_by_name(head: str, said: str) -> None:
    theirs = module(head + METERED)
    with pytest.raises(GraphError) as caught:
        Driver(metrics, theirs)
    assert said.format(theirs.__name__) in str(caught.value)


def test_one_route_in_two_modules_is_refused_with_both() -> None:
    one, other = (module(f"@route\ndef energy__metered{METERED}") for _ in range(2))
    with pytest.raises(GraphError) as caught:
        Driver(metrics, one, other)
    modules = f"{one.__name__} and {other.__name__}"
    assert str(caught.value) == f"energy by metered is in two modules, {modules}: give one of them another name"


def test_an_assumption_without_a_suffix_must_be_named() -> None:
    with pytest.raises(GraphError, match=r"write @assumption\('name'\), or call it energy__name"):
        module("@route\n@assumption\ndef energy" + METERED)


def test_a_node_that_the_users_own_config_leaves_out_is_no_slip() -> None:
    source = "".join(
        f'@config.when(place="{each}")\ndef fee__{each}() -> float: return {n}.0\n'
        for n, each in enumerate(("eu", "us"))
    )
    assert Driver(module(source), config={"place": "us"}).execute("fee")["fee"] == 1.0
