"""Training facts in a card's sentences: they are not read, since a sentence may be of anything, and are listed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runlineage.dataflow.cards.blocks import is_beneath
from runlineage.dataflow.cards.body import Line
from runlineage.dataflow.cards.labels import DEVICE
from runlineage.dataflow.cards.meanings import OF_OTHERS, OF_USE

MOST_SHOWN = 6
MOST_PARTS = 4  # of one line
LONGEST = 2_000
_NUMBER = r"(?<![\w.,-])[0-9][0-9.,]*(?: ?(?:[kKMBT]|thousand|million|billion|trillion)\b)?"
MENTIONED = re.compile(
    rf"{_NUMBER} ?(?:(?:NVIDIA|AMD|Google|Tesla|Cloud) )?(?:"
    rf"(?:[AHVBP][0-9]{{2,3}}[- ])?{DEVICE}[- ]?(?:hours|hrs|days)\b"
    r"|[kMG]Wh\b"
    r"|(?:kg|t|(?:metric )?tons?|tonnes?)(?: of)? ?CO2(?:[ -]?eq?)?\b"
    r"|(?:x |× ?)?(?:[AHVB]100|H[28]00|MI[23][0-9]{2}X?|TPU ?v[2-6])\b(?! ?(?:GPU )?(?:hours|days))"
    r"|(?:training )?tokens(?: ?/ ?s\b| per second)?\b"
    r"|k?W\b(?! ?h)"
    r"|[TP]FLOPS?\b(?:/s\b)?"
    r"|% ?(?:of )?(?:MFU|HFU|(?:model|hardware) FLOPs? utili[sz]ation)\b"
    r")"
    r"|\b(?:MFU|HFU)(?: of|[:=])? ?(?:about |around |~|≈)?[0-9][0-9.]* ?%",
    re.IGNORECASE,
)
OF_THE_RUN = re.compile(
    r"\b(?:train|pre-?train|emi(?:t|ss)|consum|energy|power|carbon|compute|[mh]fu\b|[tp]?flop)", re.IGNORECASE
)


def mentions(lines: Iterable[Line]) -> list[str]:
    """Return what lines mention of training, each with its number, and how many more there are.

    >>> print(mentions([Line(("A model",), 3, "", "It was trained for 425 GPU hours on 8 A100 GPUs.")]))
    ["line 3: '425 GPU hours', '8 A100' in a sentence, which is not read: give the facts yourself"]
    """
    found = []
    for line in lines:
        text = line.outside[:LONGEST].replace("₂", "2")
        elsewhere = OF_USE.search(text.casefold()) or any(
            is_beneath(each, line.headings) for each in (OF_USE, OF_OTHERS)
        )
        if OF_THE_RUN.search(text) and not elsewhere:
            parts = dict.fromkeys(match[0] for match in MENTIONED.finditer(text))
            if parts:
                shown = ", ".join(map(repr, list(parts)[:MOST_PARTS]))
                found.append(f"line {line.number}: {shown} in a sentence, which is not read")
    more = [f"{len(found) - MOST_SHOWN} more such sentences"] if len(found) > MOST_SHOWN else []
    listed = [*found[:MOST_SHOWN], *more]
    return [*listed[:-1], f"{listed[-1]}: give the facts yourself"] if listed else []
