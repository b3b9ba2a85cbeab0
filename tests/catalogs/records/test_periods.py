"""Periods of a run that changed its size."""

import pytest

from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.periods import Period, read_periods
from runlineage.catalogs.records.records import Run

FACT_KEYS = "the keys are value, source, place, basis, note, preferred, reason, low, high"


@pytest.mark.parametrize("raw", [5, "x", {"accelerator_count": 3}])
def test_periods_that_are_no_list_are_refused(refusal, raw):
    assert refusal(read_periods, raw) == f"periods: is {raw!r}; expected a list of tables"
    assert refusal(Run, name="x", periods=raw) == f"x: periods: is {raw!r}; expected a list of tables"


def test_periods_keep_count_duration_and_origin():
    raw = {"accelerator_count": "6144", "duration": "1200 hour", "source": "paper", "place": "App. B"}
    (period,) = read_periods([raw])
    assert period.accelerator_count == quantity(6144.0, "accelerator")
    assert (period.duration, period.fact.source) == (quantity(1200.0, "hour"), "paper")
    assert read_periods([period]) == (period,)
    assert isinstance(Run(periods=[raw]).periods[0], Period)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (["x"], "periods[0]: is 'x'; expected a table with accelerator_count and duration"),
        (
            [{"duration": 3}],
            "periods[0]: is {'duration': 3}; expected a table with accelerator_count and duration",
        ),
        (
            [{"accelerator_count": 3, "duration": 4, "value": 9}],
            "periods[0]: is {'accelerator_count': 3, 'duration': 4, 'value': 9}; "
            "expected a table with accelerator_count and duration",
        ),
        (
            [{"accelerator_count": [3, 4], "duration": 4}],
            "periods[0]: has columns; expected one count and one duration",
        ),
        (
            [{"accelerator_count": 3, "duration": 4, "foo": 9}],
            f"periods[0].accelerator_count.foo: is not a key of a fact; {FACT_KEYS}",
        ),
        (
            [{"accelerator_count": True, "duration": 0}, 5],
            "3 faults:\n"
            "  periods[0].accelerator_count: True is a truth value, not a quantity; "
            "expected a count of accelerators in accelerator, such as '10,000' or '384 GPUs'\n"
            "  periods[0].duration: 0 is not above zero; "
            "expected a wall-clock duration in day, such as '14.8 days' or '1200 hours'\n"
            "  periods[1]: is 5; expected a table with accelerator_count and duration",
        ),
    ],
    ids=range(6),
)
def test_periods_that_are_not_whole_are_refused_with_their_place(refusal, raw, sentence):
    assert refusal(read_periods, raw) == sentence
    assert sentence in refusal(Run, name="x", periods=raw).replace("3 faults in x:", "3 faults:")
