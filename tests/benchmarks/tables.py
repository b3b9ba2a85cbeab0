"""Tables against bare NumPy arithmetic, one scenario a row, and copying the finished file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from runlineage import PublishedRunScenario, evaluate
from runlineage.dataflow import metrics
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.tables import metric_columns as expressions

METRICS = ("training_operations", "achieved_rate", "energy", "peak_fraction")
STREAM = """
import sys, time
import polars as pl
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables.request import TableRequest
from runlineage.dataflow.tables.files import scan, sink
from runlineage.visualizations.command_line.table_command import run_table
what, source, target = sys.argv[1:]
start = time.perf_counter()
if what == "answer":
    run_table(source, target, TableRequest.of(tuple(METRICS), ()), strict=False, preset="", hardware=None)
else:
    sink(scan(source), target)
# Of this program alone: ru_maxrss would tell of the process that started it.
peak = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(time.perf_counter() - start, float(peak[0]) / 1e6 if peak else float("nan"))
"""


def facts(rows: int) -> dict[str, Any]:
    """Draw plausible runs, the same every time."""
    draw = np.random.default_rng(0).uniform
    found = {
        "parameters": draw(1e9, 5e11, rows),
        "training_tokens": draw(1e11, 2e13, rows),
        "accelerator_hours": draw(1e7, 3e8, rows),
        "device_power": draw(300, 700, rows),
        "peak_flops": draw(1e4, 1e5, rows),
    }
    count = draw(1e4, 1e5, rows)  # so that no run lasts longer than the band of durations
    more = {
        "training_ops": 6.0 * found["parameters"] * found["training_tokens"],
        "accelerator_count": count,
        "duration (day)": found["accelerator_hours"] / count / 24,
    }
    return found | more


def arithmetic(given: dict[str, Any]) -> Callable[[], object]:
    """Give the bare arithmetic on whole columns: no units, no routes, no checks."""

    def bare() -> object:
        work = 6.0 * given["parameters"] * given["training_tokens"]
        rate = work / (given["accelerator_hours"] * 3600.0) / 1e12
        return work, rate, given["accelerator_hours"] * given["device_power"] / 1e9, rate / given["peak_flops"]

    return bare


def holed(given: dict[str, Any]) -> pl.DataFrame:
    """Leave out facts in twelve patterns, shuffled over the rows."""
    rows = len(given["parameters"])
    pattern = np.random.default_rng(1).integers(0, 12, rows)
    without = {
        "parameters": (0, 1, 2), "training_tokens": (3, 4), "training_ops": (5, 6, 7), "accelerator_hours": (0, 3, 8),
        "device_power": (1, 5, 9), "peak_flops": (2, 6, 10), "accelerator_count": (4, 8, 11), "duration (day)": (7, 9),
    }  # fmt: skip
    return pl.DataFrame(
        {
            name: pl.Series(np.where(np.isin(pattern, patterns), np.nan, given[name])).fill_nan(None)
            for name, patterns in without.items()
        }
    )


def messy(given: dict[str, Any], *, own: bool) -> dict[str, Any]:
    """Spoil a fact in a tenth of the rows: by the same few numbers, or each by a number of its own."""
    rows = len(given["parameters"])
    draw = np.random.default_rng(2)
    place = np.where(draw.random(rows) < 0.1, draw.integers(0, 4, rows), -1)
    bad = {"parameters": 0.5, "accelerator_hours": -1.0, "device_power": 0.1, "peak_flops": -5.0}
    spoilt = {name: np.where(place == at, number * (given[name] if own and number < 0 else 1.0), given[name])
              for at, (name, number) in enumerate(bad.items())}  # fmt: skip
    return {**given, **spoilt}


def unknown(given: dict[str, Any]) -> dict[str, Any]:
    """Leave out six facts in all their 64 patterns, as NaN."""
    pattern = np.random.default_rng(3).integers(0, 64, len(given["parameters"]))
    return {name: np.where(pattern >> place & 1, np.nan, column) for place, (name, column) in enumerate(given.items())}


def best(function: Callable[[], object], rounds: int) -> float:
    """Give the best wall-clock time of some rounds, which use both cores where the engine does."""
    found = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        found = min(found, time.perf_counter() - start)
    return found


def ratios(rows: int = 10_000_000, rounds: int = 5) -> list[tuple[str, float, float, str]]:
    """Measure tables in memory."""
    given = facts(rows)
    plain = {name: given[name] for name in list(given)[:5]}
    polars = pl.DataFrame(plain)
    frame = pd.DataFrame(plain)
    numpy = best(arithmetic(given), rounds)
    one = best(lambda: evaluate(polars), rounds)
    few = [{name: float(column[row]) for name, column in plain.items()} for row in range(min(rows, 50))]
    scenarios = best(lambda: [PublishedRunScenario(**row).results() for row in few], 2) / len(few)
    patterns = holed(given)
    names = {name.partition(" ")[0] for name in given} | {"active_parameters", "accelerator_tdp"}
    book = read_routes(metrics)

    def express() -> object:
        expressions._columns_of.cache_clear()
        return expressions.columns_of((metrics,), book, METRICS, frozenset(names), frozenset(book.assumptions))

    size = f"{rows:.0e} rows"
    return [
        (f"Polars, {size}, one pattern", one / numpy, 1.0, "bare NumPy arithmetic"),
        (f"pandas, {size}, one pattern", best(lambda: evaluate(frame), rounds) / numpy, 1.5, "the same"),
        (f"Polars, {size}, twelve patterns", best(lambda: evaluate(patterns), rounds) / numpy, 3.0, "the same"),
        *_real(given, numpy, min(rounds, 2)),
        (
            "rows a second, times a scenario a row",
            scenarios / (one / rows),
            5000.0,
            "at least; one scenario object a row",
        ),
        ("expressions, every assumption on", best(express, 5) * 1e3, 5.0, "milliseconds"),
    ]


def _real(given: dict[str, Any], numpy: float, rounds: int) -> list[tuple[str, float, float, str]]:
    """Measure rows with problems and with missing facts, as real tables have them."""
    plain = {name: given[name] for name in list(given)[:5]}
    cases = {
        "a problem in 10 %": (messy(plain, own=False), 1.2, 3.0),
        "10 % with a number of its own": (messy(plain, own=True), 1.2, 3.0),
        "64 patterns of NaN": (unknown(plain | {"accelerator_count": given["accelerator_count"]}), 5.0, 5.0),
    }
    found = []
    for name, (columns, most_polars, most_pandas) in cases.items():
        polars, pandas = pl.DataFrame(columns), pd.DataFrame(columns)
        found.append((f"Polars, {name}", best(lambda: evaluate(polars), rounds) / numpy, most_polars, "the same"))  # noqa: B023
        found.append((f"pandas, {name}", best(lambda: evaluate(pandas), rounds) / numpy, most_pandas, "the same"))  # noqa: B023
    return found


def streaming(rows: int) -> list[tuple[str, float, float, str]]:
    """Measure a file that streams through, each time in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in"
        source.mkdir()
        for part in range(0, rows, 10_000_000):
            size = min(10_000_000, rows - part)
            plain = dict(list(facts(size).items())[:5])
            pl.DataFrame(plain).write_parquet(source / f"{part:012}.parquet", row_group_size=500_000)

        def run(what: str, *paths: Path) -> tuple[float, float]:
            command = [sys.executable, "-c", STREAM, what, *map(str, paths)]
            seconds, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            return float(seconds), float(memory)

        answered, memory = run("answer", source, Path(folder) / "out.parquet")
        copied, _ = run("copy", Path(folder) / "out.parquet", Path(folder) / "copy.parquet")
    size = f"{rows:.0e} rows of Parquet"
    return [
        (f"streaming {size}", answered / copied, 1.5, "scanning and sinking the finished columns"),
        (f"peak memory, {size}", memory, 1.0, "GB"),
    ]
