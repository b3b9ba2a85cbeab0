"""Plain `pint.Quantity` beside kinds: what the adapter lets in, and what it still refuses."""

from __future__ import annotations

from typing import Any

import pint
import pytest
from hamilton import driver as hamilton_driver
from hamilton.ad_hoc_utils import create_temporary_module
from hamilton.lifecycle import NoEdgeAndInputTypeChecking

from runlineage import Driver, GraphError, PlainQuantities, RunlineageWarning, as_quantity, graph_inputs, kinds, metrics
from runlineage.catalogs.quantities.units import quantity

HOURS = {"accelerator_hours": 1000}
POWER = as_quantity("400 W", field="device_power")


def device_power(rating: pint.Quantity) -> pint.Quantity:
    return rating


def doubled(energy: pint.Quantity) -> float:
    return float(2 * energy.m_as("kWh"))


def lying(energy: kinds.Energy, accelerator_hours: kinds.AcceleratorTime) -> kinds.Energy:
    return energy / accelerator_hours


THEIRS = create_temporary_module(device_power, doubled, lying, module_name="plain_nodes")


def test_a_plain_node_sits_on_ours_and_beneath_ours() -> None:
    assert Driver(metrics, THEIRS).execute("doubled", HOURS | {"rating": POWER})["doubled"] == pytest.approx(800)


def test_hamilton_alone_refuses_what_the_adapter_lets_in() -> None:
    builder = hamilton_driver.Builder().with_modules(metrics, THEIRS)
    with pytest.raises(ValueError, match="does not consider these types to be equivalent"):
        builder.build()
    inputs = graph_inputs(HOURS) | {"rating": POWER}
    built = hamilton_driver.Builder().with_modules(metrics, THEIRS).with_adapters(PlainQuantities()).build()
    assert built.execute(["doubled"], inputs=inputs)["doubled"] == pytest.approx(800)


@pytest.mark.parametrize(
    ("rating", "said"),
    [
        (quantity(3.0, "W"), "and got 3 watt$"),
        (quantity(3.0, "token"), "and got 3 token$"),
        (
            pint.UnitRegistry().Quantity(3.0, "watt"),
            r"and got 3.0 watt of another registry \(as_quantity brings it into",
        ),
    ],
)
def test_a_plain_value_of_the_wrong_dimension_is_refused_where_a_kind_is_asked(rating: Any, said: str) -> None:
    asked = "^energy of runlineage.dataflow.metrics needs device_power as a power per accelerator, "
    with pytest.raises(GraphError, match=asked + said):
        Driver(metrics, THEIRS).execute("energy", HOURS | {"rating": rating})


def test_a_node_that_gives_another_kind_than_it_says_is_refused() -> None:
    with pytest.raises(GraphError, match=r"^lying of plain_nodes returned .+, which is not an energy$"):
        Driver(metrics, THEIRS).execute("lying", HOURS | {"rating": POWER})


def test_what_is_no_quantity_is_refused_for_a_plain_annotation() -> None:
    with pytest.raises(GraphError, match=r"Expected rating .*Quantity.* got 400 \(int\)"):
        Driver(metrics, THEIRS).execute("doubled", HOURS | {"rating": 400})


def test_a_supplied_quantity_overrides_a_plain_node() -> None:
    facts = HOURS | {"rating": POWER, "device_power": "800 W"}
    with pytest.warns(RunlineageWarning, match="device_power is given as 800 W per accelerator, 2 times"):
        assert Driver(metrics, THEIRS).execute("doubled", facts)["doubled"] == pytest.approx(1600)


@pytest.mark.parametrize("other", [float, str, int | None, list[float], kinds.Power, Any])
def test_only_edges_of_plain_quantities_are_allowed(other: Any) -> None:
    check = PlainQuantities().check_edge_types_match
    assert not check(kinds.Energy, other)
    assert not check(other, kinds.Energy)


@pytest.mark.parametrize("plain", [pint.Quantity, pint.Quantity[float], pint.Quantity | None, type(POWER)])
def test_every_way_to_write_a_plain_quantity_is_known(plain: Any) -> None:
    check = PlainQuantities().check_edge_types_match
    assert check(kinds.Energy, plain)
    assert check(plain, kinds.Energy)
    assert check(plain, pint.Quantity)
    assert not check(plain, float)


def test_a_users_adapter_that_judges_types_stands_alone() -> None:
    facts = HOURS | {"rating": POWER}
    built = Driver(metrics, THEIRS).hamilton("doubled", facts, NoEdgeAndInputTypeChecking())
    assert built.execute(["doubled"], inputs=graph_inputs(HOURS) | {"rating": POWER})["doubled"] == pytest.approx(800)
