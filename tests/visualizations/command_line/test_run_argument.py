"""What RUN may be: the catalog before the disk, cards with a model, addresses that are not fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

TWO = """# A family

| Model | Parameters | Training tokens |
|---|---|---|
| Some 7B | 7B | 1T |
| Some 13B | 13B | 2T |
"""


@pytest.fixture
def card(tmp_path: Path) -> str:
    path = tmp_path / "README.md"
    path.write_text(TWO)
    return str(path)


@pytest.mark.parametrize("name", ["GLaM 64B/64E", "CLIP ViT-L/14", "clip vit-l/14"])
def test_a_catalogued_name_with_a_slash_is_a_run(command, name: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", name)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].casefold() == name.casefold()


@pytest.mark.parametrize("path", ["./bloom", "bloom/", "/none/bloom", "~bloom"])
def test_what_can_only_be_a_path_is_no_catalogued_run(command, tmp_path: Path, path: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", path)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {path}: is not there; name a file or folder that exists")


def test_a_folder_of_a_card_is_read_where_its_path_is_given(  # type: ignore[no-untyped-def]
    command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bloom").mkdir()
    (tmp_path / "bloom" / "README.md").write_text(
        "| Model | Parameters | Training tokens |\n|-|-|-|\n| B | 1B | 2B |\n"
    )
    monkeypatch.chdir(tmp_path)
    assert "1.2×10¹⁹ flop" in command("show", "./bloom", "training_operations")[1]


def test_a_model_of_a_card_is_named_after_its_file(command, card: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    asked = "training_operations"
    assert command("show", f"{card}#Some 13B", asked) == command("show", card, asked, "--model", "Some 13B")
    assert "1.56×10²³ flop" in command("why", f"{card}#Some 13B", asked)[1]
    assert command("verdicts", f"{card}#Some 13B")[0] == 0
    assert command("card", f"{card}#Some 13B", "--to", "markdown")[0] == 0
    two = command("draw", f"{card}#Some 13B", asked, "--beside", f"{card}#Some 7B", "-o", str(tmp_path / "a.dot"))
    assert two[1].endswith("training_operations of Some 13B, Some 7B\n")


def test_models_of_cards_stand_in_one_report(command, card: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    page = tmp_path / "a.html"
    assert command("report", f"{card}#Some 13B", f"{card}#Some 7B", "bloom", "-o", str(page))[0] == 0
    assert command("report", card, "bloom", "--model", "Some 7B", "-o", str(page))[0] == 0
    assert "Some 7B" in page.read_text(encoding="utf-8")
    for runs in (("bloom",), (card, card)):
        code, _, err = command("report", *runs, "--model", "Some 7B", "-o", str(page))
        assert (code, "--model: is of one card, and RUN names" in err, "write FILE#MODEL" in err) == (2, True, True)


def test_a_model_is_named_once(command, card: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("show", f"{card}#Some 13B", "--model", "Some 7B")
    assert (code, "name it once" in err) == (2, True)


def test_a_file_whose_name_holds_the_sign_is_that_file(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a#b.md"
    path.write_text("| Model | Parameters | Training tokens |\n|-|-|-|\n| B | 1B | 2B |\n")
    assert "1.2×10¹⁹ flop" in command("show", str(path), "training_operations")[1]


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/README.md",
        "http://example.org",
        "huggingface.co/some/model",
        "www.example.com/card.md#Some 7B",
        "s3://bucket/runs.parquet",
        "file:///tmp/card.md",
        "hf://datasets/a/b.csv",
    ],
)
def test_an_address_is_told_that_nothing_is_fetched(command, address: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    said = "is an address, and nothing is fetched; save the card or file, and give its path"
    for asked in (
        ("show", address),
        ("why", address, "--row", "1"),
        ("card", address),
        ("verdicts", address),
        ("report", address, "-o", str(tmp_path / "a.html")),
        ("draw", "gpt-3", "--beside", address, "-o", str(tmp_path / "a.dot")),
    ):
        code, out, err = command(*asked)
        assert (code, out) == (2, "")
        assert said in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", ""], "RUN: is empty; name a run (`runlineage list runs`) or a file"),
        (["show", "  "], "RUN: is empty;"),
        (["why", "--row", "1"], "--row: is of a table; name the table file as RUN"),
        (["show", "some/model"], "there is no such file or folder either"),
        (["show", __file__], "is a file of no kind that holds a run; expected .toml, .json, .md, .markdown"),
        (["show", "a.csv"], "is a table; `runlineage table` answers all its rows, `runlineage why` one by --row"),
        (["show", "a.jsonl.gz"], "is a table;"),
        (["show", "none.md#Some 7B"], "none.md: cannot be read: No such file or directory"),
    ],
)
def test_what_is_no_run_says_what_is(command, arguments: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert said in err
