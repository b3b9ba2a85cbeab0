"""Regions of clouds: where each is, and the code of the grid there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.records.toml_rows import parse_toml, read_text

FILE = Path(__file__).parent.parent / "places.toml"
SOURCE_KEYS = ("title", "url", "read_on")


@dataclass(frozen=True)
class Place:
    """Where a cloud's region is: the code of its grid, held or not, and the place in words, with where that stands."""

    cloud: str
    code: str
    place: str
    url: str


@cache
def cloud_regions() -> Mapping[str, Place]:
    """Map the clouds' own names of regions to their places; hyphens count.

    >>> print(cloud_regions()["us-east-1"].code, cloud_regions()["us-east1"].code)
    US_VA US_SC
    """
    regions = {}
    for cloud, rows in parse_toml(read_text(FILE), FILE).items():
        for name, row in rows.items():
            if name not in SOURCE_KEYS:
                code, place = row
                regions[name] = Place(cloud, code, place, rows["url"])
    return Frozen(regions)
