"""A lineage as JSON, from which the run can be computed anew; the format is `lineage.schema.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from runlineage.catalogs.base.version import __version__
from runlineage.catalogs.quantities.fields import field_of
from runlineage.catalogs.quantities.ranges import LEVEL
from runlineage.catalogs.quantities.units import convert_like, is_ours
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact
from runlineage.catalogs.records.values import read_figure
from runlineage.dataflow.exchange.schema import SCHEMA, digest_of
from runlineage.dataflow.graph.entries import Entry, Way, summary
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.results import GIVEN
from runlineage.dataflow.graph.trace import cited

ORIGIN = ("basis", "source", "place", "note", "reason")


def lineage_json(lineage: Lineage) -> str:
    """Write a lineage, of one run or of several, as JSON: always the same bytes for the same lineage.

    Values are in full precision in the units that were given, columns as lists, and a user's own input that is neither
    by its type and size.

    >>> from runlineage import Scenarios
    >>> written = json.loads(lineage_json(Scenarios.Gpt3PublishedRun.lineage("achieved_rate")))
    >>> print(written["schema"], *(entry["name"] for entry in written["runs"][0]["entries"]))
    runlineage.lineage/1 training_ops accelerator_count duration achieved_rate
    """
    return as_text(document(lineage))


def as_text(record: Mapping[str, Any]) -> str:
    """Write JSON for files: what no terminal should be given (controls, marks of direction) is escaped."""
    text = json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False)
    return re.sub(r"[^\n -~]", lambda match: match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1], text)


def document(lineage: Lineage) -> dict[str, Any]:
    """Return a lineage as plain JSON records."""
    software = {"name": "runlineage", "version": __version__}
    runs = [_run(run) for run in lineage.runs]
    return _sealed({"schema": SCHEMA, "software": software, "catalog": lineage.catalog, "runs": runs})


def _sealed(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"digest": digest_of(record)}


def _run(run: Lineage) -> dict[str, Any]:
    nodes = [_node(stated) for stated in (run.stated, *run.stages.values())]
    of_stages = {"stages": [_stage(name, stated) for name, stated in run.stages.items()]} if run.stages else {}
    return _sealed(
        {
            "subject": run.subject,
            "outputs": list(run.outputs),
            "problems": dict(run.problems),
            "assume": list(run.assume),
            "prefer": dict(run.prefer),
            "assumes": list(run.assumes),
            "warnings": list(run.warnings),
            "entries": [_entry(entry) for entry in run.entries.values()],
            "beyond": [_entry(entry) for entry in run.beyond.values()],
            "unused": [
                {"name": name, "withheld": withheld or None, "facts": [_plain(fact, name) for fact in facts]}
                for name, (withheld, facts) in run.unused.items()
            ],
            "reported": [_named(name, fact) for name, fact in run.reported.items()],
            "facts": [_named(name, fact) for name, fact in sorted(run.stated.items())],
            "hardware": _hardware(nodes[0]),
            **of_stages,
            "sources": _sources(run, [node for node in nodes if node is not None]),
        }
    )


def _stage(name: str, stated: Mapping[str, Fact]) -> dict[str, Any]:
    facts = [_named(field, fact) for field, fact in sorted(stated.items())]
    return _sealed({"name": name, "facts": facts, "hardware": _hardware(_node(stated))})


def _node(stated: Mapping[str, Fact]) -> HardwareNode | None:
    value = stated["accelerator"].value if "accelerator" in stated else None
    return value if isinstance(value, HardwareNode) else None


def _entry(entry: Entry) -> dict[str, Any]:
    return _sealed(
        {
            "name": entry.called,
            **_valued(entry.value, entry.name),
            "route": entry.route,
            "equation": entry.equation or None,
            "working": entry.working or None,
            "excludes": entry.excludes or None,
            "basis": entry.basis,
            "assumption": entry.assumption,
            "source": None if entry.source == GIVEN else entry.source or None,
            "place": entry.place or None,
            "note": entry.note or None,
            "beside": [_plain(fact, entry.name) for fact in entry.beside],
            "parents": list(entry.parents),
            "ways": [_way(way, entry.name) for way in entry.ways],
            "about": entry.about or None,
            **_spread(entry),
        }
    )


def _spread(entry: Entry) -> dict[str, Any]:
    """Return the interval of an uncertain entry and where it comes from; nothing of any other."""
    if entry.interval is None:
        return {}
    low, high = (float(getattr(each, "magnitude", each)) for each in entry.interval)
    return {"interval": {"low": low, "high": high, "level": LEVEL}, "budget": dict(entry.budget or {})}


def _way(way: Way, name: str) -> dict[str, Any]:
    return {
        "name": way.name,
        "state": way.state,
        **_valued(way.value, name),
        "equation": way.equation,
        "needs": list(way.needs),
        "assumption": way.assumption,
        "lacks": way.lacks or None,
    }


def _plain(fact: Fact, name: str) -> dict[str, Any]:
    if field_of(name) and fact.value is not None and not is_ours(fact.value):  # beside others, as a caller wrote it
        fact = fact.having(read_figure(fact.value, name))
    ends = {"low": _end(fact.low, fact), "high": _end(fact.high, fact)} if fact.is_range else {}
    return _valued(fact.value, name) | {key: getattr(fact, key) or None for key in ORIGIN} | ends


def _end(end: Any, fact: Fact) -> float:
    """Return the end of a range as a number in the unit of its value."""
    return float(convert_like(end, fact.value).magnitude if is_ours(end) and is_ours(fact.value) else end)


def _fact(fact: Fact, name: str) -> dict[str, Any]:
    return _plain(fact, name) | {"beside": [_plain(each, name) for each in fact.beside]}


def _named(name: str, fact: Fact) -> dict[str, Any]:
    return _sealed({"name": name, **_fact(fact, name)})


def _hardware(node: HardwareNode | None) -> dict[str, Any] | None:
    if node is None:
        return None
    facts = {name: _fact(fact, name) for name, fact in node.facts().items()}
    words = {name: getattr(node, name) for name in ("key", "name", "vendor", "counted_as", "default_precision")}
    return _sealed({**words, "facts": facts})


def _sources(run: Lineage, nodes: Iterable[HardwareNode]) -> dict[str, Any]:
    """Gather the bibliography: of the entries, and of every fact that is published beside them."""
    sources = {entry.source: entry.citation for each in (run.entries, run.beyond) for entry in each.values()}
    facts = [
        *run.stated.values(),
        *(fact for stated in run.stages.values() for fact in stated.values()),
        *run.reported.values(),
        *(each for _, facts in run.unused.values() for each in facts),
    ]
    for fact in [*facts, *(fact for node in nodes for fact in node.facts().values())]:
        for each in (fact, *fact.beside):
            sources.setdefault(each.source or "", cited(each))
    return {
        key: _sealed(source.model_dump(mode="json", exclude={"key"}))
        for key, source in sorted(sources.items())
        if source
    }


def _valued(value: Any, name: str) -> dict[str, Any]:
    if isinstance(value, HardwareNode):
        value = value.name
    if not is_ours(value):
        return {"value": _plain_value(value), "unit": None}
    return {"value": _plain_value(value.magnitude), "unit": written_unit(value.units, name)}


def _plain_value(raw: Any) -> Any:
    """Return a number, a word or a column as it is, and anything else by its type and size."""
    value = raw.tolist() if isinstance(raw, (np.ndarray, np.generic)) else raw
    if value is None or isinstance(value, (str, bool)):
        return value
    return value if isinstance(value, (int, float, list)) and all(_finite(value)) else summary(raw)


def _finite(value: Any) -> Iterable[bool]:
    if isinstance(value, list):
        for each in value:
            yield from _finite(each)
    else:
        yield isinstance(value, (int, float)) and bool(np.isfinite(value))


def written_unit(units: Any, name: str = "") -> str:
    """Spell a unit for files: the field's own spelling where it is the field's unit, else name by name.

    >>> from runlineage.catalogs.quantities.units import unit
    >>> print(written_unit(unit("W/accelerator"), "device_power"), written_unit(unit("kW/accelerator"), "device_power"))
    W/accelerator kilowatt/accelerator
    """
    known = field_of(name)
    if known and known.units == units and dict(known.units._units) == dict(units._units):
        return known.unit_text
    powers = sorted(dict(units._units).items(), key=lambda part: (part[1] < 0, part[0]))
    above = "*".join(_power(each, power) for each, power in powers if power > 0)
    below = "".join("/" + _power(each, -power) for each, power in powers if power < 0)
    return (above or ("1" if below else "dimensionless")) + below


def _power(name: str, power: float) -> str:
    return name if power == 1 else f"{name}^{power:g}"
