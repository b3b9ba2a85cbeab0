"""Devices as people write them beside a run: how many, and of which kind, in one text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from runlineage.catalogs.base.errors import AmbiguousNameError, UnknownNameError, echo, refuse
from runlineage.catalogs.catalog import Accelerators

LONGEST_TEXT = 200
COUNT = r"[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,9}"
# A count may be a product, as "32 x 8 x A100" is of nodes and the devices in each.
BEFORE = re.compile(
    rf"(?P<count>(?:(?:{COUNT}) ?[x×*] ?){{0,2}}(?:{COUNT}))(?: ?[x×*] ?| )(?P<device>\S.*)", re.IGNORECASE
)
_UNIT = r"(?: ?(?:GPU|NPU|chip|card|device|accelerator)s?)"
AFTER = re.compile(
    rf"(?P<device>.*\S)(?:(?:(?: | ?[(\[] ?)x|[ (\[]*[×*]) ?(?P<count>{COUNT}){_UNIT}? ?[)\]]?"
    rf"| ?[(\[](?P<within>{COUNT}) ?[x×]?{_UNIT}[)\]])",
    re.IGNORECASE,
)
FACTORS = re.compile(r" ?[x×*] ?", re.IGNORECASE)
UNITS = re.compile(r"[\s_-]+(?P<unit>GPUs?|NPUs?|chips?|cards?|devices?|accelerators?|cores?)$", re.IGNORECASE)
# A slice of TPUs: its number counts cores up to v5p, two a chip, and chips for v5e and v6e.
SLICE = re.compile(
    r"(?:(?:Google )?(?:Cloud )?TPU[ _-]?)?(?P<kind>v[2-6](?:e|p|litepod)?)-(?P<size>[0-9]{1,6})", re.IGNORECASE
)
CORES_A_CHIP = {"v2": 2, "v3": 2, "v4": 2, "v5p": 2, "v5e": 1, "v5litepod": 1, "v6e": 1}
PLURAL = re.compile(r"(?<=[0-9A-Z])s\b")


@dataclass(frozen=True)
class Devices:
    """How many devices a text states (None where it states none), as the catalog counts them, and the device's key."""

    count: int | None
    key: str


def accelerator_text(text: str) -> Devices:
    """Read devices as cards and logs write them: a name, or a count and a name in either order.

    A TPU slice counts cores up to v5p, and chips for v5e and v6e. Raises `InputError` for a count that no devices can
    have, `UnknownNameError` and `AmbiguousNameError` for a device that is not one of the catalog or of its families.

    >>> for text in ("512 H100-80G", "8 v100 GPUs", "32 TPUv3 chips", "TPU v3-8", "32 x 8 x A100", "V100 (x8)", "A40"):
    ...     print(accelerator_text(text))
    Devices(count=512, key='NVIDIA_H100_80GB')
    Devices(count=8, key='NVIDIA_V100')
    Devices(count=32, key='TPU_v3')
    Devices(count=4, key='TPU_v3')
    Devices(count=256, key='NVIDIA_A100')
    Devices(count=8, key='NVIDIA_V100')
    Devices(count=None, key='A40')
    """
    clean = " ".join(text[:LONGEST_TEXT].split())
    if clean in Accelerators:
        return Devices(None, Accelerators.find(clean))
    match = BEFORE.fullmatch(clean) or AFTER.fullmatch(clean)
    count = _counted(match) if match else None
    if count == 0:
        refuse("accelerator", f"{echo(text)} counts no devices", "give at least one, or the device alone")
    try:
        return _several(count, match["device"] if match else clean)
    except AmbiguousNameError:
        raise
    except UnknownNameError:
        return Devices(None, Accelerators.find(clean))  # whose error names the whole text


def _counted(match: re.Match[str]) -> int:
    text = match["count"] or match["within"]
    return math.prod(int(each.replace(",", "")) for each in FACTORS.split(text))


def _several(count: int | None, name: str) -> Devices:
    slices = SLICE.fullmatch(name)
    if slices and slices["kind"].lower() in CORES_A_CHIP:
        return _slice(count, slices["kind"].lower(), int(slices["size"]), name)
    unit = UNITS.search(name)
    device = name[: unit.start()] if unit else name
    key = _device(device, counted=count is not None)
    if unit and count is not None and unit["unit"].lower().startswith("core"):
        return Devices(_chips(count, _cores_a_chip(key, name), name), key)
    return Devices(count, key)


def _slice(count: int | None, kind: str, size: int, name: str) -> Devices:
    chips = _chips(size, CORES_A_CHIP[kind], name)
    return Devices(chips * (count or 1), Accelerators.find(f"TPU {kind.replace('litepod', 'e')}"))


def _chips(size: int, cores: int, name: str) -> int:
    if not size or size % cores:
        refuse("accelerator", f"{echo(name)} holds {size} cores, {cores} a chip", "give the number of chips")
    return size // cores


def _cores_a_chip(key: str, name: str) -> int:
    counted = {"chip of one core": 1, "chip of two cores": 2, "chip of eight cores": 8}
    cores = counted.get(Accelerators[key].counted_as)
    if cores is None:
        refuse("accelerator", f"{echo(name)} counts cores", "give the number of devices")
    return cores


def _device(name: str, *, counted: bool) -> str:
    """Return the key of a device named in the singular or in the plural; "8 V100s" may be V100 or V100S."""
    spellings = dict.fromkeys([name, PLURAL.sub("", name)])
    keys = dict.fromkeys(Accelerators.find(each) for each in spellings if each in Accelerators)
    if counted and len(keys) > 1:
        raise AmbiguousNameError("accelerator", name, tuple(Accelerators[key].name for key in keys))
    return next(iter(keys)) if keys else Accelerators.find(name)
