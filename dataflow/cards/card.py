"""Model cards as runs: a README.md with its front matter, the config.json beside it, or the folder of both.

Only what can be read with certainty becomes a fact, with its file and line. What is published and may not serve stands
beside its fact with the reason, and what has no place among the facts is warned of as seen and not used.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import (
    CatalogError,
    Fault,
    InputError,
    RunlineageWarning,
    echo,
)
from runlineage.catalogs.base.spelling import plain_text, squash
from runlineage.catalogs.quantities.units import quantity
from runlineage.catalogs.records.toml_rows import read_text
from runlineage.dataflow.cards.body import DESIGN_POWER, Cell, Row, labelled, rows
from runlineage.dataflow.cards.config import read_config
from runlineage.dataflow.cards.findings import CO2, CardFacts
from runlineage.dataflow.cards.front_matter import FrontMatter, read_front_matter
from runlineage.dataflow.runs.scenario import PublishedRunScenario

CARD, CONFIG = "README.md", "config.json"
LARGEST = 2_000_000
CO2_KEYS = ("emissions", "source", "training_type", "geographical_location", "hardware_used")
OWN_SOURCE = "its own source: "
TONS = "tons are read as metric tonnes"


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
    if reading.found.faults:
        raise CatalogError(tuple(reading.found.faults))
    try:
        run = PublishedRunScenario(name=reading.name or _named(Path(path)), **reading.found.settled())
    except InputError as problem:
        raise CatalogError(
            tuple(Fault(f"{path}: {each.where}", each.what, each.cure) for each in problem.faults)
        ) from None
    for said in reading.found.doubts(run):
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
    """One pass over the files of a card."""

    model: str
    name: str = ""
    found: CardFacts = field(default_factory=CardFacts)

    def take(self, path: Path) -> None:
        """Read one file."""
        try:
            if path.suffix.lower() == ".json":
                for name, fact in read_config(path).facts.items():
                    self.found.facts.setdefault(name, []).append(fact)
                return
            text = read_text(path, LARGEST)
            if "\x00" in text:
                raise CatalogError((Fault(str(path), "is no text file"),))
            head = read_front_matter(text, path)
        except InputError as problem:
            self.found.faults.extend(problem.faults)
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
            self.found.refuse(path, place["model_name"], f"is {echo(name)}", "expected text; put it in quotes")
        if head.fields.get("base_model"):
            self.found.unused.append(f"base_model ({place['base_model']}): its own training is not this run's")
        if CO2 not in head.fields:
            return
        given = head.fields[CO2]
        fields = given if isinstance(given, Mapping) else {"emissions": given}
        for key in fields:
            if key not in CO2_KEYS:
                self.found.unused.append(f"{CO2}.{key}"[:80] + f" ({place[CO2]})")
        self._take_co2(fields, path, head.place_of(CO2))

    def _take_co2(self, fields: Mapping[str, Any], path: Path, places: Mapping[str, str]) -> None:
        words = {}
        for key in CO2_KEYS[1:]:
            value = fields.get(key)
            if value is not None and not isinstance(value, str):
                self.found.refuse(path, places[key], f"is {echo(value)}", "expected text; put it in quotes")
            elif value and not _unsaid(value):
                words[key] = plain_text(value)
        source = f"{OWN_SOURCE}{words['source']}" if "source" in words else None
        if "training_type" in words:
            self.found.word("stage", words["training_type"], path, places["training_type"])
        if "hardware_used" in words:
            self.found.accelerator(words["hardware_used"], path, places["hardware_used"])
        if "geographical_location" in words:
            self.found.region(words["geographical_location"], path, places["geographical_location"])
        if "emissions" not in fields:
            self.found.refuse(path, places[""], "has no emissions", "add them in grams, as a plain number")
            return
        grams = fields["emissions"]
        where = places.get("emissions", places[""])
        if isinstance(grams, bool) or not isinstance(grams, (int, float)):
            self.found.refuse(path, where, f"is {echo(grams)}", "expected a plain number of grams, such as 8930000000")
        elif not 0 <= grams <= sys.float_info.max:
            self.found.refuse(path, where, f"is {echo(grams)}", "expected a number above zero")
        elif grams == 0:
            self.found.unused.append(f"{CO2} ({where}): 0 g says that nothing was measured")
        else:
            self.found.fact("published_emissions", quantity(float(grams), "gCO2e"), path, where, source)
            self.found.grams = float(grams)

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
            self.found.refuse(
                path, f"line {line}", f"has no figures of {echo(self.model)}", f"it has those of {listed}"
            )
        else:
            cure = f'name one, by model="…" or `--model "{(within or names)[0]}"`; they are never added up'
            self.found.refuse(path, f"line {line}", f"has figures of {len(within or names)} models: {listed}", cure)
        return ""

    def _take_row(self, row: Row, body: str, path: Path) -> None:
        for column, cell in row.cells.items():
            name = {"location": "published_emissions", "market": "published_emissions"}.get(column, column)
            place = f"line {cell.line}, {cell.label}"
            text = f"{cell.text} tCO2e" if name == "published_emissions" else cell.text
            if cell.text.endswith("+") or cell.text[:1] in "<>~≈≥≤":
                self.found.withhold(name, cell.text, path, place, "a bound or about, and not the figure itself")
            elif column == "market":
                self.found.withhold(name, cell.text, path, place, "market-based; never netted with location")
            else:
                self.found.read(name, text, path, place, TONS if column == "location" else None)
        design = DESIGN_POWER.search(body)
        power = row.cells.get("device_power")
        if design and power and power.text == design[1]:
            self.found.fact("power_basis", "tdp", path, f"line {power.line}: the power is the TDP that the card states")

    def _take_labels(self, found: Mapping[str, Cell], path: Path) -> None:
        for name, cell in found.items():
            place = f"line {cell.line}, {name}"
            if name == "Hardware Type":
                self.found.accelerator(cell.text, path, place)
            elif name == "Hours used":
                if re.search(r"(?:GPU|TPU|accelerator|device)[ -]?(?:hours|h)\b", cell.text, re.IGNORECASE):
                    self.found.read("accelerator_hours", cell.text, path, place, None)
                else:
                    why = "the card does not say whether wall-clock or accelerator hours"
                    self.found.withhold("accelerator_hours", cell.text, path, place, why)
            elif name == "Carbon Emitted":
                self._carbon(cell, path, place)
            elif name == "Compute Region":
                self.found.region(cell.text, path, place)
            else:
                self.found.unused.append(f"{name} ({place})")

    def _carbon(self, cell: Cell, path: Path, place: str) -> None:
        if cell.text.replace(",", "").replace(".", "").isdecimal():
            why = "the card does not say in which unit; the template asks for grams"
            self.found.withhold("published_emissions", cell.text, path, place, why)
            return
        note = TONS if re.search(r"\btons?\b", cell.text) else None
        self.found.read("published_emissions", cell.text, path, place, note)


def _of_size(sizes: list[Row], chosen: str) -> list[Row]:
    """Give the rows of a table of sizes that mean the chosen model: by name, or by the size that its name ends in."""
    same = [row for row in sizes if squash(row.name) == squash(chosen)]
    words = chosen.casefold().split()
    return same or [row for row in sizes if (cell := row.cells.get("parameters")) and cell.text.casefold() in words]


def _unsaid(text: str) -> bool:
    """Tell text that stands for nothing."""
    return text.strip().casefold() in ("", "unknown", "n/a", "[more information needed]")
