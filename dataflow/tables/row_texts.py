"""A text for each row of a table, of which few differ: each distinct text once, and each row's place among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import polars as pl

from runlineage.dataflow.tables.headers import SEPARATOR

MANY = 500_000  # rows, which are worth a thread of their own
MOST = 1 << 62  # of a number that stands for several


@dataclass(frozen=True)
class RowTexts:
    """Some texts, of which any may be null, and for each row the place of its own; all rows have the first if none."""

    distinct: pl.Series
    places: pl.Series | None
    height: int

    def texts(self) -> pl.Series:
        """Return each row's text."""
        if self.distinct.null_count() == len(self.distinct):
            return pl.repeat(None, self.height, dtype=pl.String, eager=True)
        if self.places is None:
            return pl.repeat(self.distinct[0], self.height, dtype=pl.String, eager=True)
        return _placed(self.distinct, self.places)

    def categories(self) -> pl.Series:
        """Return each row's text as one of an Enum, in the order of the alphabet."""
        used = self.distinct if self.places is None else self.distinct.gather(self.places.unique())
        kind = pl.Enum(used.drop_nulls().unique().sort())
        if not len(kind.categories):
            return pl.repeat(None, self.height, dtype=kind, eager=True)
        distinct = self.distinct.cast(kind, strict=False)  # those of no row become null
        if self.places is None:
            return pl.repeat(distinct[0], self.height, dtype=kind, eager=True)
        return _placed(distinct, self.places)


@dataclass(frozen=True)
class OwnTexts:
    """What one column alone says of some rows: its distinct cells, their texts, and each row's, from 1; 0 is none."""

    texts: pl.Series
    places: pl.Series


def own_texts(cells: pl.Series, write: Callable[[pl.Series], pl.Series] = lambda texts: texts) -> OwnTexts:
    """Write the text of each distinct cell once; a cell that is null has none.

    >>> found = own_texts(pl.Series([2.0, None, 2.0]), lambda numbers: numbers.cast(pl.String))
    >>> print(found.texts.to_list(), found.places.to_list())
    ['2.0'] [1, 0, 1]
    """
    distinct = cells.drop_nulls().unique(maintain_order=True)
    if len(distinct) == 1:
        return OwnTexts(write(distinct), cells.is_not_null().cast(pl.UInt32))
    numbers = pl.int_range(1, len(distinct) + 1, dtype=pl.UInt32, eager=True)
    places = cells.replace_strict(distinct, numbers, default=0, return_dtype=pl.UInt32)
    return OwnTexts(write(distinct), places.fill_null(0))


def with_own(common: RowTexts, rows: pl.Series, own: Sequence[OwnTexts]) -> RowTexts:
    """Write some rows, by their numbers, texts of their own before the common one; each that differs is written once.

    >>> common = RowTexts(pl.Series(["c"]), None, 3)
    >>> own = [own_texts(pl.Series(["a", "a"])), own_texts(pl.Series([None, "b"]))]
    >>> found = with_own(common, pl.Series([1, 2]), own)
    >>> print(found.texts().to_list(), len(found.distinct))
    ['c', 'a | c', 'a | b | c'] 3
    """
    all_places = np.zeros(common.height, np.uint32) if common.places is None else common.places.to_numpy()
    after = pl.Series(all_places[rows.to_numpy()])
    first, which = _combined(len(common.distinct), after, own)
    parts = [_or_none(each.texts).gather(each.places.gather(first)) for each in own]
    columns = [
        each.alias(str(place)) for place, each in enumerate([*parts, common.distinct.gather(after.gather(first))])
    ]
    joined = pl.DataFrame(columns).select(pl.concat_str(pl.all(), separator=SEPARATOR, ignore_nulls=True)).to_series()
    places = all_places.astype(np.uint32)
    places[rows.to_numpy()] = which.to_numpy() + np.uint32(len(common.distinct))
    return RowTexts(pl.concat([common.distinct.rename(""), joined.rename("")]), pl.Series(places), common.height)


def _combined(size: int, common: pl.Series, own: Sequence[OwnTexts]) -> tuple[pl.Series, pl.Series]:
    """Find the rows whose texts are the first of their kind, and for each row its kind's place among them."""
    key = common.cast(pl.UInt64)
    for each in own:
        more = len(each.texts) + 1
        if size * more > MOST:
            first, key = _first_of_each(key)
            size, key = len(first), key.cast(pl.UInt64)
        size, key = size * more, key * more + each.places
    return _first_of_each(key)


def _first_of_each(key: pl.Series) -> tuple[pl.Series, pl.Series]:
    first = key.arg_unique()
    numbers = pl.int_range(len(first), dtype=pl.UInt32, eager=True)
    if len(first) == len(key):
        return first, numbers
    return first, key.replace_strict(key.gather(first), numbers, return_dtype=pl.UInt32)


def _or_none(texts: pl.Series) -> pl.Series:
    return pl.concat([pl.Series([None], dtype=pl.String), texts.rename("")])


def _placed(distinct: pl.Series, places: pl.Series) -> pl.Series:
    """Return each row's text in pieces: on all cores, and in memory that is at hand."""
    pieces = places.get_chunks()
    if len(pieces) == 1 and len(places) > MANY:
        pieces = [places.slice(start, MANY) for start in range(0, len(places), MANY)]
    if len(pieces) == 1:
        return distinct.gather(places)
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:
        return pl.concat(list(pool.map(distinct.gather, pieces)), rechunk=False)
