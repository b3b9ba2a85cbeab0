"""The body of a card as Markdown: tables with bars and in HTML, lines with their headings, and what is no statement."""

from __future__ import annotations

import pytest

from runlineage.dataflow.cards.blocks import Block
from runlineage.dataflow.cards.body import Body, read_body
from runlineage.dataflow.cards.body_blocks import blocks_of


def rows(text: str) -> list[tuple[str, int, dict[str, str]]]:
    blocks = blocks_of(read_body(text))
    return [shown(block) for block in (*blocks.figures, *blocks.sizes)]


def shown(block: Block) -> tuple[str, int, dict[str, str]]:
    return block.name, block.line, {kind: cell.text for kind, cell in block.cells}


def labels(text: str, first_line: int = 1) -> dict[str, tuple[str, int]]:
    sections = blocks_of(read_body(text, first_line)).sections.values()
    return {kind: (cell.text, cell.line) for block in sections for kind, cell in block.cells}


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
    assert rows(text) == [
        ("Tiny 1B", 5, {"accelerator_hours": "370k", "device_power": "700"}),
        ("Tiny|3B", 6, {"accelerator_hours": "460k"}),
    ]


def test_a_header_below_an_empty_one_is_found() -> None:
    text = "| | |\n|-|-|\n| **Model** | **Training Time (GPU hours)** |\n| A | 1M |"
    assert rows(text) == [("A", 4, {"accelerator_hours": "1M"})]


def test_a_table_in_html_repeats_cells_that_span_rows() -> None:
    text = """<table>
<tr><td></td><td><strong>Params</strong></td><td><b>Token count</b></td></tr>
<tr><td rowspan="2">Tiny</td><td>1B</td><td rowspan="2">9T</td></tr>

    <tr><td>3B</td></tr>
<tr><td colspan=2>Big</td><td>12T</td></tr>
</table>"""
    assert rows(text) == [
        ("Tiny", 3, {"parameters": "1B", "training_tokens": "9T"}),
        ("Tiny", 5, {"parameters": "3B", "training_tokens": "9T"}),
        ("Big", 6, {"parameters": "Big", "training_tokens": "12T"}),
    ]


def test_names_lose_their_links_and_headings_their_marks() -> None:
    for unit in ("(**metric** tons CO2eq)", "(tCO<sub>2</sub>eq)", "(tCO₂eq)", "[kg CO2 eq.]"):
        text = f"| [Model](https://example.org) | Carbon emitted {unit} |\n|---|---|\n"
        text += "| [`Tiny` <b>1B</b>](https://example.org/a_(b)) ![logo](x.png) | 107 |\n"
        assert rows(text) == [("Tiny 1B", 3, {"location": "107"})]


@pytest.mark.parametrize(
    "text",
    ["<table><td>x", "<table><tr><td rowspan=99999999999><td colspan='-1'>a</table>", "</td></tr>", "<table>" * 500],
)
def test_broken_html_does_no_harm(text: str) -> None:
    assert rows(text) == []


def test_cells_that_span_without_end_stay_bounded() -> None:
    text = "<table>" + "<tr><td colspan=100 rowspan=100>x</td></tr>" * 300 + "</table>"
    assert rows(text) == []


def test_the_lines_of_the_template_are_read_and_unfilled_ones_are_left_out() -> None:
    text = """## Environmental Impact

- **Hardware Type:** A100 SXM4 40GB
- **Hours used:** [More Information Needed]
* Compute Region: `eu-west-1`

<p><b>Cloud Provider</b>: X<br>Carbon Emitted (Power × Time): 12 kg</p>
"""
    assert labels(text, 10) == {
        "Hardware Type": ("A100 SXM4 40GB", 12),
        "Compute Region": ("eu-west-1", 14),
        "Cloud Provider": ("X", 16),
        "Carbon Emitted": ("12 kg", 16),
    }


@pytest.mark.parametrize(
    "text",
    [
        "<!--\nHours used: 5 GPU hours\n-->",
        "<!-- Hours used: 5",
        "text <!--\nHours used: 5\n--> text",
        "- a\n\n  <!-- x\n\n  Hours used: 5 -->",
        "```\nHours used: 5\n```",
        "~~~markdown\nHours used: 5",
        "> ```\n> Hours used: 5\n> ```",
        "    Hours used: 5",
        "Write `Hours used: 5` here",
        "`Hours used: 5`",
        "<pre>\nHours used: 5\n</pre>",
        "<div><code>Hours used: 5</code></div>",
        "<script>\nHours used: 5\n</script>",
        "```\n| Model | GPU hours |\n|-|-|\n| A | 5 |\n```",
        "<!--\n| Model | GPU hours |\n|-|-|\n| A | 5 |\n-->",
        "<!-- <table><tr><td>Model</td><td>GPU hours</td></tr><tr><td>A</td><td>5</td></tr></table> -->",
    ],
)
def test_comments_and_code_are_no_statements(text: str) -> None:
    for spelt in (text, text.replace("\n", "\r\n"), f"# A title\n\n{text}\n"):
        assert labels(spelt) == {}
        assert rows(spelt) == []


def test_every_line_has_the_headings_above_it() -> None:
    body: Body = read_body("# A\n\n## B\n\nx: 1\n\n<h3>C *d*</h3>\n\ny: 1\n\n## E\n\nz: 1\n")
    assert body.title == "A"
    assert [(line.number, line.headings) for line in body.lines if ":" in line.text] == [
        (5, ("A", "B")),
        (9, ("A", "B", "C d")),
        (13, ("A", "E")),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "Source | Tokens",
        "Dataset | Training tokens (B)",
        "Function | Parameters",
        "LoRA | Parameters",
        " | Parameters",
        "Part | Params",
        "Baseline | Parameters",
        "Checkpoint | Tokens",
        "Adapter | Params (M)",
        "Name | Tokens",
    ],
)
def test_tables_of_other_things_are_not_of_models_and_are_named(heading: str) -> None:
    blocks = blocks_of(read_body(f"| {heading} |\n|-|-|\n| a | 5B |\n| b | 6B |\n"))
    assert (blocks.figures, blocks.sizes, blocks.sections) == ([], [], {})
    assert len(blocks.unused) == 1
    assert blocks.unused[0].startswith("line 1: a table by ")


def test_words_in_the_cells_are_no_sizes() -> None:
    assert rows("| Model | Parameters |\n|-|-|\n| encode | text, lang |\n") == []


def test_a_table_beneath_a_heading_of_evaluation_is_of_other_models() -> None:
    table = "| Model | Params |\n|-|-|\n| Other | 5B |\n"
    assert rows(table) == [("Other", 3, {"parameters": "5B"})]
    assert rows(f"## Evaluation results\n\n{table}") == []


@pytest.mark.parametrize("heading", ["Hyperparameter | Value", "Parameter | Value", "Property |", "Key | Value", " | "])
def test_a_table_of_keys_and_values_is_read(heading: str) -> None:
    text = f"| {heading} |\n|-|-|\n| n_parameters | 6.7B |\n| **Training tokens** | 1T |\n| layers | 32 |\n"
    assert labels(text) == {"parameters": ("6.7B", 3), "training_tokens": ("1T", 4)}


def test_a_table_of_keys_may_have_a_model_a_column() -> None:
    text = "| Hyperparameter | Tiny 1B | Tiny 3B |\n|-|-|-|\n| Parameters | 1.2B | 3.1B |\n| Layers | 16 | 28 |\n"
    assert rows(text) == [("Tiny 1B", 3, {"parameters": "1.2B"}), ("Tiny 3B", 3, {"parameters": "3.1B"})]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("### A\nHours used: 5\n### B\nHours used: 6\n", ["A", "B"]),
        ("## A\n### Impact\nHours used: 5\n## B\n### Impact\nHours used: 6\n", ["A", "B"]),
        ("### A\nHours used: 5\n### B\nHours used: 5\n", ["", ""]),
        ("### A\nHours used: 5\n### B\nHardware Type: 5\n", ["", ""]),
        ("### A\nHours used: 5\n\nHours used: 6\n", [""]),
    ],
)
def test_sections_that_state_one_thing_differently_are_of_several_models(text: str, names: list[str]) -> None:
    assert [block.name for block in blocks_of(read_body(text)).sections.values()] == names


def test_models_may_be_called_by_their_sizes_and_the_only_one_is_the_cards_own() -> None:
    table = "| Params | n_layers |\n|-|-|\n| 70M | 6 |\n"
    assert rows(f"{table}| 160M | 12 |\n") == [("70M", 3, {"parameters": "70M"}), ("160M", 4, {"parameters": "160M"})]
    assert rows(table) == []
    assert labels(table) == {"parameters": ("70M", 3)}


def test_a_size_that_is_a_heading_of_other_figures_is_no_size() -> None:
    table = "<table><tr><th>Model Size</th><th>Method</th><th colspan=2>Length</th></tr>"
    table += (
        "<tr><td></td><td></td><td>256</td><td>1024</td></tr><tr><td>7B</td><td>x</td><td>1</td><td>2</td></tr></table>"
    )
    assert (rows(table), labels(table)) == ([], {})


@pytest.mark.parametrize("cell", ["100<br>200", "100<br/>\n200", "<p>100</p><p>200</p>", "100 GPU hours<br>200"])
def test_two_numbers_in_a_cell_never_become_one(cell: str) -> None:
    html = f"<table><tr><td>Model</td><td>GPU hours</td></tr><tr><td>Tiny<br>7B x</td><td>{cell}</td></tr></table>"
    assert rows(html)[0][2]["accelerator_hours"].count(" / 200") == 1
    if "\n" not in cell:
        bars = f"| Model | GPU hours |\n|-|-|\n| Tiny<br>B | {cell} |\n"
        assert rows(bars)[0][0] == "Tiny B"
        assert rows(bars)[0][2]["accelerator_hours"].count(" / 200") == 1


@pytest.mark.parametrize("heading", ["Inference", "Hardware requirements for deployment", "How to use"])
def test_what_using_a_model_takes_is_not_its_training(heading: str) -> None:
    text = f"# Tiny\n## Training\nHours used: 5 GPU hours\n## {heading}\nHours used: 6 GPU hours\n\nHardware Type: T4\n"
    assert labels(text) == {"Hours used": ("5 GPU hours", 3)}
    table = f"# Tiny\n## {heading}\n| Model | Carbon Emitted (kgCO2eq) |\n|-|-|\n| Tiny | 0.1 |\n"
    assert rows(table) == []
    assert len(blocks_of(read_body(text)).unused) == 2
