"""Hamilton's adapters on our graph: `Driver.hamilton` takes them and gives the plain Hamilton driver.

Here a progress bar of Hamilton's (on stderr) and a hook of your own, which times each node.

It prints:

    parameters_per_token ran
    training_operations ran
    achieved_rate ran
    achieved_rate 99.2721 TFLOP/s per accelerator
"""

import time
from typing import Any

from hamilton.lifecycle import NodeExecutionHook
from hamilton.plugins.h_rich import RichProgressBar
from rich.console import Console

from picture import draw_if_asked
from runlineage import Driver, graph_inputs, people

FACTS = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": "1,082,990"}


class Stopwatch(NodeExecutionHook):
    """Note the time that every node takes."""

    def __init__(self) -> None:
        self.started: dict[str, float] = {}
        self.seconds: dict[str, float] = {}

    def run_before_node_execution(self, *, node_name: str, **_: Any) -> None:
        """Start the clock of a node."""
        self.started[node_name] = time.perf_counter()

    def run_after_node_execution(self, *, node_name: str, **_: Any) -> None:
        """Stop it."""
        self.seconds[node_name] = time.perf_counter() - self.started[node_name]


if __name__ == "__main__":
    driver, watch = Driver(subject="BLOOM"), Stopwatch()
    bar = RichProgressBar(console=Console(stderr=True))
    answer = driver.hamilton("achieved_rate", FACTS, bar, watch).execute(["achieved_rate"], inputs=graph_inputs(FACTS))
    for name, seconds in watch.seconds.items():
        print(name, "ran" if seconds > 0 else "did not run")
    print("achieved_rate", people(answer["achieved_rate"].to("TFLOP/s/accelerator")))
    draw_if_asked(driver.lineage("achieved_rate", FACTS))
