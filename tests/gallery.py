"""Redraw the pictures of the gallery: `make gallery`."""

from __future__ import annotations

from pathlib import Path

from runlineage import Lineage, Scenarios, draw
from runlineage.visualizations.pages.chart_by_year import TITLE
from runlineage.visualizations.pages.chart_parts import standing_alone
from runlineage.visualizations.pages.charts import charts

BY_YEAR = "peak_fraction_by_year"
FOLDER = Path(__file__).parent.parent / "visualizations" / "gallery"


def pictures() -> dict[str, Lineage]:
    """Name the pictures of the gallery with the lineage that each shows."""
    assumed = Scenarios.Gpt3PublishedRun.variant(name="GPT-3 175B", assume=["tdp", "count_duration"])
    return {
        "gpt3": assumed.lineage(),
        "gpt3_reference_run": Scenarios.Gpt3PublishedRun.lineage("achieved_rate"),
        "llama31_405b": Scenarios.Llama31_405BPublishedRun.lineage(),
        "deepseek_v3": Scenarios.DeepSeekV3PublishedRun.lineage(),
    }


def chart_by_year() -> str:
    """Draw the peak fractions of all catalogued runs."""
    (chart,) = (each for each in charts([Scenarios[name].lineage() for name in Scenarios]) if each.title == TITLE)
    return standing_alone(chart)


if __name__ == "__main__":
    for name, lineage in pictures().items():
        print(draw(lineage, FOLDER / f"{name}.svg"))
    path = FOLDER / f"{BY_YEAR}.svg"
    path.write_text(chart_by_year(), encoding="utf-8")
    print(path)
