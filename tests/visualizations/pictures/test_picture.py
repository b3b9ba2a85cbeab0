"""Picture files: each kind, no `dot`, and paths that cannot be written."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from runlineage import Fact, InputError, OutputError, PublishedRunScenario, Scenarios, draw, metrics
from runlineage.catalogs.base.files import write_whole

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
        ('#!/bin/sh\necho words > "$3"\n', 0o755, r"`dot` made no \.svg"),
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


def test_a_link_to_itself_is_said(tmp_path: Path) -> None:
    (tmp_path / "loop.dot").symlink_to("loop.dot")
    with pytest.raises(OutputError, match="cannot be written"):
        draw(LINEAGE, tmp_path / "loop.dot")


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="GPT-3 175B has no answer to draw"):
        draw(Scenarios.Gpt3PublishedRun.lineage("energy"), tmp_path / "a.dot")


@needs_dot
def test_a_box_links_to_its_source_and_says_what_it_is_on_hovering(tmp_path: Path) -> None:
    text = draw(LINEAGE, tmp_path / "gpt3.svg").read_text(encoding="utf-8")
    assert 'xlink:href="https://arxiv.org/abs/2005.14165"' in text
    assert 'xlink:title="achieved_rate: Spread recorded operations over' in text
    assert "@media (prefers-color-scheme: dark)" in text
    assert "<!--" not in text


@needs_dot
def test_names_and_sources_cannot_break_out_of_a_picture(tmp_path: Path) -> None:
    hostile = "</text><script>alert(1)</script>\" & ' \u202e\nend"
    fact = Fact(1e23, source="javascript:alert(1)", place=hostile, note=hostile)
    run = PublishedRunScenario(name=hostile, training_ops=fact)
    text = draw(run.lineage("training_operations"), tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<script" not in text
    assert 'href="javascript' not in text
    assert ElementTree.fromstring(text).tag.endswith("svg")


def test_a_dot_that_hangs_is_stopped_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = tmp_path / "dot"
    hanging.write_text("#!/bin/sh\nsleep 600 &\nwait\n")
    hanging.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("runlineage.visualizations.pictures.layout.PATIENCE", 0.3)
    with pytest.raises(OutputError, match=r"`dot` took over 0\.3 seconds and was stopped; draw fewer runs or metrics"):
        draw(LINEAGE, tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()


def test_all_routes_show_the_taken_the_possible_and_the_closed(tmp_path: Path) -> None:
    text = draw(Scenarios.Gpt3PublishedRun, tmp_path / "a.dot", routes=True).read_text()
    assert 'class="way taken"' in text
    assert "possible, would give 3.1428×10²³ flop" in " ".join(re.sub("<[^>]*>", " ", text).split())
    assert "needs accelerator_hours" in text


def test_a_module_is_drawn_without_values(tmp_path: Path) -> None:
    text = draw(metrics, tmp_path / "a.dot").read_text()
    assert '"peak_fraction" [' in text
    assert "3.14" not in text
    with pytest.raises(OutputError, match="a module has no numbers"):
        draw(metrics, tmp_path / "a.mmd")


def test_several_runs_stand_in_frames_of_their_own(tmp_path: Path) -> None:
    text = draw([Scenarios["gpt-3"], Scenarios["bloom"]], tmp_path / "a.dot").read_text()
    assert text.count("subgraph") == 2
    assert '"energy of BLOOM 176B" [' in text


@needs_dot
def test_a_title_of_any_length_is_drawn_in_lines(tmp_path: Path) -> None:
    run = PublishedRunScenario(name="word " * 2000, accelerator_hours=1e6, device_power="400 W")
    assert draw([run, Scenarios.BloomPublishedRun], tmp_path / "a.svg").stat().st_size  # `dot` refuses a longer line
    assert draw(run, tmp_path / "b.svg").stat().st_size


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("bloom", r"shown\[0\]: is 'bloom'; expected a run \(such as `Scenarios\[name\]`\), a lineage or a module"),
        (3, r"shown\[0\]: is 3;"),
        ([LINEAGE, None], r"shown\[1\]: is None;"),
        ([LINEAGE, metrics], r"shown: holds modules beside runs; draw them separately"),
    ],
)
def test_what_is_neither_run_lineage_nor_module_is_refused(shown: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        draw(shown, tmp_path / "a.svg")


@needs_dot
def test_every_line_of_text_is_held_by_its_middle_whatever_font_draws_it(tmp_path: Path) -> None:
    run = PublishedRunScenario(training_ops=3e24, accelerator_hours=1e6, peak_flops=125)
    for shown, routes in ((LINEAGE, True), ([LINEAGE, run.lineage()], False)):
        text = draw(shown, tmp_path / "a.svg", routes=routes).read_text(encoding="utf-8")
        assert text.count("<text") == text.count('<text text-anchor="middle"') > 10


def test_a_part_of_a_lineage_says_so_in_its_title(tmp_path: Path) -> None:
    affected = LINEAGE.downstream("duration")
    assert "GPT-3 175B: what duration affects" in draw(affected, tmp_path / "a.dot").read_text()
    both = [affected, LINEAGE.upstream("peak_flops")]
    assert "GPT-3 175B (2): what peak_flops rests on" in draw(both, tmp_path / "b.dot").read_text()
    assert "175B:" not in draw(LINEAGE, tmp_path / "c.dot").read_text()


def test_what_the_caller_gave_is_not_called_published(tmp_path: Path) -> None:
    mine = PublishedRunScenario(accelerator_hours=1e6, device_power="400 W").lineage("energy")
    text = draw(mine, tmp_path / "a.dot").read_text()
    assert "rounded, white: given by the caller" in text
    assert "published" not in text
    assert "given by the caller   " not in draw(LINEAGE, tmp_path / "b.dot").read_text()


def test_a_tdp_that_is_taken_as_the_power_is_drawn_as_an_assumption(tmp_path: Path) -> None:
    for shown in (Scenarios["bloom"], [Scenarios["bloom"], Scenarios["gpt-3"]]):
        lines = draw(shown, tmp_path / "a.dot").read_text().splitlines()
        (box,) = (line for line in lines if re.match(r' +"device_power[^>]*\[class', line))
        assert 'class="assumed"' in box


def test_four_runs_stand_in_two_rows(tmp_path: Path) -> None:
    text = draw([Scenarios["bloom"]] * 4, tmp_path / "a.dot").read_text()
    assert 'packmode="array_tu2"' in text
    assert "packmode" not in draw(LINEAGE, tmp_path / "b.dot").read_text()


@needs_dot
def test_a_slide_has_few_words_and_its_own_size(tmp_path: Path) -> None:
    text = draw(LINEAGE, tmp_path / "a.svg", slide=True).read_text(encoding="utf-8")
    (across, down) = (float(each) for each in re.findall(r'(?:width|height)="([\d.]+)pt"', text)[:2])
    assert across <= 13.34 * 72
    assert down <= 7.5 * 72
    assert across > 13 * 72 or down > 7.3 * 72
    assert "24.5558 TFLOP/s per accelerator" in text
    assert "Table 4" not in re.sub(r"<a [^>]*>", "", text)
    for other, routes in (("a.txt", False), ("a.mmd", False), ("b.svg", True)):
        with pytest.raises(OutputError, match="a slide holds the routes taken alone"):
            draw(LINEAGE, tmp_path / other, routes=routes, slide=True)
