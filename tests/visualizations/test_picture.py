"""Picture files: each kind, no `dot`, and paths that cannot be written."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from runlineage import OutputError, Scenarios, draw
from runlineage.visualizations.picture import write_whole

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="dot is not installed")
LINEAGE = Scenarios.Gpt3PublishedRun.lineage()
BEGINS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"digraph", "txt": b"training_operations"}


@pytest.mark.parametrize(
    "kind", [pytest.param(each, marks=needs_dot if each in ("svg", "png", "pdf") else ()) for each in BEGINS]
)
def test_the_suffix_names_the_kind(kind: str, tmp_path: Path) -> None:
    assert draw(LINEAGE, tmp_path / f"gpt3.{kind}").read_bytes().startswith(BEGINS[kind])
    assert [path.name for path in tmp_path.iterdir()] == [f"gpt3.{kind}"]


@needs_dot
def test_the_svg_shows_the_numbers(tmp_path: Path) -> None:
    words = re.findall(r"<text[^>]*>(.*?)</text>", draw(LINEAGE, tmp_path / "gpt3.svg").read_text(encoding="utf-8"))
    assert {"24.5558 TFLOP/s per accelerator", "3.14×10²³ flop", "0.196446"} <= {
        word.replace("&#160;", " ") for word in words
    }


def test_without_dot_the_text_kinds_still_work_and_a_picture_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert draw(LINEAGE, tmp_path / "a.dot").exists()
    assert draw(LINEAGE, tmp_path / "a.txt").exists()
    with pytest.raises(OutputError) as caught:
        draw(LINEAGE, tmp_path / "a.svg")
    assert str(caught.value) == (
        "a .svg picture needs graphviz's `dot`, which is not on the PATH; install graphviz: `apt-get install "
        "graphviz`, `brew install graphviz` or `winget install graphviz`; .dot, .mmd and .txt need no `dot`"
    )
    assert not (tmp_path / "a.svg").exists()


def test_a_dot_that_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "dot"
    broken.write_text("#!/bin/sh\necho 'no layout today' >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(OutputError, match="`dot` failed: no layout today"):
        draw(LINEAGE, tmp_path / "a.svg")


def test_an_unknown_suffix_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as caught:
        draw(LINEAGE, tmp_path / "a.svgg")
    assert str(caught.value) == (
        f"{tmp_path / 'a.svgg'}: no picture has the suffix '.svgg'; "
        "the suffixes are .svg, .png, .pdf, .dot, .gv, .mmd, .txt; the nearest: .svg"
    )


def test_a_missing_folder_and_a_folder_in_the_way_are_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written: No such file or directory"):
        draw(LINEAGE, tmp_path / "none" / "a.dot")
    (tmp_path / "b.dot").mkdir()
    with pytest.raises(OutputError, match=r"b\.dot is a folder; name a file in it"):
        draw(LINEAGE, tmp_path / "b.dot")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_whole(target, b"new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("script", "mode", "said"),
    [
        ("#!/bin/sh\nexit 0\n", 0o755, "`dot` made nothing"),
        ("not a program", 0o755, "`dot` cannot be run: Exec format"),
    ],
)
def test_a_dot_that_does_not_work_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, mode: int, said: str
) -> None:
    (tmp_path / "dot").write_text(script)
    (tmp_path / "dot").chmod(mode)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OutputError, match=said):
        draw(LINEAGE, tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()


def test_a_link_keeps_pointing_at_the_file_that_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.dot").write_text("old")
    (tmp_path / "link.dot").symlink_to("real.dot")
    draw(LINEAGE, tmp_path / "link.dot")
    assert (tmp_path / "link.dot").is_symlink()
    assert (tmp_path / "real.dot").read_text().startswith("digraph")


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="GPT-3 175B has no answer to draw"):
        draw(Scenarios.Gpt3PublishedRun.lineage("energy"), tmp_path / "a.dot")
