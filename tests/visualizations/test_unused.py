"""What was read of a card or file and serves no answer is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from runlineage import Fact, PublishedRunScenario, Scenarios
from runlineage.visualizations.pages.report import page as report_page
from runlineage.visualizations.unused import unused_by_lineage, unused_by_results

CARD = """# A model

- **Hours used:** 1000 GPU hours
- **Carbon Emitted:** 18 t CO2eq
- **Compute Region:** France
"""


@pytest.mark.parametrize("name", ["show", "why"])
def test_a_figure_of_a_card_that_serves_nothing_is_listed(command, name: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text(CARD)
    code, out, _ = command(name, str(tmp_path / "README.md"))
    assert code == 0
    text = " ".join(out.split())
    assert "read and not used accelerator_hours: 1,000 accelerator·hour [" in text
    assert "published_emissions: 18 tCO2e [" in text
    assert "region: FR [" in text


def test_a_figure_that_stands_beside_its_answer_is_used(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text(CARD)
    given = ("--device-power", "400 W", "--pue", "1.1", "--year", "2022")
    code, out, _ = command("show", str(tmp_path / "README.md"), "location_emissions", *given)
    assert code == 0
    assert "printed 18 tCO2e" in " ".join(out.split())
    assert "read and not used" not in out
    assert "not used" not in command("show", str(tmp_path / "README.md"), "--json")[1]


def test_facts_of_the_catalog_and_of_the_caller_are_not_listed() -> None:
    assert unused_by_results(Scenarios["gpt-3"].results()) == ""
    assert unused_by_lineage(Scenarios["gpt-3"].lineage()) == ""
    assert unused_by_results(PublishedRunScenario(price="$2", duration="3 days").results()) == ""


def test_words_that_no_number_rests_on_are_remarks() -> None:
    run = PublishedRunScenario(stage=Fact("fine-tuning", source="a card", place="line 1"))
    assert unused_by_results(run.results()) == ""


def test_a_device_that_gives_the_peak_is_used() -> None:
    device = Fact("H100 SXM", source="a card", place="line 2")
    run = PublishedRunScenario(accelerator=device, training_ops="1e24", accelerator_hours="1M")
    assert unused_by_results(run.results("peak_fraction")) == ""
    assert (
        unused_by_results(run.results("training_operations")) == "  accelerator: NVIDIA H100 SXM5 80GB [a card, line 2]"
    )


def test_a_report_lists_it_too() -> None:
    run = PublishedRunScenario(name="a run", published_emissions=Fact("18 t", source="a card", place="line 3"))
    page = report_page([run.lineage()])
    assert "<h4>Known and not used</h4>" in page
    assert "<li>published emissions: 18 tCO2e (" in page
