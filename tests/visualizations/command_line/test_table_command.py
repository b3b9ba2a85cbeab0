"""`runlineage table` and `why TABLE --row`: what is written, printed and refused."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

TABLE = """model,parameters,training_tokens,accelerator,precision,accelerator_hours,device_power
Llama 3.1 405B,405B,15.6T,H100 SXM,bf16,30.84M GPU hours,700 W
BLOOM,176247271424,366e9,A100 80GB SXM,bf16,"1,082,990",400
bad,7B,2T,TPU v4,bf16,~25,400 V
"""
EPOCH = Path(__file__).parents[4] / "shared" / "epoch"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.csv"
    path.write_text(TABLE)
    return path


def test_a_table_is_answered_row_by_row(command, models: Path) -> None:  # type: ignore[no-untyped-def]
    out = models.with_name("out.csv")
    code, printed, err = command("table", str(models), "-o", str(out))
    assert (code, err) == (0, "")
    rows = pl.read_csv(out)
    assert rows.columns[:7] == TABLE.splitlines()[0].split(",")
    assert rows["peak_fraction"].to_list() == pytest.approx(
        [0.3450977245966781, 0.31818023383221333, None], nan_ok=True
    )
    assert "3 rows\n  training_operations  3 answered: 3 by parameter_token\n" in printed
    assert "1 × device_power: '400 V' has an unknown unit 'V'" in printed
    assert "Llama 3.1 405B  3.7908×10²⁵" in printed


def test_one_metric_and_an_assumption_may_be_asked(command, models: Path) -> None:  # type: ignore[no-untyped-def]
    out = models.with_name("out.parquet")
    assert command("table", str(models), "-o", str(out), "-m", "energy", "--assume", "tdp")[0] == 0
    assert pl.read_parquet(out).columns[7:] == ["energy (GWh)", "energy route", "assumes", "problems"]


def test_the_footprint_of_a_table(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(
        "model,accelerator_hours,device_power,pue,carbon_intensity (g/kWh),price\n65B,1022362,400,1.1,385,$2\n"
    )
    asked = ("-m", "location_emissions", "-m", "training_cost", "-m", "implied_carbon_intensity")
    code, out, _ = command("table", str(source), "-o", str(target), *asked)
    assert code == 0
    assert "1 answered: 1 by its only route" in out
    (row,) = pl.read_csv(target).to_dicts()
    assert row["location_emissions (tCO2e)"] == pytest.approx(173.188, abs=5e-4)
    assert row["training_cost (USD)"] == pytest.approx(2_044_724)
    assert row["problems"] == "implied_carbon_intensity needs published_emissions"
    code, out, _ = command("why", str(source), "location_emissions", "--row", "1")
    assert code == 0
    assert "carbon_intensity (g/kWh)" in out


def test_strict_fails_with_the_row_before_anything_is_written(command, models: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("table", str(models), "-o", str(models.with_name("out.csv")), "--strict")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {models}: row 3: accelerator_hours: '~25' does not start with a plain number")
    assert [path.name for path in models.parent.iterdir()] == ["models.csv"]


def test_a_row_can_be_asked_why(command, models: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("why", str(models), "energy", "--row", "2")
    assert code == 0
    assert f"BLOOM ({models} row 2)\n\nenergy = 0.433196 GWh" in out
    assert "row 2, column accelerator_hours" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["table", "none.csv", "-o", "o.csv"], "none.csv: cannot be read: No such file or directory"),
        (["table", "a.csvv", "-o", "o.csv"], "is no table file by its suffix '.csvv'"),
        (["table", "MODELS", "-o", "o.xlsx"], "o.xlsx: is no table file by its suffix '.xlsx'"),
        (["table", "MODELS", "-o", "/none/o.csv"], "/none/o.csv cannot be written: No such file or directory"),
        (["table", "MODELS", "-o", "o.csv", "-m", "enrgy"], "'enrgy' is unknown; did you mean energy?"),
        (["table", "MODELS", "-o", "o.csv", "--assume", "tpd"], "unknown assumption 'tpd'; the nearest: tdp"),
        (
            ["table", "MODELS", "-o", "o.csv", "--from", "epohc"],
            "--from: 'epohc' is unknown; there are epoch, codecarbon",
        ),
        (["table", "MODELS", "-o", "o.csv", "--hardware", "x.csv"], "--hardware: is of a preset; add --from epoch"),
        (["table", "MODELS", "-o", "o.csv", "--master", "x"], "--master: is not of polars; add --engine spark"),
        (
            ["table", "MODELS", "-o", "o.csv", "--engine", "spark", "--scheduler", "x"],
            "--scheduler: is not of spark; add --engine dask",
        ),
        (["why", "MODELS", "energy", "--row", "9"], "--row: is 9"),
        (["why", "MODELS", "energy"], "is a table; `runlineage table` answers all its rows"),
    ],
)
def test_bad_input_is_one_error_and_nothing_is_written(command, models: Path, arguments: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command(*(str(models) if each == "MODELS" else each for each in arguments))
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("error: ")
    assert not Path("o.csv").exists()


def test_pipes_carry_the_table_and_leave_the_summary_to_the_error_stream(models: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "runlineage", "table", "-", "-o", "-"], input=TABLE, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith(
        "Llama 3.1 405B,405B,15.6T,H100 SXM,bf16,30.84M GPU hours,700 W,3.7908e"
    )
    assert "3 rows" in done.stderr


def many_rows(folder: Path) -> list[str]:
    """Write a table of many different texts, which takes seconds, and give the command that answers it."""
    rows = "".join(f"m{number},{number + 1}.5 GPU hours,400\n" for number in range(400_000))
    (folder / "in.csv").write_text("model,accelerator_hours,device_power\n" + rows)
    return [sys.executable, "-m", "runlineage", "table", str(folder / "in.csv"), "-o", str(folder / "out.csv")]


def test_an_interrupt_in_mid_table_leaves_no_half_file(tmp_path: Path) -> None:
    running = subprocess.Popen(many_rows(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not list(tmp_path.glob(".runlineage-*/*")):  # until it writes
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_a_disk_that_fills_is_one_sentence_and_leaves_nothing(kind: str, tmp_path: Path) -> None:
    rows = pl.DataFrame({"model": [f"m{row * row}" for row in range(50_000)], "device_power": 400.5})
    rows.write_parquet(tmp_path / "in.parquet")
    (tmp_path / f"out.{kind}").write_text("what was there before")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))"
    arguments = ["runlineage", "table", str(tmp_path / "in.parquet"), "-o", str(tmp_path / f"out.{kind}")]
    script = f"{limit}; import sys; sys.argv = {arguments}; from runlineage.__main__ import start; start()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {arguments[-1]} cannot be written: File too large\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", f"out.{kind}"]
    assert (tmp_path / f"out.{kind}").read_text() == "what was there before"


def test_a_full_disk_behind_a_pipe_is_one_sentence(models: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "runlineage", "table", str(models), "-o", "-"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


def on_terminal(command: list[str]) -> tuple[int, str]:
    """Run a command whose error stream is a terminal; give its exit code and what the terminal saw."""
    import pty

    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # which is how a terminal ends
        while piece := os.read(ours, 65536):
            seen += piece
    os.close(ours)
    return running.wait(60), seen.decode()


def test_the_preview_is_of_the_first_rows_whichever_piece_comes_first(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    rows = pl.DataFrame({"device_power": pl.int_range(1, 300_001, eager=True)})
    rows.write_parquet(tmp_path / "in.parquet", row_group_size=10_000)
    _, printed, _ = command("table", str(tmp_path / "in.parquet"), "-o", str(tmp_path / "out.parquet"))
    shown = printed[printed.index("device_power") :].splitlines()
    assert [line.split()[0] for line in shown[1:6]] == ["1", "2", "3", "4", "5"]


def test_a_terminal_sees_how_many_rows_are_done_where_it_takes_over_two_seconds(tmp_path: Path) -> None:
    code, seen = on_terminal(many_rows(tmp_path))
    assert code == 0
    assert re.search(r"[\d,]+ rows.*0:00:0\d", seen)
    assert seen.rstrip().endswith(("\x1b[2K", "\x1b[?25h", "\x1b[1A\x1b[2K"))  # and is left clean


def test_a_quick_table_shows_no_progress_on_a_terminal(models: Path) -> None:
    command = [sys.executable, "-m", "runlineage", "table", str(models), "-o", str(models.with_name("o.csv"))]
    assert on_terminal(command) == (0, "")


@pytest.mark.skipif(not EPOCH.exists(), reason="Epoch's files are not here")
def test_all_rows_of_epochs_models_pass(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "epoch.csv"
    hardware = ["--hardware", str(EPOCH / "ml_hardware.csv")]
    code, printed, _ = command(
        "table", str(EPOCH / "notable_ai_models.csv"), "--from", "epoch", *hardware, "-o", str(out)
    )
    assert code == 0
    assert "954 rows" in printed
    answered = pl.read_csv(out, infer_schema=False)
    assert answered.height == 954
    assert answered["energy (GWh)"].null_count() == 954, "facility power is not device power"
    fractions = answered["peak_fraction"].cast(pl.Float64).drop_nulls()
    assert len(fractions) > 20


def test_the_environment_of_a_pipe_needs_no_terminal(models: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "TERM"}
    command = [sys.executable, "-m", "runlineage", "table", str(models), "-o", str(models.with_name("o.tsv"))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_strict_looks_at_the_facts_of_what_is_asked(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "in.csv").write_text("accelerator_hours,device_power,pue\n1000,700,0.9\n")
    source, target = str(tmp_path / "in.csv"), tmp_path / "out.csv"
    code, _, err = command("table", source, "-m", "facility_energy", "--strict", "-o", str(target))
    assert code == 2
    assert "row 1: pue: '0.9' is out of its band; a PUE below 1 is impossible" in err
    assert not target.exists()
    assert command("table", source, "--strict", "-o", str(target))[0] == 0


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    rows = "\n".join(f"{number},700" for number in range(1, 200_000))
    (tmp_path / "in.csv").write_text(f"accelerator_hours,device_power\n{rows}\n")
    command = [sys.executable, "-m", "runlineage", "table", str(tmp_path / "in.csv"), "-m", "energy", "-o", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"accelerator_hours,device_power,energy (GWh)")
        running.stdout.close()
        assert running.stderr is not None
        assert b"error" not in running.stderr.read()
        assert running.wait() == 0


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("Parameters,training_tokens", "note: column 'Parameters' is carried through and not read; if it is "),
        ("model,size", "note: no column is a fact; `runlineage show --help` lists the fields"),
        ("Model,Parameters,Training hardware,Hardware quantity", "note: no column is a fact, and these are Epoch's"),
    ],
)
def test_columns_that_may_have_been_meant_as_facts_are_told(command, tmp_path: Path, header: str, said: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "in.csv").write_text(f"{header}\n{','.join('1' for _ in header.split(','))}\n")
    code, printed, err = command("table", str(tmp_path / "in.csv"), "-o", str(tmp_path / "out.csv"))
    assert (code, err) == (0, "")
    assert printed.splitlines()[-1].startswith(said)
    assert "\n1 row\n" in printed
    assert "  training_operations (flop)  " in printed
