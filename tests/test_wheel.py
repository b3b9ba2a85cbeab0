"""A wheel of the package works in an environment of its own, from another folder."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent


@pytest.mark.slow
def test_a_wheel_runs_in_a_fresh_environment_from_another_folder(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--outdir", str(tmp_path), str(CHECKOUT)]  # the wheel from the sdist
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"runlineage"}
    page = {f"runlineage/visualizations/pages/page/report.{kind}" for kind in ("html.jinja", "css", "js")}
    assert page <= set(names)
    assert {"runlineage/catalogs/quantities/units.txt", "runlineage/catalogs/runs.toml", "runlineage/py.typed"} <= set(
        names
    )

    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "fresh")], check=True)
    python = tmp_path / "fresh" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True, capture_output=True)
    command = [tmp_path / "fresh" / "bin" / "runlineage", "show", "Gpt3PublishedRun"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert "24.5558 TFLOP/s per accelerator  by reference_run" in shown
