"""Tables checked: one row for each comparison that a row of the table allows, in the user's own engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import narwhals as nw
import polars as pl

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.words import TOLD
from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.checks.causes import RATIOS
from runlineage.dataflow.checks.compared import CONTRADICT
from runlineage.dataflow.checks.marks import CHECK_MODULES, marks_of
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.tables.evaluate import evaluated
from runlineage.dataflow.tables.request import TableRequest
from runlineage.dataflow.tables.row_causes import RECORDED_WORK
from runlineage.dataflow.tables.row_verdicts import WORK, RowVerdicts

Frame = TypeVar("Frame")
ADDED = ("comparison", "ratio", "rounding", "verdict", "cause", "badness")


def check(
    frame: Frame, assume: str | Iterable[str] = (), columns: Mapping[str, str] = Frozen({}), *, keep: str = "all"
) -> Frame:
    """Compare the published figures of every row of a table, in the engine that the table is of.

    `frame` is any table that `evaluate` takes; the same type comes back, with the table's own columns and one row for
    each comparison that a row allows: its name, the `ratio` of the two figures, `rounding` (what their digits leave
    open, as a share), `verdict` (agree, close, contradict), `cause` where one fits, and `badness`, how far beyond its
    digits the ratio is in logarithms. With `keep="contradict"` only the contradictions come back. A lazy Polars table
    is computed at the call. Raises InputError as `evaluate` does.

    >>> import polars as pl
    >>> rows = pl.DataFrame({"training_ops": [4.3e23], "parameters": [175e9], "training_tokens": [300e9]})
    >>> print(check(rows).select("comparison", "verdict", "cause").row(0))
    ('recorded_to_modeled', 'contradict', 'recomputation')
    """
    if isinstance(frame, pl.LazyFrame):  # a union of lazy branches is a plan that Polars 1.38 trips over
        computed = frame.collect(engine="streaming")
        return check(computed, assume, columns, keep=keep).lazy()  # type: ignore[return-value]
    marks = marks_of(read_routes(*MODULES, *CHECK_MODULES))
    request = TableRequest.of((*marks, *RATIOS, WORK, RECORDED_WORK), assume, columns, checks=True)
    native: Any = evaluated(frame, request)
    answered: Any = nw.from_native(native)
    schema = answered.collect_schema()
    added = frozenset(request.answers)
    own = [name for name in schema.names() if name not in added]
    told = frozenset(name for name in TOLD if name in own and schema[name] in (nw.String, nw.Categorical, nw.Object))
    verdicts = (RowVerdicts(name, mark, told) for name, mark in _possible(answered, marks).items())
    found: Frame = nw.concat([_of_one(answered, each, own, keep) for each in verdicts], how="vertical").to_native()
    return found


def _possible(answered: Any, marks: Mapping[str, Comparison]) -> Mapping[str, Comparison]:
    """Return the comparisons that some row allows, so far as a table is computed; one at least, for its columns."""
    if isinstance(answered, nw.LazyFrame):
        return marks
    found = {name: mark for name, mark in marks.items() if answered[name].null_count() < len(answered)}
    return found or dict([*marks.items()][:1])


def _of_one(answered: Any, verdicts: RowVerdicts, own: list[str], keep: str) -> Any:
    """Return the rows that one comparison is possible in, with what comes of it."""
    kept = verdicts.is_possible & verdicts.contradicts if keep == CONTRADICT else verdicts.is_possible
    read = [name for name in verdicts.read if name not in own]
    rows, added = answered.select(*own, *read, "problems").filter(kept), verdicts.of_agreeing
    in_memory = isinstance(rows, nw.DataFrame)
    if not in_memory:
        rows, others = rows.with_columns(*verdicts.logs), verdicts.of_others
        added = {name: nw.when(verdicts.agrees).then(each).otherwise(others[name]) for name, each in added.items()}
    found = rows.select(
        *own,
        nw.lit(verdicts.name).alias("comparison"),
        verdicts.ratio.alias("ratio"),
        (verdicts.rounding - 1).alias("rounding"),
        *(each.alias(name) for name, each in added.items()),
        nw.col("problems"),
    )
    return _with_others(found, rows, verdicts) if in_memory else found


def _with_others(found: Any, rows: Any, verdicts: RowVerdicts) -> Any:
    """Write what is said of the rows that do not agree, which is computed for these alone."""
    places = rows.select((~verdicts.agrees).alias("differs"))["differs"].arg_true()
    if not len(places):
        return found
    others = rows.select(*verdicts.read)[places].with_columns(*verdicts.logs).select(**verdicts.of_others)
    return found.with_columns(*(found[name].scatter(places, others[name]) for name in others.columns))
