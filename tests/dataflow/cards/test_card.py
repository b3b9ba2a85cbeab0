"""Model cards as runs: what is read with its place, what is withheld with its reason, and what is refused."""

from __future__ import annotations

import contextlib
import json
import os
import time
import warnings
from pathlib import Path

import pytest

from runlineage import CannotComputeError, CatalogError, PublishedRunScenario, RunlineageWarning, read_card

TABLE = """
| | Training Time (GPU hours) | Training Power Consumption (W) | {location} | {market} |
|---|---|---|---|---|
| Tiny 1B | 370k | 700 | 107 | 0 |
| Tiny 3B | 460k | 700 | 133 | 0 |
| Total | 830k | | 240 | 0 |
""".format(
    location="Training Location-Based Greenhouse Gas Emissions (tons CO2eq)",
    market="Training Market-Based Greenhouse Gas Emissions (tons CO2eq)",
)
HEAD = """---
license: mit
model_name: Tiny
co2_eq_emissions:
  emissions: 107000000
  source: our meter
  training_type: pretraining
  hardware_used: A100-SXM4-40GB
---
"""


def write(folder: Path, text: str | bytes, name: str = "README.md") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def quiet(path: Path, model: str = "") -> tuple[PublishedRunScenario, list[str]]:
    """Read a card, and give what it warned of beside it."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run = read_card(path, model)
    assert all(each.category is RunlineageWarning for each in seen)
    return run, [str(each.message).removeprefix(f"{path}: ") for each in seen]


def message(path: Path, model: str = "") -> str:
    with pytest.raises(CatalogError) as caught:
        read_card(path, model)
    return str(caught.value).replace(str(path), "FILE")


def test_a_head_gives_emissions_stage_and_device_with_their_lines(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD)
    run = read_card(path)
    assert run.name == "Tiny"
    emitted = run.facts["published_emissions"]
    assert emitted.value.m_as("tCO2e") == pytest.approx(107)
    assert (emitted.source, emitted.place) == (str(path), "line 5, co2_eq_emissions.emissions")
    assert emitted.note == "its own source: our meter"
    assert run.facts["stage"].value == "pre-training"
    assert run.accelerator is not None
    assert run.accelerator.key == "A100_SXM4_40GB"


def test_a_plain_number_is_in_grams(tmp_path: Path) -> None:
    run = read_card(write(tmp_path, "---\nco2_eq_emissions: 25.5\n---\n"))
    assert run.facts["published_emissions"].value.m_as("gCO2e") == 25.5


def test_a_row_gives_time_power_and_emissions(tmp_path: Path) -> None:
    path = write(tmp_path, f"# Tiny\n{TABLE}\nWe used H100 boards (TDP of 700W).\n")
    run, said = quiet(path, "tiny 3b")
    assert run.name == "Tiny 3B"
    assert run.energy.m_as("MWh") == pytest.approx(460e3 * 700 / 1e6)
    emitted = run.facts["published_emissions"]
    assert emitted.value.m_as("tCO2e") == 133
    assert emitted.place.startswith("line 6, Training Location-Based")
    assert emitted.note == "tons are read as metric tonnes"
    assert run.inputs.words["power_basis"] == "tdp"
    assert len(said) == 1
    assert "'0' (line 6, Training Market-Based" in said[0]
    assert "never netted with location" in said[0]


def test_several_rows_are_never_added_up(tmp_path: Path) -> None:
    path = write(tmp_path, TABLE)
    assert message(path) == (
        "FILE, line 4: has figures of 2 models: Tiny 1B, Tiny 3B; name one, "
        'by model="…" or `--model "Tiny 1B"`; they are never added up'
    )
    assert message(path, "Tiny 7B") == "FILE, line 4: has no figures of 'Tiny 7B'; it has those of Tiny 1B, Tiny 3B"


def test_the_row_of_the_name_in_the_head_is_taken(tmp_path: Path) -> None:
    run, _ = quiet(write(tmp_path, f"---\nmodel_name: Tiny-1B\n---\n{TABLE}"))
    assert run.name == "Tiny 1B"


def test_a_size_is_found_by_the_name_of_the_row_and_a_bound_is_withheld(tmp_path: Path) -> None:
    sizes = "| | Params | Token count |\n|-|-|-|\n| Tiny (text) | 1B | 9T+ |\n| Tiny (text) | 3B | 12T |\n"
    run, said = quiet(write(tmp_path, sizes + TABLE), "Tiny 1B")
    assert run.facts["parameters"].value.magnitude == 1e9
    assert run.facts["training_tokens"].value is None
    assert run.facts["training_tokens"].beside[0].value == "9T+"
    assert "'9T+' (line 3, Token count): a bound or an estimate, not the figure itself" in said[0]
    other, _ = quiet(tmp_path / "README.md", "Tiny 3B")
    assert other.training_operations.magnitude == pytest.approx(6 * 3e9 * 12e12)


def test_a_cell_of_words_is_withheld_and_a_negative_one_refused(tmp_path: Path) -> None:
    table = "| | Training Time (GPU hours) |\n|-|-|\n| Tiny | {} |\n"
    run, said = quiet(write(tmp_path, table.format("stage 1: 147K H100 hours, stage 2: 98K")))
    assert run.facts["accelerator_hours"].value is None
    assert "does not start with a plain number" in said[0]
    assert message(write(tmp_path, table.format("-5"))).startswith(
        "FILE, line 3, Training Time (GPU hours): '-5' is not"
    )


def test_the_lines_of_the_template_are_used_where_they_are_certain(tmp_path: Path) -> None:
    text = "- **Hardware Type:** Z900\n- **Hours used:** 120\n- **Cloud Provider:** X\n- **Compute Region:** north\n"
    run, said = quiet(write(tmp_path, text + "- **Carbon Emitted:** 12\n"))
    assert run.inputs.given == {}
    assert len(said) == 1
    for part in (
        "'Z900' (line 1, Hardware Type): unknown accelerator 'Z900'",
        "'120' (line 2, Hours used): the card does not state whether wall-clock or accelerator hours",
        "Cloud Provider (line 3",
        "line 4, Compute Region: unknown region 'north'; the nearest: Norway",
        "'12' (line 5, Carbon Emitted): the card does not state the unit; the hub's template asks for grams",
    ):
        assert part in said[0]


def test_a_known_region_is_taken_and_gives_no_intensity_without_a_year(tmp_path: Path) -> None:
    head = "---\nco2_eq_emissions:\n  emissions: 5\n  geographical_location: France\n---\n"
    run, _ = quiet(write(tmp_path, head))
    assert (run.inputs.words["region"], run.facts["region"].place) == (
        "FR",
        "line 4, co2_eq_emissions.geographical_location",
    )
    assert "carbon_intensity" not in run.inputs.given
    assert run.variant(year=2022).inputs.given["carbon_intensity"].m_as("gCO2e/kWh/facility") == 78.55


def test_an_unknown_region_is_said_and_left_out(tmp_path: Path) -> None:
    head = "---\nco2_eq_emissions:\n  emissions: 5\n  geographical_location: Atlantis\n---\n"
    run, said = quiet(write(tmp_path, head))
    assert "region" not in run.inputs.words
    assert "line 4, co2_eq_emissions.geographical_location: unknown region 'Atlantis'" in said[0]


def test_hours_of_devices_and_a_mass_with_its_unit_are_certain(tmp_path: Path) -> None:
    run = read_card(write(tmp_path, "Hours used: 120 GPU hours\n\nCarbon Emitted: 1,200 kg CO2eq\n"))
    assert run.inputs.given["accelerator_hours"].m_as("accelerator*hour") == 120
    assert run.facts["published_emissions"].value.m_as("tCO2e") == pytest.approx(1.2)


def test_tonnes_given_as_grams_are_doubted(tmp_path: Path) -> None:
    table = "| | Training Time (GPU hours) |\n|-|-|\n| Tiny | 370k |\n"
    _, said = quiet(write(tmp_path, f"---\nco2_eq_emissions: 107\n---\n{table}"))
    assert said == ["co2_eq_emissions of 107 g are too few for this run: it counts in grams; were tonnes meant?"]
    _, said = quiet(write(tmp_path, "---\nco2_eq_emissions: 107000000000000\n---\n"))
    assert said[0].endswith("are over a million tonnes: check the unit, which is grams")


def test_figures_that_differ_are_not_used_and_those_that_agree_are(tmp_path: Path) -> None:
    agree, said = quiet(write(tmp_path, HEAD.replace("Tiny", "Tiny 1B") + TABLE))
    assert agree.facts["published_emissions"].value.m_as("tCO2e") == pytest.approx(107)
    assert not any("differ" in each for each in said)
    differ, said = quiet(write(tmp_path, HEAD.replace("Tiny", "Tiny 3B") + TABLE))
    assert differ.facts["published_emissions"].value is None
    assert any("published_emissions is published as" in each and "neither is used" in each for each in said)


def test_a_folder_gives_the_exact_count_and_the_card_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "gpt2"
    folder.mkdir()
    sizes = {"n_embd": 768, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257, "tie_word_embeddings": True}
    write(folder, json.dumps({"architectures": ["GPT2LMHeadModel"], **sizes}), "config.json")
    alone = read_card(folder)
    assert alone.name == "gpt2"
    write(folder, "| | Params | Tokens |\n|-|-|-|\n| GPT-2 | 124M | 9B |\n")
    run = read_card(folder)
    assert run.facts["parameters"].value.magnitude == 124_439_808
    assert run.facts["parameters"].beside[0].reason == "agrees, to fewer digits"
    assert run.training_operations.magnitude == pytest.approx(6 * 124_439_808 * 9e9)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("co2_eq_emissions: 8,930 t", "FILE, line 2, co2_eq_emissions: is '8,930 t'; expected a plain number of grams"),
        ("co2_eq_emissions: true", "is True; expected a plain number of grams"),
        ("co2_eq_emissions: -5", "FILE, line 2, co2_eq_emissions: is -5; expected a number above zero"),
        ("co2_eq_emissions: .nan", "is nan; expected a number above zero"),
        ("co2_eq_emissions:\n  source: x", "FILE, line 2, co2_eq_emissions: has no emissions; add them in grams"),
        (
            "co2_eq_emissions:\n  emissions: 5\n  geographical_location: 5",
            "FILE, line 4, co2_eq_emissions.geographical_location: is 5; expected text; put it in quotes",
        ),
        ("co2_eq_emissions: 1:30:00", "is '1:30:00'; expected a plain number of grams"),
        ("co2_eq_emissions:\n  emissions: 5\n  emissions: 6", "FILE, line 4: 'emissions' appears twice; keep one"),
        ("model_name: 5", "FILE, line 2, model_name: is 5; expected text; put it in quotes"),
        ("co2_eq_emissions: !!python/name:os.system x", "asks for an object of Python to be made"),
    ],
)
def test_a_field_of_the_wrong_type_is_refused(tmp_path: Path, head: str, said: str) -> None:
    assert said in message(write(tmp_path, f"---\n{head}\n---\n"))


def test_all_faults_are_said_at_once(tmp_path: Path) -> None:
    said = message(write(tmp_path, f"---\nmodel_name: 5\nco2_eq_emissions: x\n---\n{TABLE}"))
    assert said.startswith("3 faults")


def test_what_is_no_card_is_refused(tmp_path: Path) -> None:
    assert message(tmp_path) == "FILE: holds neither README.md nor config.json; name a folder with one of them"
    assert message(tmp_path / "none.md") == "FILE: cannot be read: No such file or directory"
    assert message(write(tmp_path, b"\x00\x01")) == "FILE: is no text file; name a card in Markdown"
    assert message(write(tmp_path, b"\xff\xfe")) == "FILE: is not UTF-8 at byte 0; save it as UTF-8"
    assert message(write(tmp_path, "x" * 2_000_001)) == "FILE: is over the limit of 2,000,000 bytes; split it"
    os.mkfifo(tmp_path / "pipe.md")
    assert message(tmp_path / "pipe.md") == "FILE: is no ordinary file; name a file on disk"


FIGURES = "- **Hardware Type:** TPU v3\n- **Hours used:** {} TPU hours\n- **Carbon Emitted:** {} kg\n"
DATA = "| Source | Tokens |\n|-|-|\n| Encyclopedia | 4.4B |\n| Web | 800B |\n| Total | 804.4B |\n"
CALLS = "| Function | Parameters | Returns |\n|-|-|-|\n| encode | text, lang | list |\n"


@pytest.mark.parametrize("table", [DATA, CALLS, "| Baseline | Parameters |\n|-|-|\n| Other 7B | 6.7B |\n"])
def test_a_table_of_other_things_spoils_nothing_else(tmp_path: Path, table: str) -> None:
    head = "---\nco2_eq_emissions:\n  emissions: 8000000\n---\n"
    run, said = quiet(write(tmp_path, f"{head}# Mine 7B\n\n{table}"))
    assert run.name == "Mine 7B"
    assert set(run.facts) == {"published_emissions"}
    kept = [] if table == CALLS else ["seen and not used: line 7"]
    assert [each.partition(": a table by ")[0] for each in said] == kept


def test_where_nothing_was_read_that_is_said(tmp_path: Path) -> None:
    hidden = "<!-- Hours used: 5 GPU hours -->\n\n```\nCarbon Emitted: 5 kg\n```\n"
    for text in ("", "# Mine\n\nprose: none\n", hidden, "---\nlicense: mit\n---\n"):
        run, said = quiet(write(tmp_path, text))
        assert run.facts == {}
        assert [each.partition(";")[0] for each in said] == ["no fact was read from this file"]


def test_two_sections_of_one_kind_are_two_models(tmp_path: Path) -> None:
    path = write(tmp_path, f"# Family\n### Mini\n{FIGURES.format(288, 30)}### Mega\n{FIGURES.format(138_240, 18_013)}")
    assert message(path).startswith("FILE, line 3: has figures of 2 models: Mini, Mega; name one")
    for model in ("Mega", "mega"):
        run, _ = quiet(path, model)
        assert run.name == "Mega"
        assert run.facts["accelerator_hours"].value.m_as("accelerator*hour") == 138_240
        assert run.facts["published_emissions"].place == "line 9, Carbon Emitted"
    assert message(path, "Milli") == "FILE, line 3: has no figures of 'Milli'; it has those of Mini, Mega"


def test_what_several_sections_share_is_of_each(tmp_path: Path) -> None:
    text = "- **Compute Region:** France\n## Mini\nHours used: 5 GPU hours\n## Mega\nHours used: 9 GPU hours\n"
    run, _ = quiet(write(tmp_path, text), "Mini")
    assert (run.inputs.words["region"], run.inputs.given["accelerator_hours"].magnitude) == ("FR", 5)


@pytest.mark.parametrize(
    ("label", "kilograms"),
    [
        (
            "Carbon Emitted (Power consumption x Time x Carbon produced by the location):** 11250 kg",
            11250,
        ),
        ("Carbon Emitted:** 11250 kg CO2 eq.", 11250),
        ("Carbon Emitted:** 11,250 kgCO2eq", 11250),
        ("Carbon emitted** : 1.2 metric tons of CO2eq", 1200),
        ("Carbon Emitted (tCO2eq):** 1.2", 1200),
        ("Carbon Emitted:** 18t CO2eq", 18000),
        ("Carbon Emitted:** Carbon Emitted (Power x Time): 500 g CO2 eq.", 0.5),
        ("Carbon Emitted:** (Power x Time): 500 g CO2 eq.", 0.5),
        ("Carbon Emitted:** `0.5 kg CO₂eq`", 0.5),
    ],
)
def test_emissions_are_read_as_calculators_write_them(tmp_path: Path, label: str, kilograms: float) -> None:
    run, _ = quiet(write(tmp_path, f"- **{label}\n"))
    assert run.facts["published_emissions"].value.m_as("kgCO2e") == pytest.approx(kilograms)


@pytest.mark.parametrize("label", ["~12 kg", "<1 kg", "about 5 kg", "0", "-", "$", "12 kg CO2", "see below", "[TBD]"])
def test_emissions_that_are_no_plain_mass_are_not_used(tmp_path: Path, label: str) -> None:
    run, said = quiet(write(tmp_path, f"Carbon Emitted: {label}\n"))
    assert "published_emissions" not in run.inputs.given
    assert len(said) == 1


def test_head_and_body_that_differ_are_both_said_and_neither_used(tmp_path: Path) -> None:
    run, said = quiet(write(tmp_path, "---\nco2_eq_emissions: 7540\n---\nCarbon Emitted: 30.16 kg CO2eq\n"))
    assert run.facts["published_emissions"].value is None
    assert said == [
        "published_emissions is published as 7,540 gCO2e (line 2, co2_eq_emissions) and 30.16 kgCO2e (line 4, Carbon "
        "Emitted), which differ: neither is used"
    ]


def test_a_table_of_keys_gives_sizes_and_links_leave_the_name(tmp_path: Path) -> None:
    table = "| Hyperparameter | Value |\n|-|-|\n| n_parameters | 6.7B |\n| Training tokens | 1T |\n"
    run, said = quiet(write(tmp_path, f"# Model Card for [Mine](https://example.org)\n\n{table}"))
    assert (run.name, said) == ("Mine", [])
    assert run.training_operations.magnitude == pytest.approx(6 * 6.7e9 * 1e12)
    small, said = quiet(write(tmp_path, table.replace("6.7B", "6.7")))
    assert small.facts["parameters"].value is None
    assert "'6.7' (line 3, n_parameters): too few to be a count, and no unit is stated" in said[0]


def test_the_unit_of_a_heading_is_that_of_its_plain_numbers(tmp_path: Path) -> None:
    table = "| Model | Params (B) | Training tokens (T) | Power Consumption (kW) | GPU hours |\n|-|-|-|-|-|\n"
    run, said = quiet(write(tmp_path, f"{table}| Mine | 7 | 1.5 | 0.7 | 1,000 |\n"))
    given = run.inputs.given
    assert said == []
    assert (given["parameters"].magnitude, given["training_tokens"].magnitude) == (7e9, 1.5e12)
    assert given["device_power"].m_as("W/accelerator") == 700
    run, _ = quiet(write(tmp_path, f"{table}| Mine | 7M | 1.5T | 700 W | 2k |\n"))
    assert run.inputs.given["parameters"].magnitude == 7e6


@pytest.mark.parametrize(
    ("text", "key", "count"),
    [("512 H100-80G", "NVIDIA_H100_80GB", 512), ("8 v100 GPUs", "NVIDIA_V100", 8), ("TPU v3-8", "TPU_v3", 4)],
)
def test_hardware_gives_device_and_count(tmp_path: Path, text: str, key: str, count: int) -> None:
    for card in (f"Hardware Type: {text}\n", f"---\nco2_eq_emissions: {{emissions: 5, hardware_used: {text}}}\n---\n"):
        run, _ = quiet(write(tmp_path, card))
        assert run.accelerator is not None
        assert (run.accelerator.key, run.inputs.given["accelerator_count"].magnitude) == (key, count)


def test_an_exact_name_wins_and_a_near_one_is_not_taken(tmp_path: Path) -> None:
    table = "| Model | GPU hours |\n|-|-|\n| {} | 5 |\n| {} | 6 |\n"
    path = write(tmp_path, table.format("1.3B", "13B"))
    assert quiet(path, "13B")[0].name == "13B"
    path = write(tmp_path, table.format("12B", "6.9B"))
    for model in ("2B", "9B", "6", "B"):
        assert f"has no figures of '{model}'; it has those of 12B, 6.9B" in message(path, model)
    assert message(write(tmp_path, "# Mine\n"), "Other") == (
        "FILE: has no figures of 'Other'; it is of Mine; leave the model out"
    )


def test_a_mixture_of_experts_is_sparse_so_that_its_total_never_serves(tmp_path: Path) -> None:
    card = "- **Architecture:** Mixture of 8 Experts (MoE)\n- **Parameters:** 314B\n- **Training tokens:** 1T\n"
    run, _ = quiet(write(tmp_path, card))
    assert run.inputs.words["sparse"] is True
    with pytest.raises(CannotComputeError, match="active_parameters"):
        _ = run.training_operations


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "| Key | Value |\n|-|-|\n| Parameters | 7B |\n| Trainable params | 4.2M |\n",
            "4,200,000 weights were trained (line 4",
        ),
        ("- LoRA parameters: 4.2M\n", "4,200,000 weights were trained (line 1, LoRA parameters), and not the whole"),
        ("---\nlibrary_name: peft\n---\n- Parameters: 7B\n", "an adapter was trained (line 2, library_name): 6 N D"),
        ("---\nbase_model_relation: adapter\n---\n- Parameters: 7B\n", "an adapter was trained (line 2, base_model"),
        ("- Parameters: 7B\n- Trainable parameters: 6.9B\n", ""),
    ],
)
def test_where_only_some_weights_were_trained_that_is_said(tmp_path: Path, text: str, said: str) -> None:
    _, warned = quiet(write(tmp_path, text))
    assert warned[0].startswith(said) if said else warned == [], warned


def test_a_size_printed_to_fewer_digits_agrees_and_the_exact_one_is_used(tmp_path: Path) -> None:
    text = "## Details\n- Parameters: 7B\n\n## Architecture\n| Key | Value |\n|-|-|\n| Parameters | {} |\n"
    run, said = quiet(write(tmp_path, text.format("6,738,415,616")))
    assert (run.inputs.given["parameters"].magnitude, said) == (6_738_415_616, [])
    assert run.facts["parameters"].beside[0].reason == "agrees, to fewer digits"
    assert "has figures of 2 models: Details, Architecture" in message(write(tmp_path, text.format("13B")))


def test_emissions_below_those_of_any_grid_are_doubted(tmp_path: Path) -> None:
    _, said = quiet(write(tmp_path, TABLE.replace("| 107 |", "| 0.5 |")), "Tiny 1B")
    assert said[0] == (
        "published_emissions of 0.5 tCO2e are 1.9 g for each kWh of the devices, fewer than any grid's: check the unit"
    )


def test_a_file_and_its_model_are_named_in_one(tmp_path: Path) -> None:
    path = write(tmp_path, TABLE)
    assert quiet(Path(f"{path}#Tiny 3B"))[0].name == "Tiny 3B"
    assert quiet(Path(f"{tmp_path}#Tiny 3B"))[0].name == "Tiny 3B"
    odd = write(tmp_path, TABLE.replace("| Tiny 3B | 460k | 700 | 133 | 0 |\n", ""), "a#b.md")
    assert quiet(odd)[0].name == "Tiny 1B"


@pytest.mark.parametrize("config", [{"architectures": ["MambaForCausalLM"]}, {}, {"architectures": ["OPTForCausalLM"]}])
def test_a_card_beside_a_config_that_cannot_be_counted_keeps_its_facts(tmp_path: Path, config: object) -> None:
    write(tmp_path, json.dumps(config), "config.json")
    write(tmp_path, HEAD)
    run, said = quiet(tmp_path)
    assert run.facts["published_emissions"].value.m_as("tCO2e") == pytest.approx(107)
    assert said[0].startswith("config.json is not used, since its weights cannot be counted: ")


def test_equal_rows_are_read_once_and_many_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from runlineage.dataflow.cards import findings

    read: list[str] = []
    reader = findings.read_figure
    monkeypatch.setattr(findings, "read_figure", lambda text, name: read.append(text) or reader(text, name))
    path = write(tmp_path, "| Model | GPU hours |\n|-|-|\n" + "| Mine | 5 |\n" * 20_000)
    assert quiet(path)[0].inputs.given["accelerator_hours"].magnitude == 5
    assert read == ["5"]
    path = write(tmp_path, "| Model | GPU hours |\n|-|-|\n" + "".join(f"| Mine | {n} |\n" for n in range(1, 20_001)))
    run, said = quiet(path)
    assert run.facts["accelerator_hours"].value is None
    assert len(read) <= 1 + findings.MOST_FIGURES
    assert len("".join(said)) < 10_000


HOSTILE = {
    "bars": "|" * 900_000,
    "cells": "<table><tr>" + "<td>x" * 180_000,
    "angles": "<" * 900_000,
    "angles within HTML": "<div>\n" + "<" * 300_000,
    "tags without end": "<div>\n" + "<a " * 100_000,
    "tables without end": "<table>\n\n" * 30_000,
    "comments without end": "<!-- " * 60_000,
    "stars": "*" * 900_000,
    "brackets behind a label": "Hours used: " + "[" * 300_000,
    "sections": "".join(f"## {n}\n\nCloud Provider: {n}\n" for n in range(5_000)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_body_takes_no_longer_than_an_honest_one(tmp_path: Path, text: str) -> None:
    started = time.process_time()
    with contextlib.suppress(CatalogError):
        quiet(write(tmp_path, text))
    assert time.process_time() - started < 10
