"""A check of a run of several stages: that of each stage, and the sum of the stages against figures of the whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.units import Quantity, convert
from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.checks.check import Check
from runlineage.dataflow.checks.compared import CONTRADICT, Compared, Doubt
from runlineage.dataflow.graph.printed import Printed
from runlineage.dataflow.runs.scenario import PublishedRunScenario

SUM = "sum of the stages"


Sums = Iterable[tuple[str, Quantity, Printed]]


def check_stages(subject: str, stages: Mapping[str, PublishedRunScenario], sums: Sums) -> Check:
    """Compare the figures of each stage, and each sum of the stages with the figure that is stated of the whole."""
    checks = {name: stage.check() for name, stage in stages.items()}
    of_stages = tuple(
        replace(each, name=f"{each.name} of {name}") for name, found in checks.items() for each in found.compared
    )
    of_whole = tuple(_against_sum(sums))
    doubts = [doubt for found in checks.values() for doubt in found.doubts]
    doubts += [doubt for each in of_whole if each.word == CONTRADICT for doubt in each.doubts]
    fits = [found.fit for found in checks.values() if found.fit]
    beside = tuple(each for found in checks.values() for each in found.beside)
    warnings = dict.fromkeys(text for found in checks.values() for text in found.warnings)
    one_fit = fits[0] if len(fits) == 1 and not any(each.word == CONTRADICT for each in of_whole) else None
    return Check(subject, (*of_whole, *of_stages), tuple(doubts), one_fit, beside, tuple(warnings))


def _against_sum(sums: Sums) -> Iterable[Compared]:
    for name, total, printed in sums:
        unit: Any = printed.value.units
        summed = convert(total, unit)
        ratio = float(printed.value.magnitude / summed.magnitude)
        mark = Comparison(name, SUM, 0.0, 0.0, "")
        doubts = (Doubt(printed.fact, printed.value, summed),)
        width = math.log1p(printed.rounding)
        slopes = Frozen({printed.fact: 1.0})
        yield Compared(f"{name}_to_stages", mark, printed.value, summed, ratio, width, slopes, doubts=doubts)
