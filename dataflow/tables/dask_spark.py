"""Dask and Spark: each hands over its own parts, and each part passes through the same evaluation where it lies.

Nothing here partitions or orders. Routes are plain text, since parts would differ in categories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import refuse
from runlineage.dataflow.tables.pandas_arrow import (
    answers_alone,
    evaluate_arrow,
    evaluate_pandas,
    plain,
    refuse_cells,
    refuse_clashes,
)
from runlineage.dataflow.tables.request import TableRequest


def evaluate_dask(frame: Any, request: TableRequest) -> Any:
    """Map the pandas evaluation over Dask's own partitions, lazily; divisions stay as they are, known or not.

    Not over Narwhals' expressions: Narwhals 2.29 warns that its Dask support moves to a package that is not out yet.
    """
    words = request.words
    return frame.map_partitions(_evaluate_partition, words, meta=_evaluate_partition(frame._meta, words))


def _evaluate_partition(part: Any, words: dict[str, Any]) -> Any:
    """Evaluate one partition where the worker is; every answer that is no number is of Dask's own type of text."""
    done = evaluate_pandas(part, TableRequest.of(**words))
    added = done.columns[len(part.columns) :]
    return done.astype({name: "string[pyarrow]" for name in added if done[name].dtype.kind != "f"})


def evaluate_spark(frame: Any, request: TableRequest) -> Any:
    """Map the evaluation over Spark's own Arrow batches, lazily; the workers need runlineage installed."""
    from pyspark.sql.types import (  # pyright: ignore[reportMissingImports] # an extra
        DoubleType,
        StringType,
        StructField,
        StructType,
    )

    if not hasattr(frame, "mapInArrow"):
        refuse("frame", "is pandas on Spark", "pass its to_spark()")
    in_place = request.around_answers(frame.columns)[1]
    refuse_clashes(frame.columns, (name for name in request.answers if name not in in_place), str.lower)
    empty = answers_alone(frame.columns, 0, lambda each: _of_spark(frame.schema[each.header]), request)
    added = {
        each.name: StructField(each.name, DoubleType() if each.dtype.is_float() else StringType()) for each in empty
    }
    fields = {each.name: each for each in frame.schema.fields} | added
    words = request.words

    def evaluate_batches(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        here = TableRequest.of(**words)
        for batch in batches:
            answered = evaluate_arrow(pa.Table.from_batches([batch]), here)
            yield from plain(answered, batch.num_columns).to_batches()

    return frame.mapInArrow(evaluate_batches, StructType(list(fields.values())))


SPARK_TYPES = {
    **dict.fromkeys(("byte", "short", "integer", "long", "float", "double", "decimal"), pl.Float64),
    **dict.fromkeys(("string", "char", "varchar"), pl.String),
    "boolean": pl.Boolean,
    "void": pl.Null,
}


def _of_spark(field: Any) -> pl.Series:
    """Return an empty column of the type that a Spark column has here."""
    if field.dataType.typeName() not in SPARK_TYPES:
        refuse_cells(field.name, field.dataType.simpleString())
    return pl.Series(field.name, [], SPARK_TYPES[field.dataType.typeName()])
