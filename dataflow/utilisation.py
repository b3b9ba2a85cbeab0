"""What single steps achieve, attention counted, on top of the facts of a run.

It imports none of the others: edges are names. A step is another window than the run: restarts, evaluation and idle
time lie between steps, so that `mfu` stands beside `peak_fraction` and never in its place. Quantities flow in coherent
units (flop/token, token/s, flop/s/accelerator), so no body converts anything. PaLM, App. B [chowdhery2022] has the
equations.
"""

from runlineage.catalogs.quantities.constants import WORK_PER_PARAMETER_TOKEN
from runlineage.catalogs.quantities.kinds import (
    AttentionWork,
    Count,
    Duration,
    Fraction,
    Layers,
    Parameters,
    Rate,
    TokenRate,
    Tokens,
    Width,
    WorkPerToken,
)
from runlineage.catalogs.quantities.units import quantity
from runlineage.dataflow.adapters.marks import basis, route, stated

# Scores and their use, two products each forward and four backward, over a whole sequence: 2 × (2 + 4).
FULL_ATTENTION = quantity(12.0, "flop/layer/channel/token/token")


@route
def tokens_per_second__steps(tokens_per_step: Tokens, step_time: Duration) -> TokenRate:
    """Spread the tokens of a step over its time.

    tokens_per_second = tokens_per_step ÷ step_time

    Tokens and s in, token/s of the whole run out.

    >>> print(tokens_per_second__steps(quantity(4e6, "token"), quantity(10.0, "s")))
    400000 token/second
    """
    return tokens_per_step / step_time


@route
def attention_width__hidden_size(hidden_size: Width) -> Width:
    """Take heads × head size to be the width of the model, as in most architectures.

    attention_width = hidden_size

    Channels in, channels out. A model that states its heads and their size gives attention_width itself.

    >>> print(attention_width__hidden_size(quantity(12288.0, "channel")))
    12288 channel
    """
    return hidden_size


@route
@basis("modeled")
def attention_work__full() -> AttentionWork:
    """Count attention over the whole sequence, as PaLM's convention does; the word `attention` says otherwise.

    attention_work = 12 flop/layer/channel/token²

    Nothing in, flop/layer/channel/token² out. [chowdhery2022] App. B.

    >>> print(attention_work__full())
    12 flop/channel/layer/token²
    """
    return FULL_ATTENTION


@route
@basis("modeled")
def attention_operations(
    attention_work: AttentionWork, layers: Layers, attention_width: Width, sequence_length: Tokens
) -> WorkPerToken:
    """Count the operations of attention for each token: they grow with the length of the sequence.

    attention_operations = attention_work × layers × attention_width × sequence_length

    flop/layer/channel/token², layers, channels and tokens in, flop/token out. [chowdhery2022] App. B.

    >>> print(attention_operations(
    ...     FULL_ATTENTION, quantity(118.0, "layer"), quantity(12288.0, "channel"), quantity(2048.0, "token")
    ... ))
    3.56348×10¹⁰ flop/token
    """
    return attention_work * layers * attention_width * sequence_length


@route
@basis("modeled")
def operations_per_token__with_attention(
    parameters_per_token: Parameters, attention_operations: WorkPerToken
) -> WorkPerToken:
    """Count the model's operations for each token: those of its weights, and those of attention.

    operations_per_token = 6 flop/parameter/token × parameters_per_token + attention_operations

    Parameters and flop/token in, flop/token out. [chowdhery2022] App. B.
    Excludes: recomputation.

    >>> print(operations_per_token__with_attention(quantity(540.35e9, "parameter"), quantity(3.56354e10, "flop/token")))
    3.27774×10¹² flop/token
    """
    work = WORK_PER_PARAMETER_TOKEN * parameters_per_token
    return work + attention_operations  # pyright: ignore[reportReturnType] - pint: or a date


@route
@basis("modeled")
def operations_per_token__without_attention(parameters_per_token: Parameters) -> WorkPerToken:
    """Count the operations of the weights alone, where the architecture is not known.

    operations_per_token = 6 flop/parameter/token × parameters_per_token

    Parameters in, flop/token out.
    Excludes: attention, recomputation.

    >>> print(operations_per_token__without_attention(quantity(540.35e9, "parameter")))
    3.2421×10¹² flop/token
    """
    return WORK_PER_PARAMETER_TOKEN * parameters_per_token


@route
def step_rate__tokens(
    operations_per_token: WorkPerToken, tokens_per_second: TokenRate, accelerator_count: Count
) -> Rate:
    """Compute the rate of each device while steps run.

    step_rate = operations_per_token × tokens_per_second ÷ accelerator_count

    flop/token, token/s and accelerators in, flop/s/accelerator out: the model's operations, within a step.

    >>> print(step_rate__tokens(
    ...     quantity(3.27774e12, "flop/token"), quantity(238.3e3, "token/s"), quantity(6144.0, "accelerator")
    ... ).to("TFLOP/s/accelerator"))
    127.13 teraflop/accelerator/second
    """
    return operations_per_token * tokens_per_second / accelerator_count


@route
@basis("stated")
@stated("reported_step_rate")
def step_rate__reported(reported_step_rate: Rate) -> Rate:
    """Take the rate of steps as the authors print it, where nothing computes it.

    step_rate = reported_step_rate

    flop/s/accelerator in, flop/s/accelerator out. What the authors count is said beside the figure.

    >>> print(step_rate__reported(quantity(1.4e14, "flop/s/accelerator")))
    1.4×10¹⁴ flop/accelerator/second
    """
    return reported_step_rate


@route
def mfu__steps(step_rate: Rate, peak_flops: Rate) -> Fraction:
    """Compare the rate of steps with the dense peak: model FLOP/s utilisation.

    mfu = step_rate ÷ peak_flops

    Two rates in, a plain fraction out: the model's operations, one step. [chowdhery2022] App. B.
    Excludes: recomputation, time between steps.

    >>> print(f"{mfu__steps(quantity(127.13, 'TFLOP/s/accelerator'), quantity(275.0, 'TFLOP/s/accelerator')):.3f}")
    0.462 dimensionless
    """
    return step_rate / peak_flops


@route
@basis("stated")
@stated("reported_mfu")
def mfu__reported(reported_mfu: Fraction) -> Fraction:
    """Take the utilisation as the authors print it, where nothing computes it.

    mfu = reported_mfu

    A plain fraction in, one out. What the authors count is said beside the figure.

    >>> print(mfu__reported(quantity(0.46, "")))
    0.46 dimensionless
    """
    return reported_mfu


@route
def hfu__recomputation(mfu: Fraction, recomputation_factor: Fraction) -> Fraction:
    """Count what the devices ran, a second forward pass where activations are computed anew: hardware utilisation.

    hfu = mfu × recomputation_factor

    Two plain fractions in, one out: 4/3 where recomputation is full, 1 where there is none. [korthikanti2022]
    Excludes: time between steps.

    >>> print(f"{hfu__recomputation(quantity(0.45, ''), quantity(4 / 3, '')):.2f}")
    0.60 dimensionless
    """
    return mfu * recomputation_factor


@route
@basis("stated")
@stated("reported_hfu")
def hfu__reported(reported_hfu: Fraction) -> Fraction:
    """Take the utilisation as the authors print it, where nothing computes it.

    hfu = reported_hfu

    A plain fraction in, one out. What the authors count is said beside the figure.

    >>> print(hfu__reported(quantity(0.58, "")))
    0.58 dimensionless
    """
    return reported_hfu


@route
def goodput(training_tokens: Tokens, tokens_per_second: TokenRate, duration: Duration) -> Fraction:
    """Compute the share of the run's time that steps took.

    goodput = training_tokens ÷ (tokens_per_second × duration)

    Tokens, token/s and s in, a plain fraction out; the rest is restarts, evaluation and idle time.

    >>> print(goodput(quantity(780e9, "token"), quantity(238.3e3, "token/s"), quantity(4e6, "s")))
    0.818296 dimensionless
    """
    return training_tokens / (tokens_per_second * duration)
