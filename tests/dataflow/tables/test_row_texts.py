"""A text for each row, of which few differ: the same texts, however many rows and columns have their own."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from runlineage.dataflow.tables import row_texts
from runlineage.dataflow.tables.row_texts import RowTexts, own_texts, with_own

COMMON = [None, "needs a", "needs b"]


def drawn(height: int, columns: int, kinds: int) -> tuple[RowTexts, pl.Series, list[pl.Series]]:
    draw = np.random.default_rng(height + kinds)
    common = RowTexts(pl.Series(COMMON), pl.Series(draw.integers(0, 3, height)).cast(pl.UInt16), height)
    rows = pl.Series(np.flatnonzero(draw.random(height) < 0.4))
    cells = [pl.Series(draw.integers(0, kinds, len(rows))).cast(pl.Float64) for _ in range(columns)]
    return (
        common,
        rows,
        [each.to_frame().select(pl.when(pl.first() > 0).then(pl.first())).to_series() for each in cells],
    )


def row_by_row(common: RowTexts, rows: pl.Series, cells: list[pl.Series]) -> list[str | None]:
    """Write every row alone."""
    assert common.places is not None
    own = dict(zip(rows, zip(*cells, strict=True), strict=True))
    found = []
    for row, place in enumerate(common.places):
        texts = [f"x{cell!r}" for cell in own.get(row, ()) if cell is not None] + [COMMON[place]]
        found.append(" | ".join(filter(None, texts)) or None)
    return found


@pytest.mark.parametrize("most", [1 << 62, 8], ids=["one number for several", "several made one"])
@pytest.mark.parametrize("kinds", [2, 4, 10_000])
def test_rows_with_texts_of_their_own_have_them_before_the_common_one(
    kinds: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_texts, "MOST", most)
    common, rows, cells = drawn(500, 3, kinds)
    found = with_own(common, rows, [own_texts(each, lambda found: "x" + found.cast(pl.String)) for each in cells])
    wanted = row_by_row(common, rows, cells)
    assert [text or None for text in found.texts()] == wanted
    assert [text or None for text in found.categories().cast(pl.String)] == wanted
    assert len(found.distinct) <= 3 + min(len(rows), 3 * kinds**3)


def test_many_rows_are_written_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_texts, "MANY", 7)
    texts = RowTexts(pl.Series(["a", None]), pl.Series([0, 1, 1] * 10, dtype=pl.UInt32), 30)
    assert texts.texts().to_list() == ["a", None, None] * 10
    assert texts.texts().n_chunks() > 1


@pytest.mark.parametrize("text", [None, "the same"])
def test_rows_of_one_text_need_no_places(text: str | None) -> None:
    texts = RowTexts(pl.Series([text], dtype=pl.String), None, 3)
    assert texts.texts().to_list() == texts.categories().cast(pl.String).to_list() == [text] * 3


def test_categories_are_sorted_and_only_those_that_a_row_has() -> None:
    texts = RowTexts(pl.Series(["c", "unused", "a", None]), pl.Series([0, 2, 3, 0], dtype=pl.UInt32), 4)
    found = texts.categories()
    assert found.dtype == pl.Enum(["a", "c"])
    assert found.cast(pl.String).to_list() == ["c", "a", None, "c"]
