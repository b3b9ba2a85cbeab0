"""What the words of a row say of its quantities: figures of its accelerator, its region, or of the word itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl

from runlineage.catalogs.catalog import Accelerators, Grids
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.inputs.lookups import FROM_WORDS

LOOKED_UP = {  # facts that a record of the catalog holds: the words that name the record, and the figure in it
    "peak_flops": ("accelerator", "precision"),
    "accelerator_tdp": ("accelerator", "precision"),
    "carbon_intensity": ("region", "year"),
}


def counted(name: str, word: pl.Expr) -> pl.Expr:
    """Return what a word says of one of the graph's numbers; null where it says nothing of it."""
    sizes = next(sizes for number, sizes in FROM_WORDS.values() if number == name)
    field = FIELDS[name]
    found = {said: float(coherent(quantity(size, field.unit), field.kind).magnitude) for said, size in sizes.items()}
    return word.replace_strict(found, default=None, return_dtype=pl.Float64)


def looked_up(name: str, record: pl.Expr, choice: pl.Expr) -> pl.Expr:
    """Return a fact that a record of the catalog holds, in coherent units.

    That is the peak or the TDP of each row's accelerator at its precision, or the intensity of its region in its year.
    """
    return _of_each(record, choice, partial(_of_part, name), pl.Float64())


def missing_record(name: str, record: pl.Expr, choice: pl.Expr) -> pl.Expr:
    """Explain where a part has no peak at the stated precision, or a region no intensity in the stated year."""
    refuse = {"peak_flops": _no_peak, "accelerator_tdp": _no_power, "carbon_intensity": _no_intensity}[name]
    return _of_each(record, choice, refuse, pl.String())


def _of_each(record: pl.Expr, choice: pl.Expr, read: Callable[[str, str | None], Any], dtype: pl.DataType) -> pl.Expr:
    """Read each distinct pair of a record's key and a choice once; null where no record is named."""

    def find(cells: pl.Series) -> pl.Series:
        pairs = cells.struct.unnest()
        known = pairs.unique().drop_nulls("record")
        found = pl.Series("found", [read(*row) for row in known.iter_rows()], dtype=dtype)
        table = known.with_columns(found)
        return pairs.join(table, on=["record", "choice"], how="left", nulls_equal=True, maintain_order="left")["found"]

    both = pl.struct(record.alias("record"), choice.alias("choice"))
    return both.map_batches(find, dtype, is_elementwise=True)


def _of_part(name: str, key: str, choice: str | None) -> float | None:
    if name == "carbon_intensity":
        found = Grids[key].intensity(int(choice)) if choice else None
    else:
        node = Accelerators[key]
        found = node.tdp if name == "accelerator_tdp" else node.peak(choice or "")
    if found is None or found.value is None:
        return None
    return float(coherent(found.value, FIELDS[name].kind).magnitude)


def _no_peak(key: str, precision: str | None) -> str | None:
    node = Accelerators[key]
    reason = node.no_peak(precision or "") if precision or node.missing("peak") else ""
    return (f"precision: {reason}" if precision else f"accelerator: {reason}") if reason else None


def _no_power(key: str, _: str | None) -> str | None:
    node = Accelerators[key]
    members = node.missing("tdp")
    return f"accelerator: {node.name} may be any of several parts, whose TDPs differ: {members}" if members else None


def _no_intensity(key: str, year: str | None) -> str | None:
    grid = Grids[key]
    is_held = year is None or grid.intensity(int(year))
    return None if is_held else f"year: {year} is not held for {grid.name}; held: {grid.held}"
