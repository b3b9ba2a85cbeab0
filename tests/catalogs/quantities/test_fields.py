"""The field table: the contract's names, each with a unit of its kind and examples that are read."""

import pydoc

import pytest

from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.quantities.answers import Answers
from runlineage.catalogs.quantities.fields import (
    ANSWERS,
    FIELDS,
    FOOTPRINT,
    FOOTPRINT_FACTS,
    METRICS,
    POLICY,
    POLICY_FACTS,
    PRECISION_SPELLINGS,
    RUN_FACTS,
    STEPS,
    WORDS,
)
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.values import read_word

UNITS = {
    "parameters": "parameter",
    "active_parameters": "parameter",
    "training_tokens": "token",
    "training_ops": "flop",
    "accelerator_hours": "accelerator*hour",
    "device_power": "W/accelerator",
    "accelerator_tdp": "W/accelerator",
    "accelerator_count": "accelerator",
    "duration": "day",
    "peak_flops": "TFLOP/s/accelerator",
    "host_overhead": "",
    "pue": "facility",
    "carbon_intensity": "kgCO2e/kWh/facility",
    "market_carbon_intensity": "kgCO2e/kWh/facility",
    "price": "USD/accelerator/hour",
    "published_emissions": "tCO2e",
    "base_training_ops": "flop",
    "training_operations": "flop",
    "achieved_rate": "TFLOP/s/accelerator",
    "energy": "GWh",
    "peak_fraction": "",
    "it_energy": "GWh",
    "facility_energy": "GWh*facility",
    "location_emissions": "tCO2e",
    "market_emissions": "tCO2e",
    "implied_carbon_intensity": "kgCO2e/kWh",
    "training_cost": "USD",
    "cumulative_operations": "flop",
    "modification_share": "",
    "parameters_per_token": "parameter",
}
EXAMPLES = [(name, example) for name, field in FIELDS.items() for example in field.examples]


def test_the_fields_and_their_units_are_those_of_the_contract():
    assert {name: field.unit for name, field in FIELDS.items()} == UNITS
    assert list(METRICS) == ["training_operations", "achieved_rate", "energy", "peak_fraction"]


def test_a_name_stands_in_one_table_only():
    names = [*RUN_FACTS, *FOOTPRINT_FACTS, *POLICY_FACTS, *METRICS, *FOOTPRINT, *POLICY, *STEPS, *WORDS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_the_unit_of_a_field_has_its_kinds_dimension(field):
    assert isinstance(quantity(1.0, field.units), field.kind)
    assert FIELDS[field.name] is field
    assert field.sentence
    assert field.examples


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_is_read_in_its_field(name, example):
    assert isinstance(as_quantity(example, field=name), FIELDS[name].kind)


def test_a_unit_is_spelt_for_files_and_a_fraction_has_a_word_for_none():
    assert FIELDS["device_power"].unit_text == "W/accelerator"
    assert FIELDS["peak_fraction"].unit_text == "dimensionless"
    assert FIELDS["facility_energy"].unit_text == "GWh*facility"


def test_people_need_not_be_told_of_the_facility_in_a_units_text():
    shown = {name: FIELDS[name].unit_shown for name in ("pue", "facility_energy", "carbon_intensity", "price")}
    assert list(shown.values()) == ["", "GWh", "kgCO2e/kWh", "USD/accelerator/hour"]


def test_what_has_a_band_says_why():
    bounded = {field.name for field in FIELDS.values() if field.is_bounded}
    assert bounded == {"host_overhead", "pue", "carbon_intensity", "market_carbon_intensity"}
    assert all(field.band.why for field in FIELDS.values() if field.band)


@pytest.mark.parametrize(("spelling", "choice"), PRECISION_SPELLINGS.items())
def test_other_spellings_of_a_precision_lead_to_a_choice(spelling, choice):
    assert choice in WORDS["precision"].choices
    assert read_word(spelling.upper(), "precision") == choice


@pytest.mark.parametrize("word", WORDS.values(), ids=lambda word: word.name)
def test_no_two_choices_of_a_word_can_be_confused(word):
    assert WORDS[word.name] is word
    assert len({squash(choice) for choice in word.choices}) == len(word.choices)


def test_every_answer_is_a_typed_attribute_of_a_run_and_on_the_class_its_record():
    class Run(Answers):
        def _compute(self, metric: str):
            return quantity(7.0, FIELDS[metric].units)

    for name, answer in ANSWERS.items():
        assert getattr(Run, name) is answer is FIELDS[name]
        assert getattr(Run(), name) == quantity(7.0, answer.unit)
        with pytest.raises(AttributeError, match=f"{name} is computed, not set"):
            setattr(Run(), name, 1.0)
    assert "Energy of the whole facility for the run: IT energy × PUE, in GWh." in pydoc.render_doc(Run)
