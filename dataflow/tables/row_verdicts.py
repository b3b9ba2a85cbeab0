"""What comes of one comparison in the rows of a table, as expressions over its ratio and what digits leave open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import narwhals as nw

from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.checks.causes import RATIOS
from runlineage.dataflow.checks.compared import AGREE, CLOSE, CONTRADICT, NOISE
from runlineage.dataflow.checks.marks import OF_TOTAL
from runlineage.dataflow.tables.metric_columns import PREFIX
from runlineage.dataflow.tables.request import ROUNDING
from runlineage.dataflow.tables.row_causes import RECORDED_WORK, cause

# Comparisons that only repeat others, where a row allows these too.
MADE_UP_OF = {
    "fraction_to_work": ("fraction_to_rate", "rate_to_work"),
}
WORK = "run_work"  # known where a row has recorded work, or weights and tokens
LOG, WIDTH = PREFIX + "log", PREFIX + "width"


@dataclass(frozen=True)
class RowVerdicts:
    """One comparison of a table's rows; `told` are the columns of words that the table has.

    Whether two figures agree takes no logarithm. What is said of the others does: it rests on the working columns
    `logs` besides those that a table has.
    """

    name: str
    mark: Comparison
    told: frozenset[str]

    @property
    def ratio(self) -> Any:
        """The one figure by the other."""
        return nw.col(self.name)

    @property
    def rounding(self) -> Any:
        """The factor that the digits of both leave open."""
        return nw.col(self.name + ROUNDING)

    @property
    def is_possible(self) -> Any:
        """Whether a row allows the comparison, and it tells something further."""
        there = ~self.ratio.is_null()
        if self.name == OF_TOTAL:
            there &= nw.col(WORK).is_null()
        if self.name in MADE_UP_OF:
            there &= reduce(lambda one, other: one | other, (nw.col(each).is_null() for each in MADE_UP_OF[self.name]))
        return there

    @property
    def apart(self) -> Any:
        """How many times one is the other, in either direction and beyond what digits leave open."""
        return nw.when(self.ratio > 1).then(self.ratio).otherwise(1 / self.ratio) / self.rounding

    @property
    def agrees(self) -> Any:
        """Whether the two agree within their digits."""
        within = self.apart <= 1 + NOISE
        return within | (self.ratio <= 1) if self.mark.is_bound else within

    @property
    def is_near(self) -> Any:
        """Whether the two are no further apart than is known to be for a reason."""
        below = 1 / (1 - min(self.mark.below, 1 - 1e-12))
        return self.apart <= nw.when(self.ratio > 1).then(nw.lit(1 + self.mark.above)).otherwise(nw.lit(below))

    @property
    def contradicts(self) -> Any:
        """Whether they cannot both be true."""
        return ~self.agrees & ~self.is_near

    @property
    def read(self) -> list[str]:
        """The columns that all this rests on."""
        others = MADE_UP_OF.get(self.name, ())
        return [self.name, self.name + ROUNDING, *others, *RATIOS, WORK, RECORDED_WORK, *sorted(self.told)]

    @property
    def logs(self) -> list[Any]:
        """The logarithms of ratio and rounding, as working columns: each is read many times."""
        return [self.ratio.log().alias(LOG), self.rounding.log().alias(WIDTH)]

    @property
    def of_agreeing(self) -> dict[str, Any]:
        """What is said of figures that agree."""
        return {"verdict": nw.lit(AGREE), "cause": nw.lit(None, nw.String), "badness": nw.lit(0.0)}

    @property
    def of_others(self) -> dict[str, Any]:
        """What is said of those that do not."""
        return {
            "verdict": nw.when(self.is_near).then(nw.lit(CLOSE)).otherwise(nw.lit(CONTRADICT)),
            "cause": cause(self.mark, nw.col(LOG), nw.col(WIDTH), self.told, self.is_near),
            "badness": nw.when(self.is_near).then(nw.lit(0.0)).otherwise(nw.col(LOG).abs() - nw.col(WIDTH)),
        }
