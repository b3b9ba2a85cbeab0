"""Model cards as runs: a README.md with its front matter, the config.json beside it, or the folder of both.

Only what can be read with certainty becomes a fact, with its file and line. What is published and may not serve stands
beside its fact with the reason, and a warning lists what was seen and not used.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from runlineage.catalogs.base.errors import CatalogError, InputError, RunlineageWarning, refuse
from runlineage.catalogs.records.toml_rows import read_text
from runlineage.dataflow.cards.body import labelled, rows
from runlineage.dataflow.cards.config import read_config
from runlineage.dataflow.cards.findings import CardFacts
from runlineage.dataflow.cards.front_matter import read_front_matter
from runlineage.dataflow.cards.front_matter_facts import take_front_matter
from runlineage.dataflow.cards.label_facts import take_labels
from runlineage.dataflow.cards.table_facts import take_rows
from runlineage.dataflow.runs.scenario import PublishedRunScenario

CARD, CONFIG = "README.md", "config.json"
LARGEST_CARD = 2_000_000


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
    facts, name = CardFacts(), ""
    for file in _files(Path(path)):
        try:
            name = _take(file, facts, model) or name
        except InputError as problem:
            facts.faults += problem.faults
    if facts.faults:
        raise CatalogError(tuple(facts.faults))
    try:
        run = PublishedRunScenario(name=name or _named(Path(path)), **facts.settled())
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
    if path.suffix.lower() == ".json":
        for field, fact in read_config(path).facts.items():
            facts.facts.setdefault(field, []).append(fact)
        return ""
    text = read_card_text(path).removeprefix("\ufeff")
    head = read_front_matter(text, path)
    name = take_front_matter(head, facts, path) if head else ""
    start = head.end if head else 0
    body, line = text[start:], text.count("\n", 0, start) + 1
    row = take_rows(rows(body, line), body, facts, path, model, name)
    take_labels(labelled(body, line), facts, path)
    return row or name
