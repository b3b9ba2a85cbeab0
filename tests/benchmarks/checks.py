"""A check of a run against its answers, and a check of a table against its metrics."""

from __future__ import annotations

import numpy as np
import polars as pl

from runlineage import check, evaluate
from tests.benchmarks.tables import best, facts

WRONG = (2.0, 4 / 3, 7.0)  # times too much: two with a cause that fits, and one without


def ratios(rows: int, rounds: int) -> list[tuple[str, float, float, str]]:
    """Measure tables in memory: one whose figures all agree, and one of which a tenth of the rows contradicts."""
    rows = min(rows, 1_000_000)
    given = facts(rows)
    table = pl.DataFrame(given)
    draw = np.random.default_rng(5)
    times = np.where(draw.random(rows) < 0.1, draw.choice(WRONG, rows), 1.0)
    spoilt = pl.DataFrame({**given, "training_ops": given["training_ops"] * times})
    answered = best(lambda: evaluate(table), rounds)
    against = "the four metrics of them"
    return [
        (f"check of {rows:.0e} rows", best(lambda: check(table), rounds) / answered, 5.0, against),
        ("check, 10 % contradict", best(lambda: check(spoilt), rounds) / answered, 5.0, against),
    ]
