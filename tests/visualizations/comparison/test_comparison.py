"""Runs side by side: numbers, ratios to the first, routes, and the reasons of dashes, in every form."""

from __future__ import annotations

import csv
import io
import json

import pytest

from runlineage import PublishedRunScenario, Scenarios, UnknownNameError, compare, html
from runlineage.catalogs.base.errors import OutputError
from runlineage.visualizations.comparison.forms import form_of, form_of_suffix

SMALL = PublishedRunScenario(name="small", accelerator_hours="1M", device_power="400 W")
LARGE = PublishedRunScenario(name="large", accelerator_hours="3M", device_power="400 W")


def test_the_ratio_is_to_the_first_run() -> None:
    shown = compare(SMALL, LARGE, metrics="energy")
    assert [row[0].ratio for row in shown.rows] == [None, pytest.approx(3)]
    assert [row[0].magnitude for row in shown.rows] == [pytest.approx(0.4), pytest.approx(1.2)]


def test_a_run_may_be_a_name_and_runs_may_come_as_a_list() -> None:
    assert compare(["gpt-3", SMALL]).runs == ("GPT-3 175B", "small")
    assert compare("gpt-3", SMALL).runs == ("GPT-3 175B", "small")


@pytest.mark.parametrize("width", [60, 79, 100, 140, 200])
@pytest.mark.parametrize("runs", [("gpt-3", "bloom"), ("gpt-3", "bloom", "llama 3.1 405b", "deepseek-v3", "palm 540b")])
def test_the_table_fits_the_width_and_shows_every_run_and_metric(width: int, runs: tuple[str, ...]) -> None:
    shown = compare(*runs)
    text = shown.text(width)
    assert max(map(len, text.splitlines())) <= width
    for name in shown.runs:
        assert name in text
    words = " ".join(text.split())
    assert all(each in words for each in ("training operations", "achieved rate", "energy", "peak fraction"))


def test_very_many_metrics_and_long_names_fit_sixty_columns() -> None:
    from runlineage.catalogs.quantities.fields import ANSWERS

    long = SMALL.variant(name="a name of very many words that no column of sixty could ever hold on one line")
    text = compare(long, LARGE, metrics=tuple(ANSWERS)).text(60)
    assert max(map(len, text.splitlines())) <= 60


def test_a_dash_has_its_reason_and_is_no_ratio() -> None:
    shown = compare("gpt-3", "bloom", metrics="energy")
    text = shown.text(100)
    assert "– [1]" in text
    assert '[1] energy needs accelerator_hours, device_power, or assume "count_duration" and "tdp"' in text
    assert "no ratio of energy: GPT-3 175B has none" in text
    assert "×" not in text
    assert shown.rows[1][0].ratio is None


def test_assumptions_and_routes_are_asked_of_every_run() -> None:
    shown = compare("gpt-3", SMALL, metrics="energy", assume=["tdp", "count_duration"])
    assert 'assuming "count_duration", "tdp"' in shown.text(100)
    routed = compare("bloom", "llama 65b", metrics="energy", prefer={"energy": "power_time"})
    assert [row[0].route for row in routed.rows] == ["power_time", "power_time"]


def test_csv_holds_numbers_units_routes_ratios_and_problems() -> None:
    rows = list(csv.DictReader(io.StringIO(compare(SMALL, "gpt-3", LARGE, metrics="energy").to("csv"))))
    assert [row["energy (GWh)"] for row in rows] == ["0.4", "", "1.2"]
    assert [row["energy ratio to first"] for row in rows] == ["", "", "3"]
    assert [row["energy route"] for row in rows] == ["power_time", "", "power_time"]
    assert rows[1]["energy problem"].startswith("needs accelerator_hours, device_power")


def test_json_has_what_show_has_and_the_ratio() -> None:
    document = json.loads(compare(SMALL, LARGE, metrics="energy").to("json"))
    assert (document["schema"], document["first"]) == ("runlineage.compare/1", "small")
    answer = document["runs"][1]["metrics"]["energy"]
    assert answer == LARGE.result("energy").as_json() | {"ratio_to_first": pytest.approx(3)}


def test_markdown_escapes_what_is_a_mark() -> None:
    text = compare(SMALL.variant(name="a|b"), LARGE, metrics="energy").to("markdown")
    assert text.splitlines()[2] == r"| a\|b | 0.4<br>by power\_time |"
    assert text.splitlines()[3] == r"| large | 1.2 ×3<br>by power\_time |"


def test_a_notebook_shows_a_table_whose_names_are_escaped() -> None:
    shown = compare(SMALL.variant(name="<b>"), LARGE, metrics="energy")
    page = shown._repr_html_()
    assert page == html(shown)
    assert "&lt;b&gt;" in page
    assert "1.2 ×3<br>by power_time" in page


def test_fewer_than_two_runs_and_what_is_no_run_are_refused(refusal) -> None:  # type: ignore[no-untyped-def]
    assert refusal(compare, SMALL) == "runs: are 1; name two at least to compare"
    assert refusal(compare, SMALL, [4, 5]).count("expected a run or the name of one") == 2
    assert refusal(compare, SMALL, LARGE, metrics=()).startswith("metrics: are none; choose of")
    assert "is a column" in refusal(compare, SMALL, SMALL.variant(accelerator_hours=[1e6, 2e6]))
    with pytest.raises(UnknownNameError, match="unknown run 'blom'"):
        compare(SMALL, "blom")


def test_forms_are_known_by_name_and_suffix_and_others_are_refused() -> None:
    assert form_of_suffix("a.MD", ".MD") is form_of("markdown")
    with pytest.raises(UnknownNameError, match="unknown form 'jsn'; the nearest: json"):
        form_of("jsn")
    with pytest.raises(OutputError, match=r"a\.xls is no file for a comparison"):
        form_of_suffix("a.xls", ".xls")


def test_metrics_without_any_answer_are_known() -> None:
    assert compare(SMALL, LARGE).unanswered == ("training_operations", "achieved_rate", "peak_fraction")
    assert compare("bloom", Scenarios["gpt-3"]).unanswered == ()


def test_what_every_run_was_changed_by_is_said_once() -> None:
    shown = compare(SMALL.variant(pue=1.1), LARGE.variant(pue=1.1), metrics="facility_energy")
    lines = shown.text().splitlines()
    assert [line.split()[0] for line in lines if line and line[0] != " "][:3] == ["run", "small", "large"]
    assert "every run is shown with pue 1.1" in lines
    assert shown.runs == ("small with pue 1.1", "large with pue 1.1")
    assert compare(SMALL.variant(pue=1.1), LARGE).changes == ""


def test_a_first_answer_of_zero_gives_no_ratio_and_says_so() -> None:
    facts = {"pue": 1.1, "market_carbon_intensity": 0}
    shown = compare(
        SMALL.variant(**facts), LARGE.variant(pue=1.1, market_carbon_intensity=0.1), metrics="market_emissions"
    )
    assert "no ratio of market_emissions: small with" in " ".join(shown.text(200).split())
    assert "has no number above 0" in shown.text(200)


def test_an_assumption_that_one_run_needed_is_not_called_idle() -> None:
    counted = PublishedRunScenario(name="counted", accelerator_count=10, duration=5, device_power="400 W")
    assert compare(SMALL, counted, metrics="energy", assume=["count_duration"]).warnings == ()
    idle = compare(SMALL, LARGE, metrics="energy", assume=["count_duration"]).warnings
    assert idle == ('every run: assumption "count_duration" was not needed',)


def test_a_small_run_has_no_power_of_ten_for_people_and_the_published_unit_in_files() -> None:
    tiny = PublishedRunScenario(name="tiny", accelerator_hours=12.5, device_power="310 W")
    shown = compare(tiny, SMALL, metrics="energy")
    assert [row[0].text for row in shown.rows] == ["3.875", "400,000"]
    assert "energy (kWh)" in shown.to("md")
    assert "kWh" in shown.text()
    assert shown.to("csv").splitlines()[1].startswith("tiny,3.875e-06,")
    assert json.loads(shown.to("json"))["runs"][0]["metrics"]["energy"]["unit"] == "GWh"


def test_runs_of_one_name_are_numbered() -> None:
    one = PublishedRunScenario(name="Tiny", parameters="1B", training_tokens="1T")
    assert compare([one, one, one.variant(parameters="2B", name="Tiny")]).runs == ("Tiny", "Tiny (2)", "Tiny (3)")
