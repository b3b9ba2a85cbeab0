"""Contradictions between published figures of catalogued runs that are known, each with its explanation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from runlineage.catalogs.catalog import HERE
from runlineage.catalogs.records.toml_rows import parse_toml, read_text

SAME = 0.005  # within which a ratio is the one that was explained


@dataclass(frozen=True)
class Explained:
    """What explains a comparison of a run: `ratio` is what the comparison gives, `source` where the reason stands."""

    ratio: float
    why: str
    source: str


@cache
def explained() -> dict[str, dict[str, Explained]]:
    """Return the known contradictions, by the name of the run and of the comparison.

    >>> print(explained()["PaLM 8B"]["recorded_to_modeled"].why)
    The paper counts attention, and 6 N D does not.
    """
    path = HERE / "contradictions.toml"
    raw = parse_toml(read_text(path), path)
    return {run: {name: Explained(**each) for name, each in rows.items()} for run, rows in raw.items()}


def explanation(run: str, comparison: str, ratio: float) -> Explained | None:
    """Return what explains a comparison of a run; None for other facts of it, which give another ratio."""
    found = explained().get(run, {}).get(comparison)
    return found if found and abs(ratio / found.ratio - 1) <= SAME else None
