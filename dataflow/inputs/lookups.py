"""What the catalog adds to an input: an accelerator's peak and TDP, the intensity of a grid."""

from __future__ import annotations

import numpy as np

from runlineage.catalogs.base.errors import Fault
from runlineage.catalogs.catalog import Accelerators, Grids
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.grid import Grid
from runlineage.dataflow.inputs.inputs import InputDraft

TDP_TOLERANCE = 1.05  # boards may be set a little above their design power
UNLIKE_GRID = 2.0  # a site's own grid is rarely twice as dirty, or half, as its region's
SPARSE_RATIO = 1.5  # structured sparsity doubles a peak
RATE, POWER = KINDS["Rate"], KINDS["Power"]


def complete_from_accelerator(draft: InputDraft) -> None:
    """Take the peak at the run's precision, and the TDP, from the accelerator's record where they are not given."""
    node = draft.words.get("accelerator")
    if node is None:
        return
    precision = draft.words.get("precision", "")
    peak = node.peak(precision)
    if "peak_flops" in draft.given:
        _doubt_peak(draft, node, peak)
    elif precision and peak is None:
        has = ", ".join(node.compute.precision_flops) or "none"
        draft.faults.append(Fault("precision", f"{node.name} has no {precision} peak", f"it has {has}"))
    elif peak is not None:
        text = f"dense {precision} peak" if precision else "precision not stated: dense 16-bit matrix peak"
        draft.derive("peak_flops", peak, text, ("accelerator", "precision") if precision else ("accelerator",))
    if node.tdp is not None and node.tdp.value is not None:
        _doubt_power(draft, node, node.tdp.value)
        if "accelerator_tdp" not in draft.given:
            draft.derive("accelerator_tdp", node.tdp, "thermal design power", ("accelerator",))
    _compare_with_catalog(draft, node, precision)


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
    for name, now in (("peak_flops", known.peak(precision)), ("accelerator_tdp", known.tdp)):
        kind, used = FIELDS[name].kind, draft.given.get(name)
        if name not in draft.parents or used is None or now is None or now.value is None:
            continue
        if not np.isclose(coherent(used, kind).magnitude, coherent(now.value, kind).magnitude, rtol=1e-12, atol=0):
            text = f"{name} of {node.name}, {people(used)}, differs from the catalog"
            draft.doubts.append(f"{text}, which has {people(now.value)}")


def _doubt_peak(draft: InputDraft, node: HardwareNode, peak: Fact | None) -> None:
    if peak is not None:
        ratio = np.max(coherent(draft.given["peak_flops"], RATE).magnitude) / coherent(peak.value, RATE).magnitude
        if ratio > SPARSE_RATIO:
            dense = f"the dense peak of {node.name}, {people(peak.value)}"
            draft.doubts.append(f"peak_flops is {number(ratio)} times {dense}: a sparse figure?")


def _doubt_intensity(draft: InputDraft, grid: Grid, year: str, fact: Fact | None) -> None:
    if fact is not None:
        kind = KINDS["CarbonIntensity"]
        ratio = coherent(draft.given["carbon_intensity"], kind).magnitude / coherent(fact.value, kind).magnitude
        if np.max(ratio) > UNLIKE_GRID or np.min(ratio) < 1 / UNLIKE_GRID:
            known = f"the grid of {grid.name} in {year} has {people(fact.value)}"
            draft.doubts.append(f"carbon_intensity is given, and {known}: is it that of the region?")


def _doubt_power(draft: InputDraft, node: HardwareNode, tdp: Quantity) -> None:
    power = draft.given.get("device_power")
    if power is not None and np.max(coherent(power, POWER).magnitude) > TDP_TOLERANCE * coherent(tdp, POWER).magnitude:
        draft.doubts.append(
            f"device_power is above the {people(tdp)} that {node.name} is designed for: is it a device's alone?"
        )
