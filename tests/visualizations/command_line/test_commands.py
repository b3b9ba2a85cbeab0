"""The command line: what is printed, where, with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runlineage import PublishedRunScenario, __version__, lineage_json
from runlineage.catalogs.quantities.fields import ANSWERS
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes
from runlineage.dataflow.routes.spread_assumptions import NAMES as SPREAD_NAMES
from runlineage.visualizations.command_line.arguments import ASSUMPTIONS


def test_show_answers_unasked_gaps_with_their_reason(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", "Gpt3PublishedRun")
    assert (code, err) == (0, "")
    assert "  energy               –  needs accelerator_hours, device_power, or assume" in out


def test_a_metric_asked_by_name_that_cannot_be_computed_is_exit_one(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("show", "Gpt3PublishedRun", "energy")
    assert code == 1
    assert "needs accelerator_hours, device_power" in out
    assert err.startswith("cannot compute energy of GPT-3 175B:")


def test_json_has_stable_keys_and_full_precision(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("show", "gpt-3", "achieved_rate", "energy", "--json")
    assert code == 1
    assert json.loads(out) == {
        "schema": "runlineage/1",
        "run": "GPT-3 175B",
        "metrics": {
            "achieved_rate": {
                "value": 24.555805805805804,
                "unit": "TFLOP/s/accelerator",
                "route": "reference_run",
                "assumes": [],
                "problem": None,
                "published": {
                    "fact": "reported_rate",
                    "value": 24.6,
                    "unit": "TFLOP/s/accelerator",
                    "difference": pytest.approx(-0.001796512),
                },
                "interval": None,
                "budget": None,
            },
            "energy": {
                "value": None,
                "unit": "GWh",
                "route": None,
                "assumes": [],
                "problem": "needs accelerator_hours, device_power",
                "published": None,
                "interval": None,
                "budget": None,
            },
        },
        "warnings": [],
    }


def test_facts_as_options_make_a_run_of_their_own(command) -> None:  # type: ignore[no-untyped-def]
    facts = ["--training-ops", "3640 petaflop/s-days", "--accelerator-count", "10,000", "--duration", "14.8 days"]
    code, out, _ = command("show", *facts, "-m", "achieved_rate", "--json")
    assert code == 0
    assert json.loads(out)["metrics"]["achieved_rate"]["value"] == pytest.approx(
        3640 * 8.64e19 / 1e4 / 14.8 / 86400 / 1e12
    )


def test_facts_as_options_make_a_variant_of_a_run(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("show", "gpt-3", "energy", "--device-power", "330W", "--assume", "count_duration")
    assert code == 0
    assert out == 'GPT-3 175B with device_power 330W\n  energy  1.17216 GWh  by power_time, assuming "count_duration"\n'


def test_a_run_file_is_a_run(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "mine.toml"
    file.write_text('accelerator_hours = "1,022,362"\ndevice_power = "400 W"\n')
    assert command("show", str(file), "energy")[:2] == (0, "mine\n  energy  0.408945 GWh  by power_time\n")


def test_why_tells_tree_routes_and_sources(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("why", "gpt-3", "achieved_rate")
    assert code == 0
    for part in ("by reference_run", "routes not taken", "accelerator_time: needs accelerator_hours", "\nsources\n"):
        assert part in out


def test_why_of_what_cannot_be_computed_tells_what_is_missing(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("why", "gpt-3", "energy")
    assert code == 1
    assert out.startswith("GPT-3 175B\n")
    assert "cannot compute energy" in err


def test_why_as_json_carries_the_lineage(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("why", "gpt-3", "achieved_rate", "--json")
    assert code == 0
    entries = {each["name"]: each for each in json.loads(out)["runs"][0]["entries"]}
    assert entries["achieved_rate"]["parents"] == ["training_ops", "accelerator_count", "duration"]
    assert entries["duration"]["source"] == "patterson2021"


@pytest.mark.parametrize("kind", ["--json", "--prov"])
def test_a_lineage_is_shown_as_the_run_was(command, tmp_path: Path, kind: str) -> None:  # type: ignore[no-untyped-def]
    asked = ("gpt-3", "--assume", "tdp", "--assume", "count_duration")
    path = tmp_path / "lineage.json"
    path.write_text(command("why", *asked, kind)[1], encoding="utf-8")
    for ask in (("show",), ("show", "--json"), ("why",), ("why", "--json")):
        assert command(ask[0], str(path), *ask[1:]) == command(ask[0], *asked, *ask[1:])


def test_facts_as_options_change_a_lineage_and_keep_its_assumptions(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "lineage.json"
    path.write_text(command("why", "gpt-3", "--assume", "tdp", "--assume", "count_duration", "--json")[1])
    code, out, _ = command("show", str(path), "energy", "--duration", "7.4")
    assert code == 0
    assert 'energy  0.5328 GWh  by power_time, assuming "count_duration", "tdp"' in out


def test_an_edited_lineage_is_bad_input(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "lineage.json"
    path.write_text(command("why", "gpt-3", "achieved_rate", "--json")[1].replace("24.555805805805804", "25.0", 1))
    code, out, err = command("show", str(path))
    assert (code, out) == (2, "")
    assert "runs[0].entries[3] (achieved_rate): is 25 TFLOP/s per accelerator, and its facts give 24.5558" in err


def test_what_would_steer_a_terminal_is_not_printed(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    power = Fact("400 W", "stated", "a card", "page\x1b[31m 5", "note\u202e")
    run = PublishedRunScenario(accelerator_hours=1, device_power=power)
    path = tmp_path / "odd.json"
    path.write_text(lineage_json(run.lineage("energy")), encoding="utf-8")
    out = command("why", str(path), "energy")[1]
    assert "page [31m 5" in out
    assert all(letter.isprintable() for letter in out.replace("\n", ""))


def test_draw_writes_the_kind_of_its_suffix(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("draw", "gpt-3", "achieved_rate", "-o", str(tmp_path / "a.dot"))
    assert (code, out) == (0, f"{tmp_path / 'a.dot'}: achieved_rate of GPT-3 175B\n")
    assert (tmp_path / "a.dot").read_text().startswith("digraph")


@pytest.mark.parametrize(
    ("arguments", "said", "held"),
    [
        (
            ["gpt-3", "--affects", "duration"],
            "achieved_rate, peak_fraction of GPT-3 175B",
            '"duration" -> "achieved_rate"',
        ),
        (["gpt-3", "achieved_rate", "--beside", "bloom"], "achieved_rate of GPT-3 175B, BLOOM 176B", "subgraph"),
        (["palm540b", "energy", "--routes"], "routes of PaLM 540B", "needs accelerator_hours"),
        (["--nodes"], "every route of our nodes", '"facility_energy" ['),
    ],
)
def test_draw_has_further_views(command, tmp_path: Path, arguments: list[str], said: str, held: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("draw", *arguments, "-o", str(tmp_path / "a.dot"))
    assert (code, err) == (0, "")
    assert out.endswith(f": {said}\n")
    assert held in (tmp_path / "a.dot").read_text()


def test_json_and_prov_are_two_forms(command) -> None:  # type: ignore[no-untyped-def]
    said = "error: --prov: cannot stand beside --json: each is a form of its own; choose one\n"
    assert command("why", "gpt-3", "--json", "--prov") == (2, "", said)


def test_draw_refuses_views_that_do_not_go_together(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = str(tmp_path / "a.dot")
    assert command("draw", "gpt-3", "--nodes", "-o", path)[::2] == (
        2,
        "error: --nodes: draws no run; leave RUN out, or draw it with --routes\n",
    )
    code, _, err = command("draw", "gpt-3", "--affects", "durations", "-o", path)
    assert code == 2
    assert err.startswith("error: unknown quantity 'durations'; the nearest: duration; ")
    assert not Path(path).exists()


def test_draw_of_what_cannot_be_computed_writes_nothing(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("draw", "gpt-3", "energy", "-o", str(tmp_path / "a.dot"))
    assert code == 1
    assert "cannot compute energy" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("catalog", ["runs", "workloads", "accelerators", "grids", "thresholds", "sources"])
def test_list_gives_every_record_in_text_and_json(command, catalog: str) -> None:  # type: ignore[no-untyped-def]
    code, text, _ = command("list", catalog)
    rows = json.loads(command("list", catalog, "--json")[1])
    assert code == 0
    assert [line.split()[0] for line in text.splitlines()] == [row["key"] for row in rows]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "gpt-33"], "unknown run 'gpt-33'; the nearest: GPT-3 175B"),
        (["show", "gpt-3", "enrgy"], "METRIC: 'enrgy' is unknown; did you mean energy?"),
        (["show", "gpt-3", "--assume", "tpd"], "unknown assumption 'tpd'; the nearest: tdp"),
        (["show", "--duration", "0"], "my run: duration: '0' is not above zero"),
        (["show", "--device-power", "700 V"], "device_power: '700 V' has an unknown unit 'V'"),
        (["show", "--accelerator", "Gaudi"], "accelerator 'Gaudi' matches several; use one of"),
        (["show", "gpt-3", "--precision", "fp8"], "NVIDIA V100 SXM2 16GB has no fp8 peak; it has"),
        (["show", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["show", "/"], "/: holds neither README.md nor config.json; name a folder with one of them"),
        (["draw", "gpt-3", "-o", "a.svgg"], "no picture has the suffix '.svgg'"),
        (["draw", "gpt-3", "-o", "/none/a.dot"], "/none/a.dot cannot be written: No such file or directory"),
        (["show", "energy"], "RUN: energy is a metric; name the run before it, or ask by `-m energy`"),
        (["show", "gpt-3", "foo", "-m", "bar"], "2 faults"),
        (["show", "a" * 300], "unknown run 'aaa"),
        (["show", "a" * 300 + ".toml"], "cannot be read: File name too long"),
        (["draw", "bloom", "-o", "b" * 300 + ".dot"], "cannot be written: File name too long"),
        (["draw", "bloom", "-o", "/dev/null/a.dot"], "cannot be written: Not a directory"),
        (["show", "--parameters", "1e200", "--training-tokens", "1e200"], "is beyond what a run can have"),
        (["list", "run"], "unknown catalog 'run'; the nearest: runs"),
        (["show", "--duration", "9**9**9**9"], "'9**9**9**9' does not start with a plain number"),
    ],
)
def test_bad_input_is_one_error_and_exit_two(command, arguments: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert said in err
    assert "Traceback" not in err


def test_all_faults_of_the_options_are_said_at_once(command) -> None:  # type: ignore[no-untyped-def]
    _, _, err = command("show", "--duration", "-1", "--device-power", "x", "--precision", "bf61")
    assert err.startswith("error: 3 faults in my run:")


@pytest.mark.parametrize("arguments", [["--unknown"], ["show", "--device-pwoer", "1"], ["draw", "gpt-3"]])
def test_a_misspelt_option_is_exit_two(command, arguments: list[str]) -> None:  # type: ignore[no-untyped-def]
    assert command(*arguments)[0] == 2


def test_a_fraction_above_one_is_answered_and_warned_of(command) -> None:  # type: ignore[no-untyped-def]
    facts = ["--training-ops", "3e24", "--accelerator-hours", "1M", "--peak-flops", "125"]
    code, out, err = command("show", *facts, "-m", "peak_fraction")
    assert (code, "6.66667" in out) == (0, True)
    assert err == (
        "warning: peak_fraction is 6.66667, and no device works above its dense peak: "
        "doubt training_ops, accelerator_hours, peak_flops\n"
    )


def test_the_version(command) -> None:  # type: ignore[no-untyped-def]
    assert command("--version")[:2] == (0, f"runlineage {__version__}\n")


@pytest.mark.parametrize("name", [[], ["show"], ["why"], ["draw"], ["list"]])
def test_help_has_examples_and_every_fact(command, name: list[str]) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command(*name, "--help")
    assert "runlineage" in out
    if name in (["show"], ["why"], ["draw"]):
        assert "Examples:" in out
        assert "--accelerator-hours" in out


def test_every_file_of_a_command_is_in_the_help(command) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command("--help")
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines()]
    assert listed == ["card", "check", "compare", "draw", "list", "report", "show", "solve", "table", "verdicts", "why"]


@pytest.mark.parametrize("name", ["show", "why", "draw"])
def test_the_help_has_a_line_for_what_each_metric_means(command, name: str) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command(name, "--help")
    text = " ".join(out.split())
    assert [field.name for field in ANSWERS.values() if f"{field.name} {field.sentence}" not in text] == []


def test_a_misspelt_command_says_the_nearest(command) -> None:  # type: ignore[no-untyped-def]
    said = "error: unknown command 'sho'; the nearest: show; `runlineage --help` lists all\n"
    assert command("sho") == (2, "", said)


def test_one_command_does_not_load_the_others() -> None:
    script = """import contextlib, sys
from runlineage.__main__ import start
sys.argv = ["runlineage", "list", "runs"]
with contextlib.suppress(SystemExit):
    start()
print(*(each for each in sys.modules if each.endswith("_command")))"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "runlineage.visualizations.command_line.list_command"


@pytest.mark.parametrize("arguments", [["show", "--un\u202eknown"], ["show", "gpt\x1b[31m3"], ["sh\x9bow"]])
def test_what_would_steer_a_terminal_is_not_repeated_by_an_error(command, arguments: list[str]) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command(*arguments)
    assert code == 2
    assert all(letter.isprintable() for letter in err.replace("\n", ""))


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "runlineage", *arguments], capture_output=True, text=True, env=environment, **options
    )


def test_as_a_process_it_prints_plainly_when_piped() -> None:
    done = process("show", "Gpt3PublishedRun")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b[" not in done.stdout


def test_a_closed_pipe_is_no_traceback() -> None:
    script = f"{sys.executable} -m runlineage list sources | head -1"
    done = subprocess.run(script, shell=True, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", ["show bloom", "--version", "show --help", "list runs"])
def test_a_full_disk_behind_the_output_is_one_sentence(arguments: str) -> None:
    done = subprocess.run(
        f"{sys.executable} -m runlineage {arguments} > /dev/full", shell=True, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "error: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("ending", [">&-", "| true"])
def test_an_output_that_nobody_reads_is_no_fault(ending: str) -> None:
    script = f"set -o pipefail; {sys.executable} -m runlineage show bloom {ending}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stream_without_unicode_still_gets_the_numbers() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "runlineage", "show", "bloom"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "99.2722 TFLOP/s per accelerator" in done.stdout


def test_a_folder_named_like_a_run_does_not_hide_it(command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "bloom").mkdir()
    monkeypatch.chdir(tmp_path)
    assert command("show", "bloom")[0] == 0


@pytest.mark.parametrize(("chosen", "loads"), [(None, False), ("1", True)])
def test_the_command_line_loads_no_extension_of_hamilton_unless_it_is_told_to(chosen: str | None, loads: bool) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "HAMILTON_AUTOLOAD_EXTENSIONS"}
    environment |= {"HAMILTON_AUTOLOAD_EXTENSIONS": chosen} if chosen else {}
    script = """import contextlib, sys
from runlineage.__main__ import start
sys.argv = ["runlineage", "show", "Gpt3PublishedRun"]
with contextlib.suppress(SystemExit):
    start()
print(any(name.startswith("hamilton.plugins.pandas") for name in sys.modules))"""
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == str(loads)


def test_the_library_leaves_the_extensions_of_hamilton_to_the_user() -> None:
    script = "from runlineage import Driver; Driver(); import os, sys; print('hamilton.plugins.pandas_extensions' in "
    script += "sys.modules, os.environ.get('HAMILTON_AUTOLOAD_EXTENSIONS'))"
    environment = {key: value for key, value in os.environ.items() if key != "HAMILTON_AUTOLOAD_EXTENSIONS"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True None\n"


def test_a_grid_is_used_once_the_runs_own_intensity_is_withdrawn(command) -> None:  # type: ignore[no-untyped-def]
    grid = ("show", "bloom", "location_emissions", "--pue", "1.2", "--region", "France", "--year", "2022")
    code, out, err = command(*grid)
    assert code == 0
    assert "29.6306 tCO2e" in out
    assert "is the run's own; the grid of France in 2022 has 78.55 gCO2e/kWh at the facility and is not used" in err
    code, out, err = command(*grid, "--carbon-intensity", "none")
    assert code == 0
    assert "40.8331 tCO2e" in out
    assert "without carbon_intensity" in out
    assert "is not used" not in err


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        (("--energy", "1 GWh"), "energy is given as 1 GWh, 0.0463 times as much as the 21.588 GWh that"),
        (("--reported-energy", "20.1 GWh"), "energy is 21.588 GWh, 7.4% more than the 20.1 GWh that the authors print"),
    ],
)
def test_an_answer_that_is_stated_is_an_option_too(command, options, warning) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("show", "-m", "energy", "--accelerator-hours", "30.84M", "--device-power", "700W", *options)
    assert code == 0
    assert warning in err


def test_the_footprint_is_answered_by_name(command) -> None:  # type: ignore[no-untyped-def]
    assert command("show", "llama65b", "facility_energy", "location_emissions") == (
        0,
        "LLaMA 65B\n  facility_energy     0.449839 GWh at the facility  by pue, printed 449 MWh at\n"
        "                         the facility (agrees)\n"
        "  location_emissions  173.188 tCO2e  printed 173 tCO2e (agrees)\n",
        "",
    )
    code, out, _ = command("show", "bloom", "location_emissions", "--assume", "no_overhead")
    assert (code, out) == (
        0,
        'BLOOM 176B\n  location_emissions  24.6922 tCO2e  assuming "no_overhead", printed 24.69\n'
        "                         tCO2e (agrees)\n",
    )
    code, out, _ = command("why", "llama65b", "location_emissions")
    assert code == 0
    assert "  published_emissions: 173 tCO2e [touvron2023, Table 15]" in out
    assert "  facility_energy: 449 MWh at the facility [touvron2023, Table 15]" in out


def test_an_unknown_answer_says_the_nearest_of_both_floors(command) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("show", "llama65b", "facility_enrgy")
    assert (code, err) == (2, "error: METRIC: 'facility_enrgy' is unknown; did you mean facility_energy?\n")


def test_a_footprint_of_options_and_its_slip(command) -> None:  # type: ignore[no-untyped-def]
    facts = ("--facility-energy", "1,287 MWh", "--carbon-intensity", "429 g/kWh")
    code, out, _ = command("show", "-m", "location_emissions", *facts)
    assert (code, out) == (0, "my run\n  location_emissions  552.123 tCO2e\n")
    given = ("--accelerator-hours", "1M", "--device-power", "1 kW", "--pue", "1.1", "--carbon-intensity")
    code, out, _ = command("show", "-m", "location_emissions", *given, "385 g/kWh")
    assert (code, out) == (0, "my run\n  location_emissions  423.5 tCO2e\n")
    code, _, err = command("show", "-m", "location_emissions", *given, "385")
    assert code == 2
    assert "did you mean 385 gCO2e/kWh, that is 0.385 kgCO2e/kWh?" in err


def test_the_help_names_every_assumption_and_no_other() -> None:
    assert set(ASSUMPTIONS) == {*read_routes(*MODULES).assumptions, *SPREAD_NAMES}


def test_list_without_a_catalog_names_them(command) -> None:  # type: ignore[no-untyped-def]
    code, _, err = command("list")
    assert code == 2
    assert (
        err
        == "error: CATALOG: is missing; name runs, workloads, accelerators, grids, households, thresholds or sources\n"
    )


@pytest.mark.parametrize("width", [60, 100, 200])
@pytest.mark.parametrize("name", ["show", "why"])
def test_text_fills_the_width_that_is_there(
    command,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    width: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = command(name, "bloom", "energy", "peak_fraction", "achieved_rate")
    longest = max(len(line) for line in out.splitlines() if "http" not in line)
    assert min(width, 120) - 45 < longest <= width


def test_help_fills_the_width_that_is_there(command, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "160")
    _, out, _ = command("show", "--help")
    assert 120 < max(map(len, out.splitlines()[:-4])) <= 160


def test_the_help_lists_the_footprint_s_facts_after_those_of_the_run(command) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = command("show", "--help")
    flags = ["--duration", "--device-power", "--pue", "--facility-power", "--layers", "--reported-rate"]
    places = [out.index(f"  {flag} ") for flag in flags]
    assert places == sorted(places)


def test_why_as_json_explains_what_is_not_computable(command) -> None:  # type: ignore[no-untyped-def]
    code, out, err = command("why", "gpt-3", "energy", "--json")
    assert code == 1
    assert err.startswith("cannot compute energy of GPT-3 175B:")
    assert json.loads(out)
