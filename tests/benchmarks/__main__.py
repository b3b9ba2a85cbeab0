"""Print every ratio with its baseline and the bound it is held to."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from runlineage import Driver, graph_inputs, metrics
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.routes.book import read_routes
from tests.benchmarks import checks, files, tables

FACTS = {
    "parameters": quantity(405e9, "parameter"),
    "training_tokens": quantity(15.6e12, "token"),
    "accelerator_hours": quantity(30.84e6, "accelerator*hour"),
    "device_power": quantity(700.0, "W/accelerator"),
    "peak_flops": quantity(989.4, "TFLOP/s/accelerator"),
}
OUTPUTS = ("training_operations", "achieved_rate", "energy", "peak_fraction")
BASELINE = ("-c", "import hamilton.driver, pint; pint.UnitRegistry()")


def cpu_of(*arguments: str) -> float:
    """Measure the CPU seconds of one process, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processes(repeats: int) -> dict[str, float]:
    """Measure whole processes in turn, so that noise falls on all alike, and give medians."""
    commands = {
        "baseline": BASELINE,
        "show": ("-m", "runlineage", "show", "Gpt3PublishedRun"),
        "check": ("-m", "runlineage", "check", "Gpt3PublishedRun"),
        "import": ("-c", "import runlineage"),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            times[name].append(cpu_of(*command))
    return {name: statistics.median(each) for name, each in times.items()}


def per_call(function: Callable[[], object], calls: int, rounds: int) -> float:
    """Give the best mean time of a call over several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            function()
        best = min(best, (time.process_time() - start) / calls)
    return best


def bare_calls() -> Callable[[], object]:
    """Give the node functions called by hand, with their results in published units."""
    given = graph_inputs(FACTS)

    def bare() -> object:
        per_token = metrics.parameters_per_token__total(given["parameters"])
        work = metrics.training_operations__parameter_token(per_token, given["training_tokens"])
        rate = metrics.achieved_rate__accelerator_time(work, given["accelerator_hours"])
        used = metrics.energy__power_time(given["accelerator_hours"], given["device_power"])
        share = metrics.peak_fraction(rate, given["peak_flops"])
        return work.to("flop"), rate.to("TFLOP/s/accelerator"), used.to("GWh"), share.to("")

    return bare


def main(repeats: int = 9, calls: int = 400, rows: int = 10_000_000, streamed: tuple[int, ...] = (10_000_000,)) -> None:
    """Measure and print."""
    times = processes(repeats)
    driver, book = Driver(), read_routes(metrics)
    bare = per_call(bare_calls(), calls, repeats)
    warm = per_call(lambda: driver.execute(OUTPUTS, FACTS), calls, repeats)
    supplied = frozenset(FACTS)
    resolve = per_call(lambda: book.resolve(supplied, OUTPUTS, frozenset()), calls, repeats)
    table = [
        (
            "show Gpt3PublishedRun, whole process",
            times["show"] / times["baseline"],
            1.25,
            "CPU of importing hamilton.driver and pint.UnitRegistry()",
        ),
        ("check Gpt3PublishedRun, whole process", times["check"] / times["show"], 1.3, "show Gpt3PublishedRun"),
        ("import runlineage", times["import"] / times["baseline"], 0.25, "the same"),
        ("four metrics by a warm driver", warm / bare, 3.0, "bare function calls with .to(published unit)"),
        ("resolving routes, signatures read", resolve * 1e6, 100.0, "microseconds"),
    ]
    table += tables.ratios(rows, min(repeats, 5))
    table += checks.ratios(rows, min(repeats, 3))
    table += files.ratios(min(rows, 2_000_000), min(repeats, 5))
    for size in streamed:
        table += tables.streaming(size)
    print(f"{'what':<40} {'measured':>9} {'bound':>8}  against")
    for what, value, bound, against in table:
        print(f"{what:<40} {value:>9,.2f} {bound:>8,.2f}  {against}")


if __name__ == "__main__":
    # `make bench ROWS=1e8` streams that many rows as well.
    main(streamed=tuple(int(float(each)) for each in sys.argv[1:]) or (10_000_000,))
