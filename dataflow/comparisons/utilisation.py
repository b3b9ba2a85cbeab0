"""Single steps: their rate, and the utilisation of model and hardware, held against each other."""

from runlineage.catalogs.quantities.kinds import Count, Fraction, Rate, TokenRate, WorkPerToken
from runlineage.catalogs.quantities.units import quantity as quantity  # for the examples
from runlineage.dataflow.adapters.comparison import bounded, compares
from runlineage.dataflow.adapters.marks import given, route


@route
def rate_of_steps__reported(reported_step_rate: Rate) -> Rate:
    """Take the rate of single steps that the authors print.

    rate_of_steps = reported_step_rate

    flop/s/accelerator in, flop/s/accelerator out.

    >>> print(rate_of_steps__reported(quantity(1.76e14, "flop/s/accelerator")))
    1.76×10¹⁴ flop/accelerator/second
    """
    return reported_step_rate


@route
def rate_of_steps__computed(step_rate: Rate) -> Rate:
    """Take the rate of single steps as it is computed, where none is printed.

    rate_of_steps = step_rate

    flop/s/accelerator in, flop/s/accelerator out.

    >>> print(rate_of_steps__computed(quantity(1.76e14, "flop/s/accelerator")))
    1.76×10¹⁴ flop/accelerator/second
    """
    return step_rate


@route
def printed_mfu__reported(reported_mfu: Fraction) -> Fraction:
    """Take the model utilisation that the authors print.

    printed_mfu = reported_mfu

    A plain fraction in, one out.

    >>> print(printed_mfu__reported(quantity(0.46, "")))
    0.46 dimensionless
    """
    return reported_mfu


@route
@given("mfu")
def printed_mfu__given(mfu: Fraction) -> Fraction:
    """Take the model utilisation that was given as a fact.

    printed_mfu = mfu

    A plain fraction in, one out.

    >>> print(printed_mfu__given(quantity(0.46, "")))
    0.46 dimensionless
    """
    return mfu


@route
def best_mfu__printed(printed_mfu: Fraction) -> Fraction:
    """Take the model utilisation as printed, for what is compared with it.

    best_mfu = printed_mfu

    A plain fraction in, one out.

    >>> print(best_mfu__printed(quantity(0.46, "")))
    0.46 dimensionless
    """
    return printed_mfu


@route
def best_mfu__computed(mfu: Fraction) -> Fraction:
    """Take the model utilisation as it is computed, where none is printed.

    best_mfu = mfu

    A plain fraction in, one out.

    >>> print(best_mfu__computed(quantity(0.46, "")))
    0.46 dimensionless
    """
    return mfu


@route
def printed_hfu__reported(reported_hfu: Fraction) -> Fraction:
    """Take the hardware utilisation that the authors print.

    printed_hfu = reported_hfu

    A plain fraction in, one out.

    >>> print(printed_hfu__reported(quantity(0.58, "")))
    0.58 dimensionless
    """
    return reported_hfu


@route
@given("hfu")
def printed_hfu__given(hfu: Fraction) -> Fraction:
    """Take the hardware utilisation that was given as a fact.

    printed_hfu = hfu

    A plain fraction in, one out.

    >>> print(printed_hfu__given(quantity(0.58, "")))
    0.58 dimensionless
    """
    return hfu


@route
@compares(
    "reported_step_rate",
    "operations a token × tokens a second ÷ count",
    within=0.05,
    because="authors count attention in different ways",
    causes=("recomputation", "multiply_adds"),
)
def step_rate_to_tokens(
    reported_step_rate: Rate, operations_per_token: WorkPerToken, tokens_per_second: TokenRate, accelerator_count: Count
) -> Fraction:
    """Compare the printed rate of steps with what the throughput of tokens gives.

    step_rate_to_tokens = reported_step_rate ÷ (operations_per_token × tokens_per_second ÷ accelerator_count)

    flop/s/accelerator, flop/token, token/s and accelerators in, a plain ratio out. [chowdhery2022] App. B.

    >>> print(step_rate_to_tokens(
    ...     quantity(1e14, "flop/s/accelerator"), quantity(1e11, "flop/token"), quantity(1e6, "token/s"),
    ...     quantity(1000.0, "accelerator"),
    ... ))
    1 dimensionless
    """
    return reported_step_rate / (operations_per_token * tokens_per_second / accelerator_count)


@route
@compares(
    "printed_mfu",
    "rate of steps ÷ peak",
    within=0.05,
    because="authors count attention in different ways",
    causes=("recomputation", "sparse_peak"),
)
def mfu_to_steps(printed_mfu: Fraction, rate_of_steps: Rate, peak_flops: Rate) -> Fraction:
    """Compare the printed model utilisation with the rate of steps over the peak.

    mfu_to_steps = printed_mfu ÷ (rate_of_steps ÷ peak_flops)

    A plain fraction and two rates in, a plain ratio out. [chowdhery2022] App. B.

    >>> ratio = mfu_to_steps(
    ...     quantity(0.462, ''), quantity(127.13e12, 'flop/s/accelerator'), quantity(275e12, 'flop/s/accelerator')
    ... )
    >>> print(f"{ratio:.3f}")
    0.999 dimensionless
    """
    return printed_mfu / (rate_of_steps / peak_flops)


@route
@compares(
    "printed_hfu",
    "MFU × what is computed anew",
    within=0.1,
    because="part of the activations may be kept, and then less than a whole forward pass is computed anew",
)
def hfu_to_mfu(printed_hfu: Fraction, best_mfu: Fraction, recomputation_factor: Fraction) -> Fraction:
    """Compare the printed hardware utilisation with the model's and what recomputation adds.

    hfu_to_mfu = printed_hfu ÷ (best_mfu × recomputation_factor)

    Three plain fractions in, a plain ratio out. [korthikanti2022]

    >>> print(f"{hfu_to_mfu(quantity(0.578, ''), quantity(0.457, ''), quantity(4 / 3, '')):.3f}")
    0.949 dimensionless
    """
    return printed_hfu / (best_mfu * recomputation_factor)


@route
@bounded("printed_mfu", "HFU", because="hardware runs the model's operations and what is computed anew")
def mfu_to_hfu(printed_mfu: Fraction, printed_hfu: Fraction) -> Fraction:
    """Compare the printed model utilisation with the printed hardware utilisation, which holds it.

    mfu_to_hfu = printed_mfu ÷ printed_hfu

    Two plain fractions in, a plain ratio out. [chowdhery2022]

    >>> print(f"{mfu_to_hfu(quantity(0.462, ''), quantity(0.578, '')):.3f}")
    0.799 dimensionless
    """
    return printed_mfu / printed_hfu
