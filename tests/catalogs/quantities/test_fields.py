"""The field table: each field once, with a unit of its kind and examples that are read."""

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
from runlineage.catalogs.quantities.formatting import unit_text
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.values import read_word

EXAMPLES = [(name, example) for name, field in FIELDS.items() for example in field.examples]


def test_every_kind_has_a_field_and_the_four_metrics_come_first():
    assert {field.kind.__name__ for field in FIELDS.values()} == set(KINDS)
    assert list(ANSWERS)[:4] == list(METRICS) == ["training_operations", "achieved_rate", "energy", "peak_fraction"]


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_what_a_refusal_says_is_expected_is_read(field):
    for text in {field.unit_shown, field.unit, unit_text(field.units)}:
        number = 0.5 if field.band and field.band.most == 1 else 2 if field.whole else 1.5
        assert as_quantity(f"{number} {text}", field=field.name).units == field.units, text


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_unit_that_a_kind_says_is_expected_is_read(kind):
    for text in {kind.coherent, unit_text(kind.unit)}:
        read = as_quantity(f"1.5 {text}", kind, "of one's own")
        assert (read.magnitude, read.units) == (1.5, kind.unit), text


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
