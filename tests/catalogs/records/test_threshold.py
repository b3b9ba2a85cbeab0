"""Thresholds: where they lie, what counts, since when; each statement with the place it is read from."""

import datetime
import pickle

import pytest

from runlineage.catalogs.base.errors import AmbiguousNameError, InputError, UnknownNameError
from runlineage.catalogs.catalog import Sources, Thresholds
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.threshold import STATUSES, SUBJECTS, Threshold

TODAY = datetime.date(2026, 12, 2)  # the day on which the rows were written


@pytest.mark.parametrize(
    ("key", "size", "status", "since"),
    [
        ("EU_GPAI", 1e23, "guidance", datetime.date(2025, 8, 2)),
        ("EU_systemic_risk", 1e25, "in force", datetime.date(2025, 8, 2)),
        ("EU_modification_of_systemic", 1e25 / 3, "guidance", datetime.date(2025, 8, 2)),
        ("EU_modification_of_other", 1e23 / 3, "guidance", datetime.date(2025, 8, 2)),
        ("CA_SB53", 1e26, "in force", datetime.date(2026, 1, 1)),
        ("NY_RAISE", 1e26, "signed, not yet in force", datetime.date(2027, 1, 1)),
        ("US_EO14110", 1e26, "revoked", datetime.date(2023, 10, 30)),
        ("KR_high_performance", 1e26, "in force", datetime.date(2026, 1, 22)),
    ],
)
def test_a_line_lies_where_its_text_says(key, size, status, since):
    line = Thresholds[key]
    assert line.threshold.value.to("flop").magnitude == pytest.approx(size, rel=1e-15)
    assert (line.status.value, line.since.value, line.of_original) == (status, since, False)


def test_a_modification_is_measured_against_its_original():
    line = Thresholds["one-third rule"]
    assert line.threshold.value == quantity(1 / 3, "")
    assert (line.of_original, line.applies_to) == (True, "modification")


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("SB 53", "CA_SB53"),
        ("TFAIA", "CA_SB53"),
        ("RAISE Act", "NY_RAISE"),
        ("EO 14110", "US_EO14110"),
        ("systemic risk", "EU_systemic_risk"),
        ("GPAI", "EU_GPAI"),
    ],
)
def test_a_line_is_found_by_its_usual_names(spelling, key):
    assert Thresholds.find(spelling) == key


def test_a_name_of_several_lines_is_refused_with_theirs():
    with pytest.raises(
        AmbiguousNameError, match="threshold 'EU AI Act' matches several; use one of: EU AI Act, general"
    ):
        Thresholds["EU AI Act"]
    with pytest.raises(UnknownNameError, match="unknown threshold 'SB 1047'; `runlineage list thresholds` lists all"):
        Thresholds["SB 1047"]


@pytest.mark.parametrize("key", Thresholds)
def test_every_line_is_whole_and_every_statement_has_source_and_place(key):
    line = Thresholds[key]
    assert {"threshold", "status", "since", "what_counts", "consequence"} <= set(line.facts())
    assert line.status.value in STATUSES
    assert line.applies_to in SUBJECTS
    assert line.jurisdiction
    for fact in line.facts().values():
        assert fact.source in Sources
        assert fact.place
    assert pickle.loads(pickle.dumps(line)) == line


@pytest.mark.parametrize("key", Thresholds)
def test_status_and_dates_agree(key):
    line = Thresholds[key]
    assert (line.since.value > TODAY) == (line.status.value == "signed, not yet in force")
    assert (line.until is not None) == (line.status.value == "revoked")
    assert line.until is None or line.since.value < line.until.value <= TODAY


def test_what_is_about_a_model_lies_in_a_plausible_band():
    sizes = {key: Thresholds[key].threshold.value for key in Thresholds if not Thresholds[key].of_original}
    assert [key for key, size in sizes.items() if not 1e22 <= size.to("flop").magnitude <= 1e27] == []


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            {"threshold": "1e25 W"},
            "threshold: '1e25 W' is in W, which is not a count of operations; "
            "expected operations such as '1e25 flop', or a fraction of the original model's such as '1/3'",
        ),
        (
            {"status": "in froce"},
            "status: is 'in froce'; expected one of 'in force', 'guidance', 'signed, not yet in force', 'revoked'; "
            "the nearest: 'in force'",
        ),
        ({"since": "2025-08-02"}, "since: is '2025-08-02'; expected a date such as 2025-08-02"),
        ({"what_counts": ""}, "what_counts: is ''; expected text"),
        ({"applies_to": "dataset"}, "applies_to: is 'dataset'; expected one of model, modification"),
        ({"treshold": "1e25"}, "treshold: is not a field here; the nearest: threshold"),
    ],
)
def test_what_is_no_threshold_is_refused(facts, sentence):
    with pytest.raises(InputError) as caught:
        Threshold(name="a law", **facts)
    assert str(caught.value) == f"a law: {sentence}"


def test_a_line_may_be_written_by_hand():
    line = Threshold(name="ours", threshold="0.5e24", status="In force", since=datetime.date(2026, 5, 1))
    assert (line.threshold.value, line.status.value) == (quantity(0.5e24, "flop"), "in force")
    assert Threshold(name="empty").of_original is False
