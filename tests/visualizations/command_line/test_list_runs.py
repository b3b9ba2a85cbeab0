"""`runlineage list runs`: year, device and metrics of each run, and filters that refuse what they do not know."""

from __future__ import annotations

import json

import pytest

from runlineage import Accelerators, Scenarios, Sources
from runlineage.catalogs.quantities.fields import METRICS
from runlineage.visualizations.columns import fitted
from runlineage.visualizations.command_line.run_listing import listed_runs


def test_a_run_shows_its_year_its_device_and_what_it_answers(command) -> None:  # type: ignore[no-untyped-def]
    rows = {row["name"]: row for row in json.loads(command("list", "runs", "--json")[1])}
    assert len(rows) == len(Scenarios)
    assert rows["GPT-3 175B"] == {
        "key": "Gpt3PublishedRun",
        "name": "GPT-3 175B",
        "year": 2020,
        "accelerator": "NVIDIA V100 SXM2 16GB",
        "metrics": ["training_operations", "achieved_rate", "peak_fraction"],
    }
    for row in rows.values():
        results = Scenarios[row["key"]].results()
        assert row["metrics"] == [name for name in METRICS if name in results]


def test_filters_leave_the_runs_of_a_year_and_of_a_device(command) -> None:  # type: ignore[no-untyped-def]
    rows = json.loads(command("list", "runs", "--year", "2024", "--accelerator", "h100 sxm", "--json")[1])
    assert rows
    assert {row["year"] for row in rows} == {2024}
    assert {row["accelerator"] for row in rows} == {"NVIDIA H100 SXM5 80GB"}


def test_a_family_serves_for_its_members() -> None:
    family = listed_runs(accelerator="A100")
    members = [run for name in Accelerators.members("A100") for run in listed_runs(accelerator=name)]
    assert len({run.accelerator for run in family}) > 1
    assert sorted(run.key for run in family) == sorted(run.key for run in members)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["runs", "--accelerator", "H10"], "unknown accelerator 'H10'; the nearest: NVIDIA H100 SXM5 80GB"),
        (["runs", "--year", "2016"], "unknown year of a run '2016'; the nearest: 2018, 2019, 2020"),
        (["runs", "--year", "last"], "--year: is 'last'; expected a year from 1990"),
        (["sources", "--year", "2020"], "--year: is of runs, and not of sources; leave it out, or list runs"),
        (["grids", "--accelerator", "H100"], "--accelerator: is of runs, and not of grids"),
    ],
)
def test_an_unknown_filter_is_refused(command, arguments: list[str], message: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("list", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_no_run_of_both_is_said(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("list", "runs", "--year", "2020", "--accelerator", "H100")
    assert (code, out) == (0, "no run of the catalog is of that year and device\n")


@pytest.mark.parametrize("width", [60, 79, 100, 120, 200])
@pytest.mark.parametrize("catalog", ["runs", "thresholds", "accelerators", "grids", "workloads"])
def test_a_list_fits_the_terminal(command, monkeypatch: pytest.MonkeyPatch, catalog: str, width: int) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = command("list", catalog)
    assert code == 0
    assert max(map(len, out.splitlines())) <= width


def test_an_address_is_never_broken(command, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "60")
    out = command("list", "sources")[1]
    assert all(Sources[key].url in out for key in Sources)


def test_cells_are_wrapped_only_where_rows_do_not_fit() -> None:
    rows = [("a name of five words", "1"), ("short", "2")]
    assert fitted(rows, 30).splitlines() == ["a name of five words  1", "short                 2"]
    assert len(fitted(rows, 16).splitlines()) == 3
