"""The records made of facts: what all have in common, and the workloads and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.records.facts import Fact, read_fact
from runlineage.catalogs.records.periods import read_periods
from runlineage.catalogs.records.values import read_figure

PLAIN = {
    "key", "name", "aliases", "vendor", "counted_as", "default_precision", "differing", "workload", "periods",
    "intensities", "jurisdiction", "applies_to", "note",
}  # fmt: skip

if TYPE_CHECKING:

    class Model:
        """What checkers see of a pydantic model: facts are given as text, numbers or quantities, not as `Fact`s."""

        model_fields: ClassVar[dict[str, Any]]

        def __init__(self, /, **facts: Any) -> None: ...

else:
    Model = BaseModel


class Record(Model):
    """Base of the records: unknown keys are refused, and all faults are reported at once in our own error."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    key: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()

    def __init__(self, /, **facts: Any) -> None:
        try:
            super().__init__(**{name: fact for name, fact in facts.items() if fact is not None})
        except ValidationError as problem:
            raise InputError(
                tuple(_faults(problem, type(self))), facts.get("key") or facts.get("name") or type(self).__name__
            ) from None

    @field_validator("*", mode="before")
    @classmethod
    def _read(cls, raw: Any, info: ValidationInfo) -> Any:
        if info.field_name is None or info.field_name in PLAIN:
            return raw
        return read_fact(raw, info.field_name, cls._read_value)

    @classmethod
    def _read_value(cls, raw: Any, field: str) -> Any:
        return read_figure(raw, field)

    @classmethod
    def spelt(cls) -> tuple[str, ...]:
        """Return the fields as a row spells them, for messages."""
        return tuple(cls.model_fields)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name or self.key!r}: {', '.join(self.facts())}>"

    def facts(self) -> dict[str, Fact]:
        """Return every fact of the record by its field."""
        return {name: value for name in type(self).model_fields if isinstance(value := getattr(self, name), Fact)}


def _faults(problem: ValidationError, record: type[Record]) -> list[Fault]:
    faults: list[Fault] = []
    for each in problem.errors(include_url=False):
        field = ".".join(map(str, each["loc"])) or record.__name__
        if each["type"] == "extra_forbidden":
            near = nearest(field, record.spelt(), 1)
            faults.append(
                Fault(
                    field,
                    "is not a field here",
                    f"the nearest: {near[0]}" if near else f"the fields are {', '.join(record.spelt())}",
                )
            )
        elif isinstance(cause := each.get("ctx", {}).get("error"), InputError):
            faults.extend(cause.faults)
        else:
            expected = "a list of names" if field.startswith("aliases") else "text"
            faults.append(Fault(field, f"is {echo(each['input'])}", f"expected {expected}"))
    return faults


class Workload(Record):
    """A model and its training data, as published.

    >>> print(Workload(name="PaLM 540B", parameters="540B", training_tokens="780B").parameters.value)
    5.4×10¹¹ parameter
    """

    parameters: Fact | None = None
    active_parameters: Fact | None = None
    sparse: Fact | None = None
    training_tokens: Fact | None = None
    architecture: Fact | None = None
    layers: Fact | None = None
    hidden_size: Fact | None = None
    attention_width: Fact | None = None
    sequence_length: Fact | None = None


class Run(Record):
    """A published training run, as its record in the catalog states it."""

    workload: str = ""
    training_ops: Fact | None = None
    base_training_ops: Fact | None = None
    training_tokens: Fact | None = None
    accelerator: Fact | None = None
    precision: Fact | None = None
    accelerator_count: Fact | None = None
    duration: Fact | None = None
    periods: tuple[Any, ...] = ()
    accelerator_hours: Fact | None = None
    device_power: Fact | None = None
    power_basis: Fact | None = None
    system_power: Fact | None = None
    stage: Fact | None = None
    work_counts: Fact | None = None
    host_overhead: Fact | None = None
    pue: Fact | None = None
    carbon_intensity: Fact | None = None
    market_carbon_intensity: Fact | None = None
    published_emissions: Fact | None = None
    price: Fact | None = None
    reported_energy: Fact | None = None
    reported_facility_energy: Fact | None = None
    reported_rate: Fact | None = None
    reported_step_rate: Fact | None = None
    reported_mfu: Fact | None = None
    reported_hfu: Fact | None = None
    tokens_per_second: Fact | None = None
    attention: Fact | None = None
    recomputation: Fact | None = None

    @field_validator("periods", mode="before")
    @classmethod
    def _periods(cls, raw: Any) -> tuple[Any, ...]:
        return read_periods(raw)
