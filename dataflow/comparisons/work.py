"""Work: recorded, modeled, and given as the answer itself, held against each other."""

from runlineage.catalogs.quantities.constants import WORK_PER_PARAMETER_TOKEN
from runlineage.catalogs.quantities.kinds import AcceleratorTime, Fraction, Operations, Parameters, Rate, Tokens
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters.comparison import bounded, compares
from runlineage.dataflow.adapters.marks import basis, given, route


@route
@basis("modeled")
def modeled_work(parameters_per_token: Parameters, training_tokens: Tokens) -> Operations:
    """Model the work of the run from its weights and tokens, whatever is recorded.

    modeled_work = 6 flop/parameter/token × parameters_per_token × training_tokens

    Parameters and tokens in, flop out. [kaplan2020]
    Excludes: attention, recomputation.

    >>> print(modeled_work(quantity(175e9, "parameter"), quantity(180e9, "token")))
    1.89×10²³ flop
    """
    return WORK_PER_PARAMETER_TOKEN * parameters_per_token * training_tokens


@route
def recorded_work(training_ops: Operations) -> Operations:
    """Take the work as recorded, and none where none is.

    recorded_work = training_ops

    Flop in, flop out.

    >>> print(recorded_work(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_ops


@route
def run_work__recorded(training_ops: Operations) -> Operations:
    """Take the work as recorded, never from a rate that is to be compared with it.

    run_work = training_ops

    Flop in, flop out.

    >>> print(run_work__recorded(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_ops


@route
def run_work__modeled(modeled_work: Operations) -> Operations:
    """Take the work as modeled, where none is recorded.

    run_work = modeled_work

    Flop in, flop out.

    >>> print(run_work__modeled(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return modeled_work


@route
@given("training_operations")
def printed_work(training_operations: Operations) -> Operations:
    """Take the work that was given as the answer itself.

    printed_work = training_operations

    Flop in, flop out.

    >>> print(printed_work(quantity(3.14e23, "flop")))
    3.14×10²³ flop
    """
    return training_operations


@route
def total_work(all_parameters: Parameters, training_tokens: Tokens) -> Operations:
    """Model the work as if a token passed all weights of a sparse model.

    total_work = 6 flop/parameter/token × all_parameters × training_tokens

    Parameters and tokens in, flop out.

    >>> print(total_work(quantity(1e12, "parameter"), quantity(1e12, "token")))
    6×10²⁴ flop
    """
    return WORK_PER_PARAMETER_TOKEN * all_parameters * training_tokens


@route
@compares(
    "training_ops",
    "6 N D",
    within=0.1,
    because="6 N D leaves out attention and counts embeddings",
    causes=("recomputation", "attention", "total_parameters", "encoder_decoder", "forward_pass", "base", "kilo"),
)
def recorded_to_modeled(training_ops: Operations, modeled_work: Operations) -> Fraction:
    """Compare recorded work with 6 N D.

    recorded_to_modeled = training_ops ÷ modeled_work

    Flop and flop in, a plain ratio out. [kaplan2020] has 6 N D.

    >>> print(f"{recorded_to_modeled(quantity(4.3e23, 'flop'), quantity(3.15e23, 'flop')):.3f}")
    1.365 dimensionless
    """
    return training_ops / modeled_work


@route
@bounded(
    "total_work",
    "peak × time, all weights counted",
    because="no device computes faster than its peak",
    causes=("sparse_total",),
)
def total_work_to_peak(total_work: Operations, run_time: AcceleratorTime, peak_flops: Rate) -> Fraction:
    """Compare 6 N D of all weights of a sparse model with what the devices could do at their peak.

    total_work_to_peak = total_work ÷ (run_time × peak_flops)

    Flop, accelerator·s and flop/s/accelerator in, a plain ratio out. A token passes only part of the weights.

    >>> print(total_work_to_peak(
    ...     quantity(2e24, "flop"), quantity(1e10, "accelerator*s"), quantity(1e14, "flop/s/accelerator")
    ... ))
    2 dimensionless
    """
    return total_work / (run_time * peak_flops)


@route
@compares(
    "printed_work",
    "work as recorded, or else 6 N D",
    within=0.1,
    because="6 N D leaves out attention and counts embeddings",
    causes=("recomputation", "total_parameters", "kilo"),
)
def given_to_work(printed_work: Operations, run_work: Operations) -> Fraction:
    """Compare work that was given as the answer with recorded work, or else with 6 N D.

    given_to_work = printed_work ÷ run_work

    Flop twice in, a plain ratio out.

    >>> print(f"{given_to_work(quantity(4e23, 'flop'), quantity(3e23, 'flop')):.3f}")
    1.333 dimensionless
    """
    return printed_work / run_work
