"""A table checked: its comparisons ranked by how badly they contradict, and a summary by cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError, refuse
from runlineage.catalogs.quantities.formatting import ratio_text
from runlineage.dataflow.checks.compared import AGREE, CLOSE, CONTRADICT
from runlineage.dataflow.tables.check_rows import ADDED, check
from runlineage.dataflow.tables.files import explained, scan, sink
from runlineage.visualizations.columns import aligned
from runlineage.visualizations.command_line.presets import Layout

ROW = "row"
WORST = 10
LONGEST_NAME = 32


@dataclass(frozen=True)
class CheckedTable:
    """The comparisons of a table, the worst first; `names` is the column that tells its rows apart for people."""

    rows: int
    found: pl.DataFrame
    names: str

    @property
    def contradictions(self) -> pl.DataFrame:
        """The comparisons that contradict."""
        return self.found.filter(pl.col("verdict") == CONTRADICT)


def checked(source: str, target: str | None, layout: Layout, assume: list[str]) -> CheckedTable:
    """Check a table file, and write one row for each comparison where a target is named."""
    if target is not None and Path(target).exists() and Path(source).exists() and Path(target).samefile(source):
        refuse("-o", f"is the table itself, {target}", "name another file: rows without a comparison would be lost")
    with explained(source):
        table = layout.of(scan(source))
        own = table.collect_schema().names()
        taken = [name for name in (ROW, *ADDED) if name in own]
        if taken:
            cure = "rename it: the check needs the name"
            raise InputError(tuple(Fault(f"column {name!r}", "is there already", cure) for name in taken))
        numbered = table.with_row_index(ROW, offset=1)
        rows = table.select(pl.len()).collect(engine="streaming").item()
        found = check(numbered, assume, layout.columns).collect(engine="streaming")
        ranked = found.sort("badness", ROW, "comparison", descending=[True, False, False])
        if target is not None:
            sink(ranked.lazy(), target)
        return CheckedTable(rows, ranked, own[0] if own else ROW)


def summary(table: CheckedTable) -> str:
    """Write what a check of a table found: counts, contradictions by cause, and the rows that are worst.

    >>> import polars as pl
    >>> rows = pl.DataFrame({"row": [1], "training_ops": [4.3e23], "parameters": [175e9], "training_tokens": [300e9]})
    >>> print(summary(CheckedTable(1, check(rows), "row")).splitlines()[0])
    1 row, 1 comparison in 1 of them: 0 agree, 0 are close, 1 contradicts
    """
    found, wrong = table.found, table.contradictions
    agree, close = (found.filter(pl.col("verdict") == word).height for word in (AGREE, CLOSE))
    compared = found[ROW].n_unique() if found.height else 0
    head = (
        f"{_many(table.rows, 'row')}, {_many(found.height, 'comparison')} in {compared:,} of them: "
        f"{agree:,} agree, {close:,} are close, {wrong.height:,} contradict{'s' if wrong.height == 1 else ''}"
    )
    return "\n\n".join(filter(None, (head, _by_cause(wrong), _worst(wrong, table.names))))


def as_document(table: CheckedTable) -> Mapping[str, object]:
    """Return stable keys: how many rows and comparisons, and the contradictions by cause."""
    return {
        "rows": table.rows,
        "comparisons": table.found.height,
        "contradictions": table.contradictions.height,
        "by_cause": _groups(table.contradictions).rename({"len": "rows"}).to_dicts(),
    }


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def _groups(wrong: pl.DataFrame) -> pl.DataFrame:
    keys = ["comparison", "cause"]
    return wrong.group_by(keys).len().sort("len", *keys, descending=[True, False, False])


def _by_cause(wrong: pl.DataFrame) -> str:
    rows = [(f"{count:,}", name, _cause(cause)) for name, cause, count in _groups(wrong).iter_rows()]
    return "contradictions by cause\n" + aligned(rows) if rows else ""


def _worst(wrong: pl.DataFrame, names: str) -> str:
    rows = [
        (
            f"row {row[ROW]:,}",
            str(row[names] or "")[:LONGEST_NAME],
            row["comparison"],
            f"{ratio_text(row['ratio'], 4)} times",
            _cause(row["cause"]),
        )
        for row in wrong.head(WORST).iter_rows(named=True)
    ]
    return "the worst\n" + aligned(rows) if rows else ""


def _cause(name: str | None) -> str:
    return name.replace("_", " ") if name else "no cause that is known fits"
