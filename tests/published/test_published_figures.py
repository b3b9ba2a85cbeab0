"""Figures that others print, computed again from what they print beside: within the rounding of what is printed.

Each file is a kind of figure, each table a source. Inputs and figures are those of the source, nothing of ours; where
an answer lies beyond the rounding, the row says how far and why, and is held to that.
"""

from __future__ import annotations

import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runlineage import PublishedRunScenario
from runlineage.catalogs.base.errors import RunlineageWarning
from runlineage.catalogs.quantities.rounding import printed_half_unit

HERE = Path(__file__).parent
KINDS = ("rates", "mfu", "hfu", "energy", "emissions")
UNITS = {
    "TFLOP/s": "TFLOP/s/accelerator",
    "MWh": "MWh",
    "kWh": "kWh",
    "tCO2e": "tCO2e",
    "%": "",
    "lb": "kgCO2e",
    "kgCO2e": "kgCO2e",
}
SCALES = {"%": 100.0, "lb": 1 / 0.45359237}
FACILITY = {"facility_energy"}


@dataclass(frozen=True)
class Figure:
    """One printed figure: what it is of, what it rests on, and what its source is."""

    kind: str
    table: dict[str, Any]
    row: dict[str, Any]

    @property
    def printed(self) -> float:
        """The figure in its table's unit."""
        return float(self.row["printed"])

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the table and of the row."""
        return self.table["facts"] | self.row["facts"]

    @property
    def rounding(self) -> float:
        """What the digits of the figure, and of the facts that are rounded, leave open: a share of the figure."""
        own = printed_half_unit(self.row["printed"]) if "." in self.row["printed"] else 0.5
        rounded, cut = (self._left_open(key) for key in ("rounded", "cut"))
        return own / self.printed + rounded + 2 * cut

    def _left_open(self, key: str) -> float:
        names = [name for name in self.table.get(key, ()) if name in self.facts]
        return sum(_half_unit(str(self.facts[name]).split()[0]) for name in names)

    def computed(self) -> float:
        """Return what runlineage computes from the facts, in the unit of the figure."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunlineageWarning)
            case = PublishedRunScenario(**self.facts, assume=self.table.get("assume", ()))
            unit = self.table["unit"]
            wanted = UNITS[unit] + ("*facility" if self.table["metric"] in FACILITY else "")
            return float(_answer(case, self.table["metric"]).to(wanted).magnitude) * SCALES.get(unit, 1.0)


def _half_unit(text: str) -> float:
    """Return half a unit of a fact's last printed digit, three digits at least, as a share of it."""
    return printed_half_unit(text if "." in text and "e" not in text else float(text), 3) / float(text)


def _answer(case: PublishedRunScenario, metric: str) -> Any:
    if metric == "hardware_rate":  # what the devices ran, recomputation counted
        return case.hfu * case.inputs.given["peak_flops"]
    return getattr(case, metric)


def figures() -> list[Figure]:
    """List every figure of the files."""
    return [
        Figure(kind, table, row)
        for kind in KINDS
        for table in tomllib.loads((HERE / f"{kind}.toml").read_text(encoding="utf-8"))["table"]
        for row in table["rows"]
    ]


FIGURES = figures()


def _name(figure: Figure) -> str:
    return f"{figure.kind}: {figure.row['name']}"


@pytest.mark.parametrize("figure", [each for each in FIGURES if "differs" not in each.row], ids=_name)
def test_a_printed_figure_is_computed_again_within_its_rounding(figure: Figure) -> None:
    assert figure.computed() == pytest.approx(figure.printed, rel=figure.rounding)


@pytest.mark.parametrize("figure", [each for each in FIGURES if "differs" in each.row], ids=_name)
def test_a_figure_that_differs_does_so_by_what_its_row_says(figure: Figure) -> None:
    off = figure.computed() / figure.printed - 1
    assert off == pytest.approx(figure.row["differs"], abs=0.0005)
    assert abs(off) > figure.rounding
    assert len(figure.row["because"]) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_twenty_figures_of_a_kind_and_none_rests_on_itself(kind: str) -> None:
    of_kind = [each for each in FIGURES if each.kind == kind]
    assert len(of_kind) >= 20
    for each in of_kind:
        assert each.table["metric"] not in each.facts, each.row["name"]
        assert not [name for name in each.facts if name.startswith("reported_")], each.row["name"]
        assert each.table["source"]
        assert each.table["place"]
