"""The spread of answers: products against algebra, all else against a plain simulation of a million draws."""

from __future__ import annotations

import itertools
import math
import pickle
import subprocess
import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hamilton.ad_hoc_utils import module_from_source

from runlineage import Driver, Fact, PublishedRunScenario, Scenarios, as_quantity, registry
from runlineage.catalogs.quantities.ranges import NORMAL_END
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.spreads.draws import DRAWS

MILLION = 1_000_000
LLAMA = {"accelerator_hours": 1_022_362, "device_power": "350 to 400 W"}
NUMBERS = itertools.count()


def run(**facts: Any) -> PublishedRunScenario:
    return PublishedRunScenario(**facts)


def spread(case: PublishedRunScenario, metric: str) -> Any:
    found = case.spread(metric)
    assert found is not None
    return found


def sizes(found: Any) -> tuple[float, float, float]:
    return tuple(float(each.magnitude) for each in (found.value, found.low, found.high))  # type: ignore[return-value]


def simulated(seed: int, count: int) -> Any:
    return np.random.default_rng(seed).standard_normal((count, MILLION))


def lognormal(normal: Any, low: float, high: float) -> Any:
    return math.sqrt(low * high) * np.exp(normal * math.log(high / low) / 2 / NORMAL_END)


def module(source: str) -> ModuleType:
    return module_from_source("from runlineage import kinds\nimport math\n" + source, f"spread_{next(NUMBERS)}")


# Products: exact.


def test_the_energy_of_a_power_range_is_the_product_at_its_ends() -> None:
    found = spread(run(**LLAMA), "energy")
    assert sizes(found) == pytest.approx(
        tuple(1_022_362 * each / 1e9 for each in (math.sqrt(350 * 400), 350, 400)), rel=1e-12
    )
    assert dict(found.budget) == {"device_power": 1.0}


def test_a_quotient_turns_the_interval_round() -> None:
    found = spread(Scenarios.Gpt3PublishedRun.variant(duration="14 to 16 days"), "achieved_rate")
    rate = [3.14e23 / 1e4 / 86400 / days / 1e12 for days in (math.sqrt(14 * 16), 16, 14)]
    assert sizes(found) == pytest.approx(rate, rel=1e-12)


def test_three_factors_widen_and_share_the_interval_as_logarithms_add() -> None:
    case = run(training_ops="3e23 to 3.5e23", accelerator_count="9,000 to 11,000", duration="13 to 17 days")
    found = spread(case, "achieved_rate")
    widths = {"training_ops": math.log(3.5 / 3), "accelerator_count": math.log(11 / 9), "duration": math.log(17 / 13)}
    total = math.sqrt(sum(each**2 for each in widths.values()))
    middle = math.sqrt(3e23 * 3.5e23 / (9e3 * 11e3) / (13 * 17)) / 86400 / 1e12
    assert sizes(found) == pytest.approx(
        (middle, middle * math.exp(-total / 2), middle * math.exp(total / 2)), rel=1e-9
    )
    assert found.budget == pytest.approx({name: (each / total) ** 2 for name, each in widths.items()}, abs=1e-9)
    assert list(found.budget) == ["duration", "accelerator_count", "training_ops"]  # what drives it stands first
    assert np.quantile(found.draws, [0.5, 0.05, 0.95]) == pytest.approx(sizes(found), rel=0.002)


def test_half_a_range_keeps_its_own_width() -> None:
    facts = {"accelerator_hours": "1M ± 30%", "device_power": "400 W ± 20%"}
    found = spread(run(**facts), "energy")
    one, other = simulated(1, 2)
    hours = np.exp(np.where(one < 0, -one * math.log(0.7), one * math.log(1.3)) / NORMAL_END)
    power = np.exp(np.where(other < 0, -other * math.log(0.8), other * math.log(1.2)) / NORMAL_END)
    assert sizes(found) == pytest.approx(tuple(np.quantile(0.4 * hours * power, [0.5, 0.05, 0.95])), rel=0.01)
    shares = [np.log(each).var() for each in (hours, power)]
    assert list(found.budget.values()) == pytest.approx([each / sum(shares) for each in shares], abs=0.02)


def test_a_fact_with_its_own_median_keeps_all_three_numbers() -> None:
    case = run(accelerator_hours=1e6, device_power=Fact("380 W", source="log", low="350 W", high="400 W"))
    entry = case.lineage("energy").entries["device_power"]
    assert (entry.value.m, *(each.m for each in entry.interval or ())) == pytest.approx((380, 350, 400), rel=0.002)
    assert sizes(spread(case, "energy")) == pytest.approx((0.38, 0.35, 0.4), rel=0.002)


def test_a_shared_fact_counts_once() -> None:
    facts = {"training_ops": 3e23, "accelerator_count": 1e4, "duration": "14 to 16 days", "device_power": "300 W"}
    nodes = module(
        "def ratio(energy: kinds.Energy, duration: kinds.Duration, device_power: kinds.Power) -> kinds.Count:\n"
        "    return energy / duration / device_power\n"
    )
    driver = Driver(*MODULES, nodes, assume={"count_duration"})
    answer = driver.answer(["ratio", "energy"], facts)
    assert set(answer.spreads) == {"energy"}  # the duration above and below is one and the same
    assert answer["ratio"].m == pytest.approx(1e4)


def test_nothing_uncertain_has_no_spread_and_does_not_load_scipy() -> None:
    assert run(accelerator_hours=1e6, device_power="400 W").spread("energy") is None
    assert run(**LLAMA, training_ops=3e23).spread("training_operations") is None
    script = "import sys; from runlineage import Scenarios; Scenarios.Gpt3PublishedRun.results(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "scipy.stats" not in done.stdout.split()


def test_the_same_answer_twice_and_whatever_is_asked_beside_it() -> None:
    facts = {"accelerator_hours": "1M ± 30%", "device_power": "400 W ± 20%", "training_ops": "3e23 ± 10%"}
    alone, beside = run(**facts).result("energy"), run(**facts).results().result("energy")
    assert alone.as_json() == beside.as_json()
    script = f"from runlineage import PublishedRunScenario as R\nprint(R(**{facts!r}).result('energy').as_json())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(alone.as_json())


def test_attributes_stay_quantities_and_results_pickle_with_their_spread() -> None:
    case = run(**LLAMA)
    assert case.energy.m == pytest.approx(1_022_362 * math.sqrt(350 * 400) / 1e9)
    results = pickle.loads(pickle.dumps(case.results("energy")))
    assert results.result("energy").interval == case.result("energy").interval
    assert len(results.spreads["energy"].draws) == DRAWS


def test_what_a_fact_would_narrow_follows_from_its_share() -> None:
    found = spread(run(accelerator_hours="1M to 1.3M", device_power="350 to 400 W"), "energy")
    known = spread(run(accelerator_hours=1.1e6, device_power="350 to 400 W"), "energy")
    width, left = (math.log(each.high / each.low) for each in (found, known))
    assert found.narrowing["accelerator_hours"] == pytest.approx(1 - left / width, rel=1e-9)


# Other doors.


def test_a_record_of_a_catalog_may_hold_a_range() -> None:
    from runlineage import HardwareNode

    node = HardwareNode(name="X1", tdp={"value": "350 to 400 W", "source": "sheet"}, peak_bf16="300 TFLOP/s ± 5%")
    case = run(accelerator=node, accelerator_hours=1e6, training_ops=3e23)
    assert sizes(spread(case.variant(assume={"tdp"}), "energy"))[1:] == pytest.approx((0.35, 0.4), rel=1e-9)
    assert dict(spread(case, "peak_fraction").budget) == {"peak_flops": 1.0}


def test_a_run_file_may_hold_a_range(tmp_path: Any) -> None:
    from runlineage import read_run

    file = tmp_path / "run.toml"
    ends = '{ value = "375 W", low = "350 W", high = "400 W", source = "log" }'
    file.write_text(f'accelerator_hours = "1M to 1.2M"\ndevice_power = {ends}\n')
    assert set(spread(read_run(file), "energy").budget) == {"accelerator_hours", "device_power"}


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            {"accelerator_hours": [1.0, 2.0], "device_power": "350 to 400 W"},
            "is a range, and accelerator_hours is a column",
        ),
        (
            {"periods": [{"accelerator_count": "10 to 20", "duration": "3 days"}]},
            "periods[0]: has a range, and periods are added up from single numbers",
        ),
        ({"precision": "bf16 to fp8"}, "precision: is 'bf16 to fp8'"),
        ({"device_power": Fact(None, low="350 W", high="400 W")}, "device_power: has the ends of a range and no value"),
        (
            {"device_power": Fact("350 to 400 W", low="1 W", high="2 W")},
            "device_power: '350 to 400 W' is a range; one value is needed here",
        ),
        ({"device_power": {"value": "375 W", "low": "350 W"}}, "device_power.high: is missing"),
        (
            {"precision": {"value": "bf16", "low": "x", "high": "y"}},
            "precision: has a low or a high end, and is no quantity",
        ),
    ],
)
def test_a_range_where_none_can_be_is_refused(refusal: Any, facts: dict[str, Any], sentence: str) -> None:
    assert sentence in refusal(run, **facts)


# What is no product.

SUM = "def total_energy(energy: kinds.Energy, cooling: kinds.Energy) -> kinds.Energy:\n    return energy + cooling\n"


def test_a_sum_of_a_user_is_as_a_simulation_gives_it() -> None:
    found = Driver(*MODULES, module(SUM)).answer("total_energy", {**LLAMA, "cooling": "50 to 150 MWh"})
    first, second = simulated(2, 2)
    energy, cooling = lognormal(first, 357.8267, 408.9448), lognormal(second, 50, 150)
    answer = found.spreads["total_energy"]
    assert not answer.is_product
    ends = tuple(each.m_as("MWh") for each in (answer.value, answer.low, answer.high))
    assert ends == pytest.approx(tuple(np.quantile(energy + cooling, [0.5, 0.05, 0.95])), rel=0.01)
    assert found["total_energy"] == answer.value
    logs = np.log(energy + cooling)
    for name, part in (("device_power", energy), ("cooling", cooling)):  # the variance of conditional means
        order = np.argsort(part)
        means = logs[order].reshape(1000, -1).mean(axis=1)
        assert answer.budget[name] == pytest.approx(means.var() / logs.var(), abs=0.02)


def test_our_own_sum_over_attention_is_as_a_simulation_gives_it() -> None:
    shape = {"layers": 80, "hidden_size": 8192, "sequence_length": 2048}
    found = spread(run(parameters="60B to 70B", **shape), "operations_per_token")
    (normal,) = simulated(3, 1)
    work = (6 * lognormal(normal, 60e9, 70e9) + 12 * 80 * 8192 * 2048) / 1e9
    assert sizes(found) == pytest.approx(tuple(np.quantile(work, [0.5, 0.05, 0.95])), rel=0.01)
    assert found.budget == pytest.approx({"parameters": 1.0}, abs=0.02)


def test_what_is_below_zero_has_a_spread_too() -> None:
    nodes = module(
        "def margin(energy: kinds.Energy, cooling: kinds.Energy) -> kinds.Energy:\n    return cooling - energy\n"
    )
    answer = Driver(*MODULES, nodes).answer("margin", {**LLAMA, "cooling": "300 to 450 MWh"}).spreads["margin"]
    first, second = simulated(4, 2)
    margin = lognormal(second, 300, 450) - lognormal(first, 357.8267, 408.9448)
    ends = [each.m_as("MWh") for each in (answer.value, answer.low, answer.high)]
    assert ends == pytest.approx(np.quantile(margin, [0.5, 0.05, 0.95]), abs=1.5)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("    return 1.0 if energy.m > 1 else 2.0\n", "ValueError"),
        ("    return math.log(energy.m)\n", "TypeError"),
        ("    return float(energy.m.max()) if hasattr(energy.m, 'max') else energy.m\n", "its values differ"),
    ],
)
def test_a_node_that_takes_no_columns_is_named(source: str, problem: str) -> None:
    nodes = module(
        f"def odd(energy: kinds.Energy) -> float:\n{source}\ndef after(odd: float) -> float:\n    return odd * 2\n"
    )
    answer = Driver(*MODULES, nodes).answer(["after", "energy"], LLAMA)
    assert set(answer.spreads) == {"energy"}
    (warning,) = answer.warnings
    assert f"odd of {nodes.__name__} takes no columns of draws ({problem}" in warning
    assert warning.endswith("so that after has no interval")
    assert answer["after"] is not None


def test_a_range_of_a_users_plain_input_is_given_by_three_numbers() -> None:
    nodes = module("def metered(reading: object, share: object) -> object:\n    return reading * share\n")
    answer = Driver(nodes).answer("metered", {"reading": 100.0, "share": Fact(0.8, low=0.7, high=0.9)})
    found = answer.spreads["metered"]
    assert (found.value, found.low, found.high) == pytest.approx((80, 70, 90), rel=0.002)


# Assumptions about spreads.


def test_rounding_is_uniform_within_half_a_unit_and_off_unless_asked() -> None:
    facts = {"accelerator_hours": "1.02M", "device_power": "403 W"}
    assert run(**facts).spread("energy") is None
    found = spread(run(**facts, assume={"rounding"}), "energy")
    draws = np.random.default_rng(5).uniform(-1, 1, (2, MILLION))
    energy = (1.02e6 + 5e3 * draws[0]) * (403 + 0.5 * draws[1]) / 1e9
    assert sizes(found) == pytest.approx(tuple(np.quantile(energy, [0.5, 0.05, 0.95])), rel=2e-4)
    assert found.value.m == pytest.approx(1.02e6 * 403 / 1e9, rel=1e-12)


def test_rounding_leaves_ranges_and_exact_counts_as_they_are() -> None:
    shape = {"layers": 80, "hidden_size": 8192, "sequence_length": 2048}
    case = run(**LLAMA, parameters="65.2B", training_tokens=1.4e12, **shape, assume={"rounding"})
    assert set(spread(case, "operations_per_token").budget) == {"parameters"}
    assert spread(case, "energy").budget["device_power"] > 0.999


def test_a_draw_below_the_design_power_is_sourced_and_off_unless_asked() -> None:
    facts = {"accelerator_hours": 1e6, "accelerator_tdp": "700 W"}
    assert run(**facts, assume={"tdp"}).spread("energy") is None
    case = run(**facts, assume={"tdp", "power_draw"})
    assert sizes(spread(case, "energy"))[1:] == pytest.approx((0.7 / 1.37, 0.7 * 0.82), rel=1e-9)
    assert dict(spread(case, "energy").budget) == {"power_draw": 1.0}
    assert (
        "Newkirk et al. (2025) and Latif et al. (2025), abstracts"
        in case.lineage("energy").entries["device_power"].note
    )
    with pytest.warns(match='assumption "power_draw" was not needed'):
        assert run(accelerator_hours=1e6, device_power="700 W", assume={"power_draw"}).spread("energy") is None


def test_modeled_work_may_be_off_and_recorded_work_is_not() -> None:
    case = run(parameters="7B", training_tokens="1T", assume={"estimate_error"})
    assert sizes(spread(case, "training_operations")) == pytest.approx((4.2e22, 4.2e22 * 0.7, 4.2e22 * 1.3), rel=0.002)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run(training_ops=1e23, assume={"estimate_error"}).spread("training_operations") is None


def test_printed_figures_agree_where_the_interval_holds_them() -> None:
    facts = {"training_ops": 3.14e23, "accelerator_count": 10_000, "reported_rate": "26 TFLOP/s"}
    off = run(**facts, duration="14.8 days").results("achieved_rate")
    assert "5.6% less than the 26 TFLOP/s" in off.warnings[0]
    within = run(**facts, duration="13 to 16 days").results("achieved_rate")
    assert within.warnings == ()
    assert str(within.result("achieved_rate").printed) == "printed 26 TFLOP/s per accelerator (agrees)"


def test_solving_gives_the_range_of_the_fact() -> None:
    case = run(training_ops="3e23 to 3.3e23", accelerator_count=10_000)
    found = case.solve("duration", achieved_rate="50 TFLOP/s")
    days = [work / 50e12 / 1e4 / 86400 for work in (math.sqrt(3e23 * 3.3e23), 3e23, 3.3e23)]
    assert found.value.m == pytest.approx(days[0], rel=1e-9)
    assert [each.m for each in found.interval or ()] == pytest.approx(days[1:], rel=0.002)
    assert set(found.as_json()["interval"]) == {"low", "high", "level"}
    assert run(training_ops=3e23, accelerator_count=1e4).solve("duration", achieved_rate=50).interval is None


def test_a_draw_without_a_solution_is_refused() -> None:
    case = run(accelerator_hours="1,000 to 900,000", energy=None)
    with pytest.raises(
        ValueError, match=r"device_power has no value|has no value within its band for \d+% of the draws"
    ):
        case.solve("device_power", energy=as_quantity("100 MWh", field="energy"))


def test_solving_over_a_users_sum_goes_through_every_draw() -> None:
    driver = Driver(*MODULES, module(SUM))
    wanted = registry().Quantity(0.5, "GWh").to("J")
    found = driver.solve("device_power", {"accelerator_hours": 1e6, "cooling": "50 to 150 MWh"}, total_energy=wanted)
    assert [each.m for each in found.interval or ()] == pytest.approx([350, 450], rel=0.002)


# What stands beside.


def test_facts_whose_ranges_meet_do_not_contradict_each_other() -> None:
    apart = {"accelerator_hours": 1e6, "accelerator_count": 1000, "duration": "40 days"}
    assert "differ by 4%" not in "".join(run(**apart).inputs.warnings)
    off = apart | {"duration": "45 days"}
    assert "differ by 7%" in "".join(run(**off).inputs.warnings)
    assert run(**off | {"duration": "40 to 50 days"}).inputs.warnings == ()


def test_an_answer_given_as_a_range_is_not_contradicted_by_what_it_holds() -> None:
    facts = {"accelerator_hours": 1e6, "device_power": "355 W"}
    assert run(**facts, energy="350 to 420 MWh").results("energy").warnings == ()
    assert "energy is given as" in run(**facts, energy="380 to 420 MWh").results("energy").warnings[0]


def test_overlapping_ranges_of_total_and_active_weights_are_no_fault(refusal: Any) -> None:
    facts = {"parameters": "7B to 8B", "training_tokens": "1T"}
    assert run(**facts, active_parameters="7.5B").training_operations.m == pytest.approx(4.5e22)
    assert "is more than parameters" in refusal(run, **facts, active_parameters="9B")


def test_a_graph_of_your_own_is_told_that_it_gets_a_median() -> None:
    from runlineage import graph_inputs

    with pytest.warns(match="device_power is a range, of which a graph of your own gets the median"):
        given = graph_inputs({"device_power": "350 to 400 W"})
    assert given["device_power"].m == pytest.approx(math.sqrt(350 * 400))


def test_a_card_may_state_a_range(tmp_path: Any) -> None:
    from runlineage import read_card

    file = tmp_path / "README.md"
    file.write_text(
        "| | Training Time (GPU hours) | Training Power Consumption (W) |\n|-|-|-|\n| Tiny | 1e6 | {} |\n".format(
            "350-400"
        )
    )
    assert sizes(spread(read_card(file), "energy"))[1:] == pytest.approx((0.35, 0.4), rel=1e-9)


def test_a_range_beside_other_values_goes_into_a_lineage_file(tmp_path: Any) -> None:
    from runlineage import lineage_json, read_lineage

    beside = (Fact("350 to 400 W", source="other"),)
    case = run(accelerator_hours=1e6, device_power=Fact("390 W", source="log", beside=beside))
    file = tmp_path / "a.json"
    file.write_text(lineage_json(case.lineage("energy")))
    back = read_lineage(file).inputs.stated["device_power"].beside[0]
    assert [each.m for each in (back.low, back.high)] == [350, 400]
    assert "374 W per accelerator (350 to 400) [other]" in str(read_lineage(file).lineage("energy"))
