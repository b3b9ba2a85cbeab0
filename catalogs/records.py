"""The records: a fact with its source, and the workloads, accelerators, runs and sources made of facts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from runlineage.catalogs.errors import Fault, InputError, echo
from runlineage.catalogs.fields import FIELDS, PRECISION_SPELLINGS, WORDS
from runlineage.catalogs.kinds import KINDS
from runlineage.catalogs.names import nearest, plain_text, squash
from runlineage.catalogs.quantities import as_quantity
from runlineage.catalogs.units import Quantity
from runlineage.catalogs.years import read_year

Basis = Literal["stated", "derived", "modeled", "assumed"]
BASES: tuple[str, ...] = get_args(Basis)
FACT_KEYS = ("value", "source", "place", "basis", "note", "preferred", "reason")


@dataclass(frozen=True)
class Fact:
    """A value with its origin; `beside` are other published values of the same quantity, which are not used.

    A fact whose `value` is None has only values that stand beside: none of them is used. `citation` is the source's
    entry where it travelled with the fact (in a lineage file), and is not looked up in the catalog.
    """

    value: Any
    basis: str = "stated"
    source: str | None = None
    place: str | None = None
    note: str | None = None
    reason: str | None = None
    beside: tuple[Fact, ...] = ()
    citation: Source | None = None


def read_fact(raw: Any, field: str, reader: Callable[[Any, str], Any] | None = None) -> Fact:
    """Read one field of a record: a plain value, a table with its origin, or an array of such tables.

    `reader` reads a value where the field is none of a run's.

    >>> print(read_fact({"value": "700 W", "source": "card", "basis": "stated"}, "device_power").value)
    700 watt/accelerator
    """
    if isinstance(raw, Fact):
        return raw
    tables = raw if isinstance(raw, list) and raw and all(isinstance(each, Mapping) for each in raw) else [raw]
    facts, preferred = [], []
    for table in tables:
        fact, choice = _one_fact(table, field, reader or read_value)
        facts.append(fact)
        preferred.append(choice)
    if preferred.count(True) > 1:
        raise InputError((Fault(field, "has two preferred values", "prefer one"),))
    if len(facts) > 1 and preferred.count(None) and True not in preferred:
        raise InputError(
            (Fault(field, f"has {len(facts)} values and none preferred", "mark one preferred = true with its reason"),)
        )
    used = preferred.index(True) if True in preferred else (0 if preferred == [None] else None)
    beside = tuple(fact for place, fact in enumerate(facts) if place != used)
    if used is None:
        return Fact(None, beside=beside)
    chosen = facts[used]
    return Fact(chosen.value, chosen.basis, chosen.source, chosen.place, chosen.note, chosen.reason, beside)


def _one_fact(raw: Any, field: str, reader: Callable[[Any, str], Any]) -> tuple[Fact, bool | None]:
    if not isinstance(raw, Mapping):
        return Fact(reader(raw, field)), None
    faults = [
        Fault(f"{field}.{key}", "is not a key of a fact", f"the keys are {', '.join(FACT_KEYS)}")
        for key in raw
        if key not in FACT_KEYS
    ]
    if "value" not in raw:
        faults.append(Fault(field, "has no value"))
    basis = raw.get("basis", "stated")
    if basis not in BASES:
        faults.append(Fault(f"{field}.basis", f"is {echo(basis)}", f"expected one of {', '.join(BASES)}"))
    preferred = raw.get("preferred")
    if preferred is not None and not (isinstance(preferred, bool) and raw.get("reason")):
        faults.append(Fault(f"{field}.preferred", "needs true or false and a reason"))
    faults += [
        Fault(f"{field}.{key}", f"is {echo(raw[key])}", "expected text")
        for key in ("source", "place", "note", "reason")
        if not isinstance(raw.get(key, ""), str)
    ]
    value = None
    if "value" in raw:
        try:
            value = reader(raw["value"], field)
        except InputError as problem:
            faults.extend(problem.faults)
    if faults:
        raise InputError(tuple(faults))
    source, place, note, reason = (
        plain_text(raw[key]) if raw.get(key) else None for key in ("source", "place", "note", "reason")
    )
    return Fact(value, basis, source, place, note, reason), preferred


def read_value(raw: Any, field: str) -> Any:
    """Read the value of a field, by the one reader for quantities or as one of the field's words."""
    if field in QUANTITIES:
        kind, known = QUANTITIES[field]
        try:
            return as_quantity(raw, KINDS[kind], field=known)
        except InputError as problem:
            raise InputError(tuple(Fault(field, fault.what, fault.cure) for fault in problem.faults)) from None
    if field == "sparse":
        return read_truth(raw, field)
    if field == "year":
        return read_year(raw, field)
    word = WORDS.get(field)
    if not isinstance(raw, str) or not raw.strip():
        raise InputError(
            (
                Fault(
                    field,
                    f"is {echo(raw)}",
                    "expected a word" + (f": {', '.join(word.choices)}" if word and word.choices else ""),
                ),
            )
        )
    return read_word(raw, field)


def read_truth(raw: Any, field: str) -> bool:
    """Read true or false."""
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.strip().casefold() in ("true", "yes", "false", "no"):
        return raw.strip().casefold() in ("true", "yes")
    raise InputError((Fault(field, f"is {echo(raw)}", "expected true or false"),))


def read_word(raw: str, field: str) -> str:
    """Read a word that has fixed choices, in any usual spelling."""
    choices = WORDS[field].choices if field in WORDS else ()
    if not choices:
        return raw.strip()
    spellings = {squash(choice): choice for choice in choices} | (PRECISION_SPELLINGS if field == "precision" else {})
    found = spellings.get(squash(raw))
    if found is None:
        near = nearest(raw, choices, 1)
        cure = f"expected one of {', '.join(choices)}" + (f"; the nearest: {near[0]}" if near else "")
        raise InputError((Fault(field, f"is {echo(raw)}", cure),))
    return found


# What authors print of the answers, to compare.
REPORTED = ("reported_energy", "reported_facility_energy", "reported_rate")
PRECISIONS = WORDS["precision"].choices
# What a record's field is read as: its kind, and the field whose unit a plain number has.
QUANTITIES: dict[str, tuple[str, str]] = (
    {name: (field.kind.__name__, name) for name, field in FIELDS.items()}
    | {f"peak_{precision}": ("Rate", "peak_flops") for precision in PRECISIONS}
    | {
        "tdp": ("Power", "accelerator_tdp"),
        "reported_energy": ("Energy", "energy"),
        "reported_facility_energy": ("FacilityEnergy", "facility_energy"),
        "reported_rate": ("Rate", "achieved_rate"),
    }
)
PLAIN = {
    "key", "name", "aliases", "vendor", "counted_as", "default_precision", "workload", "periods",
    "intensities", "jurisdiction", "applies_to", "note",
}  # fmt: skip


class Record(BaseModel):
    """Base of the records: unknown keys are refused, and all faults are said at once in our own error."""

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
        return read_value(raw, field)

    @classmethod
    def spelt(cls) -> tuple[str, ...]:
        """Give the fields as a row spells them, for messages."""
        return tuple(cls.model_fields)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name or self.key!r}: {', '.join(self.facts())}>"

    def facts(self) -> dict[str, Fact]:
        """Give every fact of the record by its field."""
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

    if TYPE_CHECKING:  # facts are given as text, numbers or quantities, which pydantic's own signature does not say

        def __init__(self, /, **facts: Any) -> None: ...

    parameters: Fact | None = None
    active_parameters: Fact | None = None
    sparse: Fact | None = None
    training_tokens: Fact | None = None
    architecture: Fact | None = None


@dataclass(frozen=True)
class Compute:
    """Dense peaks of one device: `peak_flops` is the 16-bit matrix rate, `precision_flops` has one a format."""

    peak_flops: Quantity | None
    precision_flops: Mapping[str, Quantity]


class HardwareNode(Record):
    """An accelerator, as schedulers count it.

    >>> node = HardwareNode(name="H100 SXM5", peak_bf16="989.4 TFLOP/s", peak_fp8="1978.9 TFLOP/s", tdp="700 W")
    >>> print(node.compute.peak_flops)
    989.4 teraflop/accelerator/second
    """

    if TYPE_CHECKING:  # facts are given as text, numbers or quantities, which pydantic's own signature does not say

        def __init__(self, /, **facts: Any) -> None: ...

    vendor: str = ""
    counted_as: str = ""
    default_precision: str = ""
    tdp: Fact | None = None
    peak_fp64: Fact | None = None
    peak_fp64_tensor: Fact | None = None
    peak_fp32: Fact | None = None
    peak_tf32: Fact | None = None
    peak_fp16: Fact | None = None
    peak_bf16: Fact | None = None
    peak_fp8: Fact | None = None
    peak_int8: Fact | None = None

    @field_validator("default_precision")
    @classmethod
    def _sixteen_bit(cls, raw: str) -> str:
        if raw not in ("", "bf16", "fp16"):
            raise InputError((Fault("default_precision", f"is {echo(raw)}", "expected bf16 or fp16"),))
        return raw

    def peak(self, precision: str = "") -> Fact | None:
        """Give the dense peak at a precision; without one, the 16-bit matrix peak that `default_precision` names."""
        if precision:
            fact = getattr(self, f"peak_{precision}", None)
            return fact if fact and fact.value is not None else None
        for choice in (self.default_precision, "bf16", "fp16"):
            if choice and (found := self.peak(choice)):
                return found
        return None

    @property
    def compute(self) -> Compute:
        """The peaks as quantities."""
        peaks = {precision: fact.value for precision in PRECISIONS if (fact := self.peak(precision))}
        default = self.peak()
        return Compute(default.value if default else None, peaks)


class Run(Record):
    """A published training run, as its record in the catalog states it."""

    if TYPE_CHECKING:  # facts are given as text, numbers or quantities, which pydantic's own signature does not say

        def __init__(self, /, **facts: Any) -> None: ...

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

    @field_validator("periods", mode="before")
    @classmethod
    def _periods(cls, raw: Any) -> tuple[Any, ...]:
        return read_periods(raw)


@dataclass(frozen=True)
class Period:
    """A part of a run at one size."""

    accelerator_count: Quantity
    duration: Quantity
    fact: Fact


def read_periods(raw: Any) -> tuple[Period, ...]:
    """Read the periods of a run that changed its size: tables of accelerator_count, duration and their origin."""
    if isinstance(raw, (str, bytes, Mapping)) or not isinstance(raw, Iterable):
        raise InputError((Fault("periods", f"is {echo(raw)}", "expected a list of tables"),))
    periods, faults = [], []
    for place, table in enumerate(raw):
        try:
            periods.append(table if isinstance(table, Period) else _period(table))
        except InputError as problem:
            faults += [Fault(f"periods[{place}]{each.where}", each.what, each.cure) for each in problem.faults]
    if faults:
        raise InputError(tuple(faults))
    return tuple(periods)


def _period(table: Any) -> Period:
    if not isinstance(table, Mapping) or "value" in table or not {"accelerator_count", "duration"} <= set(table):
        raise InputError((Fault("", f"is {echo(table)}", "expected a table with accelerator_count and duration"),))
    origin = {key: value for key, value in table.items() if key not in ("accelerator_count", "duration")}
    facts, faults = {}, []
    for name in ("accelerator_count", "duration"):
        try:
            facts[name], _ = _one_fact({"value": table[name], **origin}, name, read_value)
        except InputError as problem:
            faults += [Fault(f".{each.where}", each.what, each.cure) for each in problem.faults]
            origin = {}  # whose faults are said
    if not faults and any(np.shape(fact.value.magnitude) for fact in facts.values()):
        faults.append(Fault("", "has columns", "expected one count and one duration"))
    if faults:
        raise InputError(tuple(faults))
    return Period(facts["accelerator_count"].value, facts["duration"].value, facts["duration"])


class Source(BaseModel):
    """An entry of the bibliography: what it is, where it stands, and how and when it was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    title: str
    authors: str
    year: int
    url: str
    reading: Literal["first hand", "second hand"]
    read_on: datetime.date
    through: str = ""

    def __str__(self) -> str:
        return f"{self.authors} ({self.year})"
