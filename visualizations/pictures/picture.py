"""Lineage as a file of the kind that its suffix names: a picture, or one of the text forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from runlineage.catalogs.base.errors import Fault, InputError, OutputError, echo
from runlineage.catalogs.base.files import write_whole
from runlineage.catalogs.base.spelling import nearest
from runlineage.dataflow.graph.lineage import Lineage, together
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.dataflow.runs.staged import AnyRun, StagedRun
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.layout import PICTURES, drawn
from runlineage.visualizations.pictures.mermaid import mermaid
from runlineage.visualizations.pictures.routes_dot import module_dot, routes_dot
from runlineage.visualizations.tree import tree

TEXTS = ("dot", "gv", "mmd", "txt")
Shown = Lineage | AnyRun | ModuleType


def draw(shown: Shown | Iterable[Shown], path: str | Path, *, routes: bool = False, slide: bool = False) -> Path:
    """Write a picture to a file of the kind that its suffix names, whole or not at all.

    `shown` is a lineage, a run (all its metrics), a node module (its bare graph), or several of one sort side by side.
    `routes` shows every route with the taken ones bold, in place of the routes taken alone; `slide` shows
    names and values alone, at the size of a slide.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "gpt3.dot"
    >>> print(draw(Scenarios.Gpt3PublishedRun, file).read_text().split()[0])
    digraph
    """
    path = Path(path)
    kind = picture_kind(path)
    write_whole(path, picture(shown, kind, routes=routes, slide=slide))
    return path


def picture_kind(path: Path) -> str:
    """Return the kind of a picture file by its suffix; an unknown one is refused before anything is computed."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in PICTURES + TEXTS:
        near = nearest(kind, PICTURES + TEXTS, 1)
        hint = f"; the nearest: .{near[0]}" if near else ""
        raise OutputError(
            f"{path}: no picture has the suffix {path.suffix!r}",
            f"the suffixes are {', '.join('.' + each for each in PICTURES + TEXTS)}{hint}",
        )
    return kind


def picture(shown: Shown | Iterable[Shown] | str, kind: str, *, routes: bool = False, slide: bool = False) -> bytes:
    """Return a picture as the bytes of one kind of file."""
    each: tuple[Any, ...] = tuple(shown) if isinstance(shown, Iterable) and not isinstance(shown, str) else (shown,)
    modules = [one for one in each if isinstance(one, ModuleType)]
    _refuse_others(each, len(modules))
    if slide and (modules or routes or kind in ("txt", "mmd")):
        raise OutputError(
            "a slide holds the routes taken alone, as a picture",
            "leave --slide, --routes or --nodes out, or write a .svg",
        )
    if modules and kind in ("txt", "mmd"):
        raise OutputError(
            f"a .{kind} shows a run's lineage, and a module has no numbers", "use .svg, .png, .pdf or .dot"
        )
    if modules:
        return drawn(module_dot(*modules), kind)
    lineage = together(
        *(one if isinstance(one, Lineage) else one.lineage() for one in each if not isinstance(one, ModuleType))
    )
    if routes and kind in ("dot", "gv", *PICTURES):
        return drawn(routes_dot(lineage), kind)
    if not lineage.outputs:
        raise OutputError(
            f"{lineage.subject} has no answer to draw",
            "its routes and what is missing can be drawn: routes=True, or --routes",
        )
    if kind == "txt":
        return (tree(lineage) + "\n").encode()
    return mermaid(lineage).encode() if kind == "mmd" else drawn(dot(lineage, slide=slide), kind)


def _refuse_others(each: Sequence[object], modules: int) -> None:
    faults = [
        Fault(f"shown[{place}]", f"is {echo(one)}", "expected a run (such as `Scenarios[name]`), a lineage or a module")
        for place, one in enumerate(each)
        if not isinstance(one, (Lineage, PublishedRunScenario, StagedRun, ModuleType))
    ]
    if not faults and 0 < modules < len(each):
        faults = [Fault("shown", "holds modules beside runs", "draw them separately: a module has no numbers")]
    if faults:
        raise InputError(tuple(faults))
