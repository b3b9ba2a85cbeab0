"""A family of accelerators: what holds of each of its members, and what differs between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runlineage.catalogs.quantities.fields import field_of
from runlineage.catalogs.quantities.formatting import people
from runlineage.catalogs.records.accelerator import SIXTEEN_BIT, HardwareNode
from runlineage.catalogs.records.facts import Fact

WORDS = ("vendor", "counted_as", "default_precision")
FACTS = tuple(name for name in HardwareNode.model_fields if field_of(name))


def model_of(node: HardwareNode) -> str:
    """Return the word of a device's name, after its vendor's, that names the model: the first of letters and digits.

    >>> print(model_of(HardwareNode(name="AMD Instinct MI250X GCD", vendor="AMD")))
    MI250X
    """
    words = node.name.removeprefix(node.vendor).split()
    return next((word for word in words if not word.isalpha() and not word.isdigit()), "")


def family_of(members: Sequence[HardwareNode]) -> HardwareNode:
    """Make the record of a family: each fact on which all members agree, and why the others are missing.

    >>> one = HardwareNode(name="NVIDIA X1 PCIe", peak_bf16="312 TFLOP/s", tdp="250 W")
    >>> two = HardwareNode(name="NVIDIA X1 SXM", peak_bf16="312 TFLOP/s", tdp="400 W")
    >>> family = family_of([one, two])
    >>> print(family.name, "|", family.compute.peak_flops, "|", family.missing("tdp"))
    NVIDIA X1 | 312 teraflop/accelerator/second | NVIDIA X1 PCIe 250 W, NVIDIA X1 SXM 400 W
    """
    names = [each.name for each in members]
    name = " ".join(word for word in names[0].split() if all(word in each.split() for each in names))
    held = {field: [getattr(each, field) for each in members] for field in FACTS}
    held["peak"] = [each.peak() for each in members]
    agreed = {field: fact for field, facts in held.items() if (fact := _agreed(facts, name))}
    differing = {
        field: ", ".join(map(_stated, names, facts))
        for field, facts in held.items()
        if field not in agreed and any(fact and fact.value is not None for fact in facts)
    }
    if not agreed.pop("peak", None):  # no member's own 16-bit peak holds of the others
        agreed = {field: fact for field, fact in agreed.items() if field not in SIXTEEN_BIT}
    vendors, counted, precisions = ({getattr(each, word) for each in members} for word in WORDS)
    return HardwareNode(
        key="_".join(name.split()),
        name=name,
        vendor=vendors.pop() if len(vendors) == 1 else "",
        counted_as=counted.pop() if len(counted) == 1 else "",
        default_precision=precisions.pop() if len(precisions) == 1 else "",
        differing=tuple(differing.items()),
        **agreed,
    )


def _agreed(facts: Sequence[Fact | None], name: str) -> Fact | None:
    """Return the fact of all members where they have the same value, with a note that it is theirs."""
    values = [fact.value if fact else None for fact in facts]
    if facts[0] is None or values[0] is None or any(value is None or value != values[0] for value in values):
        return None
    note = f"the same for all {len(facts)} parts called {name}"
    return replace(facts[0], note=f"{note}; {facts[0].note}" if facts[0].note else note)


def _stated(name: str, fact: Fact | None) -> str:
    if fact is None or fact.value is None:
        return f"{name} not stated"
    return f"{name} {people(fact.value).removesuffix(' per accelerator')}"
