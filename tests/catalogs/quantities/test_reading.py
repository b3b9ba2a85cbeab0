"""The front door: what comes in as float64 in which unit, and what is refused word for word."""

import datetime
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.base.errors import InputError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import as_quantity, coherent, expected
from runlineage.catalogs.quantities.units import is_ours, quantity, unit

OTHER = pint.UnitRegistry()
KNOWING = pint.UnitRegistry()  # another registry that knows our base units
KNOWING.define("flop = [operation]")
KNOWING.define("accelerator = [accelerator]")
LYING = pint.UnitRegistry()
LYING.define("flop = 2 * meter")

DAYS = "expected a wall-clock duration in day, such as '14.8 days' or '1200 hours'"
WATTS = "expected a power per accelerator in W/accelerator, such as '700 W' or '0.7 kW'"
HOURS = "expected an accelerator time in accelerator*hour, such as '30.84M' or '1,082,990 GPU hours'"
FLOPS = (
    "expected a rate of operations per accelerator in TFLOP/s/accelerator, such as '312 TFLOP/s' or '0.9894 PFLOP/s'"
)
GIVE = "give it in days, hours or seconds"
COUNTS = "K, M, B and T scale counts only"


def refusal(value, field):
    with pytest.raises(InputError) as caught:
        as_quantity(value, field=field)
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "field", "magnitude", "units"),
    [
        ("405B", "parameters", 405e9, "parameter"),
        ("30.84e6 hour", "accelerator_hours", 30.84e6, "accelerator*hour"),
        ("30.84M GPU hours", "accelerator_hours", 30.84e6, "accelerator*hour"),
        ("1000 GPU-days", "accelerator_hours", 1000.0, "accelerator*day"),
        ("700 W", "device_power", 700.0, "W/accelerator"),
        ("700 W per GPU", "device_power", 700.0, "W/accelerator"),
        ("312 TFLOP/s", "peak_flops", 312.0, "TFLOP/s/accelerator"),
        ("312 TFLOPS", "peak_flops", 312.0, "TFLOP/s/accelerator"),
        ("312 TFLOPs", "peak_flops", 312.0, "TFLOP/s/accelerator"),
        ("312 TFLOPs/GPU", "peak_flops", 312.0, "TFLOP/s/accelerator"),
        ("3640 petaflop/s-days", "training_ops", 3640.0, "petaflop/s*day"),
        ("2048 GPUs", "accelerator_count", 2048.0, "accelerator"),
        ("10K", "accelerator_count", 10_000.0, "accelerator"),
        ("14.8", "duration", 14.8, "day"),
        ("38%", "peak_fraction", 38.0, "percent"),
        ("0.38", "peak_fraction", 0.38, ""),
    ],
)
def test_text_is_read_as_the_field_decides(value, field, magnitude, units):
    read = as_quantity(value, field=field)
    assert (read.magnitude, read.units) == (magnitude, unit(units))


@pytest.mark.parametrize(
    "value",
    [15, 15.0, np.int64(15), np.float32(15), np.uint8(15), Decimal(15), Fraction(15), np.array(15), np.str_("15")],
    ids=lambda value: type(value).__name__,
)
def test_any_plain_number_is_a_float_in_the_fields_unit(value):
    read = as_quantity(value, field="duration")
    assert (type(read.magnitude), read.magnitude, read.units) == (float, 15.0, unit("day"))


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (True, f"True is a truth value, not a quantity; {DAYS}"),
        (np.bool_(True), f"{np.True_!r} is a truth value, not a quantity; {DAYS}"),
        (None, f"None is of type NoneType; {DAYS}"),
        (b"5", f"b'5' is of type bytes; {DAYS}"),
        (1j, f"1j is of type complex; {DAYS}"),
        ({}, f"{{}} is of type dict; {DAYS}"),
        (range(2), f"range(0, 2) is of type range; {DAYS}"),
        (np.timedelta64(3, "M"), f"{np.timedelta64(3, 'M')!r} counts in months or years, or without a unit; {GIVE}"),
        (0, f"0 is not above zero; {DAYS}"),
        (-1, f"-1 is not above zero; {DAYS}"),
        ("-5 days", f"'-5 days' is not above zero; {DAYS}"),
        ("1e-400", f"'1e-400' is not above zero; {DAYS}"),
        (math.nan, f"nan is not a finite number; {DAYS}"),
        (math.inf, f"inf is not a finite number; {DAYS}"),
        (Decimal("NaN"), f"Decimal('NaN') is not a finite number; {DAYS}"),
        (Decimal("sNaN"), f"Decimal('sNaN') is not a finite number; {DAYS}"),
        (Decimal("1e400"), f"Decimal('1E+400') is not a finite number; {DAYS}"),
        (quantity(1j, "day"), f"0+1j day has a magnitude of type complex; {DAYS}"),
        (10**400, f"an integer of 1,329 bits is too large for a float64; {DAYS}"),
        ("", f"'' is empty; {DAYS}"),
        ("5 W", f"'5 W' is in W, which is not a wall-clock duration; {DAYS}"),
        ("1.5M days", f"'1.5M days' scales a wall-clock duration by 'M'; {COUNTS}; {DAYS}"),
        ("6 months", "'6 months' counts in months, whose length varies; write days or hours"),
        ("x" * 10**7, f"'{'x' * 58}… is 10,000,000 characters long; a quantity takes at most 100"),
    ],
    ids=range(24),
)
def test_what_is_no_positive_finite_quantity_is_refused_word_for_word(value, problem):
    assert refusal(value, "duration") == f"duration: {problem}"


@pytest.mark.parametrize(
    ("value", "field", "problem"),
    [
        ("700K W", "device_power", f"'700K W' scales a power per accelerator by 'K'; {COUNTS}; {WATTS}"),
        ("700 Wh", "device_power", f"'700 Wh' is in Wh, which is not a power per accelerator; {WATTS}"),
        (
            "1000 days",
            "accelerator_hours",
            "'1000 days' may be wall-clock time; write GPU-days if it is not; wall-clock time is duration",
        ),
        ("3 GPUs", "accelerator_hours", f"'3 GPUs' is in accelerator, which is not an accelerator time; {HOURS}"),
        ("5 W", "peak_flops", f"'5 W' is in W, which is not a rate of operations per accelerator; {FLOPS}"),
        ("1 TFLOPS/s", "peak_flops", f"'1 TFLOPS/s' is in TFLOP/s², which is not {KINDS['Rate'].noun}; {FLOPS}"),
    ],
)
def test_a_unit_of_another_dimension_is_refused_with_its_name(value, field, problem):
    assert refusal(value, field) == f"{field}: {problem}"


UNBOUNDED = sorted(name for name, field in FIELDS.items() if not field.is_bounded)


@pytest.mark.parametrize(
    ("field", "scaled"), [(name, field.kind.__name__) for name, field in FIELDS.items()], ids=list(FIELDS)
)
def test_scale_letters_multiply_counts_and_nothing_else(field, scaled):
    if scaled in {"Parameters", "Tokens", "Count", "AcceleratorTime", "Operations", "Cost", "TokenRate"}:
        assert as_quantity("3M", field=field).magnitude == 3e6
    else:
        assert COUNTS in refusal("3M", field)


def test_a_quantity_of_ours_stays_in_its_unit():
    read = as_quantity(quantity(5, "hour"), field="duration")
    assert (type(read.magnitude), read.magnitude, read.units) == (float, 5.0, unit("hour"))


@pytest.mark.parametrize(
    ("units", "field", "lacking"),
    [
        ("hour", "accelerator_hours", f"5 hour is in hour, which is not an accelerator time; {HOURS}"),
        ("W", "device_power", f"5 watt is in W, which is not a power per accelerator; {WATTS}"),
    ],
)
def test_a_quantity_of_ours_could_have_said_per_accelerator(units, field, lacking):
    assert refusal(quantity(5.0, units), field) == f"{field}: {lacking}"


@pytest.mark.parametrize(
    ("value", "field", "magnitude"),
    [
        (OTHER.Quantity(2, "hour"), "duration", 2 / 24),
        (OTHER.Quantity(5, "hour"), "accelerator_hours", 5.0),
        (OTHER.Quantity(0.7, "kW"), "device_power", 700.0),
        (OTHER.Quantity(2, "TJ"), "energy", 1 / 1.8),
        (OTHER.Quantity(38, "percent"), "peak_fraction", 0.38),
        (KNOWING.Quantity(3.14e23, "flop"), "training_ops", 3.14e23),
        (KNOWING.Quantity(7, "accelerator * hour"), "accelerator_hours", 7.0),
        (KNOWING.Quantity(3e14, "flop / s / accelerator"), "achieved_rate", 300.0),
    ],
)
def test_another_registrys_quantity_comes_in_where_its_unit_means_the_same(value, field, magnitude):
    read = as_quantity(value, field=field)
    assert is_ours(read)
    assert read.units == FIELDS[field].units
    assert read.magnitude == pytest.approx(magnitude, rel=1e-14)


@pytest.mark.parametrize(
    ("value", "field", "problem"),
    [
        (OTHER.Quantity(405, "byte"), "parameters", "is in a unit of another registry that means nothing here (bit)"),
        (OTHER.Quantity(2, "count"), "accelerator_count", "that means nothing here (count)"),
        (OTHER.Quantity(2, "kelvin"), "energy", "that means nothing here (kelvin)"),
        (OTHER.Quantity(2, "m"), "duration", "is in m, which is not a wall-clock duration"),
        (OTHER.Quantity(-2, "day"), "duration", "is not above zero"),
        (KNOWING.Quantity(5, "hour"), "accelerator_hours", "is in s, which is not an accelerator time"),
        (KNOWING.Quantity(5, "flop / s"), "achieved_rate", "is in flop/s, which is not a rate of operations"),
        (LYING.Quantity(5, "flop"), "training_ops", "is in m, which is not a count of operations"),
    ],
)
def test_another_registrys_quantity_is_refused_where_its_unit_means_something_else(value, field, problem):
    assert problem in refusal(value, field)


@pytest.mark.parametrize(
    "column",
    [[1, 2], (1, 2), np.array([1, 2]), np.array([1.0, 2.0], np.float32), np.array([1, 2], np.uint8)],
    ids=["list", "tuple", "int64", "float32", "uint8"],
)
def test_a_column_becomes_a_read_only_copy_in_float64(column):
    read = as_quantity(column, field="duration").magnitude
    assert (read.dtype, read.tolist()) == (np.float64, [1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        read[0] = 3.0


@pytest.mark.parametrize("bring", [lambda column: column, lambda column: quantity(column, "day"), OTHER.Quantity])
def test_a_column_that_its_owner_changes_later_does_not_change_ours(bring):
    column = np.array([0.1, 0.2])
    field = "peak_fraction" if bring is OTHER.Quantity else "duration"
    read = as_quantity(bring(column), field=field)
    column[0] = 0.9
    assert read.magnitude.tolist() == [0.1, 0.2]


def test_a_column_of_int64_cannot_overflow_in_a_product():
    product = as_quantity(np.array([405 * 10**9]), field="parameters") * as_quantity(
        np.array([15_600 * 10**9]), field="training_tokens"
    )
    assert product.magnitude.tolist() == [6.318e24]


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (np.array([1.0, np.nan, -1.0]), "has nan at position 1; 2 of 3 cells are not between 1e-60 and 1e+60"),
        (np.array([[1.0, 2.0], [3.0, 0.0]]), "has 0.0 at position 3; 1 of 4 cells are not between 1e-60 and 1e+60"),
        (np.array([np.inf]), "has inf at position 0; 1 of 1 cells are not between 1e-60 and 1e+60"),
        (np.array(["1e4000"], np.longdouble), "has inf at position 0; 1 of 1 cells are not between 1e-60 and 1e+60"),
        ([], "is an empty column"),
        (np.array([]), "is an empty column"),
        (["1", "2"], "holds cells that are not plain numbers"),
        ([1, True], "holds cells that are not plain numbers"),
        ([[1], [1, 2]], "holds cells that are not plain numbers"),
        (np.array(["1", "2"]), "holds <U1 cells, not numbers"),
        (np.array([True]), "holds bool cells, not numbers"),
        (np.array([1j]), "holds complex128 cells, not numbers"),
        (np.array([1, None]), "holds object cells, not numbers"),
        (np.array([5, "NaT"], "m8[D]"), "is or holds no time (NaT); leave out what is not known"),
        ([2**70, 1], "holds object cells, not numbers"),
        (np.ma.array([1.0, 2.0], mask=[False, True]), "has masked cells; drop them, or fill them"),
        (quantity(np.array([True]), "day"), "holds bool cells, not numbers"),
        (
            quantity(np.array([1.0, -2.0]), "day"),
            "has -2.0 at position 1; 1 of 2 cells are not between 1e-60 and 1e+60",
        ),
    ],
    ids=range(18),
)
def test_a_column_with_cells_that_are_no_positive_numbers_is_refused(column, problem):
    assert problem in refusal(column, "duration")


def test_a_masked_column_without_masked_cells_comes_in():
    assert as_quantity(np.ma.array([1.0, 2.0]), field="duration").magnitude.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "table",
    [pd.Series([1.0]), pd.DataFrame({"a": [1.0]}), pd.Index([1.0]), pd.array([1.0]), pd.NA],
    ids=lambda table: type(table).__name__,
)
def test_pandas_objects_go_through_the_table_and_not_through_this_door(table):
    cure = "is a table or a column of one; pass its NumPy values: this door takes numbers and arrays"
    assert refusal(table, "duration").endswith(cure)


def test_a_field_without_a_unit_takes_text_with_one_and_no_plain_number():
    assert as_quantity("5 day", KINDS["Duration"], "pause").units == unit("day")
    with pytest.raises(InputError) as caught:
        as_quantity(5, KINDS["Duration"], "pause")
    assert str(caught.value) == "pause: 5 is a plain number where no unit is known; give it a unit"
    with pytest.raises(InputError) as caught:
        as_quantity("5", KINDS["Duration"], "pause")
    assert str(caught.value) == "pause: '5' has no unit; expected a wall-clock duration in s"


def test_a_field_has_one_kind_and_an_unknown_field_needs_one():
    assert as_quantity("5 day", KINDS["Duration"], "duration").magnitude == 5.0
    with pytest.raises(InputError) as caught:
        as_quantity("5 J", KINDS["Energy"], "duration")
    assert str(caught.value) == "duration: is a wall-clock duration, not an energy; leave the kind out"
    assert refusal("5 day", "pause") == "pause: is not a field; name a field or a kind"


def test_what_a_field_expects_is_said_with_its_examples():
    assert expected(KINDS["Power"], FIELDS["device_power"]) == WATTS
    assert expected(KINDS["Fraction"], FIELDS["peak_fraction"]) == "expected a plain fraction, such as '0.38' or '38%'"
    assert expected(KINDS["Fraction"], None) == "expected a plain fraction"


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_every_field_is_brought_into_its_coherent_unit(field):
    number = 0.5 if field.band and field.band.most == 1 else 2.0
    brought = coherent(as_quantity(number, field=field.name), field.kind)
    assert brought.units == field.kind.unit
    assert brought.magnitude == pytest.approx(
        number * quantity(1.0, field.unit).to(field.kind.unit).magnitude, rel=1e-14
    )


@pytest.mark.parametrize("value", [1.1e60, 0.9e-60, "1.1e60", quantity(1.1e60, "day")], ids=range(4))
def test_a_size_that_no_run_has_is_refused_before_products_overflow(value):
    assert "is beyond what a run can have (1e-60 to 1e+60)" in refusal(value, "duration")
    assert "has 1.1e+60 at position 1; 1 of 2 cells" in refusal([1.0, 1.1e60], "duration")


@pytest.mark.parametrize("value", [1e60, 1e-60])
def test_a_size_at_the_bounds_comes_in(value):
    field = "accelerator_hours"
    assert as_quantity(value, field=field).magnitude == as_quantity([value], field=field).magnitude[0] == value


@given(st.floats(min_value=1e-60, max_value=1e60), st.sampled_from(UNBOUNDED))
def test_any_positive_float_comes_in_unchanged_by_number_text_and_pickle(value, field):
    read = as_quantity(value, field=field)
    assert read.magnitude == as_quantity(repr(value), field=field).magnitude == value
    assert pickle.loads(pickle.dumps(read)) == read


@given(st.one_of(st.text(max_size=30), st.floats(), st.integers(), st.decimals(), st.lists(st.floats(), max_size=3)))
def test_anything_is_a_positive_quantity_or_refused_in_one_line_that_names_the_field(value):
    try:
        cells = np.asarray(as_quantity(value, field="duration").magnitude)
    except InputError as refused:
        sentence = str(refused)
    else:
        sentence = "duration: read"
        assert np.all(np.isfinite(cells) & (cells > 0))
    assert sentence.startswith("duration: ")
    assert len(sentence.splitlines()) == 1


@pytest.mark.parametrize(
    ("value", "field", "magnitude", "units"),
    [
        ("1,287 MWh", "facility_energy", 1287.0, "MWh*facility"),
        ("1.1", "pue", 1.1, "facility"),
        ("110%", "pue", 110.0, "percent*facility"),
        ("0.385 kg/kWh", "carbon_intensity", 0.385, "kgCO2e/kWh/facility"),
        ("385 g/kWh", "carbon_intensity", 385.0, "gCO2e/kWh/facility"),
        ("385 gCO2e/kWh", "carbon_intensity", 385.0, "gCO2e/kWh/facility"),
        ("0.385 kgCO2eq/kWh", "carbon_intensity", 0.385, "kgCO2e/kWh/facility"),
        ("0.4 t/MWh", "carbon_intensity", 0.4, "tCO2e/MWh/facility"),
        ("8930000 kg", "published_emissions", 8.93e6, "kgCO2e"),
        ("8930000000 g", "published_emissions", 8.93e9, "gCO2e"),
        ("24.69 t", "published_emissions", 24.69, "tCO2e"),
        ("552 tCO2e", "published_emissions", 552.0, "tCO2e"),
        ("$2.50", "price", 2.5, "USD/accelerator/hour"),
        ("$2.50/h", "price", 2.5, "USD/accelerator/hour"),
        ("2.5 USD/GPU-hour", "price", 2.5, "USD/accelerator/hour"),
        ("0.41 kg/kWh", "implied_carbon_intensity", 0.41, "kgCO2e/kWh"),
    ],
)
def test_the_field_decides_what_a_card_leaves_out_of_the_footprint(value, field, magnitude, units):
    read = as_quantity(value, field=field)
    assert (read.magnitude, read.units) == (magnitude, unit(units))


def test_another_registrys_mass_and_energy_are_those_of_the_field():
    other = pint.UnitRegistry()
    assert as_quantity(other.Quantity(385, "g/kWh"), field="carbon_intensity").magnitude == pytest.approx(0.385)
    assert as_quantity(other.Quantity(5, "t"), field="published_emissions").magnitude == pytest.approx(5)
    assert as_quantity(other.Quantity(1.1), field="pue").magnitude == pytest.approx(1.1)
    assert as_quantity(other.Quantity(5, "GWh"), field="facility_energy").units == unit("GWh*facility")


@pytest.mark.parametrize(
    ("value", "field", "problem"),
    [
        (quantity(1.0, "GWh"), "facility_energy", "is in GWh, which is not an energy at facility scope"),
        (quantity(1.1, ""), "pue", "is in no unit, which is not a power usage effectiveness (PUE)"),
        (quantity(1.0, "t"), "published_emissions", "is in t, which is not an amount of CO2-equivalent"),
        (quantity(0.4, "kg/kWh"), "carbon_intensity", "is in kg/kWh, which is not a carbon intensity"),
        ("0.4 GWh*facility", "energy", "with PUE inside already; give it as facility_energy"),
        ("$2/GPU", "price", "is in USD per accelerator, which is not a price of accelerator time"),
        ("5M t", "published_emissions", "scales an amount of CO2-equivalent by 'M'"),
    ],
)
def test_what_another_scope_or_dimension_means_is_refused_with_its_name(value, field, problem):
    assert problem in refusal(value, field)


@pytest.mark.parametrize(
    ("value", "days"),
    [
        (datetime.timedelta(days=3, hours=12), 3.5),
        (np.timedelta64(10**15, "ns"), 1e15 / 86400e9),
        (np.timedelta64(3, "D"), 3.0),
        (pd.Timedelta(36, "h"), 1.5),
        (np.array([36, 72], "m8[h]"), [1.5, 3.0]),
    ],
    ids=range(5),
)
def test_a_length_of_time_of_python_and_numpy_is_a_duration(value, days):
    read = as_quantity(value, field="duration")
    assert (read.units, np.asarray(read.magnitude).tolist()) == (unit("day"), pytest.approx(days))
    assert "is in s, which is not a count of parameters" in refusal(value, "parameters")
    assert "is in s, which is not an accelerator time" in refusal(value, "accelerator_hours")


@pytest.mark.parametrize(
    "text", ["2 petaflop/s-days", "5 FLOP", "5 FLOPs", "312 TFLOP/s*s", "312 TFLOP*h", "312 TFLOP/s-h per GPU"]
)
@pytest.mark.parametrize("field", ["peak_flops", "achieved_rate"])
def test_a_count_of_operations_is_no_rate(text, field):
    assert f"which is not {KINDS['Rate'].noun}" in refusal(text, field)


@pytest.mark.parametrize("text", ["312 TFLOPs", "312 TFLOP", "312 teraFLOPs per H100 GPU", "0.312 PFLOPs / chip"])
def test_the_bare_word_is_a_rate(text):
    assert as_quantity(text, field="peak_flops").to("TFLOP/s/accelerator").magnitude == pytest.approx(312)


@pytest.mark.parametrize(
    ("value", "field", "why"),
    [
        ("0.5 W", "device_power", "'0.5 W' is 0.5 W per accelerator; a device draws between 1 W and 20 kW"),
        ("25 kW", "accelerator_tdp", "a device draws between 1 W and 20 kW"),
        (0.5, "accelerator_count", "0.5 is 0.5 accelerator; a count is at least 1"),
        ("0.2 tokens", "training_tokens", "a count is at least 1"),
        (11_000, "duration", "11000 is 11,000 day; no run lasts 30 years; a plain number is in days"),
        ("$5000", "price", "no accelerator costs 1,000 USD an hour"),
        (312e12, "peak_flops", "no device does 1 EFLOP/s; a plain number is in TFLOP/s"),
        (np.array([100.0, 3e14]), "achieved_rate", "at position 1; no device does 1 EFLOP/s"),
    ],
)
def test_what_physics_forbids_is_refused_with_the_band(value, field, why):
    assert why in refusal(value, field)


class Hostile:
    """Raises wherever it is looked at."""

    def __repr__(self):
        raise RuntimeError("no")

    @property
    def magnitude(self):
        raise RuntimeError("no")


def test_an_object_that_cannot_be_written_is_refused_by_its_type():
    assert refusal(Hostile(), "duration") == f"duration: a Hostile is of type Hostile; {DAYS}"


def test_a_unit_of_another_registry_is_written_as_people_write_it():
    assert "is in W, which is not a wall-clock duration" in refusal(OTHER.Quantity(5, "kW"), "duration")
    assert "is in J, which is not" in refusal(OTHER.Quantity(5, "kWh"), "parameters")


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("text", ["$", "US$", "$ ", "$-", "$.", "US $", "$k", "$/h", "€", "$ per GPU"])
def test_a_currency_sign_without_a_number_is_a_refusal_in_any_field(text, field):
    assert refusal(text, field).startswith(f"{field}: ")
