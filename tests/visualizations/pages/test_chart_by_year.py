"""The chart by year: which year a run has, which runs it shows, and when there is none."""

from __future__ import annotations

import re

from runlineage import Fact, PublishedRunScenario, Scenarios
from runlineage.visualizations.pages.chart_by_year import by_year, year_of
from runlineage.visualizations.pages.chart_parts import standing_alone

RUNS = [Scenarios[name].lineage() for name in ("gpt-3", "bloom", "opt-175b", "llama 3.1 405b")]


def test_a_run_is_of_the_year_of_the_earliest_source_that_states_a_fact_of_it() -> None:
    assert [year_of(run) for run in RUNS] == [2020, 2022, 2022, 2024]


def test_a_run_without_a_source_in_the_bibliography_has_no_year() -> None:
    given = {"accelerator_hours": Fact("1e6 hours", source="a note of mine"), "accelerator": "A100 SXM4 80GB"}
    mine = PublishedRunScenario(training_ops="1e23 flop", **given).lineage()
    assert "peak_fraction" in mine.outputs
    assert year_of(mine) is None
    chart = by_year([*RUNS, mine])
    assert chart is not None
    assert "4 of 5 runs" in chart.caption


def test_runs_stand_in_the_order_of_their_years_and_the_squares_count_recomputation() -> None:
    chart = by_year(RUNS)
    assert chart is not None
    titles = re.findall(r'href="#run-(\d+)"><title>', chart.svg)
    assert titles == ["4", "2", "3", "1"]  # from below: the last year first, in each the smallest first
    assert "Square: counts recomputation (HFU)." in chart.caption


def test_one_year_alone_makes_no_chart() -> None:
    assert by_year(RUNS[:1]) is None
    assert by_year([]) is None


def test_a_chart_that_stands_alone_leads_nowhere_and_follows_light_and_dark() -> None:
    chart = by_year(RUNS)
    assert chart is not None
    text = standing_alone(chart)
    assert "href=" not in text.replace("xlink:href", "")
    assert "prefers-color-scheme: dark" in text
    assert "<title>Llama 3.1 405B: 0.3451</title>" in text
