"""What a run may be given, for type checkers and for whatever completes names: each field, with what its value may be.

A test holds these fields to the field records; a type checker cannot read those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar

from runlineage.catalogs.quantities.fields import FIELDS, REPORTED, WORDS

if TYPE_CHECKING:
    from decimal import Decimal

    import numpy as np
    from numpy.typing import NDArray

    from runlineage.catalogs.quantities.units import Quantity
    from runlineage.catalogs.records.accelerator import HardwareNode
    from runlineage.catalogs.records.facts import Fact
    from runlineage.catalogs.records.periods import Period
    from runlineage.catalogs.records.records import Workload

# A table holds a value with its source and place, as in a run file; None is a fact that is not given.
Table: TypeAlias = "Mapping[str, Any] | Sequence[Mapping[str, Any]]"
Number: TypeAlias = "float | Decimal | np.number[Any] | NDArray[Any] | Sequence[float]"
FactValue: TypeAlias = "str | Number | Quantity | Fact | Table | None"
WordValue: TypeAlias = "str | Fact | Table | None"
F = TypeVar("F", bound=Callable[..., Any])


class RunFacts(TypedDict, total=False):
    """The facts of a run, beside its workload and its accelerator."""

    parameters: FactValue
    active_parameters: FactValue
    training_tokens: FactValue
    training_ops: FactValue
    accelerator_hours: FactValue
    device_power: FactValue
    accelerator_tdp: FactValue
    accelerator_count: FactValue
    duration: FactValue
    periods: Iterable[Period | Mapping[str, Any]] | None
    peak_flops: FactValue
    system_power: FactValue
    host_overhead: FactValue
    pue: FactValue
    carbon_intensity: FactValue
    market_carbon_intensity: FactValue
    price: FactValue
    published_emissions: FactValue
    base_training_ops: FactValue
    training_operations: FactValue
    achieved_rate: FactValue
    energy: FactValue
    peak_fraction: FactValue
    it_energy: FactValue
    facility_energy: FactValue
    location_emissions: FactValue
    market_emissions: FactValue
    implied_carbon_intensity: FactValue
    training_cost: FactValue
    cumulative_operations: FactValue
    modification_share: FactValue
    parameters_per_token: FactValue
    precision: WordValue
    sparse: bool | WordValue
    architecture: WordValue
    stage: WordValue
    work_counts: WordValue
    power_basis: WordValue
    region: WordValue
    year: float | WordValue
    reported_energy: FactValue
    reported_facility_energy: FactValue
    reported_rate: FactValue


class Changes(RunFacts, total=False):
    """What a variant may change: any fact, the workload and the accelerator; None withdraws what was there."""

    workload: Workload | str | None
    accelerator: HardwareNode | WordValue


def with_fields(function: F) -> F:
    """Write every field into the signature of a function that takes facts by name, for `help()` and notebooks.

    >>> @with_fields
    ... def made(name, **facts): ...
    >>> print("device_power" in signature(made).parameters, "facts" in signature(made).parameters)
    True False
    """
    given = signature(function)
    own = [each for each in given.parameters.values() if each.kind != Parameter.VAR_KEYWORD]
    names = [name for name in ("workload", *FIELDS, "periods", *WORDS, *REPORTED) if name not in given.parameters]
    fields = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in names]
    function.__signature__ = given.replace(parameters=[*own, *fields])  # type: ignore[attr-defined]
    return function
