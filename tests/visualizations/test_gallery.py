"""The kept pictures are those drawn today; layout differs between releases of graphviz, so their words are compared."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.gallery import FOLDER, pictures

from runlineage import draw


def words(path: Path) -> list[str]:
    return sorted(re.findall(r"<text[^>]*>(.*?)</text>", path.read_text(encoding="utf-8")))


@pytest.mark.skipif(shutil.which("dot") is None, reason="dot is not installed")
@pytest.mark.parametrize("name", list(pictures()))
def test_a_kept_picture_is_the_one_drawn_today(name: str, tmp_path: Path) -> None:
    assert words(draw(pictures()[name], tmp_path / f"{name}.svg")) == words(FOLDER / f"{name}.svg")


def test_every_kept_picture_is_made() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(pictures())
