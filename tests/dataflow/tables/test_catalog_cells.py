"""What the words of a row say of its quantities is what a scenario takes from them."""

from __future__ import annotations

import polars as pl
import pytest

from runlineage import Accelerators, InputError, PublishedRunScenario
from runlineage.catalogs.quantities.fields import WORDS
from runlineage.dataflow.tables.catalog_cells import looked_up, missing_record


def of_scenario(key: str, precision: str | None) -> tuple[float | None, float | None, str | None]:
    """Give peak, design power and refusal of a part as a scenario has them."""
    try:
        graph, said = PublishedRunScenario(accelerator=key, precision=precision).inputs.graph, None
    except InputError as problem:
        graph, said = PublishedRunScenario(accelerator=key).inputs.graph, str(problem.faults[0])
    peak, tdp = (graph[name].magnitude if name in graph else None for name in ("peak_flops", "accelerator_tdp"))
    return (None if said else peak), tdp, said


def test_the_peak_and_power_of_every_accelerator_at_every_precision_are_the_scenarios() -> None:
    keys, precisions = list(Accelerators), [None, *WORDS["precision"].choices]
    parts = pl.DataFrame({"key": keys}).join(
        pl.DataFrame({"precision": pl.Series(precisions, dtype=pl.String)}), how="cross"
    )
    both = pl.col("key"), pl.col("precision")
    found = parts.with_columns(
        looked_up("peak_flops", *both).alias("peak_flops"),
        looked_up("accelerator_tdp", *both).alias("accelerator_tdp"),
        missing_record("peak_flops", *both).alias("said"),
    )
    for row in found.iter_rows(named=True):
        assert (row["peak_flops"], row["accelerator_tdp"], row["said"]) == of_scenario(row["key"], row["precision"])


def test_rows_without_a_known_accelerator_have_no_peak_and_keep_their_place() -> None:
    parts = pl.DataFrame({"key": [None, "V100_SXM2_32GB", None, "A100_SXM4_80GB"], "precision": ["bf16", None] * 2})
    both = pl.col("key"), pl.col("precision")
    found = parts.select(
        looked_up("peak_flops", *both).alias("peak"),
        missing_record("peak_flops", *both).alias("said"),
    )
    assert found["peak"].to_list() == [None, pytest.approx(125e12), None, pytest.approx(312e12)]
    assert found["said"].to_list() == [None] * 4
