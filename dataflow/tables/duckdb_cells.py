"""The cells of a DuckDB relation's facts, in SQL; what only the reader of cells can do becomes functions.

That is to read text, and to explain why a figure is out of its band. They are registered in the relation's own
connection, and called for such cells alone.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

import polars as pl

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import LEAST, MOST, NEARLY_WHOLE
from runlineage.dataflow.tables import cells
from runlineage.dataflow.tables.catalog_cells import counted
from runlineage.dataflow.tables.column_digits import DIGITS
from runlineage.dataflow.tables.fact_columns import PART, FactColumns
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.metric_columns import PREFIX
from runlineage.dataflow.tables.one_cell import no_unit, span

PLAIN = PREFIX + "plain "  # working columns: text cells of a plain number, and what each cell alone says
CELL = PREFIX + "cell "


class CellReader:
    """The cells of one relation's facts, in SQL, with functions where cells must be read."""

    def __init__(self, relation: Any, facts: FactColumns) -> None:
        self.columns = facts
        self.schema = facts.schema
        self.connection = getattr(relation, "_con", None)  # there is no public way to it
        self.texts = {each.header for each in facts.headers if self._is_text(each)}
        banded = [each for each in facts.numbers if FIELDS[each.field].is_bounded]
        self.serves = hasattr(self.connection, "create_function") or not (self.texts or banded or facts.request.checks)

    def _is_text(self, header: FactColumn) -> bool:
        kind = self.schema[header.header]
        return kind != pl.Null and (header.is_word or not kind.is_numeric())

    def plain(self) -> dict[str, str]:
        """Return text cells that hold a plain number and nothing else, which need no reader."""
        found = {}
        for header in self.columns.numbers:
            if header.header in self.texts and header.unit_asked:
                found[PLAIN + header.field] = "null::double"
            elif header.header in self.texts:
                text = self._cell(header.header)
                matches = f"regexp_matches({text}, {literal(cells.PLAIN)})"
                found[PLAIN + header.field] = f"case when {matches} then try_cast({text} as double) end"
        return found

    def cells(self) -> dict[str, str]:
        """Return what each cell alone states: null where it is missing or refused."""
        return {CELL + header.field: self._value(header) for header in self.columns.headers}

    def _value(self, header: FactColumn) -> str:
        if self.schema[header.header] == pl.Null:
            return "null::varchar" if header.is_word else "null::double"
        if header.is_word:
            return self._call(f"word {header.field}", cells.word(header, pl.String()), "VARCHAR")
        if header.unit_asked and header.header not in self.texts:
            return "null::double"
        if header.header not in self.texts:
            return _scaled(self._cell(header.header), header)
        number = _scaled(identifier(PLAIN + header.field), header)
        read = self._call(f"fact {_id(header)}", cells.fact(header, pl.String()), "DOUBLE", f"({number}) is null")
        return f"coalesce({number}, {read})"

    def facts(self) -> dict[str, str]:
        """Return the facts; from a row's words those that have no cell of their own."""
        found = {PREFIX + each.field: identifier(CELL + each.field) for each in self.columns.headers}
        for name, expression in self.columns.parts().items():
            found[PREFIX + PART + name] = part = self._call(f"part {name}", expression, "DOUBLE")
            given = found.get(PREFIX + name)
            found[PREFIX + name] = f"coalesce({given}, {part})" if given else part
        for name, word in self.columns.counted.items():
            size = counted(name, pl.col(PREFIX + word))
            found[PREFIX + name] = self._call(f"counted {name}", size, "DOUBLE")
        return found

    def digits(self) -> dict[str, str]:
        """Return what the digits of the facts leave open, once these are there."""
        digits = self.columns.digits
        return {
            DIGITS + name: self._call(f"digits of {name} per {digits.scale(name)!r}", digits.of_fact(name), "DOUBLE")
            for name in digits.facts
        }

    def refusals(self) -> list[str]:
        """Explain what is refused of each column's cells; null where nothing is."""
        found = []
        for name, expression in self.columns.refusals().items():
            header = next((each for each in self.columns.headers if each.field == name), None)
            if header is None:
                found.append(self._call(name, expression, "VARCHAR"))
                continue
            missing = f"{identifier(CELL + name)} is null"
            if header.unit_asked and header.header not in self.texts:
                message = literal(no_unit(header))
                found.append(f"case when {_is_number(self._cell(header.header))} then {message} end")
            elif header.header in self.texts and not header.is_word:  # also of a range, which has a value and a note
                unread = f"({missing} or {identifier(PLAIN + name)} is null)"
                found.append(self._call(f"refusal {_id(header)}", expression, "VARCHAR", unread))
            elif header.is_word or FIELDS[name].is_bounded:
                found.append(self._call(f"refusal {_id(header)}", expression, "VARCHAR", missing))
            else:
                cell = self._cell(header.header)
                written = f"({cell} + 0.0::double)::varchar"  # as Python writes it; a zero has no sign
                after = literal(f" is not between {LEAST:g} and {MOST:g}")
                message = f"{literal(f'{name}: ')} || {written} || {after}"
                found.append(f"case when {missing} and {_is_number(cell)} then {message} end")
        return found

    def _cell(self, column: str) -> str:
        """Return a column as a function takes it: the user's as text or numbers, a working one as it is."""
        if self._is_working_word(column):
            return identifier(CELL + column.removeprefix(PREFIX))
        if column.startswith(PREFIX):
            return identifier(column)
        return f"{identifier(column)}::{'varchar' if column in self.texts else 'double'}"

    def _is_working_word(self, column: str) -> bool:
        return column.startswith(PREFIX) and column.removeprefix(PREFIX) in self.columns.words

    def _call(self, label: str, expression: pl.Expr, returns: str, where: str = "") -> str:
        """Call a Polars expression over columns as a function, for the rows of a condition."""
        columns = list(dict.fromkeys(expression.meta.root_names()))
        kinds = ["VARCHAR" if each in self.texts or self._is_working_word(each) else "DOUBLE" for each in columns]

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
        return f"case when {wanted} then {identifier(name)}({', '.join(given)}) end"


def _register(connection: Any, name: str, function: Any, kinds: list[str], returns: str) -> None:
    """Register a function of vectors, which gives nulls and is called for them."""
    import duckdb

    how = {"type": "arrow", "null_handling": "special", "side_effects": False}
    try:
        connection.create_function(name, function, kinds, returns, **how)
    except (duckdb.CatalogException, duckdb.NotImplementedException) as problem:
        if "already" not in str(problem):
            raise


def _scaled(number: str, header: FactColumn) -> str:
    """Return a number in coherent units, where it can be a fact; not-a-number is above every other in DuckDB."""
    least, most = (f"{each!r}::double" for each in span(header))
    is_fact = f"isfinite({number}) and {number} between {least} and {most}"
    if FIELDS[header.field].whole:
        size = f"({number} * {header.scale!r}::double)"
        is_fact += f" and abs({size} - round({size})) <= {size} * {NEARLY_WHOLE!r}::double"
    return f"case when {is_fact} then {number} * {header.scale!r}::double end"


def _is_number(cell: str) -> str:
    """Write the test for not-a-number without isnan, which believes a file's statistics, where there is none."""
    return f"(isfinite({cell}) or isinf({cell}))"


def _id(header: FactColumn) -> str:
    """Name what the reading of a column's cells rests on."""
    return f"{header.field} ({header.unit})"


def identifier(name: str) -> str:
    """Write a name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str | None) -> str:
    """Write a text in SQL."""
    return "null" if text is None else "'" + text.replace("'", "''") + "'"
