"""The command line as a process: streams that are closed, full or left, and signals that end it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

RUN = f"{sys.executable} -m runlineage"


def shell(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", f"set -o pipefail; {script}"], capture_output=True, text=True)


@pytest.mark.parametrize("arguments", ["--help", "show --help", "--version", "why bloom", "card bloom --to bibtex"])
def test_a_reader_that_leaves_is_no_fault(arguments: str) -> None:
    done = shell(f"{RUN} {arguments} | true")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("closed", "code"), [("2>&-", 2), (">&- 2>&-", 2), ("2>/dev/full", 2)])
def test_an_error_that_nobody_reads_goes_nowhere_else(closed: str, code: int) -> None:
    done = shell(f"{RUN} show nope {closed}")
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_a_usage_error_that_nobody_reads_keeps_its_exit_code() -> None:
    assert shell(f"{RUN} show --bad 2>&-").returncode == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_a_table_and_leaves_no_half_file(tmp_path: Path, number: int) -> None:
    rows = "".join(f"m{row},{row + 1}.5 GPU hours,400\n" for row in range(400_000))
    (tmp_path / "in.csv").write_text("model,accelerator_hours,device_power\n" + rows)
    command = [sys.executable, "-m", "runlineage", "table", "in.csv", "-o", "out.csv"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}

    def heeded() -> None:  # the tests may run where it is ignored, as under nohup
        signal.signal(number, signal.SIG_DFL)

    with subprocess.Popen(command, cwd=tmp_path, preexec_fn=heeded, **pipes) as running:
        while running.poll() is None and not list(tmp_path.glob(".runlineage-*/*")):  # until it writes
            time.sleep(0.01)
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (128 + number, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("background", [False, True])
def test_a_signal_ends_what_draws_for_us_too(tmp_path: Path, background: bool) -> None:
    hanging = tmp_path / "dot"
    hanging.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/process\nexec sleep 600\n")
    hanging.chmod(0o755)
    command = [sys.executable, "-m", "runlineage", "draw", "bloom", "-o", str(tmp_path / "a.svg")]
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ignored = (lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if background else None  # as a shell does it
    with subprocess.Popen(command, env=environment, preexec_fn=ignored) as running:
        while running.poll() is None and not (tmp_path / "process").exists():
            time.sleep(0.01)
        time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "process").read_text()), 0)
    assert not (tmp_path / "a.svg").exists()


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    script = """import signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from runlineage.__main__ import signals_as_interrupts
signals_as_interrupts()
print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.mark.parametrize("width", [60, 100])
def test_messages_wrap_at_the_width_of_a_terminal(width: int) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "runlineage", "show", "opt-175b", "-m", "energy", "--assume", "tdp"]
    environment = os.environ | {"COLUMNS": str(width)}
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # which is how a terminal ends
        while piece := os.read(ours, 65536):
            seen += piece
    os.close(ours)
    assert running.wait(60) in (0, 1)
    lines = seen.decode().splitlines()
    assert max(map(len, lines)) <= width
    assert any(line.startswith("  ") for line in lines)
    piped = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert " ".join(seen.decode().split()) == " ".join(piped.stderr.split())
    assert max(map(len, piped.stderr.splitlines())) > width
