"""Model cards as runs: a README.md with its front matter, the config.json beside it, the folder of both, or a bill.

Only what can be read with certainty becomes a fact, with its file and line. What is published and may not serve stands
beside its fact with the reason, and a warning lists what was seen and not used.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

from runlineage.catalogs.base.errors import CatalogError, InputError, RunlineageWarning, refuse
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.records.toml_rows import read_text
from runlineage.dataflow.cards.bill import is_bill, take_bill
from runlineage.dataflow.cards.body import Body, read_body
from runlineage.dataflow.cards.body_blocks import blocks_of
from runlineage.dataflow.cards.cell_facts import take_block
from runlineage.dataflow.cards.choice import choose, of_one_stage, split_model
from runlineage.dataflow.cards.config import read_config
from runlineage.dataflow.cards.findings import CardFacts
from runlineage.dataflow.cards.front_matter import read_front_matter
from runlineage.dataflow.cards.front_matter_facts import take_front_matter
from runlineage.dataflow.cards.mentions import mentions
from runlineage.dataflow.runs.scenario import PublishedRunScenario

CARD, CONFIG = "README.md", "config.json"
LARGEST_CARD = 2_000_000
DESIGN_POWER = re.compile(r"\bTDP of (?:up to )?([0-9]{2,4}) ?W\b")
PREFIX = re.compile(r"^(?:model card(?: (?:for|of)\b)?(?: ?[:–-])? |model:? )", re.IGNORECASE)
GENERIC = re.compile(
    r"(?:the )?(?:model(?: card| information| details| description| summary| overview)?|introduction|overview|uses?"
    r"|table of contents|contents|description|summary|about|readme|license|)",
    re.IGNORECASE,
)


def read_card(path: str | Path, model: str = "") -> PublishedRunScenario:
    """Read a model card, a model's config.json, the folder of either, or a CycloneDX bill as a run; nothing is fetched.

    `model` names the row or section where a card has figures of several models; `FILE#MODEL` names both. Raises
    `CatalogError` for a card that cannot be read, for figures of several models of which none is named, and for a field
    of the wrong type; warns of what was seen and not used, and where no fact was read. Every fact is a scalar in the
    unit that the card writes, with file and line; where the card prints two that differ, neither is used.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "README.md"
    >>> table = "| | Training Time (GPU hours) |\\n|---|---|\\n| Small | 370k |\\n"
    >>> _ = file.write_text(f"---\\nlicense: mit\\n---\\n{table}")
    >>> run = read_card(file)
    >>> print(run.name, run.inputs.given["accelerator_hours"].magnitude)
    Small 370000.0
    """
    facts, name = CardFacts(), ""
    text, part = split_model(str(path))
    path, model = Path(text), model or part
    files = _files(path)
    for file in files:
        try:
            name = _take(file, facts, model) or name
        except InputError as problem:
            if file.suffix.lower() == ".json" and len(files) > 1:
                facts.conflicts.append(f"{file.name} is not used, since its weights cannot be counted: {problem}")
            else:
                facts.faults += problem.faults
    if facts.faults:
        raise CatalogError(tuple(facts.faults))
    try:
        run = PublishedRunScenario(name=name or _named(path), **facts.settled())
    except InputError as problem:
        raise problem.at(f"{path}: ", kind=CatalogError) from None
    for message in facts.doubts(run):
        warnings.warn(f"{path}: {message}", RunlineageWarning, stacklevel=2)
    return run


def read_card_text(path: Path) -> str:
    """Read the text of a card within bounds, with its own line ends and mark of byte order."""
    read_text(path, LARGEST_CARD)  # explains why a file cannot be read
    text = path.read_bytes().decode()
    if "\x00" in text:
        refuse(str(path), "is no text file", "name a card in Markdown", CatalogError)
    return text


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    files = tuple(path / name for name in (CONFIG, CARD) if (path / name).is_file())
    if not files:
        refuse(str(path), f"holds neither {CARD} nor {CONFIG}", "name a folder with one of them", CatalogError)
    return files


def _named(path: Path) -> str:
    inside = path.is_dir() or path.name in (CARD, CONFIG)
    return (path.resolve() if path.is_dir() else path.resolve().parent).name if inside else path.stem


def _take(path: Path, facts: CardFacts, model: str) -> str:
    """Take the facts of one file, and return the name of its model; empty where it states none."""
    if is_bill(path):
        return take_bill(path, facts, model)
    if path.suffix.lower() == ".json":
        for field, fact in read_config(path).facts.items():
            facts.facts.setdefault(field, []).append(fact)
        return ""
    text = read_card_text(path).removeprefix("\ufeff")
    head = read_front_matter(text, path)
    name = take_front_matter(head, facts, path) if head else ""
    start = head.end if head else 0
    body = read_body(text[start:], text.count("\n", 0, start) + 1)
    blocks = blocks_of(body)
    title = "" if GENERIC.fullmatch(body.title) else PREFIX.sub("", plain_text(body.title))
    chosen, mine, fault = choose(blocks, model, (name, title))
    if fault:
        facts.refuse(path, fault.where, fault.what, fault.cure)
    design_power = _design_power(body)
    of_run, left_out = of_one_stage(mine)
    for block in of_run:
        take_block(block, facts, path, design_power)
    facts.unused += [*blocks.unused, *left_out, *mentions(blocks.unread)]
    return chosen or name or title


def _design_power(body: Body) -> str:
    """Return the design power of a device in watts, where the card states it as such."""
    stated = (DESIGN_POWER.search(line.outside) for line in body.lines)
    return next((match[1] for match in stated if match), "")
