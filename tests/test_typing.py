"""A user's own strictly typed script passes the type checker against the installed package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import polars as pl
from runlineage import Driver, HardwareNode, PublishedRunScenario, Scenarios, Workload, assumption, draw, kinds, metrics
from runlineage import evaluate

work = Workload(name="PaLM", parameters="540B", training_tokens=780e9)
node = HardwareNode(name="GPU", peak_bf16="989.4 TFLOP/s", tdp="700 W")
run = PublishedRunScenario(work, node, accelerator_hours="1M GPU hours", precision="bf16", assume={"tdp"})
energy: kinds.Energy = run.energy
route: str | None = run.result("energy").route
name: str = Scenarios["bloom"].name
magnitude = Driver(metrics).execute(["energy"], {"accelerator_hours": 1, "device_power": 400})["energy"].magnitude


def energy_per_token(energy: kinds.Energy, training_tokens: kinds.Tokens) -> object:
    return energy / training_tokens


@assumption("half_power")
def device_power__half(accelerator_tdp: kinds.Power) -> kinds.Power:
    return accelerator_tdp


draw(run.lineage(), "run.svg")
answered: pl.LazyFrame = evaluate(pl.LazyFrame({"device_power": [400.0]}), "energy")  # the type that it was given
"""


@pytest.mark.slow
def test_a_users_script_is_strictly_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "script.py").write_text(SCRIPT)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert checked.stdout.strip().endswith("Success: no issues found in 1 source file"), checked.stdout
