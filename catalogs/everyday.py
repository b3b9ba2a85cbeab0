"""Energies as people know them from their homes: the yearly electricity of households, with its source and year."""

from __future__ import annotations

from typing import Any

import numpy as np

from runlineage.catalogs.base.errors import echo, refuse
from runlineage.catalogs.catalog import Households, Sources
from runlineage.catalogs.quantities import formatting
from runlineage.catalogs.quantities.formatting import number
from runlineage.catalogs.quantities.units import Quantity, is_ours, unit

ENERGY, AT_FACILITY = (unit(each).dimensionality for each in ("kWh", "kWh*facility"))
DIGITS = 2  # of a household's average there are no more
YEAR = 365.25
TIMES = ((1.0, "days"), (24.0, "hours"), (1440.0, "minutes"), (86400.0, "seconds"))  # in a day


def people(value: Quantity, *, everyday: str = "") -> str:
    """Write a quantity for people: `24.5558 TFLOP/s per accelerator`.

    With `everyday`, a key of `Households` such as "US" or "EU", an energy is followed by the households that use as
    much electricity in a year, with the source and year of that. Raises `InputError` where `value` is no energy.

    >>> from runlineage import Scenarios
    >>> print(people(Scenarios["bloom"].energy))
    0.433196 GWh
    >>> print(people(Scenarios["bloom"].energy, everyday="US"))
    0.433196 GWh, about the electricity of 40 households in the United States for a year (10,715 kWh a year in ...)
    """
    text = formatting.people(value)
    return f"{text}, {equal(value, everyday)}" if everyday else text


def household_of(whose: str) -> dict[str, Any]:
    """Return what everyday equals rest on: name, electricity, year, note, and the entry of the bibliography.

    >>> print(household_of("usa")["electricity"], household_of("usa")["year"])
    10,715 kWh in 2020
    """
    household = Households[whose]
    fact, year = household.electricity, household.year
    assert fact is not None
    assert year is not None
    return {
        "name": household.name,
        "electricity": formatting.people(fact.value),
        "year": f"in {year.value}" if year.basis == "stated" else f"as published in {year.value}",
        "note": fact.note or "",
        "citation": Sources[str(fact.source)],
        "source": Sources[str(fact.source)].authors,
        "value": fact.value,
    }


def is_energy(value: Any) -> bool:
    """Whether a value is one energy, also that of a facility, which an everyday equal can be given of."""
    return is_ours(value) and value.dimensionality in (ENERGY, AT_FACILITY) and not np.ndim(value.magnitude)


def equal(value: Quantity, whose: str) -> str:
    """Write an energy as the yearly electricity of households, to two digits, or as a part of the year of one.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> print(equal(quantity(3.0, "kWh"), "EU"))
    about the electricity of one household in the European Union for 7.3 hours (3.6 MWh a year ...)
    """
    if not is_energy(value):
        refuse("everyday", f"is asked of {echo(value)}", "expected one energy")
    home = household_of(whose)
    size = value.m_as("kWh*facility" if value.dimensionality == AT_FACILITY else "kWh")
    years = float(size) / float(home["value"].m_as("kWh"))
    count = _rounded(years) if years >= 1 else "1"
    each = f"{home['electricity']} a year {home['year']}, {home['source']}"
    if count == "1":
        time = "a year" if years >= 1 else _time(years)
        return f"about the electricity of one household in {home['name']} for {time} ({each})"
    return f"about the electricity of {count} households in {home['name']} for a year ({each})"


def _time(years: float) -> str:
    """Write a part of a year in the largest of its parts of which it has one at least."""
    for scale, name in TIMES:
        if years * YEAR * scale >= 1:
            return f"{_rounded(years * YEAR * scale)} {name}"
    return "less than a second"


def _rounded(size: float) -> str:
    return number(float(f"{size:.{DIGITS}g}"))
