"""Whole tables: the four metrics of every row, by the same nodes run once on expressions.

A table passes the door (cells become facts or null), the metrics' expressions are evaluated by the user's own engine,
and each row gets its routes, its assumptions and what is missing.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from runlineage.dataflow.tables import cells
from runlineage.dataflow.tables.fact_columns import FactColumns
from runlineage.dataflow.tables.headers import SEPARATOR, FactColumn
from runlineage.dataflow.tables.refusals import is_refused
from runlineage.dataflow.tables.request import TableRequest
from runlineage.dataflow.tables.row_notes import RowNotes


def evaluate_lazy(table: pl.LazyFrame, request: TableRequest) -> pl.LazyFrame:
    """Add the metrics to a lazy table, row by row, so that it streams."""
    own = table.collect_schema().names()
    request, given = request.around_answers(own)
    table = table.rename(given)
    facts = FactColumns(table.collect_schema(), request)
    notes = RowNotes(facts)
    answered, pattern = notes.rows(facts.answered(table))
    answered = answered if own else answered.clear()  # Polars 1 makes a row of no columns
    together = pl.struct(pattern)
    message = together.map_batches(
        lambda rows: notes.problems(rows.struct.unnest()).texts(), pl.String, is_elementwise=True
    )
    return answered.with_columns(message.alias("problems")).select(*dict.fromkeys([*own, *request.answers]))


def evaluate_eager(table: pl.DataFrame, request: TableRequest) -> pl.DataFrame:
    """Add the metrics to a table in memory."""
    return table.with_columns(answers_of(table, request))


def answers_of(table: pl.DataFrame, request: TableRequest, *, as_categories: bool = False) -> pl.DataFrame:
    """Return the answers of a table in memory; what holds for whole columns is found out first and spares work.

    Problems are text, or categories for an engine that keeps each text once.
    """
    request, given = request.around_answers(table.columns)
    table = table.rename(given)
    facts = FactColumns(table.schema, request, *_whole_columns(table, request))
    notes = RowNotes(facts)
    answered, pattern = notes.rows(facts.answered(table.lazy()))
    # The streaming engine, since pieces of columns stay in the cache from one step to the next.
    found = (
        answered.select(*request.answers[:-1], *pattern).collect(engine="streaming").head(table.height)
    )  # Polars 1 makes a row of none
    problems = notes.problems(found)
    written = (problems.categories() if as_categories else problems.texts()).alias("problems")
    return pl.DataFrame([*(found[name] for name in request.answers[:-1]), written])  # each in its own pieces: no copy


def _whole_columns(table: pl.DataFrame, request: TableRequest) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Name the fields of numbers that hold a fact in every row, those of facts and nulls, and those with NaN besides.

    The first are among the second.
    """
    numbers = (each for each in request.headers(table.columns) if not each.is_word and not each.unit_asked)
    numeric = [each for each in numbers if table.schema[each.header].is_numeric()] if table.height else []
    sound = _where(table, numeric, lambda number, column: cells.valid(number, column))
    full = [each for each in sound if not table[each.header].null_count()]
    rest = [each for each in numeric if each not in sound]
    holed = _where(table, rest, lambda number, column: ~is_refused(number, column))
    complete, whole, spoilt = (frozenset(each.field for each in some) for some in (full, sound, holed))
    return complete, whole, spoilt


def _where(
    table: pl.DataFrame, columns: list[FactColumn], holds: Callable[[pl.Expr, FactColumn], pl.Expr]
) -> list[FactColumn]:
    """Return the columns of which something holds in every row; nulls are passed over."""
    if not columns:
        return []
    every = [holds(pl.col(each.header).cast(pl.Float64), each).all().alias(each.field) for each in columns]
    found = table.lazy().select(every).collect(engine="streaming").row(0, named=True)
    return [each for each in columns if found[each.field]]


def refusals(table: pl.LazyFrame, request: TableRequest) -> pl.LazyFrame:
    """Find the rows with cells that cannot be read: their number, from 1, and what is wrong."""
    facts = FactColumns(table.collect_schema(), request)
    texts = facts.refusals()
    if not texts:
        return pl.LazyFrame(schema={"row": pl.UInt32, "said": pl.String})
    message = pl.concat_str(list(texts.values()), separator=SEPARATOR, ignore_nulls=True)
    words = facts.with_words(table.with_row_index("runlineage:row", offset=1))
    return words.select(pl.col("runlineage:row").alias("row"), message.alias("said")).filter(pl.col("said") != "")
