"""The unit words that people write, and what each of them means in `units.txt`."""

from __future__ import annotations

import re
from functools import cache

# A device named in a unit: H100-hours, 10,000 V100s, TPU v4 chips, A100-SXM hours.
PART = re.compile(r"[A-Z]{1,2}[0-9]{2,4}[A-Z]?s?|(?:TPU)?v[2-9][ep]?|TPU[2-9][ep]?|SXM[2-5]?|PCIe|NVL")
CURRENCIES = re.compile(
    r"[€£¥₹₩]|\b(?:EUR|euros?|GBP|pounds?|JPY|yen|CNY|RMB|yuan|CHF|INR|CAD|AUD|KRW|SEK|NOK)\b", re.IGNORECASE
)
# CO2-equivalent in any usual spelling, after a unit of mass or as part of its word (kgCO2eq).
CO2E = re.compile(r"CO2(?: ?equivalents?|[- ]?eq?)(?![a-z])", re.IGNORECASE)
AT_FACILITY = " at the facility"  # as this project writes it for people
METRIC_TON = re.compile(r"\bmetric (?=tons?\b|tonnes?\b)")
MASSES = {"g": "gCO2e", "kg": "kgCO2e", "t": "tCO2e", "kt": "ktCO2e", "Mt": "MtCO2e"}


@cache
def vocabulary() -> dict[str, str]:
    """Map each unit word that people write to the name of a unit in `units.txt`.

    >>> print(vocabulary()["GPUs"], vocabulary()["PFLOPS"], vocabulary()["kWh"])
    accelerator PFLOP/s kWh
    """
    words = {"%": "percent", "percent": "percent", "GPUh": "accelerator*hour"}
    prefixes = {
        "": "",
        "k": "kilo",
        "K": "kilo",
        "M": "mega",
        "G": "giga",
        "T": "tera",
        "P": "peta",
        "E": "exa",
        "Z": "zetta",
    }
    for short, long in prefixes.items():
        symbol = short.replace("K", "k")
        words |= {f"{short}{flop}": f"{symbol}FLOP" for flop in ("FLOP", "FLOPs", "Flop", "Flops", "flop", "flops")}
        words |= {f"{long}{flop}": f"{symbol}FLOP" for flop in ("FLOP", "FLOPs", "flop", "flops")}
        words |= {f"{long.capitalize()}{flop}": f"{symbol}FLOP" for flop in ("FLOP", "FLOPs", "flop", "flops")}
        words |= {f"{short}FLOPS": f"{symbol}FLOP/s", f"{long}FLOPS": f"{symbol}FLOP/s"}
        if short != "K":
            words |= {f"{short}{name}": f"{short}{name}" for name in ("W", "J", "Wh")}
            words |= {
                f"{long}{spelt}": f"{short}{name}"
                for spelt, name in (("watt", "W"), ("watts", "W"), ("joule", "J"), ("joules", "J"))
            }
            words |= {"Watt": "W", "Watts": "W"}
    words |= {mass: mass for mass in MASSES} | {each: each for each in MASSES.values()}
    words |= {"KWh": "kWh", "facility": "facility"}
    for name, spellings in {
        "g": "gram grams",
        "kg": "Kg kilogram kilograms",
        "t": "ton tons tonne tonnes",
        "USD": "USD dollar dollars",
        "second": "s sec secs second seconds",
        "minute": "min mins minute minutes",
        "hour": "h hr hrs hour hours Hours",
        "day": "d day days Days",
        "week": "week weeks",
        "accelerator": "accelerator accelerators GPU GPUs gpu gpus TPU TPUs NPU chip chips device devices card cards",
        "parameter": "parameter parameters param params",
        "token": "token tokens",
    }.items():
        words |= dict.fromkeys(spellings.split(), name)
    return words
