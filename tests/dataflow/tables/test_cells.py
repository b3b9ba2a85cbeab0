"""The door for columns: what a cell is read as, what is missing, what is refused and in which words."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage import InputError
from runlineage.catalogs.quantities.fields import FACTS, PRECISION_SPELLINGS, WORDS
from runlineage.catalogs.quantities.ranges import Range, as_range, in_units_of
from runlineage.catalogs.quantities.reading import coherent
from runlineage.dataflow.tables import cells, one_cell
from runlineage.dataflow.tables.headers import FactColumn, read_headers
from runlineage.dataflow.tables.range_cells import note
from runlineage.dataflow.tables.refusals import refusal

HOURS = read_headers(["accelerator_hours"])[0]


def read(cell: Any, header: str = "accelerator_hours", dtype: Any = None) -> tuple[Any, str | None]:
    """Read a column of one cell: its value and its refusal, which must be what one cell alone gives."""
    (column,) = read_headers([header])
    series = pl.Series(header, [cell], dtype=dtype)
    value = cells.word if column.is_word else cells.fact
    answer = pl.DataFrame([series]).select(
        value(column, series.dtype).alias("value"), refusal(column, series.dtype).alias("said")
    )
    found = answer.row(0)
    alone = one_cell.read_cell(column, series[0])
    assert alone[0] == (pytest.approx(found[0], rel=1e-15) if isinstance(found[0], float) else found[0])
    assert alone[1] == found[1]
    return found


@pytest.mark.parametrize(
    ("cell", "hours"),
    [
        (1_022_362, 1_022_362),
        (1.5, 1.5),
        (2**64, 2.0**64),
        (Decimal("1022362.5"), 1_022_362.5),
        ("1022362", 1_022_362),
        ("1,022,362", 1_022_362),
        ("1_022_362", 1_022_362),
        ("  1022362\n", 1_022_362),
        ("30.84M GPU hours", 30.84e6),
        ("30.84M", 30.84e6),
        ("2 GPU-days", 48),
        ("24 hours", 24),
        ("1.02e6", 1.02e6),
        ("3.5×10^6", 3.5e6),
        (str(2**70), 2.0**70),
        ("99999999999999999999999999", 1e26),
    ],
)
def test_a_cell_is_read(cell: Any, hours: float) -> None:
    value, said = read(cell)
    assert said is None
    assert value == pytest.approx(hours * 3600, rel=1e-12)


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt64, pl.Int128, pl.Float32, pl.Decimal(10, 2), pl.String])
def test_every_type_of_number_serves(dtype: Any) -> None:
    assert pl.Series([7]).cast(dtype).dtype == dtype
    assert read(pl.Series([7]).cast(dtype)[0], dtype=dtype) == (7 * 3600.0, None)


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["400 W", "0.7 kW", "x"])])
def test_categories_are_text(dtype: Any) -> None:
    assert read("0.7 kW", "device_power", dtype) == (700.0, None)
    assert read("x", "device_power", dtype)[0] is None


@pytest.mark.parametrize(
    "cell", ["", " ", "N/A", "n/a", "NA", "nan", "NaN", "None", "null", "unknown", "Unknown ", "-", "–", "?", "TBD"]
)
@pytest.mark.parametrize("header", ["accelerator_hours", "accelerator", "precision", "sparse"])
def test_what_people_write_for_nothing_is_missing_and_not_refused(cell: str, header: str) -> None:
    assert read(cell, header) == (None, None)


@pytest.mark.parametrize("cell", [None, float("nan")])
def test_null_and_nan_are_missing(cell: Any) -> None:
    assert read(cell, dtype=pl.Float64) == (None, None)


@pytest.mark.parametrize("header", ["accelerator_hours", "accelerator", "sparse"])
def test_a_column_of_nothing_is_missing(header: str) -> None:
    (column,) = read_headers([header])
    value = cells.word if column.is_word else cells.fact
    found = pl.DataFrame({header: [None, None]}).with_columns(value(column, pl.Null()).alias("found"))["found"]
    assert found.to_list() == [None, None]
    assert found.dtype == (pl.String if column.is_word else pl.Float64)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("~25,000", "accelerator_hours: '~25,000' does not start with a plain number"),
        ("1,5", "accelerator_hours: '1,5' does not start with a plain number; write a decimal point"),
        ("1.022.362", "accelerator_hours: '1.022.362' does not start with a plain number"),
        ("30 840 000", "accelerator_hours: '30 840 000' has spaces inside the number"),
        ("=1+1", "accelerator_hours: '=1+1' does not start with a plain number"),
        ("inf", "accelerator_hours: 'inf' does not start with a plain number"),
        ("1e400", "accelerator_hours: '1e400' is not a finite number"),
        ("1e300", "accelerator_hours: '1e300' is beyond what a run can have"),
        ("-5", "accelerator_hours: '-5' is not above zero"),
        ("0", "accelerator_hours: '0' is not above zero"),
        ("5 kg", "accelerator_hours: '5 kg' is in kg, which is not an accelerator time"),
        ("3 days", "accelerator_hours: '3 days' may be wall-clock time"),
        ("\x00", r"accelerator_hours: '\x00' does not start with a plain number"),
        ("a" * 200, "is 200 characters long"),
        (0, "accelerator_hours: 0.0 is not between 1e-60 and 1e+60"),
        (-3.5, "accelerator_hours: -3.5 is not between 1e-60 and 1e+60"),
        (float("inf"), "accelerator_hours: inf is not between 1e-60 and 1e+60"),
    ],
)
def test_a_cell_that_cannot_be_a_fact_is_refused_in_words(cell: Any, said: str) -> None:
    value, refusal = read(cell)
    assert value is None
    assert said in str(refusal)


def test_the_headers_unit_is_that_of_plain_numbers_only() -> None:
    assert read(24, "duration (hour)") == (86400.0, None)
    assert read("24", "duration (hour)") == (86400.0, None)
    assert read("1,200", "duration (hour)") == (1200 * 3600.0, None)
    assert read("2 days", "duration (hour)") == (2 * 86400.0, None)
    assert read("70", "parameters (B)") == (70e9, None)


@pytest.mark.parametrize(
    ("header", "cell", "value"),
    [
        ("parameters (B)", "405B", 405e9),
        ("parameters (B)", "0.4 T", 4e11),
        ("parameters (B)", "405", 405e9),
        ("training_tokens (T tokens)", "300B", 300e9),
        ("accelerator_hours (million GPU hours)", "30.84M", 30.84e6 * 3600),
        ("accelerator_hours (GPU-days)", "2K", 2000 * 86400),
    ],
)
def test_a_cells_own_scale_letter_takes_the_place_of_the_headers(header: str, cell: str, value: float) -> None:
    assert read(cell, header) == (pytest.approx(value, rel=1e-15), None)


@pytest.mark.parametrize(
    ("header", "cell", "value"),
    [
        ("accelerator", "h100 sxm", "H100_SXM5_80GB"),
        ("accelerator", "NVIDIA A100 SXM4 80GB", "A100_SXM4_80GB"),
        ("precision", "BF16", "bf16"),
        *(("precision", spelling, precision) for spelling, precision in PRECISION_SPELLINGS.items()),
        *(("precision", choice, choice) for choice in WORDS["precision"].choices),
        *(("sparse", text, "True") for text in ("true", "TRUE", "True", "yes", " Yes ", "1", "1.0")),
        *(("sparse", text, "False") for text in ("false", "FALSE", "False", "no", "0", "0.0")),
        ("sparse", True, "True"),
        ("sparse", False, "False"),
        ("sparse", 1, "True"),
        ("sparse", 0.0, "False"),
    ],
)
def test_a_word_is_read_by_any_usual_spelling(header: str, cell: Any, value: str) -> None:
    assert read(cell, header) == (value, None)


@pytest.mark.parametrize(
    ("header", "cell", "said"),
    [
        ("accelerator", "Gaudi", "accelerator: accelerator 'Gaudi' matches several; use one of: Intel Gaudi 2"),
        ("accelerator", "Abacus", "accelerator: unknown accelerator 'Abacus'"),
        ("accelerator", "NVIDIA H100 SXM5 80GB,NVIDIA A100", "accelerator: unknown accelerator"),
        ("precision", "fp17", "precision: is 'fp17'; expected one of fp64"),
        ("sparse", "maybe", "sparse: is 'maybe'; expected true or false"),
        ("sparse", 2, "sparse: is '2'; expected true or false"),
    ],
)
def test_a_word_that_means_nothing_is_refused_in_words(header: str, cell: Any, said: str) -> None:
    value, refusal = read(cell, header)
    assert value is None
    assert str(refusal).startswith(said)


BAD = [{"a": 1}, [1], datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.time(1), b"x", True]


@pytest.mark.parametrize("cell", BAD, ids=lambda cell: type(cell).__name__)
def test_a_column_that_holds_neither_numbers_nor_text_is_refused_by_name(cell: Any) -> None:
    schema = pl.DataFrame({"duration (hour)": [cell], "model": [cell]}).schema
    with pytest.raises(InputError) as caught:
        cells.check_types(read_headers(schema.names()), schema)
    assert str(caught.value) == (
        f"column 'duration (hour)': holds {schema['duration (hour)']} cells; expected numbers or text"
    )


@pytest.mark.parametrize("cell", [*BAD, 80], ids=lambda cell: type(cell).__name__)
def test_a_column_of_words_that_holds_none_is_refused_by_name(cell: Any) -> None:
    schema = pl.DataFrame({"accelerator": [cell], "precision": [cell]}).schema
    with pytest.raises(InputError) as caught:
        cells.check_types(read_headers(schema.names()), schema)
    assert [fault.where for fault in caught.value.faults] == ["column 'accelerator'", "column 'precision'"]
    assert {fault.cure for fault in caught.value.faults} == {"expected words"}


LETTERS = st.text("0123456789.,eE+-−_ ×^kKMBT%Whours/", min_size=1, max_size=12)
NUMBERS = st.from_regex(r"\A[ ]?[+-]?[0-9]{0,4}[.,_]?[0-9]{0,3}([eE][+-]?[0-9]{1,2})?[ ]?\Z")


def as_scalar(text: str) -> tuple[float | None, str | None]:
    """Read a text as the door of a single fact does."""
    try:
        one = as_range(text, field="accelerator_hours")
    except InputError as problem:
        return None, str(problem)
    kind = FACTS["accelerator_hours"].kind
    if isinstance(one, Range):  # whose median serves, and that is said
        return in_units_of(kind, one).value.magnitude, note(HOURS, text)
    return coherent(one, kind).magnitude, None


@given(st.lists(LETTERS | NUMBERS | st.text(max_size=8), min_size=1, max_size=12))
def test_a_column_of_texts_reads_as_each_text_alone(texts: list[str]) -> None:
    table = pl.DataFrame({"accelerator_hours": pl.Series(texts, dtype=pl.String)})
    found = table.select(cells.fact(HOURS, pl.String()).alias("value"), refusal(HOURS, pl.String()).alias("said"))
    for text, value, said in zip(texts, *found.get_columns(), strict=True):
        if text.strip().casefold() in one_cell.NOTHING:
            assert (value, said) == (None, None)
            continue
        one, refused = as_scalar(text)
        assert said == refused, text
        assert value == (None if one is None else pytest.approx(one, rel=1e-15)), text


def test_each_distinct_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    reader = one_cell.read_text

    def counted(column: FactColumn, text: str) -> tuple[Any, str | None]:
        asked.append(text)
        return reader(column, text)

    monkeypatch.setattr(cells, "read_text", counted)
    texts = pl.DataFrame({"accelerator_hours": ["30.84M GPU hours", "1,000", "500", None] * 1000})
    values = texts.select(cells.fact(HOURS, pl.String()))[:, 0]
    assert values.null_count() == 1000
    assert sorted(asked) == ["1,000", "30.84M GPU hours"]
