"""The one registry: dimensions of its own, built once, private, picklable."""

import copy
import importlib.util
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pint
import pytest

import runlineage
from runlineage.catalogs.quantities import units
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import (
    MOST_KEPT,
    OurQuantity,
    OurRegistry,
    OurUnit,
    convert,
    is_ours,
    quantity,
    registry,
    unit,
)


@pytest.mark.parametrize(
    ("text", "root", "factor"),
    [
        ("week", "s", 604_800),
        ("day", "s", 86_400),
        ("hour", "s", 3600),
        ("minute", "s", 60),
        ("Wh", "J", 3600),
        ("GWh", "J", 3.6e12),
        ("W", "J/s", 1),
        ("J", "kilogram*meter**2/second**2", 1),
        ("petaflop/s*day", "flop", 8.64e19),
        ("ZFLOP", "flop", 1e21),
        ("EFLOP", "flop", 1e18),
        ("TFLOP/s/accelerator", "flop/s/accelerator", 1e12),
        ("kW/accelerator", "W/accelerator", 1e3),
        ("MW", "W", 1e6),
        ("percent", "", 0.01),
        ("kgCO2e", "gCO2e", 1e3),
        ("kilogram_CO2e", "gCO2e", 1e3),
        ("tCO2e", "gCO2e", 1e6),
        ("tonne_CO2e", "kgCO2e", 1e3),
        ("kgCO2e/kWh/facility", "gCO2e/J/facility", 1 / 3600),
        ("kgCO2e/MWh/facility", "gCO2e/kWh/facility", 1),
    ],
)
def test_a_unit_has_its_textbook_size(text, root, factor):
    assert quantity(1.0, text).to(root).magnitude == pytest.approx(factor, rel=1e-14)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("flop/s", "1/s"),
        ("accelerator*hour", "hour"),
        ("flop", ""),
        ("parameter", "token"),
        ("W/accelerator", "W"),
        ("flop/s/accelerator", "flop/s"),
        ("gCO2e", "gram"),
        ("J*facility", "J"),
    ],
)
def test_what_looks_alike_cannot_be_added_or_converted(one, other):
    with pytest.raises(pint.DimensionalityError):
        quantity(1.0, one) + quantity(1.0, other)
    with pytest.raises(pint.DimensionalityError):
        convert(quantity(1.0, one), unit(other))


def test_a_bare_six_does_not_make_operations_of_parameters_and_tokens():
    product = quantity(2.0, "parameter") * quantity(3.0, "token")
    assert not (6 * product).check("[operation]")
    assert (quantity(6.0, "flop/parameter/token") * product).check("[operation]")


@pytest.mark.parametrize("name", ["tesla", "byte", "bit", "molar", "hertz", "kelvin", "count", "T", "B", "M", "K"])
def test_no_unit_claims_a_scale_letter_or_another_field_of_physics(name):
    assert name not in registry()


def test_the_application_registry_is_left_alone():
    registry()
    assert not isinstance(pint.get_application_registry().get(), OurRegistry)
    assert "flop" not in pint.get_application_registry()
    with pytest.raises(ValueError, match="different registries"):
        quantity(1.0, "s") + pint.get_application_registry().Quantity(1.0, "s")


def test_a_unit_defined_twice_is_refused(tmp_path, monkeypatch):
    twice = tmp_path / "units.txt"
    twice.write_text(units.DEFINITIONS.read_text() + "day = 25 * hour\n")
    monkeypatch.setattr(units, "DEFINITIONS", twice)
    monkeypatch.setattr(units, "_registry", None)
    with pytest.raises(pint.errors.RedefinitionError, match="day"):
        units.registry()


def test_a_quantity_prints_in_six_digits_with_powers_of_ten():
    assert str(quantity(3.14e23, "flop")) == "3.14×10²³ flop"
    assert str(quantity(24.555805805, "day")) == "24.5558 day"


def test_many_threads_that_come_first_get_one_registry(monkeypatch):
    built = []

    class Slow(OurRegistry):
        def __init__(self, *arguments, **options):
            built.append(self)
            time.sleep(0.02)  # long enough for every thread to find none yet
            super().__init__(*arguments, **options)

    monkeypatch.setattr(units, "OurRegistry", Slow)
    monkeypatch.setattr(units, "_registry", None)
    together = threading.Barrier(8)

    def first(_):
        together.wait()
        return units.registry()

    with ThreadPoolExecutor(8) as pool:
        given = set(map(id, pool.map(first, range(8))))
    assert (len(built), len(given)) == (1, 1)


def test_many_threads_read_the_same_quantities():
    texts = [(f"{number} GPU hours", "accelerator_hours") for number in range(1, 200)]
    alone = [as_quantity(text, field=field) for text, field in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda each: as_quantity(each[0], field=each[1]), texts))
    assert together == alone


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_conversion_agrees_with_pint(field):
    coherent = field.kind.unit
    value = quantity(1.7, field.unit)
    assert convert(value, coherent).magnitude == pytest.approx(value.to(coherent).magnitude, rel=1e-15)
    assert convert(value, coherent).units == coherent


def test_conversion_to_the_same_unit_gives_the_value_itself():
    value = quantity(np.ones(3), "day")
    assert convert(value, unit("day")) is value


def test_conversion_of_a_column_leaves_the_column_as_it_was():
    value = quantity(np.array([1.0, 2.0]), "day")
    assert convert(value, unit("hour")).magnitude.tolist() == [24.0, 48.0]
    assert value.magnitude.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("again", [lambda value: pickle.loads(pickle.dumps(value)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("magnitude", [2.5, np.array([1.0, 2.0])], ids=["number", "column"])
def test_quantities_and_units_come_back_from_a_pickle_into_our_registry(again, magnitude):
    value = quantity(magnitude, "TFLOP/s/accelerator")
    back = again(value)
    assert is_ours(back)
    assert np.all(back == value)
    assert back.units == again(value.units) == value.units
    assert isinstance(again(value.units), OurUnit)
    assert back._REGISTRY is registry()


def test_a_fresh_process_builds_its_registry_at_the_first_pickle():
    code = (
        "import pickle, sys; from runlineage.catalogs.quantities import units; assert units._registry is None;"
        "value, kind = pickle.loads(sys.stdin.buffer.read());"
        "assert isinstance(value, kind) and units.is_ours(value + units.quantity(1.0, 'J')); print(value.to('kWh'))"
    )
    sent = pickle.dumps((quantity(7.2e6, "J"), KINDS["Energy"]))
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=False)
    assert (done.stdout.decode().strip(), done.stderr.decode()) == ("2 kilowatt_hour", "")


def test_only_quantities_of_our_registry_are_ours():
    assert is_ours(quantity(1.0, "day"))
    assert isinstance(quantity(1.0, "day") * quantity(2.0, "W"), OurQuantity)
    assert not is_ours(pint.Quantity(1.0, "day"))
    assert not is_ours(1.0)


@pytest.mark.parametrize("name", ["catalogs.units", "units", "__main__"])
def test_the_module_refuses_to_be_loaded_under_another_name(name):
    spec = importlib.util.spec_from_file_location(name, units.__file__)
    sentence = f"import runlineage.catalogs.quantities.units, not {name}: a second copy would be a second registry"
    with pytest.raises(ImportError) as caught:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert str(caught.value) == sentence


def test_what_pint_keeps_of_texts_and_units_stays_bounded_under_junk() -> None:
    kept = registry()._cache
    for place in range(2 * MOST_KEPT):
        registry().Unit(f"hour**{1 + place / 7}")
    assert len(kept.parse_unit) <= MOST_KEPT
    assert unit("hour") == registry().Unit("hour")


def test_the_registry_and_its_quantity_are_public_and_one() -> None:
    made = runlineage.Quantity(3.0, "GPU*hour")
    assert isinstance(made, runlineage.Quantity)
    assert made == runlineage.registry().Quantity(3.0, "accelerator*hour")
    assert made.to("accelerator*day").magnitude == pytest.approx(1 / 8)
    assert isinstance(runlineage.Scenarios.BloomPublishedRun.energy, runlineage.Quantity)
    assert pickle.loads(pickle.dumps(made)) == made
    assert not isinstance(pint.Quantity(3.0, "hour"), runlineage.Quantity)
