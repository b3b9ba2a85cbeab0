"""`runlineage table` through each engine, and how `why` reads a table that somebody else laid out."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

ENGINES = ["polars", "duckdb", pytest.param("dask", marks=pytest.mark.slow)]
LOG = "model,GPU hours,Power (kW)\na,1M,0.4\nb,n/a,0.4\nc,~5,0.4\n"
EPOCHS = {
    "Model": "BLOOM-176B",
    "Parameters": "176247271424",
    "Training compute (FLOP)": "3.5e23",
    "Training hardware": "NVIDIA A100 SXM4 80 GB",
    "Hardware quantity": "384",
    "Training time (hours)": "2808",
}

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("engine", ENGINES)
def test_columns_are_mapped_alike_through_every_engine(command, tmp_path: Path, engine: str, kind: str) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip(engine)
    source, target = tmp_path / "log.csv", tmp_path / f"out.{kind}"
    source.write_text(LOG)
    mapped = ["--column", "accelerator_hours=GPU hours", "--column", "device_power=Power (kW)"]
    code, printed, _ = command("table", str(source), "-o", str(target), "-m", "energy", *mapped, "--engine", engine)
    assert code == 0
    assert "3 rows\n  energy  1 answered: 1 by power_time\n" in printed
    parts = sorted(target.glob(f"*{target.suffix}")) if target.is_dir() else [target]
    rows = {"csv": pl.read_csv, "parquet": pl.read_parquet, "jsonl": pl.read_ndjson}[kind](parts[0]).to_dicts()
    assert len(parts) == 1
    assert [float(row["energy (GWh)"]) for row in rows[:1]] == [pytest.approx(0.4)]
    assert [row["energy (GWh)"] for row in rows[1:]] == [None, None]
    assert [row["problems"] for row in rows[:2]] == [None, "energy needs accelerator_hours"]
    assert rows[2]["problems"].startswith("accelerator_hours: '~5' does not start with a plain number; ")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_column_that_is_not_there_is_refused_alike(command, tmp_path: Path, engine: str) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip(engine)
    (tmp_path / "log.csv").write_text(LOG)
    mapped = ["--column", "accelerator_hours=GPU hour", "--engine", engine]
    code, out, err = command("table", str(tmp_path / "log.csv"), "-o", str(tmp_path / "out.csv"), *mapped)
    assert (code, out) == (2, "")
    assert "is 'GPU hour', which is no column of the table; did you mean 'GPU hours'?" in err
    assert [path.name for path in tmp_path.iterdir()] == ["log.csv"]


@pytest.fixture
def epochs(tmp_path: Path) -> Path:
    path = tmp_path / "epoch.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([EPOCHS.keys(), EPOCHS.values()])
    return path


def test_why_reads_a_row_of_epochs_table_as_the_table_does(command, epochs: Path) -> None:  # type: ignore[no-untyped-def]
    target = epochs.with_name("out.csv")
    assert command("table", str(epochs), "--from", "epoch", "-m", "training_operations", "-o", str(target))[0] == 0
    (row,) = pl.read_csv(target).to_dicts()
    assert row["training_operations (flop)"] == pytest.approx(3.5e23, rel=1e-12)
    assert row["training_operations route"] == "recorded"
    code, out, _ = command("why", str(epochs), "training_operations", "--row", "1", "--from", "epoch")
    assert code == 0
    assert out.startswith(f"BLOOM-176B ({epochs} row 1)\n\ntraining_operations = 3.5×10²³ flop\n")


def test_why_refuses_a_layout_that_it_does_not_know(command, epochs: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("why", str(epochs), "training_operations", "--row", "1", "--from", "epohc")
    assert (code, out) == (2, "")
    assert "--from: 'epohc' is unknown; there are epoch, codecarbon" in err


def test_without_its_layout_epochs_table_has_no_fact(command, epochs: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("why", str(epochs), "training_operations", "--row", "1")
    assert code == 1
    assert "3.5" not in out
    assert "training_operations" in err


@pytest.mark.parametrize("engine", ["duckdb", pytest.param("dask", marks=pytest.mark.slow)])
def test_a_signal_in_mid_table_leaves_nothing_whatever_the_engine(tmp_path: Path, engine: str) -> None:
    pytest.importorskip(engine)
    rows = "".join(f"m{number},{number + 1}.5 GPU hours,400\n" for number in range(400_000))
    (tmp_path / "in.csv").write_text("model,accelerator_hours,device_power\n" + rows)
    command = [sys.executable, "-m", "runlineage", "table", "in.csv", "-o", "out.csv", "--engine", engine]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        while running.poll() is None and not list(tmp_path.glob(".runlineage-*/*")):  # until it writes
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate(timeout=120)
    assert running.returncode == 128 + signal.SIGTERM, err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
