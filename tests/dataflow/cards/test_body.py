"""The body of a card: tables with bars and in HTML, and the template's lines."""

from __future__ import annotations

import pytest

from runlineage.dataflow.cards.body import labelled, rows


def figures(text: str) -> list[tuple[str, int, dict[str, str]]]:
    return [(row.name, row.line, {name: cell.text for name, cell in row.cells.items()}) for row in rows(text, 1)]


def test_a_table_with_bars_is_read_by_its_columns_and_its_sum_is_left_out() -> None:
    text = """Some words.

|  | Training Time (GPU hours) | Training Power Consumption (W) | Other |
| :--- | :---: | --- | --- |
| **Tiny 1B** | 370k | 700 | x |
| Tiny\\|3B | 460k | - | y |
| Total | 830k |  | |

| Unknown | Columns |
|---|---|
| a | b |
"""
    assert figures(text) == [
        ("Tiny 1B", 5, {"accelerator_hours": "370k", "device_power": "700"}),
        ("Tiny |3B", 6, {"accelerator_hours": "460k"}),
    ]


def test_a_header_below_an_empty_one_is_found() -> None:
    text = "| | |\n|-|-|\n| **Model** | **Training Time (GPU hours)** |\n| A | 1M |"
    assert figures(text) == [("A", 4, {"accelerator_hours": "1M"})]


def test_a_table_in_html_repeats_cells_that_span_rows() -> None:
    text = """<table>
<tr><td></td><td><strong>Params</strong></td><td><b>Token count</b></td></tr>
<tr><td rowspan="2">Tiny</td><td>1B</td><td rowspan="2">9T</td></tr>
<tr><td>3B</td></tr>
<tr><td colspan=2>Big</td><td>12T</td></tr>
</table>"""
    assert figures(text) == [
        ("Tiny", 3, {"parameters": "1B", "training_tokens": "9T"}),
        ("Tiny", 4, {"parameters": "3B", "training_tokens": "9T"}),
        ("Big", 5, {"parameters": "Big", "training_tokens": "12T"}),
    ]


@pytest.mark.parametrize(
    "text",
    ["<table><td>x", "<table><tr><td rowspan=99999999999><td colspan='-1'>a</table>", "</td></tr>", "<table>" * 500],
)
def test_broken_html_does_no_harm(text: str) -> None:
    assert rows(text, 1) == []


def test_cells_that_span_without_end_stay_bounded() -> None:
    text = "<table>" + "<tr><td colspan=100 rowspan=100>x</td></tr>" * 300 + "</table>"
    assert rows(text, 1) == []


def test_the_lines_of_the_template_are_read_and_unfilled_ones_are_left_out() -> None:
    text = """## Environmental Impact

- **Hardware Type:** A100 SXM4 40GB
- **Hours used:** [More Information Needed]
* Compute Region: `eu-west-1`
Carbon Emitted : 12 kg
Carbon Emitted : 13 kg
"""
    found = {name: (cell.text, cell.line) for name, cell in labelled(text, 10).items()}
    assert found == {
        "Hardware Type": ("A100 SXM4 40GB", 12),
        "Compute Region": ("eu-west-1", 14),
        "Carbon Emitted": ("12 kg", 15),
    }
