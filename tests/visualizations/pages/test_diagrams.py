"""Diagrams inside a page: fit for it, links safe, each with ids of its own."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from runlineage import Scenarios
from runlineage.visualizations.pages.diagrams import diagrams, inline

RUN = Scenarios.Gpt3PublishedRun


@pytest.mark.skipif(shutil.which("dot") is None, reason="dot is not installed")
def test_a_diagram_is_a_part_of_a_page_with_ids_of_its_own() -> None:
    pictures, trouble = diagrams([RUN.lineage(), RUN.lineage("energy"), RUN.lineage("achieved_rate")])
    assert trouble == ""
    assert pictures[1] == ""  # nothing is answered, so nothing is drawn
    assert pictures[0].startswith('<svg aria-label="Lineage of GPT-3 175B"')
    first, last = (set(re.findall(r' id="([^"]+)"', pictures[place])) for place in (0, 2))
    assert first
    assert not first & last
    assert "<?xml" not in pictures[0]
    assert "<style" not in pictures[0]
    assert pictures[0].count("<a xlink:href") == pictures[0].count('rel="noopener noreferrer"')


def test_a_broken_dot_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dot").write_text("#!/bin/sh\necho 'no layout today' >&2\nexit 3\n")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert diagrams([RUN.lineage(), RUN.lineage()]) == (
        ["", ""],
        "`dot` failed: no layout today; write a .dot file, and try `dot` on it",
    )


def test_only_ids_of_the_picture_are_renamed() -> None:
    made = inline('<svg><g id="a"/><a href="#run-1"><path clip-path="url(#a)"/></a></svg>', "x-")
    assert made == '<svg><g id="x-a"/><a href="#run-1"><path clip-path="url(#x-a)"/></a></svg>'
