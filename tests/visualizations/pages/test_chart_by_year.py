"""The chart by year: which year a run has, which runs it shows, and when there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runlineage import Fact, Lineage, PublishedRunScenario, Scenarios
from runlineage.visualizations.pages.chart_by_year import MOST_ROWS, OUTLIERS, TITLE, by_year, year_of
from runlineage.visualizations.pages.chart_parts import Chart, standing_alone
from runlineage.visualizations.pages.charts import charts


def drawn(runs: Sequence[Lineage]) -> Chart:
    (chart,) = (each for each in charts(runs) if each.title == TITLE)
    return chart


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
    chart = drawn(RUNS)
    titles = re.findall(r'href="#run-(\d+)"><title>', chart.svg)
    assert titles == ["4", "2", "3", "1"]  # from below: the last year first, in each the smallest first
    assert ">square: counts recomputation (HFU)</text>" in chart.svg


def test_of_many_runs_the_years_share_columns_and_the_outermost_have_their_names() -> None:
    many = [Scenarios[name].lineage() for name in Scenarios]
    chart = drawn(many)
    shown = [run for run in many if "peak_fraction" in run.outputs and year_of(run)]
    assert len(shown) > MOST_ROWS
    assert len(set(re.findall(r'href="#run-(\d+)"', chart.svg))) == len(shown)
    texts = re.findall(r"<text[^>]*>(.*?)</text>", chart.svg)
    fractions = {run.subject: float(run.entries["peak_fraction"].value.magnitude) for run in shown}
    outermost = {min(fractions, key=fractions.__getitem__), max(fractions, key=fractions.__getitem__)}
    assert outermost <= set(texts)
    assert len(set(texts) & fractions.keys()) <= 2 * OUTLIERS


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
