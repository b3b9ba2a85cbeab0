"""The rounding of printed figures as their spread, where it is assumed."""

from __future__ import annotations

from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.ranges import LEVEL, Range
from runlineage.catalogs.quantities.rounding import ROUNDEST, USUAL_DIGITS, relative_half_unit
from runlineage.dataflow.inputs.inputs import Inputs

EXACT_WORDS = ("attention", "recomputation")  # what they stand for is no printed figure


def rounded(inputs: Inputs) -> dict[str, Range]:
    """Return the facts that are no ranges as uniform within half a unit of their last printed digit, 5 % at most.

    Zeros at the end of a number may be digits: it is taken to be known to three at least, as where figures are
    compared. A count of layers or channels is exact, and so is what a word stands for.

    >>> from runlineage.dataflow.inputs.read_inputs import read_inputs
    >>> print(rounded(read_inputs({"duration": "14.8 days"}))["duration"].shape)
    uniform
    """
    found = {}
    for name, value in inputs.given.items():
        known, looked_up_by = FIELDS[name], inputs.parents.get(name, ())
        exact = known.whole or (looked_up_by and looked_up_by[0] in EXACT_WORDS)
        if exact or name in inputs.ranges or name not in inputs.graph:
            continue
        half = min(relative_half_unit(value, USUAL_DIGITS), ROUNDEST) * LEVEL
        if half:
            median = inputs.graph[name]
            found[name] = Range(median, median * (1 - half), median * (1 + half), "uniform")
    return found
