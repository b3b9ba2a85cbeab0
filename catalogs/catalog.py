"""The catalogs: records by attribute (`Workloads.Gpt3_175B`) or by any usual spelling (`Workloads["gpt-3"]`)."""

from __future__ import annotations

import hashlib
import re
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
    echo,
    refuse,
)
from runlineage.catalogs.base.spelling import LONGEST_NAME, matches, nearest, squash
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Source
from runlineage.catalogs.records.family import family_of, model_of
from runlineage.catalogs.records.grid import Grid
from runlineage.catalogs.records.household import Household
from runlineage.catalogs.records.records import Run, Workload
from runlineage.catalogs.records.threshold import Threshold
from runlineage.catalogs.records.toml_rows import Rows

HERE = Path(__file__).parent
SHORTEST_PART = 3
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
            raise UnknownNameError(self._what, echo(name), hint="expected a name")
        if name in self._rows:
            return name
        alike = self._spellings.get(squash(name), ())
        if len(alike) == 1:
            return alike[0]
        within = alike or self._within(name)
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

    def _within(self, name: str) -> tuple[str, ...]:
        """Return the keys of the records that a name is a part of, as whole words."""
        if len(squash(name)) < SHORTEST_PART:
            return ()
        return tuple(key for key in self if matches(name, self.names(key)))

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
        return _open, (type(self), self._what, self._rows.path, self._make, self._ending)


class AcceleratorCatalog(Catalog[HardwareNode]):
    """The accelerators, and their families: `A100` is a record of what holds of every A100.

    >>> print(Accelerators["a100"].name, Accelerators["a100"].compute.peak_flops)
    NVIDIA A100 312 teraflop/accelerator/second
    >>> print(Accelerators["A100 80GB"].missing("tdp"))
    NVIDIA A100 PCIe 80GB 300 W, NVIDIA A100 SXM4 80GB 400 W
    """

    def find(self, name: str) -> str:
        """Return the key of the one record that a name means, or that of a family with several members."""
        try:
            return super().find(name)
        except UnknownNameError:
            members = self.members(name) if isinstance(name, str) else ()
            if not members:
                raise
        if len(members) == 1:
            return members[0]
        family = family_of([self[key] for key in members])
        self._made.setdefault(family.key, family)
        return family.key

    def members(self, name: str) -> tuple[str, ...]:
        """Return the keys of the devices that have all words of a name, where these name one model such as A100.

        >>> print(*Accelerators.members("H100 80G"))
        H100_PCIe_80GB H100_SXM5_80GB
        """
        wanted = _device_words(name)
        keys = [key for key in self if wanted and wanted <= self._words[key]]
        models = {model_of(self[key]).casefold() for key in keys}
        model = models.pop() if len(models) == 1 else ""
        return tuple(keys) if model in wanted and len(squash(name)) >= SHORTEST_PART else ()

    @cached_property
    def _words(self) -> dict[str, set[str]]:
        return {key: set().union(*map(_device_words, self.names(key))) for key in self}

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and bool(self.members(name)))


def _device_words(name: str) -> set[str]:
    """Return the words of a device's name, memory in GB."""
    words = re.findall(r"[a-z0-9.]+", re.sub(r"(?<=[0-9]) ?gb?\b", "gb", name[:LONGEST_NAME].casefold()))
    return set(words) - {"nvidia", "tesla", "gpu"}


def _open(catalog: type[Catalog[Any]], what: str, path: Path, make: Callable[..., Any], ending: str) -> Catalog[Any]:
    """Return the catalog that is already open here, so that a pickled one comes back as itself."""
    opened = _opened.get((path, make))
    return catalog(what, path, make, ending) if opened is None else opened


_opened: dict[tuple[Path, Callable[..., Any]], Catalog[Any]] = {}  # one file may be read as two kinds of record

Sources: Catalog[Source] = Catalog("source", HERE / "sources.toml", Source)
Accelerators = AcceleratorCatalog("accelerator", HERE / "accelerators.toml", HardwareNode)
Workloads: Catalog[Workload] = Catalog("workload", HERE / "workloads.toml", Workload)
Runs: Catalog[Run] = Catalog("run", HERE / "runs.toml", Run, "PublishedRun")
Grids: Catalog[Grid] = Catalog("grid", HERE / "grids.toml", Grid)
Households: Catalog[Household] = Catalog("household", HERE / "households.toml", Household)
Thresholds: Catalog[Threshold] = Catalog("threshold", HERE / "thresholds.toml", Threshold)


@cache
def catalog_version() -> str:
    """Return a short fingerprint of the catalogs, which every lineage carries."""
    digest = hashlib.sha256()
    for path in sorted(HERE.glob("*.toml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
