"""The house: rooms import only downwards, examples of docstrings run, and importing the package stays light."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import runlineage
from runlineage.dataflow.checks.marks import CHECK_MODULES
from runlineage.dataflow.modules import MODULES as NODE_MODULES

CHECKOUT = Path(__file__).parent.parent

# The floors, lowest first: a room imports from lower floors and from itself, and has no circle within.
FLOORS = (
    ("catalogs.base",),
    ("catalogs.quantities",),
    ("catalogs.records", "dataflow.adapters"),
    ("catalogs", "nodes", "dataflow.comparisons", "dataflow.routes"),
    ("dataflow.inputs",),
    ("dataflow.spreads",),
    ("dataflow.graph",),
    ("dataflow.checks",),
    ("dataflow.runs", "visualizations"),
    ("dataflow.cards", "dataflow.exchange", "dataflow.tables", "visualizations.pictures"),
    ("dataflow.codecarbon", "dataflow.epoch", "visualizations.cards", "visualizations.pages"),
    ("visualizations.comparison",),
    ("visualizations.command_line",),
)
NODE_FILES = (*NODE_MODULES, *CHECK_MODULES)
NODES = tuple(module.__name__.removeprefix("runlineage.") for module in NODE_MODULES)
NODES_MAY_IMPORT = {
    "catalogs.quantities.constants",
    "catalogs.quantities.kinds",
    "catalogs.quantities.units",
    "dataflow.adapters.comparison",
    "dataflow.adapters.fingerprints",
    "dataflow.adapters.marks",
}
FILES = {
    path.relative_to(CHECKOUT).with_suffix("").as_posix().replace("/", "."): path
    for folder in ("catalogs", "dataflow", "visualizations")
    for path in sorted((CHECKOUT / folder).rglob("*.py"))
    if path.stem != "__init__"
}


LONGEST = 250
# Hamilton takes one module for one set of nodes: `with_modules(metrics)`, `hamilton view dataflow/metrics.py`.
WHOLE = {"dataflow.metrics"}


def room_of(name: str) -> str:
    """Name the room of a file; the node modules, and the list of them, are a room of their own."""
    return "nodes" if name in (*NODES, "dataflow.modules") else name.rpartition(".")[0]


def floor_of(room: str) -> int:
    return next(floor for floor, rooms in enumerate(FLOORS) if room in rooms)


def imports_of(path: Path) -> set[str]:
    """Name every module of ours that a file imports, also inside functions; the face counts as itself."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names if alias.name.startswith("runlineage")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runlineage"):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {each for each in inner if each.removeprefix("runlineage.") in FILES} or {str(node.module)}
    return {each.removeprefix("runlineage.") for each in names}


IMPORTS = {name: imports_of(path) for name, path in FILES.items()}


@pytest.mark.parametrize("name", FILES)
def test_a_file_imports_from_its_room_and_from_lower_floors(name: str) -> None:
    assert "runlineage" not in IMPORTS[name], "a way up through the face"
    here = room_of(name)
    above = {each for each in IMPORTS[name] if room_of(each) != here and floor_of(room_of(each)) >= floor_of(here)}
    assert above == set()


def test_no_file_is_too_long_to_be_one_subject() -> None:
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in FILES.items()}
    assert {name for name, count in lines.items() if count > LONGEST} == WHOLE


def test_no_room_has_a_circle_within() -> None:
    inside = {name: {each for each in IMPORTS[name] if room_of(each) == room_of(name)} for name in FILES}
    assert len(list(TopologicalSorter(inside).static_order())) == len(FILES)  # it refuses a circle by its names


def test_every_room_has_a_sentence_of_its_own_on_its_purpose() -> None:
    rooms = {path.parent for path in FILES.values()}
    purposes = {
        room: ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) for room in rooms
    }
    assert all(text and text.endswith(".") and "\n\n" not in text for text in purposes.values())
    assert len(set(purposes.values())) == len(rooms)


@pytest.mark.parametrize("name", [module.__name__.removeprefix("runlineage.") for module in NODE_FILES])
def test_node_modules_import_neither_rows_nor_each_other(name: str) -> None:
    assert IMPORTS[name] <= NODES_MAY_IMPORT


def test_only_one_file_imports_the_driver_of_hamilton() -> None:
    importing = [
        name
        for name, path in FILES.items()
        if any(
            (isinstance(node, ast.ImportFrom) and f"{node.module}.{node.names[0].name}".startswith("hamilton.driver"))
            or (isinstance(node, ast.Import) and node.names[0].name.startswith("hamilton.driver"))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    ]
    assert importing == ["dataflow.graph.hamilton_graph"]


MODULES = ["runlineage", *(each.name for each in pkgutil.walk_packages(runlineage.__path__, "runlineage."))]


@pytest.mark.parametrize("name", [each for each in MODULES if not each.endswith("__main__")])
def test_the_examples_of_docstrings_print_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_every_node_has_an_example_that_runs() -> None:
    from runlineage.dataflow.routes.routes import node_functions

    for module in NODE_FILES:
        functions = node_functions(module)
        assert functions
        assert [key for key, function in functions if ">>> " not in (function.__doc__ or "")] == []


def test_every_public_name_loads() -> None:
    assert all(getattr(runlineage, name) is not None for name in runlineage.__all__)
    assert set(dir(runlineage)) == set(runlineage.__all__)


def test_an_unknown_name_of_the_face_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'runlineage' has no attribute 'Scenarois'; it has Accelerators"):
        _ = runlineage.Scenarois  # type: ignore[attr-defined]


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    written = re.search(r'^version = "(.+)"$', (CHECKOUT / "pyproject.toml").read_text(), re.MULTILINE)
    assert written is not None
    assert written[1] == runlineage.__version__
    assert f"version: {written[1]}" in (CHECKOUT / "CITATION.cff").read_text()
    assert f"## {written[1]} " in (CHECKOUT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import runlineage", {"hamilton", "pandas", "pint", "pydantic", "typer", "numpy"}),
        ("from runlineage import Scenarios; Scenarios.Gpt3PublishedRun", {"hamilton", "pandas", "typer", "graphviz"}),
        (
            "from runlineage import *; lineage_json(Scenarios.Gpt3PublishedRun.lineage())",
            {"prov", "typer"},
        ),
    ],
)
def test_what_is_not_needed_is_not_loaded(code: str, absent: set[str]) -> None:
    script = f"{code}; import sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert absent & set(loaded) == set()
