"""What the catalog adds to an input: an accelerator's peak and TDP, the intensity of a grid."""

from __future__ import annotations

import numpy as np

from runlineage.catalogs.base.errors import Fault
from runlineage.catalogs.catalog import Accelerators, Grids
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.grid import Grid
from runlineage.dataflow.inputs.inputs import InputDraft

UNLIKE_GRID = 2.0  # a site's own grid is rarely twice as dirty, or half, as its region's


def complete_from_accelerator(draft: InputDraft) -> None:
    """Take the peak at the run's precision, and the TDP, from the accelerator's record where they are not given."""
    node = draft.words.get("accelerator")
    if node is None:
        return
    precision = draft.words.get("precision", "")
    peak, parents = node.peak(precision), ("accelerator", "precision") if precision else ("accelerator",)
    if "peak_flops" not in draft.given and peak is None:
        _explain_no_peak(draft, node, precision)
    elif "peak_flops" not in draft.given and peak is not None:
        text = f"dense {precision} peak" if precision else "precision not stated: dense 16-bit matrix peak"
        draft.derive("peak_flops", peak, text, parents)
    if "accelerator_tdp" not in draft.given and node.tdp is not None and node.tdp.value is not None:
        draft.derive("accelerator_tdp", node.tdp, "thermal design power", ("accelerator",))
    elif not {"accelerator_tdp", "device_power"} & draft.given.keys() and node.missing("tdp"):
        several = f"{node.name} may be any of several parts, whose design powers differ"
        draft.doubts.append(f"accelerator_tdp is missing: {several}: {node.missing('tdp')}")
    _compare_with_catalog(draft, node, precision)


def _explain_no_peak(draft: InputDraft, node: HardwareNode, precision: str) -> None:
    """Refuse a precision that the device has no peak at; of a family whose members differ, the peak is missing."""
    if node.differing and (node.missing(f"peak_{precision}" if precision else "peak")):
        draft.doubts.append(f"peak_flops is missing: {node.no_peak(precision)}; name the part, or give peak_flops")
    elif precision:
        what, _, cure = node.no_peak(precision).partition("; ")
        draft.faults.append(Fault("precision", what, cure))


def figures(node: HardwareNode, precision: str) -> dict[str, Quantity]:
    """Return what the catalog has of an accelerator: its dense peak at a precision, and its design power.

    >>> print(figures(Accelerators["V100 SXM2 16GB"], "")["peak_flops"])
    125 teraflop/accelerator/second
    """
    facts = {"peak_flops": node.peak(precision), "accelerator_tdp": node.tdp}
    return {name: fact.value for name, fact in facts.items() if fact is not None and fact.value is not None}


def complete_from_region(draft: InputDraft) -> None:
    """Take the intensity of the region's grid in the year; another year or a wider region never stands in.

    A region alone gives none, since a grid's intensity changes from year to year.
    """
    region, year = draft.words.get("region"), draft.words.get("year")
    if region is None or year is None:
        return
    grid = Grids[region]
    fact = grid.intensity(int(year))
    if "carbon_intensity" in draft.given:
        _doubt_intensity(draft, grid, year, fact)
    elif fact is None:
        what = f"is {year}, and no intensity of {grid.name} is held for it"
        draft.faults.append(Fault("year", what, f"held: {grid.held}; or give carbon_intensity itself"))
    else:
        draft.derive("carbon_intensity", fact, f"grid of {grid.name} in {year}", ("region", "year"))


def _compare_with_catalog(draft: InputDraft, node: HardwareNode, precision: str) -> None:
    """Warn where a record that did not come from this catalog, though it has its key, has another figure."""
    known = Accelerators[node.key] if node.key and node.key in Accelerators else node
    if known is node:
        return
    for name, now in figures(known, precision).items():
        kind, used = FIELDS[name].kind, draft.given.get(name)
        if name not in draft.parents or used is None:
            continue
        if not np.isclose(coherent(used, kind).magnitude, coherent(now, kind).magnitude, rtol=1e-12, atol=0):
            text = f"{name} of {node.name}, {people(used)}, differs from the catalog"
            draft.doubts.append(f"{text}, which has {people(now)}")


def _doubt_intensity(draft: InputDraft, grid: Grid, year: str, fact: Fact | None) -> None:
    """Warn that a run's own intensity is used and not the grid's that its region and year name, with both."""
    if fact is None:
        return
    kind, own = KINDS["CarbonIntensity"], draft.given["carbon_intensity"]
    ratio = coherent(own, kind).magnitude / coherent(fact.value, kind).magnitude
    far = np.max(ratio) > UNLIKE_GRID or np.min(ratio) < 1 / UNLIKE_GRID
    text = f"carbon_intensity, {people(own)}, is the run's own; the grid of {grid.name} in {year} has "
    cure = (
        "is it that of the region?"
        if far
        else "withdraw carbon_intensity (None; on the command line none) to use the grid's"
    )
    draft.doubts.append(f"{text}{people(fact.value)} and is not used: {cure}")
