"""What a household uses of electricity in a year."""

from __future__ import annotations

from typing import Any

from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.records import Record
from runlineage.catalogs.records.values import read_value


class Household(Record):
    """An average household: its electricity in a year, an energy, and the year of the figure.

    >>> print(Household(name="a country", electricity="3,600 kWh", year=2023).electricity.value)
    3600 kilowatt_hour
    """

    electricity: Fact | None = None
    year: Fact | None = None

    @classmethod
    def _read_value(cls, raw: Any, field: str) -> Any:
        return as_quantity(raw, field="energy") if field == "electricity" else read_value(raw, field)
