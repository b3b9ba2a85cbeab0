"""The examples print what their docstrings say, draw the same pictures every time, and their README's commands work."""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from runlineage import Driver, GraphError, metrics

CHECKOUT = Path(__file__).parent.parent
FOLDER = CHECKOUT / "examples"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
NOT_RUN = {"picture", "hamilton_context", "in_spark"}  # shared, read by Hamilton's command line, and run apart
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in NOT_RUN)
NEEDS = {"traced": "opentelemetry", "in_a_query": "duckdb"}  # extras that an environment may lack
COMMANDS = re.findall(r"^\$ (.+)$", README, re.MULTILINE)
# Draws every example in one process: what DOT text holds must not hang on the hash seed.
DRAW_ALL = """
import pathlib, runpy, sys
folder, out, *names = sys.argv[1:]
sys.path.insert(0, folder)
for name in names:
    sys.argv = [name, "--picture", f"{out}/{name}.dot"]
    runpy.run_path(f"{folder}/{name}.py", run_name="__main__")
"""


def said_by(path: Path) -> str:
    """Give what the docstring of an example says that it prints."""
    _, _, block = path.read_text(encoding="utf-8").split('"""')[1].partition("It prints:\n\n")
    return "".join(line.removeprefix("    ") for line in block.splitlines(keepends=True))


def skip_unless_there(name: str) -> None:
    if name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")


def ran(*command: str, seed: str = "0", folder: Path = CHECKOUT) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(CHECKOUT / ".package"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_prints_what_its_docstring_says(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_unless_there(name)
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out == said_by(FOLDER / f"{name}.py")


def test_an_example_runs_from_the_checkout_without_a_word_on_stderr() -> None:
    done = ran(sys.executable, "examples/own_builder.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, said_by(FOLDER / "own_builder.py"), "")


@pytest.mark.spark
def test_the_expressions_run_on_spark() -> None:
    pytest.importorskip("pyspark.sql")
    done = ran(sys.executable, "examples/in_spark.py")
    assert done.stdout == said_by(FOLDER / "in_spark.py"), done.stderr


def test_pictures_are_the_same_for_every_hash_seed(tmp_path: Path) -> None:
    names = [name for name in NAMES if name not in NEEDS and name != "cached"]  # that one starts processes of its own
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        done = ran(sys.executable, "-c", DRAW_ALL, str(FOLDER), str(tmp_path / seed), *names, seed=seed)
        assert done.returncode == 0, done.stderr
    for name in names:
        one, other = ((tmp_path / seed / f"{name}.dot").read_text() for seed in ("1", "2"))
        assert one.startswith("digraph lineage {")
        assert one == other
    if shutil.which("dot"):
        for kept in sorted((FOLDER / "pictures").glob("*.svg")):
            drawn = tmp_path / kept.name
            subprocess.run(["dot", "-Tsvg", tmp_path / "1" / f"{kept.stem}.dot", "-o", drawn], check=True)
            words = [sorted(re.findall(r"<text[^>]*>(.*?)</text>", path.read_text())) for path in (kept, drawn)]
            assert words[0] == words[1], "draw it anew: make pictures"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[:50])
def test_a_command_of_the_readme_works(command: str, tmp_path: Path) -> None:
    if "view" in command and not shutil.which("dot"):
        pytest.skip("dot is not installed")
    parts = shlex.split(command)
    start = {"python": [sys.executable], "hamilton": [sys.executable, "-m", "hamilton.cli"]}[parts[0]]
    for folder in ("examples", "dataflow"):
        (tmp_path / folder).symlink_to(CHECKOUT / folder)
    done = ran(*start, *parts[1:], folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for file in re.findall(r"\b\w+\.(?:svg|png)\b", command):
        assert (tmp_path / file).stat().st_size > 1000


def test_hamiltons_command_line_refuses_a_context_that_lacks_an_input(tmp_path: Path) -> None:
    text = (FOLDER / "hamilton_context.py").read_text().replace("HAMILTON_INPUTS = graph_inputs(FACTS)", "")
    (tmp_path / "context.py").write_text(text + "HAMILTON_INPUTS = {}\n")
    done = ran(
        *(sys.executable, "-m", "hamilton.cli", "validate", "--context", str(tmp_path / "context.py")),
        "dataflow/metrics.py",
    )
    assert done.returncode == 1
    assert "Required input accelerator_hours not provided" in done.stdout + done.stderr


def test_the_readme_lists_every_example_and_its_links_lead_somewhere() -> None:
    listed = set(re.findall(r"\[`(\w+)\.py`\]", README))
    assert listed == {path.stem for path in FOLDER.glob("*.py")} - {"picture"}
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (FOLDER / target).exists()


def test_examples_are_short_and_each_says_what_it_shows() -> None:
    for path in FOLDER.glob("*.py"):
        assert path.read_text().count("\n") < 60, path
        assert path.read_text().startswith('"""'), path


MISTAKES = {
    "a parameter of the wrong kind": {"yours": "def a(energy: kinds.Power) -> kinds.Power: ..."},
    "a node of the wrong kind": {"yours": "def energy(device_power: kinds.Power) -> kinds.Power: ..."},
    "a circle": {
        "yours": "def a(b: kinds.Energy) -> kinds.Energy: ...\ndef b(a: kinds.Energy) -> kinds.Energy: ...",
    },
    "one name in two modules": {
        "yours": "def a(energy: kinds.Energy) -> kinds.Energy: ...",
        "theirs": "def a(energy: kinds.Energy) -> kinds.Energy: ...",
    },
    "a missing annotation": {"yours": "def a(energy) -> kinds.Energy: ..."},
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_readme_gets_the_message_that_stands_there(
    mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = dict(re.findall(r"^\| (.+?) \| `(.+)` \|$", README, re.MULTILINE))
    assert messages.keys() == MISTAKES.keys()
    modules = [ModuleType(name) for name in MISTAKES[mistake]]
    for module in modules:
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(f"from runlineage import kinds\n{MISTAKES[mistake][module.__name__]}", vars(module))
    with pytest.raises(GraphError) as caught:
        Driver(metrics, *modules).execute(["a", "energy"], {"accelerator_hours": 1, "device_power": 400})
    assert str(caught.value) == messages[mistake]
