"""The HTML forms of runs and lineages: the templates, a fragment for notebooks, and what a notebook takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from runlineage.catalogs.base.errors import OutputError
from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.checks.check import Check
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.graph.results import Result, Results
from runlineage.dataflow.routes.plans import Plan
from runlineage.dataflow.routes.routes import ONLY
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.staged import AnyRun, StagedRun
from runlineage.visualizations.answers import how
from runlineage.visualizations.check_text import headline, why
from runlineage.visualizations.pages.unfolding import unfolded
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.layout import drawn
from runlineage.visualizations.tree import value_text

if TYPE_CHECKING:
    from jinja2 import Environment

PAGE = Path(__file__).parent / "page"


@runtime_checkable
class Tabular(Protocol):
    """What lays itself out as a table of runs by metrics: a comparison."""

    def as_table(self) -> dict[str, Any]:
        """Return heads, rows of a name and its cells, the line beneath, and warnings."""
        ...


@cache
def environment() -> Environment:
    """Return the template engine, which escapes everything that is not marked as markup."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(PAGE, encoding="utf-8"),
        autoescape=True,
        finalize=_plain,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["words"] = lambda name: name.replace("_", " ")
    return made


def _plain(value: Any) -> Any:
    """Keep from a page what would turn the text around it, or cannot be written; markup of ours is left as it is."""
    return plain_text(value) if type(value) is str else value


def html(shown: AnyRun | Lineage | Results | Result | Plan | Check | Tabular) -> str:
    """Write what a notebook shows of a run, its results, a plan, a comparison, or a lineage whose numbers unfold.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="LLaMA 65B", accelerator_hours=1_022_362, device_power="400 W")
    >>> "0.408945 GWh" in html(run), "0.408945 GWh" in html(run.results()), "needs" in html(run.result("peak_fraction"))
    (True, True, True)
    """
    if isinstance(shown, Lineage):
        runs = [unfolded(part, [*part.outputs, *part.problems], ()) for part in shown.runs]
        return environment().get_template("notebook.html.jinja").render(runs=runs)
    if isinstance(shown, Tabular):
        return environment().get_template("comparison.html.jinja").render(shown.as_table())
    return environment().get_template("brief.html.jinja").render(brief(shown))


def brief(shown: AnyRun | Results | Result | Plan | Check) -> dict[str, Any]:
    """Lay out a run, results or a plan as a small table, with what is missing and why."""
    if isinstance(shown, Plan):
        rows = [
            (name, planned(shown, name), [f"{each.route.name or ONLY}: {each}" for each in shown.closed.get(name, ())])
            for name in shown.outputs
        ]
        return {"title": "", "heads": ("output", "route", "closed routes"), "rows": rows, "warnings": ()}
    if isinstance(shown, Check):
        compared = sorted(shown.compared, key=lambda each: -each.badness)
        return {
            "title": headline(shown),
            "heads": ("comparison", "verdict", "why"),
            "rows": [(str(each), each.word, why(each)) for each in compared],
            "warnings": shown.warnings,
        }
    heads = ("metric", "value", "route, or what is needed")
    if isinstance(shown, Result):
        sources = ["from " + ", ".join(shown.sources)] if shown.sources and not shown.problem else []
        return {"title": "", "heads": heads, "rows": [(*_cells(shown), [how(shown), *sources])], "warnings": ()}
    title, results = (
        (shown.name, shown.results()) if isinstance(shown, (PublishedRunScenario, StagedRun)) else ("", shown)
    )
    rows = [(*_cells(each), [how(each)]) for each in map(results.result, results.plan.outputs)]
    return {"title": title, "heads": heads, "rows": rows, "warnings": results.warnings}


def _cells(result: Result) -> tuple[str, str]:
    return result.name, "–" if result.problem else str(result.spread or value_text(result.value))


def planned(plan: Plan, name: str) -> str:
    """Describe the route of an output: the one taken, and those that were possible too."""
    if name in plan.missing:
        return "none"
    others = plan.alternatives(name)
    return (plan.route(name) or ONLY) + (f" (possible: {', '.join(others)})" if others else "")


def mimebundle(lineage: Lineage) -> dict[str, Any]:
    """Return a lineage as a notebook takes it: text, and a picture, or unfolding HTML where `dot` does not work.

    >>> from runlineage import Scenarios
    >>> print(*sorted(mimebundle(Scenarios.Gpt3PublishedRun.lineage()))[-1:])
    text/plain
    """
    plain = {"text/plain": str(lineage)}
    if not lineage.outputs:
        return plain | {"text/html": html(lineage)}
    try:
        return plain | {"image/svg+xml": drawn(dot(lineage), "svg").decode()}
    except OutputError:  # a cell shows what it can
        return plain | {"text/html": html(lineage)}
