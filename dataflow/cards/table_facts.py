"""What the tables of a card state of its run: the row of one model, never a sum over several."""

from __future__ import annotations

from pathlib import Path

from runlineage.catalogs.base.errors import echo
from runlineage.catalogs.base.spelling import squash
from runlineage.dataflow.cards.body import DESIGN_POWER, Row
from runlineage.dataflow.cards.findings import TONS, CardFacts

FIGURES = {"accelerator_hours", "device_power", "location"}
SIZES = {"parameters", "training_tokens"}
EMISSIONS = ("location", "market")
MOST_NAMES = 12


def take_rows(rows: list[Row], body: str, facts: CardFacts, path: Path, model: str, name: str) -> str:
    """Take the facts of the row that `model` or the card's `name` means, and return what the row is called.

    Where several rows could be meant, that is a fault, and the name is empty.
    """
    figures = [row for row in rows if FIGURES & row.cells.keys()]
    sizes = [row for row in rows if SIZES & row.cells.keys() and not FIGURES & row.cells.keys()]
    candidates = figures or sizes
    if not candidates:
        return ""
    names = list(dict.fromkeys(row.name for row in candidates))
    chosen = _choose(names, facts, path, candidates[0].line, model, name)
    if chosen:
        design = DESIGN_POWER.search(body)
        of_model = [row for row in candidates if row.name == chosen]
        for row in [*of_model, *(_of_size(sizes, chosen) if figures else ())]:
            _take_row(row, design[1] if design else "", facts, path)
    return chosen


def _choose(names: list[str], facts: CardFacts, path: Path, line: int, model: str, name: str) -> str:
    wanted = squash(model or (name if any(squash(name) == squash(each) for each in names) else ""))
    same = [each for each in names if squash(each) == wanted]
    within = same or [each for each in names if wanted and wanted in squash(each)]
    if len(within) == 1:
        return within[0]
    if not model and len(names) == 1:
        return names[0]
    listed = ", ".join((within or names)[:MOST_NAMES])
    if model and not within:
        facts.refuse(path, f"line {line}", f"has no figures of {echo(model)}", f"it has those of {listed}")
    else:
        cure = f'name one, by model="…" or `--model "{(within or names)[0]}"`; they are never added up'
        facts.refuse(path, f"line {line}", f"has figures of {len(within or names)} models: {listed}", cure)
    return ""


def _take_row(row: Row, design_power: str, facts: CardFacts, path: Path) -> None:
    for column, cell in row.cells.items():
        name = "published_emissions" if column in EMISSIONS else column
        place = f"line {cell.line}, {cell.label}"
        text = f"{cell.text} tCO2e" if column in EMISSIONS else cell.text
        if cell.text.endswith("+") or cell.text[:1] in "<>~≈≥≤":
            facts.withhold(name, cell.text, path, place, "a bound or an estimate, not the figure itself")
        elif column == "market":
            facts.withhold(name, cell.text, path, place, "market-based; never netted with location")
        else:
            facts.read(name, text, path, place, TONS if column == "location" else None)
    power = row.cells.get("device_power")
    if power and power.text == design_power:
        facts.fact("power_basis", "tdp", path, f"line {power.line}: the power is the TDP that the card states")


def _of_size(sizes: list[Row], chosen: str) -> list[Row]:
    """Return the rows of a table of sizes that mean the chosen model: by name, or by the size within its name."""
    same = [row for row in sizes if squash(row.name) == squash(chosen)]
    words = chosen.casefold().split()
    return same or [row for row in sizes if (cell := row.cells.get("parameters")) and cell.text.casefold() in words]
