"""The field table: every fact and metric once, with its unit, kind and sentence.

Reader, command-line options, messages, tables and documentation all derive from it.
"""

from __future__ import annotations

from runlineage.catalogs.quantities.answers import Answers, Steps
from runlineage.catalogs.quantities.fact_fields import Facts
from runlineage.catalogs.quantities.field import Field, fields_of
from runlineage.catalogs.quantities.words import LOOKUP, PRECISION_SPELLINGS, WORDS, Word

__all__ = [
    "ANSWERS", "BY_NAME", "FACTS", "FIELDS", "FOOTPRINT", "FOOTPRINT_FACTS", "LOOKUP", "METRICS", "POLICY",
    "POLICY_FACTS", "PRECISION_SPELLINGS", "PRINTED", "REPORTED", "RUN_FACTS", "STEPS", "STEP_FACTS", "UTILISATION",
    "WORDS", "Field", "Word", "field_named", "field_of",
]  # fmt: skip

RUN_FACTS, FOOTPRINT_FACTS, POLICY_FACTS, STEP_FACTS = (
    fields_of(Facts, group) for group in ("run", "footprint", "policy", "utilisation")
)
# What authors print of the answers: a fact each, under the name that the answer's record gives it.
PRINTED = {
    name: Field(
        each.kind,
        each.unit,
        f"{each.sentence}, as the authors print it",
        each.examples,
        group="printed",
        band=each.band,
        name=name,
        adds_up=each.adds_up,
    )
    for each in fields_of(Answers).values()
    for name in each.also
}
FACTS = fields_of(Facts) | PRINTED
METRICS, FOOTPRINT, POLICY, UTILISATION = (
    fields_of(Answers, group) for group in ("run", "footprint", "policy", "utilisation")
)
BY_NAME = FOOTPRINT | POLICY | UTILISATION  # answered when they are asked for by name
ANSWERS = METRICS | BY_NAME
STEPS = fields_of(Steps)
FIELDS = FACTS | ANSWERS | STEPS
# What authors print of the answers, to compare: the name in a record, and the answer.
REPORTED = {name: answer.name for answer in ANSWERS.values() for name in answer.also}
_ALSO = {name: known for known in FIELDS.values() for name in known.also} | FIELDS


def field_named(name: str) -> Field:
    """Return the field that a name means, which is known to be one.

    >>> print(field_named("reported_energy").unit)
    GWh
    """
    return _ALSO[name]


def field_of(name: str) -> Field | None:
    """Return the field that a name means, also one that only catalogs use.

    >>> print(field_of("peak_bf16").name, field_of("reported_energy").name, field_of("precision"))
    peak_flops reported_energy None
    """
    return _ALSO.get(name)
