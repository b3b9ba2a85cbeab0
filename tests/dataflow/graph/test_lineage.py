"""Lineage as data: what stands in it, and what it says of each quantity."""

from __future__ import annotations

import pickle
import sys
import types

import pytest

from runlineage import Driver, Lineage, PublishedRunScenario, Scenarios, UnknownNameError, tree
from runlineage.catalogs.base.errors import InputError
from runlineage.catalogs.catalog import catalog_version
from runlineage.dataflow.graph.lineage import together


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
        ("accelerator_time", "needs accelerator_hours"),
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


def test_an_equation_is_told_with_its_numbers() -> None:
    entries = Scenarios.Gpt3PublishedRun.lineage().entries
    assert entries["achieved_rate"].working == "3.14×10²³ flop ÷ (10,000 accelerator × 14.8 day)"
    assert entries["peak_fraction"].working == "24.5558 TFLOP/s per accelerator ÷ 125 TFLOP/s per accelerator"


def test_an_open_route_says_the_value_it_would_give() -> None:
    taken, other = Scenarios.Gpt3PublishedRun.lineage("training_operations").entries["training_operations"].ways
    assert (taken.name, taken.state, taken.value.magnitude) == ("recorded", "taken", 3.14e23)
    assert (other.name, other.state, str(other.value)) == ("parameter_token", "open", "3.1428×10²³ flop")
    forced = PublishedRunScenario(parameters="174.6e9", training_tokens="300e9").training_operations
    assert other.value == forced


@pytest.mark.parametrize("key", list(Scenarios))
def test_what_another_route_would_give_is_what_it_gives_alone(key: str) -> None:
    case = Scenarios[key]
    entry = case.lineage("training_operations").entries.get("training_operations")
    for way in entry.ways if entry else ():
        if way.state == "open" and way.name == "parameter_token":
            alone = case.variant(training_ops=None).results(["training_operations"])
            assert alone["training_operations"] == way.value


def test_a_closed_route_says_what_it_lacks_and_gives_no_value() -> None:
    ways = {way.name: way for way in Scenarios.Gpt3PublishedRun.lineage().entries["achieved_rate"].ways}
    assert (ways["accelerator_time"].state, ways["accelerator_time"].value) == ("closed", None)


def test_what_cannot_be_had_is_told_with_its_ways() -> None:
    lineage = Scenarios.Gpt3PublishedRun.lineage()
    assert lineage.problems == {"energy": 'needs accelerator_hours, device_power, or assume "count_duration" and "tdp"'}
    assert lineage.beyond["accelerator_hours"].value is None
    assert [way.name for way in lineage.beyond["accelerator_hours"].ways] == ["count_duration"]
    assert lineage.beyond["training_tokens"].value is not None


def test_upstream_and_downstream_are_views_of_the_same_lineage() -> None:
    lineage = Scenarios.Gpt3PublishedRun.lineage()
    assert list(lineage.downstream("training_ops").entries) == [
        *("training_ops", "training_operations", "achieved_rate", "peak_fraction")
    ]
    assert lineage.downstream("training_ops").outputs == ("training_operations", "achieved_rate", "peak_fraction")
    assert lineage.downstream("duration").entries["achieved_rate"].parents == ("duration",)
    assert list(lineage.upstream("achieved_rate").entries) == [
        *("training_ops", "accelerator_count", "duration", "achieved_rate")
    ]
    with pytest.raises(UnknownNameError, match="unknown quantity 'durations'; the nearest: duration"):
        lineage.downstream("durations")


def test_several_runs_stand_side_by_side_in_one_lineage() -> None:
    one, other = (Scenarios[name].lineage("achieved_rate") for name in ("gpt-3", "bloom"))
    both = one + other
    assert isinstance(both, Lineage)
    assert [part.subject for part in both.runs] == ["GPT-3 175B", "BLOOM 176B"]
    assert both.entries["achieved_rate of BLOOM 176B"].parents == (
        *("training_operations of BLOOM 176B", "accelerator_hours of BLOOM 176B"),
    )
    assert both.entries["achieved_rate of BLOOM 176B"].name == "achieved_rate"
    assert pickle.loads(pickle.dumps(both)) == both
    text = tree(both)
    assert text.index("GPT-3 175B\n\nachieved_rate = 24.5558") < text.index("BLOOM 176B\n\nachieved_rate = 99.2722")


def test_the_same_run_twice_is_numbered_and_none_is_refused() -> None:
    line = Scenarios.Gpt3PublishedRun.lineage("duration")
    assert together(line, line).outputs == ("duration of GPT-3 175B", "duration of GPT-3 175B (2)")
    assert together(line) is line
    with pytest.raises(InputError, match="at least one run"):
        together()


def test_a_run_called_as_another_would_be_numbered_keeps_its_own_numbers() -> None:
    bloom = Scenarios.BloomPublishedRun.lineage("energy")
    other = PublishedRunScenario(name="BLOOM 176B (2)", accelerator_hours=1e6, device_power="4 W").lineage("energy")
    both = together(bloom, other, bloom)
    assert [part.subject for part in both.parts] == ["BLOOM 176B", "BLOOM 176B (2)", "BLOOM 176B (3)"]
    assert [both.entries[name].value.m for name in both.outputs] == [0.433196, 0.004, 0.433196]


def test_what_is_no_lineage_is_refused_and_a_quantity_is_named_by_text() -> None:
    with pytest.raises(InputError, match=r"lineages\[0\]: is <Publi.*; expected a lineage; `.lineage\(\)` gives that"):
        together(Scenarios.BloomPublishedRun)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="unknown quantity '3'"):
        Scenarios.BloomPublishedRun.lineage().upstream(3)  # type: ignore[arg-type]


def test_a_road_not_taken_that_fails_does_not_spoil_the_lineage() -> None:
    theirs = _module(
        "fragile",
        "from hamilton.function_modifiers import config\n"
        "from runlineage import kinds\n"
        "@config.when_in(power_draw_route=[None, 'plain'])\n"
        "def power_draw__plain(device_power: kinds.Power) -> kinds.Power:\n    return device_power\n"
        "@config.when(power_draw_route='broken')\n"
        "def power_draw__broken(device_power: kinds.Power) -> kinds.Power:\n    raise RuntimeError('no')\n",
    )
    entry = Driver(theirs).lineage("power_draw", {"device_power": "700 W"}).entries["power_draw"]
    assert [(way.name, way.state, way.value is None) for way in entry.ways] == [
        ("plain", "taken", False),
        ("broken", "open", True),
    ]


@pytest.mark.parametrize("length", [500, 2000])
def test_a_lineage_of_many_quantities_in_a_chain_is_followed_and_told_briefly(length: int) -> None:
    nodes = "".join(
        f"def q{n}({f'q{n - 1}' if n else 'duration'}: kinds.Duration) -> kinds.Duration:\n"
        f"    return {f'q{n - 1}' if n else 'duration'}\n"
        for n in range(length)
    )
    module = _module(f"chain_of_{length}", f"from runlineage import kinds\n{nodes}")
    lineage = Driver(module).lineage(f"q{length - 1}", {"duration": "1 day"})
    assert len(lineage.entries) == length + 1
    text = tree(lineage)
    assert text.count("\n") > 2 * length
    assert max(map(len, text.splitlines())) < 90
    assert "└─ duration = 1 day" in text


def _module(name: str, source: str) -> types.ModuleType:
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(source, vars(module))
    return module
