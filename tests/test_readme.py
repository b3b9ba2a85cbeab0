"""The README does what it says: its Python runs as a doctest, its commands print what stands there."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from runlineage import Grids, Thresholds, read_run
from runlineage.visualizations.command_line.commands import main

CHECKOUT = Path(__file__).parent.parent
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PYTHON = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, re.DOTALL)


def test_the_python_of_the_readme_prints_what_it_says() -> None:
    example = doctest.DocTestParser().get_doctest(PYTHON, {}, "README", "README.md", 0)
    assert len(example.examples) == PYTHON.count(">>> ") > 5
    assert doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(example).failed == 0


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[command[:40] for command, _ in CONSOLE])
def test_a_command_of_the_readme_prints_what_it_says(
    command: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(shlex.split(command)[1:])
    captured = capsys.readouterr()
    assert captured.out + captured.err == printed


# Commands that stand within a sentence, but for those with a placeholder in capitals.
INLINE = [
    each
    for each in re.findall(r"`runlineage ([^`]+)`", README)
    if not re.search(r"\b[A-Z]{2,}\b|path/to|my\.|\|", each)
]


@pytest.mark.parametrize("arguments", INLINE)
def test_a_command_within_a_sentence_works(
    arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if " -o " in arguments and not shutil.which("dot"):
        pytest.skip("dot is not installed")
    if "lineage.json" in arguments:
        with pytest.raises(SystemExit):
            main(["why", "gpt-3", "--json"])
        (tmp_path / "lineage.json").write_text(capsys.readouterr().out, encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(shlex.split(arguments))
    contradicts = 1 if arguments == "check opt-175b" else None  # the exit code says so
    assert (end.value.code or None) == contradicts
    assert "error" not in capsys.readouterr().err


def test_the_catalogs_of_the_readme_hold_what_it_names() -> None:
    assert 'Grids["France"].intensity(2022)' in README
    assert Grids["France"].intensity(2022) is not None
    assert 'Thresholds["SB 53"]' in README
    assert Thresholds["SB 53"].threshold is not None


def test_a_line_of_a_run_file_is_read_as_it_stands(tmp_path: Path) -> None:
    (line,) = re.findall(r"`(accelerator_hours = \{.*\})`", README)
    (tmp_path / "my.toml").write_text(f'parameters = "7B"\ntraining_tokens = "2T"\n{line}', encoding="utf-8")
    assert read_run(tmp_path / "my.toml").result("achieved_rate").sources == ("given by the caller", "our training log")


def test_the_readme_names_every_room_in_its_folder() -> None:
    (tree,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    named: set[str] = set()
    folder = ""
    for line in tree.splitlines():
        names = re.findall(r"\w+(?=/)", line[:30])
        folder = folder if line.startswith(" ") else names[0]
        named |= {f"{folder}/{name}" if line.startswith(" ") else folder for name in names}
    rooms = {
        path.parent for top in ("catalogs", "dataflow", "visualizations") for path in (CHECKOUT / top).rglob("*.py")
    }
    assert named == {room.relative_to(CHECKOUT).as_posix() for room in rooms}


def test_the_readme_stays_short_and_its_links_lead_somewhere() -> None:
    assert README.count("\n") < 150
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (CHECKOUT / target).exists()


def test_the_picture_of_the_readme_is_the_one_drawn_today(tmp_path: Path) -> None:
    """Layout differs between releases of graphviz, so the words of the picture are compared."""
    if os.system("command -v dot >/dev/null 2>&1"):
        pytest.skip("dot is not installed")
    with pytest.raises(SystemExit):
        main(shlex.split(f"draw Gpt3PublishedRun --assume tdp --assume count_duration -o {tmp_path / 'gpt3.svg'}"))
    drawn, kept = (
        sorted(re.findall(r"<text[^>]*>(.*?)</text>", path.read_text(encoding="utf-8")))
        for path in (tmp_path / "gpt3.svg", CHECKOUT / "visualizations" / "gallery" / "gpt3.svg")
    )
    assert drawn == kept
