"""The forms of a comparison: one record each, from which the choices, the suffixes and the messages derive."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from runlineage.catalogs.base.errors import OutputError, UnknownNameError
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import FIELDS
from runlineage.visualizations.cards.form import IN_MARKDOWN
from runlineage.visualizations.cards.paper import escape_markdown
from runlineage.visualizations.comparison.side_by_side import WHY_RATIO, Cell, SideBySide, cell_lines
from runlineage.visualizations.comparison.text_table import text_table
from runlineage.visualizations.tree import WIDTH

SCHEMA = "runlineage.compare/1"
DIGITS = 15  # significant ones, which every float keeps
DETAILS = ("route", "assumes", "ratio to first", "problem")


@dataclass(frozen=True)
class Form:
    """A form of comparison: its name, its writer, and the suffixes of its files."""

    name: str
    write: Callable[[SideBySide], str]
    suffixes: tuple[str, ...]


def as_csv(shown: SideBySide) -> str:
    """Write a line a run; each answer in the unit of its head, then route, assumptions, ratio, and why it is missing.

    >>> from runlineage import compare
    >>> print(as_csv(compare("bloom", "gpt-3", metrics="energy")).splitlines()[0])
    run,energy (GWh),energy route,energy assumes,energy ratio to first,energy problem
    """
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    heads = [(_csv_head(name), *(f"{name} {detail}" for detail in DETAILS)) for name in shown.metrics]
    lines.writerow(["run", *(each for some in heads for each in some)])
    for run, row in zip(shown.runs, shown.rows, strict=True):
        lines.writerow([run, *(each for cell in row for each in _csv_cells(cell))])
    return written.getvalue()


def as_markdown(shown: SideBySide) -> str:
    """Write a table a cell an answer, and beneath it what the ratio is."""
    heads = ["run", *map(shown.head, shown.metrics)]
    rows = [
        [escape_markdown(run), *("<br>".join(map(escape_markdown, cell_lines(cell))) for cell in row)]
        for run, row in zip(shown.runs, shown.rows, strict=True)
    ]
    lines = [_bars(map(escape_markdown, heads)), _bars("---" for _ in heads), *map(_bars, rows)]
    return "\n".join([*lines, "", escape_markdown(WHY_RATIO.format(first=shown.runs[0])), ""])


def as_json(shown: SideBySide) -> str:
    """Write stable keys and full precision: each run's answers as `show --json` has them, and the ratio."""
    runs = [
        {
            "run": run,
            "metrics": {cell.result.name: cell.result.as_json() | {"ratio_to_first": cell.ratio} for cell in row},
            "warnings": list(results.warnings),
        }
        for run, row, results in zip(shown.runs, shown.rows, shown.results, strict=True)
    ]
    document = {"schema": SCHEMA, "first": shown.runs[0], "runs": runs}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _csv_head(name: str) -> str:
    unit = FIELDS[name].unit if name in FIELDS else ""
    return f"{name} ({unit})" if unit else name


def _csv_cells(cell: Cell) -> Iterable[str]:
    problem = cell.result.problem
    yield "" if cell.magnitude is None else _digits(cell.magnitude)
    yield cell.route
    yield "; ".join(cell.result.assumes)
    yield "" if cell.ratio is None else _digits(cell.ratio)
    yield problem.short if problem else ""


def _digits(size: float) -> str:
    """Write a number in at most 15 digits: the last bit of a float is noise."""
    return f"{size:.{DIGITS}g}"


def _bars(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


FORMS = {
    form.name: form
    for form in (
        Form("text", lambda shown: text_table(shown, WIDTH) + "\n", (".txt",)),
        Form("csv", as_csv, (".csv",)),
        Form("md", as_markdown, IN_MARKDOWN),
        Form("json", as_json, (".json",)),
    )
}
SPELT = {"markdown": "md", "txt": "text"}
*_OTHERS, _LAST = FORMS
FORM_NAMES = f"{', '.join(_OTHERS)} or {_LAST}"


def form_of(name: str) -> Form:
    """Return a form by its name; an unknown one is refused with the nearest.

    >>> print(form_of("markdown").suffixes)
    ('.md', '.markdown')
    """
    name = SPELT.get(name.casefold(), name)
    if name not in FORMS:
        raise UnknownNameError("form", name, nearest(name, FORMS, 1), f"there are {', '.join(FORMS)}")
    return FORMS[name]


def form_of_suffix(path: str, suffix: str) -> Form:
    """Return the form that a file's suffix names."""
    for form in FORMS.values():
        if suffix.lower() in form.suffixes:
            return form
    known = ", ".join(form.suffixes[0] for form in FORMS.values())
    raise OutputError(f"{path} is no file for a comparison", f"name one that ends in {known}")
