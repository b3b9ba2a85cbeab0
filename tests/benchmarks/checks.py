"""A check of a run against its answers, and a check of a table against its metrics."""

from __future__ import annotations

import polars as pl

from runlineage import check, evaluate
from tests.benchmarks.tables import best, facts


def ratios(rows: int, rounds: int) -> list[tuple[str, float, float, str]]:
    """Measure tables in memory."""
    rows = min(rows, 1_000_000)
    table = pl.DataFrame(facts(rows))
    answered = best(lambda: evaluate(table), rounds)
    return [
        (f"check of {rows:.0e} rows", best(lambda: check(table), rounds) / answered, 5.0, "the four metrics of them")
    ]
