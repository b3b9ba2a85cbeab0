"""Facility energy, emissions and cost: published totals come out, and PUE is applied once."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage import (
    CannotComputeError,
    Driver,
    InputError,
    PublishedRunScenario,
    RunlineageWarning,
    Scenarios,
    evaluate,
    footprint,
    graph_inputs,
    metrics,
    people,
    policy,
    routes,
    utilisation,
)
from runlineage.catalogs.quantities.fields import FOOTPRINT, METRICS, RUN_FACTS
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.routes.routes import ONLY
from runlineage.dataflow.tables.one_row import run_of_row
from runlineage.dataflow.tables.request import output_header

SUPPLIED = {"accelerator_hours_route": "supplied", "device_power_route": "supplied"}
SYSTEM = {"device_power": "330 W", "power_basis": "measured_system"}


def answered(case: PublishedRunScenario, name: str) -> float:
    return float(case.results([name])[name].magnitude)


def refusal(**facts: Any) -> str:
    with pytest.raises(InputError) as caught:
        PublishedRunScenario(**facts)
    return str(caught.value)


@pytest.mark.parametrize(
    ("run", "changes", "assume", "name", "value"),
    [
        ("Llama65BPublishedRun", {}, (), "facility_energy", 0.4498),
        ("Llama65BPublishedRun", {}, (), "location_emissions", 173.2),
        ("BloomPublishedRun", {}, ("no_overhead",), "location_emissions", 24.69),
        ("Gpt3PublishedRun", {"reported_facility_energy": None}, ("count_duration",), "facility_energy", 1.289),
        ("Gpt3PublishedRun", {}, (), "facility_energy", 1.287),
        ("Gpt3PublishedRun", {}, (), "location_emissions", 552.1),
        ("Gpt3PublishedRun", {"facility_energy": "1,287 MWh"}, (), "location_emissions", 552.1),
        ("T5_11BPublishedRun", {"facility_energy": "85.7 MWh"}, (), "location_emissions", 46.7),
        ("Llama2_70BPublishedRun", {}, (), "location_emissions", 291.4),
        ("Llama2_34BPublishedRun", {}, (), "location_emissions", 153.9),
        ("Llama31_405BPublishedRun", {}, (), "implied_carbon_intensity", 0.4137),
        ("Llama31_405BPublishedRun", {"price": "$2"}, (), "training_cost", 61_680_000),
        ("Olmo1_7BPublishedRun", {"energy": "104 MWh"}, (), "location_emissions", 69.78),
    ],
)
def test_a_published_total_comes_out(
    run: str, changes: dict[str, str], assume: tuple[str, ...], name: str, value: float
) -> None:
    case = Scenarios[run].variant(assume=assume, **changes)
    digits = len(f"{value:g}".replace(".", "").lstrip("0"))
    assert float(f"{answered(case, name):.{digits - 1}e}") == pytest.approx(value, rel=1e-9)
    assert case.result(name).assumes == assume


def test_every_answer_is_a_lazy_attribute() -> None:
    case = PublishedRunScenario(
        accelerator_hours=1000,
        device_power=1000,
        host_overhead=1.5,
        pue=2,
        carbon_intensity=0.5,
        market_carbon_intensity=0,
        price="$3",
        published_emissions=1.5,
    )
    said = {name: people(getattr(case, name)) for name in FOOTPRINT}
    assert said == {
        "it_energy": "0.0015 GWh",
        "facility_energy": "0.003 GWh at the facility",
        "location_emissions": "1.5 tCO2e",
        "market_emissions": "0 tCO2e",
        "implied_carbon_intensity": "1.5 kgCO2e/kWh",
        "training_cost": "3,000 USD",
    }


def test_the_module_stands_on_the_metrics_by_names_alone() -> None:
    book = read_routes(footprint)
    assert {"energy", "accelerator_hours"} <= set(book.inputs)


# PUE is applied once


def test_an_energy_at_the_facility_is_refused_where_pue_would_multiply_it() -> None:
    whole = Scenarios.Llama65BPublishedRun.facility_energy
    inside = "is in GWh at the facility, with PUE inside already; give it as facility_energy"
    assert refusal(energy=whole).endswith(inside)
    assert refusal(it_energy=whole).endswith(inside)
    assert inside in refusal(energy=people(whole))
    assert PublishedRunScenario(facility_energy=whole, carbon_intensity=0.385).location_emissions.magnitude > 173


def test_an_energy_of_the_devices_is_refused_as_that_of_a_facility() -> None:
    ours = Scenarios.Llama65BPublishedRun.energy
    assert "is in GWh, which is not an energy at facility scope" in refusal(facility_energy=ours)


def test_an_implied_intensity_is_refused_as_a_grids() -> None:
    implied = Scenarios.Llama31_405BPublishedRun.implied_carbon_intensity
    assert "is in kgCO2e/kWh, which is not a carbon intensity" in refusal(carbon_intensity=implied)


def test_a_stated_pue_comes_before_the_assumption_that_there_is_none() -> None:
    case = Scenarios.Llama65BPublishedRun.variant(assume=["no_overhead"])
    assert case.result("facility_energy").assumes == ()
    with pytest.warns(RunlineageWarning, match='assumption "no_overhead" was not needed'):
        assert case.facility_energy.magnitude == pytest.approx(0.449839, abs=1e-6)


def test_without_a_pue_the_answer_says_what_would_do() -> None:
    problem = Scenarios.BloomPublishedRun.result("location_emissions").problem
    assert (problem.needs, problem.guesses) == ("needs pue or facility_power", '"no_overhead"')
    with pytest.raises(CannotComputeError, match='give pue or facility_power, or assume "no_overhead"'):
        _ = Scenarios.BloomPublishedRun.facility_energy


def test_an_assumed_pue_stands_in_the_lineage() -> None:
    lineage = Scenarios.BloomPublishedRun.variant(assume="no_overhead").lineage("location_emissions")
    entry = lineage.entries["pue"]
    assert (entry.assumption, entry.basis, entry.equation, entry.parents) == ("no_overhead", "assumed", "1", ())
    assert "pue = 1\n" in str(lineage)
    _, beside = Scenarios.BloomPublishedRun.lineage("location_emissions").unused["pue"]
    assert [fact.value.magnitude for fact in beside] == [1.2]


# The host


def test_the_host_is_counted_where_its_overhead_is_stated() -> None:
    case = PublishedRunScenario(energy="1 GWh", host_overhead=1.25)
    assert case.result("it_energy").route == "with_host"
    assert answered(case, "it_energy") == pytest.approx(1.25)
    bare = PublishedRunScenario(energy="1 GWh")
    assert bare.result("it_energy").route == "devices_alone"
    assert bare.lineage("it_energy").entries["it_energy"].excludes == "host"


def test_a_power_measured_on_whole_systems_is_no_devices_and_gives_the_energy_with_the_host() -> None:
    case = PublishedRunScenario(accelerator_hours=1e6, host_overhead=1.25, **SYSTEM)
    assert case.result("it_energy").route == "system_power"
    assert answered(case, "it_energy") == pytest.approx(0.33)
    assert case.lineage("it_energy").entries["system_power"].parents == ("power_basis",)
    withheld, facts = case.lineage("energy").unused["device_power"]
    assert withheld == "it was measured on whole systems, and serves it_energy as system_power"
    assert [fact.value.m for fact in facts] == [330]
    with pytest.raises(
        CannotComputeError, match=r"device_power \(withheld: it was measured on whole systems, and serves"
    ):
        _ = case.energy
    assert case.variant(device_power="300 W").energy.m == pytest.approx(0.3)
    assert case.variant(device_power="300 W").result("it_energy").route == "with_host"


def test_a_system_power_may_be_given_as_itself_but_not_twice() -> None:
    case = PublishedRunScenario(accelerator_hours=1e6, system_power="330 W", device_power="250 W")
    assert (case.result("it_energy").route, answered(case, "it_energy")) == ("system_power", pytest.approx(0.33))
    assert case.energy.m == pytest.approx(0.25)
    assert "system_power: is given, and device_power with power_basis" in refusal(system_power="330 W", **SYSTEM)


def test_gpt3_gives_its_own_emissions_of_itself() -> None:
    assert Scenarios.Gpt3PublishedRun.location_emissions.m == pytest.approx(552.123, abs=5e-4)
    case = Scenarios.Gpt3PublishedRun.variant(assume={"count_duration"}, reported_facility_energy=None)
    assert case.location_emissions.m == pytest.approx(553.142, abs=5e-4)
    assert case.result("it_energy").route == "system_power"
    both = case.variant(assume={"count_duration", "tdp"})
    assert both.result("location_emissions").value == case.location_emissions
    assert both.result("it_energy").assumes == ("count_duration",)


def test_a_table_tells_the_two_powers_apart_row_by_row() -> None:
    told = {"accelerator_hours": [1e6] * 3, "device_power": [330] * 3, "host_overhead": [1.25] * 3}
    basis = pl.DataFrame(told | {"power_basis": ["measured_system", "tdp", None]})
    for rows in (evaluate(basis, "it_energy"), evaluate(basis.lazy(), "it_energy").collect()):
        assert rows["it_energy route"].to_list() == ["system_power", "with_host", "with_host"]
        assert rows["it_energy (GWh)"].to_list() == pytest.approx([0.33, 0.4125, 0.4125])
    rows = evaluate(basis.with_columns(pl.Series("system_power", [None, 300, None])), ["energy", "it_energy"])
    assert rows["energy (GWh)"].to_list() == [None, pytest.approx(0.33), pytest.approx(0.33)]
    assert rows["it_energy route"].to_list() == ["system_power", "with_host", "with_host"]
    assert rows["problems"].to_list() == [
        "device_power: was measured on whole systems, and serves it_energy alone | energy needs device_power",
        None,
        None,
    ]


# Bands


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("pue", 0.9, "pue: 0.9 is out of its band; a PUE below 1 is impossible"),
        ("pue", [1.1, 0.5], "pue: [1.1, 0.5] has 0.5 at position 1; a PUE below 1 is impossible"),
        ("host_overhead", "0.5", "host_overhead: '0.5' is out of its band; a server draws no less than its devices"),
        (
            "carbon_intensity",
            385,
            "carbon_intensity: 385 is 385 kgCO2e/kWh; did you mean 385 gCO2e/kWh, that is 0.385 kgCO2e/kWh?",
        ),
        (
            "carbon_intensity",
            "0.1 g/kWh",
            "carbon_intensity: '0.1 g/kWh' is 0.0001 kgCO2e/kWh; "
            "an intensity of electricity lies between 0.001 and 2 kgCO2e/kWh",
        ),
        ("price", "2 EUR", "price: '2 EUR' is in EUR; give it in USD: exchange rates are not looked up"),
        ("price", "€2", "price: '€2' is in €; give it in USD: exchange rates are not looked up"),
    ],
)
def test_what_cannot_be_is_refused_with_the_likely_slip(field: str, value: Any, problem: str) -> None:
    assert refusal(**{field: value}) == f"my run: {problem}"


def test_a_market_based_intensity_may_be_nothing_and_a_grids_may_not() -> None:
    case = PublishedRunScenario(facility_energy="1 GWh", market_carbon_intensity="0 g/kWh")
    assert answered(case, "market_emissions") == 0
    assert "carbon_intensity: 0 is not above zero" in refusal(carbon_intensity=0)
    assert "market_carbon_intensity: -1 is below zero" in refusal(market_carbon_intensity=-1)


def test_the_ends_of_a_band_are_inside_in_any_unit() -> None:
    ends = ["2 kg/kWh", "2000 g/kWh", "0.001 kg/kWh", "1 g/kWh", "1 kgCO2e/MWh", "2000 kg/MWh"]
    table = pl.DataFrame({"carbon_intensity": ends, "accelerator_hours": 1e6, "device_power": 1000, "pue": 1})
    rows = evaluate(table, "location_emissions")
    assert rows["problems"].null_count() == len(ends)
    for number in range(1, len(ends) + 1):
        case = run_of_row(table.lazy(), number, "t.csv", "location_emissions")
        assert answered(case, "location_emissions") == pytest.approx(rows["location_emissions (tCO2e)"][number - 1])


def test_a_row_asked_for_the_metrics_alone_leaves_the_users_own_columns() -> None:
    table = pl.LazyFrame({"accelerator_hours": [1.0], "device_power": [1.0], "price (EUR)": [3], "pue": [0.5]})
    assert "pue" not in run_of_row(table, 1, "t.csv").facts
    with pytest.warns(RunlineageWarning, match="t.csv row 1: pue: '0.5' is out of its band"):
        assert "pue" not in run_of_row(table, 1, "t.csv", "facility_energy").facts  # refused, as in the table
    with pytest.raises(InputError, match="price"):
        run_of_row(table, 1, "t.csv", "training_cost")


def test_a_high_pue_is_doubted() -> None:
    case = PublishedRunScenario(energy="1 GWh", pue=3.5)
    assert case.inputs.warnings == ("pue is above 3: is it the PUE of the facility?",)
    rows = evaluate(pl.DataFrame({"accelerator_hours": [1.0, 1.0], "device_power": 400, "pue": [3.5, 3.0]}), ASKED)
    assert rows["problems"].to_list() == ["pue is above 3: is it the PUE of the facility?", None]


def test_tons_are_metric_and_that_is_said() -> None:
    case = PublishedRunScenario(energy="21.588 GWh", published_emissions="8,930 tons CO2eq")
    assert answered(case, "implied_carbon_intensity") == pytest.approx(0.41366, abs=5e-6)
    entry = case.lineage("implied_carbon_intensity").entries["published_emissions"]
    assert (people(entry.value), entry.note) == ("8,930 tCO2e", "tons read as metric")
    beside = case.variant(pue=1, carbon_intensity=0.4).lineage("location_emissions").reported["published_emissions"]
    assert people(beside.value) == "8,930 tCO2e"


# Tables

ASKED = ("facility_energy",)
CELLS = {
    "carbon_intensity (g/kWh)": (["385", "0.385 kg/kWh", "385,000"], [0.385, 0.385, None]),
    "carbon_intensity": (["0.385", "385 g/kWh", "385"], [0.385, 0.385, None]),
    "carbon_intensity (kgCO2e/MWh)": ([385.0, 57.0, 3e6], [0.385, 0.057, None]),
}


@pytest.mark.parametrize("header", CELLS)
def test_the_band_of_a_field_holds_in_a_columns_own_unit_and_spoils_one_row(header: str) -> None:
    cells, intensities = CELLS[header]
    table = pl.DataFrame({"accelerator_hours": [1e6] * 3, "device_power": 1000, "pue": 1.0, header: cells})
    for rows in (evaluate(table, "location_emissions"), evaluate(table.lazy(), "location_emissions").collect()):
        expected = [each and pytest.approx(each * 1000) for each in intensities]
        assert rows["location_emissions (tCO2e)"].to_list() == expected
        assert rows["problems"][:2].to_list() == [None, None]
        assert "kgCO2e/kWh; " in rows["problems"][2]
        assert rows["problems"][2].endswith(" | location_emissions needs carbon_intensity")


def test_a_pue_below_1_spoils_its_own_row() -> None:
    table = pl.DataFrame({"accelerator_hours": [1e6, 1e6], "device_power": 1000, "pue": [0.9, 1.1]})
    rows = evaluate(table, ASKED)
    assert rows["facility_energy (GWh)"].to_list() == [None, pytest.approx(1.1)]
    assert rows["problems"].to_list() == [
        "pue: '0.9' is out of its band; a PUE below 1 is impossible | "
        "facility_energy needs pue or (duration and facility_power)",
        None,
    ]


def test_a_column_that_only_the_footprint_could_use_is_the_users_own_until_that_is_asked() -> None:
    table = pl.DataFrame(
        {
            "accelerator_hours": [1000],
            "device_power": [400],
            "price": ["dear"],
            "price (EUR)": [3],
            "pue": [0.5],
            "carbon_intensity": [[1]],
        }
    )
    rows = evaluate(table, "energy")
    assert rows.select(table.columns).equals(table)
    assert rows["problems"].to_list() == [None]
    with pytest.raises(InputError, match="price"):
        evaluate(table, "training_cost")
    assert evaluate(table.drop("carbon_intensity", "price (EUR)"), ASKED)["problems"][0].startswith("pue: ")


def test_the_four_metrics_stay_what_is_answered_by_default() -> None:
    assert list(Scenarios.Llama65BPublishedRun.results()) == list(METRICS)
    answered = evaluate(pl.DataFrame({"pue": [1.1], "accelerator_hours": [1.0]}))
    assert not any(output_header(name) in answered.columns for name in FOOTPRINT)


def test_many_facts_with_holes_are_told_by_their_patterns() -> None:
    names = ["duration (day)" if name == "duration" else name for name in FACTS_ALL]
    facts = {name: [1.5 if place & 1 << bit else None for place in range(300)] for bit, name in enumerate(names)}
    table = pl.DataFrame(facts, schema=dict.fromkeys(facts, pl.Float64))
    rows = evaluate(table, (*METRICS, *FOOTPRINT))
    for place in (0, 1, 255, 299):
        (one,) = evaluate(table[place], (*METRICS, *FOOTPRINT))["problems"]
        assert rows["problems"][place] == one


@pytest.mark.parametrize("engine", ["pandas", "arrow", "duckdb"])
def test_the_footprint_is_answered_in_other_engines(engine: str) -> None:
    table = pl.DataFrame({"accelerator_hours": ["1M", None], "device_power": 400, "pue": [1.1, 1.1], "price": "$2"})
    asked = ("facility_energy", "training_cost")
    expected = evaluate(table, asked)
    if engine == "pandas":
        found = pl.from_pandas(evaluate(table.to_pandas(), asked))
    elif engine == "arrow":
        found = pl.DataFrame(evaluate(table.to_arrow(), asked))
    else:
        relation = pytest.importorskip("duckdb").from_arrow(table.to_arrow())
        found = pl.DataFrame(evaluate(relation, asked).to_arrow_table())
    for name in ("facility_energy (GWh)", "training_cost (USD)", "facility_energy route", "problems"):
        assert found[name].cast(expected[name].dtype).to_list() == expected[name].to_list()


FACTS_ALL = (*RUN_FACTS, "host_overhead", "pue", "carbon_intensity", "market_carbon_intensity", "price")
FACTS = {
    "accelerator_hours": st.floats(1e3, 1e8),
    "device_power": st.floats(100.0, 1000.0),
    "accelerator_tdp": st.floats(100.0, 1000.0),
    "host_overhead": st.floats(1.0, 2.0),
    "pue": st.floats(1.0, 2.5),
    "carbon_intensity": st.floats(0.001, 2.0),
    "market_carbon_intensity": st.floats(0.0, 2.0),
    "price": st.floats(0.1, 20.0),
    "published_emissions": st.floats(0.1, 1e5),
}
HOLEY = st.fixed_dictionaries({name: st.none() | each for name, each in FACTS.items()})
ASSUMED = st.sampled_from([(), ("no_overhead",), ("no_overhead", "tdp"), ("tdp",)])


@given(st.lists(HOLEY, min_size=1, max_size=6), ASSUMED)
def test_a_row_answers_as_it_does_alone(rows: list[dict[str, Any]], assume: tuple[str, ...]) -> None:
    table = pl.DataFrame(rows, schema=dict.fromkeys(FACTS, pl.Float64))
    eager = evaluate(table, FOOTPRINT, assume)
    assert evaluate(table.lazy(), FOOTPRINT, assume).collect().equals(eager)
    for row in eager.to_dicts():
        alone = Driver(assume=assume).answer(
            tuple(FOOTPRINT), {name: row[name] for name in FACTS if row[name] is not None}
        )
        for name in FOOTPRINT:
            one = alone.result(name)
            if one.problem:
                assert (row[output_header(name)], row[f"{name} route"]) == (None, None)
                assert f"{name} {one.problem.needs}" in row["problems"].split(" | ")
            else:
                assert row[output_header(name)] == pytest.approx(one.value.magnitude, rel=1e-12)
                assert row[f"{name} route"] == (one.route or ONLY)


def test_a_column_of_numpy_answers_as_its_cells() -> None:
    facts = {"energy": quantity(np.array([1.0, 2.0]), "GWh"), "pue": 1.5, "carbon_intensity": np.array([0.1, 0.2])}
    found = Driver().execute(["location_emissions"], facts)["location_emissions"]
    assert found.magnitude == pytest.approx([150, 600])


# In a user's own builder


def test_the_module_alone_takes_an_energy_from_elsewhere() -> None:
    facts = {"energy": "1 GWh", "pue": 1.2, "carbon_intensity": "100 g/kWh"}
    built = Driver(footprint).hamilton("location_emissions", facts)
    assert built.execute(["location_emissions"], inputs=graph_inputs(facts))["location_emissions"].to(
        "tCO2e"
    ).magnitude == pytest.approx(120)


def test_routes_of_both_modules_make_one_config() -> None:
    facts = {"accelerator_hours": 1, "device_power": 1, "carbon_intensity": 0.1}
    config = routes((metrics, footprint), facts, "location_emissions", assume=["no_overhead"])
    chosen = {
        "energy_route": "power_time",
        "facility_energy_route": "pue",
        "it_energy_route": "devices_alone",
        "pue_route": "no_overhead",
    }
    assert config == chosen | SUPPLIED


def test_our_modules_stand_in_one_place() -> None:
    modules = importlib.import_module("runlineage.dataflow.modules").MODULES
    assert modules == (metrics, footprint, policy, utilisation)
    assert Driver().modules == modules
    assert set(RUN_FACTS).isdisjoint(FOOTPRINT)
