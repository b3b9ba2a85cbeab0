"""Carbon intensity of electricity by region and year: what a grid emits for each unit of energy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import field_validator, model_validator

from runlineage.catalogs.base.errors import Fault, InputError, refuse
from runlineage.catalogs.quantities.ranges import Range, as_range
from runlineage.catalogs.quantities.units import Quantity
from runlineage.catalogs.records.facts import Fact, read_fact
from runlineage.catalogs.records.records import Record
from runlineage.catalogs.records.values import FIRST_YEAR, LAST_YEAR, read_quantity

FIELD = re.compile(r"intensity_([0-9]{4})")


class Grid(Record):
    """A country, a bloc or a part of a country, by its ISO 3166 code, with its intensity in each year that is held.

    >>> grid = Grid(name="France", intensity_2022="78.55 gCO2e/kWh", intensity_2023="55.28 gCO2e/kWh")
    >>> print(grid.years, grid.intensity(2022).value)
    (2022, 2023) 78.55 gram_CO2e/facility/kilowatt_hour
    >>> print(grid.intensity(2015))
    None
    """

    intensities: tuple[Any, ...] = ()  # pairs of a year and its fact, in order

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        yearly = {field: fact for field, fact in raw.items() if field.startswith("intensi")}  # a misspelt year too
        rest = {field: fact for field, fact in raw.items() if field not in yearly}
        return {**rest, "intensities": yearly} if yearly else rest

    @field_validator("intensities", mode="before")
    @classmethod
    def _years(cls, raw: dict[str, Any]) -> tuple[tuple[int, Fact], ...]:
        facts: list[tuple[int, Fact]] = []
        faults: list[Fault] = []
        for field in sorted(raw):
            try:
                facts.append((_year(field), read_fact(raw[field], field, read_intensity)))
            except InputError as problem:
                faults.extend(problem.faults)
        if faults:
            raise InputError(tuple(faults))
        return tuple(facts)

    @classmethod
    def spelt(cls) -> tuple[str, ...]:
        """Return the fields as a row spells them, for messages."""
        return ("key", "name", "aliases", "intensity_YYYY")

    @property
    def years(self) -> tuple[int, ...]:
        """The years with a value that is used, in order."""
        return tuple(year for year, fact in self.intensities if fact.value is not None)

    @property
    def held(self) -> str:
        """The years with a value, in short: `2019 to 2025`, or with the gaps where there are some."""
        if not self.years:
            return "none"
        whole = self.years == tuple(range(self.years[0], self.years[-1] + 1))
        return (
            f"{self.years[0]} to {self.years[-1]}" if whole and len(self.years) > 1 else ", ".join(map(str, self.years))
        )

    def intensity(self, year: int) -> Fact | None:
        """Return the intensity of one year, or None where it is not held: a neighbouring year never replaces it."""
        return next((fact for held, fact in self.intensities if held == year and fact.value is not None), None)

    def facts(self) -> dict[str, Fact]:
        """Return every fact of the record by its field."""
        return {f"intensity_{year}": fact for year, fact in self.intensities}


def _year(field: str) -> int:
    match = FIELD.fullmatch(field)
    if not match or not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        cure = f"expected intensity_YYYY with a year from {FIRST_YEAR} to {LAST_YEAR}"
        refuse(field, "names no year of a grid", cure)
    return int(match[1])


def read_intensity(raw: Any, field: str) -> Quantity | Range:
    """Read an intensity by the one reader, as the field `carbon_intensity` is read.

    >>> print(read_intensity("78.55 gCO2e/kWh", "intensity_2022"))
    78.55 gram_CO2e/facility/kilowatt_hour
    """
    intensity: Quantity | Range = read_quantity(raw, field, "carbon_intensity", as_range)
    return intensity
