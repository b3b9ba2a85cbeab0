"""How the columns of a table file are named: mapped one by one, or by whose layout it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from runlineage.catalogs.base.errors import echo, refuse

if TYPE_CHECKING:
    import polars as pl

PRESETS = ("epoch", "codecarbon")
ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", help="FIELD=HEADER, such as 'duration (hour)=Time': a fact's column; repeatable."),
]
FromOption = Annotated[str, typer.Option("--from", help=f"Whose layout the table has: {' or '.join(PRESETS)}.")]
HardwareOption = Annotated[
    str | None, typer.Option("--hardware", help="Epoch's hardware file, for parts that the catalog does not hold.")
]


def columns_of(pairs: Iterable[str] | None) -> dict[str, str]:
    """Read pairs of a field and a header.

    >>> print(columns_of(["accelerator_hours=GPU hours", "duration (hour)=Time"]))
    {'accelerator_hours': 'GPU hours', 'duration (hour)': 'Time'}
    """
    found: dict[str, str] = {}
    for pair in pairs or ():
        fact, equals, header = pair.partition("=")
        if not equals:
            refuse("--column", f"is {echo(pair)}", "write FIELD=HEADER, such as 'accelerator_hours=GPU hours'")
        if fact.strip() in found:
            refuse("--column", f"gives {fact.strip()} twice", "keep one")
        found[fact.strip()] = header
    return found


def preset_of(
    table: pl.LazyFrame, preset: str, hardware: str | None, path: str = "the table", *, estimates: bool = False
) -> pl.LazyFrame:
    """Return the facts of a table that somebody else laid out; `estimates` serve where figures are compared."""
    if hardware and preset != "epoch":
        refuse("--hardware", "is of a preset", "add --from epoch")
    if not preset:
        return table
    if preset not in PRESETS:
        refuse("--from", f"{echo(preset)} is unknown", f"there are {', '.join(PRESETS)}")
    if preset == "codecarbon":
        from runlineage.dataflow.codecarbon.emissions import facts_of as measured

        return measured(table.collect(), path).lazy()
    from runlineage.dataflow.epoch.epoch import facts_of
    from runlineage.dataflow.tables.files import scan

    parts = scan(hardware).collect() if hardware else None
    return facts_of(table.collect(), parts, estimates=estimates).lazy()


@dataclass(frozen=True)
class Layout:
    """How a table's columns are named: by a mapping of fields to headers, and by whose layout it has."""

    columns: Mapping[str, str] = field(default_factory=dict)
    preset: str = ""
    hardware: str | None = None
    estimates: bool = False

    def is_measured(self, path: str) -> bool:
        """Whether a table is codecarbon's: it says so, or its columns do and nobody maps them."""
        from runlineage.dataflow.codecarbon.emissions import names_emissions

        return self.preset == "codecarbon" or (self == NO_LAYOUT and names_emissions(path))

    def of(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Return the table with its facts."""
        return preset_of(table, self.preset, self.hardware, estimates=self.estimates)


NO_LAYOUT = Layout()
