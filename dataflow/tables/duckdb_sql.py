"""DuckDB's relations: facts, metrics and sentences as SQL over the relation, which stays as lazy as it came.

Numbers, routes and what a row lacks are SQL alone. What only the reader of cells can do, which is to read text and to
say why a figure is out of its band, becomes functions of the relation's own connection, called for such cells alone.
"""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter, Signature
from typing import Any

import polars as pl

from runlineage.catalogs.quantities.fields import FACTS
from runlineage.catalogs.quantities.reading import LEAST, MOST
from runlineage.dataflow.tables import cells
from runlineage.dataflow.tables.engines import evaluate_arrow, from_arrow, plain, refuse_clashes
from runlineage.dataflow.tables.fact_columns import PART, FactColumns
from runlineage.dataflow.tables.headers import SEPARATOR, FactColumn
from runlineage.dataflow.tables.metric_columns import PREFIX
from runlineage.dataflow.tables.request import REMARKS, TableRequest
from runlineage.dataflow.tables.row_notes import RowNotes, lacking

PLAIN = PREFIX + "plain "  # working columns: text cells of a plain number, and what each cell alone says
CELL = PREFIX + "cell "
FLAG = PREFIX + "flag "
# From how DuckDB writes a number to how Polars does: 1e-07 is 1e-7, and 5e-05 is 0.00005.
RESPELT = ((r"e-0", "e-"), (r"^(-?)([1-9])(?:\.([0-9]+))?e-5$", r"\10.0000\2\3"))


def evaluate_duckdb(relation: Any, request: TableRequest) -> Any:
    """Give a relation of the same connection, in the same order, whose own columns keep their types; nothing runs.

    DuckDB before 2.0 does not tell the connection of a relation, so that there can be no functions to read cells: there
    a table with a column of text, or of a fact with a band of its own, is computed at the call.
    """
    names = relation.columns
    working = [name for name in names if name.lower().startswith(PREFIX)]
    refuse_clashes(names, [*request.answers, *working], str.lower)
    facts = FactColumns(_schema(relation, request), request)
    reader = _Reader(relation, facts)
    return _laid(relation, facts, reader) if reader.serves else _computed(relation, request)


def _schema(relation: Any, request: TableRequest) -> pl.Schema:
    """Tell the types of the columns that are used, as they are once DuckDB hands them over."""
    names = [header.header for header in request.headers(relation.columns)] + [REMARKS] * (REMARKS in relation.columns)
    if not names:
        return pl.Schema()
    empty = relation.project(", ".join(map(_name, names))).limit(0).to_arrow_table()
    return pl.Schema({name: from_arrow(name, empty[name]).dtype for name in names})


def _laid(relation: Any, facts: FactColumns, reader: _Reader) -> Any:
    """Lay working columns over a relation, each step on the one before, and keep its own columns and the answers."""
    told = RowNotes(facts)
    found = relation
    for step in (reader.plain(), reader.cells(), reader.facts()):
        found = _with(found, step)
    answered = facts.reckoned(found).with_columns(*told.beside())
    flags = {f"{FLAG}{place}": flag for place, flag in enumerate(told.flags.values())}
    if flags:
        answered = answered.with_columns(*(flag.alias(name) for name, flag in flags.items()))
    raised = [f"case when {_name(flag)} then {_text(said)} end" for flag, said in zip(flags, told.flags, strict=True)]
    remarks = [f"{_name(REMARKS)}::varchar"] * (REMARKS in facts.schema)
    said = ", ".join(["null::varchar", *reader.refusals(), *remarks, *raised, *_lacks(facts)])
    kept = [*map(_name, relation.columns)]
    kept += [
        f"{_name(name)}::varchar as {_name(name)}" if name.endswith(" route") else _name(name)
        for name in facts.request.answers[:-1]
    ]
    return answered.to_native().project(
        f"{', '.join(kept)}, nullif(concat_ws({_text(SEPARATOR)}, {said}), '') as problems"
    )


def _lacks(facts: FactColumns) -> list[str]:
    """Say what each metric lacks, by a sentence for every pattern of the few facts that it rests on."""
    found = []
    for name in facts.request.outputs:
        upstream = facts.request.book.upstream([name])
        varying = sorted(upstream & facts.available)
        bits = [f"{_name(PREFIX + each)} is not null" for each in varying]
        if "sparse" in facts.words and "parameters" in upstream:
            bits.append(f"coalesce({_name(PREFIX + 'sparse')} = 'True', false)")
        one = replace(facts.request, outputs=(name,))
        said = [
            lacking(
                one,
                frozenset(each for place, each in enumerate(varying) if code >> place & 1),
                sparse=bool(code >> len(varying)),
            )
            for code in range(1 << len(bits))
        ]
        code = " + ".join(["1", *(f"({bit})::integer * {1 << place}" for place, bit in enumerate(bits))])
        found.append(f"([{', '.join(map(_text, said))}]::varchar[])[{code}]")
    return found


class _Reader:
    """The cells of one relation's facts, in SQL, with functions where cells must be read."""

    def __init__(self, relation: Any, facts: FactColumns) -> None:
        self.told = facts
        self.schema = facts.schema
        self.connection = getattr(relation, "_con", None)  # there is no public way to it
        self.texts = {each.header for each in facts.headers if self._is_text(each)}
        banded = [each for each in facts.numbers if FACTS[each.field].is_bounded]
        self.serves = hasattr(self.connection, "create_function") or not (self.texts or banded)

    def _is_text(self, header: FactColumn) -> bool:
        kind = self.schema[header.header]
        return kind != pl.Null and (header.is_word or not kind.is_numeric())

    def plain(self) -> dict[str, str]:
        """Give text cells that hold a plain number and nothing else, which need no reader."""
        found = {}
        for header in self.told.numbers:
            if header.header in self.texts:
                text = self._cell(header.header)
                matches = f"regexp_matches({text}, {_text(cells.PLAIN)})"
                found[PLAIN + header.field] = f"case when {matches} then try_cast({text} as double) end"
        return found

    def cells(self) -> dict[str, str]:
        """Give what each cell alone says: null where it is missing or refused."""
        return {CELL + header.field: self._value(header) for header in self.told.headers}

    def _value(self, header: FactColumn) -> str:
        if self.schema[header.header] == pl.Null:
            return "null::varchar" if header.is_word else "null::double"
        if header.is_word:
            return self._call("word", cells.word(header, pl.String()), "VARCHAR")
        if header.header not in self.texts:
            return _scaled(self._cell(header.header), header)
        number = _scaled(_name(PLAIN + header.field), header)
        read = self._call("fact", cells.fact(header, pl.String()), "DOUBLE", f"({number}) is null")
        return f"coalesce({number}, {read})"

    def facts(self) -> dict[str, str]:
        """Give the facts; from a row's words those that have no cell of their own."""
        found = {PREFIX + each.field: _name(CELL + each.field) for each in self.told.headers}
        for name, expression in self.told.parts().items():
            found[PREFIX + PART + name] = part = self._call(f"part {name}", expression, "DOUBLE")
            given = found.get(PREFIX + name)
            found[PREFIX + name] = f"coalesce({given}, {part})" if given else part
        return found

    def refusals(self) -> list[str]:
        """Say what is refused of each column's cells; null where nothing is."""
        found = []
        for name, expression in self.told.refusals().items():
            header = next((each for each in self.told.headers if each.field == name), None)
            if header is None:
                found.append(self._call(name, expression, "VARCHAR"))
                continue
            missing = f"{_name(CELL + name)} is null"
            if header.header in self.texts or FACTS[name].is_bounded:
                found.append(self._call("refusal", expression, "VARCHAR", missing))
            else:
                cell = self._cell(header.header)
                said = f"{_text(f'{name}: ')} || {_spelt(cell)} || {_text(f' is not between {LEAST:g} and {MOST:g}')}"
                found.append(f"case when {missing} and not isnan({cell}) then {said} end")
        return found

    def _cell(self, column: str) -> str:
        """Give a column as a function takes it: the user's own as text or numbers, a working one of words as it is."""
        if column.startswith(PREFIX):
            return _name(CELL + column.removeprefix(PREFIX))
        return f"{_name(column)}::{'varchar' if column in self.texts else 'double'}"

    def _call(self, label: str, expression: pl.Expr, returns: str, where: str = "") -> str:
        """Call a Polars expression over columns as a function, for the rows of a condition."""
        columns = list(dict.fromkeys(expression.meta.root_names()))
        kinds = ["VARCHAR" if each in self.texts or each.startswith(PREFIX) else "DOUBLE" for each in columns]

        def evaluate(*vectors: Any) -> Any:
            given = {name: pl.Series(name, vector) for name, vector in zip(columns, vectors, strict=True)}
            return pl.DataFrame(given).select(expression).to_series().to_arrow()

        places = [Parameter(f"of_{place}", Parameter.POSITIONAL_ONLY) for place in range(len(columns))]
        evaluate.__signature__ = Signature(places)  # type: ignore[attr-defined] # DuckDB counts the parameters
        # The name tells all that the expression rests on, so that one which is there already is the same.
        name = f"{PREFIX}{label} of {', '.join(map(' '.join, zip(columns, kinds, strict=True)))}"
        _register(self.connection, name, evaluate, kinds, returns)
        given = [self._cell(each) for each in columns]
        # For all other rows it is not called.
        wanted = f"({' or '.join(f'{each} is not null' for each in given)})" + (f" and {where}" if where else "")
        return f"case when {wanted} then {_name(name)}({', '.join(given)}) end"


def _register(connection: Any, name: str, function: Any, kinds: list[str], returns: str) -> None:
    """Register a function of vectors, which gives nulls and is called for them."""
    import duckdb

    how = {"type": "arrow", "null_handling": "special", "side_effects": False}
    try:
        connection.create_function(name, function, kinds, returns, **how)
    except (duckdb.CatalogException, duckdb.NotImplementedException) as problem:
        if "already" not in str(problem):
            raise


def _with(relation: Any, added: dict[str, str]) -> Any:
    return relation.project(", ".join(["*", *(f"{sql} as {_name(name)}" for name, sql in added.items())]))


def _scaled(number: str, header: FactColumn) -> str:
    """Give a number in coherent units, where it can be a fact; not-a-number is above every other in DuckDB."""
    least, most = (f"{each!r}::double" for each in cells.span(header))
    return f"case when {number} between {least} and {most} then {number} * {header.scale!r}::double end"


def _spelt(number: str) -> str:
    found = f"({number})::varchar"
    for pattern, by in RESPELT:
        found = f"regexp_replace({found}, {_text(pattern)}, {_text(by)})"
    return found


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str | None) -> str:
    return "null" if text is None else "'" + text.replace("'", "''") + "'"


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
    return _name(name) if kind is None else f"{_name(name)}::{kind} as {_name(name)}"
