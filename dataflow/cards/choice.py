"""Which of a card's models is meant: a name that is the same wins, then one that holds it; near ones are offered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from runlineage.catalogs.base.errors import Fault, echo
from runlineage.catalogs.base.spelling import matches, squash
from runlineage.dataflow.cards.blocks import Block, Blocks
from runlineage.dataflow.cards.stages import SHARED

PART = re.compile(r"(?P<path>.+?)#(?P<model>[^#]+)", re.DOTALL)
MOST_NAMES = 12


def split_model(text: str) -> tuple[str, str]:
    """Split `FILE#MODEL` into the file or folder and the model; a path that exists is never split.

    >>> print(split_model("README.md#Llama 3.1 8B"))
    ('README.md', 'Llama 3.1 8B')
    """
    named = PART.fullmatch(text)
    return (named["path"], named["model"]) if named and not _exists(text) else (text, "")


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def choose(blocks: Blocks, model: str, known_as: Iterable[str]) -> tuple[str, list[Block], Fault | None]:
    """Choose the blocks of one model: the one asked for, else the one that the card is called by.

    Returns the model's name as its blocks have it, empty where none names one; its blocks; and a fault where several
    could be meant, or none is.
    """
    sections = sorted(blocks.sections.values(), key=lambda block: block.line)
    named = [block for block in (*(blocks.figures or blocks.sizes), *sections) if block.name]
    shared = [block for block in (*blocks.figures, *blocks.sizes, *sections) if not block.name]
    names = list(dict.fromkeys(block.name for block in named))
    known = [each for each in known_as if each]
    if not names:
        return "", shared, _unknown(model, known) if model and not matches(model, known) else None
    within = list(matches(model, names)) if model else _called(known, names)
    if len(within) != 1:
        return "", [], _fault(model, within, names, named[0].line)
    chosen = within[0]
    mine = [block for block in named if block.name == chosen]
    sizes = _of_size(blocks.sizes, chosen) if blocks.figures else []
    return chosen, [*mine, *sizes, *shared], None


def of_one_stage(blocks: list[Block]) -> tuple[list[Block], list[str]]:
    """Leave out of one model's blocks the figures of all stages of training but one, and list those.

    The stage is that of the block that was asked for by name; else pre-training, or what the card calls no stage.
    """
    stages = {block.stage for block in blocks if block.is_staged}
    if len(stages) < 2:
        return blocks, []
    stage = next((block.stage for block in blocks if block.name and block.is_staged), "")
    left_out = [
        f"{echo(cell.text)} (line {cell.line}, {cell.label}): of another stage of training, "
        + (f"beneath {echo(block.stage)}" if block.stage else f"not beneath {echo(stage)}")
        for block in blocks
        for kind, cell in block.cells
        if block.stage != stage and kind not in SHARED
    ]
    return [_of_any_stage(block) if block.stage != stage else block for block in blocks], left_out


def _of_any_stage(block: Block) -> Block:
    return replace(block, cells=[(kind, cell) for kind, cell in block.cells if kind in SHARED])


def _called(known: list[str], names: list[str]) -> list[str]:
    """Return the one name that the card is called by, exactly; the only name where there is one."""
    for each in known:
        same = [name for name in names if squash(name) == squash(each)]
        if len(same) == 1:
            return same
    return names


def _fault(model: str, within: list[str], names: list[str], line: int) -> Fault:
    listed = ", ".join((within or names)[:MOST_NAMES])
    if model and not within:
        return Fault(f"line {line}", f"has no figures of {echo(model)}", f"it has those of {listed}")
    number = len(within or names)
    more = f", and {number - MOST_NAMES:,} more" if number > MOST_NAMES else ""
    cure = f'name one, by model="…" or `--model "{(within or names)[0]}"`; they are never added up'
    return Fault(f"line {line}", f"has figures of {number:,} models: {listed}{more}", cure)


def _unknown(model: str, known: list[str]) -> Fault:
    called = f"it is of {known[0]}" if known else "it names no model"
    return Fault("", f"has no figures of {echo(model)}", f"{called}; leave the model out")


def _of_size(sizes: list[Block], chosen: str) -> list[Block]:
    """Return the blocks of sizes that mean the chosen model: by name, or by the size within its name."""
    same = [block for block in sizes if squash(block.name) == squash(chosen)]
    words = chosen.casefold().split()
    return same or [
        block
        for block in sizes
        if any(k == "parameters" and cell.text.split()[0].casefold() in words for k, cell in block.cells)
    ]
