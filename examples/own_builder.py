"""Our modules in your own Hamilton builder.

`routes` resolves which way leads to each output and gives it as Hamilton config; `graph_inputs` reads facts as people
write them. The driver is Hamilton's own, with everything that it can do.

It prints:

    achieved_rate_route: accelerator_time
    energy_route: power_time
    parameters_per_token_route: total
    training_operations_route: parameter_token
    achieved_rate = 99.2721 TFLOP/s per accelerator
    energy = 433.196 MWh
"""

from hamilton import driver

from picture import draw_if_asked
from runlineage import Driver, graph_inputs, metrics, people, routes

FACTS = {
    "parameters": "176.247B",
    "training_tokens": "366B",
    "accelerator_hours": "1,082,990 GPU hours",
    "device_power": "400 W",
}
OUTPUTS = ["achieved_rate", "energy"]

if __name__ == "__main__":
    config = routes(metrics, FACTS, OUTPUTS)
    built = driver.Builder().with_modules(metrics).with_config(config).build()
    answer = built.execute(OUTPUTS, inputs=graph_inputs(FACTS))  # in coherent units: flop/s/accelerator, J
    for name, route in config.items():
        if route != "supplied":
            print(f"{name}: {route}")
    print("achieved_rate =", people(answer["achieved_rate"].to("TFLOP/s/accelerator")))
    print("energy =", people(answer["energy"].to("MWh")))
    draw_if_asked(Driver(metrics, subject="BLOOM").lineage(OUTPUTS, FACTS))
