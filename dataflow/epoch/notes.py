"""What the free notes of Epoch AI's tables say beyond doubt; a hedged sentence says nothing."""

from __future__ import annotations

import re

from runlineage.catalogs.quantities.grammar import SCALES

NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?(?:[eE]\+?\d+)?)"
SCALE = r"[ -]?(?P<scale>trillion|billion|million|thousand|bn|[KMBTb])"
HEDGED = re.compile(
    r"\b(?:non|not|may|maybe|might|possibly|probably|perhaps|rumou?r\w*|if|even for|unlike|whether)\b|n't\b"
    r"|Outrageously Large",  # the title of a paper that dense models cite
    re.IGNORECASE,
)
EXPERTS = re.compile(r"\bmoe\b|mixture[- ]of[- ](?:\d+ )?experts|\bsparsely[- ](?:gated|activated)", re.IGNORECASE)
SPARSE = re.compile(EXPERTS.pattern + r"|\bsparse\b\*? (?:architecture|model|transformer|param)", re.IGNORECASE)
ACTIVE = tuple(
    re.compile(rf"{before}{NUMBER}{SCALE}{after}")
    for before, after in (
        ("", r"[ -](?:model )?(?:active|activated|activation)\b"),
        ("", r" param\w* (?:are )?(?:active|activated)\b"),
        (r"\b(?:uses|activates) ", r" param\w* (?:per|for each) token"),
    )
)
TOKENS = re.compile(rf"{NUMBER}(?:{SCALE})?[ -]*(?:[A-Za-z]+ ){{0,2}}tokens?\b", re.IGNORECASE)
SEEN = re.compile(r"\b(?:for|saw|sees?|seen|processed|through)\s+(?:(?:about|over|roughly|only)\s+)?$", re.IGNORECASE)
GUESSED = re.compile(r"\bassum|ballpark|average|approx|guess|speculat|words? ?/ ?GB|tokens?/GB|per GB", re.IGNORECASE)

# A share of the peak that estimates take by convention; authors who measured print figures such as 46.2%.
SHARE = r"(?<![\d.])(?:0?\.(?:1|2|25|3|33|35|4|43|45|5)0?(?!\d)|(?:10|20|25|30|33|35|40|45|50) ?%)"
ASSUMED = re.compile(
    rf"{SHARE}[\s\W]{{0,3}}(?:\w+ ){{0,2}}util"  # 0.3 (assumed utilization
    rf"|util\w*(?: rate)?(?: of|:| =)? {SHARE}"  # utilization rate of 0.33
    r"|\bassum\w* util|[\d.]%? utili[sz]ation rate"
    rf"|[*x×·] ?\(?{SHARE}|{SHARE} ?[*x×·]"  # a bare factor of a product
    r"|\b3 ?//? ?10\b",
    re.IGNORECASE,
)
RESULT = re.compile(r"(\d+(?:\.\d+)?)(?: ?[x×*·] ?10\^?|[eE])\+?(\d+)")
COUNTED = re.compile(
    r"\b6 ?(?:[*x×N]|FLOP)|[*x×] ?6\b|\btable\b|\breported\b|\bgiven\b|\bstated\b|\bpaper\b|\brequired\b", re.IGNORECASE
)
CALLED_ESTIMATE = re.compile(
    r"\bspeculat|\brough estimate|\bguess|\blimited evidence|\bestimate based on (?:the )?(?:training time|hardware)",
    re.IGNORECASE,
)
USUAL_SHARES = (0.2, 0.25, 0.3, 0.33, 1 / 3, 0.35, 0.4, 0.45, 0.5)
SHARE_TOLERANCE = 0.012  # an estimate is printed to two or three digits
AVERAGED = re.compile(r"sqrt|\bmean\b", re.IGNORECASE)


def says_sparse(notes: str) -> bool:
    """Whether a sentence states without a hedge that the model is a mixture of experts.

    >>> print(says_sparse("a Mixture-of-Experts model"), says_sparse("Maybe sparser than GPT-4, maybe MoE"))
    True False
    """
    return any(SPARSE.search(each) and not HEDGED.search(each) for each in _sentences(notes))


def speaks_of_experts(text: str) -> bool:
    """Whether a text speaks of a mixture of experts at all, be it of this model or of another.

    >>> print(speaks_of_experts("both dense models and mixture-of-experts variants"))
    True
    """
    return EXPERTS.search(text) is not None


def active_count(notes: str, parameters: float | None) -> float | None:
    """Return the parameters that serve one token, where the notes state one count and it is less than the total.

    >>> print(f"{active_count('671B total, 37B activated', 671e9):g}")
    3.7e+10
    """
    plain = [sentence for sentence in _sentences(notes) if not HEDGED.search(sentence)]
    found = [each for sentence in plain for pattern in ACTIVE for each in pattern.finditer(sentence)]
    counts = {_value(each["number"], each["scale"]) for each in found}
    if len(counts) != 1 or (count := counts.pop()) >= (parameters or float("inf")):
        return None
    return count


def why_not_tokens_seen(notes: str, size: float, epochs: float) -> str:
    """Explain why a dataset size times its epochs is not the tokens seen; return nothing where it is.

    The notes must print the size itself as a number of tokens: many sizes are words, images or sequences.

    >>> print(why_not_tokens_seen("780 billion tokens, 1 token ~ 0.75 words", 585e9, 1.0))
    its notes do not give it in tokens
    """
    for found in TOKENS.finditer(notes):
        if abs(_value(found["number"], found["scale"]) / size - 1) < 0.01:
            if GUESSED.search(notes[: found.start()]):
                return "its notes estimate it"
            repeated = epochs != 1 and SEEN.search(notes[: found.start()])
            return "its notes call it tokens seen, yet epochs is not 1" if repeated else ""
    return "its notes do not give it in tokens"


def why_estimated(notes: str, ops: float, method: str = "", available: float | None = None) -> str:
    """Explain why operations are an estimate that rests on an assumed share of the peak; return nothing where not.

    Not so where the notes print the figure on a line of its own, counted or reported, whatever the method is called.
    `available` are the operations that the hardware could have done at its peak: a figure that is a usual share of
    them, and that nobody prints, was most likely made so.

    >>> print(why_estimated("384 GPUs * 314 TFLOPS * 117 days * 0.3 = 3.66e23", 3.66e23))
    the notes assume a utilisation
    >>> print(why_estimated("6 * 70B * 2T = 8.4e23\\n8e6 hours * 312 TFLOPS * 0.3 = 2.7e24", 8.4e23) or "used")
    used
    >>> print(why_estimated("16 A100 for 200 hours", 1.19e21, available=3.6e21))
    it is 33% of what the hardware could do in its time, a share that estimates assume
    """
    if any(_counts(line, ops) for line in notes.splitlines()):
        return ""
    if ASSUMED.search(notes):
        return "the notes assume a utilisation"
    if CALLED_ESTIMATE.search(notes):
        return "the notes call it an estimate"
    if "hardware" in method.casefold():
        return "estimated from hardware and time"
    if available and any(abs(ops / available / share - 1) < SHARE_TOLERANCE for share in USUAL_SHARES):
        return f"it is {ops / available:.0%} of what the hardware could do in its time, a share that estimates assume"
    return ""


def _counts(line: str, ops: float) -> bool:
    if ASSUMED.search(line) or AVERAGED.search(line) or not COUNTED.search(line):
        return False
    return any(abs(float(f"{digits}e{power}") / ops - 1) < 0.01 for digits, power in RESULT.findall(line))


def _sentences(notes: str) -> list[str]:
    return re.split(r"[.;]\s|\n", notes)


def _value(number: str, scale: str | None) -> float:
    return float(number.replace(",", "")) * SCALES.get(scale or "", SCALES.get((scale or "").casefold(), 1.0))
