"""A lineage as W3C PROV-JSON: facts and metrics are entities, routes activities, sources entities of their own.

Names begin with `urn:example:`, which RFC 6963 sets aside, since this project owns no domain.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_from_bytes

from runlineage.catalogs.base.errors import CatalogError, Fault, refuse
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.records.toml_rows import parse_json
from runlineage.dataflow.exchange.checks import CURE
from runlineage.dataflow.exchange.lineage_json import as_text, document
from runlineage.dataflow.exchange.schema import FAMILY
from runlineage.dataflow.graph.lineage import Lineage

if TYPE_CHECKING:
    from prov.model import ProvBundle, ProvDocument

TERMS = "urn:example:runlineage:terms:"
RUNS = "urn:example:runlineage:run:"
SPACES = {
    "terms": TERMS,
    "run": RUNS,
    "source": "urn:example:runlineage:source:",
    "dcterms": "http://purl.org/dc/terms/",
}
WHOLE = "terms:lineage"  # the entity that carries the whole as JSON, so that the runs can be computed anew


def prov_json(lineage: Lineage) -> str:
    """Write a lineage as PROV-JSON; each of several runs is a bundle. Always the same bytes for the same lineage.

    >>> from runlineage import Scenarios
    >>> written = json.loads(prov_json(Scenarios.Gpt3PublishedRun.lineage("training_operations")))
    >>> print(*sorted(written["activity"]))
    run:GPT-3_175B/training_operations/by/recorded
    """
    return as_text(_prov_of(document(lineage)))


def is_provenance(raw: Mapping[str, Any]) -> bool:
    """Distinguish PROV-JSON from a run file and from a lineage by the keys at its top."""
    return "schema" not in raw and isinstance(raw.get("prefix"), dict) and bool({"entity", "bundle"} & raw.keys())


def read_provenance(raw: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Take the lineage out of PROV-JSON, and refuse a file whose records differ from it."""
    entities = raw.get("entity")
    whole = entities.get(WHOLE) if isinstance(entities, dict) else None
    text = whole.get("prov:value") if isinstance(whole, dict) else None
    if not isinstance(text, str) or raw["prefix"].get("terms") != TERMS:
        what = f"is PROV-JSON without the entity {WHOLE} that carries a lineage"
        refuse(str(path), what, "`runlineage why RUN --prov` writes one", CatalogError)
    lineage = parse_json(text, path)
    if not str(lineage.get("schema")).startswith(FAMILY):
        where = f"{path}: entity.{WHOLE}"
        refuse(where, "carries no lineage", "`runlineage why RUN --prov` writes one", CatalogError)
    return lineage


def differences(raw: Mapping[str, Any], whole: dict[str, Any]) -> tuple[Fault, ...]:
    """Name every record of PROV-JSON that differs from the lineage that the file carries."""
    expected = _prov_of(whole)
    places = [*_apart(raw, expected, "")]
    return tuple(Fault(place, "was edited", CURE) for place in places)


def _apart(found: Any, expected: Any, where: str) -> list[str]:
    if found == expected:
        return []
    if not (isinstance(found, dict) and isinstance(expected, dict)) or where.count(" › ") >= 3:
        return [plain_text(where) or "the file"]
    return [
        place
        for key in sorted({*found, *expected})
        for place in _apart(found.get(key), expected.get(key), f"{where} › {key}" if where else key)
    ]


def _prov_of(whole: dict[str, Any]) -> dict[str, Any]:
    from prov.model import PROV, ProvDocument

    made = ProvDocument()
    _declare(made)
    software = whole["software"]
    agent = f"terms:runlineage-{_local(software['version'])}"
    several = len(whole["runs"]) > 1
    attributes: dict[str, Any] = {
        "prov:type": _name(made, "Lineage"),
        "prov:value": _compact(whole),
        "terms:catalog": whole["catalog"],
    }
    made.entity(WHOLE, attributes)
    of_agent: dict[str, Any] = {"prov:type": PROV["SoftwareAgent"], "prov:label": "runlineage"}
    made.agent(agent, of_agent | _stated(software, "version"))
    made.attribution(WHOLE, agent, identifier="terms:lineage/attributed")
    for place, run in enumerate(whole["runs"]):
        home = f"run:{_local(run['subject'].replace(' ', '_'))}" + (f"/{place}" if several else "")
        bundle = _declare(made.bundle(home)) if several else made
        _Run(bundle, run, home, agent).write()
        if several:
            made.entity(home, {"prov:type": PROV["Bundle"], "prov:label": run["subject"]})
    written: dict[str, Any] = json.loads(made.serialize(sort_keys=True) or "")
    return written


def _declare(bundle: ProvBundle | ProvDocument) -> ProvBundle | ProvDocument:
    """Name the namespaces; in a bundle again, as every reader of one does that writes it anew."""
    for prefix, address in SPACES.items():
        bundle.add_namespace(prefix, address)
    return bundle


def _compact(record: Any) -> str:
    return json.dumps(record, separators=(",", ":"), allow_nan=False)


def _local(text: str) -> str:
    """Make any text part of a qualified name."""
    quoted = quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")
    return re.sub(r"^[.-]|\.$", lambda match: f"%{ord(match[0]):X}", quoted)


def _name(bundle: ProvBundle | ProvDocument, term: str) -> Any:
    return bundle.valid_qualified_name(f"terms:{term}")


def _stated(record: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return what a record states under some keys; what it does not state has no attribute."""
    return {f"terms:{key}": record[key] for key in keys if record[key] not in (None, "")}


class _Run:
    """Writing one run: each record has a name of its own, so that no reader numbers it anew."""

    def __init__(self, bundle: ProvBundle | ProvDocument, run: dict[str, Any], home: str, agent: str) -> None:
        self.bundle = bundle
        self.run = run
        self.home = home
        self.agent = agent
        self.named: set[str] = set()

    def write(self) -> None:
        """Write every entry with what it came from."""
        for entry in self.run["entries"]:
            if entry["route"] == "supplied":
                self._fact(entry)
            else:
                self._computed(entry)

    def _at(self, *parts: str) -> str:
        return "/".join((self.home, *(_local(part) for part in parts)))

    def _once(self, name: str) -> bool:
        fresh = name not in self.named
        self.named.add(name)
        return fresh

    def _entity(self, entry: dict[str, Any], term: str) -> str:
        value = entry["value"]
        attributes = {
            "prov:type": _name(self.bundle, term),
            "prov:label": entry["name"],
            "prov:value": _compact(value) if isinstance(value, list) else value,
            **_stated(entry, "unit", "basis", "place", "note", "about"),
        }
        self.bundle.entity(self._at(entry["name"]), {key: each for key, each in attributes.items() if each is not None})
        return self._at(entry["name"])

    def _fact(self, entry: dict[str, Any]) -> None:
        fact = self._entity(entry, "Fact")
        for parent in entry["parents"]:
            at = self._at(entry["name"], "looked-up-by", parent)
            self.bundle.derivation(fact, self._at(parent), identifier=at)
        if entry["source"] is None:
            if self._once("caller"):
                self.bundle.agent(self._at("caller"), {"prov:label": "the caller"})
            self.bundle.attribution(fact, self._at("caller"), identifier=self._at(entry["name"], "attributed"))
        else:
            source = self._source(entry["source"])
            self.bundle.primary_source(fact, source, identifier=self._at(entry["name"], "primary-source"))

    def _source(self, key: str) -> str:
        name = f"source:{_local(key)}"
        if self._once(name):
            known = self.run["sources"].get(key)
            attributes = {"prov:type": _name(self.bundle, "Source"), "prov:label": key}
            if known:
                attributes |= {"dcterms:title": known["title"], "dcterms:creator": known["authors"]}
                attributes |= {"dcterms:date": str(known["year"]), "dcterms:identifier": known["url"]}
                attributes |= _stated(known, "reading", "read_on", "through")
            self.bundle.entity(name, attributes)
        return name

    def _computed(self, entry: dict[str, Any]) -> None:
        name, route = entry["name"], entry["route"] or "only-route"
        metric, activity = self._entity(entry, "Metric"), self._at(name, "by", route)
        attributes = {"prov:type": _name(self.bundle, "Route"), "prov:label": f"{name} by {route}"}
        self.bundle.activity(activity, None, None, attributes | _stated(entry, "equation", "working", "excludes"))
        plan = self._assumption(entry["assumption"]) if entry["assumption"] else None
        at = self._at(name, "associated")
        self.bundle.association(activity, self.agent, plan=plan, identifier=at)
        self.bundle.generation(metric, activity, identifier=self._at(name, "generated"))
        for parent in entry["parents"]:
            self.bundle.used(activity, self._at(parent), identifier=self._at(name, "used", parent))
            at = self._at(name, "derived-from", parent)
            self.bundle.derivation(metric, self._at(parent), activity, identifier=at)

    def _assumption(self, name: str) -> str:
        from prov.model import PROV

        plan = self._at("assuming", name)
        if self._once(plan):
            types = [("prov:type", PROV["Plan"]), ("prov:type", _name(self.bundle, "Assumption"))]
            self.bundle.entity(plan, [*types, ("prov:label", name)])
        return plan
