"""The option --route, on the commands that answer."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("words", [("show", "gpt-3"), ("why", "gpt-3", "achieved_rate")])
def test_the_route_is_taken(command: Any, words: tuple[str, ...]) -> None:
    assert "by reference_run" in command(*words)[1]
    code, out, _ = command(*words, "--route", "achieved_rate=reported")
    assert (code, "by reported" in out) == (0, True)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("achieved_rate", "error: --route: is 'achieved_rate'; write METRIC=NAME"),
        ("=x", "error: --route: is '=x'; write METRIC=NAME"),
        ("achieved_rate=nothing", "achieved_rate has no route 'nothing'; there are accelerator_time"),
        ("achieved_rate=accelerator_time", "achieved_rate by accelerator_time is not open: needs accelerator_hours"),
    ],
)
@pytest.mark.parametrize("name", ["show", "why", "card", "solve"])
def test_a_route_that_cannot_be_taken_is_one_sentence(command: Any, name: str, option: str, said: str) -> None:
    more = {"card": ("gpt-3", "--to", "markdown"), "solve": ("duration", "gpt-3", "--for", "peak_fraction=0.3")}
    code, out, err = command(name, *more.get(name, ("gpt-3",)), "--route", option)
    assert (code, out) == ((2, "") if "is not open" not in said or name != "solve" else (code, ""))
    assert code != 0
    if name != "solve" or "is not open" not in said:
        assert said in " ".join(err.split())


def test_two_routes_of_one_quantity_are_refused(command: Any) -> None:
    options = ("--route", "energy=power_time", "--route", "energy=reported")
    code, _, err = command("show", "gpt-3", *options)
    assert code == 2
    assert "--route: chooses power_time and reported for energy; choose one" in err


def test_a_table_takes_it(command: Any, tmp_path: Any) -> None:
    file = tmp_path / "runs.csv"
    file.write_text("training_ops,parameters,training_tokens\n5e22,7B,1T\n")
    _, out, _ = command(
        "table", str(file), "-m", "training_operations", "--route", "training_operations=parameter_token"
    )
    assert "4.2e+22,parameter_token" in out
