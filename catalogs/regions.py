"""The grid of a region, by its name or code, or as clouds and cards write it; a wider one is never taken for it."""

from __future__ import annotations

import re
from typing import Any

from runlineage.catalogs.base.errors import UnknownNameError, echo, refuse
from runlineage.catalogs.catalog import Grids
from runlineage.catalogs.records.places import cloud_regions


def find_region(name: Any) -> str:
    """Return the key of the grid of a region, by its name or code, or by a cloud's own name of it.

    "Oregon, USA" names a grid within another. An unknown region is refused, and no wider one replaces it.

    >>> print(find_region("France"), find_region("us-central1"), find_region("Oregon, USA"))
    FR US_IA US_OR
    """
    text = name.strip() if isinstance(name, str) else ""
    place = cloud_regions().get(text.casefold())
    if place and place.code in Grids:
        return place.code
    if place:
        what = f"{echo(text)} is in {place.place}, whose grid ({place.code.replace('_', '-')}) is not held"
        refuse("region", what, _no_wider([key for key in Grids if key == place.code.partition("_")[0]]))
    try:
        return Grids.find(name)
    except UnknownNameError as problem:
        parts = [part for part in re.split(r"[,/()]| ?- ?|-", text) if len(part.strip()) > 2 or part.strip().isupper()]
        keys = list(dict.fromkeys(Grids.find(part) for part in parts if part in Grids))
        if len(keys) == 2 and keys[0].startswith(f"{keys[1]}_") and "," in text:
            return keys[0]
        if keys:
            refuse("region", f"unknown region {echo(text)}", _no_wider(keys))
        refuse("region", str(problem).replace("grid '", "region '"))


def _no_wider(keys: list[str]) -> str:
    names = " or ".join(repr(Grids.names(key)[0]) for key in keys)
    wider = f", or the whole of {names} if that is meant" if names else ""
    return f"a wider grid is never taken for it; give its carbon_intensity{wider}"
