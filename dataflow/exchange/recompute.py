"""One run of a lineage file, computed anew from its facts and compared with its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import lru_cache
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from runlineage.catalogs.base.errors import Fault, InputError, RunlineageError, echo, refuse
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.quantities.fields import FIELDS, WORDS, field_of
from runlineage.catalogs.quantities.formatting import in_its_unit, number
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import Unit, quantity, registry, unit
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact, Source
from runlineage.catalogs.records.values import read_value
from runlineage.dataflow.exchange.checks import CURE, computed_edits, edit
from runlineage.dataflow.exchange.lineage_json import document
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.staged import AnyRun, StagedRun

UNIT = re.compile(
    r"(?:1|[A-Za-z][A-Za-z_0-9]{0,39}(?:\^[1-9][0-9]?)?)(?:[*/][A-Za-z][A-Za-z_0-9]{0,39}(?:\^[1-9][0-9]?)?){0,9}"
)
CLOSE = 1e-12  # another machine's arithmetic may differ in the last digit
T = TypeVar("T")


class Reader:
    """One run of a file: its facts and sources as records, computed anew and compared with its numbers."""

    def __init__(self, raw: dict[str, Any], where: str, version: str, modules: tuple[ModuleType, ...] = ()) -> None:
        self.raw = raw
        self.modules = modules
        self.own = read_routes(*MODULES, *modules).known if modules else frozenset[str]()
        self.where = where
        self.version = version
        self.faults: list[Fault] = []
        self.run: AnyRun | None = None
        self.sources = self._sources()
        facts = self._facts(raw, where)
        stages = self._stages()
        if not self.faults:
            self.run = self._try(where, self._build, facts, stages)
        run = self.run
        if run is not None:
            self._try(where, self._compare, run)

    def _try(self, where: str, step: Callable[..., T], *arguments: Any) -> T | None:
        """Take a step, and keep its faults with the place."""
        try:
            return step(*arguments)
        except InputError as problem:
            self.faults += problem.at(f"{where} ").faults
        except RunlineageError as problem:
            self.faults.append(Fault(where, str(problem)))
        return None

    def _sources(self) -> dict[str, Source]:
        sources = {}
        for key, record in self.raw["sources"].items():
            content = {name: value for name, value in record.items() if name not in ("digest", "read_on")}
            try:
                sources[key] = Source(key=key, read_on=date.fromisoformat(record["read_on"]), **content)
            except ValueError:
                where = f"{self.where}.sources.{plain_text(key)}.read_on"
                self.faults.append(Fault(where, f"is {echo(record['read_on'])}, which is no day", "expected a date"))
        return sources

    def _stages(self) -> dict[str, dict[str, Fact]]:
        stages: dict[str, dict[str, Fact]] = {}
        for place, stage in enumerate(self.raw.get("stages", ())):
            where = f"{self.where}.stages[{place}] ({plain_text(stage['name'])})"
            if stage["name"] in stages:
                self.faults.append(Fault(where, "appears twice", "keep one"))
            stages[stage["name"]] = self._facts(stage, where)
        return stages

    def _facts(self, home: dict[str, Any], at: str) -> dict[str, Fact]:
        """Read the facts of the run, or of a stage, with the record of its accelerator."""
        facts: dict[str, Fact] = {}
        for place, record in enumerate(home["facts"]):
            name = record["name"]
            where = f"{at}.facts[{place}] ({plain_text(name)})"
            if name in facts or name not in FIELDS.keys() | WORDS.keys() | self.own:
                twice = Fault(where, "appears twice", "keep one")
                unknown = Fault(
                    where, "is not a field of this package", "name your modules: read_lineage(path, modules=[…])"
                )
                self.faults.append(twice if name in facts else unknown)
                continue
            facts[name] = self._try(where, self._fact, record, name) or Fact(None)
        accelerator = facts.get("accelerator")
        if accelerator is not None and accelerator.value is not None:
            node = self._try(f"{at}.hardware", self._hardware, home["hardware"])
            facts["accelerator"] = replace(accelerator, value=node)
        return facts

    def _hardware(self, record: dict[str, Any] | None) -> HardwareNode:
        if record is None:
            refuse("", "is null, and an accelerator is named", CURE)
        words = {name: value for name, value in record.items() if name not in ("facts", "digest")}
        return HardwareNode(**(words | {name: self._fact(fact, name) for name, fact in record["facts"].items()}))

    def _fact(self, record: dict[str, Any], name: str) -> Fact:
        beside = tuple(self._fact(each | {"beside": []}, name) for each in record["beside"])
        source = record["source"]
        return Fact(
            _value(record["value"], record["unit"], name, own=name in self.own),
            record["basis"],
            source,
            record["place"],
            record["note"],
            record["reason"],
            beside,
            self.sources.get(source),
            *(_end(record, end) for end in ("low", "high")),
        )

    def _build(self, facts: dict[str, Any], stages: dict[str, dict[str, Fact]]) -> AnyRun:
        asked = {"assume": self.raw["assume"], "prefer": self.raw.get("prefer")}
        asked |= {"name": self.raw["subject"], "modules": self.modules}
        return StagedRun(stages, **asked, **facts) if stages else PublishedRunScenario(**asked, **facts)

    def _compare(self, run: AnyRun) -> None:
        """Compute the run anew; every number of the file must come out, by the same route."""
        asked = dict.fromkeys([*self.raw["outputs"], *self.raw["problems"]])
        written = document(run.lineage(tuple(asked)))
        anew = {entry["name"]: entry for entry in written["runs"][0]["entries"]}
        other = f"the file was written by runlineage {self.version}"
        cure = CURE if written["software"]["version"] == self.version else other
        edited = set(computed_edits(self.raw))
        for place, entry in enumerate(self.raw["entries"]):
            name = plain_text(entry["name"])
            where = f"{self.where}.entries[{place}] ({name})"
            differs = _difference(entry, anew.get(entry["name"]))
            if differs:
                self.faults.append(Fault(where, differs, cure))
            elif place in edited:
                self.faults.append(edit(where, entry))


def _end(record: dict[str, Any], end: str) -> Any:
    """Return one end of a fact's range in the unit of its value; None where it is no range."""
    size = record.get(end)
    return size if size is None or record["unit"] is None else quantity(float(size), _unit(record["unit"]))


def _difference(entry: dict[str, Any], anew: dict[str, Any] | None) -> str:
    """Describe how an entry differs from what its facts give: value first, then how it was computed."""
    if anew is None:
        return "does not follow from the facts of the file"
    if entry["unit"] != anew["unit"] or not _same(entry["value"], anew["value"]):
        return f"is {_shown(entry)}, and its facts give {_shown(anew, with_unit=entry['unit'] != anew['unit'])}"
    for end in ("low", "high"):
        found, given = ((each.get("interval") or {}).get(end) for each in (entry, anew))
        if not _same(found, given):
            return f"has the {end} end {echo(found)} of its interval, and its facts give {echo(given)}"
    for key in ("route", "assumption", "source"):
        if entry[key] != anew[key]:
            return f"has the {key} {echo(entry[key])}, and its facts give {echo(anew[key])}"
    return ""


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (str, bool, type(None))) or isinstance(other, (str, bool, type(None))):
        return type(one) is type(other) and bool(one == other)
    try:
        first, second = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    except (ValueError, OverflowError):
        return False
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=CLOSE, atol=0))


def _shown(entry: dict[str, Any], *, with_unit: bool = True) -> str:
    value = entry["value"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return echo(value)
    if not with_unit:
        return number(value)
    try:
        return in_its_unit(quantity(float(value), _unit(entry["unit"] or "dimensionless")))
    except (InputError, OverflowError):
        return f"{number(value)} {plain_text(entry['unit'] or '')}"


def _value(raw: Any, unit_name: str | None, name: str, *, own: bool = False) -> Any:
    """Read a value of the file by its field: the same front door as everywhere, and no text that would be parsed."""
    if raw is None:
        return None
    known = field_of(name)
    if known is None and own and name not in WORDS:  # an input of a user's own node
        return raw if unit_name is None else quantity(_magnitude(raw), _unit(unit_name))
    if known is None:
        if unit_name is not None or not isinstance(raw, (str, bool)):
            refuse("value", f"is {echo(raw)}", "expected a word or true or false")
        return raw if name == "accelerator" else read_value(raw, name)
    if isinstance(raw, (str, bool)) or unit_name is None:
        refuse("value", f"is {echo(raw)}", "expected a number with its unit")
    return as_quantity(quantity(_magnitude(raw), _unit(unit_name)), field=known.name)


def _magnitude(raw: Any) -> Any:
    try:
        return np.array(raw, dtype=np.float64) if isinstance(raw, list) else float(raw)
    except (ValueError, OverflowError):
        refuse("value", f"is {echo(raw)}", "expected numbers, in rows of one length")


@lru_cache(maxsize=256)
def _unit(text: str) -> Unit:
    """Read a unit as the files spell it, name by name and never by an expression parser.

    >>> print(_unit("kilowatt/accelerator"))
    kilowatt/accelerator
    """
    if text == "dimensionless":
        return unit("")
    names = re.findall(r"[A-Za-z][A-Za-z_0-9]*", text)
    if not UNIT.fullmatch(text) or not all(map(_is_known, names)):
        refuse("unit", f"is {echo(text)}, which is not known here", "expected a unit such as TFLOP/s/accelerator")
    return unit(text.replace("^", "**"))


def _is_known(name: str) -> bool:
    return "__" not in name and name in registry()  # pint raises an error of its own for names with underscores first
