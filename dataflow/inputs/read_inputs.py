"""From facts as people state them to what flows into the graph: read, completed from the catalog, checked.

All faults of one input are listed at once. What the graph may not see (a sparse model's total) is withheld with its
reason, and what is doubtful but usable becomes a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from runlineage.catalogs.base.errors import MOST_FAULTS, Fault, InputError, UnknownNameError, echo, refuse
from runlineage.catalogs.base.spelling import nearest, plain_text
from runlineage.catalogs.quantities.fields import FIELDS, LOOKUP, REPORTED, WORDS
from runlineage.catalogs.quantities.formatting import number, people
from runlineage.catalogs.quantities.ranges import Range, as_range, checked, range_of
from runlineage.catalogs.quantities.units import convert, quantity, unit
from runlineage.catalogs.records.facts import Fact, read_fact
from runlineage.catalogs.records.periods import Period, read_periods
from runlineage.catalogs.records.values import read_truth, read_word, read_year
from runlineage.catalogs.regions import find_region
from runlineage.dataflow.inputs.agreement import check_agreement, move_system_power, warn, withhold
from runlineage.dataflow.inputs.devices import count_devices, take_accelerator
from runlineage.dataflow.inputs.inputs import InputDraft, Inputs
from runlineage.dataflow.inputs.lookups import complete_from_accelerator, complete_from_region, complete_from_words

MOST_FIELDS = 1_000
Reader: TypeAlias = Callable[[Any, str], Any]
TONS = re.compile(r"\btons?\b")  # of which there are short and long ones elsewhere


def read_inputs(raw: Mapping[str, Any], subject: str = "", other: Collection[str] = ()) -> Inputs:
    """Read facts by their field names; `other` are inputs of a user's own nodes, which pass through as they are.

    A fact is a plain value, a `Fact`, or the table that a run file has: value, source, place and so on. Raises
    `InputError` with all faults at once.

    >>> inputs = read_inputs({"device_power": "0.7 kW", "accelerator_hours": "30.84M"})
    >>> print(inputs.graph["device_power"])
    700 watt/accelerator
    """
    draft = InputDraft()
    if len(raw) > MOST_FIELDS:
        draft.faults.append(Fault("facts", f"are {len(raw):,}", f"a run has at most {MOST_FIELDS:,}"))
    else:
        _fill(draft, raw, frozenset(other))
    if draft.faults:
        raise InputError(tuple(draft.faults), subject)
    return draft.finished()


def _fill(draft: InputDraft, raw: Mapping[str, Any], other: frozenset[str]) -> None:
    """Read, complete and check the facts in one pass."""
    # Periods come last, so that a count or duration beside them is always seen.
    for name, value in sorted(raw.items(), key=lambda item: item[0] == "periods"):
        try:
            _take(draft, name, value, other)
        except InputError as problem:
            draft.faults.extend(problem.faults)
        except UnknownNameError as problem:
            draft.faults.append(Fault(name, str(problem)))
    count_devices(draft)
    draft.graph.update({name: word for name, word in draft.words.items() if name in other})
    draft.keep_as_stated()
    if draft.words:
        move_system_power(draft)
        complete_from_accelerator(draft)
        complete_from_region(draft)
        complete_from_words(draft)
        withhold(draft)
    check_agreement(draft)
    warn(draft)


def _take(draft: InputDraft, name: str, raw: Any, other: frozenset[str]) -> None:
    """Read one fact by its name."""
    if _is_table(raw) and (name in FIELDS or name in WORDS):
        raw = read_fact(raw, name)
    value = raw.value if isinstance(raw, Fact) else raw
    if isinstance(raw, Fact):
        draft.origins[name] = raw
    if value is None and isinstance(raw, Fact) and raw.is_range:
        refuse(name, "has the ends of a range and no value", "give its median as the value, or the range as text")
    if value is None:  # not given; or other published values stand beside, and none of them is used
        return
    if name in FIELDS:
        _take_figure(draft, name, raw, value)
        if isinstance(value, str):
            draft.texts[name] = value
        if name == "published_emissions" and name not in draft.origins and TONS.search(str(value)):
            draft.origins[name] = Fact(draft.given[name], note="tons read as metric")
        if name in REPORTED:
            draft.reported[name] = replace(draft.origins.get(name, Fact(None)), value=draft.given[name])
    elif name in LOOKUP and name in other:  # a user's own, which may mean any region or year
        draft.graph[name] = value
    elif name == "accelerator":
        take_accelerator(draft, value)
    elif name in WORDS:
        reader: Reader = READERS.get(name, _one_of_the_choices)
        draft.words[name] = reader(value, name)
    elif name == "periods":
        _take_periods(draft, read_periods(value))
    elif name in other:
        _take_own(draft, name, raw, value)
    else:
        _refuse_unknown(draft, name, other)


def _take_figure(draft: InputDraft, name: str, raw: Any, value: Any) -> None:
    """Read a quantity; of a range, its median is the fact, and the ends are kept where it comes from."""
    with_ends = isinstance(raw, Fact) and raw.is_range
    read = range_of(value, raw.low, raw.high, name) if with_ends else as_range(value, FIELDS[name].kind, field=name)
    if isinstance(read, Range):
        draft.origins[name] = draft.origins.get(name, Fact(None)).having(read)
    draft.given[name] = read.value if isinstance(read, Range) else read


def _take_own(draft: InputDraft, name: str, raw: Any, value: Any) -> None:
    """Take an input of a user's own node as it is; of a range, its median and where it comes from."""
    if isinstance(raw, Fact) and raw.is_range:
        value = checked(Range(raw.value, raw.low, raw.high), name)
    if isinstance(value, Range):
        draft.origins[name] = draft.origins.get(name, Fact(None)).having(value)
    draft.graph[name] = value.value if isinstance(value, Range) else value


def _is_table(raw: Any) -> bool:
    """Whether a fact is written as in a file: a table with its origin, or a list of such tables."""
    return isinstance(raw, Mapping) or (isinstance(raw, list) and any(isinstance(each, Mapping) for each in raw))


def _refuse_unknown(draft: InputDraft, name: str, other: frozenset[str]) -> None:
    known = dict.fromkeys([*FIELDS, *WORDS, *sorted(other), "periods"])
    near = nearest(name, known, 1) if len(draft.faults) < MOST_FAULTS else ()
    refuse(
        plain_text(name), "is not a field", f"did you mean {near[0]}?" if near else f"the fields are {', '.join(known)}"
    )


def _take_periods(draft: InputDraft, periods: tuple[Period, ...]) -> None:
    """Sum a run's periods: duration is their sum and count their mean over time, so that their product is exact."""
    if not periods:
        return
    cure = "give either the periods or one count and duration"
    beside = [name for name in ("accelerator_count", "duration") if name in draft.given]
    draft.faults.extend(Fault("periods", f"stand beside {name}", cure) for name in beside)
    days = [convert(period.duration, unit("day")).magnitude for period in periods]
    counts = [period.accelerator_count.magnitude for period in periods]
    device_days = sum(count * day for count, day in zip(counts, days, strict=True))
    sizes = (f"{number(count)} for {people(each.duration)}" for count, each in zip(counts, periods, strict=True))
    origin, note = periods[0].fact, f"{len(periods)} periods: {' and '.join(sizes)}"
    draft.given["duration"] = quantity(float(sum(days)), "day")
    draft.given["accelerator_count"] = quantity(device_days / sum(days), "accelerator")
    for name, made in (("duration", "sum"), ("accelerator_count", "mean over time")):
        draft.origins[name] = Fact(None, "derived", origin.source, origin.place, f"{made} of {note}")


def _region(value: Any, _: str) -> str:
    return find_region(value)


def _one_of_the_choices(value: Any, name: str) -> str:
    if not isinstance(value, str):
        refuse(name, f"is {echo(value)}", f"expected one of {', '.join(WORDS[name].choices)}")
    return read_word(value, name)


# What reads a fact that is a word, where its choices are not written in the field itself.
READERS: dict[str, Reader] = {
    "region": _region,
    "year": read_year,
    "sparse": read_truth,
}
