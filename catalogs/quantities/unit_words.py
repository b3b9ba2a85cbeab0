"""The unit words that people write, and what each of them means in `units.txt`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from runlineage.catalogs.quantities.units import registry

# A device named in a unit: H100-hours, 10,000 V100s, TPU v4 chips, A100-SXM hours.
PART = re.compile(r"[A-Z]{1,2}[0-9]{2,4}[A-Z]?s?|(?:TPU)?v[2-9][ep]?|TPU[2-9][ep]?|SXM[2-5]?|PCIe|NVL")
CURRENCIES = re.compile(
    r"[€£¥₹₩]|\b(?:EUR|euros?|GBP|pounds?|JPY|yen|CNY|RMB|yuan|CHF|INR|CAD|AUD|KRW|SEK|NOK)\b", re.IGNORECASE
)
# CO2-equivalent in any usual spelling, after a unit of mass or as part of its word (kgCO2eq).
CO2E = re.compile(r"CO2(?: ?equivalents?|[- ]?eq?)(?![a-z])", re.IGNORECASE)
AT_FACILITY = " at the facility"  # as this project writes it for people
METRIC_TON = re.compile(r"\bmetric (?=tons?\b|tonnes?\b)")
# "405B" is no unit, nobody writes kilodays, and "5m" may mean minutes or millions.
PREFIXED = {"flop", "watt", "joule", "watt_hour", "gram", "tonne", "gram_CO2e", "tonne_CO2e"}
UNREAD = {"meter", "facility"}
IRREGULAR = {
    "%": "percent",
    "GPUh": "accelerator*hour",
    "KWh": "kWh",
    "Kg": "kg",
    "KgCO2e": "kgCO2e",
    "facility": "facility",
}


@cache
def vocabulary() -> dict[str, str]:
    """Map each unit word that people write, also in the plural or with a capital, to the name of a unit of ours.

    >>> print(vocabulary()["GPUs"], vocabulary()["PFLOPS"], vocabulary()["kilowatts"])
    accelerator PFLOP/s kW
    """
    prefixes = {each.name: each.defined_symbol or "" for each in registry()._prefixes.values()}
    words = dict(IRREGULAR)
    for entry in _defined(tuple(prefixes)):
        spelt = {word for word in (entry.name, entry.symbol, *entry.aliases) if len(word) > 1 and word.isalpha()}
        spelt |= {f"{word}s" for word in spelt}
        symbols = spelt if entry.name == "flop" else {entry.symbol}
        for long, short in prefixes.items() if entry.name in PREFIXED else [("", "")]:
            written = {short + each for each in symbols} | {long + each for each in spelt}
            words |= dict.fromkeys(written, f"{short}{entry.symbol}")
    words |= {f"{prefix}FLOPS": f"{short}FLOP/s" for long, short in prefixes.items() for prefix in (long, short)}
    return {
        word[0].upper() + word[1:]: name for word, name in words.items() if len(word) > 3 and word.isalpha()
    } | words


def _defined(prefixes: tuple[str, ...]) -> list[Any]:
    """Return the units that people may write; pint keeps one that it met with a prefix beside those of the file."""
    units: dict[str, Any] = dict(registry()._units)
    made = {
        each for each in units for prefix in prefixes if prefix and each.removeprefix(prefix) in units.keys() - {each}
    }
    return list({each.name: each for name, each in units.items() if each.name not in made | UNREAD}.values())
