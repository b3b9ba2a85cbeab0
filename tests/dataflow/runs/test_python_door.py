"""Whatever a caller hands over in Python is read, or refused in our own words: no traceback of another library."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runlineage import Driver, Fact, PublishedRunScenario, Scenarios, read_run, verdicts
from runlineage.catalogs.base.errors import InputError, RunlineageError, UnknownNameError
from runlineage.catalogs.quantities.fields import FIELDS, REPORTED, WORDS

BLOOM = Scenarios.BloomPublishedRun


class Mute:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


ODD: tuple[Any, ...] = (
    *(Mute(), [Mute()], {"value": Mute()}, Fact(Mute()), object(), lambda: 1, {5: 6}, {1}, b"5", complex(1, 2)),
    *(np.array(["a"]), np.array([[Mute()]]), 10**400, float("inf"), "", "\x00", "9" * 101, ..., type),
)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("name", [*FIELDS, *WORDS, *REPORTED, "periods", "workload", "name", "assume"])
def test_what_is_no_fact_is_refused_at_every_door(name: str, odd: Any) -> None:
    doors: list[Callable[[], Any]] = [
        lambda: PublishedRunScenario(**{name: odd}).results(),
        lambda: BLOOM.variant(**{name: odd}).results(),
    ]
    if name not in ("workload", "name", "assume"):
        doors.append(lambda: Driver().answer(["energy"], {name: odd}))
    for door in doors:
        with contextlib.suppress(RunlineageError):  # any other error fails the test
            door()


@pytest.mark.parametrize("assume", [5, {"tdp": True}, [5], [["tdp"]], Mute(), [Mute()], b"tdp"])
def test_assumptions_are_names(assume: Any) -> None:
    doors: list[Callable[[], Any]] = [
        lambda: PublishedRunScenario(assume=assume),
        lambda: BLOOM.variant(assume=assume),
        lambda: Driver(assume=assume),
    ]
    for door in doors:
        with pytest.raises(InputError, match=r"assume: (is|holds) .*; expected names of assumptions"):
            door()


@pytest.mark.parametrize("assume", ["tdp", ["tdp"], {"tdp"}, iter(["tdp"]), ()])
def test_assumptions_may_be_one_name_or_several(assume: Any) -> None:
    assert PublishedRunScenario(assume=assume).assume <= {"tdp"}


@pytest.mark.parametrize("odd", [5, None, Mute(), [5], [Mute()], b"energy"])
def test_metrics_and_thresholds_are_names(odd: Any) -> None:
    for ask in (BLOOM.result, BLOOM.results, BLOOM.plan, BLOOM.lineage):
        with pytest.raises(RunlineageError):
            ask(odd)
    if odd is not None:
        with pytest.raises(RunlineageError):
            verdicts(BLOOM, odd)
        with pytest.raises(RunlineageError, match="path: is"):
            read_run(odd)


def test_one_metric_may_be_asked_by_its_name() -> None:
    assert list(BLOOM.results("energy")) == ["energy"]


@pytest.mark.parametrize("name", ["enregy", "facility_energy", 5, [5], Mute()])
def test_an_output_that_was_not_asked_for_is_refused(name: Any) -> None:
    results = BLOOM.results(["energy"])
    with pytest.raises(UnknownNameError, match=r"unknown output .*; asked for: energy"):
        results.result(name)


def test_answers_show_themselves_in_a_notebook() -> None:
    results = Scenarios.Gpt3PublishedRun.variant(name="<b>mine</b>", host_overhead=4).results(
        ["energy", "achieved_rate"]
    )
    text = results._repr_html_().replace(' style="text-align: left"', "")
    assert '<th scope="row">energy</th><td>–</td><td>needs accelerator_hours, device_power, or assume' in text
    assert "<td>24.5558 TFLOP/s per accelerator</td><td>by reference_run, printed 24.6" in text
    assert "<p>Warning: host_overhead is above 3" in text
    assert "needs accelerator_hours" in results.result("energy")._repr_html_()
