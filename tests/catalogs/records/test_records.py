"""Records: their facts, faults and copies."""

import copy
import pickle

import pytest
from pydantic import ValidationError

from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Run, Workload


def test_a_record_gives_its_facts_by_field():
    model = Workload(name="PaLM", parameters="540B", training_tokens=None)
    assert model.facts() == {"parameters": Fact(quantity(540e9, "parameter"))}
    assert model.training_tokens is None


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"parametres": 5}, "parametres: is not a field here; the nearest: parameters"),
        ({"key": "Mine", "self": 5}, "Mine: self: is not a field here; the fields are "),
        ({"name": 3}, "3: name: is 3; expected text"),
        ({"aliases": "x"}, "Workload: aliases: is 'x'; expected a list of names"),
        (
            {"name": "Mine", "sparse": "maybe", "parametrs": 5},
            "2 faults in Mine:\n  sparse: is 'maybe'; expected true or false\n"
            "  parametrs: is not a field here; the nearest: parameters",
        ),
    ],
    ids=range(5),
)
def test_a_record_says_all_its_faults_at_once(refusal, facts, sentence):
    assert sentence in refusal(Workload, **facts)


def test_a_record_shows_its_name_and_which_facts_it_has():
    assert repr(Workload(name="PaLM", parameters="540B")) == "<Workload 'PaLM': parameters>"


def test_a_record_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        Workload(name="x").name = "y"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))])
def test_a_record_comes_back_from_a_pickle_equal(again):
    run = Run(key="Mine", accelerator_hours="5M", periods=[{"accelerator_count": 2, "duration": 3, "source": "card"}])
    assert again(run) == run
