"""How an interval is shown: answers, budgets, verdicts, trees, pictures, pages, cards and lineage files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from runlineage import (
    CatalogError,
    PublishedRunScenario,
    Scenarios,
    card,
    dot,
    html,
    lineage_json,
    mermaid,
    prov_json,
    read_lineage,
    report,
    verdicts,
)
from runlineage.dataflow.exchange.schema import schema
from runlineage.visualizations.command_line.verdicts_command import verdict_text

LLAMA = PublishedRunScenario(name="LLaMA 65B", accelerator_hours="1M ± 10%", device_power="350 to 400 W")
PLAIN = PublishedRunScenario(name="LLaMA 65B", accelerator_hours=1e6, device_power="400 W")
OPTIONS = ("--accelerator-hours", "1022362", "--device-power", "350 to 400 W", "-m", "energy")


def test_show_writes_the_interval_beside_the_value(command: Any) -> None:
    code, out, err = command("show", *OPTIONS)
    assert (code, err) == (0, "")
    assert out == "my run\n  energy  0.383 GWh (0.358 to 0.409)  by power_time\n"


def test_json_has_median_interval_and_budget(command: Any) -> None:
    _, out, _ = command("show", *OPTIONS, "--json")
    energy = json.loads(out)["metrics"]["energy"]
    assert energy["value"] == pytest.approx(0.3825328)
    assert energy["interval"] == {"low": pytest.approx(0.3578267), "high": pytest.approx(0.4089448), "level": 0.9}
    assert energy["budget"] == {"device_power": pytest.approx(1.0)}


def test_the_budget_names_the_fact_that_drives_the_spread_first(command: Any) -> None:
    facts = ("--accelerator-hours", "1M ± 10%", "--device-power", "350 to 400 W", "-m", "energy")
    code, out, _ = command("show", *facts, "--budget")
    assert code == 0
    assert out.splitlines()[-3:] == [
        "  energy",
        "    accelerator_hours   69%  were it known, the interval would be 45% narrower",
        "    device_power        31%  were it known, the interval would be 17% narrower",
    ]
    _, out, _ = command("show", "gpt-3", "achieved_rate", "--budget")
    assert out.endswith("no answer is uncertain: no fact that it rests on is a range\n")


def test_an_option_that_is_no_range_is_refused_in_one_line(command: Any) -> None:
    code, out, err = command("show", "--device-power", "400 to 350 W")
    assert (code, out) == (2, "")
    assert err == "error: my run: device_power: '400 to 350 W' is reversed; write 350 W to 400 W\n"


def test_the_tree_has_an_interval_in_every_uncertain_line() -> None:
    text = str(LLAMA.lineage("energy"))
    assert "energy = 0.374 GWh (0.33 to 0.421)" in text
    assert "─ device_power = 374 W per accelerator (350 to 400)" in text


@pytest.mark.parametrize("write", [dot, mermaid, html])
def test_pictures_and_notebooks_have_it_too(write: Any) -> None:
    lineage = LLAMA.lineage("energy")
    assert "374 W per accelerator (350 to 400)" in write(lineage)
    assert "(350 to 400)" not in write(PLAIN.lineage("energy"))


def test_a_report_has_whiskers_and_bars(tmp_path: Path) -> None:
    other = Scenarios["BLOOM 176B"]
    text = report([LLAMA, other], tmp_path / "a.html").read_text(encoding="utf-8")
    assert "90 % interval" in text
    assert '<progress max="1" value="0.693" aria-label="accelerator hours"></progress> 69% accelerator hours' in text
    assert "<small>0.3303 to 0.4205</small>" in text
    assert "energy%20low" in text
    plain = report([PLAIN, other], tmp_path / "b.html").read_text(encoding="utf-8")
    assert [word for word in ("90 % interval", "<progress", "energy%20low") if word in plain] == []


def test_cards_and_papers_state_the_interval() -> None:
    text = card(LLAMA, "markdown")
    assert "The devices used 0.374 GWh (0.33 to 0.421), without host" in text
    assert "| energy | 0.374 GWh (0.33 to 0.421) |" in text
    emissions = LLAMA.variant(carbon_intensity="400 to 500 g/kWh", pue=1.1)
    assert "tCO2e (" in card(emissions, "latex")


@pytest.mark.parametrize("write", [lineage_json, prov_json])
def test_a_lineage_file_gives_the_same_spread_again(tmp_path: Path, write: Any) -> None:
    case = Scenarios.Gpt3PublishedRun.variant(duration="14 to 16 days", assume={"tdp", "count_duration", "power_draw"})
    file = tmp_path / "lineage.json"
    file.write_text(write(case.lineage()), encoding="utf-8")
    back = read_lineage(file)
    assert lineage_json(back.lineage()) == lineage_json(case.lineage())
    for name, spread in case.results().spreads.items():
        assert back.results().spreads[name].interval == spread.interval


def test_the_schema_describes_files_with_and_without_ranges() -> None:
    validator = jsonschema.Draft202012Validator(schema())
    documents = [json.loads(lineage_json(each.lineage("energy"))) for each in (LLAMA, PLAIN)]
    assert [list(validator.iter_errors(each)) for each in documents] == [[], []]
    with_range, without = ({key for entry in each["runs"][0]["entries"] for key in entry} for each in documents)
    assert with_range - without == {"interval", "budget"}
    assert "low" not in documents[1]["runs"][0]["facts"][0]


@pytest.mark.parametrize("end", ["low", "high"])
def test_an_edited_interval_is_refused_with_its_place(tmp_path: Path, end: str) -> None:
    document = json.loads(lineage_json(LLAMA.lineage("energy")))
    energy = document["runs"][0]["entries"][-1]
    energy["interval"][end] *= 1.1
    file = tmp_path / "lineage.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CatalogError, match=rf"\(energy\): has the {end} end .* of its interval, and its facts give"):
        read_lineage(file)


def test_a_verdict_has_the_probability_of_being_above_the_line() -> None:
    case = PublishedRunScenario(training_ops="9e24 to 1.2e25")
    (verdict,) = verdicts(case, ["EU 1e25"])
    assert verdict.word == "cannot tell"
    assert verdict.probability == pytest.approx(0.6705, abs=0.002)  # a million plain draws give 0.67047
    assert "above it with a probability of 67%" in verdict_text(case, [verdict])
    assert verdict.as_json()["probability"] == verdict.probability


@pytest.mark.parametrize(
    ("work", "word", "shown"), [("2e25 to 3e25", "above", "over 99.9%"), ("1e24 to 3e24", "below", "under 0.1%")]
)
def test_a_line_outside_the_interval_can_be_told(work: str, word: str, shown: str) -> None:
    case = PublishedRunScenario(training_ops=work)
    (verdict,) = verdicts(case, ["EU 1e25"])
    assert verdict.word == word
    assert f"above it with a probability of {shown}" in verdict_text(case, [verdict])


def test_without_ranges_a_verdict_has_no_probability() -> None:
    (verdict,) = verdicts(PublishedRunScenario(training_ops=2e25), ["EU 1e25"])
    assert verdict.probability is None
    assert "probability" not in verdict_text(PublishedRunScenario(training_ops=2e25), [verdict])


def test_solve_writes_the_range_of_the_fact(command: Any) -> None:
    facts = ("--training-ops", "3e23 to 3.3e23", "--accelerator-count", "10,000", "--for", "achieved_rate=50 TFLOP/s")
    code, out, _ = command("solve", "duration", *facts)
    assert code == 0
    assert (
        out.splitlines()[1] == "  duration = 7.283 day (6.945 to 7.638), for achieved_rate = 50 TFLOP/s per accelerator"
    )


def test_a_table_on_the_command_line_takes_the_interval(command: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("accelerator_hours,device_power\n1022362,350 to 400 W\n", encoding="utf-8")
    code, _, err = command("table", str(source), "-o", str(target), "-m", "energy", "--interval")
    assert (code, err) == (0, "")
    head, row = target.read_text(encoding="utf-8").splitlines()
    assert (
        head == "accelerator_hours,device_power,energy (GWh),energy low (GWh),energy high (GWh),energy route,problems"
    )
    assert row == "1022362,350 to 400 W,0.382532832925698,0.3578267,0.4089448,power_time,"
