"""Ranges that people write: `90 to 100 days`, `20k-30k`, `25,000 ± 10%`; each end is left to the one reader.

    range  = [about] number-with-unit ( "to" | "-" ) number-with-unit
           | [about] number-with-unit ( "±" | "+/-" ) ( percentage | number-with-unit )

A unit, a currency or a scale that stands on one end alone holds for both. A hyphen is a range only between plain
numbers, after a unit that has no digits: `A100-80GB`, `TPU v3-8`, `1e-5` and a date are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from runlineage.catalogs.quantities.grammar import DOLLAR, LONGEST, LOOKALIKES, NUMBER, SCALE, Unreadable, read
from runlineage.catalogs.quantities.unit_words import CO2E

WIDEST = 1000.0  # times the low end; beyond it a scale or a power of ten is missing on one end
WIDEST_SHARED = 10.0  # where only the first number has the scale, which few people write
ABOUT = re.compile(r"(?:~|≈|(?:about|around|approximately|approx\.?|over|up to)(?= )) ?", re.IGNORECASE)
TO = re.compile(r"\s+to\s+", re.IGNORECASE)
BETWEEN = re.compile(r"(?:between|from) ", re.IGNORECASE)
PLUS_MINUS = re.compile(r" ?(?:±|\+ ?/ ?-|\+-) ?")
HYPHEN = re.compile(r"(?P<unit>[A-Za-z%/·*² ]{0,40}?) ?(?P<dash>- ?)(?=(?:US ?)?\$ ?[0-9]|[0-9]|\.[0-9])")
PERCENT = re.compile(r"(?P<number>.+?) ?(?:%|percent)")
YEARS = re.compile(r"(?:19|20)[0-9]{2}-(?:19|20)[0-9]{2}")
LEADING_ZERO = re.compile(r"0[0-9]")
AN_END = re.compile(r"(?:(?:US ?)?\$ ?)?[-+]?\.?[0-9]")
ALONE = "write the one number that you mean, or with it how far it may be off, such as '25,000 ± 10%'"
FORM = "write a range such as '25,000 ± 10%' or '90 to 100 days', or the one number that you mean"


@dataclass(frozen=True)
class RangeText:
    """A range as texts that the one reader takes: its ends, or its middle with how far it reaches to either side.

    `share` is that reach as a part of the middle, `reach` as a quantity; `word` is what stood before the range.
    """

    low: str = ""
    high: str = ""
    middle: str = ""
    share: float = 0.0
    reach: str = ""
    word: str = ""


@dataclass(frozen=True)
class _End:
    """One end: currency, digits, what multiplies them (a scale, or a power of ten), unit."""

    dollar: bool
    digits: str
    times: str
    unit: str

    @property
    def text(self) -> str:
        return f"{'$' if self.dollar else ''}{self.plain}{' ' if self.unit else ''}{self.unit}"

    @property
    def plain(self) -> str:
        return self.digits + self.times

    @property
    def number(self) -> float:
        return read(self.plain).number


def range_text(text: str) -> RangeText | None:
    """Read a text as a range; None where it is none, and the reader of single numbers says what it is.

    >>> found = range_text("350 to 400 W")
    >>> print(found.low, "|", found.high)
    350 W | 400 W
    >>> print(range_text("512 A100-80GB"), range_text("1e-5"), range_text("30.84M GPU-hours"))
    None None None
    """
    if len(text) > LONGEST:
        return None
    clean = " ".join(text.translate(LOOKALIKES).split())
    about = ABOUT.match(clean)
    if about:
        found = range_text(clean[about.end() :])
        if found is None:
            raise Unreadable("does not start with a plain number", ALONE)
        return replace(found, word=about[0].strip())
    if BETWEEN.match(clean):
        raise Unreadable("is no range as it is read", FORM)
    if not AN_END.match(clean):
        return None
    return _around(clean) or _from_to(clean) or _hyphened(clean)


def is_range(text: str) -> bool:
    """Return whether a text is one that is read as a range.

    >>> print(is_range("350 to 400 W"), is_range("350 W"), is_range("about 350 W"))
    True False False
    """
    try:
        return range_text(text) is not None
    except Unreadable:
        return False


def _around(text: str) -> RangeText | None:
    parts = PLUS_MINUS.split(text)
    if len(parts) == 1:
        return None
    if len(parts) > 2 or not all(parts):
        raise Unreadable("is no range as it is read", FORM)
    middle, reach = parts
    percent = PERCENT.fullmatch(reach)
    if percent:
        if PERCENT.fullmatch(middle):
            raise Unreadable("may mean points of a percentage or a share of it", "write both ends: 36% to 40%")
        return RangeText(middle=middle, share=read(percent["number"]).number / 100)
    one, other = _shared(_end(middle), _end(reach), around=True)
    return RangeText(middle=one.text, reach=other.text)


def _from_to(text: str) -> RangeText | None:
    parts = TO.split(text)
    if len(parts) == 1:
        return None
    if len(parts) > 2:
        raise Unreadable("has more than two ends", FORM)
    return _with_ends(*parts)


def _hyphened(text: str) -> RangeText | None:
    start = DOLLAR.match(text)
    number = NUMBER.match(text, start.end() if start else 0)
    found = HYPHEN.match(CO2E.sub("CO2e", text), number.end()) if number and number["digits"] else None
    if not number or not found:
        return None
    low, high = text[: found.start("dash")].rstrip(), text[found.end() :]
    after = NUMBER.match(DOLLAR.sub("", high))
    if not after or re.search(r"- ?[0-9]", DOLLAR.sub("", high)[after.end() :]):  # a date, or a name
        return None
    if YEARS.fullmatch(text) or LEADING_ZERO.match(low) or LEADING_ZERO.match(high):
        raise Unreadable("may be a date", "write a range with 'to', such as '90 to 100 days'")
    return _with_ends(low, high)


def _with_ends(low: str, high: str) -> RangeText:
    one, other = _shared(_end(low), _end(high), around=False)
    return RangeText(low=one.text, high=other.text)


def _end(text: str) -> _End:
    """Take one end apart; what is no number is left to the reader, which says so."""
    dollar = DOLLAR.match(text)
    rest = text[dollar.end() :] if dollar else text
    number = NUMBER.match(rest)
    if not number or not (number["digits"] or number["decimals"] or number["power"]):
        raise Unreadable("is no range as it is read", FORM)
    digits = (number["sign"] or "") + (number["digits"] or "") + (number["decimals"] or "")
    power, rest = number["power"] or "", rest[number.end() :]
    scale = None if power else SCALE.match(rest)
    times = scale[0].rstrip() if scale else power
    return _End(bool(dollar), digits, times, rest[scale.end() if scale else 0 :].strip())


def _shared(one: _End, other: _End, *, around: bool) -> tuple[_End, _End]:
    """Give each end what only the other has: the currency, the unit, and the scale where that alone makes sense."""
    unlike = bool(one.unit and other.unit)
    one, other = (
        replace(each, unit=each.unit or beside.unit, dollar=each.dollar or (beside.dollar and not unlike))
        for each, beside in ((one, other), (other, one))
    )
    if bool(one.times) == bool(other.times) or one.unit != other.unit:
        return one, other
    both = (replace(one, times=one.times or other.times), replace(other, times=other.times or one.times))
    last_only = bool(other.times)
    apart = _fits(one, other, around=around)
    alike = _fits(*both, around=around, widest=WIDEST if last_only else WIDEST_SHARED)
    if not last_only and not one.times.strip().isalpha():  # "1e3-5" may be a slip for "1e3" or "1e-5"
        alike = False
    if apart == alike:
        raise Unreadable(
            f"has {(one.times or other.times).strip()!r} on one end alone", "write it on both, as in '20k to 30k'"
        )
    return both if alike else (one, other)


def _fits(one: _End, other: _End, *, around: bool, widest: float = WIDEST) -> bool:
    """Whether two ends make a range that people write: in order, and not absurdly wide."""
    first, second = one.number, other.number
    return 0 < second < first if around else 0 < first < second <= first * widest
