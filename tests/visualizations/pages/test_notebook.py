"""Notebook forms: what a run and a lineage show of themselves, and that no cell fails over a picture."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runlineage import Fact, PublishedRunScenario, Result, Scenarios, html, mimebundle, together

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="dot is not installed")
RUN = Scenarios.Gpt3PublishedRun


def test_a_run_shows_its_metrics_with_routes_and_needs() -> None:
    shown = RUN._repr_html_().replace(' style="text-align: left"', "")
    assert "<td>24.5558 TFLOP/s per accelerator</td><td>by reference_run, printed 24.6" in shown
    assert "<td>–</td><td>needs accelerator_hours, device_power, or assume" in shown
    assert shown.count('<th scope="row">') == 4


def test_a_run_shows_markup_in_its_name_as_text() -> None:
    shown = PublishedRunScenario(name="<img src=x onerror=alert(1)>", training_ops="1e23 flop")._repr_html_()
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
    assert "<img" not in shown


def test_results_show_their_routes_and_what_is_missing_and_why() -> None:
    shown = html(RUN.results()).replace(' style="text-align: left"', "")
    assert "<td>0.196446</td><td>of 125 TFLOP/s (precision not stated, device variant assumed)</td>" in shown
    assert '<th scope="row">energy</th><td>–</td><td>needs accelerator_hours, device_power, or assume' in shown


def test_one_result_shows_its_sources() -> None:
    shown = html(RUN.result("achieved_rate"))
    assert "printed 24.6 TFLOP/s per accelerator (agrees)<br>from brown2020, patterson2021" in shown
    assert "<td" in html(RUN.result("energy"))
    assert "from " not in html(RUN.result("energy"))


def test_a_plan_shows_routes_taken_possible_and_closed_with_the_reason() -> None:
    shown = html(RUN.plan(["training_operations", "energy"])).replace(' style="text-align: left"', "")
    assert "<td>recorded (possible: parameter_token)</td>" in shown
    assert '<th scope="row">energy</th><td>none</td><td>' in shown
    assert RUN.plan("energy")._repr_html_() == html(RUN.plan("energy"))
    assert "only route: needs accelerator_hours, device_power</td>" in shown


def test_warnings_are_shown_with_results() -> None:
    run = PublishedRunScenario(training_ops=3e24, accelerator_hours="1M", peak_flops=125)
    assert "<p>Warning: peak_fraction is 6.66667, and no device works above its dense peak" in html(run.results())


def test_a_value_of_a_users_own_cannot_break_out_of_the_page() -> None:
    for value in ("<img src=x>", {"<b>": 1}, "x" * 1000):
        shown = html(Result("own", value, "", None, (), ("<i>",)))
        assert "<img" not in shown
        assert "<b>" not in shown
        assert "<i>" not in shown
        assert len(shown) < 1500


@needs_dot
def test_a_lineage_shows_a_picture_and_text() -> None:
    shown = RUN.lineage()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "image/svg+xml"}
    assert shown["image/svg+xml"].startswith("<?xml")
    assert shown["text/plain"].startswith("training_operations = 3.14×10²³ flop")


def test_without_dot_a_lineage_unfolds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    shown = mimebundle(together(RUN.lineage("achieved_rate"), Scenarios.BloomPublishedRun.lineage("energy")))
    assert set(shown) == {"text/plain", "text/html"}
    assert shown["text/html"].count('<details class="number">') == 2
    assert "Patterson et al. (2021)" in shown["text/html"]


def test_a_broken_dot_fails_no_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dot").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "<details" in RUN.lineage()._repr_mimebundle_()["text/html"]


def test_a_lineage_without_answers_says_what_is_needed() -> None:
    shown = RUN.lineage("energy")._repr_mimebundle_()
    assert shown["text/plain"] == "GPT-3 175B: nothing could be computed"
    assert "cannot be computed: needs accelerator_hours" in shown["text/html"]
    assert "<details" not in html(RUN.lineage("energy"))


def test_what_would_turn_the_text_around_it_or_cannot_be_written_is_dropped() -> None:
    power = Fact("400 W", source="log\ud800", place="turned \u202e round", note="a\x00b")
    text = html(PublishedRunScenario(accelerator_hours=1e6, device_power=power).lineage("energy"))
    assert "<bdi>log </bdi>, turned   round" in text
    assert text.encode()
    assert "a b" in text
