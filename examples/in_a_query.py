"""Our nodes within a query of your own: `expressions` gives metrics as Narwhals expressions, in any of its engines.

The same expressions go into a lazy Polars frame and into a DuckDB relation, which turns them into SQL. A row takes the
first route whose facts it has: the first row's operations are stated, the second's modeled.

It prints:

    Polars [('GPT-3', None, 24.5558), ('BLOOM', 0.433196, 99.2721)]
    DuckDB [('GPT-3', None, 24.5558), ('BLOOM', 0.433196, 99.2721)]
"""

import duckdb
import narwhals as nw
import polars as pl

from picture import draw_if_asked
from runlineage import Driver, expressions

MODELS = pl.DataFrame(
    {
        "model": ["GPT-3", "BLOOM"],
        "flop": [3.14e23, None],
        "billions": [175.0, 176.247],
        "tokens": [300e9, 366e9],
        "gpu_hours": [3_552_000.0, 1_082_990.0],
        "watts": [None, 400.0],
    }
)
COLUMNS = {
    "training_ops": "flop",
    "parameters (B)": "billions",
    "training_tokens": "tokens",
    "accelerator_hours": "gpu_hours",
    "device_power (W)": "watts",
}

if __name__ == "__main__":
    found = expressions(["energy", "achieved_rate"], COLUMNS)
    asked = ["model", *(each.round(6) for each in found.values())]

    lazy = nw.from_native(MODELS.lazy()).select(*asked).to_native()
    print("Polars", [(name, energy, round(rate, 4)) for name, energy, rate in lazy.collect().rows()])

    relation = nw.from_native(duckdb.from_arrow(MODELS.to_arrow())).select(*asked).to_native()
    print("DuckDB", [(name, energy, round(rate, 4)) for name, energy, rate in relation.fetchall()])

    bloom = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": 1_082_990, "device_power": 400}
    draw_if_asked(Driver(subject="the second row").lineage(["energy", "achieved_rate"], bloom))
