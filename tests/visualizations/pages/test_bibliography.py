"""The bibliography: every source once, in order, and only safe addresses as links."""

from __future__ import annotations

import pytest

from runlineage import Fact, PublishedRunScenario, Scenarios
from runlineage.catalogs.catalog import Sources
from runlineage.dataflow.graph.entries import followable
from runlineage.visualizations.pages.bibliography import bibliography
from runlineage.visualizations.pages.unfolding import unfolded


def test_every_source_stands_once_also_those_of_figures_that_are_not_used() -> None:
    run = Scenarios.Llama31_405BPublishedRun.lineage()
    listed = bibliography([run, run])
    assert len({each.key for each in listed}) == len(listed)
    assert {"llama31_card", "llama31_405b_weights", "nvidia_h100_whitepaper"} <= {each.key for each in listed}
    assert [each.text for each in listed] == sorted((each.text for each in listed), key=str.casefold)


def test_words_of_a_run_file_come_last_and_what_the_caller_gave_is_no_source() -> None:
    power = Fact("400 W", source="my notebook, p. 3")
    run = PublishedRunScenario(accelerator_hours=1e6, device_power=power).lineage("energy")
    listed = bibliography([run, Scenarios.BloomPublishedRun.lineage()])
    assert (listed[-1].text, listed[-1].link, listed[-1].citation) == ("my notebook, p. 3", "", None)
    assert "given by the caller" not in [each.key for each in listed]


def test_a_citation_that_came_with_a_fact_is_listed_and_nothing_near_a_users_words_is_sought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a search for near names takes a report seconds")

    monkeypatch.setattr("runlineage.catalogs.catalog.nearest", refuse)
    citation = Sources["brown2020"]
    power = Fact("400 W", source="elsewhere", citation=citation, beside=(Fact("300 W", source="meta"),))
    run = PublishedRunScenario(accelerator_hours=Fact(1e6, source="our log"), device_power=power).lineage("energy")
    listed = bibliography([run])
    assert [each.text for each in listed] == ["Brown et al. (2020)", "meta", "our log"]
    (number,) = unfolded(run, ["energy"], ()).numbers.values()
    assert [step.origin.text for step in number.steps if step.origin] == ["our log", "Brown et al. (2020)"]


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:x",
        "data:text/html,x",
        "//a.example",
        "https://a b",
        'https://a"b',
        "https://a<b",
    ],
)
def test_no_browser_follows_what_is_not_a_plain_web_address(address: str) -> None:
    assert followable(address) == ""
