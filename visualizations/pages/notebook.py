"""The HTML forms of runs and lineages: the templates, a fragment for notebooks, and what a notebook takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runlineage.catalogs.base.errors import OutputError
from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.visualizations.pages.unfolding import unfolded
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.layout import drawn

if TYPE_CHECKING:
    from jinja2 import Environment

PAGE = Path(__file__).parent / "page"


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


def html(shown: PublishedRunScenario | Lineage) -> str:
    """Write a run's metrics, or a lineage whose numbers unfold, as HTML that stands in a notebook.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="LLaMA 65B", accelerator_hours=1_022_362, device_power="400 W")
    >>> "0.408945 GWh" in html(run)
    True
    """
    brief = isinstance(shown, PublishedRunScenario)
    lineage = shown.lineage() if isinstance(shown, PublishedRunScenario) else shown
    runs = [unfolded(part, METRICS if brief else [*part.outputs, *part.problems], ()) for part in lineage.runs]
    return environment().get_template("notebook.html.jinja").render(runs=runs, brief=brief)


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
