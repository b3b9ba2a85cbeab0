"""Table files: read and written by Polars as a stream, so that they may be larger than memory."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from runlineage.catalogs.base.errors import CatalogError, Fault, InputError, OutputError, refuse
from runlineage.catalogs.base.files import beside
from runlineage.catalogs.base.spelling import nearest
from runlineage.catalogs.quantities.fields import ANSWERS
from runlineage.dataflow.tables.engines import PIPE
from runlineage.dataflow.tables.line_faults import broken_json, broken_row, ends_in_cr, other_separator
from runlineage.dataflow.tables.request import interval_headers, output_header

SEPARATORS = {"csv": ",", "tsv": "\t"}
LINES = ("jsonl", "ndjson")
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)  # errors that only writing meets
KINDS = (*SEPARATORS, "parquet", *LINES)
PACKED = (".gz", ".zst")  # of text files, read as they are
DIGITS = 15  # significant ones of text that every float keeps
PIECE = 1 << 20  # bytes of a file at a time


def table_kind(path: str) -> str:
    """Return the kind of a table file by its suffix; a pipe is CSV, a folder is of Parquet.

    >>> print(table_kind("runs.parquet"), table_kind("-"), table_kind("runs.tsv.gz"))
    parquet csv tsv
    """
    if path == PIPE:
        return "csv"
    named = Path(path)
    inner = named.with_suffix("") if named.suffix.lower() in PACKED else named
    kind = inner.suffix.lower().removeprefix(".")
    if kind not in KINDS and Path(path).is_dir():
        return "parquet"
    if kind not in KINDS or (kind == "parquet" and inner != named):
        near = nearest(kind, KINDS, 1)
        known = ", ".join(f".{each}" for each in KINDS)
        hint = f"; the nearest: .{near[0]}" if near else ""
        refuse(path, f"is no table file by its suffix {named.suffix!r}", f"expected {known}{hint}")
    return kind


def scan(path: str) -> pl.LazyFrame:
    """Open a table lazily. CSV cells stay text, as they stand in the file; the one reader reads those of facts."""
    with explained(path):
        kind = table_kind(path)
        if kind in SEPARATORS:
            source = str(_spooled()) if path == PIPE else path
            how: dict[str, Any] = {"separator": SEPARATORS[kind], "infer_schema": False, "glob": True}
            how |= {"eol_char": "\r"} if ends_in_cr(source) else {}
            _check_headers(path, pl.scan_csv(source, has_header=False, n_rows=1, **how), SEPARATORS[kind])
            return pl.scan_csv(source, **how)
        if kind == "parquet":
            return pl.scan_parquet(Path(path) / "*.parquet" if Path(path).is_dir() else path)
        return pl.scan_ndjson(path, infer_schema_length=10_000)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="runlineage-", ignore_cleanup_errors=True)


@contextmanager
def pipes_read() -> Iterator[None]:
    """Clear what came through pipes, once it is read."""
    try:
        yield
    finally:
        if _folder.cache_info().currsize:
            _folder().cleanup()
            _folder.cache_clear()


def _spooled() -> Path:
    """Write standard input to disk, piece by piece: a table is read more than once, and may be larger than memory."""
    file = Path(_folder().name) / "input.csv"
    with file.open("wb") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy, PIECE)
    return file


def _check_headers(path: str, first: pl.LazyFrame, separator: str) -> None:
    """Refuse doubled headers, which Polars would rename in silence."""
    headers = [header or "" for header in first.collect().row(0)]
    if other := other_separator(headers, separator):
        refuse(path, f"has cells that are separated by {other}", "save it with commas, or with tabs as .tsv")
    doubled = sorted(header for header, count in Counter(headers).items() if count > 1 and header)
    if doubled:
        cure = "give each column its own name"
        raise InputError(tuple(Fault(f"{path}: column {name!r}", "appears twice", cure) for name in doubled))


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn what Polars and the system say of a file into one sentence of ours."""
    try:
        yield
    except (InputError, OutputError, BrokenPipeError):
        raise
    except pl.exceptions.NoDataError:
        raise CatalogError((Fault(path, "is empty", "expected a header and rows"),)) from None
    except UnicodeDecodeError:
        raise CatalogError((Fault(path, _where(path) or "is not UTF-8; save it as UTF-8"),)) from None
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise CatalogError((Fault(path, _where(path) or _reason(problem)),)) from None


def _where(path: str) -> str:
    """Describe which line of a file is broken, where it is one file of lines."""
    kind = table_kind(path)
    if kind in SEPARATORS:
        return broken_row(path, SEPARATORS[kind])
    return broken_json(path) if kind in LINES else ""


def _reason(problem: Exception) -> str:
    message = getattr(problem, "strerror", None) or str(problem).partition("\n")[0]
    if "utf-8" in message:
        return "is not UTF-8; save it as UTF-8"
    if "more fields" in message:
        return "has a row with more cells than headers"
    if "No such file" in message or "expanded paths were empty" in message:
        return "cannot be read: No such file or directory"
    return f"cannot be read: {message}"


def sink(table: pl.LazyFrame, path: str) -> None:
    """Write a table as a stream, whole or not at all."""
    if path == PIPE:
        with _written("the output"):
            in_digits(table).sink_csv(sys.stdout.buffer)
        return
    kind = table_kind(path)
    if Path(path).suffix.lower() in PACKED:
        refuse(path, "cannot be written packed", f"name {Path(path).with_suffix('').name}")
    with beside(path) as made, _written(path):
        _sink_kind(table, str(made), kind)


@contextmanager
def _written(path: str) -> Iterator[None]:
    """Turn what fails in writing into one sentence; what fails in reading, in the same stream, passes."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as problem:
        number = _number(problem)
        if number == errno.EPIPE:  # no fault: whoever reads the pipe has seen enough
            raise BrokenPipeError(number, os.strerror(number)) from None
        if not isinstance(problem, OSError) and number not in FULL:
            raise
        message = os.strerror(number) if number else str(problem)
        raise OutputError(f"{path} cannot be written: {message}") from None


def _number(problem: Exception) -> int:
    """Return the system's number of an error, which Polars writes into its own sentence; 0 where there is none."""
    found = re.search(r"\(os error (\d+)\)", str(problem))
    return int(found[1]) if found else getattr(problem, "errno", None) or 0


def _sink_kind(table: pl.LazyFrame, path: str, kind: str) -> None:
    if kind in SEPARATORS:
        in_digits(table).sink_csv(path, separator=SEPARATORS[kind])
    elif kind == "parquet":
        table.sink_parquet(path, metadata={"runlineage": json.dumps(units())}, arrow_schema=_with_units(table))
    else:
        table.sink_ndjson(path)


def in_digits(table: pl.LazyFrame) -> pl.LazyFrame:
    """Return a table whose answers are rounded to the digits that a float holds in any unit: 0.688128 for its noise.

    >>> noisy = pl.LazyFrame({"energy (GWh)": [0.6881280000000001]})
    >>> print(in_digits(noisy).collect().item())
    0.688128
    """
    numbers = [name for name, kind in table.collect_schema().items() if name in units() and kind == pl.Float64]
    return table.with_columns(pl.col(name).round_sig_figs(DIGITS) for name in numbers)


def units() -> dict[str, str]:
    """Return the unit of each column that the metrics add, by its header."""
    return {
        header: field.unit_text
        for name, field in ANSWERS.items()
        for header in (output_header(name), *interval_headers(name))
    }


def _with_units(table: pl.LazyFrame) -> Any:
    """Return the Arrow schema of a table with the units in its fields' metadata, where PyArrow can write them."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return None
    schema = table.head(0).collect().to_arrow().schema
    for name, unit in units().items():
        if name in schema.names:
            place = schema.get_field_index(name)
            schema = schema.set(place, schema.field(place).with_metadata({"unit": unit}))
    return schema
