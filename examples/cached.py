"""Hamilton's cache: a quantity has the same fingerprint in every process, another for another number or unit.

The second run, in a process of its own, takes every result from the cache. Give a folder to keep the cache in.

It prints:

    first run: computed achieved_rate, parameters_per_token, training_operations
    second run: computed nothing
"""

import subprocess
import sys
import tempfile

from hamilton import driver

from picture import draw_if_asked
from runlineage import Driver, graph_inputs, metrics, routes

FACTS = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": "1,082,990"}
CONFIG = routes(metrics, FACTS, "achieved_rate")


def computed(folder: str) -> list[str]:
    """Run the graph over a cache, and name the nodes that it did not hold."""
    built = driver.Builder().with_modules(metrics).with_config(CONFIG).with_cache(path=folder).build()
    built.execute(["achieved_rate"], inputs=graph_inputs(FACTS))
    logs = built.cache.logs(built.cache.last_run_id, level="debug")
    return sorted(name for name, events in logs.items() if any(e.event_type.value == "execute_node" for e in events))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--cache"]:
        print("computed", ", ".join(computed(sys.argv[2])) or "nothing")
        sys.exit()
    with tempfile.TemporaryDirectory() as folder:
        for run in ("first", "second"):
            said = subprocess.check_output([sys.executable, __file__, "--cache", folder], text=True)
            print(f"{run} run: {said}", end="")
    draw_if_asked(Driver(subject="BLOOM").lineage("achieved_rate", FACTS))
