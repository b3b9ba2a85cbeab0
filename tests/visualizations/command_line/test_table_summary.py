"""The summary of a table: the same for the same rows, however they stream by."""

from __future__ import annotations

from runlineage.visualizations.command_line.table_summary import Tally


def test_problems_that_are_as_common_stand_by_name() -> None:
    tally = Tally(["energy"])
    for said in ("b", "c", "a", "c"):
        tally.problems[said] += 1
    assert [line.strip() for line in tally.text().splitlines()[2:]] == ["2 × c", "1 × a", "1 × b"]
