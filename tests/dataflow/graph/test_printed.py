"""What authors print of an answer stands beside it, with the difference."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from runlineage import Fact, PublishedRunScenario, RunlineageWarning, Scenarios, lineage_json, read_lineage
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.graph.printed import ANSWER_OF, compared, share

HOURS = {"accelerator_hours": 1_022_362, "device_power": "400 W"}  # 408.9448 MWh


def test_a_figure_that_agrees_is_beside_the_answer_without_a_warning() -> None:
    results = Scenarios.BloomPublishedRun.results(["energy"])
    printed = results.result("energy").printed
    assert printed is not None
    assert (printed.fact, printed.agrees, str(printed)) == ("reported_energy", True, "printed 433.196 MWh (agrees)")
    assert results.warnings == ()
    assert results.result("energy").as_json()["published"] == {
        "fact": "reported_energy",
        "value": pytest.approx(0.433196),
        "unit": "GWh",
        "difference": pytest.approx(0.0, abs=1e-12),
    }


def test_a_figure_that_differs_is_warned_of_wherever_it_is_asked() -> None:
    changes = {"system_power": None, "reported_facility_energy": None}
    run = Scenarios.Gpt3PublishedRun.variant(name="GPT-3 175B", assume=["count_duration", "tdp"], **changes)
    warning = (
        "location_emissions is 502.857 tCO2e, 8.9% less than the 552.1 tCO2e that the authors print "
        "(published_emissions: PUE is inside: 1,287 MWh at the facility times 0.429 kg/kWh)"
    )
    assert warning in run.results(["location_emissions"]).warnings
    assert warning in run.lineage("location_emissions").warnings
    with pytest.warns(RunlineageWarning, match="8.9% less than the 552.1 tCO2e"):
        _ = run.location_emissions


def test_a_figure_is_shown_where_nothing_could_be_computed() -> None:
    result = PublishedRunScenario(accelerator_hours=1, published_emissions="33 t").result("location_emissions")
    assert result.problem is not None
    assert result.printed is not None
    assert (result.printed.difference, str(result.printed)) == (None, "printed 33 tCO2e")


def test_a_printed_energy_serves_where_no_route_reaches_one() -> None:
    olmo = Scenarios.Olmo1_7BPublishedRun  # 104 MWh × 1.1 × 0.61 kg/kWh
    results = olmo.results(["location_emissions", "energy"])
    assert results["location_emissions"].m_as("tCO2e") == pytest.approx(69.784)
    assert str(results.result("location_emissions").printed) == "printed 70 tCO2e (agrees)"
    energy = results.result("energy")
    assert (energy.route, energy.note, energy.printed) == ("reported", "", None)
    assert energy.sources == ("groeneveld2024",)
    lineage = olmo.lineage("location_emissions")
    assert (lineage.entries["energy"].basis, lineage.entries["reported_energy"].place) == ("stated", "Table 6")
    assert list(lineage.reported) == ["published_emissions"]
    assert Scenarios.Gpt3PublishedRun.location_emissions.m_as("tCO2e") == pytest.approx(552.123)


# As StarCoder's paper would be without its 280 W.
POWERLESS = PublishedRunScenario(
    accelerator="A100 SXM4 80GB", accelerator_hours=320_256, reported_energy="89671.68 kWh"
)


def test_a_printed_energy_gives_way_to_one_that_is_computed_without_an_assumption() -> None:
    run = POWERLESS
    assert run.energy.m_as("MWh") == pytest.approx(89.6717)
    (computed,) = (
        way for way in run.variant(assume=["tdp"]).lineage("energy").entries["energy"].ways if way.state == "open"
    )
    assert (computed.name, computed.value.m_as("MWh")) == ("power_time", pytest.approx(128.1024))
    assert PublishedRunScenario(reported_energy="1 GWh", **HOURS).result("energy").value.m_as("MWh") < 409


def test_what_is_printed_of_a_run_is_no_answer_of_a_changed_one() -> None:
    run = POWERLESS
    assert run.result("energy").value is not None
    assert run.variant(accelerator_hours="1M").result("energy").value is None
    assert run.variant(pue=1.2).result("facility_energy").value.m_as("MWh*facility") == pytest.approx(107.606)


@pytest.mark.parametrize(
    "run",
    [
        Scenarios.BloomPublishedRun.variant(device_power="350 W"),
        Scenarios.StarCoderBase15BPublishedRun.variant(accelerator_hours="1M"),
        PublishedRunScenario(accelerator="H100", precision="bf16", accelerator_hours=1, training_ops=1e20),
    ],
    ids=lambda run: run.name,
)
def test_a_changed_run_stays_one_in_a_lineage_file(run: PublishedRunScenario, tmp_path: Path) -> None:
    text = lineage_json(run.lineage())
    (tmp_path / "lineage.json").write_text(text, encoding="utf-8")
    again = read_lineage(tmp_path / "lineage.json")
    assert again.results().warnings == run.results().warnings
    assert lineage_json(again.lineage()) == text


def test_printed_emissions_are_no_answer_since_their_scope_is_not_said() -> None:
    run = PublishedRunScenario(published_emissions="30 t")
    assert run.result("location_emissions").value is None
    assert run.result("market_emissions").value is None


def test_a_lineage_that_rests_on_a_printed_answer_is_computed_again(tmp_path: Path) -> None:
    run = Scenarios.Olmo1_7BPublishedRun
    text = lineage_json(run.lineage("location_emissions"))
    (tmp_path / "lineage.json").write_text(text, encoding="utf-8")
    again = read_lineage(tmp_path / "lineage.json")
    assert again.location_emissions == run.location_emissions
    assert lineage_json(again.lineage("location_emissions")) == text


def test_no_figure_no_difference() -> None:
    result = PublishedRunScenario(**HOURS).result("energy")
    assert (result.printed, result.as_json()["published"]) == (None, None)


@pytest.mark.parametrize(
    ("printed", "agrees"),
    [
        ("409 MWh", True),
        ("408.9 MWh", True),
        ("0.41 GWh", True),
        ("408,944.8 kWh", True),
        ("400 MWh", True),  # zeros at the end are not digits: 350 to 450, of which 5 % either way are believed
        ("500 MWh", False),
        ("405 MWh", False),
        ("41 GWh", False),
        ("410.9 MWh", False),
    ],
)
def test_the_last_digit_that_is_printed_decides(printed: str, agrees: bool) -> None:
    result = PublishedRunScenario(reported_energy=printed, **HOURS).result("energy")
    assert result.printed is not None
    assert result.printed.agrees is agrees


def test_what_the_digits_of_the_facts_leave_open_is_no_difference() -> None:
    exact = {"accelerator_hours": 100_000.4, "device_power": "401.3 W"}
    rough = {"accelerator_hours": 100_000.4, "device_power": "401 W"}
    printed = {"reported_energy": "40.15 MWh"}
    for facts, agrees in ((exact, False), (rough, True)):
        result = PublishedRunScenario(**facts, **printed).result("energy")
        assert result.printed is not None
        assert result.printed.agrees is agrees


def test_a_variant_is_meant_to_differ_and_only_shows_the_printed_figure() -> None:
    run = Scenarios.BloomPublishedRun.variant(device_power="350 W")
    again = pickle.loads(pickle.dumps(run))
    for each in (run, again, again.variant(pue=1.1)):
        assert each.results(["energy"]).warnings == ()
        assert str(each.result("energy").printed) == "printed 433.196 MWh (this is 12% less)"
    filled = PublishedRunScenario(reported_energy="1 GWh").variant(**HOURS)
    assert "59% less than the 1 GWh" in filled.results(["energy"]).warnings[0]


def test_columns_are_not_compared() -> None:
    run = PublishedRunScenario(device_power=np.array([400.0, 500.0]), accelerator_hours=1, reported_energy="1 kWh")
    assert run.result("energy").printed is None
    assert compared(run.energy, Fact(None), "reported_energy") is None


def test_every_printed_figure_has_the_kind_of_its_answer() -> None:
    for name, answer in ANSWER_OF.items():
        run = PublishedRunScenario(**{name: FIELDS[answer].examples[0]})
        assert isinstance(run.inputs.stated[name].value, FIELDS[answer].kind)


def test_a_difference_is_written_in_words() -> None:
    assert [share(part) for part in (-1.0, -0.9999999, -0.999, -0.05, 0.0012, 0.5, 999.0)] == [
        "less than a millionth",
        "less than a millionth",
        "0.001 times as much",
        "5.0% less",
        "0.1% more",
        "50% more",
        "1,000 times as much",
    ]
