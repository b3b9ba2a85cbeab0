"""Table files against a Polars query written by hand for the same answers, routes and sentences."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl

from tests.benchmarks.tables import STREAM, facts

BANDS = {
    "parameters": (1.0, 1e60),
    "training_tokens": (1.0, 1e60),
    "accelerator_hours": (1e-60, 1e60),
    "device_power": (1.0, 2e4),
    "peak_flops": (1e-60, 1e6),
}
NEEDS = {
    "training_operations (flop)": ("parameters", "training_tokens"),
    "achieved_rate (TFLOP/s)": ("accelerator_hours", "parameters", "training_tokens"),
    "energy (GWh)": ("accelerator_hours", "device_power"),
    "peak_fraction": ("accelerator_hours", "parameters", "peak_flops", "training_tokens"),
}
ROUTES = pl.Enum(["parameter_token", "accelerator_time", "power_time", "only route"])


def by_hand(source: str, target: str) -> None:
    """Write the same answers without this package: bands, metrics, routes, and why a row has none."""
    is_text = source.endswith("csv")
    table = pl.scan_csv(source, infer_schema=False) if is_text else pl.scan_parquet(source)
    given = {name: pl.col(name).cast(pl.Float64, strict=False) for name in BANDS}
    held = {name: given[name].is_between(*band) for name, band in BANDS.items()}
    table = table.with_columns(pl.when(held[name]).then(given[name]).alias(f"fact {name}") for name in BANDS)
    fact = {name: pl.col(f"fact {name}") for name in BANDS}
    work = 6 * fact["parameters"] * fact["training_tokens"]
    rate = work / (fact["accelerator_hours"] * 3600) / 1e12
    energy = fact["accelerator_hours"] * fact["device_power"] / 1e9
    answers = dict(zip(NEEDS, (work, rate, energy, rate / fact["peak_flops"]), strict=True))
    table = table.with_columns(answer.alias(name) for name, answer in answers.items())
    routes = {
        f"{name.partition(' ')[0]} route": (name, route) for name, route in zip(NEEDS, ROUTES.categories, strict=True)
    }
    table = table.with_columns(
        pl.when(pl.col(name).is_not_null()).then(pl.lit(route, ROUTES)).alias(header)
        for header, (name, route) in routes.items()
    )
    refused = [
        pl.when(fact[name].is_null() & pl.col(name).is_not_null()).then(
            pl.format(f"{name}: {{}} cannot be", pl.col(name))
        )
        for name in BANDS
    ]
    lacks = [
        pl.when(pl.any_horizontal(fact[need].is_null() for need in needs)).then(
            pl.lit(f"{name} needs {', '.join(needs)}")
        )
        for name, needs in NEEDS.items()
    ]
    said = pl.concat_str(refused + lacks, separator=" | ", ignore_nulls=True)
    table = table.with_columns(pl.when(said != "").then(said).alias("problems"))
    table.select(*BANDS, *NEEDS, *routes, "problems").sink_parquet(target)


HAND = """
import sys, time
from tests.benchmarks.files import by_hand
start = time.perf_counter()
by_hand(*sys.argv[1:])
print(time.perf_counter() - start)
"""


def ratios(rows: int = 2_000_000, rounds: int = 5) -> list[tuple[str, float, float, str]]:
    """Measure files in turn with the query by hand, each time in a process of its own, and give medians of ratios."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        frame = pl.DataFrame(dict(list(facts(rows).items())[:5]))
        frame.write_parquet(Path(folder) / "in.parquet", row_group_size=500_000)
        frame.write_csv(Path(folder) / "in.csv")
        for kind, most in (("parquet", 1.0), ("csv", 1.3)):
            source = str(Path(folder) / f"in.{kind}")
            each = [
                _seconds(STREAM, "answer", source, f"{folder}/ours.parquet")
                / _seconds(HAND, source, f"{folder}/hand.parquet")
                for _ in range(rounds)
            ]
            named = {"parquet": "Parquet", "csv": "CSV"}[kind]
            found.append(
                (f"{named} to Parquet, {rows:.0e} rows", statistics.median(each), most, "a Polars query by hand")
            )
    return found


def _seconds(script: str, *arguments: str) -> float:
    done = subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])
