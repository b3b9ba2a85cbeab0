"""The summary of a table: the same for the same rows, however they stream by."""

from __future__ import annotations

import polars as pl

from runlineage.visualizations.command_line.table_summary import ROW, Tally


def test_problems_that_are_as_common_stand_by_name() -> None:
    tally = Tally(["energy"])
    for said in ("b", "c", "a", "c"):
        tally.problems[said] += 1
    assert [line.strip() for line in tally.text().splitlines()[2:]] == ["2 × c", "1 × a", "1 × b"]


def test_the_preview_has_the_first_rows_in_whatever_order_pieces_come() -> None:
    tally = Tally(["energy"], shown=3)
    for first in (4, 0, 2, 6):
        tally._show(pl.DataFrame({ROW: [first, first + 1], "shown model": [f"m{first}", f"m{first + 1}"]}))
    assert tally.first is not None
    assert tally.first["model"].to_list() == ["m0", "m1", "m2"]


def test_the_preview_has_units_in_which_small_answers_read_well() -> None:
    tally = Tally(["energy"])
    tally._show(pl.DataFrame({ROW: [0, 1], "shown model": ["tiny", "none"], "shown energy (GWh)": [1.28e-5, None]}))
    assert tally.preview().splitlines() == ["model  energy (kWh)", "tiny   12.8", "none   –"]
