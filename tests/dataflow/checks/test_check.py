"""A run's figures held against each other: published values come out, and what does not hold is said."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hamilton.ad_hoc_utils import module_from_source

from runlineage import GraphError, InputError, PublishedRunScenario, Scenarios, UnknownNameError, check
from runlineage.catalogs.contradictions import explained
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.checks.check import Check
from runlineage.dataflow.checks.checker import Checker
from runlineage.dataflow.checks.compared import AGREE, CLOSE, CONTRADICT

CHECKER = Checker()


def checked(key: str) -> Check:
    run = Scenarios[key]
    return CHECKER.check(run.name, run.inputs)


@pytest.mark.parametrize(
    ("key", "name", "ratio", "cause"),
    [
        ("opt-175b", "recorded_to_modeled", 4.30e23 / 3.15e23, "recomputation"),
        ("yuan 1.0", "recorded_to_modeled", 4 / 3, "recomputation"),
        ("bloomberggpt", "recorded_to_modeled", 2.36e23 / (6 * 50558868480 * 569e9), "recomputation"),
        ("t5-11b", "recorded_to_modeled", 4.05e22 / 6.6e22, "encoder_decoder"),
        ("meena", "recorded_to_modeled", 1.12e23 / 1.56e23, "encoder_decoder"),
        ("pangu-sigma", "total_work_to_peak", 1.89, "sparse_total"),
    ],
)
def test_published_contradictions_are_found_with_their_causes(key: str, name: str, ratio: float, cause: str) -> None:
    (one,) = checked(key).contradictions
    assert (one.name, one.cause) == (name, cause)
    assert one.ratio == pytest.approx(ratio, rel=1e-3)


@pytest.mark.parametrize("key", ["palm 540b", "palm 62b", "palm 8b"])
def test_attention_explains_what_palm_counts_beyond_6nd(key: str) -> None:
    one = checked(key)["recorded_to_modeled"]
    assert (one.word, one.cause) == (CLOSE, "attention")


def test_a_check_is_a_collection_of_its_comparisons() -> None:
    found = checked("opt-175b")
    assert (len(found), tuple(found)) == (len(found.compared), found.compared)
    assert len(found) > 2
    with pytest.raises(UnknownNameError, match="unknown comparison 'recorded_to_model'; the nearest: recorded_to_mod"):
        found["recorded_to_model"]


def test_hours_of_llama_65b_agree_with_its_count_and_days() -> None:
    one = checked("llama 65b")["hours_to_count_duration"]
    assert one.word == AGREE
    assert one.ratio == pytest.approx(1_022_362 / 1_032_192)


def test_chip_hours_of_palm_contradict_the_days_on_all_chips() -> None:
    run = PublishedRunScenario(accelerator_hours=8_404_992, accelerator_count=6_144, duration="64 days")
    (one,) = run.check().contradictions
    assert float(one.against.magnitude) == pytest.approx(9_437_184)
    assert str(one.doubts[0]) == "duration 64 day (would have to be 57 day)"


def test_a_rate_of_steps_above_that_of_the_run_is_no_contradiction() -> None:
    run = PublishedRunScenario(
        training_ops=3.8e25,
        accelerator_hours="30.84M",
        peak_flops=989,
        mfu="41%",
        reported_step_rate=Fact("400 TFLOP/s"),
    )
    found = run.check()
    assert found["run_to_steps"].word == AGREE
    assert found.contradictions == ()
    slower = run.variant(reported_step_rate="200 TFLOP/s", mfu=None).check()
    assert [each.name for each in slower.contradictions] == ["run_to_steps"]


def test_every_contradiction_of_the_catalog_is_known_and_explained() -> None:
    found = {}
    for key in Scenarios:
        run = Scenarios[key]
        for one in CHECKER.check(run.name, run.inputs).compared:
            if one.word == CONTRADICT or one.known:
                found[run.name, one.name] = one
    assert [name for name, one in found.items() if not one.known] == []
    known = {(run, name) for run, rows in explained().items() for name in rows}
    assert known == found.keys()  # and no explanation is of what is no longer so


def test_the_explanations_name_sources_that_are_there() -> None:
    from runlineage import Sources

    assert all(each.source in Sources for rows in explained().values() for each in rows.values())


def test_other_published_values_are_beside_with_their_reasons() -> None:
    beside = {each.fact: each for each in checked("bloom").beside}
    assert beside["published_emissions"].ratio == pytest.approx(183 / 24.69)
    assert beside["reported_energy"].ratio == pytest.approx(475 / 433.196)
    assert all(each.reason for each in beside.values())


def test_nothing_stated_twice_is_nothing_compared() -> None:
    found = PublishedRunScenario(parameters="7B").check()
    assert (found.compared, found.contradictions, found.doubts, found.fit) == ((), (), (), None)


def test_a_column_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="duration: is a column; a check is of one run"):
        PublishedRunScenario(duration=np.array([1.0, 2.0]), accelerator_count=2).check()


def test_a_figure_is_compared_with_nothing_that_comes_from_it() -> None:
    found = PublishedRunScenario(peak_fraction=0.4, peak_flops=312, accelerator_hours=1e5).check()
    assert found.compared == ()


def test_a_contradiction_is_told_once_at_the_lowest_quantity() -> None:
    facts: dict[str, Any] = {"training_ops": 4e23, "parameters": "50B", "training_tokens": "1T"}
    run = PublishedRunScenario(**facts, accelerator_hours=1e6, achieved_rate="83.3 TFLOP/s", peak_flops=312)
    by_work = 4e23 / 3.6e9 / 1e12
    assert run.check()["rate_to_work"].ratio == pytest.approx(83.3 / by_work)
    names = [each.name for each in run.check().compared]
    assert names.count("rate_to_work") == 1


@pytest.mark.parametrize(
    ("total", "count", "hours", "cause"),
    [
        (240_012, 1_001, 9.99, "hours_for_days"),
        (30_720, 1_024, 240.1, "hours_of_nodes"),
        (245_760, 128, 240.1, "count_in_nodes"),
        (245_760, 768, 240.1, ""),
    ],
)
def test_hours_are_explained_where_one_factor_fits(total: float, count: float, hours: float, cause: str) -> None:
    run = PublishedRunScenario(accelerator_hours=total, accelerator_count=count, duration=f"{hours} hour")
    (one,) = run.check().contradictions
    assert (one.name, one.cause) == ("hours_to_count_duration", cause)


def test_energy_of_a_facility_printed_as_that_of_devices_is_named() -> None:
    facts: dict[str, Any] = {"accelerator_hours": 1_082_990, "device_power": "400 W", "pue": 1.2}
    (one,) = PublishedRunScenario(**facts, energy="519.8 MWh").check().contradictions
    assert (one.name, one.cause) == ("energy_to_power", "overhead")


def test_what_cannot_be_is_a_contradiction_by_physics() -> None:
    run = PublishedRunScenario(training_ops=1e24, accelerator_hours=1_001_000, peak_flops=125)
    one = run.check()["work_to_peak"]
    assert (one.word, round(one.ratio, 2)) == (CONTRADICT, 2.22)
    assert "more than it can be" in str(one)


MINE = """
from runlineage import compares, kinds, route

@route
@compares("meter", "time × power", within=0.05, because="meters drift")
def meter_to_power(meter: kinds.Energy, energy: kinds.Energy) -> kinds.Fraction:
    return meter / energy
"""


def test_a_comparison_of_the_users_own_is_held_too() -> None:
    facts: dict[str, Any] = {"accelerator_hours": 1000, "device_power": "400 W", "meter": "1 MWh"}
    run = PublishedRunScenario(modules=(module_from_source(MINE, "meters"),), **facts)
    (one,) = run.check().contradictions
    assert (one.name, one.ratio) == ("meter_to_power", pytest.approx(2.5))
    assert "is 2.5 times time × power" in str(one)


def test_a_mark_that_names_no_parameter_is_refused() -> None:
    with pytest.raises(GraphError, match="compares 'metre', which is none of its parameters"):
        module_from_source(MINE.replace('"meter"', '"metre"'), "metres")


def test_the_lineage_of_a_comparison_goes_down_to_its_facts() -> None:
    run = Scenarios["opt-175b"]
    lineage = CHECKER.lineage(run.name, run.inputs, ["recorded_to_modeled"])
    assert {"training_ops", "parameters", "training_tokens", "modeled_work"} <= lineage.entries.keys()
    assert lineage.entries["recorded_to_modeled"].equation == "training_ops ÷ modeled_work"


def test_the_json_has_stable_keys() -> None:
    document = checked("opt-175b").as_json()
    assert list(document) == ["run", "contradictions", "comparisons", "doubts", "fit", "beside"]
    one = document["comparisons"][0]
    assert one["value"] / one["against_value"] == pytest.approx(one["ratio"])
    assert math.isclose(one["rounding"], 0.065, abs_tol=0.001)
    assert one["known"]["source"] == "opt_final_update"


WORK = {"training_ops": 4.3e23, "accelerator_hours": 810_000}
STARTED = {"stage": "fine-tuning", "parameters": "175B", "training_tokens": "300B"}
TIMED = {"training_ops": 3.146e23, "accelerator_hours": 1_012_000}
FOUR_THIRDS = {"training_ops": 1.0151e23, "parameters": "12.31B", "training_tokens": "1.031T"}


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({**WORK, "work_counts": "hardware", "reported_rate": "180.2 TFLOP/s"}, "rate_to_work"),
        ({**TIMED, "reported_rate": "115.1 TFLOP/s"}, "rate_to_work"),
        ({**STARTED, "accelerator_hours": 1_000, "peak_flops": "312 TFLOP/s"}, "work_to_peak"),
        ({**STARTED, "training_ops": 3.15e24, "base_training_ops": 1e22}, "recorded_to_modeled"),
        ({**FOUR_THIRDS, "recomputation": "none"}, "recorded_to_modeled"),
        ({**FOUR_THIRDS, "work_counts": "model"}, "recorded_to_modeled"),
    ],
    ids=["hardware's work", "faster steps", "modeled work", "small base", "nothing anew", "the model's work"],
)
@pytest.mark.filterwarnings("ignore::runlineage.RunlineageWarning")
def test_no_cause_is_named_that_facts_speak_against(facts: dict[str, Any], name: str) -> None:
    one = PublishedRunScenario(**facts).check()[name]
    assert (one.word != AGREE, one.cause) == (True, "")
    table = pl.DataFrame({key: [value] for key, value in facts.items()})
    (row,) = check(table).filter(pl.col("comparison") == name).iter_rows(named=True)
    assert (row["verdict"], row["cause"]) == (one.word, None)


def test_the_number_of_a_word_has_no_digits() -> None:
    run = PublishedRunScenario(reported_hfu=0.47, reported_mfu=0.421, recomputation="none")
    one = run.check()["hfu_to_mfu"]
    assert one.word == CONTRADICT
    table = pl.DataFrame({"reported_hfu": [0.47], "reported_mfu": [0.421], "recomputation": ["none"]})
    (rounding,) = check(table).filter(pl.col("comparison") == "hfu_to_mfu")["rounding"]
    assert rounding == pytest.approx(one.as_json()["rounding"])


def test_a_figure_is_shown_as_it_was_given() -> None:
    run = PublishedRunScenario(reported_energy="0.52 MWh", accelerator_hours=1_000, device_power="400 W")
    assert str(run.check()["energy_to_power"]) == "printed energy 0.52 MWh is 1.3 times time × device power, 0.4 MWh"


def test_a_bound_that_is_broken_is_told_in_one_sentence() -> None:
    run = PublishedRunScenario(device_power="700 W", accelerator_tdp="400 W")
    told = "is 175.0% of thermal design power, 400 W per accelerator, more than it can be"
    assert told in str(run.check()["power_to_tdp"])


def test_hours_of_the_clock_are_told_by_the_count() -> None:
    run = PublishedRunScenario(accelerator_hours=140, accelerator_count=32, duration="140 hours")
    assert run.check()["hours_to_count_duration"].cause == "wall_clock"
    power = {"accelerator_hours": 123.6, "device_power": "350 W", "pue": 1.2, "accelerator_count": 3}
    card = PublishedRunScenario(reported_facility_energy="155.736 kWh", **power)
    assert card.check()["facility_energy_to_it"].cause == "wall_clock"


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"training_operations": "4.01e23 flop", "training_ops": "3.01e23 flop"}, "given_to_work"),
        ({"hfu": 0.401, "mfu": 0.501}, "mfu_to_hfu"),
        ({"mfu": 0.501, "reported_step_rate": Fact("101 TFLOP/s"), "peak_flops": 312}, "mfu_to_steps"),
    ],
)
def test_answers_given_as_facts_are_figures_too(facts: dict[str, Any], name: str) -> None:
    (one,) = PublishedRunScenario(**facts).check().contradictions
    assert one.name == name


def test_ranges_that_meet_agree() -> None:
    facts: dict[str, Any] = {"accelerator_hours": "240,100", "accelerator_count": 1_001}
    assert PublishedRunScenario(**facts, duration="8.1 to 12.1 days").check()["hours_to_count_duration"].word == AGREE
    assert PublishedRunScenario(**facts, duration="8.01 days").check().contradictions
