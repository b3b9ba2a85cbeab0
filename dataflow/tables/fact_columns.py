"""What is computed of a table: its cells become facts, and the metrics' expressions are laid over them."""

from __future__ import annotations

from functools import cached_property, reduce
from typing import Any

import narwhals as nw
import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError
from runlineage.dataflow.checks.total import TOTAL
from runlineage.dataflow.inputs.lookups import FROM_WORDS
from runlineage.dataflow.tables import cells
from runlineage.dataflow.tables.catalog_cells import LOOKED_UP, counted, looked_up, missing_record
from runlineage.dataflow.tables.column_digits import DIGITS, ColumnDigits
from runlineage.dataflow.tables.headers import FactColumn
from runlineage.dataflow.tables.intervals import ABOVE, BELOW, with_intervals
from runlineage.dataflow.tables.metric_columns import PREFIX, coalesced, columns_of
from runlineage.dataflow.tables.range_cells import halves
from runlineage.dataflow.tables.refusals import refusal, refusal_of_text
from runlineage.dataflow.tables.request import TableRequest, output_header

PART = "part "  # of working columns: what the accelerator's record says, whatever the row gives
DENSE_TOLERANCE = 1e-9


class FactColumns:
    """The facts of one table, and the expressions over them.

    `complete` are fields that hold a fact in every row, `sound` those whose every cell is a fact or null, and `holed`
    those with cells of not-a-number besides: of those nothing is refused, and no mask lies over the column.
    """

    def __init__(
        self,
        schema: pl.Schema,
        request: TableRequest,
        complete: frozenset[str] = frozenset(),
        sound: frozenset[str] = frozenset(),
        holed: frozenset[str] = frozenset(),
    ) -> None:
        self.sound = sound | complete
        self.holed = holed
        self.schema = schema
        self.request = request
        self.headers = request.headers(schema.names())
        cells.check_types(self.headers, schema)
        self.numbers = [header for header in self.headers if not header.is_word]
        self.fields = {header.field for header in self.headers}
        self.words = {header.field: header for header in self.headers if header.is_word}
        self.complete = complete - ({"parameters"} if {"sparse", "active_parameters"} & self.fields else set())
        self.complete -= {"active_parameters"} if {"parameters", "sparse"} & self.fields else set()
        measured = {"device_power", "power_basis"} <= self.fields  # some of it perhaps on whole systems
        self.complete -= {"device_power", "system_power"} if measured else set()
        self._refuse_clashes()
        given = {header.field for header in self.numbers}
        self.derived = {name for name, words in LOOKED_UP.items() if words[0] in self.words}
        self.counted = {name: word for word, (name, _) in FROM_WORDS.items() if word in self.words}
        self.available = frozenset(
            given | self.derived | self.counted.keys() | ({"system_power"} if measured else set())
        )
        self.available |= {TOTAL} if request.checks and self._may_be_sparse() else set()
        self.columns = columns_of(
            request.modules, request.book, request.outputs, self.available, request.assume, self.complete
        )

    @cached_property
    def digits(self) -> ColumnDigits:
        """What the digits of the facts leave open, for comparisons."""
        return ColumnDigits(self.request, self.columns, self.numbers, self.counted)

    def answered(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Add the facts as working columns, and the metrics on them."""
        facts = self.with_words(table).with_columns(self._facts())
        if self.request.interval:
            facts = facts.with_columns(self._halves()).with_columns(self._halves_of_systems())
        found: pl.LazyFrame = self.computed(facts).to_native()
        if self.request.checks:
            found = found.with_columns(self.digits.of_fact(each).alias(DIGITS + each) for each in self.digits.facts)
            found = nw.from_native(found).with_columns(*self.digits.of_comparisons()).to_native()
        return with_intervals(found, self.columns, self.ranged) if self.request.interval else found

    def computed(self, facts: Any) -> nw.LazyFrame[Any]:
        """Compute the metrics over a lazy frame of facts, whichever engine it is of."""
        answers = [coalesced(column.expressions).alias(output_header(column.name)) for column in self.columns]
        frame: nw.LazyFrame[Any] = nw.from_native(facts)
        for added in filter(None, (self._total(), self._agreement(), answers)):
            frame = frame.with_columns(*added)
        return frame

    def _may_be_sparse(self) -> bool:
        return "parameters" in self.fields and not {"sparse", "active_parameters"}.isdisjoint(self.fields)

    def _total(self) -> list[nw.Expr]:
        """Keep the total of sparse models, which their metrics do not rest on, for comparisons."""
        if TOTAL not in self.available:
            return []
        is_sparse = [nw.col(PREFIX + "sparse") == "True"] if "sparse" in self.fields else []
        is_sparse += [~nw.col(PREFIX + "active_parameters").is_null()] if "active_parameters" in self.fields else []
        told = reduce(lambda one, other: one | other, (each.fill_null(value=False) for each in is_sparse))
        return [nw.when(told).then(nw.col(PREFIX + "parameters")).alias(PREFIX + TOTAL)]

    def with_words(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """Add the words as working columns."""
        read = {field: cells.word(header, self.schema[header.header]) for field, header in self.words.items()}
        return table.with_columns(word.alias(PREFIX + field) for field, word in read.items())

    def refusals(self) -> dict[str, pl.Expr]:
        """Explain what is refused of each column's cells; null where nothing is."""
        return {each.field: refusal(each, self.schema[each.header]) for each in self.doubtful()} | self._no_records()

    def doubtful(self) -> list[FactColumn]:
        """List the columns with cells that may be refused."""
        return [
            header
            for header in self.headers
            if header.field not in self.sound | self.holed and self.schema[header.header] != pl.Null
        ]

    def refused_numbers(self) -> dict[str, FactColumn]:
        """Return those of them whose cells are numbers, by their field: the sentence is written of few rows alone."""
        return {each.field: each for each in self.doubtful() if self._is_number(each)}

    def refused_texts(self) -> dict[str, pl.Expr]:
        """Explain what is refused of the cells of all others; null where nothing is."""
        others = (each for each in self.doubtful() if not self._is_number(each))
        return {each.field: self._refused_text(each) for each in others} | self._no_records()

    def _refused_text(self, header: FactColumn) -> pl.Expr:
        """Explain what is refused of a column; text that gave a fact is not read again."""
        # A fact that may come from elsewhere hides that its cell was refused.
        elsewhere = header.is_word or header.field in self.derived or header.field in self.counted
        if elsewhere or isinstance(self.schema[header.header], pl.Duration) or header.field == "system_power":
            return refusal(header, self.schema[header.header])
        return refusal_of_text(header, pl.col(PREFIX + header.field))

    def _is_number(self, header: FactColumn) -> bool:
        return not header.is_word and self.schema[header.header].is_numeric()

    def _no_records(self) -> dict[str, pl.Expr]:
        """Explain which records of the catalog hold no figure for a row."""
        texts = {}
        for name in sorted(self.derived & self.request.used):
            missing = missing_record(name, *map(self._word, LOOKED_UP[name]))
            own = [self._fact(header) for header in self.numbers if header.field == name]
            texts[f"{name} looked up"] = pl.when(own[0].is_null()).then(missing) if own else missing
        return texts

    def _word(self, name: str) -> pl.Expr:
        return pl.col(PREFIX + name) if name in self.words else pl.lit(None, pl.String)

    def _refuse_clashes(self) -> None:
        taken = [*self.request.answers, "assumes", *(name for name in self.schema if name.startswith(PREFIX))]
        clashes = [name for name in dict.fromkeys(taken) if name in self.schema]
        if clashes:
            cure = "drop or rename it: the answers need the name"
            raise InputError(tuple(Fault(f"column {name!r}", "is there already", cure) for name in clashes))

    def _facts(self) -> list[pl.Expr]:
        """Read the facts; from a row's accelerator those that have no cell of their own."""
        found = {header.field: self._fact(header) for header in self.numbers}
        for name, part in self.parts().items():
            found[name] = pl.coalesce(found[name], part) if name in found else part
            found[PART + name] = part
        found |= {name: counted(name, self._word(word)) for name, word in self.counted.items()}
        return [each.alias(PREFIX + name) for name, each in found.items()]

    @property
    def ranged(self) -> frozenset[str]:
        """The fields whose cells may be ranges: those of text, and what such a cell may be moved to."""
        texts = {each.field for each in self.numbers if self.schema[each.header] == pl.String}
        return frozenset(texts | ({"system_power"} if self._moves_power(texts) else set()))

    def _moves_power(self, texts: set[str]) -> bool:
        return "device_power" in texts and "power_basis" in self.words

    def _halves(self) -> list[pl.Expr]:
        """Return how far the ends of ranges lie from their medians; 0 where a cell is none."""
        read = {each.field: halves(each, pl.col(each.header)) for each in self.numbers if each.field in self.ranged}
        return [
            found.struct.field(end).fill_null(0.0).alias(prefix + name)
            for name, found in read.items()
            for end, prefix in (("below", BELOW), ("above", ABOVE))
        ]

    def _halves_of_systems(self) -> list[pl.Expr]:
        """Take the range of a device's power where it was measured on whole systems for that of these."""
        if "system_power" not in self.ranged:
            return []
        own = "system_power" in {each.field for each in self.numbers if self.schema[each.header] == pl.String}
        system = (pl.col(PREFIX + "power_basis") == "measured_system").fill_null(value=False)
        found = []
        for prefix in (BELOW, ABOVE):
            moved = pl.when(system).then(pl.col(f"{prefix}device_power")).otherwise(0.0)
            given = pl.col(f"{prefix}system_power") if own else pl.lit(0.0)
            found.append(pl.when(given > 0).then(given).otherwise(moved).alias(f"{prefix}system_power"))
        return found

    def parts(self) -> dict[str, pl.Expr]:
        """Look up what a row's words, as working columns, say of its quantities."""
        return {name: looked_up(name, *map(self._word, LOOKED_UP[name])) for name in sorted(self.derived)}

    def _fact(self, header: FactColumn) -> pl.Expr:
        if header.field in self.sound | self.holed:
            cell = pl.col(header.header).cast(pl.Float64)
            cell = cell.fill_nan(None) if header.field in self.holed else cell
            return cell if header.scale == 1 else cell * header.scale
        return cells.fact(header, self.schema[header.header])

    def _agreement(self) -> list[nw.Expr]:
        """Withhold a sparse model's total, and from devices a power of whole systems; refuse what cannot be.

        That is more active than total parameters, or fewer of a dense model.
        """
        fields = self.fields
        total, active = nw.col(PREFIX + "parameters"), nw.col(PREFIX + "active_parameters")
        sparse = nw.col(PREFIX + "sparse") == "True"
        kept: list[nw.Expr] = []
        if {"parameters", "active_parameters"} <= fields:
            fits = ~(active > total).fill_null(value=False)
            kept = [(~fits).alias(PREFIX + "misfit")]
            serves = fits
            if "sparse" in fields:
                unlike = (fits & ~sparse & (active < total * (1 - DENSE_TOLERANCE))).fill_null(value=False)
                kept.append(unlike.alias(PREFIX + "unlike"))
                fits &= ~unlike
                serves = fits & ~sparse.fill_null(value=False)
            kept += [nw.when(serves).then(total), nw.when(fits).then(active)]
        elif {"parameters", "sparse"} <= fields:
            kept = [nw.when(~sparse.fill_null(value=False)).then(total)]
        if {"device_power", "power_basis"} <= fields:
            system = (nw.col(PREFIX + "power_basis") == "measured_system").fill_null(value=False)
            power = nw.col(PREFIX + "device_power")
            moved: nw.Expr = nw.when(system).then(power)
            if "system_power" in fields:
                moved = nw.coalesce(nw.col(PREFIX + "system_power"), moved)
            kept += [nw.when(~system).then(power), moved.alias(PREFIX + "system_power")]
        return kept
