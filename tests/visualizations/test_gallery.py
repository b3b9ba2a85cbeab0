"""The kept pictures are those drawn today; layout differs between releases of graphviz, so their words are compared."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.gallery import BY_YEAR, FOLDER, chart_by_year, pictures

from runlineage import draw


def words(text: str) -> list[str]:
    return sorted(re.findall(r"<(?:text|title)[^>]*>(.*?)</(?:text|title)>", text))


@pytest.mark.skipif(shutil.which("dot") is None, reason="dot is not installed")
@pytest.mark.parametrize("name", list(pictures()))
def test_a_kept_picture_is_the_one_drawn_today(name: str, tmp_path: Path) -> None:
    drawn = draw(pictures()[name], tmp_path / f"{name}.svg")
    assert words(drawn.read_text(encoding="utf-8")) == words((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))


def test_the_kept_chart_shows_the_runs_and_numbers_of_today() -> None:
    kept = words((FOLDER / f"{BY_YEAR}.svg").read_text(encoding="utf-8"))
    assert words(chart_by_year()) == kept
    assert "Llama 3.1 405B: 0.3451" in kept


def test_every_kept_picture_is_made() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*pictures(), BY_YEAR}
