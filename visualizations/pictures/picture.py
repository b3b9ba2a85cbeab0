"""Lineage as a picture file: SVG, PNG or PDF through graphviz's `dot`, or its text forms, by suffix."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

import graphviz

from runlineage.catalogs.base.errors import Fault, InputError, OutputError, echo
from runlineage.catalogs.base.spelling import nearest
from runlineage.dataflow.graph.lineage import Lineage, together
from runlineage.dataflow.runs.scenario import PublishedRunScenario
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.mermaid import mermaid
from runlineage.visualizations.pictures.routes_dot import module_dot, routes_dot
from runlineage.visualizations.pictures.svg_style import dressed
from runlineage.visualizations.tree import tree

UMASK = os.umask(0)  # can only be read by setting it, so it is read once
os.umask(UMASK)
SIGNS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}  # what a picture of each kind holds
PICTURES = tuple(SIGNS)
TEXTS = ("dot", "gv", "mmd", "txt")
PATIENCE = 60  # seconds: the largest pictures take a few
INSTALL = (
    "install graphviz: `apt-get install graphviz`, `brew install graphviz` or `winget install graphviz`;"
    " .dot, .mmd and .txt need no `dot`"
)
Shown = Lineage | PublishedRunScenario | ModuleType


def draw(shown: Shown | Iterable[Shown], path: str | Path, *, routes: bool = False) -> Path:
    """Write a picture to a file of the kind that its suffix names, whole or not at all.

    `shown` is a lineage, a run (all its metrics), a node module (its bare graph), or several of one sort side by side.
    `routes` shows every route with the taken ones bold, in place of the routes taken alone.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "gpt3.dot"
    >>> print(draw(Scenarios.Gpt3PublishedRun, file).read_text().split()[0])
    digraph
    """
    path = Path(path)
    kind = picture_kind(path)
    write_whole(path, picture(shown, kind, routes=routes))
    return path


def picture_kind(path: Path) -> str:
    """Tell the kind of a picture file from its suffix; an unknown one is refused before anything is computed."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in PICTURES + TEXTS:
        near = nearest(kind, PICTURES + TEXTS, 1)
        hint = f"; the nearest: .{near[0]}" if near else ""
        raise OutputError(
            f"{path}: no picture has the suffix {path.suffix!r}",
            f"the suffixes are {', '.join('.' + each for each in PICTURES + TEXTS)}{hint}",
        )
    return kind


def picture(shown: Shown | Iterable[Shown] | str, kind: str, *, routes: bool = False) -> bytes:
    """Give a picture as the bytes of one kind of file."""
    each = tuple(shown) if isinstance(shown, Iterable) and not isinstance(shown, str) else (shown,)
    modules = [one for one in each if isinstance(one, ModuleType)]
    _refuse_others(each, len(modules))
    if modules and kind in ("txt", "mmd"):
        raise OutputError(
            f"a .{kind} shows a run's lineage, and a module has no numbers", "take .svg, .png, .pdf or .dot"
        )
    if modules:
        return drawn(module_dot(*modules), kind)
    lineage = together(
        *(one if isinstance(one, Lineage) else one.lineage() for one in each if not isinstance(one, ModuleType))
    )
    if routes and kind in ("dot", "gv", *PICTURES):
        return drawn(routes_dot(lineage), kind)
    if not lineage.outputs:
        raise OutputError(f"{lineage.subject} has no answer to draw", "its routes and what they lack can be drawn")
    if kind == "txt":
        return (tree(lineage) + "\n").encode()
    return mermaid(lineage).encode() if kind == "mmd" else drawn(dot(lineage), kind)


def _refuse_others(each: Sequence[object], modules: int) -> None:
    faults = [
        Fault(f"shown[{place}]", f"is {echo(one)}", "expected a run (such as `Scenarios[name]`), a lineage or a module")
        for place, one in enumerate(each)
        if not isinstance(one, (Lineage, PublishedRunScenario, ModuleType))
    ]
    if not faults and 0 < modules < len(each):
        faults = [Fault("shown", "holds modules beside runs", "draw them apart: a module has no numbers")]
    if faults:
        raise InputError(tuple(faults))


def drawn(text: str, kind: str) -> bytes:
    """Let `dot` lay out a DOT text; an SVG gets the colours that dark backgrounds need."""
    if kind not in PICTURES:
        return text.encode()
    made = _laid_out(text, kind)
    return dressed(made) if kind == "svg" else made


def _laid_out(text: str, kind: str) -> bytes:
    # Through files: a `dot` that ends before it has read a pipe, or that leaves one open, would be our fault.
    with tempfile.TemporaryDirectory(prefix="runlineage-") as folder:
        made, said = Path(folder) / f"lineage.{kind}", Path(folder) / "said"
        source = graphviz.Source(text).save(Path(folder) / "lineage.gv")
        command = [graphviz.DOT_BINARY, f"-T{kind}", "-o", made, source]
        try:
            with (
                said.open("wb") as errors,
                subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
                ) as running,
            ):
                try:
                    code = running.wait(PATIENCE)
                except BaseException:  # too long, or Ctrl-C: nothing of it may go on
                    _end(running)
                    raise
        except subprocess.TimeoutExpired:
            raise OutputError(
                f"`dot` took over {PATIENCE} seconds and was stopped", "draw fewer runs or metrics"
            ) from None
        except FileNotFoundError:
            raise OutputError(f"a .{kind} picture needs graphviz's `dot`, which is not on the PATH", INSTALL) from None
        except OSError as problem:
            raise OutputError(f"`dot` cannot be run: {problem.strerror or problem}", INSTALL) from None
        if code:
            lines = said.read_text(errors="replace").strip().splitlines()
            raise OutputError("`dot` failed" + (f": {lines[0]}" if lines else f" with code {code}"))
        if not made.exists() or not made.stat().st_size:
            raise OutputError("`dot` made nothing", INSTALL)
        content = made.read_bytes()
        if SIGNS[kind] not in content:
            raise OutputError(f"`dot` made no .{kind}", INSTALL)
        return content


def _end(running: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(running.pid, signal.SIGKILL)
    running.kill()


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the target, then rename over it, so that no half-written file is ever seen."""
    beside = None
    try:
        target = path.resolve()  # through a link, to the file that it names
        if target.is_dir():
            raise OutputError(f"{path} is a folder", "name a file in it")
        if target.exists() and not target.is_file():
            raise OutputError(f"{path} is no ordinary file", "name a file on disk")
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=".runlineage-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(beside).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~UMASK)
        Path(beside).replace(target)
        beside = None
    except OutputError:
        raise
    except (OSError, RuntimeError, ValueError) as problem:  # a link to itself; a path with a null character
        cure = f"make the folder {path.parent} first" if isinstance(problem, FileNotFoundError) else ""
        raise OutputError(f"{path} cannot be written: {getattr(problem, 'strerror', None) or problem}", cure) from None
    finally:
        if beside is not None:
            Path(beside).unlink(missing_ok=True)
