"""What the headings of a card's tables and the labels of its lines mean, in small letters."""

from __future__ import annotations

import re

from runlineage.dataflow.cards.labels import kind_of_label

# The lines of the hub's template.
LABELS = ("Hardware Type", "Hours used", "Cloud Provider", "Compute Region", "Carbon Emitted")
LABEL_OF = {label.casefold(): label for label in LABELS}

# Figures that cards print only of models, and sizes that they print of data and parts as well.
FIGURES = {"accelerator_hours", "device_power", "location", "market"}
SIZES = {"parameters", "active_parameters", "training_tokens"}
EMISSIONS = ("location", "market")

_SCALE = r"(?: ?\((?:in )?(?P<unit>b|bn|billions?|m|millions?|t|trillions?)\))?"
_GASES = r"(?:(?:greenhouse gas|ghg|carbon|co2(?: ?eq)?) )?(?:emissions?|emitted|footprint)"
_MASS = r" ?[(\[](?P<unit>(?:metric )?(?:tons?|tonnes?|t|kg|g) ?(?:of )?co2[ -]?(?:eq|e|equivalents?)?\.?)[)\]]"
COLUMNS = {
    name: re.compile(pattern)
    for name, pattern in {
        "accelerator_hours": r"(?:training )?(?:time|compute|cost) [(\[](?:[ah]\d+ )?(?:gpu|tpu)[ -]hours[)\]]"
        r"|(?:training |total )?(?:gpu|tpu|accelerator|device)[ -]hours",
        "device_power": r"(?:training )?power(?: consumption)?(?: per (?:gpu|device))? \((?P<unit>k?w)\)",
        "location": rf"(?:training )?(?:location[- ]based )?{_GASES}{_MASS}",
        "market": rf"(?:training )?market[- ]based {_GASES}{_MASS}",
        "parameters": rf"(?:# ?)?(?:number of |total |n(?:um)?_)?(?:model )?(?:params|parameters)(?: count)?{_SCALE}"
        r"|parameter count",
        "active_parameters": rf"(?:# ?)?(?:number of )?activated? (?:params|parameters){_SCALE}",
        "training_tokens": rf"(?:total |number of )?(?:pre-?)?train(?:ing|ed) tokens{_SCALE}"
        r"|tokens (?:seen|trained(?: on)?)",
        "tokens": rf"(?:token count|#? ?tokens){_SCALE}",
    }.items()
}

# The heading of a column of names: of models alone, or of anything.
OF_MODELS = re.compile(r"models?(?: (?:name|variant|version|id|size))?|variants?|language models?")
OF_ANYTHING = re.compile(r"|name|size|version|architecture")
# The headings of a table of keys and values.
KEYS = re.compile(
    r"|(?:hyper-?)?parameters?|propert(?:y|ies)|attributes?|keys?|fields?|features?|items?|settings?|config(?:uration)?"
    r"|details?|specifications?|characteristics?|aspects?|name|category|model(?: details?)?"
)
VALUES = re.compile(r"values?|details?|settings?|specifications?|data|")
# Headings above tables of other people's models.
OF_OTHERS = re.compile(
    r"\b(?:baselines?|compar\w+|evaluations?|benchmarks?|results?|performance|leaderboard|quantiz\w+|teachers?"
    r"|base model|(?:other|related) models)\b"
)
# Headings above what using a model takes, and not its training.
OF_USE = re.compile(
    r"\b(?:inference|serving|deploy\w+|usage|how to use|requirements|install\w*|quick ?start|getting started)\b"
)
TRAINABLE = re.compile(
    r"(?:# ?|number of )?trainable (?:params|parameters|weights)|(?:lora|adapter) (?:params|parameters)"
)
OF_DESIGN = ("architecture", "model architecture", "model type", "type")
NUMERIC = re.compile(r"(?:[<>~≈≥≤]|(?:about|up to|over) )? ?\$?[-−]?\.?[0-9]", re.IGNORECASE)
SUMS = ("total", "sum", "average", "mean")
UNFILLED = re.compile(r"\[?more information needed\]?|\[?unknown\]?|n/?a|tbd|todo|\?*|[-–—]*", re.IGNORECASE)


def column_of(heading: str) -> tuple[str, str]:
    """Return what a heading says of the figures beneath it, and their unit; empty where it is not known.

    >>> print(column_of("Carbon Emitted (tCO2eq)"), column_of("Params (B)"), column_of("Score"))
    ('location', 'tco2eq') ('parameters', 'b') ('', '')
    """
    wanted = heading.casefold().replace("₂", "2")[:200]
    for name, pattern in COLUMNS.items():
        if match := pattern.fullmatch(wanted):
            return name, match.groupdict().get("unit") or ""
    return "", ""


def key_of(text: str) -> tuple[str, str]:
    """Return what a label or a key stands for, and the unit of its value; bare `tokens` may be of the data or the run.

    >>> print(key_of("Hardware type"), key_of("n_parameters"), key_of("Number of GPUs"), key_of("Author"))
    ('Hardware Type', '') ('parameters', '') ('accelerator_count', '') ('', '')
    """
    wanted = " ".join(text.casefold().replace("₂", "2").rstrip(" :").split())[:200]
    if wanted in LABEL_OF:
        return LABEL_OF[wanted], ""
    if wanted == "model size":
        return "parameters", ""
    if TRAINABLE.fullmatch(wanted):
        return "trainable", ""
    if wanted in OF_DESIGN:
        return "architecture", ""
    name, unit = column_of(wanted)
    return (name, unit) if name else (kind_of_label(wanted), "")
