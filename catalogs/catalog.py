"""The catalogs: records by attribute (`Workloads.Gpt3_175B`) or by any usual spelling (`Workloads["gpt-3"]`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from runlineage.catalogs.base.errors import (
    AmbiguousNameError,
    CatalogError,
    Fault,
    InputError,
    UnknownAttributeError,
    UnknownNameError,
    refuse,
)
from runlineage.catalogs.base.spelling import nearest, squash
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Source
from runlineage.catalogs.records.grid import Grid
from runlineage.catalogs.records.records import Run, Workload
from runlineage.catalogs.records.threshold import Threshold
from runlineage.catalogs.records.toml_rows import Rows

HERE = Path(__file__).parent
T = TypeVar("T")


class Catalog(Mapping[str, T]):
    """Records of one file. A row is parsed when it is asked for, and kept.

    >>> print(Accelerators["h100 sxm"].name)
    NVIDIA H100 SXM5 80GB
    >>> "Gpt3_175B" in dir(Workloads)
    True
    """

    def __init__(self, what: str, path: Path, make: Callable[..., T], ending: str = "") -> None:
        _opened[path, make] = self
        self._what = what
        self._rows = Rows(path)
        self._make = make
        self._ending = ending
        self._made: dict[str, T] = {}

    def __repr__(self) -> str:
        example = self.names(next(iter(self)))[0]
        return f"<{len(self)} {self._what}s: by attribute or by name, as in catalog[{example!r}]>"

    def names(self, key: str) -> tuple[str, ...]:
        """Return a record's name and its aliases, without reading its facts."""
        return self._rows.names(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.keys())

    def __len__(self) -> int:
        return len(self._rows.keys())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._rows or len(self._spellings.get(squash(name), ())) == 1)

    def __dir__(self) -> list[str]:
        return [*self, "find", "get", "items", "keys", "names", "values"]

    def _ipython_key_completions_(self) -> list[str]:
        return [self.names(key)[0] for key in self]

    def __getitem__(self, name: str) -> T:
        return self._record(self.find(name))

    def __getattr__(self, name: str) -> T:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._rows:
            return self._record(name)
        raise UnknownAttributeError(*self._unknown(name).args)

    def find(self, name: str) -> str:
        """Return the key of the one record that a name means; the error for any other name lists what there is."""
        if not isinstance(name, str):
            raise UnknownNameError(self._what, str(name), hint="expected a name")
        if name in self._rows:
            return name
        matches = self._spellings.get(squash(name), ())
        if len(matches) == 1:
            return matches[0]
        within = matches or self._within(squash(name))
        if len(within) > 1:
            raise AmbiguousNameError(self._what, name, tuple(self.names(key)[0] for key in within))
        raise self._unknown(name)

    @cached_property
    def _spellings(self) -> dict[str, tuple[str, ...]]:
        """Map each spelling, squashed, to the keys that it means."""
        spellings: dict[str, tuple[str, ...]] = {}
        for key in self:
            for name in {squash(each) for each in (key, key.removesuffix(self._ending), *self.names(key))}:
                spellings[name] = (*spellings.get(name, ()), key)
        return spellings

    def _within(self, wanted: str) -> tuple[str, ...]:
        if len(wanted) < 3:
            return ()
        return tuple(
            dict.fromkeys(key for spelling, keys in self._spellings.items() if wanted in spelling for key in keys)
        )

    def _unknown(self, name: str) -> UnknownNameError:
        near = nearest(name, (each for key in self for each in (*self.names(key), key)), 6)
        keys = dict.fromkeys(self.find(each) for each in near)
        return UnknownNameError(
            self._what,
            name,
            tuple(self.names(key)[0] for key in keys)[:3],
            f"`runlineage list {self._what}s` lists all",
        )

    def _record(self, key: str) -> T:
        if key not in self._made:
            row = self._rows.row(key)
            try:
                if "key" in row:
                    refuse("key", "is not a field here", "the [Key] line gives it")
                self._made[key] = self._make(key=key, **row)
            except InputError as problem:
                raise CatalogError(problem.at(f"{self._rows.path}, [{key}] ").faults) from None
            except ValidationError as problem:
                where = f"{self._rows.path}, [{key}]"
                raise CatalogError(
                    tuple(
                        Fault(f"{where} {'.'.join(map(str, each['loc']))}", each["msg"])
                        for each in problem.errors(include_url=False)
                    )
                ) from None
        return self._made[key]

    def __reduce__(self) -> Any:
        return _open, (self._what, self._rows.path, self._make, self._ending)


def _open(what: str, path: Path, make: Callable[..., Any], ending: str) -> Catalog[Any]:
    """Return the catalog that is already open here, so that a pickled one comes back as itself."""
    opened = _opened.get((path, make))
    return Catalog(what, path, make, ending) if opened is None else opened


_opened: dict[tuple[Path, Callable[..., Any]], Catalog[Any]] = {}  # one file may be read as two kinds of record

Sources: Catalog[Source] = Catalog("source", HERE / "sources.toml", Source)
Accelerators: Catalog[HardwareNode] = Catalog("accelerator", HERE / "accelerators.toml", HardwareNode)
Workloads: Catalog[Workload] = Catalog("workload", HERE / "workloads.toml", Workload)
Runs: Catalog[Run] = Catalog("run", HERE / "runs.toml", Run, "PublishedRun")
Grids: Catalog[Grid] = Catalog("grid", HERE / "grids.toml", Grid)
Thresholds: Catalog[Threshold] = Catalog("threshold", HERE / "thresholds.toml", Threshold)


@cache
def catalog_version() -> str:
    """Return a short fingerprint of the catalogs, which every lineage carries."""
    digest = hashlib.sha256()
    for path in sorted(HERE.glob("*.toml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def find_region(name: Any) -> str:
    """Return the key of the grid of a region; an unknown one is refused, and no wider one replaces it.

    >>> print(find_region("France"))
    FR
    """
    try:
        return Grids.find(name)
    except UnknownNameError as problem:
        refuse("region", str(problem).replace("grid '", "region '"))
