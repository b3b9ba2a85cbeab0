"""Files that are written whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runlineage.catalogs.base.errors import OutputError


@contextmanager
def beside(path: str | Path) -> Iterator[Path]:
    """Yield a path to write to, beside a target and of its name; then rename it over the target.

    A failure leaves nothing. Work that goes on for a moment after an interrupt then has nowhere to write, since the
    path lies in a folder of its own, which is gone.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "answers.csv"
    ...     with beside(target) as file:
    ...         print(file.write_text("energy"), target.exists())
    ...     print(target.read_text())
    6 False
    energy
    """
    target = _target(path)
    try:
        with tempfile.TemporaryDirectory(
            dir=target.parent, prefix=".runlineage-", ignore_cleanup_errors=True
        ) as folder:
            made = Path(folder) / target.name
            yield made
            if target.exists():
                made.chmod(target.stat().st_mode & 0o777)
            made.replace(target)
    except OutputError:
        raise
    except OSError as problem:
        cure = f"make the folder {target.parent} first" if isinstance(problem, FileNotFoundError) else ""
        raise OutputError(f"{path} cannot be written: {problem.strerror or problem}", cure) from None


def _target(path: str | Path) -> Path:
    """Return the file that a path names, through links, where an ordinary file can be written."""
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise OutputError(f"{path} is a folder", "name a file in it")
        if target.exists() and not target.is_file():
            raise OutputError(f"{path} is no ordinary file", "name a file on disk")
    except OutputError:
        raise
    except (OSError, RuntimeError, ValueError) as problem:  # a link to itself; a path with a null character
        raise OutputError(f"{path} cannot be written: {getattr(problem, 'strerror', None) or problem}") from None
    return target


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file of some bytes, whole or not at all."""
    with beside(path) as file:
        file.write_bytes(content)
