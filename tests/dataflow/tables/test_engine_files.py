"""Table files through DuckDB, a local Dask cluster and Spark: the rows are those that Polars writes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from runlineage import InputError, OutputError
from runlineage.dataflow.tables.engines import RUNNERS
from runlineage.dataflow.tables.files import scan, sink
from runlineage.dataflow.tables.polars_frames import evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest

# Third parties warn of their own future; none of it is ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
ASKED = TableRequest.of("energy", ("tdp",))
HEADER = "model,accelerator,accelerator_hours,device_power\n"
TABLE = f"""{HEADER}a,H100 SXM,30.84M GPU hours,700 W
"b
c",A100 80GB SXM,"1,082,990",
d,,~25,400
"""
ENGINES = [
    pytest.param("duckdb", "duckdb"),
    pytest.param("dask", "distributed", marks=pytest.mark.slow),
    pytest.param("spark", "pyspark", marks=[pytest.mark.slow, pytest.mark.spark]),
]


def rows(path: Path) -> list[tuple[Any, ...]]:
    parts = str(path / f"*{path.suffix}") if path.is_dir() else str(path)
    return [tuple(str(cell or "") for cell in row) for row in scan(parts).collect().rows()]


@pytest.mark.parametrize(("engine", "package"), ENGINES)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_engine_writes_what_polars_writes(engine: str, package: str, kind: str, tmp_path: Path) -> None:
    pytest.importorskip(package)
    if engine == "spark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    (tmp_path / "in.csv").write_text(TABLE)
    source = tmp_path / f"in.{kind}"
    if kind == "parquet":
        sink(scan(str(tmp_path / "in.csv")), str(source))
    sink(evaluate_lazy(scan(str(source)), ASKED), str(tmp_path / f"polars.{kind}"))
    RUNNERS[engine].through(str(source), str(tmp_path / f"out.{kind}"), ASKED, None)
    assert rows(tmp_path / f"out.{kind}") == rows(tmp_path / f"polars.{kind}")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".runlineage")]


@pytest.mark.slow
def test_dask_cuts_no_cell_that_holds_line_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dd = pytest.importorskip("dask.dataframe")
    pytest.importorskip("distributed")
    lines = "\n".join("x" * 9 for _ in range(9))
    (tmp_path / "in.csv").write_text(HEADER + f'"{lines}",A100 80GB SXM,5,400\n' * 9)
    read_csv = dd.read_csv

    def in_small_pieces(*files: Any, blocksize: Any, **how: Any) -> Any:
        return read_csv(*files, blocksize=100 if blocksize == "default" else blocksize, **how)

    monkeypatch.setattr(dd, "read_csv", in_small_pieces)
    RUNNERS["dask"].through(str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), ASKED, None)
    assert [row[0] for row in rows(tmp_path / "out.csv")] == [lines] * 9
    (tmp_path / "in.csv").write_text(HEADER + "plain,A100 80GB SXM,5,400\n" * 99)
    RUNNERS["dask"].through(str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), ASKED, None)
    assert [row[0] for row in rows(tmp_path / "out.csv")] == ["plain"] * 99


@pytest.mark.parametrize("target", ["-", "o.csv"])
def test_pipes_are_for_polars(target: str) -> None:
    with pytest.raises(InputError, match="pipes go through polars"):
        RUNNERS["duckdb"].through("-", target, ASKED, None)


def test_a_folder_in_the_way_and_a_missing_file_are_said(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (tmp_path / "out.parquet").mkdir()
    with pytest.raises(OutputError, match="is there already; name a new folder"):
        RUNNERS["duckdb"].through("in.csv", str(tmp_path / "out.parquet"), ASKED, None)
    with pytest.raises(InputError, match=r"none\.csv: duckdb stopped: "):
        RUNNERS["duckdb"].through(str(tmp_path / "none.csv"), str(tmp_path / "out.csv"), ASKED, None)


def test_an_engine_that_is_not_installed_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(
        InputError, match=r"duckdb needs duckdb, which is not installed; pip install 'runlineage\[duckdb\]'"
    ):
        RUNNERS["duckdb"].through("in.csv", str(tmp_path / "out.csv"), ASKED, None)


def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    import dask

    (tmp_path / "in.csv").write_text(TABLE)
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(InputError, match=r"--scheduler: tcp://127\.0\.0\.1:1 cannot be reached: Timed out"),
    ):
        RUNNERS["dask"].through(str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), ASKED, "tcp://127.0.0.1:1")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
