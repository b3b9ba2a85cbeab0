"""Charts: what they show, in whose colours, and that a chart without a point is left out."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from matplotlib import rc_context

from runlineage import PublishedRunScenario, Scenarios
from runlineage.visualizations.pages.chart_by_metric import MOST_ROWS, by_metric
from runlineage.visualizations.pages.chart_parts import Chart
from runlineage.visualizations.pages.charts import charts

RUNS = [Scenarios[name].lineage() for name in ("gpt-3", "bloom", "llama 3.1 405b")]


def test_a_chart_is_left_out_where_nothing_can_stand_in_it() -> None:
    assert [chart.title for chart in charts(RUNS)] == [
        "Achieved rate against peak",
        "Peak fraction by year",
        "Training operations",
        "Energy",
    ]
    assert charts(RUNS[:1]) == []  # one point says nothing that its number does not
    assert charts([PublishedRunScenario(training_ops="1e23 flop").lineage()]) == []


def test_points_lead_to_their_runs_and_say_their_number() -> None:
    rates, _, _, energy = charts(RUNS)
    assert re.findall(r'href="#(run-\d+)"><title>(.+?)</title>', rates.svg) == [
        ("run-1", "GPT-3 175B: 24.56"),
        ("run-2", "BLOOM 176B: 99.27"),
        ("run-3", "Llama 3.1 405B: 341.4"),
    ]
    assert "2 of 3 runs" in energy.caption


def test_colours_are_those_of_the_page_and_nothing_reaches_out_of_the_chart() -> None:
    for chart in charts(RUNS):
        assert "currentColor" in chart.svg
        assert "var(--accent)" in chart.svg
        assert not re.search(r"#0102|<style|<metadata|<!--|<\?xml", chart.svg)
        assert ET.fromstring(str(chart.svg)).tag.endswith("svg")


HOLLOW, FULL = "rests on an assumption", "from stated facts"


def energies(*runs: PublishedRunScenario) -> Chart:
    (chart,) = (each for each in charts([run.lineage("energy") for run in runs]) if each.title == "Energy")
    return chart


def test_what_rests_on_an_assumption_is_hollow_and_the_key_says_so() -> None:
    run = PublishedRunScenario(name="a", accelerator_hours=1e6, device_power="400 W")
    guess = Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"])
    both, full, hollow = energies(run, guess), energies(run, run), energies(guess, guess)
    assert [HOLLOW in chart.svg for chart in (both, full, hollow)] == [True, False, True]
    assert [FULL in chart.svg for chart in (both, full, hollow)] == [True, True, False]
    drawn = r'<a tabindex="-1"[^>]*>.*?style="fill: none; stroke: var\(--accent\)'
    assert [bool(re.search(drawn, chart.svg, re.DOTALL)) for chart in (both, full)] == [True, False]


def test_a_tdp_taken_as_power_is_an_assumption() -> None:
    chart = energies(Scenarios["llama 65b"], Scenarios["llama 33b"])
    assert HOLLOW in chart.svg
    assert FULL not in chart.svg


def test_a_published_energy_of_the_same_scope_stands_beside_the_point() -> None:
    other = Scenarios["llama 65b"]
    assert "own figure" in energies(Scenarios["BLOOM 176B"], other).svg
    guess = Scenarios["gpt-3"].variant(assume=["tdp", "count_duration"])
    assert "own figure" not in energies(guess, other).svg  # its 1,287 MWh are the facility's


def test_every_asked_metric_has_a_chart_of_its_own() -> None:
    runs = [Scenarios[name].variant(pue=1.1).lineage("facility_energy") for name in ("bloom", "llama 65b")]
    (chart,) = charts(runs)
    assert chart.title == "Facility energy"
    assert ">facility energy, GWh</text>" in chart.svg.replace(" at the facility", "")


def test_of_many_runs_the_largest_have_a_row() -> None:
    chart = by_metric([Scenarios[name].lineage("training_operations") for name in Scenarios], "training_operations")
    assert chart is not None
    assert chart.svg.count("<title>") == 1 + MOST_ROWS
    assert f"The {MOST_ROWS} largest of" in chart.caption


def test_outliers_have_their_names_where_many_points_stand_together() -> None:
    usual = [Scenarios["bloom"].variant(name=f"usual {place}") for place in range(30)]
    slow = Scenarios["bloom"].variant(name="slow", accelerator_hours=1e7)
    rates, *_ = charts([run.lineage(["achieved_rate", "peak_fraction"]) for run in (*usual, slow)])
    assert ">slow</text>" in rates.svg
    assert "The outermost have their names." in rates.caption


def test_names_are_neither_markup_nor_mathematics() -> None:
    name = "<b> & $\\frac{1}{0}$ \u4e2d\u6587"
    run = PublishedRunScenario(name=name, accelerator_hours=1e6, device_power="400 W")
    energy = energies(run, Scenarios["bloom"])
    assert "&lt;b&gt; &amp; $\\frac{1}{0}$ \u4e2d\u6587" in energy.svg
    assert "<b>" not in energy.svg


def test_columns_have_no_point() -> None:
    run = PublishedRunScenario(accelerator_hours=[1e6, 2e6], device_power="400 W")
    assert charts([run.lineage()]) == []


def test_a_long_name_leaves_room_for_the_points() -> None:
    run = Scenarios["BLOOM 176B"].variant(name="word " * 2000)
    rates, *_ = charts([run.lineage(), RUNS[0]])  # what does not fit is a warning, and so an error here
    assert "…" in rates.svg


def test_a_matplotlibrc_of_the_users_changes_nothing() -> None:
    plain = charts(RUNS)
    with rc_context({"svg.fonttype": "path", "axes.grid": True, "lines.linewidth": 9, "savefig.dpi": 300}):
        assert charts(RUNS) == plain


def test_names_cover_no_other_and_those_without_room_are_said() -> None:
    run = Scenarios["BLOOM 176B"]
    rates, *_ = charts([run.variant(name=f"run {place}").lineage() for place in range(3)])
    shown = re.findall(r"<text[^>]*>(run \d)</text>", rates.svg)
    assert shown == ["run 0", "run 1"]  # one on each side of the one point
    assert rates.caption.endswith("Names without room stand in the overview.")
    assert "without room" not in charts(RUNS)[0].caption
