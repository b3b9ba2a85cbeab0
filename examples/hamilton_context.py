"""What the `hamilton` command line needs to know of our module: the config of the routes, outputs and inputs.

`hamilton view --context examples/hamilton_context.py dataflow/metrics.py` draws the graph in Hamilton's own style.
"""

from runlineage import graph_inputs, metrics, routes

FACTS = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": "1,082,990", "device_power": "400 W"}

HAMILTON_FINAL_VARS = ["training_operations", "achieved_rate", "energy"]
HAMILTON_CONFIG = routes(metrics, FACTS, HAMILTON_FINAL_VARS)
HAMILTON_INPUTS = graph_inputs(FACTS)
HAMILTON_OVERRIDES = {}
