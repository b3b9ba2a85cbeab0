"""A user's own nodes: their inputs, their config, and the kinds of node that another driver runs."""

from __future__ import annotations

import asyncio
import itertools
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
from hamilton import async_driver
from hamilton import driver as hamilton_driver
from hamilton.ad_hoc_utils import module_from_source

from runlineage import (
    CannotComputeError,
    Driver,
    GraphError,
    InputError,
    PlainQuantities,
    as_quantity,
    graph_inputs,
    metrics,
    routes,
)

HEAD = """
import pint
from hamilton.function_modifiers import config
from hamilton.htypes import Collect, Parallelizable
from runlineage import kinds, route
"""
FACTS = {"accelerator_hours": 1e6, "device_power": "400 W"}
NUMBERS = itertools.count()


def module(source: str) -> ModuleType:
    return module_from_source(HEAD + source, f"own_{next(NUMBERS)}")


# Inputs


RATED = "def device_power(rating: kinds.Power, fee: float) -> kinds.Power:\n    return fee * rating\n"


def test_text_is_read_where_a_node_declares_a_kind() -> None:
    answer = Driver(metrics, module(RATED)).execute(
        "energy", {"accelerator_hours": 1e6, "rating": "0.4 kW", "fee": 2.0}
    )
    assert answer["energy"].m == pytest.approx(0.8)
    with pytest.raises(InputError, match=r"rating: '5 days' is in day, which is not a power"):
        Driver(metrics, module(RATED)).execute("energy", {"accelerator_hours": 1e6, "rating": "5 days", "fee": 2.0})


def test_graph_inputs_passes_a_users_own_as_they_are_and_reads_them_with_their_module() -> None:
    frame = pd.DataFrame({"a": [1]})
    alone = graph_inputs({"duration": "1 day", "rating": "400 W", "frame": frame})
    assert (str(alone["duration"]), alone["rating"]) == ("86400 second", "400 W")
    assert alone["frame"] is frame
    theirs = module(RATED)
    read = graph_inputs({"accelerator_hours": 1e6, "rating": "400 W", "fee": 2.0}, [theirs])
    built = hamilton_driver.Builder().with_modules(metrics, theirs).build()
    assert built.execute(["energy"], inputs=read)["energy"].m_as("GWh") == pytest.approx(0.8)
    with pytest.raises(InputError, match="ratng: is not a field; did you mean rating"):
        graph_inputs({"ratng": "400 W"}, theirs)
    with pytest.raises(InputError, match="duration"):
        graph_inputs({"duration": "1 kg"})


# Config


REGIONS = """
@config.when(region='eu')
def fee__eu(meter: float) -> float: return meter
@config.when_in(region=['us', 'ca'])
def fee__us(bill: float) -> float: return bill
@config.when_not(region='eu', year=3)
def levy(bill: float) -> float: return bill
def top(fee: float) -> float: return fee
"""


def test_an_unmet_config_says_which_would_meet_it() -> None:
    driver = Driver(module(REGIONS))
    with pytest.raises(CannotComputeError) as caught:
        driver.execute("top", {"meter": 1.0})
    assert "top needs fee (a node of yours under config region='eu' or config region='us' or 'ca')" in str(caught.value)
    with pytest.raises(
        CannotComputeError, match=r"fee is a node of yours under config region='eu' or .*: give Driver that"
    ):
        driver.execute("fee")
    assert Driver(module(REGIONS), config={"region": "eu"}).execute("top", {"meter": 1.0})["top"] == 1.0
    with pytest.raises(
        CannotComputeError, match="levy is a node of yours under config region other than 'eu', year other"
    ):
        Driver(module(REGIONS), config={"region": "eu"}).execute("levy", {"bill": 1.0})


def test_a_config_may_hold_dicts_and_lists_and_is_told_apart_by_their_values() -> None:
    source = "@config(lambda c: c['deep']['a'] == [1])\ndef fee() -> float: return 1.0\n"
    deep: dict[str, Any] = {"a": [1]}
    driver = Driver(module(source), config={"deep": deep})
    deep["a"] = [2]
    assert driver.execute("fee")["fee"] == 1.0
    with pytest.raises(KeyError):
        Driver(module(source), config={"deep": deep}).execute("fee")


# Nodes that another driver runs


ASYNC = "async def cost(energy: pint.Quantity) -> float:\n    return float(2 * energy.m_as('kWh'))\n"


def test_an_async_node_is_refused_by_our_driver_in_one_sentence() -> None:
    theirs = module(ASYNC)
    driver = Driver(metrics, theirs)
    for ask in (driver.execute, driver.lineage, driver.hamilton):
        with pytest.raises(GraphError) as caught:
            ask("cost", FACTS)
        assert str(caught.value) == (
            f"cost of {theirs.__name__} is async: give routes() and graph_inputs() to Hamilton's async_driver"
        )
    assert driver.execute("energy", FACTS)["energy"].m == pytest.approx(0.4)


PARALLEL = """
def day(energy: kinds.Energy) -> Parallelizable[int]:
    yield from range(3)
def cost(day: int) -> int: return day
def total(cost: Collect[int]) -> int: return sum(cost)
"""


def test_a_parallel_node_is_refused_by_our_driver_in_one_sentence() -> None:
    with pytest.raises(
        GraphError, match=r"^day of own_\d+ runs in parallel: give routes\(\) and graph_inputs\(\) to a"
    ):
        Driver(metrics, module(PARALLEL)).execute("total", FACTS)


def run_async(source: str, output: str, **facts: object) -> Any:
    theirs = module(source)
    config = routes([metrics, theirs], FACTS | facts, output)

    async def ask() -> Any:
        builder = async_driver.Builder().with_modules(metrics, theirs).with_config(config)
        built = await builder.with_adapters(PlainQuantities()).build()
        return await built.execute([output], inputs=graph_inputs(FACTS) | facts)

    return asyncio.run(ask())[output]


def test_plain_quantities_serve_an_async_builder() -> None:
    assert run_async(ASYNC, "cost") == pytest.approx(8e5)


def test_in_an_async_builder_a_value_of_another_kind_is_refused_as_it_arrives() -> None:
    source = (
        "async def plain(rating: pint.Quantity) -> pint.Quantity:\n    return rating\n"
        "def doubled(plain: kinds.Power) -> kinds.Power:\n    return 2 * plain\n"
    )
    assert run_async(source, "doubled", rating=as_quantity("1 W", field="device_power")).m == 2
    with pytest.raises(GraphError, match=r"doubled of own_\d+ needs plain as a power per accelerator, and got 1 day"):
        run_async(source, "doubled", rating=as_quantity("1 day", field="duration"))
