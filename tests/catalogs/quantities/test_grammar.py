"""The grammar of quantities that people write: what it reads, what it refuses and why, and at what cost."""

import contextlib
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.grammar import LONGEST, Unreadable, read, read_unit, vocabulary
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import OurUnit, quantity, unit

PLAIN = "does not start with a plain number"
LIKE = "write it like 405B, 1,082,990 or 3.14e23"
USD = "give it in USD: exchange rates are not looked up"
POINT = "write a decimal point; commas only between groups of three digits"
SPACES = "has spaces inside the number", "write 30,840,000 or 30_840_000 or 30840000"
ONE = "write the one number that you mean"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("700", 700.0),
        ("+5", 5.0),
        ("-5", -5.0),
        ("−5", -5.0),
        ("–5", -5.0),
        (".5", 0.5),
        ("0.38", 0.38),
        ("1,082,990", 1082990.0),
        ("1,082,990.5", 1082990.5),
        ("30_840_000", 30840000.0),
        ("3.14e23", 3.14e23),
        ("3.14E+23", 3.14e23),
        ("1e-3", 1e-3),
        ("3.14×10^23", 3.14e23),
        ("3.14 × 10^23", 3.14e23),
        ("3.14x10^23", 3.14e23),
        ("3.14·10²³", 3.14e23),
        ("3.14⋅10²³", 3.14e23),
        ("3.14*10**23", 3.14e23),
        ("×10^23", 1e23),
        ("10^23", 1e23),
        ("10²³", 1e23),
        ("5×10⁻⁷", 5e-7),
        ("5×10^-7", 5e-7),
        ("  700\n", 700.0),
        ("1" * 40, float("1" * 40)),
    ],
)
def test_a_plain_number_is_read(text, value):
    written = read(text)
    assert (written.number, written.scale, written.unit) == (value, "", None)


@pytest.mark.parametrize(
    ("text", "value", "scale"),
    [
        ("405B", 405e9, "B"),
        ("405b", 405e9, "b"),
        ("405 B", 405e9, "B"),
        ("405bn", 405e9, "bn"),
        ("405 billion", 405e9, "billion"),
        ("1.5trillion", 1.5e12, "trillion"),
        ("15.6T", 15.6e12, "T"),
        ("300M", 300e6, "M"),
        ("300 million", 300e6, "million"),
        ("10K", 1e4, "K"),
        ("10k", 1e4, "k"),
        ("10 thousand", 1e4, "thousand"),
        ("2.5 Trillion", 2.5e12, "Trillion"),
        ("7 BILLION", 7e9, "BILLION"),
    ],
)
def test_a_scale_multiplies_the_number_and_is_told(text, value, scale):
    written = read(text)
    assert (written.number, written.scale, written.unit) == (value, scale, None)


@pytest.mark.parametrize(
    ("text", "value", "scale", "units"),
    [
        ("15.6T tokens", 15.6e12, "T", "token"),
        ("405 B parameters", 405e9, "B", "parameter"),
        ("30.84M GPU hours", 30.84e6, "M", "accelerator*hour"),
        ("30.84M GPU-hours", 30.84e6, "M", "accelerator*hour"),
        ("1e6 TPU-hours", 1e6, "", "accelerator*hour"),
        ("1e6 chip-hours", 1e6, "", "accelerator*hour"),
        ("1000 GPU-days", 1000.0, "", "accelerator*day"),
        ("2.664M H800 GPU hours", 2.664e6, "M", "accelerator*hour"),
        ("1.7M MI250X-hours", 1.7e6, "M", "accelerator*hour"),
        ("10,000 V100s", 1e4, "", "accelerator"),
        ("64 TPU v4 chips", 64.0, "", "accelerator"),
        ("5M A100-SXM hours", 5e6, "M", "accelerator*hour"),
        ("5M GPUh", 5e6, "M", "accelerator*hour"),
        ("1 GPU/GPU", 1.0, "", ""),
        ("38 percent", 38.0, "", "percent"),
        ("30.84e6 hour", 30.84e6, "", "hour"),
        ("3.14e23 FLOP", 3.14e23, "", "flop"),
        ("3.14e23FLOPs", 3.14e23, "", "flop"),
        ("2.3 EFLOPs", 2.3, "", "exaflop"),
        ("3640 petaflop/s-days", 3640.0, "", "petaflop/s*day"),
        ("3640 PFLOP/s-day", 3640.0, "", "petaflop/s*day"),
        ("3640 petaflop/s*day", 3640.0, "", "petaflop/s*day"),
        ("3640 day·PFLOP/s", 3640.0, "", "petaflop/s*day"),
        ("312 TFLOP/s", 312.0, "", "TFLOP/s"),
        ("312 TFLOPS", 312.0, "", "TFLOP/s"),
        ("312 teraFLOPS", 312.0, "", "TFLOP/s"),
        ("312 TFLOPs", 312.0, "", "TFLOP"),
        ("312 TFLOP/s per accelerator", 312.0, "", "TFLOP/s/accelerator"),
        ("700 W", 700.0, "", "W"),
        ("700W", 700.0, "", "W"),
        ("700\u00a0W", 700.0, "", "W"),
        ("700\u202fW", 700.0, "", "W"),
        ("0.7 kW", 0.7, "", "kW"),
        ("400 MW", 400.0, "", "MW"),
        ("700 watts", 700.0, "", "W"),
        ("700 W/GPU", 700.0, "", "W/accelerator"),
        ("700 W per chip", 700.0, "", "W/accelerator"),
        ("433.2 MWh", 433.2, "", "MWh"),
        ("14.8 days", 14.8, "", "day"),
        ("120h", 120.0, "", "hour"),
        ("5 min", 5.0, "", "minute"),
        ("2 weeks", 2.0, "", "week"),
        ("38%", 38.0, "", "percent"),
        ("8,930 tons CO2eq", 8930.0, "", "tCO2e"),
        ("8,930 metric tons CO2eq", 8930.0, "", "tCO2e"),
        ("24.69 t", 24.69, "", "t"),
        ("429 kg CO2e/MWh", 429.0, "", "kgCO2e/MWh"),
        ("0.429 kg CO2eq/KWh", 0.429, "", "kgCO2e/kWh"),
        ("385 gCO₂-eq per kWh", 385.0, "", "gCO2e/kWh"),
        ("1 tCO2 equivalent", 1.0, "", "tCO2e"),
        ("$5", 5.0, "", "USD"),
        ("$4.6M", 4.6e6, "M", "USD"),
        ("$2 per GPU hour", 2.0, "", "USD/accelerator/hour"),
        ("US$2.10/H100-hour", 2.1, "", "USD/accelerator/hour"),
        ("2 $/h", 2.0, "", "USD/hour"),
        ("1 GWh at the facility", 1.0, "", "GWh*facility"),
        ("0.4 kgCO2e/kWh at the facility", 0.4, "", "kgCO2e/kWh/facility"),
        ("700 W per H100 GPU", 700.0, "", "W/accelerator"),
        ("38 %", 38.0, "", "percent"),
    ],
)
def test_a_unit_is_read_after_number_and_scale(text, value, scale, units):
    written = read(text)
    assert (written.number, written.scale, written.unit) == (value, scale, unit(units))


@pytest.mark.parametrize(
    ("text", "reason", "cure"),
    [
        ("", "is empty", ""),
        (" \n\t", "is empty", ""),
        ("M", PLAIN, LIKE),
        ("nan", PLAIN, LIKE),
        ("inf", PLAIN, LIKE),
        ("True", PLAIN, LIKE),
        ("e5", PLAIN, LIKE),
        ("5.", PLAIN, LIKE),
        ("700.W", PLAIN, LIKE),
        ("1.082.990", PLAIN, LIKE),
        ("1__0", PLAIN, LIKE),
        ("++5 W", PLAIN, LIKE),
        ("H800", PLAIN, LIKE),
        ("9**9**9**9", PLAIN, LIKE),
        ("9^9", PLAIN, LIKE),
        ("5² W", PLAIN, LIKE),
        ("110^23", PLAIN, LIKE),  # neither 1 × 10^23 nor 110^23
        ("2.10^5", PLAIN, LIKE),
        ("10**5**2", PLAIN, LIKE),
        ("10^99999", PLAIN, LIKE),
        ("((((5))))", PLAIN, LIKE),
        ("٣٠٠ W", PLAIN, LIKE),
        ("３００ W", PLAIN, LIKE),
        ("½ W", PLAIN, LIKE),
        ("Ⅴ W", PLAIN, LIKE),
        ("²", PLAIN, LIKE),
        ("€5", "is in €", USD),
        ("5 GBP/h", "is in GBP", USD),
        ("5 CO2e", "has CO2e without a mass before it", "write kg CO2e or t CO2e"),
        ("5 kWh/CO2e", "has CO2e without a mass before it", "write kg CO2e or t CO2e"),
        ("5 kgCO2", "counts kgCO2", "write CO2e if the other greenhouse gases are inside"),
        ("5 t CO2", "counts CO2", "write CO2e if the other greenhouse gases are inside"),
        ("1,5 W", PLAIN, POINT),
        ("1,08,299", PLAIN, POINT),
        ("1,000_000", PLAIN, POINT),
        ("0,123", "has a comma where a decimal point may be meant", "write a decimal point"),
        ("30 840 000 W", *SPACES),
        ("3.14 10^23", *SPACES),
        ("1\u2009082\u2009990", *SPACES),
        ("~400 W", PLAIN, ONE),
        ("<400 W", PLAIN, ONE),
        ("≈400 W", PLAIN, ONE),
        ("400+ W", "has '+ W' where a unit was expected", ONE),
        ("400-700 W", "has '-700 W' where a unit was expected", ONE),
        ("400 - 700 W", "has '- 700 W' where a unit was expected", ONE),
        ("400 ± 5 W", "has '± 5 W' where a unit was expected", ""),
        ("5٣ W", "has '٣ W' where a unit was expected", ""),
        ("5×10⁻ W", "has '×10⁻ W' where a unit was expected", ""),
        ("5×10¹⁻²", "has '⁻²' where a unit was expected", ""),
        ("3:20", "has ':20' where a unit was expected", ""),
        ("5 W^2", "has '^2' where a unit was expected", ""),
        ("5 W\x00", "has '\\x00' where a unit was expected", ""),
        ("5 W\u200b", "has '\\u200b' where a unit was expected", ""),
        ("5 \ud800", "has '\\ud800' where a unit was expected", ""),
        ("5 W/", "ends where a unit was expected", ""),
        ("6 months", "counts in months, whose length varies", "write days or hours"),
        ("2 years", "counts in years, whose length varies", "write days or hours"),
        ("405 bytes", "has an unknown unit 'bytes'", ""),
        ("405BB", "has an unknown unit 'BB'", ""),
        ("3 tesla", "has an unknown unit 'tesla'", ""),
        ("0x10", "has an unknown unit 'x10'", ""),
        ("1e99999", "has an unknown unit 'e99999'", ""),
        ("400 w", "has an unknown unit 'w'", ""),
        ("400 mW", "has an unknown unit 'mW'", ""),  # a milliwatt is no megawatt
        ("5 secnds", "has an unknown unit 'secnds'", "did you mean 'seconds'?"),
        ("38% hours", "has a percentage in '% hours'", ""),
        ("5 hours/%", "has a percentage in 'hours/%'", ""),
        ("1e400", "is not a finite number", ""),
        ("1e305 trillion", "has a power of ten and a scale 'trillion'", "write one of them"),
        ("1" * 101, "is 101 characters long", "a quantity takes at most 100"),
    ],
)
def test_what_is_ambiguous_or_no_quantity_is_refused_with_its_reason(text, reason, cure):
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert (caught.value.reason, caught.value.cure) == (reason, cure)


HOSTILE = {
    "powers": "9**9**9**9",
    "powers of ten": "10**" * 24 + "9",
    "ten megabytes of digits": "9" * 10_000_000,
    "ten megabytes of spaces": " " * 10_000_000,
    "deep parentheses": "(" * 50 + "1" + ")" * 49,
    "a hundred digits": "9" * 100,
    "groups without end": "1" + ",111" * 24,
    "groups ending badly": "1" + "_111" * 24 + "_",
    "superscripts": "10" + "²" * 98,
    "an unknown word": "5 " + "a" * 98,
    "many unknown words": "5 " + "hourz " * 16,
    "many units": "5 " + "W/" * 49,
    "many spaces within": "5" + " " * 98 + "!",
    "digits of another script": "٣" * 100,
    "digits of full width": "３" * 100,
    "combining marks": "5" + "\u0301" * 99,
    "null characters": "\x00" * 100,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused_at_once(text):
    spent = []
    for _ in range(9):
        start = time.process_time()
        with pytest.raises(Unreadable):
            read(text)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.010


def test_text_is_read_up_to_its_greatest_length():
    assert read("5" + " " * (LONGEST - 2) + "W").unit == unit("W")
    with pytest.raises(Unreadable, match="is 101 characters long"):
        read("5" + " " * (LONGEST - 1) + "W")


POSITIVE = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


@given(POSITIVE)
def test_any_positive_float_reads_back_from_its_repr(value):
    assert read(repr(value)).number == value


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_any_number_written_for_people_reads_back_to_six_digits(value):
    assert math.isclose(read(number(value)).number, value, rel_tol=5.1e-6)


@given(st.floats(min_value=1e-59, max_value=1e59), st.floats(1.0, 2.0), st.sampled_from(sorted(FIELDS)))
def test_any_quantity_written_for_people_reads_back_in_its_field(free, bounded, name):
    band = FIELDS[name].band
    value = (bounded / 2 if band and band.most == 1 else bounded) if FIELDS[name].is_bounded else free
    value = float(math.ceil(value)) if FIELDS[name].whole else value
    written = quantity(value, FIELDS[name].unit)
    back = as_quantity(people(written), field=name)
    assert math.isclose(back.to(written.units).magnitude, value, rel_tol=5.1e-6)


@given(st.integers(min_value=0, max_value=10**30), st.sampled_from([",", "_", ""]))
def test_any_count_reads_back_with_and_without_separators(value, separator):
    assert read(f"{value:{separator}}").number == float(value)


def read_or_refuse(text):
    with contextlib.suppress(Unreadable):
        assert math.isfinite(read(text).number)


@given(st.text(max_size=120))
def test_any_text_is_read_or_refused(text):
    read_or_refuse(text)


@given(st.text(alphabet="0123456789.,_eE+-−×x·*^⁻⁰²³ /%KMBTWGPUhdaysperflo", max_size=24))
def test_any_text_of_the_grammars_own_letters_is_read_or_refused(text):
    read_or_refuse(text)


@given(st.text(st.characters(exclude_characters="0123456789"), max_size=20))
def test_no_quantity_is_read_out_of_text_without_a_digit(text):
    with pytest.raises(Unreadable):
        read(text)


@pytest.mark.parametrize("name", sorted(set(vocabulary().values())))
def test_every_unit_word_leads_to_a_unit_of_ours(name):
    assert isinstance(unit(name), OurUnit)


@pytest.mark.parametrize(
    ("word", "units"),
    [("GPUs", "accelerator"), ("PFLOPS", "petaflop/s"), ("Exaflops", "exaflop"), ("kilowatts", "kW"), ("%", "percent")],
)
def test_a_unit_word_has_usual_spellings(word, units):
    assert read_unit(word) == unit(units)


@pytest.mark.parametrize("word", ["B", "T", "KW", "byte", "w", "m", "mW", "tflops", "PF", "s⁻¹", "W2", "per", "/s"])
def test_a_unit_word_outside_the_vocabulary_is_refused(word):
    with pytest.raises(Unreadable):
        read_unit(word)


@pytest.mark.parametrize("text", ["$", "US$", " $ ", "$\u00a0"])
def test_a_currency_alone_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="is empty after the currency"):
        read(text)
