"""Lineage as data: what stands in it, and what it says of each quantity."""

from __future__ import annotations

import pickle

from runlineage import PublishedRunScenario, Scenarios
from runlineage.catalogs.catalog import catalog_version


def test_parents_stand_before_children_and_only_the_route_taken_is_there() -> None:
    lineage = Scenarios.Gpt3PublishedRun.lineage("achieved_rate")
    assert list(lineage.entries) == ["training_ops", "accelerator_count", "duration", "achieved_rate"]
    for place, entry in enumerate(lineage.entries.values()):
        assert set(entry.parents) <= set(list(lineage.entries)[:place])


def test_a_fact_carries_its_source_and_place() -> None:
    entry = Scenarios.Gpt3PublishedRun.lineage("achieved_rate").entries["duration"]
    assert (entry.basis, entry.source, entry.place) == ("stated", "patterson2021", "Table 4")
    assert entry.citation is not None
    assert entry.citation.url == "https://arxiv.org/abs/2104.10350"


def test_a_fact_of_the_caller_says_so() -> None:
    entry = PublishedRunScenario(training_ops=1e23).lineage("training_operations").entries["training_ops"]
    assert (entry.source, entry.citation) == ("given by the caller", None)


def test_a_computed_quantity_carries_equation_route_and_basis() -> None:
    entries = Scenarios.Llama31_405BPublishedRun.lineage("achieved_rate").entries
    assert entries["training_operations"].equation == (
        "6 flop/parameter/token × parameters_per_token × training_tokens"
    )
    assert entries["training_operations"].basis == "modeled"
    assert entries["training_operations"].excludes == "attention, recomputation"
    assert entries["achieved_rate"].basis == "derived"
    assert entries["achieved_rate"].route == "accelerator_time"


def test_an_assumption_is_marked() -> None:
    entries = Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"]).lineage("energy").entries
    assert (entries["device_power"].assumption, entries["device_power"].basis) == ("tdp", "assumed")


def test_routes_not_taken_are_known_with_what_they_lack() -> None:
    entry = Scenarios.Gpt3PublishedRun.lineage().entries["training_operations"]
    assert entry.alternatives == ("parameter_token",)
    entry = Scenarios.Gpt3PublishedRun.lineage().entries["achieved_rate"]
    assert entry.closed == (
        ("accelerator_time", "lacks accelerator_hours"),
        ("modeled_reference", 'not assumed ("modeled_reference")'),
    )


def test_other_published_values_stand_beside() -> None:
    lineage = Scenarios.Llama31_405BPublishedRun.lineage("training_operations")
    assert [fact.value.magnitude for fact in lineage.entries["parameters"].beside] == [405853388800.0]
    withheld, facts = lineage.unused["training_ops"]
    assert (withheld, [fact.value.magnitude for fact in facts]) == ("", [3.8e25])


def test_a_withheld_total_is_told_with_its_reason() -> None:
    withheld, facts = Scenarios.DeepSeekV3PublishedRun.lineage("training_operations").unused["parameters"]
    assert withheld == "the model is sparse, and a token passes only part of its total"
    assert facts[0].value.magnitude == 671e9


def test_an_output_that_cannot_be_computed_has_no_lineage() -> None:
    assert Scenarios.Gpt3PublishedRun.lineage("energy").outputs == ()


def test_lineage_carries_the_version_of_the_catalogs_and_pickles() -> None:
    lineage = Scenarios.Gpt3PublishedRun.lineage()
    assert lineage.catalog == catalog_version()
    assert pickle.loads(pickle.dumps(lineage)) == lineage


def test_printing_a_lineage_shows_its_tree() -> None:
    assert str(Scenarios.Gpt3PublishedRun.lineage("duration")).splitlines()[0] == "duration = 14.8 day"


def test_who_named_the_accelerator_and_the_precision_is_in_the_lineage() -> None:
    entries = Scenarios.Llama31_405BPublishedRun.lineage("peak_fraction").entries
    assert entries["peak_flops"].parents == ("accelerator", "precision")
    assert (entries["accelerator"].value, entries["precision"].value) == ("NVIDIA H100 SXM5 80GB", "bf16")
    assert entries["accelerator"].source == "llama31_card"


def test_a_units_text_is_that_of_files() -> None:
    entries = Scenarios.Llama31_405BPublishedRun.lineage("peak_fraction").entries
    assert entries["peak_flops"].unit == "TFLOP/s/accelerator"
    assert entries["accelerator"].unit == ""


def test_what_the_authors_print_is_told_beside() -> None:
    assert set(Scenarios.BloomPublishedRun.lineage("energy").reported) == {"reported_energy"}
    of_facility = Scenarios.Llama65BPublishedRun.lineage("location_emissions")
    assert set(of_facility.reported) == {"reported_facility_energy", "published_emissions"}


def test_a_pue_is_a_fact_of_the_facilitys_energy_and_no_matter_of_the_devices() -> None:
    case = Scenarios.Llama65BPublishedRun
    assert case.lineage("facility_energy").entries["pue"].place == "Table 15"
    assert case.lineage("energy").reported == {}
    assert "pue" not in case.lineage("energy").entries


def test_an_empty_lineage_says_so_and_a_long_one_is_not_dumped() -> None:
    assert str(Scenarios.Gpt3PublishedRun.lineage("energy")) == "GPT-3 175B: nothing could be computed"
    assert repr(Scenarios.Gpt3PublishedRun.lineage("achieved_rate")) == (
        "<Lineage of GPT-3 175B: achieved_rate; print() shows the tree>"
    )
