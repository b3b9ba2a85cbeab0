"""Epoch AI's tables of models and hardware, in every known edition, as columns of facts with what was not used."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import Fault, InputError, echo
from runlineage.catalogs.base.spelling import nearest, squash
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.quantities.fields import PRECISION_SPELLINGS, WORDS
from runlineage.catalogs.quantities.grammar import Unreadable, read
from runlineage.dataflow.epoch.hardware import device_of
from runlineage.dataflow.epoch.notes import (
    active_count,
    says_sparse,
    speaks_of_experts,
    why_estimated,
    why_not_tokens_seen,
)
from runlineage.dataflow.tables.headers import SEPARATOR

SIZES = (" (datapoints)", " (gradients)", " (total)", "")
# What each thing is called across the editions; the first spelling that a table has is read.
EPOCH_COLUMNS: dict[str, tuple[str, ...]] = {
    "parameters": ("Parameters",),
    "training_ops": ("Training compute (FLOP)",),
    "dataset_size": tuple(f"Training dataset size{ending}" for ending in SIZES),
    "duration": ("Training time (hours)",),
    "accelerator_count": ("Hardware quantity",),
    "hardware": ("Training hardware",),
    "epochs": ("Epochs",),
    "facility_power": ("Training power draw (W)",),
    "chip_hours": ("Training chip-hours",),
    "chip_power": ("Power per GPU", "Power per GPU (W)"),
    "precision": ("Numerical format",),
    "base_model": ("Base model",),
    "parameters_notes": ("Parameters notes",),
    "training_ops_notes": ("Training compute notes",),
    "training_ops_method": ("Training compute estimation method",),
    "dataset_size_notes": ("Dataset size notes",),
    "model": ("Model", "System"),
    "abstract": ("Abstract",),
    "part": ("Hardware name",),
    "matrix_rate": ("Tensor-FP16/BF16 performance (FLOP/s)",),
}
NUMBERS = (
    *("parameters", "training_ops", "dataset_size", "duration", "accelerator_count"),
    *("epochs", "facility_power", "chip_hours", "chip_power"),
)
PRODUCT_TOLERANCE = 0.01  # chip-hours this near to quantity × time were computed from them
TELLING = (*NUMBERS[:5], "hardware")  # a table of models has one of these at least
FACT_COLUMNS: dict[str, Any] = {
    "parameters": pl.Float64,
    "sparse": pl.Boolean,
    "active_parameters": pl.Float64,
    "training_tokens": pl.Float64,
    "training_ops": pl.Float64,
    "accelerator": pl.String,
    "peak_flops (TFLOP/s)": pl.Float64,
    "precision": pl.String,
    "accelerator_count": pl.Float64,
    "duration (hour)": pl.Float64,
    "accelerator_hours": pl.Float64,
    "remarks": pl.String,
}


def facts_of(models: pl.DataFrame, hardware: pl.DataFrame | None = None, *, estimates: bool = False) -> pl.DataFrame:
    """Add columns of facts to a table of models, and remarks on what was not used and why.

    `hardware` gives the peaks of parts that the catalog does not hold. Rows, their order and all other columns stay.
    With `estimates` also an estimated work is taken, and that of a fine-tune with its base's inside: not to compute
    from, and to hold against what else is printed; `stage` then says which rows started from a model.

    >>> models = pl.DataFrame({"Model": ["A"], "Parameters": [7e9], "Training hardware": ["Google TPU v4"]})
    >>> print(facts_of(models).row(0, named=True)["accelerator"])
    TPU_v4
    """
    taken = [Fault(f"column {echo(header)}", "is there already", "rename it") for header in _taken(models)]
    if taken:
        raise InputError(tuple(taken))
    found = _columns(models, TELLING)
    rates = {} if hardware is None else _matrix_rates(hardware)
    rows = models.select(**{thing: pl.col(header) for thing, header in found.items()}).to_dicts()
    facts = pl.DataFrame([_facts(row, rates, estimates=estimates) for row in rows], schema=FACT_COLUMNS, orient="row")
    if estimates and "stage" not in models.columns:
        started = ["fine-tuning" if row.get("base_model") else None for row in rows]
        facts = facts.with_columns(pl.Series("stage", started, dtype=pl.String))
    return models.hstack(facts)


def is_epochs(headers: Iterable[str]) -> bool:
    """Whether a table of models is in Epoch's layout, by the columns that describe a run."""
    return sum(any(each in EPOCH_COLUMNS[thing] for thing in TELLING) for each in headers) >= len(TELLING) // 2


def _taken(models: pl.DataFrame) -> list[str]:
    return [header for header in models.columns if header in FACT_COLUMNS]


def _columns(table: pl.DataFrame, needed: Iterable[str]) -> dict[str, str]:
    """Find the table's header of each thing; a table without any of the needed ones is refused."""
    found = {
        thing: header
        for thing, spellings in EPOCH_COLUMNS.items()
        if (header := next((each for each in spellings if each in table.columns), None)) is not None
    }
    if not any(thing in found for thing in needed):
        wanted = [EPOCH_COLUMNS[thing][0] for thing in needed]
        near = dict.fromkeys(each for header in wanted for each in nearest(header, table.columns, 1))
        here = f"the nearest here: {', '.join(map(echo, near))}" if near else "nothing here is near"
        raise InputError((Fault("table", "has no column of Epoch's", f"expected {', '.join(wanted)}; {here}"),))
    return found


def _facts(row: Mapping[str, Any], rates: Mapping[str, float | None], *, estimates: bool) -> tuple[Any, ...]:
    """Read one row: its facts in the order of the columns, then its remarks."""
    remarks: list[str] = []
    number = {thing: _number(row.get(thing), EPOCH_COLUMNS[thing][0], remarks) for thing in NUMBERS}
    parameters = number["parameters"]
    notes = "\n".join(str(row.get(f"{thing}_notes") or "") for thing in ("parameters", "training_ops"))
    active = active_count(notes, parameters)
    sparse = True if active is not None or says_sparse(notes) else None
    if parameters and not sparse and speaks_of_experts(f"{row.get('model')}\n{row.get('abstract')}"):
        remarks.append("parameters not used: name or abstract speaks of experts, the notes do not say of which model")
        parameters = None
    tokens = _tokens(row, number, remarks)
    precision = _precision(row.get("precision"), remarks)
    names = list(dict.fromkeys(name for each in (row.get("hardware") or "").split(",") if (name := each.strip())))
    accelerator, peak = device_of(names, precision, rates, remarks)
    count = number["accelerator_count"] if len(names) < 2 else None
    available = _available(count, number["duration"], accelerator, peak)
    unused: list[str] = []
    ops = _training_ops(row, number["training_ops"], available, unused if estimates else remarks)
    ops = number["training_ops"] if estimates else ops
    hours = _chip_hours(number["chip_hours"], count, number["duration"], remarks)
    if number["facility_power"]:
        remarks.append("power not used: it is the facility's, not a device's")
    if number["chip_power"]:
        remarks.append("power per GPU not used: it is not said whether host and cooling are inside")
    message = SEPARATOR.join(remarks) or None
    run = (accelerator, peak, precision, count, number["duration"], hours)
    return (parameters, sparse, active, tokens, ops, *run, message)


def _available(count: float | None, hours: float | None, accelerator: str | None, peak: float | None) -> float | None:
    """Return the operations that the hardware could have done in its time at its dense 16-bit peak."""
    known = Accelerators[accelerator].peak() if accelerator else None
    rate = float(known.value.to("TFLOP/s/accelerator").magnitude) if known else peak
    return rate * 1e12 * count * hours * 3600 if rate and count and hours else None


def _chip_hours(hours: float | None, count: float | None, duration: float | None, remarks: list[str]) -> float | None:
    if hours and count and duration and abs(hours / (count * duration) - 1) < PRODUCT_TOLERANCE:
        remarks.append("chip-hours not used: they are quantity × time, which the assumption count_duration gives")
        return None
    return hours


def _number(raw: Any, header: str, remarks: list[str]) -> float | None:
    """Read a number above zero; an empty cell is no fact, any other is remarked on."""
    if raw is None or raw == "" or (isinstance(raw, float) and math.isnan(raw)):
        return None
    try:
        written = read(raw) if isinstance(raw, str) else None
        value = float(raw) if written is None else (math.nan if written.unit else written.number)
    except (Unreadable, TypeError, ValueError):
        value = math.nan
    if 0 < value < math.inf:
        return value
    remarks.append(f"{header} not used: {echo(raw)} is not a number above zero")
    return None


def _tokens(row: Mapping[str, Any], number: Mapping[str, float | None], remarks: list[str]) -> float | None:
    size, epochs, notes = number["dataset_size"], number["epochs"], str(row.get("dataset_size_notes") or "")
    if size is None:
        return None
    if row.get("base_model"):
        why = "a fine-tune's may be the base model's"
    elif epochs is None:
        why = "without epochs it is not tokens seen"
    else:
        why = why_not_tokens_seen(notes, size, epochs)
        if not why:
            return size * epochs
    remarks.append(f"dataset size not used: {why}")
    return None


def _training_ops(
    row: Mapping[str, Any], ops: float | None, available: float | None, remarks: list[str]
) -> float | None:
    if ops is None:
        return None
    if row.get("base_model"):
        why = "a fine-tune's includes the base model's"
    else:
        notes, method = (str(row.get(f"training_ops_{each}") or "") for each in ("notes", "method"))
        why = why_estimated(notes, ops, method, available)
        if not why:
            return ops
    remarks.append(f"training compute not used: {why}")
    return None


def _precision(raw: str | None, remarks: list[str]) -> str | None:
    known = {squash(choice): choice for choice in WORDS["precision"].choices} | PRECISION_SPELLINGS
    if raw and squash(raw) not in known:
        remarks.append(f"number format not used: {echo(raw)} is no single known one")
    return known.get(squash(raw)) if raw else None


def _matrix_rates(hardware: pl.DataFrame) -> dict[str, float | None]:
    """Map each part of the hardware file, squashed, to its dense 16-bit matrix rate in TFLOP/s, if it has one.

    The FP16 column is not read: it holds matrix rates for some vendors and vector rates for others.
    """
    found = _columns(hardware, ("part",))
    rows = hardware.select(**{thing: pl.col(found[thing]) for thing in ("part", "matrix_rate") if thing in found})
    rates = ((squash(row["part"]), _number(row.get("matrix_rate"), "", [])) for row in rows.iter_rows(named=True))
    return {part: rate / 1e12 if rate else None for part, rate in rates}
