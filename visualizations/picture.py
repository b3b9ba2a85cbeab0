"""Lineage as a picture file: SVG, PNG or PDF through graphviz's `dot`, or its text forms, by suffix."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import graphviz

from runlineage.catalogs.errors import OutputError
from runlineage.catalogs.names import nearest
from runlineage.dataflow.lineage import Lineage
from runlineage.dataflow.scenario import PublishedRunScenario
from runlineage.visualizations.dot import dot
from runlineage.visualizations.tree import tree

UMASK = os.umask(0)  # can only be read by setting it, so it is read once
os.umask(UMASK)
PICTURES = ("svg", "png", "pdf")
TEXTS = ("dot", "gv", "txt")
INSTALL = (
    "install graphviz: `apt-get install graphviz`, `brew install graphviz` or `winget install graphviz`;"
    " .dot and .txt need no `dot`"
)


def draw(shown: Lineage | PublishedRunScenario, path: str | Path) -> Path:
    """Write a lineage, or that of a run's metrics, to a file of the kind that its suffix names, whole or not at all.

    >>> import pathlib, tempfile
    >>> from runlineage import Scenarios
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "gpt3.dot"
    >>> print(draw(Scenarios.Gpt3PublishedRun, file).read_text().split()[0])
    digraph
    """
    lineage = shown.lineage() if isinstance(shown, PublishedRunScenario) else shown
    path = Path(path)
    kind = picture_kind(path)
    if not lineage.outputs:
        raise OutputError(f"{lineage.subject} has no answer to draw")
    write_whole(path, picture(lineage, kind))
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


def picture(lineage: Lineage, kind: str) -> bytes:
    """Give a lineage as the bytes of one kind of file."""
    if kind == "txt":
        return (tree(lineage) + "\n").encode()
    if kind in TEXTS:
        return dot(lineage).encode()
    try:
        # Through files: a `dot` that ends before it has read a pipe would be our fault instead of its own.
        with tempfile.TemporaryDirectory(prefix="runlineage-") as folder:
            drawn = Path(folder) / f"lineage.{kind}"
            graphviz.Source(dot(lineage)).render(outfile=drawn, quiet=True)
            made = drawn.read_bytes() if drawn.exists() else b""
    except graphviz.ExecutableNotFound:
        raise OutputError(f"a .{kind} picture needs graphviz's `dot`, which is not on the PATH", INSTALL) from None
    except graphviz.CalledProcessError as problem:
        said = (problem.stderr or b"").decode(errors="replace").strip().splitlines()
        raise OutputError("`dot` failed" + (f": {said[0]}" if said else "")) from None
    except OSError as problem:
        raise OutputError(f"`dot` cannot be run: {problem.strerror or problem}", INSTALL) from None
    if not made:
        raise OutputError("`dot` made nothing", INSTALL)
    return made


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
    except (OSError, ValueError) as problem:  # ValueError: a path with a null character
        cure = f"make the folder {path.parent} first" if isinstance(problem, FileNotFoundError) else ""
        raise OutputError(f"{path} cannot be written: {getattr(problem, 'strerror', None) or problem}", cure) from None
    finally:
        if beside is not None:
            Path(beside).unlink(missing_ok=True)
