"""Mermaid: a box a quantity, an edge a parent, and nothing that a name can break."""

from __future__ import annotations

from runlineage import Fact, PublishedRunScenario, Scenarios, mermaid, together


def test_every_quantity_has_a_box_of_its_kind_and_every_parent_an_edge() -> None:
    lineage = Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"]).lineage("energy")
    lines = mermaid(lineage).splitlines()
    assert lines[0] == "flowchart TD"
    assert sum(":::" in line for line in lines) == len(lineage.entries)
    assert sum(" --> " in line for line in lines) == sum(len(entry.parents) for entry in lineage.entries.values())
    assert any(line.startswith("  classDef assumed") for line in lines)


def test_several_runs_are_subgraphs() -> None:
    both = together(*(Scenarios[name].lineage("energy") for name in ("llama 65b", "bloom")))
    lines = [line.strip() for line in mermaid(both).splitlines()]
    assert [line for line in lines if line.startswith("subgraph")] == [
        'subgraph s0["LLaMA 65B"]',
        'subgraph s1["BLOOM 176B"]',
    ]
    assert lines.count("end") == 2


def test_a_source_cannot_break_out_of_its_box() -> None:
    run = PublishedRunScenario(name="x", training_ops=Fact(1e23, source='a"]; <script>`x` & #quot; \n end'))
    text = mermaid(run.lineage("training_operations"))
    assert "<script>" not in text
    assert "#34;a#34;]#59; #60;script#62;#96;x#96; #38; #35;quot#59; end" in " ".join(
        text.replace("<br/>", " ").split()
    )
