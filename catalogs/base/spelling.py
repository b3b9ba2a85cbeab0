"""Names as people spell them: what is the same, what is near."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def squash(name: str) -> str:
    """Drop all that spellings differ in: case, spaces, dots, hyphens, underscores.

    >>> print(squash("Llama 3.1 405B"))
    llama31405b
    """
    return "".join(letter for letter in name[:200].casefold() if letter.isalnum())


def plain_text(text: str) -> str:
    """Make one printable line of a text: control characters, line ends and lone surrogates become spaces.

    >>> print(plain_text("a\\x1b[31mb\\nc"))
    a [31mb c
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def nearest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return the known names nearest to a misspelt one, best first.

    >>> print(nearest("acelerator_hours", ["accelerator_hours", "duration"]))
    ('accelerator_hours',)
    """
    wanted = squash(name)
    scored = sorted((-_likeness(wanted, squash(other)), other) for other in known)
    return tuple(other for score, other in scored[:most] if score <= -0.6)


def _likeness(wanted: str, other: str) -> float:
    if len(wanted) >= 3 and other.startswith(wanted):
        return 0.95
    if len(wanted) >= 3 and wanted in other:
        return 0.8
    return difflib.SequenceMatcher(None, wanted, other, autojunk=False).ratio()
