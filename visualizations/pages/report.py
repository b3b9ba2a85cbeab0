"""A report over runs: one HTML file that holds all it needs and asks nothing of any other place."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, OutputError, echo
from runlineage.catalogs.base.files import write_whole
from runlineage.catalogs.base.version import __version__
from runlineage.catalogs.everyday import household_of
from runlineage.catalogs.quantities.fields import ANSWERS, METRICS
from runlineage.dataflow.graph.lineage import Lineage, together
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.staged import AnyRun, StagedRun
from runlineage.visualizations.pages.bibliography import bibliography
from runlineage.visualizations.pages.diagrams import diagrams
from runlineage.visualizations.pages.disagreements import checked
from runlineage.visualizations.pages.notebook import PAGE, environment
from runlineage.visualizations.pages.numbers_csv import as_address, numbers_csv
from runlineage.visualizations.pages.overview import overview
from runlineage.visualizations.pages.unfolding import unfolded
from runlineage.visualizations.pictures.svg_style import DARK

MOST_DIAGRAMS = 30  # of more, a page would hold and draw for longer than anyone waits
MANY = f"a page holds those of {MOST_DIAGRAMS} runs; `runlineage draw RUN` draws one"
SUFFIXES = (".html", ".htm")
Reported = AnyRun | Lineage


def report(
    runs: Reported | Iterable[Reported],
    path: str | Path,
    *,
    metrics: Iterable[str] | None = None,
    assume: Iterable[str] | None = None,
    everyday: str = "",
) -> Path:
    """Write a report over a run or several: metrics that unfold to their lineage, charts, diagrams, bibliography.

    A lineage is shown as it is; `metrics` and `assume` are asked of runs. With `everyday`, a key of `Households` such
    as "US", each energy says how many households use as much electricity in a year. The same input gives the same
    bytes. Raises InputError for no runs, UnknownNameError for unknown households, OutputError for another suffix than
    .html or .htm and for a path that cannot be written.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios
    >>> file = report(Scenarios.Gpt3PublishedRun, pathlib.Path(tempfile.mkdtemp()) / "gpt3.html")
    >>> print(file.read_text(encoding="utf-8").splitlines()[0])
    <!doctype html>
    """
    path = report_path(path)
    given: Any = runs  # a text, which a checker refuses, is refused by name
    shown: tuple[Any, ...] = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    return write_page(_lineages(shown, metrics, assume), path, everyday)


def write_page(lineages: Sequence[Lineage], path: Path, everyday: str = "") -> Path:
    """Write the page over some lineages to a file, whole or not at all."""
    write_whole(path, page(lineages, everyday).encode())
    return path


def report_path(path: str | Path) -> Path:
    """Refuse a path that does not end as a page does, before anything is computed."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise OutputError(f"{path}: a report does not have the suffix {path.suffix!r}", "name a .html file")
    return path


def _lineages(shown: Sequence[Reported], metrics: Iterable[str] | None, assume: Iterable[str] | None) -> list[Lineage]:
    asked = (metrics,) if isinstance(metrics, str) else tuple(METRICS if metrics is None else metrics)
    if not shown:
        raise InputError((Fault("runs", "are none", "name at least one run"),))
    faults = [
        Fault(f"runs[{place}]", f"is {echo(each)}", "expected a run or a lineage")
        for place, each in enumerate(shown)
        if not isinstance(each, (PublishedRunScenario, StagedRun, Lineage))
    ]
    if any(isinstance(each, Lineage) for each in shown) and not (metrics is None and assume is None):
        faults.append(
            Fault("runs", "hold a lineage, which is shown as it is", "give the run, or no metrics and assume")
        )
    if not asked:
        faults.append(Fault("metrics", "are none", f"choose of {', '.join(METRICS)}"))
    if faults:
        raise InputError(tuple(faults))
    return [
        each if isinstance(each, Lineage) else (each if assume is None else each.variant(assume=assume)).lineage(asked)
        for each in shown
    ]


def page(lineages: Sequence[Lineage], everyday: str = "") -> str:
    """Write the lineages of runs as one page."""
    from markupsafe import Markup

    from runlineage.visualizations.pages.charts import charts

    household = household_of(everyday) if everyday else None  # an unknown one is refused before anything is laid out

    runs = together(*lineages).runs
    sources = bibliography(runs)
    many = len(runs) > MOST_DIAGRAMS
    pictures, trouble = ([""] * len(runs), MANY) if many else diagrams(runs)
    views = [
        replace(
            unfolded(run, _in_order({*run.outputs, *run.problems}), sources, place, everyday),
            diagram=Markup(picture),
            checked=check,
        )
        for place, (run, picture, check) in enumerate(zip(runs, pictures, checked(runs), strict=True), 1)
    ]
    metrics = _in_order({name for view in views for name in view.asked})
    shown = overview(runs, views, metrics)
    script = "\n".join(
        (PAGE / name).read_text(encoding="utf-8") for name in ("panzoom.min.js", "overview.js", "report.js")
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            title=f"Lineage of {runs[0].subject}" if len(runs) == 1 else f"Lineage of {len(runs)} runs",
            style=Markup((PAGE / "report.css").read_text(encoding="utf-8") + DARK),
            script=Markup(script),
            script_hash=f"sha256-{digest}",
            runs=views,
            shown=shown,
            csv=as_address(numbers_csv(shown, runs)),
            charts=charts(runs),
            sources=sources,
            household=household,
            no_diagram=f"The diagrams are left out: {trouble}." if trouble else "",
            version=__version__,
            catalog=runs[0].catalog,
        )
    )


def _in_order(names: set[str]) -> list[str]:
    return [*(name for name in ANSWERS if name in names), *sorted(names - ANSWERS.keys())]
