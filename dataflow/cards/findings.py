"""What the files of a model card hold: facts, what stands beside them, faults, and what was seen and not used."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runlineage.catalogs.base.errors import Fault, InputError, UnknownNameError, echo
from runlineage.catalogs.devices import accelerator_text
from runlineage.catalogs.quantities.fields import WORDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.rounding import relative_half_unit
from runlineage.catalogs.quantities.units import Quantity, convert, unit
from runlineage.catalogs.records.facts import ALIKE, FEWER_DIGITS, Fact
from runlineage.catalogs.records.values import read_figure, read_value, read_word
from runlineage.catalogs.regions import find_region
from runlineage.dataflow.cards.hardware import is_one_device, members_of

if TYPE_CHECKING:
    from runlineage.dataflow.runs.scenario import PublishedRunScenario

LEAST_OF_PRETRAINING = 1e5  # grams: a run with a thousand million weights cannot emit less than 100 kg
LEAST_A_KWH = 5.0  # grams: no grid of the catalog emits so little
MOST = 1e12  # grams: a million tonnes, more than any run
LARGE_MODEL = 1e9
MOST_OF = 0.9
MOST_FIGURES = 100  # of one field of one model: where so many are printed, they differ long before
AGREES = 0.02
OTHER_GASES = 1.2  # methane and the rest add less to what electricity emits
MOST_ROUNDED = 0.1
MOST_SHOWN = 5
COUNTED = (unit("parameter").dimensionality, unit("token").dimensionality)
BOUND = re.compile(r"[<>~≈≥≤].*|.*\+|(?:about|around|approx\.?|approximately|over|up to) .*", re.IGNORECASE | re.DOTALL)
ESTIMATE = "a bound or an estimate, not the figure itself"
CO2 = "co2_eq_emissions"
OWN_SOURCE = "its own source: "
TONS = "tons are read as metric tonnes"
NOTHING = "no fact was read from this file; give parameters, training_tokens, accelerator_hours or any other yourself"


@dataclass
class CardFacts:
    """Facts by their field, each with its file and place, as several files and tables state them."""

    facts: dict[str, list[Fact]] = field(default_factory=dict)
    beside: dict[str, list[Fact]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    grams: float | None = None
    trainable: tuple[Quantity, str] | None = None
    _read: dict[str, set[str]] = field(default_factory=dict)

    def accelerator(self, text: str, path: Path, place: str) -> None:
        """Take an accelerator that is known, and how many the text counts; what else is written stands beside."""
        try:
            devices = accelerator_text(text)
        except (UnknownNameError, InputError) as problem:
            self.withhold("accelerator", text, path, place, str(problem).partition("; `")[0])
            return
        self.fact("accelerator", devices.key, path, place)
        if devices.count is not None:
            self.fact("accelerator_count", read_value(devices.count, "accelerator_count"), path, place)

    def word(self, name: str, text: str, path: Path, place: str) -> None:
        """Take a word with fixed choices."""
        try:
            self.fact(name, read_word(text, name), path, place)
        except InputError:
            self.withhold(name, text, path, place, f"expected one of {', '.join(WORDS[name].choices)}")

    def region(self, text: str, path: Path, place: str) -> None:
        """Take a region that is known; its intensity needs a year too, since grids change from year to year."""
        try:
            self.fact("region", find_region(text), path, place)
        except InputError as problem:
            self.unused.append(f"{place}: {problem.faults[0].what.partition('; `')[0]}")

    def figure(self, name: str, text: str, path: Path, place: str) -> None:
        """Take a figure; a bound or an estimate of one stands beside."""
        if BOUND.fullmatch(text):
            self.withhold(name, text, path, place, ESTIMATE)
        else:
            self.read(name, text, path, place, None)

    def read(self, name: str, text: str, path: Path, place: str, note: str | None) -> None:
        """Take what the reader of quantities reads; all else stands beside, and a negative figure is refused.

        What is the same word for word is read once.
        """
        read = self._read.setdefault(name, set())
        if text in read or len(read) >= MOST_FIGURES:
            return
        read.add(text)
        try:
            self.fact(name, read_figure(text, name), path, place, note)
        except InputError as problem:
            if re.match(r"[-−][0-9]", text):
                self.refuse(path, place, problem.faults[0].what, "check the card")
            else:
                self.withhold(name, text, path, place, problem.faults[0].what)

    def fact(self, name: str, value: Any, path: Path, place: str, note: str | None = None) -> None:
        """Take a value, or a range of values, with its file and place."""
        self.facts.setdefault(name, []).append(Fact(None, "stated", str(path), place, note).having(value))

    def doubt_mass(self, text: str, place: str) -> None:
        """Withdraw the emissions of the front matter where the body prints another mass of CO2, if not of CO2e.

        The other greenhouse gases add a few parts in a hundred, and no factor of a thousand.
        """
        try:
            printed = read_value(text, "published_emissions")
        except InputError:
            return
        stated = self.facts.get("published_emissions", [])
        ratios = [float((printed / each.value).to("").magnitude) for each in stated]
        if any(not 1 / OTHER_GASES < ratio < OTHER_GASES for ratio in ratios):
            self.conflicts.append(_differing("published_emissions", stated, f"{people(printed)} ({place})"))
            self.beside.setdefault("published_emissions", []).extend(self.facts.pop("published_emissions"))

    def withhold(self, name: str, text: str, path: Path, place: str, why: str) -> None:
        """Keep beside its fact what is published and may not serve."""
        self.beside.setdefault(name, []).append(Fact(text, "stated", str(path), place, None, why))
        self.unused.append(f"{echo(text)} ({place}): {why}")

    def refuse(self, path: Path, place: str, what: str, cure: str) -> None:
        """Record a fault."""
        self.faults.append(Fault(f"{path}, {place}" if place else str(path), what, cure))

    def settled(self) -> dict[str, Any]:
        """Return one fact a field: a config's exact figure before a card's round one, and what agrees beside it."""
        settled: dict[str, Any] = {}
        for name in dict.fromkeys([*self.facts, *self.beside]):
            stated, beside = self.facts.get(name, []), tuple(self.beside.get(name, ()))
            ranked = sorted(stated, key=_uncertainty)
            if not stated or not all(_agree(ranked[0], each) for each in ranked[1:]):
                settled[name] = Fact(None, beside=(*stated, *beside))
                if stated:
                    self.conflicts.append(_differing(name, stated))
            else:
                first, *others = ranked
                agreeing = (
                    replace(each, reason=ALIKE if each.value == first.value else FEWER_DIGITS) for each in others
                )
                settled[name] = replace(first, beside=(*agreeing, *beside))
        return settled

    def doubts(self, run: PublishedRunScenario) -> list[str]:
        """List what is doubtful, and last in one line what was seen and not used."""
        unused = [f"seen and not used: {'; '.join(dict.fromkeys(self.unused))}"] if self.unused else []
        nothing = [] if self.facts or self.beside else [NOTHING]
        return [*self.conflicts, *self._doubt_size(run), *self._doubt_trainable(run), *unused, *nothing]

    def _doubt_trainable(self, run: PublishedRunScenario) -> list[str]:
        """Explain that fewer weights were trained than the model has: 6 N D counts the work of training all."""
        if self.trainable is None:
            return []
        (count, place), size = self.trainable, run.inputs.given.get("parameters")
        if size is not None and count >= MOST_OF * size:
            return []
        part = f"{number(count.magnitude)} weights were trained ({place}), and not the whole model"
        return [f"{part}: 6 N D would count too much"]

    def _doubt_size(self, run: PublishedRunScenario) -> list[str]:
        given = run.inputs.given
        emitted, hours, power = (
            given.get(name) for name in ("published_emissions", "accelerator_hours", "device_power")
        )
        if emitted is not None and hours is not None and power is not None:
            implied: Any = convert(emitted, unit("gCO2e")) / convert(hours * power, unit("kWh"))
            if implied.magnitude < LEAST_A_KWH:
                few = f"{implied.magnitude:.2g} g for each kWh of the devices, fewer than any grid's"
                return [f"published_emissions of {people(emitted)} are {few}: check the unit"]
        return self._doubt_grams(run)

    def _doubt_grams(self, run: PublishedRunScenario) -> list[str]:
        if self.grams is None:
            return []
        size, hours = run.inputs.given.get("parameters"), run.inputs.given.get("accelerator_hours")
        large = size is not None and size.magnitude >= LARGE_MODEL and run.inputs.words.get("stage") == "pre-training"
        least = LEAST_OF_PRETRAINING if large else 0
        if hours is not None and not large:
            least = convert(hours, unit("accelerator*hour")).magnitude
        if self.grams < least:
            return [f"{CO2} of {self.grams:,.15g} g are too few for this run: it counts in grams; were tonnes meant?"]
        if self.grams > MOST:
            return [f"{CO2} of {self.grams:,.15g} g are over a million tonnes: check the unit, which is grams"]
        return []


def _agree(one: Fact, other: Fact) -> bool:
    if not hasattr(one.value, "magnitude"):
        return bool(one.value == other.value) or is_one_device(one.value, other.value)
    ratio = (other.value / one.value).to("").magnitude
    rounding = min(MOST_ROUNDED, max(map(_uncertainty, (one, other))))
    return bool(abs(ratio - 1) <= max(AGREES, rounding))


def _uncertainty(fact: Fact) -> float:
    """Return half a unit of the last digit of a size, as a share of it; 0 of what is printed to all its digits.

    A family of devices is less certain than a member of it.
    """
    if isinstance(fact.value, str):
        return float(len(members_of(fact.value)))
    is_size = hasattr(fact.value, "dimensionality") and fact.value.dimensionality in COUNTED
    return relative_half_unit(fact.value) if is_size else 0.0


def _differing(name: str, stated: list[Fact], *others: str) -> str:
    shown = [*(f"{_shown(each)} ({each.place})" for each in stated[:MOST_SHOWN]), *others]
    more = f" and {len(stated) - MOST_SHOWN} more" if len(stated) > MOST_SHOWN else ""
    used = "neither is used" if len(stated) + len(others) == 2 else "none is used"
    return f"{name} is published as {' and '.join(shown)}{more}, which differ: {used}"


def _shown(fact: Fact) -> str:
    return people(fact.value) if hasattr(fact.value, "magnitude") else str(fact.value)
