"""Cards out: grams, kWh and tonnes with their sources, escaped, and read back to the same figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from runlineage import (
    CannotComputeError,
    InputError,
    PublishedRunScenario,
    Scenarios,
    UnknownNameError,
    card,
    lineage_json,
    read_card,
    read_lineage,
)
from runlineage.catalogs.catalog import Sources
from runlineage.visualizations.cards.paper import escape_latex, escape_markdown
from runlineage.visualizations.cards.statement import Statement

LLAMA = PublishedRunScenario(
    name="Llama 3.1 405B",
    accelerator="H100 SXM",
    stage="pre-training",
    accelerator_hours="30.84M",
    device_power="700 W",
    published_emissions="8,930 tCO2e",
)
HOSTILE = "a|b `c` <script>*_\n---\n: #&%$^~{}\\ é \u202e"


def front_matter(text: str) -> dict[str, object]:
    found = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(found, dict)
    return found


def test_tonnes_are_written_in_grams() -> None:
    assert card(LLAMA) == (
        "---\n"
        "co2_eq_emissions:\n"
        "  emissions: 8930000000\n"
        "  source: as given by the caller\n"
        "  training_type: pre-training\n"
        "  hardware_used: NVIDIA H100 SXM5 80GB\n"
        "---\n"
    )


def test_a_location_is_written_as_text_even_where_yaml_would_read_a_truth_value() -> None:
    text = card(LLAMA, location="NO")
    assert "geographical_location: 'NO'" in text
    assert front_matter(text)["co2_eq_emissions"]["geographical_location"] == "NO"  # type: ignore[index]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(card(LLAMA))
    again = read_card(path)
    assert again.facts["published_emissions"].value == LLAMA.inputs.given["published_emissions"]
    assert again.facts["stage"].value == "pre-training"
    assert again.accelerator == LLAMA.accelerator
    assert card(again) == card(LLAMA)


def test_an_existing_card_changes_in_its_one_field() -> None:
    before = "---\nlicense: mit\nco2_eq_emissions: 5 # g\ntags:\n- a\n---\n# Mine\r\n"
    after = card(LLAMA, existing=before)
    assert after.startswith("---\nlicense: mit\nco2_eq_emissions:\n  emissions: 8930000000\n")
    assert after.endswith(" # g\ntags:\n- a\n---\n# Mine\r\n")


def test_without_emissions_there_is_no_card() -> None:
    with pytest.raises(CannotComputeError, match="card of Mine needs location_emissions or published_emissions"):
        card(PublishedRunScenario(name="Mine", accelerator_hours=5))


def test_cyclonedx_has_energy_and_emissions_in_its_own_units() -> None:
    text = card(LLAMA, "cyclonedx")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    model = json.loads(text)["components"][0]
    consumption = model["modelCard"]["considerations"]["environmentalConsiderations"]["energyConsumptions"][0]
    assert consumption["activity"] == "training"
    assert consumption["activityEnergyCost"] == {"value": 21588000, "unit": "kWh"}
    assert consumption["co2CostEquivalent"] == {"value": 8930, "unit": "tCO2eq"}
    assert text == card(LLAMA, "cyclonedx")


def test_cyclonedx_of_a_fine_tuning_without_emissions_is_valid_too() -> None:
    text = card(
        PublishedRunScenario(name=HOSTILE, stage="fine-tuning", accelerator_hours=8, device_power=300), "cyclonedx"
    )
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert '"activity": "fine-tuning"' in text
    assert "co2CostEquivalent" not in text


def test_cyclonedx_needs_energy() -> None:
    with pytest.raises(CannotComputeError, match="cannot compute energy of Mine"):
        card(PublishedRunScenario(name="Mine", published_emissions=5), "cyclonedx")


def test_markdown_has_a_paragraph_a_table_and_the_sources() -> None:
    text = card(Scenarios.Gpt3PublishedRun, "markdown")
    assert text.startswith("Training of GPT-3 175B. The training took 3.14×10²³ flop (by recorded, stated).")
    assert (
        "| achieved rate | 24.5558 TFLOP/s per accelerator | by reference run, derived |  | Brown et al. (2020), "
        in text
    )
    assert "\nSources:\n\n- Brown et al. (2020). Language Models" in text


def test_a_paper_says_assumptions() -> None:
    run = Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"], name="GPT-3")
    text = card(run, "markdown")
    assert "assuming count\\_duration and tdp" in text
    assert re.search(r"\| energy \| [0-9.]+ GWh \| .*\| count\\_duration, tdp \|", text)


def test_latex_cites_by_key_and_its_marks_balance() -> None:
    text = card(Scenarios.Gpt3PublishedRun, "latex")
    assert r"3.14$\times$$10^{23}$ flop" in text
    assert r"\cite{brown2020}, \cite{patterson2021}" in text
    assert text.count(r"\begin{") == text.count(r"\end{") == 1
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {4}
    assert text.count("$") % 2 == 0
    assert "@misc{brown2020,\n" in card(Scenarios.Gpt3PublishedRun, "bibtex")


@pytest.mark.parametrize("to", ["markdown", "latex", "huggingface", "cyclonedx"])
def test_names_from_outside_are_escaped(to: str) -> None:
    text = card(LLAMA.variant(name=HOSTILE), to, location=HOSTILE)
    assert "\u202e" not in text
    if to == "huggingface":
        assert set(front_matter(text)) == {"co2_eq_emissions"}
    if to == "markdown":
        assert "<script>" not in text
        assert len(re.findall(r"^\| ", text, re.MULTILINE)) == text.count("\n| ")


def test_markdown_and_latex_escape_their_marks() -> None:
    assert escape_markdown("a|b `c`\n# *d* <e> [f](g)") == r"a\|b \`c\` \# \*d\* &lt;e&gt; \[f\](g)"
    assert escape_latex("50% a_b & #1 {x} ~^ \\end\n$5") == (
        r"50\% a\_b \& \#1 \{x\} \textasciitilde{}\textasciicircum{} \textbackslash{}end \$5"
    )
    assert escape_latex("×10⁻⁵ m²") == r"$\times$$10^{-5}$ m$^{2}$"


def test_a_column_of_values_is_no_card() -> None:
    run = PublishedRunScenario(name="Mine", published_emissions=[1.0, 2.0])
    with pytest.raises(InputError, match="published_emissions: is a column; a card is of one run: give one value"):
        card(run)


def test_a_run_of_a_lineage_file_cites_the_sources_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "gpt3.json"
    path.write_text(lineage_json(Scenarios.Gpt3PublishedRun.lineage()), encoding="utf-8")
    monkeypatch.setattr(type(Sources), "__contains__", lambda self, name: False)  # a reader without these sources
    run = read_lineage(path)
    assert "Brown et al. (2020), Patterson et al. (2021)" in card(run, "markdown")
    assert "Sources:\n\n- Brown et al. (2020). Language Models" in card(run, "markdown")
    assert r"\cite{brown2020}, \cite{patterson2021}" in card(run, "latex")
    assert "@misc{brown2020,\n" in card(run, "bibtex")
    assert "(Brown et al. (2020)" in Statement(run).why("training_operations")


def test_an_energy_of_whole_servers_stands_for_itself_alone() -> None:
    servers = Scenarios["gpt-3"].variant(
        assume=["count_duration"], name="GPT-3", pue=None, reported_facility_energy=None
    )
    assert "The servers used 1.17216 GWh" in card(servers, "markdown")
    assert "whole servers, without cooling" in card(servers, "cyclonedx")
    assert "The servers" not in card(Scenarios["bloom"], "markdown")
    assert "devices alone" in card(Scenarios["bloom"], "cyclonedx")


def test_a_printed_figure_stands_beside_its_answer() -> None:
    assert "(by reference run, derived, printed 24.6 TFLOP/s per accelerator (agrees))" in card(
        Scenarios["gpt-3"], "markdown"
    )


def test_an_unknown_form_says_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown card 'huging'; the nearest: huggingface; there are"):
        card(LLAMA, "huging")


def test_what_can_be_computed_stands_before_what_is_published() -> None:
    run = Scenarios["llama 65b"]
    fields = front_matter(card(run))["co2_eq_emissions"]
    assert fields["emissions"] == pytest.approx(run.location_emissions.m_as("gCO2e"))
    assert fields["source"].startswith("computed by runlineage from facility_energy × carbon_intensity (")
    bill = card(run, "cyclonedx")
    (consumption,) = json.loads(bill)["components"][0]["modelCard"]["considerations"]["environmentalConsiderations"][
        "energyConsumptions"
    ]
    assert consumption["activityEnergyCost"]["value"] == pytest.approx(run.facility_energy.m_as("kWh*facility"))
    assert "the whole facility, overhead included" in bill
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None


def test_a_paper_says_what_the_facility_used_and_emitted_where_it_can_be_computed() -> None:
    text = card(Scenarios["llama 65b"], "markdown")
    assert "The whole facility used 0.449839 GWh at the facility" in text
    assert "Emissions were 173.188 tCO2e by the grid of the location" in text
    printed = "The whole facility used 1.287 GWh at the facility (stated, as the authors print it)"
    assert printed in card(Scenarios["gpt-3"], "markdown")
    assert "whole facility" not in card(Scenarios["chinchilla"], "markdown")
