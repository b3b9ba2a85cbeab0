"""CycloneDX bills are read as cards: ours with the same facts, others' with what they say, and no scope invented."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from runlineage import PublishedRunScenario, RunlineageWarning, Scenarios, card, read_card
from runlineage.catalogs.base.errors import CatalogError
from runlineage.dataflow.cards.bill import fact_value, is_bill

ANSWERED = [key for key in Scenarios if "energy" in Scenarios[key].results(["energy"])]


def bill(*models: dict[str, Any], **consumption: Any) -> str:
    """Write a bill of others: models, or one of the name Other with one consumption."""
    energy = {"activity": "training", "activityEnergyCost": {"value": 1000, "unit": "kWh"}} | consumption
    considerations = {"environmentalConsiderations": {"energyConsumptions": [energy]}}
    one = {"type": "machine-learning-model", "name": "Other", "modelCard": {"considerations": considerations}}
    return json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.6", "components": models or [one]})


def written(folder: Path, text: str) -> Path:
    file = folder / "bill.json"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("key", ANSWERED)
def test_a_bill_of_ours_is_read_back_with_the_same_facts(key: str, tmp_path: Path) -> None:
    run = Scenarios[key]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RunlineageWarning)
        again = read_card(written(tmp_path, card(run, "cyclonedx")))
    assert again.name == run.name
    assert again.accelerator == run.accelerator
    for name, fact in run.inputs.stated.items():
        if hasattr(fact.value, "magnitude"):
            value = again.inputs.stated[name].value
            assert value.m_as(fact.value.units) == pytest.approx(fact.value.magnitude, rel=1e-14)
        elif fact.value is not None and name != "accelerator":
            assert again.inputs.words[name] == fact.value
    before, after = run.results(), again.results()
    assert {name: str(value) for name, value in after.items()} == {name: str(value) for name, value in before.items()}


def test_a_fact_names_the_bill_and_its_source(tmp_path: Path) -> None:
    file = written(tmp_path, card(Scenarios["bloom"], "cyclonedx"))
    origin = read_card(file).inputs.origins["accelerator_hours"]
    assert (origin.source, origin.place) == (str(file), "property runlineage:fact:accelerator_hours")
    assert origin.note == "from Luccioni, Viguier and Ligozat (2022), Table 1"


def test_each_scope_of_energy_comes_back_as_what_it_is(tmp_path: Path) -> None:
    given = {"energy": "1 GWh", "it_energy": "1.5 GWh", "reported_facility_energy": "2 GWh"}
    for name, field in (("energy", "reported_energy"), ("it_energy", "it_energy")):
        run = PublishedRunScenario(name="Mine", **{name: given[name]})  # type: ignore[arg-type]
        again = read_card(written(tmp_path, card(run, "cyclonedx")))
        assert again.inputs.given[field].m_as("GWh") == pytest.approx(float(given[name].split()[0]))
    run = PublishedRunScenario(name="Mine", reported_facility_energy="2 GWh")
    again = read_card(written(tmp_path, card(run, "cyclonedx")))
    assert again.facility_energy.m_as("GWh*facility") == pytest.approx(2)


def test_a_figure_that_was_edited_contradicts_the_facts(tmp_path: Path) -> None:
    text = card(PublishedRunScenario(name="Mine", accelerator_hours="1M", device_power="400 W"), "cyclonedx")
    edited = read_card(written(tmp_path, text.replace('"value": 400000,', '"value": 800000,')))
    assert "50% less than the 800,000 kWh that the authors print" in " ".join(edited.results(["energy"]).warnings)


def test_a_figure_beside_the_same_fact_is_used_only_where_they_agree(tmp_path: Path) -> None:
    run = Scenarios["llama 65b"].variant(published_emissions="100 t")  # computed: 173 t
    with pytest.warns(RunlineageWarning, match="the bill lists another value of it among its facts"):
        again = read_card(written(tmp_path, card(run, "cyclonedx")))
    assert again.inputs.given["published_emissions"].m_as("tCO2e") == pytest.approx(100)


def test_an_energy_without_a_scope_is_not_used_and_named(tmp_path: Path) -> None:
    emitted = {"value": 2.5, "unit": "tCO2eq"}
    with pytest.warns(RunlineageWarning, match="the bill does not say whether it is of devices, of whole servers"):
        run = read_card(written(tmp_path, bill(co2CostEquivalent=emitted)))
    assert run.name == "Other"
    assert "reported_energy" not in run.inputs.given
    assert run.inputs.given["published_emissions"].m_as("tCO2e") == 2.5


def test_the_energy_of_another_activity_is_not_the_trainings(tmp_path: Path) -> None:
    with pytest.warns(RunlineageWarning, match="energy of the activity 'inference'|no fact was read"):
        run = read_card(written(tmp_path, bill(activity="inference")))
    assert not run.inputs.given


@pytest.mark.parametrize("cost", [{"value": "many", "unit": "tCO2eq"}, {"value": 3, "unit": "kg"}, {"value": True}])
def test_emissions_that_are_no_number_of_tonnes_are_not_used(tmp_path: Path, cost: dict[str, Any]) -> None:
    with pytest.warns(RunlineageWarning, match="expected a number in tCO2eq"):
        run = read_card(written(tmp_path, bill(co2CostEquivalent=cost)))
    assert "published_emissions" not in run.inputs.given


def test_of_several_models_one_is_named(tmp_path: Path) -> None:
    both = [
        {
            "type": "machine-learning-model",
            "name": name,
            "properties": [{"name": "runlineage:fact:parameters", "value": size}],
        }
        for name, size in (("A 1B", "1B"), ("B 2B", "2B"))
    ]
    file = written(tmp_path, bill(*both))
    with pytest.raises(CatalogError, match="has 2 models; name one of A 1B, B 2B as FILE#MODEL"):
        read_card(file)
    assert read_card(f"{file}#B 2B").inputs.given["parameters"].magnitude == 2e9
    with pytest.raises(CatalogError, match="has no one model 'C'; name one of A 1B, B 2B"):
        read_card(file, "C")


def test_a_fact_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    wrong = [
        {"name": "runlineage:fact:device_power", "value": "700 V"},
        {"name": "runlineage:fact:color", "value": "red"},
    ]
    model = {"type": "machine-learning-model", "name": "A", "properties": wrong}
    with pytest.warns(RunlineageWarning, match="'700 V' .*unknown unit"):
        run = read_card(written(tmp_path, bill(model)))
    assert not run.inputs.given


def test_other_json_is_no_bill(tmp_path: Path) -> None:
    assert not is_bill(written(tmp_path, '{"accelerator_hours": 5}'))
    assert not is_bill(written(tmp_path, "[1, 2]"))
    assert not is_bill(tmp_path / "none.json")
    assert fact_value("1.5 kWh", "energy").m_as("kWh") == 1.5


def test_the_command_line_reads_bills(tmp_path: Path) -> None:
    from runlineage.visualizations.command_line.run_argument import is_card

    assert is_card(str(written(tmp_path, card(Scenarios["bloom"], "cyclonedx"))))
