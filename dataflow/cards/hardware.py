"""Devices as cards name them: beside the name and the count stand their design power, their memory and the nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

from runlineage.catalogs.base.errors import InputError, UnknownNameError
from runlineage.catalogs.catalog import Accelerators
from runlineage.catalogs.devices import Devices, accelerator_text

_WATTS = r"[0-9]{2,4} ?W"
_EACH = r"(?: each| per (?:GPU|device|board))?"
DESIGN = re.compile(
    rf",? ?[(\[ ](?:TDP:? ?(?:of )?(?P<after>{_WATTS})|(?P<before>{_WATTS}) TDP){_EACH}[)\]]?(?![0-9])", re.IGNORECASE
)
ASIDE = re.compile(rf" ?[(\[](?:{_WATTS}|[0-9]+ nodes?(?: (?:of|with|×|x) [0-9]+(?: GPUs)?)?)[)\]]", re.IGNORECASE)
WHOLE = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9}")


@dataclass(frozen=True)
class Hardware:
    """A text on devices without its asides: the design power in watts, empty where none is stated, and the asides."""

    devices: str
    design_power: str
    asides: tuple[str, ...]


def hardware_of(text: str) -> Hardware:
    """Return what a text on devices says.

    A power that is not called design power is an aside, since it may be what was drawn; so are nodes.

    >>> print(hardware_of("NVIDIA T4 (TDP 70W) x 6 GPUs"))
    Hardware(devices='NVIDIA T4 x 6 GPUs', design_power='70W', asides=())
    >>> print(hardware_of("384 A100 GPUs (48 nodes)"))
    Hardware(devices='384 A100 GPUs', design_power='', asides=('48 nodes',))
    """
    design = DESIGN.search(text)
    power = (design["after"] or design["before"]) if design else ""
    rest = DESIGN.sub("", text, count=1)
    asides = tuple(each.strip(" ([)]") for each in ASIDE.findall(rest))
    return Hardware(" ".join(ASIDE.sub("", rest).split()), power, asides)


def same_devices(texts: set[str]) -> bool:
    """Return whether all of some texts that name devices may mean the same, as far as they can be read.

    >>> print(same_devices({"8x V100", "NVIDIA V100 (8 GPUs)"}), same_devices({"8x V100", "TPU v3"}))
    True False
    """
    read = [devices for text in texts if (devices := _read(text))]
    counts = {devices.count for devices in read if devices.count}
    return len(counts) < 2 and all(is_one_device(one.key, other.key) for one, other in combinations(read, 2))


def _read(text: str) -> Devices | None:
    try:
        return accelerator_text(hardware_of(text).devices)
    except (InputError, UnknownNameError):
        return None


def is_one_device(one: object, other: object) -> bool:
    """Return whether two keys are of one device, or of a family of devices and one of it.

    >>> print(is_one_device("NVIDIA_A100", "A100_PCIe_40GB"), is_one_device("A100_PCIe_40GB", "A100_SXM4_40GB"))
    True False
    """
    members, others = members_of(one), members_of(other)
    return one == other or bool(members and others and (members <= others or others <= members))


def members_of(key: object) -> set[str]:
    """Return the keys of the members of a family of devices; of a device itself, its own."""
    return set(Accelerators.members(key)) if isinstance(key, str) else set()
