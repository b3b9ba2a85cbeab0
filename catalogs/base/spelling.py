"""Names as people spell them: what is the same, what is near."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

LONGEST_NAME = 200
LIKE = 0.6  # the least likeness of a name that is offered
# What lies between letters and digits: a decimal point, the border of two numbers, or what does not count.
GAP = re.compile(r"(?P<point>(?<=\d)\.(?=\d))|(?P<border>(?<=\d)[\W_]+(?=\d))|[\W_]+")
JOINED = {"point": ".", "border": " ", None: ""}
WORD = re.compile(r"(?:[^\W_]|(?<=\d)\.(?=\d))+")


def squash(name: str) -> str:
    """Drop all that spellings differ in: case, spaces, dots, hyphens, underscores, but no border of a number.

    >>> print(squash("Llama 3.1 405B"), "|", squash("gemma_12b"), "|", squash("Gemma 1 2B"))
    llama3.1 405b | gemma12b | gemma1 2b
    """
    return GAP.sub(lambda gap: JOINED[gap.lastgroup], name[:LONGEST_NAME].casefold())


def matches(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names that a name may mean: those spelt alike, else those that hold it as whole words.

    Whoever takes one takes it only where it is the only one; a name that is merely near is never taken.

    >>> print(matches("13b", ["1.3B", "13B"]), matches("3.1 8b", ["Llama 3.1 8B"]), matches("2B", ["12B", "6.9B"]))
    ('13B',) ('Llama 3.1 8B',) ()
    """
    wanted, names = squash(name), list(known)
    alike = tuple(each for each in names if squash(each) == wanted)
    return alike or tuple(each for each in names if wanted and _holds(each, wanted))


def _holds(name: str, wanted: str) -> bool:
    words = WORD.findall(name[:LONGEST_NAME])
    ends = range(1, len(words) + 1)
    return any(squash(" ".join(words[start:end])) == wanted for end in ends for start in range(end))


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
    wanted = _bare(name)
    scored = sorted((-_likeness(wanted, _bare(other)), other) for other in known)
    return tuple(other for score, other in scored[:most] if score <= -LIKE)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name[:LONGEST_NAME].casefold()))


def _likeness(wanted: str, other: str) -> float:
    if len(wanted) >= 3 and other.startswith(wanted):
        return 0.95
    if len(wanted) >= 3 and wanted in other:
        return 0.8
    matcher = difflib.SequenceMatcher(None, wanted, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= LIKE else 0.0  # of such lengths no two are alike


def numbered(names: Iterable[str]) -> list[str]:
    """Number names that repeat, also where another is called as they would be numbered.

    >>> print(numbered(["Tiny", "Tiny", "Tiny (2)"]))
    ['Tiny', 'Tiny (2)', 'Tiny (2) (2)']
    """
    found: dict[str, None] = {}
    for each in names:
        name, again = each, 1
        while name in found:
            again += 1
            name = f"{each} ({again})"
        found[name] = None
    return list(found)
