"""DOT text as a picture: laid out by graphviz's `dot`, in a process that ends when we do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import graphviz

from runlineage.catalogs.base.errors import OutputError
from runlineage.visualizations.pictures.svg_style import dressed

SIGNS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}  # what a picture of each kind holds
PICTURES = tuple(SIGNS)
PATIENCE = 60  # seconds: the largest pictures take a few
INSTALL = (
    "install graphviz: `apt-get install graphviz`, `brew install graphviz` or `winget install graphviz`;"
    " .dot, .mmd and .txt need no `dot`"
)


def drawn(text: str, kind: str) -> bytes:
    """Let `dot` lay out a DOT text; an SVG gets the colours that dark backgrounds need."""
    if kind not in PICTURES:
        return text.encode()
    made = _laid_out(text, kind)
    return dressed(made) if kind == "svg" else made


def _laid_out(text: str, kind: str) -> bytes:
    # Through files: a `dot` that ends before it has read a pipe, or that leaves one open, would be our fault.
    with tempfile.TemporaryDirectory(prefix="runlineage-") as folder:
        made, log = Path(folder) / f"lineage.{kind}", Path(folder) / "errors.txt"
        source = graphviz.Source(text).save(Path(folder) / "lineage.gv")
        code = _exit_code([graphviz.DOT_BINARY, f"-T{kind}", "-o", str(made), source], log, kind)
        if code:
            lines = log.read_text(errors="replace").strip().splitlines()
            reason = f": {lines[0]}" if lines else f" with code {code}"
            raise OutputError(f"`dot` failed{reason}", "write a .dot file, and try `dot` on it")
        if not made.exists() or not made.stat().st_size:
            raise OutputError("`dot` made nothing", INSTALL)
        content = made.read_bytes()
        if SIGNS[kind] not in content:
            raise OutputError(f"`dot` made no .{kind}", INSTALL)
        return content


def _exit_code(command: list[str], log: Path, kind: str) -> int:
    """Run `dot` to its end, its messages into a file; whatever stops the wait ends it too."""
    none = subprocess.DEVNULL
    try:
        with (
            log.open("wb") as errors,
            subprocess.Popen(command, stdin=none, stdout=none, stderr=errors, start_new_session=True) as dot,
        ):
            try:
                return dot.wait(PATIENCE)
            except BaseException:  # too long, or Ctrl-C: nothing of it may go on
                _end(dot)
                raise
    except subprocess.TimeoutExpired:
        raise OutputError(f"`dot` took over {PATIENCE} seconds and was stopped", "draw fewer runs or metrics") from None
    except FileNotFoundError:
        raise OutputError(f"a .{kind} picture needs graphviz's `dot`, which is not on the PATH", INSTALL) from None
    except OSError as problem:
        raise OutputError(f"`dot` cannot be run: {problem.strerror or problem}", INSTALL) from None


def _end(running: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(running.pid, signal.SIGKILL)
    running.kill()
    running.wait()
