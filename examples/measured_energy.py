"""Replacing one metric: your node takes the place of ours of that name, with all that builds on it.

Our `energy` multiplies hours by one power. Here a meter has recorded power over time, so yours integrates it; ours is
not in the graph any more, and no route of ours to it is asked.

It prints:

    energy = 304 kWh
    our route to energy: none, yours is its only one
"""

import numpy as np

from picture import draw_if_asked
from runlineage import Driver, as_quantity, kinds, metrics, people

METER = {"hours": np.array([0.0, 1.0, 2.0, 3.0]), "kilowatts": np.array([90.0, 104.0, 110.0, 90.0])}


def energy(hours: np.ndarray, kilowatts: np.ndarray) -> kinds.Energy:
    """Integrate the metered power of the whole job, trapezoid by trapezoid.

    energy = ∫ kilowatts d hours
    """
    metered = ((kilowatts[1:] + kilowatts[:-1]) / 2 * np.diff(hours)).sum()
    return as_quantity(f"{metered} kWh", field="energy")


if __name__ == "__main__":
    import __main__ as mine

    driver = Driver(metrics, mine, subject="a metered job")
    print("energy =", people(driver.execute("energy", METER)["energy"].to("kWh")))
    taken = driver.plan("energy", METER).route("energy")
    print(f"our route to energy: {taken or 'none, yours is its only one'}")
    draw_if_asked(driver.lineage("energy", METER))
