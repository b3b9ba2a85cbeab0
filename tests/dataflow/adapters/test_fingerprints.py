"""Fingerprints for Hamilton's cache: the same in every process, another for another number, unit, shape or type."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import narwhals as nw
import numpy as np
import pytest
from hamilton import driver
from hamilton.caching.fingerprinting import UNHASHABLE, hash_value

from runlineage import graph_inputs, metrics, routes
from runlineage.catalogs.quantities.units import quantity

VALUES = [
    quantity(3.0, "W/accelerator"),
    quantity(3.0, "J"),
    quantity(3.1, "J"),
    quantity(3.0, "kJ"),
    quantity(3.0, "J**2"),
    quantity(np.array([3.0, 4.0]), "J"),
    quantity(np.array([4.0, 3.0]), "J"),
    quantity(np.array([[3.0, 4.0]]), "J"),
    quantity(np.array([3.0, 4.0], dtype=np.float32), "J"),
]


def test_every_difference_of_number_unit_shape_or_type_shows() -> None:
    assert len({hash_value(each) for each in VALUES}) == len(VALUES)


def test_looking_at_a_quantity_or_making_it_again_changes_nothing() -> None:
    for value in VALUES:
        before = hash_value(value)
        assert value.dimensionality
        assert hash_value(value) == before
        assert hash_value(quantity(value.magnitude, value.units)) == before


@pytest.mark.parametrize(
    ("one", "other"), [(3, 3.0), (np.float64(3.0), 3.0), (np.arange(6.0)[::2], np.array([0.0, 2.0, 4.0]))]
)
def test_equal_numbers_have_one_fingerprint(one: Any, other: Any) -> None:
    assert hash_value(quantity(one, "J")) == hash_value(quantity(other, "J"))


@pytest.mark.parametrize("magnitude", [nw.col("a"), np.array([object()])])
def test_what_is_no_number_has_none_and_is_computed_anew(magnitude: Any) -> None:
    assert hash_value(quantity(1.0, "J").__class__(magnitude, "J")) == UNHASHABLE


def test_another_process_with_another_hash_seed_gives_the_same() -> None:
    script = (
        "from runlineage import graph_inputs, metrics; from hamilton.caching.fingerprinting import hash_value;"
        "print(hash_value(graph_inputs({'device_power': 700})['device_power']))"
    )
    prints = {
        subprocess.check_output([sys.executable, "-c", script], env={"PYTHONHASHSEED": seed, **_paths()}, text=True)
        for seed in ("1", "2")
    }
    assert prints == {hash_value(graph_inputs({"device_power": 700})["device_power"]) + "\n"}


def test_the_cache_tells_facts_apart_that_differ_only_in_their_unit(tmp_path: Any) -> None:
    facts = {"accelerator_hours": 1000, "device_power": 400}
    config = routes(metrics, facts, "energy")
    built = driver.Builder().with_modules(metrics).with_config(config).with_cache(path=tmp_path).build()
    inputs = graph_inputs(facts)
    watts = built.execute(["energy"], inputs=inputs)["energy"]
    kilowatts = quantity(inputs["device_power"].magnitude, "kW/accelerator")
    assert built.execute(["energy"], inputs=inputs | {"device_power": kilowatts})["energy"] == 1000 * watts
    assert built.execute(["energy"], inputs=inputs)["energy"] == watts


def _paths() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
