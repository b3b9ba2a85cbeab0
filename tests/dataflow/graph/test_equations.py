"""Nodes that Hamilton's decorators make: each has its own equation or none, and every number is in the lineage."""

from __future__ import annotations

import itertools
import json
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from hamilton.ad_hoc_utils import module_from_source

from runlineage import (
    CatalogError,
    Driver,
    Lineage,
    PublishedRunScenario,
    dot,
    lineage_json,
    mermaid,
    metrics,
    prov_json,
    read_lineage,
    tree,
)

HEAD = """
import numpy as np
import pandas as pd
from hamilton.function_modifiers import *
from runlineage import as_quantity, assumption, basis, kinds, metrics, route, routes
def _scaled(x: kinds.Energy, factor: float, shift: float = 1.0) -> kinds.Energy:
    '''Scale.

    _scaled = x × factor × shift
    Excludes: all else.
    '''
    return x * factor * shift
"""
FACTS = {"accelerator_hours": 1e6, "device_power": "400 W"}
NUMBERS = itertools.count()


def module(source: str) -> ModuleType:
    return module_from_source(HEAD + source, f"decorated_{next(NUMBERS)}")


def lineage(source: str, output: str, **facts: object) -> Lineage:
    return Driver(metrics, module(source)).lineage(output, FACTS | facts)


def told(lineage: Lineage) -> dict[str, tuple[str, str]]:
    return {name: (entry.equation, entry.working) for name, entry in lineage.entries.items() if entry.equation}


SITE = """
def site_energy(energy: kinds.Energy) -> kinds.Energy:
    '''Take what the site draws.

    site_energy = 2 × energy
    Excludes: cooling.
    '''
    return 2 * energy
"""


def test_each_step_of_pipe_input_has_its_own_equation_and_literals() -> None:
    source = "@pipe_input(step(_scaled, factor=1.5), step(_scaled, factor=source('fee'), shift=value(3.0)))" + SITE
    found = lineage(source, "site_energy", fee=2.0)
    assert told(found) == {
        "energy": ("accelerator_hours × device_power", "1,000,000 accelerator·hour × 400 W per accelerator"),
        "site_energy.with_scaled": ("x × factor × shift", "0.4 GWh × 1.5 × 1"),
        "site_energy.with_scaled_1": ("x × factor × shift", "2.16×10¹² J × 2 × 3"),
        "site_energy": ("2 × energy", "2 × 1.296×10¹³ J"),
    }
    assert found.entries["site_energy.with_scaled"].parents == (
        *("energy", "site_energy.with_scaled.factor", "site_energy.with_scaled.shift"),
    )
    notes = {name: entry.note for name, entry in found.entries.items() if entry.note}
    assert notes == {
        "site_energy.with_scaled.factor": "written in site_energy",
        "site_energy.with_scaled.shift": "default of _scaled",
        "site_energy.with_scaled_1.shift": "written in site_energy",
    }
    assert [found.entries[name].excludes for name in ("site_energy.with_scaled", "site_energy")] == [
        "all else",
        "cooling",
    ]


def test_what_follows_a_step_of_pipe_output_borrows_no_equation() -> None:
    found = lineage("@pipe_output(step(_scaled, factor=1.5))" + SITE, "site_energy")
    assert told(found) == {
        "energy": ("accelerator_hours × device_power", "1,000,000 accelerator·hour × 400 W per accelerator"),
        "site_energy.raw": ("2 × energy", "2 × 0.4 GWh"),
        "site_energy.with_scaled": ("x × factor × shift", "2.88×10¹² J × 1.5 × 1"),
        "site_energy": ("from site_energy.with_scaled", "from 4.32×10¹² J"),
    }


SUBDAG = """
@subdag(
    metrics,
    inputs={"accelerator_tdp": value(as_quantity("700 W", field="accelerator_tdp"))},
    config={"device_power_route": "tdp"},
)
def site2(energy: kinds.Energy) -> kinds.Energy:
    '''Take twice what another one draws.

    site2 = 2 × energy
    '''
    return 2 * energy
def both(site2: kinds.Energy, energy: kinds.Energy) -> kinds.Energy:
    '''Add.

    both = site2 + energy
    '''
    return site2 + energy
def told_of(site2: kinds.Energy, energy: kinds.Energy) -> float:
    '''Compare.

    told_of = site2.energy ÷ energy
    '''
    return 1.0
"""


def test_within_a_subdag_a_node_has_its_own_equation_and_names_its_own_numbers() -> None:
    found = lineage(SUBDAG, "both")
    equations = told(found)
    assert equations["site2.energy"] == (
        "accelerator_hours × device_power",
        "1,000,000 accelerator·hour × 700 W per accelerator",
    )
    assert equations["site2"] == ("2 × energy", "2 × 0.7 GWh")
    assert equations["both"] == ("site2 + energy", "5.04×10¹² J + 0.4 GWh")
    assert found.entries["site2.accelerator_tdp"].note == "written in site2"


def test_a_guess_that_a_subdag_switches_on_is_not_hidden() -> None:
    theirs = module(SUBDAG)
    answer = Driver(metrics, theirs).execute("both", FACTS)
    assert answer.result("both").assumes == ("tdp",)
    found = Driver(metrics, theirs).lineage("both", FACTS)
    assert found.assumes == ("tdp",)
    assert found.entries["site2.device_power"].basis == "assumed"


def test_a_dotted_name_is_not_half_substituted() -> None:
    assert told(lineage(SUBDAG, "told_of"))["told_of"] == ("site2.energy ÷ energy", "site2.energy ÷ 0.4 GWh")


DECORATED = {
    "parameterize": (
        "@parameterize(low={'factor': value(0.5), 'x': source('energy')})\n"
        "def scaled(x: kinds.Energy, factor: float) -> kinds.Energy:\n"
        "    '''Scale.\n\n    scaled = x × factor\n    '''\n    return x * factor\n",
        "low",
        ("x × factor", "0.4 GWh × 0.5"),
        {"low.factor": 0.5},
    ),
    "inject": (
        "@inject(rate=value(0.3))\ndef cost(energy: kinds.Energy, rate: float) -> float:\n"
        "    '''Price.\n\n    cost = energy × rate\n    '''\n    return rate\n",
        "cost",
        ("energy × rate", "0.4 GWh × 0.3"),
        {"cost.rate": 0.3},
    ),
    "default": (
        "def cost(energy: kinds.Energy, rate: float = 0.12, unused: str = None) -> float:\n"
        "    '''Price.\n\n    cost = energy × rate\n    '''\n    return rate\n",
        "cost",
        ("energy × rate", "0.4 GWh × 0.12"),
        {"cost.rate": 0.12},
    ),
    "group": (
        "@parameterize(total={'parts': group(source('a'), value(3.0))})\n"
        "def summed(parts: list[float]) -> float:\n    return sum(parts)\n",
        "total",
        ("summed(parts)", "summed(parts)"),
        {"total.parts[1]": 3.0},
    ),
    "wrapped": (
        "import functools\n"
        "def _logged(function):\n"
        "    @functools.wraps(function)\n"
        "    def call(*args, **kwargs):\n        return function(*args, **kwargs)\n"
        "    return call\n"
        "@inject(rate=value(0.3))\n@_logged\ndef cost(energy: kinds.Energy, rate: float) -> float:\n"
        "    '''Price.\n\n    cost = energy × rate\n    '''\n    return rate\n",
        "cost",
        ("energy × rate", "0.4 GWh × 0.3"),
        {"cost.rate": 0.3},
    ),
    "field": (
        "@extract_fields({'a': float})\ndef pair(energy: kinds.Energy) -> dict:\n    return {'a': 1.0}\n",
        "a",
        ("from pair", "from pair"),
        {},
    ),
}


@pytest.mark.parametrize("name", DECORATED)
def test_every_number_of_a_decorated_node_is_in_text_picture_and_json(name: str) -> None:
    source, output, equation, literals = DECORATED[name]
    found = lineage(source, output, a=1.0) if name == "group" else lineage(source, output)
    assert told(found)[output] == equation
    assert {each: entry.value for each, entry in found.entries.items() if entry.note} == literals
    for text in (tree(found), dot(found), mermaid(found), lineage_json(found)):
        assert all(each in text for each in literals)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (pd.DataFrame({"a": [1.0, 2.0, 3.0]}), "DataFrame of 3 × 1"),
        ({"a": 1, "b": object()}, "dict of 2"),
        (np.array(["x", "y"]), "ndarray of 2"),
        ([float("nan")], "list of 1"),
        (float("nan"), "nan"),
        (object(), "object"),
        (print, "builtin_function_or_method"),
        (3 + 4j, "complex"),
    ],
)
def test_a_lineage_holds_any_input_and_is_written(given: object, shown: str) -> None:
    found = lineage(
        "from typing import Any\ndef cost(energy: kinds.Energy, book: Any) -> Any:\n    return book\n",
        "cost",
        book=given,
    )
    entries = {entry["name"]: entry for entry in json.loads(lineage_json(found))["runs"][0]["entries"]}
    assert (entries["book"]["value"], entries["cost"]["value"]) == (shown, shown)
    assert tree(found)
    assert dot(found)


def test_looking_at_a_node_neither_runs_it_nor_disturbs_a_profiler() -> None:
    seen: list[str] = []
    sys.setprofile(lambda frame, event, _: seen.append(event))
    try:
        lineage("@inject(rate=value(0.3))\ndef cost(rate: float) -> float:\n    return rate.real\n", "cost")
        assert sys.getprofile() is not None
    finally:
        sys.setprofile(None)
    assert seen
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: told(lineage(SUBDAG, "both"))["site2"], range(8)))
    assert set(found) == {("2 × energy", "2 × 0.7 GWh")}


OWN = """
@pipe_input(step(_scaled, factor=source('fee')))
def site_energy(energy: kinds.Energy) -> kinds.Energy:
    '''Take what the site draws.

    site_energy = 2 × energy
    '''
    return 2 * energy
def cost(site_energy: kinds.Energy, rate: float = 0.12, place: str = 'here') -> float:
    return site_energy.m_as('kWh') * rate
"""


@pytest.mark.parametrize("write", [lineage_json, prov_json])
def test_a_lineage_of_the_users_own_nodes_is_read_back_with_their_module(
    write: Callable[[Lineage], str], tmp_path: Path
) -> None:
    theirs = module(OWN)
    run = PublishedRunScenario(**FACTS, fee=2.0, place="there", modules=[theirs])
    file = tmp_path / "own.json"
    file.write_text(write(run.lineage(["cost", "energy"])), encoding="utf-8")
    again = read_lineage(file, modules=[theirs])
    assert again.results(["cost"])["cost"] == run.results(["cost"])["cost"] == pytest.approx(4e5 * 4 * 0.12)
    assert pickle.loads(pickle.dumps(again)).variant(fee=1.0).results(["cost"])["cost"] == pytest.approx(96000)
    with pytest.raises(CatalogError, match=r"\(fee\): is not a field of this package; name your modules: read_lineage"):
        read_lineage(file)
    file.write_text(file.read_text().replace("192000.0", "192001.0"))
    with pytest.raises(CatalogError, match=r"192,?00"):
        read_lineage(file, modules=[theirs])


def test_an_input_that_a_file_cannot_hold_is_refused_on_reading_it_back(tmp_path: Path) -> None:
    theirs = module("def cost(energy: kinds.Energy, prices: pd.DataFrame) -> float:\n    return 1.0\n")
    file = tmp_path / "own.json"
    run = PublishedRunScenario(**FACTS, prices=pd.DataFrame({"a": [1.0]}), modules=[theirs])
    file.write_text(lineage_json(run.lineage("cost")), encoding="utf-8")
    with pytest.raises(CatalogError, match=r"Expected prices \(DataFrame\) got DataFrame of 1 × 1 \(str\)"):
        read_lineage(file, modules=[theirs])
