"""Kinds: told by dimension, for numbers, columns and expressions of our registry."""

import pickle
from fractions import Fraction as Ratio

import numpy as np
import pint
import pytest

from runlineage.catalogs.quantities import kinds
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.units import quantity


class Expression:
    """Stands for a column expression of a dataframe library: anything that multiplies."""

    def __mul__(self, other):
        return self


MAGNITUDES = {
    "float": 1.0,
    "int": 3,
    "ratio": Ratio(1, 3),
    "column": np.ones(2),
    "empty column": np.array([], int),
    "expression": Expression(),
}


@pytest.mark.parametrize("magnitude", MAGNITUDES.values(), ids=MAGNITUDES)
@pytest.mark.parametrize("name", KINDS)
def test_a_kind_holds_any_quantity_of_its_dimension(name, magnitude):
    assert isinstance(quantity(magnitude, KINDS[name].unit), KINDS[name])
    for field in FIELDS.values():
        assert isinstance(quantity(magnitude, field.unit), KINDS[name]) == (field.kind is KINDS[name])


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_refuses_every_other_kind(name):
    value = quantity(1.0, KINDS[name].unit)
    assert [other for other in KINDS if isinstance(value, KINDS[other])] == [name]


@pytest.mark.parametrize("value", [1.0, "1 day", None, np.ones(2), pint.Quantity(1.0, "day"), pint.Quantity(1.0, "")])
def test_a_kind_refuses_what_is_no_quantity_of_ours(value):
    assert not any(isinstance(value, kind) for kind in KINDS.values())


@pytest.mark.parametrize("unlike", ["hour", "W", "flop/s", "token*parameter"])
def test_a_unit_that_leaves_a_base_out_belongs_to_no_wrong_kind(unlike):
    held = [name for name, kind in KINDS.items() if isinstance(quantity(1.0, unlike), kind)]
    assert held == (["Duration"] if unlike == "hour" else [])


def test_arithmetic_ends_in_the_kind_that_the_equations_say():
    one = {name: quantity(1.0, kind.unit) for name, kind in KINDS.items()}
    assert isinstance(one["AcceleratorTime"] * one["Power"], KINDS["Energy"])
    assert isinstance(one["Operations"] / one["AcceleratorTime"], KINDS["Rate"])
    assert isinstance(one["Count"] * one["Duration"], KINDS["AcceleratorTime"])
    assert isinstance(one["Rate"] / one["Rate"], KINDS["Fraction"])
    assert isinstance(one["Energy"] * one["Overhead"], KINDS["FacilityEnergy"])
    assert isinstance(one["FacilityEnergy"] * one["CarbonIntensity"], KINDS["Emissions"])
    assert isinstance(one["Emissions"] / one["Energy"], KINDS["ImpliedIntensity"])
    assert isinstance(one["AcceleratorTime"] * one["Price"], KINDS["Cost"])


def test_a_pue_applied_twice_is_of_no_kind_and_an_implied_intensity_is_no_grids():
    one = {name: quantity(1.0, kind.unit) for name, kind in KINDS.items()}
    twice = one["FacilityEnergy"] * one["Overhead"]
    assert not any(isinstance(twice, kind) for kind in KINDS.values())
    assert not isinstance(one["FacilityEnergy"] * one["ImpliedIntensity"], KINDS["Emissions"])
    assert not isinstance(one["Energy"] * one["CarbonIntensity"], KINDS["Emissions"])


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_a_name_of_the_module_and_pickles_by_it(name):
    assert getattr(kinds, name) is KINDS[name]
    assert pickle.loads(pickle.dumps(KINDS[name])) is KINDS[name]
    assert KINDS[name].__qualname__ == name


def test_a_kind_says_its_unit_and_its_noun():
    assert KINDS["Energy"].__doc__ == "A quantity in J: an energy."
    assert KINDS["Fraction"].__doc__ == "A quantity in no unit: a plain fraction."
