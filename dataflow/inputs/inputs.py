"""From facts as people state them to what flows into the graph: read, completed from the accelerator, checked.

All faults of one input are said at once. What the graph may not see (a sparse model's total) is withheld with its
reason, and what is doubtful but usable becomes a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from runlineage.catalogs.base.errors import MOST_FAULTS, Fault, InputError, UnknownNameError, echo
from runlineage.catalogs.base.frozen import Frozen
from runlineage.catalogs.base.spelling import nearest, plain_text
from runlineage.catalogs.catalog import Accelerators, find_region
from runlineage.catalogs.quantities.fields import FIELDS, LOOKUP, REPORTED, WORDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.reading import as_quantity, coherent
from runlineage.catalogs.quantities.units import Quantity, convert, quantity, unit
from runlineage.catalogs.records.accelerator import HardwareNode
from runlineage.catalogs.records.facts import Fact, read_fact
from runlineage.catalogs.records.periods import Period, read_periods
from runlineage.catalogs.records.values import read_truth, read_word, read_year
from runlineage.dataflow.inputs.agreement import check_agreement, warn, withhold
from runlineage.dataflow.inputs.draft import Gathered
from runlineage.dataflow.inputs.lookups import complete_from_accelerator, complete_from_region

MOST_FIELDS = 1_000
TONS = re.compile(r"\btons?\b")  # of which there are short and long ones elsewhere


@dataclass(frozen=True)
class Inputs:
    """Facts ready for the graph.

    `given` are quantities in the unit as written, `graph` the same in coherent units (with a user's own inputs as
    they are), `words` the facts that are words; `origins` say where a fact comes from, `parents` which words a
    quantity was looked up by; `withheld` are facts that exist and may not be used; `stated` are the facts as they were
    given, before anything was looked up or noted.
    """

    given: Mapping[str, Quantity]
    graph: Mapping[str, Any]
    words: Mapping[str, Any]
    origins: Mapping[str, Fact]
    parents: Mapping[str, tuple[str, ...]]
    withheld: Mapping[str, str]
    reported: Mapping[str, Fact]
    warnings: tuple[str, ...]
    stated: Mapping[str, Fact]


def read_inputs(raw: Mapping[str, Any], subject: str = "", other: Collection[str] = ()) -> Inputs:
    """Read facts by their field names; `other` are inputs of a user's own nodes, which pass through as they are.

    >>> inputs = read_inputs({"device_power": "0.7 kW", "accelerator_hours": "30.84M"})
    >>> print(inputs.graph["device_power"])
    700 watt/accelerator
    """
    found = _gathered(raw, frozenset(other))
    if found.faults:
        raise InputError(tuple(found.faults), subject)
    return _inputs(found)


def _gathered(raw: Mapping[str, Any], other: frozenset[str]) -> Gathered:
    """Read, complete and check the facts in one pass, so that all their faults are said at once."""
    found = Gathered()
    if len(raw) > MOST_FIELDS:
        found.faults.append(Fault("facts", f"are {len(raw):,}", f"a run has at most {MOST_FIELDS:,}"))
        return found
    # Periods come last, so that a count or duration beside them is always seen.
    for name, value in sorted(raw.items(), key=lambda item: item[0] == "periods"):
        _take(found, name, value, other)
    found.passed |= {name: word for name, word in found.words.items() if name in other}
    found.keep_as_stated()
    if found.words:
        complete_from_accelerator(found)
        complete_from_region(found)
        withhold(found)
    check_agreement(found)
    warn(found)
    return found


def _inputs(found: Gathered) -> Inputs:
    graph: dict[str, Any] = {
        name: coherent(value, FIELDS[name].kind) for name, value in found.given.items() if name not in found.withheld
    }
    return Inputs(
        Frozen(found.given),
        Frozen(graph | found.passed),
        Frozen(found.words),
        Frozen(found.origins),
        Frozen(found.parents),
        Frozen(found.withheld),
        Frozen(found.reported),
        tuple(found.warnings),
        Frozen(found.stated),
    )


def _take(found: Gathered, name: str, raw: Any, other: frozenset[str]) -> None:
    """Read one fact by its name."""
    value = raw
    if isinstance(value, Fact):
        found.origins[name] = value
        value = value.value
    if value is None:  # not given; or other published values stand beside, and none of them is used
        return
    try:
        if name in FIELDS:
            found.given[name] = as_quantity(value, FIELDS[name].kind, field=name)
            if name == "published_emissions" and name not in found.origins and TONS.search(str(value)):
                found.origins[name] = Fact(found.given[name], note="tons read as metric")
        elif name in LOOKUP and name in other:  # a user's own, which may mean any region or year
            found.passed[name] = value
        elif name == "accelerator":
            found.words[name] = value if isinstance(value, HardwareNode) else Accelerators[value]
        elif name == "region":
            found.words[name] = find_region(value)
        elif name == "year":
            found.words[name] = read_year(value, name)
        elif name == "sparse":
            found.words[name] = read_truth(value, name)
        elif name in WORDS:
            found.words[name] = read_word(value, name) if isinstance(value, str) else _no_word(value, name)
        elif name == "periods":
            _take_periods(found, read_periods(value))
        elif name in REPORTED:
            found.reported[name] = read_fact(raw, name)
        elif name in other:
            found.passed[name] = value
        else:
            _refuse(found, name, other)
    except InputError as problem:
        found.faults.extend(problem.faults)
    except UnknownNameError as problem:
        found.faults.append(Fault(name, str(problem)))


def _refuse(found: Gathered, name: str, other: frozenset[str]) -> None:
    known = dict.fromkeys([*FIELDS, *WORDS, *sorted(other), "periods"])
    near = nearest(name, known, 1) if len(found.faults) < MOST_FAULTS else ()
    cure = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(known)}"
    found.faults.append(Fault(plain_text(name), "is not a field", cure))


def _take_periods(found: Gathered, periods: tuple[Period, ...]) -> None:
    """Sum a run's periods: duration is their sum and count their mean over time, so that their product is exact."""
    if not periods:
        return
    for name in ("accelerator_count", "duration"):
        if name in found.given:
            found.faults.append(
                Fault("periods", f"stand beside {name}", "give either the periods or one count and duration")
            )
    days = [convert(period.duration, unit("day")).magnitude for period in periods]
    counts = [period.accelerator_count.magnitude for period in periods]
    device_days = sum(count * day for count, day in zip(counts, days, strict=True))
    said = " and ".join(
        f"{number(count)} for {people(period.duration)}" for count, period in zip(counts, periods, strict=True)
    )
    origin = periods[0].fact
    note = f"{len(periods)} periods: {said}"
    found.given["duration"] = quantity(float(sum(days)), "day")
    found.given["accelerator_count"] = quantity(device_days / sum(days), "accelerator")
    found.origins["duration"] = Fact(None, "derived", origin.source, origin.place, f"sum of {note}")
    found.origins["accelerator_count"] = Fact(None, "derived", origin.source, origin.place, f"mean over time of {note}")


def _no_word(value: Any, name: str) -> str:
    raise InputError((Fault(name, f"is {echo(value)}", f"expected one of {', '.join(WORDS[name].choices)}"),))
