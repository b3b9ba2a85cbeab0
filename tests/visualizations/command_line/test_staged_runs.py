"""A run of stages through every command: answers, lineage, pictures, pages, refusals, and one stage by RUN#STAGE."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runlineage import html, read_run, report, together
from runlineage.dataflow.runs.staged import StagedRun
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.mermaid import mermaid
from runlineage.visualizations.pictures.routes_dot import routes_dot
from runlineage.visualizations.printed_figures import printed_figures

CHECKOUT = Path(__file__).parents[3]
FILE = str(CHECKOUT / "examples" / "deepseek_v3.toml")


def words(text: str) -> str:
    return " ".join(text.split())


def test_show_adds_the_hours_of_deepseek_v3_up(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", FILE, "--assume", "tdp")
    assert (code, err) == (0, "")
    shown = words(out)
    assert (
        "accelerator_hours 2,788,000 accelerator·hour by stages, printed 2,788,000 accelerator·hour (agrees)" in shown
    )
    assert (
        "training_operations – needs recorded work (training_ops) or training_tokens in context extension and" in shown
    )
    assert "achieved_rate – does not add up over stages: ask one, as RUN#pre-training" in shown
    assert 'energy 1.9516 GWh by stages, assuming "tdp"' in shown  # 2.788e6 h × 700 W


def test_show_adds_the_printed_cost_up(command) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command("show", FILE, "training_cost")
    assert "training_cost 5,576,000 USD by stages, printed 5,576,000 USD (agrees)" in words(out)


def test_show_of_one_stage_has_its_rate(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("show", f"{FILE}#pretraining", "achieved_rate")
    assert code == 0
    assert out.startswith("pre-training of DeepSeek-V3\n  achieved_rate  342.593 TFLOP/s per accelerator")


def test_what_no_total_is_ends_with_code_1_and_the_stages(command) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("show", FILE, "mfu")
    assert code == 1
    assert "RUN#pre-training or RUN#context extension or RUN#post-training" in err
    code, _, err = command("show", FILE, "training_operations")
    assert code == 1
    assert "  context extension and post-training:\n" in err


def test_json_has_the_route_and_the_figure_of_the_whole(command) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command("show", FILE, "accelerator_hours", "achieved_rate", "--json")
    metrics = json.loads(out)["metrics"]
    assert metrics["accelerator_hours"] == {
        "value": 2788000.0,
        "unit": "accelerator*hour",
        "route": "stages",
        "assumes": [],
        "interval": None,
        "budget": None,
        "problem": None,
        "published": {
            "fact": "accelerator_hours",
            "value": 2788000.0,
            "unit": "accelerator*hour",
            "difference": 0.0,
        },
    }
    assert metrics["achieved_rate"]["problem"].startswith("does not add up over stages")


def test_options_change_what_the_stages_share(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("show", FILE, "energy", "--device-power", "350 W")
    assert code == 0
    assert "energy  0.9758 GWh  by stages" in out
    code, _, err = command("show", FILE, "energy", "--mfu", "0.4")
    assert code == 2
    assert "mfu: does not add up over stages, and is of one of them; give it in the stage that it is of" in err


def test_a_sum_beside_another_figure_is_warned_of(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", FILE, "accelerator_hours", "--accelerator-hours", "3M")
    assert code == 0
    assert "printed 3,000,000 accelerator·hour (this is 7.1% less)" in words(out)
    assert "warning: accelerator_hours of the stages is 2,788,000 accelerator·hour, 7.1% less than" in err


def test_why_shows_the_stages_and_one_stage(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("why", FILE, "accelerator_hours")
    assert code == 0
    assert "├─ accelerator_hours of context extension = 119,000 accelerator·hour" in out
    assert "accelerator_hours: 2,788,000 accelerator·hour [deepseek_v3, Table 1]; the answer agrees" in words(out)
    code, out, _ = command("why", f"{FILE}#post-training", "accelerator_hours")
    assert code == 0
    assert "accelerator_hours = 5,000 accelerator·hour" in out


def test_a_lineage_file_is_shown_again_whole_and_by_stage(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for form in ("--json", "--prov"):
        _, out, _ = command("why", FILE, "energy", "--assume", "tdp", form)
        (tmp_path / "again.json").write_text(out)
        assert "energy  1.9516 GWh  by stages" in command("show", str(tmp_path / "again.json"), "energy")[1]
        _, out, _ = command("show", f"{tmp_path / 'again.json'}#post-training", "energy")
        assert "energy  0.0035 GWh  by power_time" in out


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("solve", "duration", FILE, "--for", "peak_fraction=0.4"), "solving for a fact is of one"),
        (("card", FILE), "a card is of one"),
    ],
)
def test_what_is_of_one_stage_is_refused_with_how_to_ask(command, arguments: tuple[str, ...], what: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert f"and {what}; name one: RUN#pre-training" in err


def test_verdicts_take_the_sum_or_say_what_is_missing(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("verdicts", FILE, "--threshold", "EU 1e25", "--training-ops", "3.4e24")
    assert code == 0
    assert "below" in out
    _, out, _ = command("verdicts", FILE, "--threshold", "EU 1e25")
    assert "training_operations needs recorded work (training_ops) or training_tokens in context extension" in words(
        out
    )
    _, out, _ = command("verdicts", f"{FILE}#pre-training", "--threshold", "EU 1e25")
    assert "of pre-training alone: work on the model after it is not in this number" in words(out)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (f"{FILE}#rl", "unknown stage 'rl'; the stages of DeepSeek-V3 are pre-training, context extension, post-train"),
        ("gpt-3#tuning", "RUN: names the stage 'tuning', and GPT-3 175B has no stages; leave it out, with its #"),
    ],
)
def test_a_stage_that_is_not_there_is_refused(command, run: str, message: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", run)
    assert (code, out) == (2, "")
    assert message in err


def test_an_amount_may_be_asked_of_any_run(command) -> None:  # type: ignore[no-untyped-def]
    assert "accelerator_hours  1,082,990 accelerator·hour" in command("show", "bloom", "accelerator_hours")[1]
    assert "'accelerator_hour' is unknown" in command("show", "bloom", "accelerator_hour")[2]


@pytest.fixture
def run() -> StagedRun:
    run = read_run(FILE)
    assert isinstance(run, StagedRun)
    return run.variant(assume={"tdp"}, name="DeepSeek-V3")


def test_pictures_tell_the_stages_apart(run: StagedRun) -> None:
    lineage = run.lineage("energy")
    for text in (dot(lineage), mermaid(lineage)):
        assert "<b>energy of pre-training</b>" in text
        assert "<b>energy</b>" in text
    assert '"energy of post-training" -> "energy";' in dot(lineage)
    assert '"energy of post-training" -> "energy by stages"' in routes_dot(lineage)
    beside = dot(together(lineage, read_run(FILE).variant(accelerator="B200", assume={"tdp"}).lineage("energy")))
    assert beside.count("<b>energy of post-training</b>") == 2
    assert '"energy of post-training of DeepSeek-V3" -> "energy of DeepSeek-V3";' in beside


def test_draw_and_report_take_a_run_of_stages(command, tmp_path: Path, run: StagedRun) -> None:  # type: ignore[no-untyped-def]
    code, _, _ = command("draw", FILE, "accelerator_hours", "-o", str(tmp_path / "a.dot"))
    assert code == 0
    assert "accelerator_hours of pre-training" in (tmp_path / "a.dot").read_text()
    code, _, _ = command("report", FILE, "gpt-3", "--assume", "tdp", "-o", str(tmp_path / "a.html"))
    assert code == 0
    page = (tmp_path / "a.html").read_text()
    assert "energy of post-training" in page
    assert "achieved rate does not add up over stages: ask one, as RUN#pre-training" in page
    assert report(run, tmp_path / "b.html", metrics="training_cost").read_text().count("training_cost of post-training")
    assert "1.9516 GWh" in html(run)


def test_results_and_lineage_say_the_same_of_the_figure_of_the_whole(run: StagedRun) -> None:
    changed = run.variant(reported_energy="1.82 GWh", training_ops=3.4e24)
    asked = ("accelerator_hours", "training_cost", "energy", "training_operations")
    results, lineage = changed.trace(asked)
    figures = printed_figures(lineage)
    for metric in results.plan.reached:
        assert results.result(metric).printed == figures.get(metric)
    assert str(figures["energy"]) == "printed 1.82 GWh (this is 7.2% more)"


def test_what_a_file_states_and_no_total_uses_is_told(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "run.toml"
    path.write_text(
        'name = "mine"\n[[stage]]\nname = "a"\nenergy = "1 GWh"\n'
        'duration = { value = "3 days", source = "our log", place = "page 2" }\n'
    )
    for name in ("show", "why"):
        assert "duration of a: 3 day [our log, page 2]" in command(name, str(path), "energy")[1]
