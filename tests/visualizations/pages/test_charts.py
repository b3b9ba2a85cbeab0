"""Charts: what they show, in whose colours, and that a chart without a point is left out."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from matplotlib import rc_context

from runlineage import PublishedRunScenario, Scenarios
from runlineage.visualizations.pages.charts import charts

RUNS = [Scenarios[name].lineage() for name in ("gpt-3", "bloom", "llama 3.1 405b")]


def test_a_chart_is_left_out_where_nothing_can_stand_in_it() -> None:
    assert [chart.title for chart in charts(RUNS)] == [
        "Achieved rate against peak",
        "Energy",
        "Peak fraction by year",
    ]
    assert [chart.title for chart in charts(RUNS[:1])] == ["Achieved rate against peak"]
    assert charts([PublishedRunScenario(training_ops="1e23 flop").lineage()]) == []


def test_points_lead_to_their_runs_and_say_their_number() -> None:
    rates, energy, _ = charts(RUNS)
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


def test_what_rests_on_an_assumption_is_hollow() -> None:
    run = Scenarios.Gpt3PublishedRun
    (_, energy) = charts([run.variant(assume=["tdp", "count_duration"]).lineage()])
    assert energy.caption.endswith("Hollow: rests on an assumption.")
    assert re.search(r'<a tabindex="-1"[^>]*>.*?style="fill: none; stroke: var\(--accent\)', energy.svg, re.DOTALL)
    # GPT-3's paper does not print the part, so its peak is assumed.
    assert "Hollow: rests on an assumption." in charts(RUNS[:1])[0].caption
    assert "None rests on an assumption." in charts(RUNS[1:])[0].caption


def test_a_published_energy_of_the_same_scope_stands_beside_the_point() -> None:
    (_, energy) = charts([Scenarios["BLOOM 176B"].lineage()])
    assert energy.caption.endswith("Diamond: the authors' own figure for the devices.")
    (_, energy) = charts([Scenarios["gpt-3"].variant(assume=["tdp", "count_duration"]).lineage()])
    assert "Diamond" not in energy.caption  # its 1,287 MWh are the facility's


def test_names_are_neither_markup_nor_mathematics() -> None:
    name = "<b> & $\\frac{1}{0}$ \u4e2d\u6587"
    run = PublishedRunScenario(name=name, accelerator_hours=1e6, device_power="400 W")
    (energy,) = charts([run.lineage()])
    assert "&lt;b&gt; &amp; $\\frac{1}{0}$ \u4e2d\u6587" in energy.svg
    assert "<b>" not in energy.svg


def test_columns_have_no_point() -> None:
    run = PublishedRunScenario(accelerator_hours=[1e6, 2e6], device_power="400 W")
    assert charts([run.lineage()]) == []


def test_a_long_name_leaves_room_for_the_points() -> None:
    run = Scenarios["BLOOM 176B"].variant(name="word " * 2000)
    rates, _ = charts([run.lineage()])  # what does not fit is a warning, and so an error here
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
