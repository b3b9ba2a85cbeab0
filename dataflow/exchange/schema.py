"""The JSON format of a lineage: its records, from which `lineage.schema.json` is made and files are checked.

A file has every key of a record; null means that there is nothing to state. A `digest` is the first twelve hex digits
of the SHA-256 of its record without the digest, as canonical JSON: it shows where a file was edited.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from runlineage.catalogs.records.facts import Basis
from runlineage.dataflow.exchange.values import Value, with_values

Version = Literal["runlineage.lineage/1"]
(SCHEMA,) = get_args(Version)
FAMILY = SCHEMA.removesuffix("1")

DIGEST = "Twelve hex digits that tell whether this record was edited."
Text = str
Grounds = Annotated[Basis, Field(description="What the value rests on.")]
Unit = Annotated[Text | None, Field(description="Unit of the value; null for a word.")]
Place = Annotated[Text | None, Field(description="Place in the source.")]
Note = Annotated[Text | None, Field(description="What the value must not be read without.")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$", description=DIGEST)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SourceForm(_Record):
    """An entry of the bibliography."""

    title: Text = Field(description="Title of the work.")
    authors: Text = Field(description="Authors as they are cited.")
    year: int = Field(description="Year of the work.")
    url: Text = Field(description="Address of the work.")
    reading: Literal["first hand", "second hand"] = Field(description="Whether the work itself was read.")
    read_on: Text = Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="Day of reading, ISO 8601.")
    through: Text = Field(description="What it was read through at second hand; empty at first hand.")
    digest: Digest


class PlainFactForm(_Record):
    """A value that somebody states, with its origin."""

    value: Value = Field(description="A number in full precision, a word, true or false, a column, or null for none.")
    unit: Unit
    basis: Grounds
    source: Text | None = Field(description="Key in the run's `sources`, or words; null: given by the caller.")
    place: Place
    note: Note
    reason: Text | None = Field(description="Why this value is preferred, or is not used.")
    low: float | None = Field(default=None, description="Of a range: low end of its 90 % interval, in the unit.")
    high: float | None = Field(default=None, description="Of a range: high end of its 90 % interval, in the unit.")


Beside = Annotated[list[PlainFactForm], Field(description="Other published values, which are not used.")]


class FactForm(PlainFactForm):
    """A fact, with the other published values of its quantity, which are not used."""

    beside: Beside


class NamedFactForm(FactForm):
    """A fact of the run as it was given; from these the run can be computed anew."""

    name: Text = Field(description="The field that the fact fills.")
    digest: Digest


class HardwareForm(_Record):
    """The accelerator's record, from which peaks and design power are looked up."""

    key: Text = Field(description="Key in the catalog; empty for a record of the user's own.")
    name: Text = Field(description="Full name of the part.")
    vendor: Text = Field(description="Who makes it.")
    counted_as: Text = Field(description="What schedulers count as one device.")
    default_precision: Text = Field(description="Number format of the peak that serves where none is stated.")
    facts: dict[str, FactForm] = Field(description="`tdp`, and a dense peak `peak_…` for each number format.")
    digest: Digest


class WayForm(_Record):
    """One route to a quantity."""

    name: Text = Field(description="Name of the route, or `only route`.")
    state: Literal["taken", "open", "closed"] = Field(description="Taken; open and not preferred; or closed.")
    value: Value = Field(description="What the route gives; null for a closed one.")
    unit: Text | None = Field(description="Unit of the value.")
    equation: Text = Field(description="Equation of the route.")
    needs: list[Text] = Field(description="Quantities that the route must have.")
    assumption: Text | None = Field(description="Assumption that the route makes.")
    lacks: Text | None = Field(description="Of a closed route: what is not there, or that its assumption is off.")


class IntervalForm(_Record):
    """The interval of a value that is uncertain; the value itself is the median."""

    low: float = Field(description="Low end, in the unit of the value.")
    high: float = Field(description="High end, in the unit of the value.")
    level: float = Field(description="Share of cases in which the interval holds the quantity.")


class EntryForm(_Record):
    """One quantity of the lineage: a fact, or a number computed from its parents."""

    name: Text = Field(description="Name of the quantity; unique in its list.")
    value: Value = Field(description="Value in full precision, a word, a column; null in `beyond` where there is none.")
    unit: Unit
    route: Text | None = Field(description="`supplied` for a fact; the route taken; null for a quantity's only route.")
    equation: Text | None = Field(description="Equation of the route taken, in names.")
    working: Text | None = Field(description="The equation with its numbers, rounded for reading.")
    excludes: Text | None = Field(description="What the number leaves out.")
    basis: Grounds
    assumption: Text | None = Field(description="Assumption that the route taken makes.")
    source: Text | None = Field(description="Of a fact: key in `sources`, or words; null: given by the caller.")
    place: Place
    note: Note
    beside: Beside
    parents: list[Text] = Field(description="Names of the entries that this one was computed from or looked up by.")
    ways: list[WayForm] = Field(description="Every route to the quantity: taken, open and closed.")
    about: Text | None = Field(description="What the quantity is, in one sentence.")
    interval: IntervalForm | None = Field(default=None, description="Where a fact beneath is a range.")
    budget: dict[str, float] | None = Field(
        default=None, description="Share of each uncertain fact in the variance of the logarithm."
    )
    digest: Digest


class UnusedForm(_Record):
    """Published values of a quantity upstream that do not serve."""

    name: Text = Field(description="Name of the quantity.")
    withheld: Text | None = Field(description="Why the value is kept from the graph.")
    facts: list[PlainFactForm] = Field(description="The values.")


class StageForm(_Record):
    """A stage of a run of several: the facts that it was given for itself."""

    name: Text = Field(description="Name of the stage, which the names of its entries end with.")
    facts: list[NamedFactForm] = Field(description="Its facts; null: a fact of the run that does not hold for it.")
    hardware: HardwareForm | None = Field(description="Record of its own accelerator; null where it has none.")
    digest: Digest


class RunForm(_Record):
    """The lineage of one run."""

    subject: Text = Field(description="Name of the run.")
    outputs: list[Text] = Field(description="What was asked and answered: names of entries.")
    problems: dict[str, Text] = Field(description="What was asked and cannot be computed, with what it needs.")
    assume: list[Text] = Field(description="Assumptions that the run was asked with.")
    prefer: dict[str, Text] = Field(default={}, description="Routes that the run was asked with, by their quantity.")
    assumes: list[Text] = Field(description="Assumptions that the entries rest on.")
    warnings: list[Text] = Field(description="What is doubtful.")
    entries: list[EntryForm] = Field(description="Quantities in the order of computing, parents first.")
    beyond: list[EntryForm] = Field(description="Quantities upstream that were not had, or not used.")
    unused: list[UnusedForm] = Field(description="Published values upstream that do not serve.")
    reported: list[NamedFactForm] = Field(description="What the authors themselves print of the answers.")
    facts: list[NamedFactForm] = Field(description="All facts of the run as given: what it is computed anew from.")
    hardware: HardwareForm | None = Field(description="Record of the accelerator; null where none is named.")
    stages: list[StageForm] = Field(default=[], description="Stages of the run, which its amounts add up over.")
    sources: dict[str, SourceForm] = Field(description="Bibliography of the run, by key.")
    digest: Digest


class SoftwareForm(_Record):
    """What wrote the file."""

    name: Literal["runlineage"] = Field(description="Name of the package.")
    version: Text = Field(description="Its version.")


class DocumentForm(_Record):
    """Where the numbers of one or several training runs came from."""

    format: Version = Field(alias="schema", description="Name and version of this format.")
    software: SoftwareForm = Field(description="Program that wrote the file, with its version.")
    catalog: Text = Field(description="Fingerprint of the catalogs that were read.")
    runs: list[RunForm] = Field(min_length=1, description="A lineage for each run.")
    digest: Digest


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the format, which is `lineage.schema.json`.

    >>> print(schema()["properties"]["schema"]["const"])
    runlineage.lineage/1
    """
    made = with_values(DocumentForm.model_json_schema(by_alias=True))
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA}
    return {**head, **made}


def digest_of(record: dict[str, Any]) -> str:
    """Compute the digest of a record, whatever it states itself.

    >>> print(digest_of({"b": 1.0, "a": "×", "digest": "anything"}))
    11b439e7261d
    """
    content = {key: value for key, value in record.items() if key != "digest"}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]
