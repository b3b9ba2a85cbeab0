"""The fields as type checkers and notebooks see them are those of the field records."""

from __future__ import annotations

import inspect

from runlineage import PublishedRunScenario
from runlineage.catalogs.quantities.fields import FIELDS, REPORTED, WORDS
from runlineage.dataflow.runs.fact_types import Changes, RunFacts

KNOWN = {*FIELDS, *WORDS, *REPORTED, "periods"}


def test_a_type_checker_sees_every_field_and_no_other() -> None:
    assert RunFacts.__annotations__.keys() | {"accelerator"} == KNOWN
    assert Changes.__annotations__.keys() == KNOWN | {"workload"}


def test_every_quantity_may_be_given_in_the_same_forms() -> None:
    annotations = {name: str(RunFacts.__annotations__[name]) for name in (*FIELDS, *REPORTED)}
    assert set(annotations.values()) == {"ForwardRef('FactValue', module='runlineage.dataflow.runs.fact_types')"}


def test_a_notebook_and_help_see_every_field() -> None:
    made = inspect.signature(PublishedRunScenario).parameters
    assert made.keys() == KNOWN | {"workload", "name", "assume", "prefer", "modules"}
    assert list(made)[:4] == ["workload", "accelerator", "name", "assume"]
    changed = inspect.signature(PublishedRunScenario(duration=1).variant).parameters
    assert changed.keys() == KNOWN | {"workload", "name", "assume", "prefer"}
    assert {made[name].default for name in FIELDS} == {None}
