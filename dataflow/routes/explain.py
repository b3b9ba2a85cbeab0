"""Explain why a metric cannot be computed: what each route needs, and the shortest cures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

from runlineage.catalogs.base.errors import CannotComputeError
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.dataflow.routes.book import RouteBook
from runlineage.dataflow.routes.plans import named

MOST_CURES = 4


def explain(
    book: RouteBook,
    metric: str,
    supplied: Collection[str],
    assume: Iterable[str] = (),
    withheld: Mapping[str, str] | None = None,
    subject: str = "my run",
) -> CannotComputeError:
    """Build the error for a metric that no route reaches.

    >>> from runlineage.dataflow import metrics
    >>> from runlineage.dataflow.routes.book import read_routes
    >>> print(explain(read_routes(metrics), "energy", {"device_power"}))
    cannot compute energy of my run:
      energy by power_time needs accelerator_hours
      give accelerator_hours, or assume "count_duration" with accelerator_count and duration
    """
    withheld = withheld or {}
    assumed = frozenset(assume)
    lines = [f"cannot compute {metric} of {subject}:", *_reasons(book, metric, supplied, assumed, withheld)]
    facts = _cures(book, metric, supplied, assumed, withheld)
    sentences = [_give(facts)] if facts else []
    guesses = " or ".join(
        " and ".join(f'"{name}"' for name in guess) for guess in _assumptions(book, metric, supplied, assumed)
    )
    if guesses:
        sentences.append(f"assume {guesses}")
    else:
        sentences.extend(_partial(book, metric, supplied, assumed, withheld, facts))
    if sentences:
        lines.append("  " + _joined(sentences))
    return CannotComputeError(metric, needs(facts), "\n".join(lines), guesses)


def _give(facts: list[tuple[str, ...]]) -> str:
    """List the facts to give: in a row while that reads plainly, else a line for each set."""
    if len(facts) == 1 or all(len(cure) == 1 for cure in facts):
        return "give " + " or ".join(" and ".join(map(named, cure)) for cure in facts)
    return "\n    ".join(["give the facts of one line:", *(", ".join(map(named, cure)) for cure in facts)])


def _joined(sentences: list[str]) -> str:
    return ("\n  or " if "\n" in sentences[0] else ", or ").join(sentences)


def lacks(
    book: RouteBook, metric: str, supplied: Collection[str], assume: frozenset[str], withheld: Mapping[str, str]
) -> str:
    """Describe in short which facts would do, without any further assumption.

    >>> from runlineage.dataflow import footprint, metrics
    >>> from runlineage.dataflow.routes.book import read_routes
    >>> print(lacks(read_routes(metrics, footprint), "facility_energy", {"device_power"}, frozenset(), {}))
    needs (accelerator_hours and pue) or (duration and facility_power)
    """
    return needs(_cures(book, metric, supplied, assume, withheld))


def needs(cures: list[tuple[str, ...]]) -> str:
    """Describe in short what would do: `needs accelerator_hours, device_power`."""
    if not cures:
        return "no route leads there"
    if len(cures) == 1:
        return "needs " + ", ".join(map(named, cures[0]))
    return "needs " + " or ".join(
        named(cure[0]) if len(cure) == 1 else f"({' and '.join(map(named, cure))})" for cure in cures
    )


def _reasons(
    book: RouteBook, metric: str, supplied: Collection[str], assumed: frozenset[str], withheld: Mapping[str, str]
) -> list[str]:
    lines: list[str] = []
    seen: set[str] = set()

    def walk(name: str, depth: int) -> None:
        if name in seen:
            return
        seen.add(name)
        for route in book.ways(name):
            if route.assumption and route.assumption not in assumed:
                continue
            missing = book.plan(supplied, route.needs, assumed).missing
            if set(missing) & set(route.stated):  # it reads a published figure, which is not there to be read
                continue
            glossed = ", ".join(_glossed(book, each, withheld) for each in missing)
            lines.append(f"{'  ' * depth}{route.label} needs {glossed}")
            for each in missing:
                walk(each, depth + 1)

    walk(metric, 1)
    if config := book.config_of(metric):
        return [f"  {metric} is a node of yours under {config}: give Driver that config"]
    return lines or [f"  {_glossed(book, metric, withheld)} is a fact, and it is not given"]


def _glossed(book: RouteBook, name: str, withheld: Mapping[str, str]) -> str:
    if name in withheld:
        return f"{named(name)} (withheld: {withheld[name]})"
    if book.config_of(name):
        return f"{name} (a node of yours under {book.config_of(name)})"
    field = FIELDS.get(name)
    return f"{name} ({field.gloss})" if field and field.gloss and named(name) == name else named(name)


def _cures(
    book: RouteBook, metric: str, supplied: Collection[str], assumed: frozenset[str], withheld: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """List the smallest sets of facts that would do, without any further assumption."""

    def ways(name: str, path: tuple[str, ...] = ()) -> list[frozenset[str]]:
        if not book.plan(supplied, (name,), assumed).missing:
            return [frozenset()]
        open_ways: list[frozenset[str]] = []
        if name in book.inputs and name not in withheld:
            open_ways.append(frozenset({name}))
        for route in book.ways(name):
            if (route.assumption and route.assumption not in assumed) or name in path:
                continue
            if not {*route.stated} <= {*supplied}:
                continue
            sets: list[frozenset[str]] = [frozenset()]
            for need in route.needs:
                sets = [one | other for one in sets for other in ways(need, (*path, name))]
            open_ways.extend(sets)
        return open_ways

    every = list(dict.fromkeys(ways(metric)))
    smallest = [each for each in every if not any(other < each for other in every)]
    rank = {name: place for place, name in enumerate(book.inputs)}
    ordered = [tuple(sorted(each, key=lambda name: rank.get(name, len(rank)))) for each in smallest]
    return sorted(ordered, key=len)[:MOST_CURES]


def _assumptions(
    book: RouteBook, metric: str, supplied: Collection[str], assumed: frozenset[str]
) -> list[tuple[str, ...]]:
    """List the smallest sets of assumptions that would do with the facts at hand."""
    off = [name for name in _helpful(book, metric) if name not in assumed]
    enough: list[tuple[str, ...]] = []
    for size in range(1, min(len(off), 3) + 1):
        for guess in combinations(off, size):
            more = any(set(other) <= set(guess) for other in enough)
            if not more and not book.plan(supplied, (metric,), assumed | set(guess)).missing:
                enough.append(guess)
    return enough


def _helpful(book: RouteBook, metric: str) -> list[str]:
    """List the assumptions that some route to a metric could make."""
    upstream = book.upstream([metric])
    made = {route.assumption for name in upstream for route in book.ways(name)}
    return [name for name in book.assumptions if name in made]


def _partial(
    book: RouteBook,
    metric: str,
    supplied: Collection[str],
    assumed: frozenset[str],
    withheld: Mapping[str, str],
    facts: list[tuple[str, ...]],
) -> list[str]:
    """Where no assumption is enough alone, list the single ones that help, with the facts they still need."""
    sentences = []
    for name in _helpful(book, metric):
        if name in assumed:
            continue
        best = _cures(book, metric, supplied, assumed | {name}, withheld)
        fresh = [cure for cure in best if not any(set(fact) <= set(cure) for fact in facts)]
        if fresh:
            sentences.append(f'assume "{name}" with {" and ".join(map(named, fresh[0]))}')
    return sentences
