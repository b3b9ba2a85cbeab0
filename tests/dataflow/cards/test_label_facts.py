"""What stands behind the labels of a card: devices, counts, hours, energies, grids, and what is listed as not used."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from runlineage import RunlineageWarning, read_card
from runlineage.catalogs.quantities.formatting import people


def read(folder: Path, text: str) -> tuple[dict[str, Any], str]:
    """Read a card, and return its facts as people read them and what it warned of."""
    path = folder / "README.md"
    path.write_text(text)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run = read_card(path)
    assert all(each.category is RunlineageWarning for each in seen)
    facts = {name: fact.value for name, fact in run.facts.items() if fact.value is not None}
    shown = {name: people(value) if hasattr(value, "magnitude") else value for name, value in facts.items()}
    return shown, "\n".join(str(each.message) for each in seen)


def test_a_card_with_a_carbon_account_is_read_whole(tmp_path: Path) -> None:
    facts, said = read(
        tmp_path,
        """# Model Card - Orchard

## Training run
- **GPU:** NVIDIA V100 (TDP 300 W)
- **Number of GPUs:** 6
- **GPU hours:** 90.5
- **Power Usage Effectiveness (PUE):** 1.25
- **Region:** europe-north1 (grid carbon intensity 110 gCO2eq/kWh)
- **Training type:** fine-tuning

## Results
- **Total energy:** 203.6 kWh
- **Total emissions:** 22.4 kg CO2eq
""",
    )
    assert facts == {
        "accelerator": "NVIDIA_V100",
        "accelerator_tdp": "300 W per accelerator",
        "accelerator_count": "6 accelerator",
        "accelerator_hours": "90.5 accelerator·hour",
        "pue": "1.25",
        "region": "FI",
        "carbon_intensity": "110 gCO2e/kWh at the facility",
        "stage": "fine-tuning",
        "published_emissions": "22.4 kgCO2e",
    }
    assert "'203.6 kWh' (line 12, Total energy): the card does not state whether the energy is that of the dev" in said


@pytest.mark.parametrize(
    ("line", "key", "count"),
    [
        ("GPU: NVIDIA T4 x 6 GPUs", "T4", "6 accelerator"),
        ("GPU: NVIDIA T4 (TDP 70W) x 6 GPUs", "T4", "6 accelerator"),
        ("Hardware: 4 x NVIDIA RTX 4090 (450W TDP each)", "RTX_4090", "4 accelerator"),
        ("Hardware Type: NVIDIA V100 (8x GPUs)", "NVIDIA_V100", "8 accelerator"),
        ("Hardware Type: NVIDIA V100 (8 GPUs)", "NVIDIA_V100", "8 accelerator"),
        ("Hardware: 12 x 8 x A100 GPUs", "NVIDIA_A100", "96 accelerator"),
        ("GPUs: 96 A100 GPUs (12 nodes)", "NVIDIA_A100", "96 accelerator"),
        ("Accelerators used: 64 H100", "NVIDIA_H100", "64 accelerator"),
    ],
)
def test_devices_are_read_with_their_count(tmp_path: Path, line: str, key: str, count: str) -> None:
    facts, _ = read(tmp_path, f"# A\n- {line}\n")
    assert (facts["accelerator"], facts["accelerator_count"]) == (key, count)


@pytest.mark.parametrize("line", ["GPUs: 4090", "GPU: 4", "GPU: 3090"])
def test_a_number_that_may_be_a_device_is_no_count(tmp_path: Path, line: str) -> None:
    facts, said = read(tmp_path, f"# A\n- {line}\n")
    assert facts == {}
    assert "this may be a count or the name of a device" in said


def test_a_plural_label_asks_for_a_count(tmp_path: Path) -> None:
    assert read(tmp_path, "# A\n- GPUs: 4\n- TPU count: 12\n")[0] == {}  # two counts that differ
    assert read(tmp_path, "# A\n- GPUs: 4\n")[0] == {"accelerator_count": "4 accelerator"}


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("Training time: 21 days", {"duration": "21 day"}),
        ("Training time (days): 21", {"duration": "21 day"}),
        ("Wall-clock time: 36 hours", {"duration": "36 hour"}),
        ("Training time: 36 GPU hours", {"accelerator_hours": "36 accelerator·hour"}),
        ("Training compute: 370k H100 hours", {"accelerator_hours": "370,000 accelerator·hour"}),
        ("Training FLOPs: 3e22", {"training_ops": "3×10²² flop"}),
        ("GPU energy consumption: 12 MWh", {"reported_energy": "12 MWh"}),
        ("Data center energy: 14 MWh", {"reported_facility_energy": "14 MWh at the facility"}),
        ("MFU: 43%", {"reported_mfu": "43 percent"}),
        ("Training regime: bf16 mixed precision", {"precision": "bf16"}),
        ("Training regime: supervised", {}),
        ("Training type: supervised", {}),
        ("Precision: 0.93", {}),
        ("Precision: int8", {}),
        ("Author: 4 people", {}),
        ("Carbon emissions: Estimated by a calculator of CO2", {}),
        ("Hardware: a cluster", {}),
    ],
)
def test_a_label_states_what_its_words_say(tmp_path: Path, line: str, facts: dict[str, str]) -> None:
    assert read(tmp_path, f"# A\n- {line}\n")[0] == facts


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Training time: 36 hours", "wall-clock or accelerator hours"),
        ("GPU runtime: 36 hours", "wall-clock or accelerator hours"),
        ("Runtime: 36 hours", "wall-clock or accelerator hours"),
        ("Training time: ~ 3 days", "a bound or an estimate"),
        ("Energy: 36 kWh", "give reported_energy or reported_facility_energy"),
        ("Energy: (300 W × 90 h) / 1000 = 27 kWh", "give reported_energy or reported_facility_energy"),
        ("Emissions: (27 kWh × 100 g/kWh) / 1000 = 2.7 kg CO2eq", "does not start with a plain number"),
        ("Total tokens: 100B", "the tokens of the data or all that the run saw"),
        ("Dataset: Our texts (100B tokens)", "the tokens of the data or all that the run saw"),
        ("GPU: NVIDIA H100 (700 W)", "'700 W' beside the device"),
        ("MFU: 43", "is out of its band"),
    ],
)
def test_what_may_mean_two_things_is_listed_and_not_used(tmp_path: Path, line: str, why: str) -> None:
    facts, said = read(tmp_path, f"# A\n- {line}\n")
    assert set(facts) <= {"accelerator"}
    assert why in said


def test_what_a_model_is_used_or_compared_on_is_not_its_training(tmp_path: Path) -> None:
    for heading in ("Installation", "Inference", "Evaluation", "Benchmarks"):
        facts, said = read(tmp_path, f"# A\n## {heading}\n- GPU: 8 A100\n")
        assert facts == {}
        assert "which is not of this card's training" in said


def test_a_bare_precision_counts_where_training_is_told(tmp_path: Path) -> None:
    assert read(tmp_path, "# A\n## Training\n- Precision: bfloat16\n")[0] == {"precision": "bf16"}


def test_a_device_is_written_twice_in_other_words(tmp_path: Path) -> None:
    """The family and one of it, a count and none: one device; two designs in words are no two models."""
    text = "# A\n## Training\n- Hardware: 12 x 8 x A100\n- Architecture: a decoder\n"
    text += "## Impact\n- Hardware Type: A100 PCIe 40GB\n- Model type: Transformer\n- Carbon Emitted: 5 kg CO2eq\n"
    facts, _ = read(tmp_path, text)
    assert facts["accelerator"] == "A100_PCIe_40GB"
    assert facts["accelerator_count"] == "96 accelerator"
    assert facts["published_emissions"] == "5 kgCO2e"


def test_devices_that_differ_are_used_of_none(tmp_path: Path) -> None:
    facts, said = read(tmp_path, "# A\n- Hardware: A100 80GB PCIe\n- GPU: A100 80GB SXM\n")
    assert facts == {}
    assert "which differ: neither is used" in said


def test_kilograms_in_the_place_of_grams_are_seen(tmp_path: Path) -> None:
    text = "---\nco2_eq_emissions:\n  emissions: {}\n---\n# A\n- Emissions: 5.6 KgCO2 (Germany)\n"
    facts, said = read(tmp_path, text.format(5.6))
    assert "published_emissions" not in facts
    assert "5.6 gCO2e (line 3, co2_eq_emissions.emissions) and 5.6 kgCO2e (line 6, Emissions), which differ" in said
    assert read(tmp_path, text.format(5600))[0]["published_emissions"] == "5,600 gCO2e"


def test_digits_in_groups_are_a_number_of_grams(tmp_path: Path) -> None:
    text = "---\nco2_eq_emissions:\n  emissions: {}\n---\n"
    assert read(tmp_path, text.format("24_700_000"))[0]["published_emissions"] == "24,700,000 gCO2e"
    with pytest.raises(ValueError, match="expected a plain number of grams"):
        read(tmp_path, text.format("2_4"))


def test_the_questions_of_the_climate_card_are_keys(tmp_path: Path) -> None:
    facts, said = read(
        tmp_path,
        """| A model | |
|---|---|
| 1. Is the resulting model publicly available? | Yes |
| 2. How much time does the training of the final model take? | 12 days |
| 3. How much time did all experiments take (incl. hyperparameter search)? | 90 days |
| 5. At which geo location were the computations performed? | France |
| 6. What was the energy mix at the geo location? | 60 gCO2eq/kWh |
| 7. How much CO2eq was emitted to train the final model? | 1,234 kg |
| 8. How much CO2eq was emitted for all experiments? | 9,999 kg |
""",
    )
    assert facts == {
        "duration": "12 day",
        "region": "FR",
        "carbon_intensity": "60 gCO2e/kWh at the facility",
        "published_emissions": "1,234 kgCO2e",
    }
    assert said == ""


def test_the_title_loses_the_words_model_card(tmp_path: Path) -> None:
    path = tmp_path / "card.md"
    for title in ("Model Card - Orchard", "Model Card for Orchard", "Model card: Orchard", "Model Orchard"):
        path.write_text(f"# {title}\n- PUE: 1.2\n")
        assert read_card(path).name == "Orchard"
