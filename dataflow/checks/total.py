"""The total of a sparse model, which metrics do not rest on, for comparisons."""

from __future__ import annotations

from dataclasses import replace

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.catalogs.quantities.reading import coherent
from runlineage.dataflow.inputs.inputs import Inputs

TOTAL = "all_parameters"  # as comparisons take it


def with_total(inputs: Inputs) -> Inputs:
    """Return the inputs with the total of a sparse model, which is kept from the graph, under a name of its own."""
    total = inputs.given.get("parameters")
    is_sparse = inputs.words.get("sparse") is True or "active_parameters" in inputs.given
    if total is None or not is_sparse:
        return inputs
    in_graph = coherent(total, FIELDS["parameters"].kind)
    origins = {**inputs.origins}
    if "parameters" in origins:
        origins[TOTAL] = origins["parameters"]
    return replace(
        inputs,
        given=Frozen({**inputs.given, TOTAL: total}),
        graph=Frozen({**inputs.graph, TOTAL: in_graph}),
        origins=Frozen(origins),
    )
