"""Columns that are carried through though a user may have meant them as facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS
from runlineage.dataflow.tables.headers import USED_WORDS, read_headers

# How tables of others head their facts.
OTHERS = {
    "parameters": (
        *("params", "n_params", "num_params", "number of parameters", "total params", "model size"),
        *("model params", "model parameters", "parameter count"),
    ),
    "active_parameters": ("active params", "activated parameters", "activated params"),
    "training_tokens": ("tokens", "n_tokens", "num_tokens", "train tokens", "number of tokens", "dataset tokens"),
    "training_ops": ("flops", "flop", "training flops", "training flop", "train flops", "training compute", "compute"),
    "accelerator_hours": ("gpu hours", "gpuh", "tpu hours", "chip hours", "device hours", "training chip hours"),
    "device_power": ("gpu power", "power per gpu", "power draw", "gpu watts", "watts", "power", "chip power"),
    "accelerator_tdp": ("tdp", "gpu tdp", "device tdp", "thermal design power"),
    "accelerator_count": (
        *("num_gpus", "n_gpus", "gpus", "gpu count", "number of gpus", "num_chips", "chips", "chip count"),
        *("num_accelerators", "accelerators", "n_accelerators", "number of accelerators", "hardware quantity"),
    ),
    "duration": ("hours", "days", "training time", "train time", "runtime", "wall clock", "wall time", "training days"),
    "peak_flops": ("peak", "peak tflops", "peak performance", "tflops", "gpu peak flops"),
    "accelerator": (
        "gpu",
        "gpu type",
        "gpu model",
        "gpu name",
        "hardware",
        "device",
        "chip",
        "accelerator type",
        "training hardware",
    ),
    "precision": ("dtype", "number format", "numerical format", "training precision"),
    "sparse": ("moe", "is_moe", "is_sparse"),
    "carbon_intensity": (
        "grid intensity",
        "grid carbon intensity",
        "emission factor",
        "gco2 per kwh",
        "ci",
        "kgco2/kwh",
    ),
    "published_emissions": (
        *("emissions", "co2", "co2e", "co2eq", "carbon emitted", "carbon emissions", "carbon emission"),
        *("co2 emissions", "co2 emission"),
    ),
    "price": ("gpu price", "price per gpu hour", "hourly price", "cost per gpu hour"),
    "peak_fraction": ("utilization", "utilisation", "hardware utilization"),
    "reported_mfu": ("model flops utilization", "model flop utilization"),
    "reported_hfu": ("hardware flops utilization", "hardware flop utilization"),
    "sequence_length": ("seqlen", "seq len", "context length"),
    "energy": ("energy consumption", "energy consumed", "energy used"),
}
SPELLINGS = {squash(name): field for field, names in OTHERS.items() for name in names}
SPELLINGS |= {squash(field): field for field in (*FACTS, *ANSWERS, *sorted(USED_WORDS))}


def lookalikes(
    headers: Iterable[str], wanted: Collection[str] = FACTS.keys(), columns: Mapping[str, str] = Frozen({})
) -> dict[str, str]:
    """Return the headers that are carried through and look like a wanted field that no column gives, with that field.

    >>> print(lookalikes(["model", "Parameters", "Training tokens (B)", "num_gpus"]))
    {'Parameters': 'parameters', 'Training tokens (B)': 'training_tokens', 'num_gpus': 'accelerator_count'}
    """
    headers = list(headers)
    found = read_headers(headers, wanted, columns)
    read, given = {column.header for column in found}, {column.field for column in found}
    spelt = {header: spelt_field(header) for header in headers if header not in read}
    open_fields = {*wanted, *USED_WORDS} - given
    return {header: field for header, field in spelt.items() if field in open_fields}


def spelt_field(header: str) -> str:
    """Return the field that a header spells, in any usual spelling and whatever unit stands after it; else nothing.

    >>> print(spelt_field("Accelerator-Hours (h)"), spelt_field("GPU hours"))
    accelerator_hours accelerator_hours
    """
    return SPELLINGS.get(squash(header.partition("(")[0]), "")
