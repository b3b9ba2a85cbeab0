"""The house: files import only downwards, docstrings run, the face is light, nothing names a workplace."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import runlineage

CHECKOUT = Path(__file__).parent.parent

# Lower files first; a file may import those above it in this list.
ORDER = """
catalogs.errors catalogs.frozen catalogs.years catalogs.units catalogs.kinds catalogs.fields catalogs.names
catalogs.formatting catalogs.vocabulary catalogs.text catalogs.quantities catalogs.store
catalogs.frontmatter catalogs.configs catalogs.architectures
catalogs.values catalogs.facts catalogs.periods catalogs.records catalogs.hardware
catalogs.grids catalogs.thresholds catalogs.catalog
catalogs.headers catalogs.epoch_notes catalogs.epoch_hardware catalogs.epoch
dataflow.fingerprints dataflow.adapter dataflow.marks
dataflow.metrics dataflow.footprint dataflow.policy dataflow.modules
dataflow.quiet dataflow.gathered dataflow.lookups dataflow.agreement dataflow.inputs
dataflow.routes dataflow.misfits dataflow.plans dataflow.resolver dataflow.routebook
dataflow.problems
dataflow.graph dataflow.builder dataflow.results dataflow.lineage dataflow.trace dataflow.driver
dataflow.lineageform dataflow.lineagejson
dataflow.scenario dataflow.scenarios dataflow.verdicts dataflow.runfile dataflow.lineagecheck dataflow.provenance
dataflow.lineagerun dataflow.lineagefile
dataflow.modelconfig dataflow.cardbody dataflow.cardfacts dataflow.cardfile
dataflow.expressions dataflow.asked dataflow.cells dataflow.queries dataflow.tablefacts dataflow.tabletold
dataflow.table dataflow.engines dataflow.relations dataflow.frames dataflow.rows dataflow.csvfaults dataflow.tablefiles
dataflow.enginefiles
visualizations.tree visualizations.boxes visualizations.dot visualizations.routes_dot visualizations.mermaid
visualizations.dressing visualizations.picture visualizations.answers visualizations.colour
visualizations.arguments visualizations.console
visualizations.card_statement visualizations.card_paper visualizations.cards visualizations.card_command
visualizations.bibliography visualizations.unfolding visualizations.diagrams visualizations.plots
visualizations.years visualizations.charts visualizations.html_forms visualizations.report
visualizations.listing visualizations.tally visualizations.table_command visualizations.report_command
visualizations.verdict_command visualizations.commands
""".split()  # noqa: SIM905 - reads better than thirty quoted strings
FILES = sorted(
    path for folder in ("catalogs", "dataflow", "visualizations") for path in (CHECKOUT / folder).glob("*.py")
)
NODES_MAY_IMPORT = {"catalogs.kinds", "catalogs.units", "dataflow.fingerprints", "dataflow.marks"}


def name_of(path: Path) -> str:
    return f"{path.parent.name}.{path.stem}"


def imports_of(path: Path) -> set[str]:
    """Name every module of ours that a file imports, also inside functions; the face counts as itself."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("runlineage")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runlineage"):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {each for each in inner if each.removeprefix("runlineage.") in ORDER} or {str(node.module)}
    return {each.removeprefix("runlineage.") for each in found}


def test_every_file_has_its_place_in_the_order() -> None:
    assert {name_of(path) for path in FILES if path.stem != "__init__"} == set(ORDER)


@pytest.mark.parametrize("path", [path for path in FILES if path.stem != "__init__"], ids=name_of)
def test_a_file_imports_only_downwards(path: Path) -> None:
    below = set(ORDER[: ORDER.index(name_of(path))])
    of_face = {"dataflow.lineage", "dataflow.lineagejson", "dataflow.scenario"}
    of_face |= {"visualizations.commands", "visualizations.report"}
    face = {"runlineage"} if name_of(path) in of_face else set()
    assert imports_of(path) <= below | face


@pytest.mark.parametrize("name", ["metrics", "footprint"])
def test_node_modules_import_neither_rows_nor_each_other(name: str) -> None:
    assert imports_of(CHECKOUT / "dataflow" / f"{name}.py") <= NODES_MAY_IMPORT


def test_only_one_file_imports_the_driver_of_hamilton() -> None:
    importing = [
        name_of(path)
        for path in FILES
        if any(
            (isinstance(node, ast.ImportFrom) and f"{node.module}.{node.names[0].name}".startswith("hamilton.driver"))
            or (isinstance(node, ast.Import) and node.names[0].name.startswith("hamilton.driver"))
            for node in ast.walk(ast.parse(path.read_text()))
        )
    ]
    assert importing == ["dataflow.graph"]


MODULES = ["runlineage", *(each.name for each in pkgutil.walk_packages(runlineage.__path__, "runlineage."))]


@pytest.mark.parametrize("name", [each for each in MODULES if not each.endswith("__main__")])
def test_the_examples_of_docstrings_print_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_every_node_has_an_example_that_runs() -> None:
    from runlineage.dataflow.routebook import read_routes
    from runlineage.dataflow.routes import node_functions

    for module in (runlineage.metrics, runlineage.footprint):
        for _, function in node_functions(module):
            assert ">>> " in (function.__doc__ or "")
        assert len(read_routes(module).routes) == 7


def test_the_face_gives_every_name_it_lists() -> None:
    assert all(getattr(runlineage, name) is not None for name in runlineage.__all__)
    assert set(dir(runlineage)) == set(runlineage.__all__)


def test_an_unknown_name_of_the_face_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'runlineage' has no attribute 'Scenarois'; it has Accelerators"):
        _ = runlineage.Scenarois


def test_the_version_stands_once_in_meaning() -> None:
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
