"""Epoch AI's names of hardware: the one part that a name means, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from runlineage.catalogs.base.spelling import squash
from runlineage.catalogs.catalog import HERE, Accelerators
from runlineage.catalogs.records.toml_rows import parse_toml, read_text


def device_of(
    names: list[str], precision: str | None, rates: Mapping[str, float | None], remarks: list[str]
) -> tuple[str | None, float | None]:
    """Return the catalog's key of the one part that a row names, or else its 16-bit matrix rate of `rates`, in TFLOP/s.

    >>> remarks: list[str] = []
    >>> print(device_of(["NVIDIA V100"], None, {}, remarks), *remarks)
    (None, None) hardware not used: NVIDIA V100 may be any of several parts of the catalog
    """
    if len(names) > 1:
        remarks.append(f"hardware and its quantity not used: several kinds ({', '.join(names)})")
    if len(names) != 1:
        return None, None
    name = squash(names[0])
    if name in hardware_names():
        key, reason = hardware_names()[name]
        if reason:
            remarks.append(f"{names[0]} taken as {Accelerators.names(key)[0]}: {reason}")
        return key, None
    if _is_ambiguous(name):
        remarks.append(f"hardware not used: {names[0]} may be any of several parts of the catalog")
        return None, None
    rate = rates.get(name) if precision in (None, "bf16", "fp16") else None
    what = "peak from the hardware file" if rate else "no 16-bit matrix rate of it in the hardware file"
    remarks.append(f"{names[0]} is not in the catalog" + (f", {what}" if rates else ""))
    return None, rate


@cache
def hardware_names() -> dict[str, tuple[str, str]]:
    """Map Epoch's names of hardware, squashed, to a key of the catalog and the reason if it is assumed.

    >>> print(hardware_names()["nvidiah100pcie"][0])
    H100_PCIe_80GB
    """
    path = HERE / "epoch_hardware.toml"
    table = parse_toml(read_text(path), path)
    return {squash(name): (row["key"], row.get("reason", "")) for name, row in table.items()}


@lru_cache(maxsize=1024)
def _is_ambiguous(name: str) -> bool:
    """Whether a squashed name is the beginning of several parts' names."""
    return sum(any(squash(each).startswith(name) for each in Accelerators.names(key)) for key in Accelerators) > 1
