"""Model cards as runs: a README.md with its front matter, the config.json beside it, or the folder of both.

Only what can be read with certainty becomes a fact, with its file and line. What is published and may not serve stands
beside its fact with the reason, and what has no place among the facts is warned of as seen and not used.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from runlineage.catalogs.catalog import Accelerators, find_region
from runlineage.catalogs.errors import (
    CatalogError,
    Fault,
    InputError,
    RunlineageWarning,
    UnknownNameError,
    echo,
)
from runlineage.catalogs.facts import Fact
from runlineage.catalogs.fields import WORDS
from runlineage.catalogs.formatting import people
from runlineage.catalogs.frontmatter import FrontMatter, read_front_matter
from runlineage.catalogs.names import plain_text, squash
from runlineage.catalogs.store import read_text
from runlineage.catalogs.units import convert, quantity, unit
from runlineage.catalogs.values import read_value, read_word
from runlineage.dataflow.cardbody import DESIGN_POWER, Cell, Row, labelled, rows
from runlineage.dataflow.modelconfig import read_config
from runlineage.dataflow.scenario import PublishedRunScenario

CARD, CONFIG = "README.md", "config.json"
LARGEST = 2_000_000
CO2 = "co2_eq_emissions"
CO2_KEYS = ("emissions", "source", "training_type", "geographical_location", "hardware_used")
OWN_SOURCE = "its own source: "
TONS = "tons are read as metric tonnes"
LEAST_OF_PRETRAINING = 1e5  # grams: a run with a thousand million weights cannot emit less than 100 kg
MOST = 1e12  # grams: a million tonnes, more than any run
LARGE_MODEL = 1e9
AGREES = 0.02


def read_card(path: str | Path, model: str = "") -> PublishedRunScenario:
    """Read a model card, a model's config.json, or the folder of either, as a run; nothing is fetched.

    `model` names the row where a card has figures of several models. Raises `CatalogError` for a card that cannot be
    read, for figures of several models of which none is named, and for a field of the wrong type; warns of what was
    seen and not used.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "README.md"
    >>> table = "| | Training Time (GPU hours) |\\n|---|---|\\n| Small | 370k |\\n"
    >>> _ = file.write_text(f"---\\nlicense: mit\\n---\\n{table}")
    >>> run = read_card(file)
    >>> print(run.name, run.inputs.given["accelerator_hours"].magnitude)
    Small 370000.0
    """
    reading = _Reading(model)
    for file in _files(Path(path)):
        reading.take(file)
    if reading.faults:
        raise CatalogError(tuple(reading.faults))
    try:
        run = PublishedRunScenario(name=reading.name or _named(Path(path)), **reading.settled())
    except InputError as problem:
        raise CatalogError(
            tuple(Fault(f"{path}: {each.where}", each.what, each.cure) for each in problem.faults)
        ) from None
    for said in reading.doubts(run):
        warnings.warn(f"{path}: {said}", RunlineageWarning, stacklevel=2)
    return run


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    found = tuple(path / name for name in (CONFIG, CARD) if (path / name).is_file())
    if not found:
        raise CatalogError((Fault(str(path), f"holds neither {CARD} nor {CONFIG}", "name a folder with one of them"),))
    return found


def _named(path: Path) -> str:
    inside = path.is_dir() or path.name in (CARD, CONFIG)
    return (path.resolve() if path.is_dir() else path.resolve().parent).name if inside else path.stem


@dataclass
class _Reading:
    """One pass over the files of a card, gathering facts, faults and what is not used."""

    model: str
    name: str = ""
    facts: dict[str, list[Fact]] = field(default_factory=dict)
    beside: dict[str, list[Fact]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    grams: float | None = None

    def take(self, path: Path) -> None:
        """Read one file."""
        try:
            if path.suffix.lower() == ".json":
                for name, fact in read_config(path).facts.items():
                    self.facts.setdefault(name, []).append(fact)
                return
            text = read_text(path, LARGEST)
            if "\x00" in text:
                raise CatalogError((Fault(str(path), "is no text file"),))
            head = read_front_matter(text, path)
        except InputError as problem:
            self.faults.extend(problem.faults)
            return
        if head is not None:
            self._take_head(head, path)
        start = head.end if head else 0
        body, line = text[start:], text.count("\n", 0, start) + 1
        self._take_rows(rows(body, line), body, path)
        self._take_labels(labelled(body, line), path)

    def _take_head(self, head: FrontMatter, path: Path) -> None:
        place = {key: f"line {head.lines[key]}, {key}" for key in head.lines}
        name = head.fields.get("model_name")
        if isinstance(name, str):
            self.name = plain_text(name)
        elif name is not None:
            self._refuse(path, place["model_name"], f"is {echo(name)}", "expected text; put it in quotes")
        if head.fields.get("base_model"):
            self.unused.append(f"base_model ({place['base_model']}): its own training is not this run's")
        if CO2 not in head.fields:
            return
        given = head.fields[CO2]
        fields = given if isinstance(given, Mapping) else {"emissions": given}
        for key in fields:
            if key not in CO2_KEYS:
                self.unused.append(f"{CO2}.{key}"[:80] + f" ({place[CO2]})")
        self._take_co2(fields, path, head.place_of(CO2))

    def _take_co2(self, fields: Mapping[str, Any], path: Path, places: Mapping[str, str]) -> None:
        words = {}
        for key in CO2_KEYS[1:]:
            value = fields.get(key)
            if value is not None and not isinstance(value, str):
                self._refuse(path, places[key], f"is {echo(value)}", "expected text; put it in quotes")
            elif value and not _unsaid(value):
                words[key] = plain_text(value)
        source = f"{OWN_SOURCE}{words['source']}" if "source" in words else None
        if "training_type" in words:
            self._word("stage", words["training_type"], path, places["training_type"])
        if "hardware_used" in words:
            self._accelerator(words["hardware_used"], path, places["hardware_used"])
        if "geographical_location" in words:
            self._region(words["geographical_location"], path, places["geographical_location"])
        if "emissions" not in fields:
            self._refuse(path, places[""], "has no emissions", "add them in grams, as a plain number")
            return
        grams = fields["emissions"]
        where = places.get("emissions", places[""])
        if isinstance(grams, bool) or not isinstance(grams, (int, float)):
            self._refuse(path, where, f"is {echo(grams)}", "expected a plain number of grams, such as 8930000000")
        elif not 0 <= grams <= sys.float_info.max:
            self._refuse(path, where, f"is {echo(grams)}", "expected a number above zero")
        elif grams == 0:
            self.unused.append(f"{CO2} ({where}): 0 g says that nothing was measured")
        else:
            self._fact("published_emissions", quantity(float(grams), "gCO2e"), path, where, source)
            self.grams = float(grams)

    def _take_rows(self, found: list[Row], body: str, path: Path) -> None:
        figures = [row for row in found if set(row.cells) & {"accelerator_hours", "device_power", "location"}]
        sizes = [row for row in found if row not in figures and set(row.cells) & {"parameters", "training_tokens"}]
        names = list(dict.fromkeys(row.name for row in figures or sizes))
        if not names:
            return
        chosen = self._choose(names, path, (figures or sizes)[0].line)
        if not chosen:
            return
        self.name = chosen
        for row in figures or sizes:
            if row.name == chosen:
                self._take_row(row, body, path)
        if figures:
            for row in _of_size(sizes, chosen):
                self._take_row(row, body, path)

    def _choose(self, names: list[str], path: Path, line: int) -> str:
        wanted = squash(self.model or (self.name if any(squash(self.name) == squash(each) for each in names) else ""))
        same = [each for each in names if squash(each) == wanted]
        within = same or [each for each in names if wanted and wanted in squash(each)]
        if len(within) == 1:
            return within[0]
        if not self.model and len(names) == 1:
            return names[0]
        listed = ", ".join((within or names)[:12])
        if self.model and not within:
            self._refuse(path, f"line {line}", f"has no figures of {echo(self.model)}", f"it has those of {listed}")
        else:
            cure = f'name one, by model="…" or `--model "{(within or names)[0]}"`; they are never added up'
            self._refuse(path, f"line {line}", f"has figures of {len(within or names)} models: {listed}", cure)
        return ""

    def _take_row(self, row: Row, body: str, path: Path) -> None:
        for column, cell in row.cells.items():
            name = {"location": "published_emissions", "market": "published_emissions"}.get(column, column)
            place = f"line {cell.line}, {cell.label}"
            text = f"{cell.text} tCO2e" if name == "published_emissions" else cell.text
            if cell.text.endswith("+") or cell.text[:1] in "<>~≈≥≤":
                self._withhold(name, cell.text, path, place, "a bound or about, and not the figure itself")
            elif column == "market":
                self._withhold(name, cell.text, path, place, "market-based; never netted with location")
            else:
                self._read(name, text, path, place, TONS if column == "location" else None)
        design = DESIGN_POWER.search(body)
        power = row.cells.get("device_power")
        if design and power and power.text == design[1]:
            self._fact("power_basis", "tdp", path, f"line {power.line}: the power is the TDP that the card states")

    def _take_labels(self, found: Mapping[str, Cell], path: Path) -> None:
        for name, cell in found.items():
            place = f"line {cell.line}, {name}"
            if name == "Hardware Type":
                self._accelerator(cell.text, path, place)
            elif name == "Hours used":
                if re.search(r"(?:GPU|TPU|accelerator|device)[ -]?(?:hours|h)\b", cell.text, re.IGNORECASE):
                    self._read("accelerator_hours", cell.text, path, place, None)
                else:
                    why = "the card does not say whether wall-clock or accelerator hours"
                    self._withhold("accelerator_hours", cell.text, path, place, why)
            elif name == "Carbon Emitted":
                self._carbon(cell, path, place)
            elif name == "Compute Region":
                self._region(cell.text, path, place)
            else:
                self.unused.append(f"{name} ({place})")

    def _carbon(self, cell: Cell, path: Path, place: str) -> None:
        if cell.text.replace(",", "").replace(".", "").isdecimal():
            why = "the card does not say in which unit; the template asks for grams"
            self._withhold("published_emissions", cell.text, path, place, why)
            return
        note = TONS if re.search(r"\btons?\b", cell.text) else None
        self._read("published_emissions", cell.text, path, place, note)

    def _accelerator(self, text: str, path: Path, place: str) -> None:
        try:
            self._fact("accelerator", Accelerators.find(text), path, place)
        except UnknownNameError as problem:
            self._withhold("accelerator", text, path, place, str(problem).partition("; `")[0])

    def _word(self, name: str, text: str, path: Path, place: str) -> None:
        try:
            self._fact(name, read_word(text, name), path, place)
        except InputError:
            self._withhold(name, text, path, place, f"expected one of {', '.join(WORDS[name].choices)}")

    def _region(self, text: str, path: Path, place: str) -> None:
        """Take a region that is known; its intensity waits for a year, since a grid's changes from year to year."""
        try:
            self._fact("region", find_region(text), path, place)
        except InputError as problem:
            self.unused.append(f"{place}: {problem.faults[0].what.partition('; `')[0]}")

    def _read(self, name: str, text: str, path: Path, place: str, note: str | None) -> None:
        try:
            self._fact(name, read_value(text, name), path, place, note)
        except InputError as problem:
            if re.match(r"[-−][0-9]", text):
                self._refuse(path, place, problem.faults[0].what, "check the card")
            else:
                self._withhold(name, text, path, place, problem.faults[0].what)

    def _fact(self, name: str, value: Any, path: Path, place: str, note: str | None = None) -> None:
        self.facts.setdefault(name, []).append(Fact(value, "stated", str(path), place, note))

    def _withhold(self, name: str, text: str, path: Path, place: str, why: str) -> None:
        self.beside.setdefault(name, []).append(Fact(text, "stated", str(path), place, None, why))
        self.unused.append(f"{echo(text)} ({place}): {why}")

    def _refuse(self, path: Path, place: str, what: str, cure: str) -> None:
        self.faults.append(Fault(f"{path}, {place}", what, cure))

    def settled(self) -> dict[str, Any]:
        """Give one fact a field: what a config says exactly before a card's round figure, and what agrees beside it."""
        settled: dict[str, Any] = {}
        for name in dict.fromkeys([*self.facts, *self.beside]):
            stated, beside = self.facts.get(name, []), tuple(self.beside.get(name, ()))
            if not stated or not all(_agree(stated[0], each) for each in stated[1:]):
                settled[name] = Fact(None, beside=(*stated, *beside))
                if stated:
                    shown = " and ".join(f"{_shown(each)} ({each.place})" for each in stated)
                    self.said.append(f"{name} is published as {shown}, which differ: neither is used")
            else:
                reason = "agrees, to fewer digits"
                beside = (*(replace(each, reason=reason) for each in stated[1:]), *beside)
                settled[name] = replace(stated[0], beside=beside)
        return settled

    def doubts(self, run: PublishedRunScenario) -> list[str]:
        """Say what is doubtful, and last in one line what was seen and not used."""
        said = [*self.said, *self._doubt_size(run)]
        return [*said, f"seen and not used: {'; '.join(self.unused)}"] if self.unused else said

    def _doubt_size(self, run: PublishedRunScenario) -> list[str]:
        grams, given = self.grams, run.inputs.given
        if grams is None:
            return []
        size = given.get("parameters")
        large = size is not None and size.magnitude >= LARGE_MODEL and run.inputs.words.get("stage") == "pre-training"
        hours = given.get("accelerator_hours")
        least = (
            LEAST_OF_PRETRAINING
            if large
            else convert(hours, unit("accelerator*hour")).magnitude
            if hours is not None
            else 0
        )
        if grams < least:
            return [f"{CO2} of {grams:,.15g} g are too few for this run: it counts in grams; were tonnes meant?"]
        if grams > MOST:
            return [f"{CO2} of {grams:,.15g} g are over a million tonnes: check the unit, which is grams"]
        return []


def _of_size(sizes: list[Row], chosen: str) -> list[Row]:
    """Give the rows of a table of sizes that mean the chosen model: by name, or by the size that its name ends in."""
    same = [row for row in sizes if squash(row.name) == squash(chosen)]
    words = chosen.casefold().split()
    return same or [row for row in sizes if (cell := row.cells.get("parameters")) and cell.text.casefold() in words]


def _agree(one: Fact, other: Fact) -> bool:
    if not hasattr(one.value, "magnitude"):
        return bool(one.value == other.value)
    ratio = other.value / one.value
    return bool(abs(ratio.to("").magnitude - 1) <= AGREES)


def _shown(fact: Fact) -> str:
    return people(fact.value) if hasattr(fact.value, "magnitude") else str(fact.value)


def _unsaid(text: str) -> bool:
    """Tell text that stands for nothing."""
    return text.strip().casefold() in ("", "unknown", "n/a", "[more information needed]")
