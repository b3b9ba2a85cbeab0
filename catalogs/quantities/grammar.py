"""The reader of quantities that people write: a small bounded grammar, never pint's expression parser.

    fact   = [currency] number [scale] [unit]
    number = digits, with "," or "_" between groups of three, a decimal point, and a power of ten
             written e23, E23, ×10^23, x10^23, ·10²³ or 10^23
    scale  = K | M | B | T | thousand | million | billion | trillion        (counts only)
    unit   = word { separator word }      separator = "/" | "per" | "-" | "·" | "*" | " "
    currency = "$" | "US$"                                                  (others are refused by name)

Every step is a match of bounded length, so hostile text costs no more than honest text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.unit_words import (
    AT_FACILITY,
    CO2E,
    CURRENCIES,
    METRIC_TON,
    PART,
    vocabulary,
)
from runlineage.catalogs.quantities.units import Unit, unit

LONGEST = 100

SCALES = {
    "K": 1e3, "k": 1e3, "thousand": 1e3,
    "M": 1e6, "million": 1e6,
    "B": 1e9, "b": 1e9, "bn": 1e9, "billion": 1e9,
    "T": 1e12, "trillion": 1e12,
}  # fmt: skip
FROM_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
LOOKALIKES = str.maketrans({"−": "-", "–": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "⋅": "·", "₂": "2"})
DOLLAR = re.compile(r"(?:US ?)?\$ ?")

NUMBER = re.compile(
    r"""
    (?P<sign>[-+])?
    (?P<digits> [0-9]{1,3}(?:,[0-9]{3}){1,10} | [0-9]{1,3}(?:_[0-9]{3}){1,10} | [0-9]{1,40} )?
    (?P<decimals> \.[0-9]{1,40} )?
    (?P<power> [eE][-+]?[0-9]{1,4}
             | (?: [ ]?[×x·*][ ]? | (?<![0-9. ]) )  # "110^23" is not 1 × 10^23
               10 (?: \^[-+]?[0-9]{1,4} | \*\*[-+]?[0-9]{1,4} | ⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4} ) )?
    (?![0-9.,_^*⁰¹²³⁴⁵⁶⁷⁸⁹])
    """,
    re.VERBOSE,
)
SCALE = re.compile(r" ?(?P<scale>thousand|million|billion|trillion|bn|[KkMBbT])(?![A-Za-z/·*^0-9-])")
UNIT_WORD = re.compile(r"[A-Za-z%][A-Za-z0-9]{0,30}")
SEPARATOR = re.compile(r" ?(?:(?P<over>/|\bper\b)|[-·*]) ?| ")


class Unreadable(ValueError):  # noqa: N818 - a finding that the front door turns into a fault
    """Text that the grammar does not know: `reason` and, where there is one, a `cure`."""

    def __init__(self, reason: str, cure: str = "") -> None:
        super().__init__(reason, cure)
        self.reason = reason
        self.cure = cure


@dataclass(frozen=True)
class Written:
    """What a text says: a number, whether a scale letter multiplied it, and its unit if it has one."""

    number: float
    scale: str
    unit: Unit | None


def read(text: str) -> Written:
    """Read a number with its scale and unit.

    >>> written = read("15.6T tokens")
    >>> print(written.number, written.scale, written.unit)
    15600000000000.0 T token
    """
    if len(text) > LONGEST:
        raise Unreadable(f"is {len(text):,} characters long", f"a quantity takes at most {LONGEST}")
    clean = text.translate(LOOKALIKES).strip()
    if not clean:
        raise Unreadable("is empty")
    dollar = DOLLAR.match(clean)
    number, rest = _number(clean[dollar.end() :] if dollar else clean)
    scale = SCALE.match(rest)
    if scale and re.search(r"[eE^*⁰¹²³⁴⁵⁶⁷⁸⁹]", clean[: len(clean) - len(rest)]):
        raise Unreadable(f"has a power of ten and a scale {scale['scale']!r}", "write one of them")
    if scale:
        number, rest = number * SCALES[scale["scale"]], rest[scale.end() :]
    if not math.isfinite(number):
        raise Unreadable("is not a finite number")
    rest = DOLLAR.sub("USD", rest.strip())
    if dollar:
        rest = f"USD {rest}".strip()
    return Written(number, scale["scale"] if scale else "", read_unit(rest) if rest else None)


def _number(text: str) -> tuple[float, str]:
    foreign = CURRENCIES.search(text)
    if foreign:
        raise Unreadable(f"is in {foreign[0]}", "give it in USD: exchange rates are not looked up")
    match = NUMBER.match(text)
    mantissa = match and (match["digits"] or match["decimals"])
    if not match or not (mantissa or (match["power"] or "e")[0] not in "eE"):
        raise Unreadable("does not start with a plain number", _number_cure(text))
    digits = match["digits"] or ("0" if mantissa else "1")
    if "," in digits and digits.startswith("0"):
        raise Unreadable("has a comma where a decimal point may be meant", "write a decimal point")
    if re.match(r" [0-9]", text[match.end() :]):
        raise Unreadable("has spaces inside the number", "write 30,840,000 or 30_840_000 or 30840000")
    power = re.sub(r"^(?:[eE]| ?[×x·*]? ?10(?:\^|\*\*)?)", "", (match["power"] or "e0").translate(FROM_SUPERSCRIPTS))
    value = float(digits.replace(",", "").replace("_", "") + (match["decimals"] or "") + f"e{power}")
    return (-value if match["sign"] == "-" else value), text[match.end() :]


def _number_cure(text: str) -> str:
    if re.match(r"[-+]?[0-9]+,[0-9]", text):
        return "write a decimal point; commas only between groups of three digits"
    if text.startswith(tuple("~≈<>≤≥±")):
        return "write the one number that you mean"
    return "write it like 405B, 1,082,990 or 3.14e23"


@lru_cache(maxsize=1024)
def read_unit(text: str) -> Unit:
    """Read a unit such as `petaflop/s-days`, `GPU hours` or `W per chip`.

    >>> print(read_unit("TFLOP/s per chip"))
    teraflop/accelerator/second
    """
    if text.endswith(AT_FACILITY):
        inner, facility = read_unit(text.removesuffix(AT_FACILITY)), unit("facility")
        whole: Unit = inner / facility if "/" in text else inner * facility
        return whole
    text = METRIC_TON.sub("", CO2E.sub("CO2e", text))
    made = unit("")
    position, over, per, last = 0, False, False, ""
    while True:
        word = UNIT_WORD.match(text, position)
        if not word:
            raise _no_unit(text, position)
        name = _unit_name(word[0])
        if name == "CO2e":
            if over or f"{last}CO2e" not in vocabulary():
                raise Unreadable("has CO2e without a mass before it", "write kg CO2e or t CO2e")
            made, name = made / unit(last), f"{last}CO2e"
        if name == "percent" and len(text) > len(word[0]):
            raise Unreadable(f"has a percentage in {text!r}")
        if per or not (name == last == "accelerator"):  # "H800 GPU hours" says one device twice
            made = made / unit(name) if over else made * unit(name)
        last, position = name, word.end()
        if position == len(text):
            return made
        separator = SEPARATOR.match(text, position)
        if not separator:
            raise _no_unit(text, position)
        # "per GPU hour" and "/GPU-hour" divide by both; "petaflop/s-days" divides by the second alone.
        per = bool(separator["over"])
        over = per or (over and name == "accelerator")
        position = separator.end()


def _no_unit(text: str, position: int) -> Unreadable:
    rest = text[position : position + 12]
    cure = "write the one number that you mean" if re.match(r"\+|- ?[0-9]", rest) else ""
    return Unreadable(f"has {rest!r} where a unit was expected" if rest else "ends where a unit was expected", cure)


def _unit_name(word: str) -> str:
    known = vocabulary()
    if word in known or word == "CO2e":
        return known.get(word, word)
    if word.upper().endswith("CO2"):
        raise Unreadable(f"counts {word}", "write CO2e if the other greenhouse gases are inside")
    if word.casefold() in ("month", "months", "year", "years", "yr"):
        raise Unreadable(f"counts in {word}, whose length varies", "write days or hours")
    if PART.fullmatch(word):
        return "accelerator"
    spelt = (each for each in known if len(each) > 3 and each[0].lower() + each[1:] not in known.keys() - {each})
    near = nearest(word, spelt, 1) if len(word) > 3 else ()
    raise Unreadable(f"has an unknown unit {word!r}", f"did you mean {near[0]!r}?" if near else "")
