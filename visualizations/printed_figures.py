"""What authors print of the answers of a lineage, compared with them."""

from __future__ import annotations

from runlineage.catalogs.quantities.rounding import USUAL_DIGITS, relative_half_unit
from runlineage.catalogs.quantities.units import is_ours
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.printed import Printed, answer_of, compared, share
from runlineage.dataflow.graph.stages import STAGES, rounding_in_sum
from runlineage.dataflow.routes.plans import closure


def printed_figures(lineage: Lineage) -> dict[str, Printed]:
    """Compare the answers of a lineage with the figures that authors print, by the names of its entries.

    >>> from runlineage import Scenarios
    >>> lineage = Scenarios.Gpt3PublishedRun.lineage()
    >>> for name, printed in printed_figures(lineage).items():
    ...     print(name, printed)
    achieved_rate printed 24.6 TFLOP/s per accelerator (agrees)
    """
    if lineage.parts:
        each = {part.subject: printed_figures(part) for part in lineage.parts}
        return {f"{name} of {whose}": printed for whose, figures in each.items() for name, printed in figures.items()}
    figures: dict[str, Printed] = {}
    for fact in lineage.reported:
        printed = printed_figure(lineage, fact)
        if printed and printed.difference is not None:
            figures.setdefault(answer_of(fact), printed)
    return figures


def printed_figure(lineage: Lineage, fact: str) -> Printed | None:
    """Compare one figure that authors print with its answer in the lineage of a run, where there is one."""
    answer = answer_of(fact)
    entry = lineage.entries.get(answer)
    if entry is None:
        return None
    return compared(entry.value, lineage.reported[fact], fact, _rounding(lineage, answer), entry.interval)


def _rounding(lineage: Lineage, answer: str) -> float:
    """Return the share that the digits of the facts beneath an answer leave open; in a sum, weighed by its terms."""
    entry = lineage.entries[answer]
    if entry.route == STAGES:
        sizes = (float(lineage.entries[each].value.magnitude) for each in entry.parents)
        return rounding_in_sum(sizes, (_rounding(lineage, each) for each in entry.parents))
    beneath = closure([answer], lambda name: lineage.entries[name].parents)
    facts = [each.value for name in beneath if (each := lineage.entries[name]).is_fact and is_ours(each.value)]
    return sum(relative_half_unit(value, USUAL_DIGITS) for value in facts)


def comparison(printed: Printed | None) -> str:
    """Describe how an answer compares with what authors print; nothing where they cannot be compared."""
    if printed is None or printed.difference is None:
        return ""
    return "the answer agrees" if printed.agrees else f"the answer is {share(printed.difference)}"
