"""A user's own strictly typed script passes the type checker against the installed package."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import numpy as np
import pint
import polars as pl
from runlineage import Driver, Fact, HardwareNode, PublishedRunScenario, Scenarios, Workload
from runlineage import assumption, draw, evaluate, kinds, metrics

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
changed = run.variant(workload="bloom", accelerator="TPU v4", device_power=None, assume=[])
several = PublishedRunScenario(
    device_power=np.array([400.0, 500.0]), duration=[1, 2], pue=Fact("1.1", source="card"), sparse=True, year=2022,
    accelerator_hours=pint.UnitRegistry().Quantity(3.0, "hour"),
    periods=[{"accelerator_count": 10, "duration": "3 days"}],
)
watts: float = run.results(["energy"])["energy"].m_as("kWh")
perhaps = run.result("energy").value
if perhaps is not None:
    print(perhaps.magnitude)
"""
# What a checker refuses, and the word of its message.
SLIPS = {
    "run.resluts()": "attr-defined",
    "run.enregy": "attr-defined",
    "PublishedRunScenario(device_pwoer=400)": "call-arg",
    "run.variant(durration=3)": "call-arg",
    "PublishedRunScenario(device_power={400})": "arg-type",
    "run.result('energy').value.magnitude": "union-attr",
    "run.results(['energy']).result('energy').valeu": "attr-defined",
}


def _checked(folder: Path, script: str) -> str:
    pytest.importorskip("mypy")
    (folder / "script.py").write_text(script)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "script.py"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return checked.stdout


@pytest.mark.slow
def test_a_users_script_is_strictly_typed(tmp_path: Path) -> None:
    checked = _checked(tmp_path, SCRIPT)
    assert checked.strip().endswith("Success: no issues found in 1 source file"), checked


@pytest.mark.slow
def test_a_checker_refuses_every_slip(tmp_path: Path) -> None:
    lines = ["from runlineage import PublishedRunScenario", "run = PublishedRunScenario()", *SLIPS]
    refused = re.findall(r"^script.py:(\d+): error: .*\[(\S+)\]$", _checked(tmp_path, "\n".join(lines)), re.MULTILINE)
    assert refused == [(str(line), code) for line, code in enumerate(SLIPS.values(), 3)]
