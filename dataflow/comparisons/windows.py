"""Steps against the whole run: other windows of time, of which one bounds the other."""

from runlineage.catalogs.quantities.kinds import (
    AcceleratorTime,
    Duration,
    Fraction,
    Operations,
    Rate,
    TokenRate,
    Tokens,
)
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters.comparison import bounded
from runlineage.dataflow.adapters.marks import route


@route
@bounded(
    "run_work",
    "rate of steps × time",
    above=0.05,
    because="time lies between steps",
    causes=("recomputation", "base"),
)
def run_to_steps(run_work: Operations, run_time: AcceleratorTime, step_rate: Rate) -> Fraction:
    """Compare the work of the run with what its steps would do without a pause: other windows, so at most one.

    run_to_steps = run_work ÷ (run_time × step_rate)

    Flop, accelerator·s and flop/s/accelerator in, a plain ratio out.

    >>> print(run_to_steps(
    ...     quantity(3.6e17, "flop"), quantity(3600.0, "accelerator*s"), quantity(1.25e14, "flop/s/accelerator")
    ... ))
    0.8 dimensionless
    """
    return run_work / (run_time * step_rate)


@route
@bounded("training_tokens", "tokens a second × duration", because="steps cannot take more than all of the time")
def tokens_to_throughput(training_tokens: Tokens, tokens_per_second: TokenRate, duration: Duration) -> Fraction:
    """Compare the tokens of the run with what its throughput gives over its duration.

    tokens_to_throughput = training_tokens ÷ (tokens_per_second × duration)

    Tokens, token/s and s in, a plain ratio out.

    >>> print(tokens_to_throughput(quantity(1e12, "token"), quantity(1e6, "token/s"), quantity(1.25e6, "s")))
    0.8 dimensionless
    """
    return training_tokens / (tokens_per_second * duration)
