"""Your module beneath ours: a node of yours makes one of our facts, here from a cluster's job log.

`as_quantity` brings a number with its unit into ours; the field's rules (above zero, finite, of the kind) hold for it.

It prints:

    accelerator_hours = 30,720 accelerator·hour
    energy = 0.010752 GWh
"""

import pandas as pd

from picture import draw_if_asked
from runlineage import Driver, as_quantity, kinds, metrics

JOBS = pd.DataFrame(
    {
        "job": ["train-1", "train-2", "evaluate"],
        "state": ["COMPLETED", "NODE_FAIL", "COMPLETED"],
        "gpus": [512, 512, 8],
        "elapsed": pd.to_timedelta(["48h", "12h", "3h"]),
    }
)


def accelerator_hours(job_log: pd.DataFrame) -> kinds.AcceleratorTime:
    """Sum the device time of all training jobs, those that failed too: they drew power.

    accelerator_hours = Σ gpus × elapsed of the jobs named train
    """
    train = job_log[job_log["job"].str.startswith("train")]
    hours = (train["gpus"] * train["elapsed"].dt.total_seconds()).sum() / 3600
    return as_quantity(float(hours), field="accelerator_hours")


if __name__ == "__main__":
    import __main__ as mine

    driver = Driver(metrics, mine, subject="two jobs of a log")
    facts = {"job_log": JOBS, "device_power": "350 W"}
    answer = driver.execute(["accelerator_hours", "energy"], facts)
    print(answer.result("accelerator_hours"))
    print(answer.result("energy"))
    draw_if_asked(driver.lineage("energy", facts))
