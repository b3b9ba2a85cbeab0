"""What policy thresholds compare, on top of the four metrics.

It imports none of them: edges are names. A model that was trained from another has two numbers, its own work and that
of its base, which are kept apart: only here are they added, or one measured against the other.
"""

from runlineage.catalogs.quantities.kinds import Fraction, Operations
from runlineage.dataflow.adapters.marks import route


@route
def cumulative_operations(training_operations: Operations, base_training_ops: Operations) -> Operations:
    """Add the operations of the model that this run started from.

    cumulative_operations = training_operations + base_training_ops

    flop in, flop out: what the EU AI Act calls the cumulative amount of computation used for training [eu_ai_act],
    as far as the facts go.
    Excludes: synthetic data, merged models, attention and recomputation where operations are modeled.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(cumulative_operations(quantity(2e24, "flop"), quantity(3.8e25, "flop")))
    4×10²⁵ flop
    """
    return training_operations + base_training_ops  # pyright: ignore[reportReturnType] - pint: or a date


@route
def modification_share(training_operations: Operations, base_training_ops: Operations) -> Fraction:
    """Measure the work of a modification against that of the model it started from.

    modification_share = training_operations ÷ base_training_ops

    flop in, a plain fraction out. The EU's guidelines draw their line at a third [eu_gpai_guidelines].

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(modification_share(quantity(1e24, "flop"), quantity(4e24, "flop")))
    0.25 dimensionless
    """
    return training_operations / base_training_ops
