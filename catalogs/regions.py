"""Regions as people, clouds and the model hub write them: each means one grid that is held, or is refused."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict

from runlineage.catalogs.base.errors import AmbiguousNameError, UnknownNameError, echo, refuse
from runlineage.catalogs.base.spelling import LONGEST_NAME, matches, squash
from runlineage.catalogs.catalog import HERE, Catalog, Grids

ZONE = re.compile(r"(.*[0-9])-?[a-f]")  # us-central1-a, us-east-1b
QUARTER = re.compile(r"(?:[\W_]*(?:north|south|east|west|central|gov))*[\W_0-9]*$")
CURE = "give carbon_intensity itself, or a region that `runlineage list grids` lists"


class Region(BaseModel):
    """A region of a cloud: its code, the place that the provider prints for it, and the key of the grid there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    name: str
    place: str
    grid: str
    source: str


Regions: Catalog[Region] = Catalog("cloud region", HERE / "regions.toml", Region)


def find_region(name: Any) -> str:
    """Return the key of the grid of a region; an unknown one is refused, and no wider one replaces it.

    >>> print(find_region("France (FRA)"), find_region("us-central1"), find_region("Portland, OR, USA"))
    FR US_IA US_OR
    """
    try:
        return Grids.find(name)
    except AmbiguousNameError as problem:
        refuse("region", str(problem).replace("grid '", "region '"))
    except UnknownNameError as problem:
        key = _elsewhere(name[:LONGEST_NAME]) if isinstance(name, str) else ""
        if not key:
            _refuse(name, problem)
        return key


def _elsewhere(name: str) -> str:
    """Return the grid of a cloud's code, or of a place that a comma or a parenthesis divides; nothing for others."""
    codes, places = _cloud()
    code = name.strip().casefold()
    code = code if "-" in code else "".join(code.split())  # Azure's names: West Europe is westeurope
    zone = ZONE.fullmatch(code)
    parts = _parts(name)
    return (
        codes.get(code)
        or (codes.get(zone[1]) if zone else None)
        or places.get(squash(name))
        or places.get(squash(", ".join(parts)))
        or (_grid(parts[0]) if len(parts) == 1 else _part_of(parts[-2], parts[-1]) if parts else "")
    )


@cache
def _cloud() -> tuple[dict[str, str], dict[str, str]]:
    """Map codes and places to grids. Codes count to the hyphen: us-west1 is in Oregon, us-west-1 in California."""
    regions = Regions.values()
    return {each.name: each.grid for each in regions}, {squash(each.place): each.grid for each in regions}


def _parts(name: str) -> list[str]:
    """Return the parts of a place, narrowest first; a code after its own name, as in France (FRA), is one with it."""
    parts: list[str] = []
    for part in filter(None, map(str.strip, re.split(r"[,()]", name))):
        if not parts or not _grid(part) or _grid(part) != _grid(parts[-1]):
            parts.append(part)
    return parts


def _grid(name: str) -> str:
    return Grids.find(name) if name in Grids else ""


def _part_of(part: str, country: str) -> str:
    """Return the grid of a state within a country, or of a place in a state that is named last and in full."""
    wider = _grid(country)
    if "_" in wider:
        return wider
    within = {name: key for key in _parts_held(wider) for name in (Grids.names(key)[0].partition(" (")[0], key[3:])}
    alike = [each for each in matches(part, within) if squash(each) == squash(part)]
    return within[alike[0]] if alike else ""


def _parts_held(country: str) -> list[str]:
    return [key for key in Grids if country and key.startswith(f"{country}_")]


def _refuse(name: Any, problem: UnknownNameError) -> NoReturn:
    """Refuse a region with those that it may mean: the parts held of the country that it names, and that as wider."""
    text = name[:LONGEST_NAME] if isinstance(name, str) else ""
    whole = [key for part in _parts(text) if (key := _grid(part)) and "_" not in key]
    if len(whole) > 1 and len(whole) == len(_parts(text)):
        several = " and ".join(Grids.names(key)[0] for key in whole)
        refuse("region", f"{echo(name)} names several: {several}", "give one, or carbon_intensity itself")
    states = [key for key in Grids if key == f"US_{''.join(_parts(text)[-1:]).upper()}"]  # San Jose, CA
    wider = _country(text) or ("US" if states else "")
    if not wider:
        near = str(problem).replace("grid '", "region '")
        refuse("region", f"{near}, or give carbon_intensity itself" if text.strip() else near)
    names = [Grids.names(key)[0] for key in dict.fromkeys([*states, *_parts_held(wider)])]
    names.append(f"{Grids.names(wider)[0]} (wider: it never stands in for a part)")
    refuse("region", f"unknown region {echo(name)}; the nearest: {', '.join(names)}", CURE)


def _country(name: str) -> str:
    """Return the country that a name ends in, or a code is of but for its quarter and number, or a word of it is."""
    words = [word for word in re.split(r"[\W_]+", name) if len(word) > 3 or word.isupper()]
    tried = (*_parts(name)[-1:], QUARTER.sub("", name.casefold()), *words)
    return next((key for each in tried if (key := _grid(each)) and "_" not in key), "")
