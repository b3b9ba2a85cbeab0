"""What is built holds the whole package and nothing else, and runs in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CHECKOUT = Path(__file__).parent.parent
PACKAGE = CHECKOUT / ".package" / "runlineage"
ROOMS = ("catalogs", "dataflow", "visualizations")


def sources() -> set[str]:
    """Name every file that an installed package needs: all that stands in the rooms, but for the gallery."""
    files = [path for path in PACKAGE.iterdir() if path.is_file()]
    files += [path for room in ROOMS for path in (CHECKOUT / room).rglob("*") if path.is_file()]
    names = (path.relative_to(PACKAGE if path.parent == PACKAGE else CHECKOUT) for path in files)
    return {f"runlineage/{name.as_posix()}" for name in names if not {"gallery", "__pycache__"} & {*name.parts}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from that sdist; from a copy, since a build writes beside the sources."""
    folder = tmp_path_factory.mktemp("built")
    copy = folder / "checkout"
    left_out = shutil.ignore_patterns(
        ".git", ".venv*", "*.egg-info", "*_cache", "__pycache__", ".hypothesis", "build", "demo"
    )
    shutil.copytree(CHECKOUT, copy, symlinks=True, ignore=left_out)
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(copy)], check=True, capture_output=True)
    return folder


def test_a_wheel_holds_every_file_of_the_rooms_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == sources()
    assert {".toml", ".txt", ".json", ".jinja", ".css", ".js", ".typed", ".pyi"} < {Path(name).suffix for name in names}


def test_an_sdist_holds_the_tests_and_the_pictures_of_the_readme(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"tests/test_wheel.py", "tests/lowest.sh", "examples/README.md", "Makefile", "CHANGELOG.md"} <= names
    assert {f"visualizations/gallery/{path.name}" for path in (CHECKOUT / "visualizations/gallery").iterdir()} <= names


def test_a_wheel_and_an_editable_install_run_in_a_fresh_environment(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    fresh = tmp_path / "fresh" / "bin"
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(command: str, *arguments: str | Path) -> str:
        done = subprocess.run([fresh / command, *arguments], capture_output=True, text=True, cwd=tmp_path, env=alone)
        assert done.returncode == 0, done.stderr
        return done.stdout

    subprocess.run([sys.executable, "-m", "venv", str(fresh.parent)], check=True)
    run("pip", "install", "--quiet", wheel)
    asked_from = {}
    for install in ("wheel", "editable"):
        if install == "editable":
            run("pip", "install", "--quiet", "--no-deps", "--editable", built / "checkout")
        assert "24.5558 TFLOP/s per accelerator  by reference_run" in run("runlineage", "show", "Gpt3PublishedRun")
        run("runlineage", "report", "Gpt3PublishedRun", "-o", f"{install}.html")
        asked_from[install] = run("python", "-c", "import runlineage.catalogs as rows; print(rows.__file__)")
    assert "site-packages" in asked_from["wheel"]
    assert "site-packages" not in asked_from["editable"]
