"""Nodes annotated with plain `pint.Quantity`, as an older module may have them, beside our kinds.

By itself Hamilton refuses every value for such a node. `Driver` adds the adapter `PlainQuantities` where a module is
yours; in your own builder you add it. Where a kind stands at the other end, values are looked at as the graph runs.

It prints:

    metered_energy = 0.476516 GWh
    in your own builder: 0.476516 GWh
    energy of runlineage.dataflow.metrics needs device_power as a power per accelerator, and got 400 watt
"""

import pint
from hamilton import driver

from picture import draw_if_asked
from runlineage import Driver, GraphError, PlainQuantities, as_quantity, graph_inputs, metrics, people

RATING = as_quantity("400 W", field="device_power")
FACTS = {"accelerator_hours": "1,082,990", "rating": RATING, "overhead": 1.1}


def device_power(rating: pint.Quantity) -> pint.Quantity:
    """Take a rating as it comes, of any dimension as far as the annotation tells.

    device_power = rating
    """
    return rating


def metered_energy(energy: pint.Quantity, overhead: float) -> pint.Quantity:
    """Scale an energy.

    metered_energy = energy × overhead
    """
    return energy * overhead


if __name__ == "__main__":
    import __main__ as mine

    ours = Driver(metrics, mine, subject="with an older module")
    print("metered_energy =", people(ours.execute("metered_energy", FACTS)["metered_energy"].to("GWh")))

    built = driver.Builder().with_modules(metrics, mine).with_adapters(PlainQuantities()).build()
    facts = graph_inputs({"accelerator_hours": "1,082,990"}) | {"rating": RATING, "overhead": 1.1}
    print("in your own builder:", people(built.execute(["metered_energy"], inputs=facts)["metered_energy"].to("GWh")))

    of_all = RATING * as_quantity("1 GPU", field="accelerator_count")  # watts, no longer of one device
    try:
        ours.execute("energy", FACTS | {"rating": of_all})
    except GraphError as refusal:
        print(refusal)
    draw_if_asked(ours.lineage("metered_energy", FACTS))
