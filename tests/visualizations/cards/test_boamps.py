"""BoAmps reports validate against the published schema, and hold nothing that the facts or the user do not state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

from runlineage import CannotComputeError, InputError, PublishedRunScenario, Scenarios, card
from runlineage.visualizations.cards.boamps import DATA_TYPES, INFRASTRUCTURES

SCHEMAS = {path.stem: json.loads(path.read_text()) for path in (Path(__file__).parent / "boamps_schema").glob("*.json")}
REGISTRY: Any = Registry().with_resources(
    (schema["id"], Resource.from_contents(schema, default_specification=DRAFT4)) for schema in SCHEMAS.values()
)
VALIDATOR = Draft4Validator(SCHEMAS["report_schema"], registry=REGISTRY)
MORE = {"task_family": "text generation", "infrastructure": "onPremise"}


def faults(report: dict[str, Any]) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(report)]


def report(run: PublishedRunScenario, **more: str) -> dict[str, Any]:
    found = json.loads(card(run, "boamps", **MORE | more))
    assert isinstance(found, dict)
    assert faults(found) == []
    return found


def test_the_validator_refuses_what_the_schema_refuses() -> None:
    found = report(Scenarios["bloom"])
    assert faults(found | {"quality": "best"})
    assert faults({name: part for name, part in found.items() if name != "measures"})
    found["infrastructure"]["components"][0]["nbComponent"] = 1.5
    assert faults(found)


def has_devices(run: PublishedRunScenario) -> bool:
    count = run.inputs.given.get("accelerator_count")
    return run.accelerator is not None and count is not None and float(count.magnitude).is_integer()


@pytest.mark.parametrize("key", [key for key in Scenarios if "energy" in Scenarios[key].results(["energy"])])
def test_every_run_with_an_energy_is_valid_once_its_devices_are_known(key: str) -> None:
    run = Scenarios[key]
    if not has_devices(run):
        with pytest.raises(InputError, match="accelerator_count: is"):
            report(run, data_type="text")
        run = run.variant(accelerator_count=8)
    assert report(run, data_type="text")["measures"][0]["powerConsumption"] > 0


def test_what_the_facts_state_stands_in_the_report_and_nothing_else() -> None:
    found = report(Scenarios["bloom"].variant(region="FR", name="BLOOM"))
    assert found == {
        "task": {
            "taskStage": "training",
            "taskFamily": "text generation",
            "algorithms": [{"parametersNumber": 176.247271424, "layersNumber": 70}],
            "dataset": [{"dataUsage": "input", "dataType": "token"}],
            "taskDescription": "Training of BLOOM, 3.66×10¹¹ tokens seen",
        },
        "measures": [
            {
                "measurementMethod": "computed by runlineage from accelerator_hours × device_power (Luccioni, Viguier "
                "and Ligozat (2022)); devices alone, without host, cooling and other facility overhead",
                "powerConsumption": 433196,
                "measurementDuration": 10215936,
            }
        ],
        "infrastructure": {
            "infraType": "onPremise",
            "components": [
                {
                    "componentName": "NVIDIA A100 SXM4 80GB",
                    "componentType": "gpu",
                    "memorySize": 80,
                    "manufacturer": "NVIDIA",
                    "nbComponent": 384,
                }
            ],
        },
        "environment": {"country": "France", "powerSourceCarbonIntensity": 57},
    }


def test_the_same_run_gives_the_same_bytes() -> None:
    assert card(Scenarios["bloom"], "boamps", **MORE) == card(Scenarios["bloom"], "boamps", **MORE)


def test_a_fine_tuning_of_a_part_of_a_country() -> None:
    run = PublishedRunScenario(
        name="Mine", energy="2 MWh", accelerator="8 x A100 80GB", stage="fine-tuning", region="Oregon"
    )
    found = report(run, data_type="image")
    assert found["task"]["taskStage"] == "finetuning"
    assert found["environment"] == {"country": "United States", "location": "Oregon"}
    assert found["measures"] == [
        {
            "measurementMethod": "as given by the caller; devices alone, without host, cooling and other facility "
            "overhead",
            "powerConsumption": 2000,
        }
    ]


def test_all_that_the_schema_requires_and_nobody_states_is_asked_for_at_once() -> None:
    run = PublishedRunScenario(name="Mine", energy="2 MWh")
    with pytest.raises(InputError) as caught:
        card(run, "boamps", location="Paris")
    assert [fault.where for fault in caught.value.faults] == [
        "task_family", "data_type", "infrastructure", "accelerator", "accelerator_count", "location",
    ]  # fmt: skip
    assert "give --infrastructure, one of publicCloud, privateCloud, onPremise, other" in str(caught.value)


def test_other_words_than_the_schemas_are_refused_with_the_nearest() -> None:
    with pytest.raises(
        InputError, match=r"infrastructure: is 'on-premises'; expected one of .*; the nearest: onPremise"
    ):
        card(Scenarios["bloom"], "boamps", task_family="x", infrastructure="on-premises")
    with pytest.raises(InputError, match=r"data_type: is 'tokens'; expected one of .*; the nearest: token"):
        card(Scenarios["bloom"], "boamps", data_type="tokens", **MORE)


def test_a_mean_of_periods_is_no_number_of_devices() -> None:
    periods = [{"accelerator_count": 10, "duration": "3 days"}, {"accelerator_count": 11, "duration": "4 days"}]
    run = PublishedRunScenario(name="Mine", energy="2 MWh", accelerator="A100 80GB", periods=periods)
    with pytest.raises(InputError, match=r"accelerator_count: is 10\.5714, a mean of periods; give a whole number"):
        card(run, "boamps", data_type="text", **MORE)


def test_a_run_without_an_energy_has_no_report() -> None:
    with pytest.raises(CannotComputeError, match="cannot compute energy of"):
        card(Scenarios["gpt-3"].variant(pue=None, reported_facility_energy=None), "boamps", **MORE)


def test_the_choices_are_the_schemas() -> None:
    properties = SCHEMAS["report_schema"]["properties"]["infrastructure"]["properties"]
    assert tuple(properties["infraType"]["enum"]) == INFRASTRUCTURES
    assert tuple(SCHEMAS["dataset_schema"]["properties"]["dataType"]["enum"]) == DATA_TYPES


def test_words_of_another_form_are_refused() -> None:
    with pytest.raises(InputError, match="task_family: is not of a latex card; it is of boamps"):
        card(Scenarios["bloom"], "latex", task_family="text generation")
