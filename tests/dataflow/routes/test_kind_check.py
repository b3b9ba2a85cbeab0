"""What does not fit together between a user's modules and ours: each slip is said with both ends, as documented."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from hamilton.ad_hoc_utils import module_from_source

from runlineage import CannotComputeError, Driver, GraphError, metrics, routes
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.dataflow.routes.kind_check import fits

DOCUMENTED = (Path(__file__).parents[3] / "examples" / "README.md").read_text(encoding="utf-8")
FACTS = {"accelerator_hours": 1000, "device_power": 400}
ENERGY, POWER = KINDS["Energy"], KINDS["Power"]


def module(source: str, name: str = "yours") -> ModuleType:
    return module_from_source("from typing import Any\nimport pint\nfrom runlineage import kinds\n" + source, name)


SLIPS = {
    "def a(energy: kinds.Power) -> float: return 1.0": (
        "a of yours asks for energy as a power per accelerator (kinds.Power), and "
        "energy of runlineage.dataflow.metrics gives an energy (kinds.Energy)"
    ),
    "def energy(device_power: kinds.Power) -> kinds.Power: return device_power": (
        "energy of yours gives a power per accelerator (kinds.Power), and energy is an energy (kinds.Energy)"
    ),
    "def a(b: float) -> float: return b\ndef b(a: float) -> float: return a": (
        "the nodes form a circle: a of yours needs b of yours needs a"
    ),
    "def a(energy) -> float: return 1.0": (
        "yours.a is not a node function: Missing type hint for energy in function a. Please add one to fix."
        " (write energy: kinds.Energy)"
    ),
}


@pytest.mark.parametrize("source", SLIPS)
def test_a_slip_is_said_as_the_readme_of_the_examples_says(source: str) -> None:
    with pytest.raises(GraphError) as caught:
        Driver(metrics, module(source)).execute("a", FACTS)
    assert str(caught.value) == SLIPS[source]
    assert f"`{SLIPS[source]}`" in DOCUMENTED


def test_one_name_in_two_modules_is_said_with_both() -> None:
    source = "def a(energy: kinds.Energy) -> float: return 1.0"
    with pytest.raises(GraphError) as caught:
        Driver(metrics, module(source), module(source, "theirs"))
    assert str(caught.value) == "a is in two modules, yours and theirs: give one of them another name"
    assert f"`{caught.value}`" in DOCUMENTED


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def energy(device_power: kinds.Power): return 1.0", r"yours\.energy is not .*\(write -> kinds\.Energy\)$"),
        (
            "def a(b: 'Nowhere') -> float: return 1.0",
            r"yours\.a is not a node function: name 'Nowhere' is not defined$",
        ),
        ("def a(energy: float) -> float: return 1.0", "a of yours asks for energy as float, and energy of runl"),
        ("def a(peak_flops: kinds.Power) -> float: return 1.0", "asks for peak_flops as .*, and it is a rate of oper"),
        ("def energy(x: float) -> float: return x", r"energy of yours gives float, and energy is an energy \(kinds"),
        (
            "def a(x: kinds.Power) -> float: return 1.0\ndef b(x: kinds.Energy) -> float: return 1.0",
            r"a of yours asks for x as a power .*, and b of yours asks for an energy \(kinds\.Energy\)",
        ),
        (
            "def x() -> kinds.Power: return 1\ndef a(x: kinds.Energy) -> float: return 1.0",
            r"^a of yours asks for x as an energy \(kinds\.Energy\), and x of yours gives a power per accelerator",
        ),
    ],
)
def test_other_misfits_name_both_ends(source: str, said: str) -> None:
    with pytest.raises(GraphError, match=said):
        Driver(metrics, module(source))


def test_all_misfits_are_said_at_once() -> None:
    source = "def a(energy: kinds.Power) -> float: return 1.0\ndef b(energy: kinds.Rate) -> float: return 1.0"
    with pytest.raises(GraphError, match=r"a of yours asks .*; b of yours asks "):
        Driver(metrics, module(source))


@pytest.mark.parametrize(
    "source",
    [
        "def a(energy: kinds.Energy | None) -> float: return 1.0",
        "def a(energy: Any) -> float: return 1.0",
        "def a(energy: object) -> float: return 1.0",
        "def a(energy: pint.Quantity) -> float: return 1.0",
    ],
)
def test_what_fits_is_let_through(source: str) -> None:
    assert Driver(metrics, module(source)).execute("a", FACTS)["a"] == 1.0


def test_a_users_own_builder_hears_the_same_from_routes() -> None:
    with pytest.raises(GraphError, match="a of yours asks for energy as a power"):
        routes([metrics, module("def a(energy: kinds.Power) -> float: return 1.0")], FACTS, "a")


def test_a_circle_through_our_nodes_is_said_in_full() -> None:
    source = "def device_power(peak_fraction: kinds.Fraction) -> kinds.Power: return 1\n"
    source += "def peak_flops(energy: kinds.Energy) -> kinds.Rate: return 1\n"
    with pytest.raises(GraphError) as caught:
        Driver(metrics, module(source)).execute("energy", {"accelerator_hours": 1, "training_ops": 1e20})
    assert str(caught.value) == (
        "the nodes form a circle: energy of runlineage.dataflow.metrics needs device_power of yours needs "
        "peak_fraction of runlineage.dataflow.metrics needs peak_flops of yours needs energy"
    )


@pytest.mark.parametrize("assume", [set(), {"count_duration"}])
def test_an_assumption_that_would_close_a_circle_is_not_taken(assume: set[str]) -> None:
    source = (
        "def accelerator_count(accelerator_hours: kinds.AcceleratorTime, duration: kinds.Duration) -> kinds.Count:\n"
    )
    driver = Driver(metrics, module(source + "    return accelerator_hours / duration"), assume=assume)
    with pytest.raises(CannotComputeError, match="give accelerator_hours"):
        driver.execute("energy", {"device_power": 400, "duration": "3 days"})
    answer = driver.answer("accelerator_count", {"accelerator_hours": 720, "duration": "3 days"})
    assert answer["accelerator_count"].magnitude == pytest.approx(10)


def test_kinds_fit_themselves_and_unions_with_them() -> None:
    assert fits(ENERGY, ENERGY)
    assert fits(ENERGY | None, ENERGY)
    assert fits(float, str)  # for Hamilton to say
    assert not fits(ENERGY, POWER)
    assert not fits(float | None, ENERGY)
