"""A published run as an object: its attributes, its variants, and the catalog of runs."""

from __future__ import annotations

import pickle

import pytest

from runlineage import (
    CannotComputeError,
    Fact,
    HardwareNode,
    InputError,
    PublishedRunScenario,
    RunlineageWarning,
    Scenarios,
    UnknownNameError,
    Workload,
)
from runlineage.catalogs.base.errors import AmbiguousNameError
from runlineage.catalogs.quantities.fields import METRICS


def test_the_first_example_of_all() -> None:
    assert str(Scenarios.Gpt3PublishedRun.training_operations) == "3.14×10²³ flop"


@pytest.mark.parametrize(
    "name", ["llama 3.1 405b", "Llama-3.1-405B", "LLAMA31_405B", "Llama31_405BPublishedRun", "llama3.1 405B"]
)
def test_a_run_answers_to_any_usual_spelling(name: str) -> None:
    assert Scenarios[name] is Scenarios.Llama31_405BPublishedRun


def test_the_names_of_runs_complete() -> None:
    assert {"Gpt3PublishedRun", "Llama31_405BPublishedRun"} <= set(dir(Scenarios))


def test_an_unknown_run_says_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        _ = Scenarios.Gpt3PublishedRum
    assert "the nearest: GPT-3 175B" in str(caught.value)
    assert not hasattr(Scenarios, "Gpt33")


def test_an_ambiguous_run_says_which_there_are() -> None:
    with pytest.raises(AmbiguousNameError, match="matches several; use one of: Llama 3"):
        Scenarios["llama 3.1"]


@pytest.mark.parametrize("key", list(Scenarios))
def test_every_catalogued_run_answers_or_says_what_it_lacks(key: str) -> None:
    results = Scenarios[key].results()
    for metric in METRICS:
        answer = results.result(metric)
        assert (answer.value is None) != (answer.problem is None)
        if answer.value is not None:
            assert answer.sources, "every published answer names its sources"
            assert answer.value.magnitude > 0


def test_metrics_are_attributes_and_an_impossible_one_is_our_error() -> None:
    run = PublishedRunScenario(training_ops=1e23)
    with pytest.raises(CannotComputeError, match="give accelerator_hours and device_power"):
        _ = run.energy
    assert not isinstance(CannotComputeError("", "", ""), AttributeError)


def test_a_misspelt_attribute_says_the_nearest() -> None:
    with pytest.raises(AttributeError, match="did you mean energy"):
        _ = PublishedRunScenario().enregy  # type: ignore[attr-defined]


def test_a_metric_of_an_own_module_is_no_attribute_and_the_error_says_where_it_is_asked() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = PublishedRunScenario().water_of_cooling  # type: ignore[attr-defined]
    assert str(caught.value) == (
        "a run has no 'water_of_cooling'; a node of your own is computed by "
        "Driver(metrics, your_module).execute(['water_of_cooling'], run.facts)"
    )


def test_a_fact_may_be_a_table_with_its_origin_as_in_a_file() -> None:
    energy = {"value": "433 MWh", "source": "a card", "place": "table 2"}
    run = PublishedRunScenario(energy=energy, reported_energy=Fact("433.2 MWh"))
    assert run.lineage("energy").entries["energy"].place == "table 2"
    assert run.reported["reported_energy"].value.m_as("MWh") == pytest.approx(433.2)
    with pytest.raises(InputError, match=r"energy\.sorce: is not a key of a fact"):
        PublishedRunScenario(energy={"value": "433 MWh", "sorce": "a card"})


def test_facts_are_checked_when_the_run_is_built() -> None:
    with pytest.raises(InputError) as caught:
        PublishedRunScenario(name="mine", device_pwoer=3, durration=4)
    assert str(caught.value) == (
        "2 faults in mine:\n"
        "  device_pwoer: is not a field; did you mean device_power?\n"
        "  durration: is not a field; did you mean duration?"
    )


def test_none_is_a_fact_that_is_not_given() -> None:
    run = PublishedRunScenario(accelerator_hours=None, device_power=400)
    assert run.result("energy").problem.needs == "needs accelerator_hours"


def test_records_and_names_serve_alike() -> None:
    by_name = PublishedRunScenario("llama 3.1 405b", "H100 SXM", precision="bf16", accelerator_hours="30.84M")
    work = Workload(name="Llama 3.1 405B", parameters=405e9, training_tokens="15.6T")
    node = HardwareNode(name="H100", peak_bf16="989.4 TFLOP/s")
    by_record = PublishedRunScenario(work, node, precision="bf16", accelerator_hours=30.84e6)
    assert by_name.peak_fraction.magnitude == pytest.approx(by_record.peak_fraction.magnitude, rel=1e-15)


def test_a_variant_changes_one_fact_and_says_so_in_its_name() -> None:
    case = Scenarios.BloomPublishedRun
    changed = case.variant(device_power="350 W")
    assert changed.name == "BLOOM 176B with device_power 350 W"
    assert changed.energy.magnitude == pytest.approx(case.energy.magnitude * 350 / 400)
    assert case.energy.magnitude == pytest.approx(0.433196)


def test_a_variant_refuses_a_misspelt_fact() -> None:
    with pytest.raises(InputError, match="BLOOM 176B: device_pwr: is not a field; did you mean device_power"):
        Scenarios.BloomPublishedRun.variant(device_pwr=1)


def test_a_variant_withdraws_a_fact_of_the_run_and_of_its_workload() -> None:
    case = Scenarios.BloomPublishedRun.variant(device_power=None, parameters=None, reported_energy=None)
    assert case.name == "BLOOM 176B without device_power, parameters, reported_energy"
    assert case.result("energy").problem.needs == "needs device_power"
    assert "parameters" in case.result("training_operations").problem.needs


def test_a_variant_of_a_sparse_model_without_its_active_count_is_refused_for_six_n_d() -> None:
    case = Scenarios.DeepSeekV3PublishedRun.variant(active_parameters=None)
    with pytest.raises(CannotComputeError, match="withheld: the model is sparse"):
        _ = case.training_operations


def test_another_accelerator_brings_its_own_peak_and_another_workload_its_own_facts() -> None:
    case = PublishedRunScenario(accelerator="A100 80GB SXM", peak_flops=300, training_ops=1e23, accelerator_hours=1e6)
    assert case.variant(accelerator="TPU v4").inputs.given["peak_flops"].magnitude == 275
    bloom = Scenarios.BloomPublishedRun.variant(workload=Workload(parameters=1e9, training_tokens=1e9))
    assert bloom.training_operations.magnitude == 6e18


def test_a_new_power_leaves_behind_what_the_old_one_was() -> None:
    system = PublishedRunScenario(device_power=330, power_basis="measured_system", accelerator_hours=1)
    assert "energy" not in system.results()
    assert system.variant(device_power=300).energy.m_as("Wh") == pytest.approx(300)


def test_a_fact_that_was_not_there_before_leaves_nothing_behind() -> None:
    own = PublishedRunScenario(
        device_power="400 W", training_ops="3e23", accelerator_hours=1, published_emissions="1 t"
    )
    filled = own.variant(accelerator="A100 80GB SXM", parameters="7B", training_tokens="1T", precision="bf16")
    assert {"device_power", "training_ops", "published_emissions"} <= filled.inputs.given.keys()
    other = filled.variant(accelerator="H100 SXM")
    assert not {"device_power", "published_emissions"} & other.inputs.given.keys()
    assert "training_ops" in other.inputs.given


def test_what_is_printed_of_a_run_is_not_of_another_model() -> None:
    assert Scenarios.BloomPublishedRun.variant(training_tokens="100B").reported == {}
    assert Scenarios.BloomPublishedRun.variant(device_power="350 W").reported


def test_changing_the_count_replaces_the_periods() -> None:
    case = Scenarios.Palm540BPublishedRun.variant(accelerator_count=6144, duration="57 days")
    assert case.inputs.given["accelerator_count"].magnitude == 6144


def test_assumptions_go_with_the_run_and_with_its_variants() -> None:
    case = Scenarios.Gpt3PublishedRun.variant(assume=["tdp", "count_duration"])
    assert case.variant(precision="fp16").result("energy").assumes == ("count_duration", "tdp")
    assert case.variant(assume=[]).result("energy").problem is not None


def test_scenarios_pickle_and_show_their_facts() -> None:
    case = Scenarios.Gpt3PublishedRun
    again = pickle.loads(pickle.dumps(case))
    assert again.facts == case.facts
    assert again.achieved_rate == case.achieved_rate
    assert repr(again).startswith("<PublishedRunScenario 'GPT-3 175B': parameters, training_tokens")
    assert "device_power" not in repr(again), "no value of it is used"
    assert pickle.loads(pickle.dumps(Scenarios)) is Scenarios


def test_what_the_authors_print_stands_beside_for_comparison() -> None:
    reported = Scenarios.BloomPublishedRun.reported["reported_energy"].value
    assert reported.magnitude == pytest.approx(433.196)
    ours = Scenarios.BloomPublishedRun.energy
    assert ours.m_as("MWh") == pytest.approx(433.196, abs=0.0005)


@pytest.mark.parametrize("order", [("periods", "duration"), ("duration", "periods")])
def test_periods_beside_a_duration_are_refused_in_any_order(order: tuple[str, str]) -> None:
    facts = {"periods": [{"accelerator_count": 5, "duration": 3}], "duration": 500}
    with pytest.raises(InputError, match="periods: stand beside duration"):
        PublishedRunScenario(**{name: facts[name] for name in order})


@pytest.mark.parametrize("workload", [5, True, {"parameters": 5}, Scenarios.Gpt3PublishedRun])
def test_a_workload_is_a_record_or_a_name(workload: object) -> None:
    with pytest.raises(InputError, match=r"workload: is .*; expected a Workload or the name of one"):
        PublishedRunScenario(workload)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"name": 5}, "name: is 5; expected text"),
        ({"periods": 5}, "periods: is 5; expected a list of tables"),
        ({"reported_energy": "banana"}, "reported_energy: 'banana' does not start with a plain number"),
        ({"parameters": "1e200"}, "parameters: '1e200' is beyond what a run can have"),
        ({"duration": []}, r"duration: \[\] is an empty column"),
        ({"duration": [True, 2.5]}, "holds cells that are not plain numbers"),
        ({"parameters": 1, "active_parameters": [2, 3]}, "is more than parameters"),
        ({f"x{number}": 1 for number in range(2000)}, "facts: are 2,000; a run has at most 1,000"),
    ],
)
def test_facts_of_a_wrong_type_or_size_are_refused(facts: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        PublishedRunScenario(**facts)  # type: ignore[arg-type]


def test_a_variant_may_withdraw_the_workload() -> None:
    assert Scenarios.BloomPublishedRun.variant(workload=None).workload is None


def test_another_workload_leaves_the_recorded_work_of_the_first_behind() -> None:
    other = Scenarios.Gpt3PublishedRun.variant(workload="bloom")
    assert other.result("training_operations").route == "parameter_token"


def test_a_run_does_not_change_in_place() -> None:
    with pytest.raises(AttributeError, match=r"a run does not change; \.variant\(energy=…\) gives a changed copy"):
        Scenarios.BloomPublishedRun.energy = 5  # type: ignore[misc, assignment]


def test_names_are_one_printable_line() -> None:
    assert PublishedRunScenario(name="a\x1b[31mb\nc\ud800", duration=1).name == "a [31mb c "


def test_changes_of_changes_make_one_title() -> None:
    case = Scenarios.BloomPublishedRun.variant(device_power="350 W").variant(device_power="300 W", precision="fp16")
    assert case.name == "BLOOM 176B with device_power 300 W, precision fp16"


def test_another_part_leaves_the_power_of_the_first_behind() -> None:
    assert Scenarios.BloomPublishedRun.variant(accelerator="H100 SXM").result("energy").problem is not None


def test_other_tokens_leave_the_recorded_work_behind() -> None:
    assert Scenarios.Gpt3PublishedRun.variant(training_tokens="600B").result("training_operations").route == (
        "parameter_token"
    )


def test_a_column_is_kept_as_it_was_given() -> None:
    import numpy as np

    watts = np.array([400.0, 500.0])
    run = PublishedRunScenario(device_power=watts, accelerator_hours=1e6)
    watts[0] = 1
    assert run.variant(name="x").energy.magnitude.tolist() == [0.4, 0.5]
    assert pickle.loads(pickle.dumps(run)).energy.magnitude.tolist() == [0.4, 0.5]


def test_a_fraction_above_one_is_warned_of_at_the_line_that_asks() -> None:
    run = PublishedRunScenario(training_ops=3e24, accelerator_hours=1e6, peak_flops=125)
    with pytest.warns(RunlineageWarning) as caught:
        _ = run.peak_fraction
    assert caught[0].filename == __file__


def test_a_fact_asked_for_as_an_attribute_says_where_it_is() -> None:
    with pytest.raises(AttributeError, match=r"a run has no 'parameters'; its facts stand in \.facts"):
        _ = Scenarios.BloomPublishedRun.parameters


def test_results_print_readably_and_say_why_one_is_not_there() -> None:
    results = Scenarios.Gpt3PublishedRun.results(["achieved_rate", "energy"])
    assert str(results) == (
        "achieved_rate = 24.5558 TFLOP/s per accelerator\nenergy: needs accelerator_hours, device_power"
    )
    with pytest.raises(CannotComputeError):
        results["energy"]


def test_what_a_number_must_not_be_read_without_is_its_note() -> None:
    assert Scenarios.BloomPublishedRun.result("energy").note == "device power is TDP"
    assert Scenarios.Gpt3PublishedRun.result("peak_fraction").note == (
        "of 125 TFLOP/s (precision not stated, device variant assumed)"
    )


def test_sources_name_the_caller_and_whoever_named_the_accelerator() -> None:
    energy = Scenarios.Gpt3PublishedRun.variant(device_power="250 W", assume=["count_duration"]).result("energy")
    assert energy.sources == ("patterson2021", "given by the caller")
    assert "patterson2021" in Scenarios.Gpt3PublishedRun.result("peak_fraction").sources


@pytest.mark.parametrize("name", ["cerebras-gpt 1.3b", "gemma 12b", "llama 3.3b", "llama 1.3b", "pythia 14b"])
def test_no_other_model_is_answered_for_a_number_that_is_nearly_its_own(name: str) -> None:
    with pytest.raises(UnknownNameError, match=f"unknown run '{name}'; the nearest: "):
        Scenarios[name]


def test_a_name_with_a_slash_finds_its_run() -> None:
    assert Scenarios["GLaM 64B/64E"] is Scenarios.GlamPublishedRun
    assert Scenarios["CLIP ViT-L/14"] is Scenarios.ClipViTL14PublishedRun
