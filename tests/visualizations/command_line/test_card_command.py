"""The command line for cards: a card as RUN, and a run as card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runlineage.visualizations.cards.form import FORMS

TABLE = "| | GPU hours | Power Consumption (W) |\n|-|-|-|\n| Tiny 1B | 370k | 700 |\n| Tiny 3B | 460k | 700 |\n"
HEAD = (
    "---\nlicense: mit  # as ever\nco2_eq_emissions:\n  emissions: 107000000\n  source: our meter\n\ntags: [a]\n---\n"
)


def test_a_card_its_folder_and_a_config_are_runs(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text(TABLE)
    answer = (0, "Tiny 3B\n  energy  0.322 GWh  by power_time\n")
    assert command("show", str(tmp_path / "README.md"), "energy", "--model", "Tiny 3B")[:2] == answer
    assert command("show", str(tmp_path), "energy", "--model", "3b")[:2] == answer
    sizes = {"n_embd": 768, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257, "tie_word_embeddings": True}
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["GPT2LMHeadModel"], **sizes}))
    code, out, _ = command("show", str(tmp_path / "config.json"), "training_operations", "--training-tokens", "9B")
    assert (code, "6.71975×10¹⁸ flop" in out) == (0, True)


def test_a_run_file_of_the_name_of_a_config_stays_a_run_file(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "config.json").write_text('{"accelerator_hours": 1000, "device_power": 400}')
    assert command("show", str(tmp_path / "config.json"), "energy")[:2] == (
        0,
        "config\n  energy  400 kWh  by power_time\n",
    )


def test_several_models_are_asked_back_with_exit_two(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text(TABLE)
    code, out, err = command("show", str(tmp_path / "README.md"))
    assert (code, out) == (2, "")
    assert "has figures of 2 models: Tiny 1B, Tiny 3B" in err
    assert '`--model "Tiny 1B"`' in err


def test_model_is_of_a_card_alone(command) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("show", "gpt-3", "--model", "x")
    assert (code, err) == (2, "error: --model: is of a model card; name a README.md or its folder as RUN\n")


def test_what_was_not_used_is_a_warning(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text("Hours used: 12\n")
    code, _, err = command("show", str(tmp_path / "README.md"))
    assert code == 0
    assert err.startswith("warning: ")
    assert "the card does not state whether wall-clock or accelerator hours" in err


def test_why_shows_file_and_line(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text(TABLE)
    _, out, _ = command("why", str(tmp_path / "README.md"), "energy", "--model", "Tiny 1B")
    assert '/README.md", line 3, GPU hours' in " ".join(out.replace("│", " ").split())


def test_an_existing_card_changes_in_one_field_and_nowhere_else(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "README.md"
    path.write_bytes(f"{HEAD}# Ours\n\n{TABLE}".replace("\n", "\r\n").encode())
    code, out, _ = command("card", "gpt-3", "--published-emissions", "552 tCO2e", "-o", str(path))
    assert (code, out) == (0, f"{path}: huggingface card of GPT-3 175B with published_emissions 552 tCO2e\n")
    lines = path.read_bytes().decode().split("\r\n")
    assert lines[:2] == HEAD.split("\n")[:2]
    assert lines[2:5] == ["co2_eq_emissions:", "  emissions: 552000000", "  source: as given by the caller"]
    assert "\r\n".join(lines).endswith(f"\n\ntags: [a]\n---\n# Ours\n\n{TABLE}".replace("\n", "\r\n"))
    assert [each.name for each in tmp_path.iterdir()] == ["README.md"]


def test_a_card_that_cannot_be_written_stays_as_it_was(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "README.md"
    for text in ("---\na: [\n---\n", "---\na: 1\n"):
        path.write_text(text)
        assert command("card", "gpt-3", "--published-emissions", "552", "-o", str(path))[0] == 2
        assert path.read_text() == text
    code, _, err = command("card", "gpt-3", "--to", "markdown", "-o", str(path))
    assert (code, err) == (2, f"error: {path} exists and would be lost; name another file for --to markdown\n")


def test_a_card_without_emissions_is_exit_one_and_writes_nothing(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("card", "palm540b", "-o", str(tmp_path / "a.md"))
    assert (code, out) == (1, "")
    assert err.startswith("the card of PaLM 540B needs location_emissions or published_emissions, and has neither")
    assert list(tmp_path.iterdir()) == []


def test_other_forms_are_written_to_a_file_or_printed(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _, _ = command("card", "llama 65b", "--to", "cyclonedx", "-o", str(tmp_path / "bom.json"))
    assert code == 0
    assert json.loads((tmp_path / "bom.json").read_text())["specVersion"] == "1.6"
    assert command("card", "llama 65b", "--to", "latex")[1].startswith("Training of LLaMA 65B.")


@pytest.mark.parametrize(
    ("form", "name", "endings"),
    [
        ("huggingface", "plain.csv", ".md or .markdown"),
        ("huggingface", "README", ".md or .markdown"),
        ("cyclonedx", "README.md", ".json"),
        ("markdown", "answers.parquet", ".md or .markdown"),
        ("latex", "run.toml", ".tex"),
        ("bibtex", "run.tex", ".bib"),
    ],
)
def test_a_card_is_written_to_files_of_its_kind_alone(
    command, tmp_path: Path, form: str, name: str, endings: str
) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / name
    path.write_text("as it was")
    code, out, err = command("card", "llama 65b", "--to", form, "-o", str(path))
    assert (code, out, path.read_text()) == (2, "", "as it was")
    assert err == f"error: {path} is no file for a {form} card; name one that ends in {endings}\n"


def test_every_form_writes_to_its_own_suffixes(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for form in FORMS.values():
        for suffix in form.suffixes:
            path = tmp_path / f"{form.name}{suffix}"
            words = {"task_family": "text generation", "infrastructure": "onPremise", "data_type": "token"}
            more = [part for name in form.takes for part in (f"--{name.replace('_', '-')}", words[name])]
            facts = ["--accelerator-count", "2048"] if form.name == "boamps" else []
            assert command("card", "llama 65b", "--to", form.name, "-o", str(path), *more, *facts)[0] == 0
            assert path.read_text().strip()


def test_what_boamps_requires_is_asked_for_and_nothing_is_written(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "report.json"
    code, out, err = command("card", "bloom", "--to", "boamps", "-o", str(path))
    assert (code, out) == (2, "")
    assert "task_family: is not stated, and BoAmps requires it; give --task-family" in err
    assert "infrastructure: is not stated, and BoAmps requires it; give --infrastructure, one of publicCloud" in err
    assert not path.exists()
    code, _, err = command("card", "bloom", "--infrastructure", "onPremise")
    assert (code, err) == (2, "error: infrastructure: is not of a huggingface card; it is of boamps\n")


def test_a_card_of_which_nothing_was_read_says_so(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "README.md").write_text("# Mine\n\nnothing at all\n")
    code, _, err = command("show", str(tmp_path))
    assert (code, err) == (
        0,
        f"warning: {tmp_path}: no fact was read from this file; give parameters, training_tokens, accelerator_hours or "
        "any other yourself\n",
    )
