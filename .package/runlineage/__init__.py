"""Training operations, achieved rate, energy and peak fraction of a published training run, each with its lineage.

>>> from runlineage import Scenarios
>>> case = Scenarios.Gpt3PublishedRun
>>> str(case.training_operations)
'3.14×10²³ flop'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runlineage.catalogs import kinds as kinds
    from runlineage.catalogs.catalog import Accelerators as Accelerators
    from runlineage.catalogs.catalog import Grids as Grids
    from runlineage.catalogs.catalog import Sources as Sources
    from runlineage.catalogs.catalog import Thresholds as Thresholds
    from runlineage.catalogs.catalog import Workloads as Workloads
    from runlineage.catalogs.errors import AmbiguousNameError as AmbiguousNameError
    from runlineage.catalogs.errors import CannotComputeError as CannotComputeError
    from runlineage.catalogs.errors import CatalogError as CatalogError
    from runlineage.catalogs.errors import GraphError as GraphError
    from runlineage.catalogs.errors import InputError as InputError
    from runlineage.catalogs.errors import OutputError as OutputError
    from runlineage.catalogs.errors import RunlineageError as RunlineageError
    from runlineage.catalogs.errors import RunlineageWarning as RunlineageWarning
    from runlineage.catalogs.errors import UnknownNameError as UnknownNameError
    from runlineage.catalogs.facts import Fact as Fact
    from runlineage.catalogs.formatting import people as people
    from runlineage.catalogs.grids import Grid as Grid
    from runlineage.catalogs.hardware import HardwareNode as HardwareNode
    from runlineage.catalogs.quantities import as_quantity as as_quantity
    from runlineage.catalogs.records import Workload as Workload
    from runlineage.catalogs.thresholds import Threshold as Threshold
    from runlineage.dataflow import footprint as footprint
    from runlineage.dataflow import metrics as metrics
    from runlineage.dataflow import policy as policy
    from runlineage.dataflow.adapter import PlainQuantities as PlainQuantities
    from runlineage.dataflow.builder import graph_inputs as graph_inputs
    from runlineage.dataflow.builder import routes as routes
    from runlineage.dataflow.cardfile import read_card as read_card
    from runlineage.dataflow.driver import Driver as Driver
    from runlineage.dataflow.frames import evaluate as evaluate
    from runlineage.dataflow.lineage import Lineage as Lineage
    from runlineage.dataflow.lineage import together as together
    from runlineage.dataflow.lineagefile import read_lineage as read_lineage
    from runlineage.dataflow.lineagefile import read_lineages as read_lineages
    from runlineage.dataflow.lineagejson import lineage_json as lineage_json
    from runlineage.dataflow.marks import assumption as assumption
    from runlineage.dataflow.modelconfig import ModelConfig as ModelConfig
    from runlineage.dataflow.modelconfig import read_config as read_config
    from runlineage.dataflow.plans import Plan as Plan
    from runlineage.dataflow.provenance import prov_json as prov_json
    from runlineage.dataflow.queries import expressions as expressions
    from runlineage.dataflow.results import Result as Result
    from runlineage.dataflow.results import Results as Results
    from runlineage.dataflow.runfile import read_run as read_run
    from runlineage.dataflow.scenario import PublishedRunScenario as PublishedRunScenario
    from runlineage.dataflow.scenarios import Scenarios as Scenarios
    from runlineage.dataflow.verdicts import Verdict as Verdict
    from runlineage.dataflow.verdicts import verdicts as verdicts
    from runlineage.visualizations.cards import card as card
    from runlineage.visualizations.dot import dot as dot
    from runlineage.visualizations.html_forms import html as html
    from runlineage.visualizations.html_forms import mimebundle as mimebundle
    from runlineage.visualizations.mermaid import mermaid as mermaid
    from runlineage.visualizations.picture import draw as draw
    from runlineage.visualizations.report import report as report
    from runlineage.visualizations.tree import tree as tree

__version__ = "0.1.0"

# Each name loads its home on first use: `import runlineage` alone stays light, since Hamilton brings pandas.
_HOMES = {
    "Accelerators": "catalogs.catalog",
    "AmbiguousNameError": "catalogs.errors",
    "CannotComputeError": "catalogs.errors",
    "CatalogError": "catalogs.errors",
    "Driver": "dataflow.driver",
    "Fact": "catalogs.facts",
    "GraphError": "catalogs.errors",
    "Grid": "catalogs.grids",
    "Grids": "catalogs.catalog",
    "HardwareNode": "catalogs.hardware",
    "InputError": "catalogs.errors",
    "Lineage": "dataflow.lineage",
    "ModelConfig": "dataflow.modelconfig",
    "OutputError": "catalogs.errors",
    "PlainQuantities": "dataflow.adapter",
    "Plan": "dataflow.plans",
    "PublishedRunScenario": "dataflow.scenario",
    "Result": "dataflow.results",
    "Results": "dataflow.results",
    "RunlineageError": "catalogs.errors",
    "RunlineageWarning": "catalogs.errors",
    "Scenarios": "dataflow.scenarios",
    "Sources": "catalogs.catalog",
    "Threshold": "catalogs.thresholds",
    "Thresholds": "catalogs.catalog",
    "UnknownNameError": "catalogs.errors",
    "Verdict": "dataflow.verdicts",
    "Workload": "catalogs.records",
    "Workloads": "catalogs.catalog",
    "as_quantity": "catalogs.quantities",
    "assumption": "dataflow.marks",
    "card": "visualizations.cards",
    "dot": "visualizations.dot",
    "draw": "visualizations.picture",
    "evaluate": "dataflow.frames",
    "expressions": "dataflow.queries",
    "footprint": "dataflow",
    "graph_inputs": "dataflow.builder",
    "html": "visualizations.html_forms",
    "kinds": "catalogs",
    "lineage_json": "dataflow.lineagejson",
    "mermaid": "visualizations.mermaid",
    "metrics": "dataflow",
    "mimebundle": "visualizations.html_forms",
    "people": "catalogs.formatting",
    "policy": "dataflow",
    "prov_json": "dataflow.provenance",
    "read_card": "dataflow.cardfile",
    "read_config": "dataflow.modelconfig",
    "read_lineage": "dataflow.lineagefile",
    "read_lineages": "dataflow.lineagefile",
    "read_run": "dataflow.runfile",
    "report": "visualizations.report",
    "routes": "dataflow.builder",
    "together": "dataflow.lineage",
    "tree": "visualizations.tree",
    "verdicts": "dataflow.verdicts",
}
_MODULES = {"footprint", "kinds", "metrics", "policy"}
__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'runlineage' has no attribute {name!r}; it has {', '.join(_HOMES)}")
    home = f"runlineage.{_HOMES[name]}"
    found = importlib.import_module(f"{home}.{name}" if name in _MODULES else home)
    found = found if name in _MODULES else getattr(found, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
