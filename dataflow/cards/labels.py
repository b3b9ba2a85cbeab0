"""What the labels of a card's lines and the keys of its tables stand for, beside those that head columns too."""

from __future__ import annotations

import re

DEVICE = "(?:gpu|tpu|npu|accelerator|device|chip)"
_DEVICES = rf"{DEVICE}s?"
_GASES = r"(?:carbon|co2|co2[ -]?(?:eq|e)|ghg|greenhouse gas)"
_DRAW = r"(?: (?:draw|consumption|usage|use))?"
_CENTER = r"(?:data ?cent(?:er|re)|facility)"
KINDS = {
    kind: re.compile(pattern)
    for kind, pattern in {
        "Hardware Type": r"(?:training )?hardware(?: (?:type|used))?|hardware used"
        rf"|(?:training )?{_DEVICES}(?: (?:type|model|used))?",
        "accelerator_count": rf"(?:number|no\.?|num|#|total)(?: of)?[ _]?{_DEVICES}(?: used)?|{_DEVICES}[ _-]count",
        "accelerator_tdp": rf"(?:{_DEVICES} )?(?:tdp|thermal design power)(?: per {_DEVICES})?",
        "device_power": rf"(?:average |mean )?(?:{_DEVICES} )?power{_DRAW}(?: \(?per {_DEVICES}\)?|/{_DEVICES})"
        rf"|per[ -]{_DEVICES} power{_DRAW}",
        "power": rf"(?:average |mean |total )?(?:{_DEVICES} )?power{_DRAW}",
        "Hours used": rf"(?:{_DEVICES} )?run ?time|training (?:hours|run ?time)|total hours(?: used)?",
        "time": r"(?:total )?(?:pre-?)?training (?:time|duration)|wall[- ]?clock(?: time)?",
        "pue": rf"(?:{_CENTER} )?(?:pue|power usage effectiveness)(?: \(pue\))?",
        "carbon_intensity": r"(?:grid )?carbon intensity(?: of the grid)?|grid (?:carbon )?intensity"
        rf"|grid {_GASES} (?:factor|intensity)",
        "energy": r"(?:total )?(?:training )?(?:energy|electricity)(?: (?:consumption|consumed|used?|usage))?",
        "device_energy": rf"(?:total )?{_DEVICES} energy(?: (?:consumption|consumed|used?|usage))?",
        "facility_energy": rf"(?:total )?{_CENTER} energy(?: (?:consumption|consumed|used?|usage))?",
        "location": rf"(?:total |estimated |training )*(?:{_GASES} )?(?:emissions?|emitted|footprint)",
        "Compute Region": rf"(?:(?:cloud|compute|training|{_CENTER}|cloud provider/) ?)?region"
        rf"|(?:geographical|training|{_CENTER}|compute) location",
        "stage": r"training (?:type|stage)",
        "precision": r"(?:training|mixed|numerical) precision|training (?:regime|dtype)",
        "bare_precision": r"precision|dtype",
        "reported_mfu": r"(?:average |training )?(?:mfu|model flops? utili[sz]ation)(?: \(mfu\))?",
        "reported_hfu": r"(?:average |training )?(?:hfu|hardware flops? utili[sz]ation)(?: \(hfu\))?",
        "training_ops": r"(?:total )?training (?:flops?|compute|operations)",
        "training_tokens": r"total (?:training )?tokens during training",
        "tokens": r"(?:total |number of )?tokens|dataset size|(?:training )?data(?:set)?",
    }.items()
}
# The questions of the climate performance card of Hershcovich et al. (2022), each with its number.
QUESTIONS = {
    "how much time does the training of the final model take?": "time",
    "at which geo location were the computations performed?": "Compute Region",
    "what was the energy mix at the geo location?": "carbon_intensity",
    "how much co2eq was emitted to train the final model?": "location",
}
NUMBERED = re.compile(r"[0-9]{1,2}\. ")
# What stands in headings above what was trained; a bare "Precision" may be of the weights that are handed out.
OF_TRAINING = re.compile(r"\b(?:pre-?)?train(?:ing|ed)?\b")
# What is a statement without a number too.
IN_WORDS = {"Hardware Type", "Compute Region", "stage", "precision", "bare_precision"}
# What a card also states of how a model was evaluated, or of other people's models.
OF_TOOLS = {"Hardware Type", "accelerator_count", "time", "precision", "bare_precision", "reported_mfu", "reported_hfu"}
# Figures of which a card may state several that differ, since they are of several runs.
OF_RUNS = {"accelerator_count", "time", "energy", "device_energy", "facility_energy", "training_ops"}


def kind_of_label(text: str) -> str:
    """Return what a label or a key in small letters stands for; empty where it is not known.

    >>> print([kind_of_label(each) for each in ("number of gpus", "grid carbon intensity", "author")])
    ['accelerator_count', 'carbon_intensity', '']
    """
    question = QUESTIONS.get(NUMBERED.sub("", text, count=1), "")
    return question or next((kind for kind, pattern in KINDS.items() if pattern.fullmatch(text)), "")
