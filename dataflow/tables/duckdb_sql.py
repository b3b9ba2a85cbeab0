"""DuckDB's relations: facts, metrics and sentences as SQL over the relation, which stays as lazy as it came.

Numbers, routes and what a row needs are SQL alone; cells of text are read by functions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw
import polars as pl

from runlineage.dataflow.tables.duckdb_cells import CellReader, identifier, literal
from runlineage.dataflow.tables.fact_columns import FactColumns
from runlineage.dataflow.tables.headers import SEPARATOR
from runlineage.dataflow.tables.metric_columns import PREFIX
from runlineage.dataflow.tables.pandas_arrow import evaluate_arrow, from_arrow, plain, refuse_clashes
from runlineage.dataflow.tables.request import REMARKS, TableRequest
from runlineage.dataflow.tables.row_notes import RowNotes, missing_facts

FLAG = PREFIX + "flag "


def evaluate_duckdb(relation: Any, request: TableRequest) -> Any:
    """Return a relation of the same connection, in the same order, whose own columns keep their types; nothing runs.

    DuckDB before 2.0 gives no access to the connection of a relation, so that no functions can read cells: there
    a table with a column of text, or of a fact with a band of its own, is computed at the call, and so is a check.
    """
    names = relation.columns
    working = [name for name in names if name.lower().startswith(PREFIX)]
    inner, given = request.around_answers(names)
    refuse_clashes(names, [*(name for name in request.answers if name not in given), *working], str.lower)
    renamed = (
        relation.project(", ".join(_renamed(name, given.get(name) or name) for name in names)) if given else relation
    )
    facts = FactColumns(_schema(renamed, inner), inner)
    reader = CellReader(renamed, facts)
    laid = reader.serves and not inner.interval  # intervals are computed at the call
    return _laid(renamed, names, facts, reader) if laid else _computed(relation, request)


def _renamed(name: str, other: str) -> str:
    return f"{identifier(name)} as {identifier(other)}"


def _schema(relation: Any, request: TableRequest) -> pl.Schema:
    """Return the types of the columns that are used, as they are once DuckDB hands them over."""
    names = [header.header for header in request.headers(relation.columns)] + [REMARKS] * (REMARKS in relation.columns)
    if not names:
        return pl.Schema()
    empty = relation.project(", ".join(map(identifier, names))).limit(0).to_arrow_table()
    return pl.Schema({name: from_arrow(name, empty[name]).dtype for name in names})


def _laid(relation: Any, names: list[str], facts: FactColumns, reader: CellReader) -> Any:
    """Lay working columns over a relation, each step on the one before, and keep its own columns and the answers."""
    notes = RowNotes(facts)
    found = relation
    for step in (reader.plain(), reader.cells(), reader.facts()):
        found = _with(found, step)
    answered = facts.computed(found).with_columns(*notes.beside())
    if facts.request.checks:
        read = _with(answered.to_native(), reader.digits())
        answered = nw.from_native(read).with_columns(*facts.digits.of_comparisons())
    flags = {f"{FLAG}{place}": flag for place, flag in enumerate(notes.flags.values())}
    if flags:
        answered = answered.with_columns(*(flag.alias(name) for name, flag in flags.items()))
    raised = [
        f"case when {identifier(flag)} then {literal(message)} end"
        for flag, message in zip(flags, notes.flags, strict=True)
    ]
    remarks = [f"{identifier(REMARKS)}::varchar"] * (REMARKS in facts.schema)
    message = ", ".join(["null::varchar", *reader.refusals(), *remarks, *raised, *_lacks(facts)])
    kept = [
        _cast(name, "varchar") if name.endswith(" route") and name not in names else identifier(name)
        for name in dict.fromkeys([*names, *facts.request.answers[:-1]])
    ]
    return answered.to_native().project(
        f"{', '.join(kept)}, nullif(concat_ws({literal(SEPARATOR)}, {message}), '') as problems"
    )


def _lacks(facts: FactColumns) -> list[str]:
    """Describe what each metric needs, by a sentence for every pattern of the few facts that it rests on."""
    found: list[str] = []
    for name in () if facts.request.checks else facts.request.outputs:
        upstream = facts.request.book.upstream([name])
        varying = sorted(upstream & facts.available)
        bits = [f"{identifier(PREFIX + each)} is not null" for each in varying]
        if "sparse" in facts.words and "parameters" in upstream:
            bits.append(f"coalesce({identifier(PREFIX + 'sparse')} = 'True', false)")
        one = replace(facts.request, outputs=(name,))
        message = [
            missing_facts(
                one,
                frozenset(each for place, each in enumerate(varying) if code >> place & 1),
                sparse=bool(code >> len(varying)),
            )
            for code in range(1 << len(bits))
        ]
        code = " + ".join(["1", *(f"({bit})::integer * {1 << place}" for place, bit in enumerate(bits))])
        found.append(f"([{', '.join(map(literal, message))}]::varchar[])[{code}]")
    return found


def _with(relation: Any, added: dict[str, str]) -> Any:
    return relation.project(", ".join(["*", *(f"{sql} as {identifier(name)}" for name, sql in added.items())]))


def _computed(relation: Any, request: TableRequest) -> Any:
    """Compute the answers at the call, by way of Arrow; a type that Arrow does not bring back, such as BIT, as text.

    A lazy `relation.map` passes by pandas in pieces of 2,048 rows, and turns decimals and dates into other types; an
    Arrow stream can be read but once, and its reader may not use the connection meanwhile.
    """
    names = relation.columns
    back = _scanned(relation, relation.limit(0).to_arrow_table()).types
    lost = {name: kind for name, kind, after in zip(names, relation.types, back, strict=True) if kind != after}
    passed = relation.project(", ".join(_cast(name, "VARCHAR" if name in lost else None) for name in names))
    found = _scanned(relation, plain(evaluate_arrow(passed.to_arrow_table(), request), len(names)))
    return found.project(", ".join(_cast(name, lost.get(name)) for name in found.columns))


def _scanned(relation: Any, columns: Any) -> Any:
    """Make a relation of an Arrow table; DuckDB finds the table by its Python name."""
    return relation.query("runlineage_input", "select * from columns")


def _cast(name: str, kind: Any = None) -> str:
    return identifier(name) if kind is None else f"{identifier(name)}::{kind} as {identifier(name)}"
