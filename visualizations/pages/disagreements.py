"""What disagrees among a run's published figures, for the report: from its lineage, which holds all facts as given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runlineage.catalogs.base.errors import RunlineageError
from runlineage.dataflow.checks.checker import Checker
from runlineage.dataflow.checks.compared import AGREE
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.inputs.read_inputs import read_inputs
from runlineage.visualizations.check_text import headline, why


@dataclass(frozen=True)
class Disagreement:
    """One comparison that does not agree: its word, its figures, and what is to be said of it."""

    word: str
    figures: str
    said: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """A run's check as the report shows it: a headline, and what does not agree, the worst first."""

    headline: str
    disagreements: tuple[Disagreement, ...]


def checked(runs: Sequence[Lineage]) -> list[Checked | None]:
    """Check each run; None where its facts state nothing twice, are columns, or need nodes that are not here."""
    checker = Checker()
    return [_checked(checker, run) for run in runs]


def _checked(checker: Checker, run: Lineage) -> Checked | None:
    try:
        found = checker.check(run.subject, read_inputs(dict(run.stated), run.subject))
    except RunlineageError:
        return None
    if not found.compared:
        return None
    off = sorted((each for each in found.compared if each.word != AGREE), key=lambda each: -each.badness)
    title = headline(found).removeprefix(f"{run.subject}: ")
    return Checked(title, tuple(Disagreement(each.word, str(each), tuple(why(each))) for each in off))
