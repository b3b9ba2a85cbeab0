"""What authors print beside what is computed: tree, pictures, page, with the difference."""

from __future__ import annotations

import pytest

from runlineage import Fact, PublishedRunScenario, Scenarios, html, together
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.mermaid import mermaid
from runlineage.visualizations.printed_figures import comparison, printed_figure, printed_figures
from runlineage.visualizations.tree import reported_facts, tree

RUN = PublishedRunScenario(
    name="a run",
    accelerator_hours="1M",
    device_power="400 W",
    pue=1.1,
    carbon_intensity="400 g/kWh",
    published_emissions=Fact("30 t", source="a card", place="line 3"),
)  # 176 t by its facts


def test_a_figure_that_the_facts_contradict_is_shown_with_the_difference_in_every_form() -> None:
    lineage = RUN.lineage("location_emissions")
    said = "printed 30 tCO2e (this is 5.87 times as much)"
    assert f"  {said}\n" in tree(lineage)
    assert said in dot(lineage)
    assert said in mermaid(lineage)
    assert f'<span class="route">; {said}</span>' in html(lineage)
    assert "published_emissions: 30 tCO2e [a card, line 3]; the answer is 5.87 times as much" in " ".join(
        reported_facts(lineage).split()
    )


def test_a_figure_that_agrees_says_so() -> None:
    lineage = Scenarios["llama 65b"].lineage("location_emissions")
    assert "printed 173 tCO2e (agrees)" in tree(lineage)
    assert "173 tCO2e [touvron2023, Table 15]; the answer agrees: Hours" in " ".join(reported_facts(lineage).split())


def test_without_an_answer_nothing_is_compared() -> None:
    lineage = Scenarios["gpt-3"].lineage("location_emissions")
    assert printed_figures(lineage) == {}
    assert printed_figure(lineage, "published_emissions") is None
    assert comparison(None) == ""
    assert "the answer" not in reported_facts(lineage)


def test_side_by_side_each_run_keeps_its_own_figure() -> None:
    both = together(RUN.lineage("location_emissions"), Scenarios["llama 65b"].lineage("location_emissions"))
    assert {name: str(printed) for name, printed in printed_figures(both).items()} == {
        "location_emissions of a run": "printed 30 tCO2e (this is 5.87 times as much)",
        "location_emissions of LLaMA 65B": "printed 173 tCO2e (agrees)",
        "facility_energy of LLaMA 65B": "printed 449 MWh at the facility (agrees)",
    }
    assert dot(both).count("printed ") == mermaid(both).count("printed ") == 3


@pytest.mark.parametrize("name", Scenarios)
def test_results_and_lineage_say_the_same(name: str) -> None:
    asked = ("achieved_rate", "energy", "facility_energy", "location_emissions")
    results, figures = Scenarios[name].results(asked), printed_figures(Scenarios[name].lineage(asked))
    for metric in results.plan.reached:
        assert str(results.result(metric).printed) == str(figures.get(metric))
