"""The report: what the page holds, that it holds together, and what it refuses."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import io
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from runlineage import Fact, InputError, OutputError, PublishedRunScenario, Scenarios, UnknownNameError, report
from runlineage.visualizations.command_line.commands import main
from runlineage.visualizations.pages.report import MOST_DIAGRAMS

EVIL = "<script>alert(1)</script> \"quoted\" 'single' & \u202eright\u202c\nsecond $\\frac{1}{0}$"
NAMES = ("gpt-3", "bloom", "llama 3.1 405b")
TITLES = ["Achieved rate against peak", "Peak fraction by year", "Training operations", "Energy"]


class Page(HTMLParser):
    """Elements of a page by name, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def written(path: Path) -> tuple[str, Page]:
    text = path.read_text(encoding="utf-8")
    return text, Page(text)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Page]:
    return written(report([Scenarios[name] for name in NAMES], tmp_path_factory.mktemp("page") / "three.html"))


def test_every_number_unfolds_to_its_equation_numbers_facts_and_routes(three: tuple[str, Page]) -> None:
    text = html.unescape(three[0])
    for said in (
        '<b class="value">24.5558 TFLOP/s per accelerator</b> '
        '<span class="printed">printed 24.6 TFLOP/s per accelerator: agrees</span> '
        '<span class="route">by reference_run</span>',
        "= 3.14×10²³ flop ÷ (10,000 accelerator × 14.8 day)",
        "excludes attention, recomputation",
        "closed: reference_run, training_ops ÷ (accelerator_count × duration): needs recorded work (training_ops)",
        'needs accelerator_hours, device_power, or assume "count_duration" and "tdp"',
        "also published, not used: 4.05853×10¹¹ parameter",
        "rate: 24.6 TFLOP/s per accelerator",
    ):
        assert said in text


def test_open_routes_say_the_value_they_would_give(tmp_path: Path) -> None:
    run = Scenarios.Gpt3PublishedRun.variant(accelerator_hours="3552000 accelerator hours")
    text, _ = written(report(run, tmp_path / "a.html"))
    assert "would give" in text


def test_ids_are_unique_and_every_link_inside_arrives(three: tuple[str, Page]) -> None:
    ids = [attributes["id"] for _, attributes in three[1].elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [address for _, each in three[1].elements for key in ("href", "xlink:href") if (address := each.get(key))]
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert any(link.startswith("#source-") for link in links)


def test_links_that_leave_are_of_sources_and_open_apart(three: tuple[str, Page]) -> None:
    leaving = [
        each
        for each in three[1].of("a")
        if not (each.get("href") or each.get("xlink:href") or "#").startswith(("#", "data:text/csv"))
    ]
    assert leaving
    for each in leaving:
        assert (each.get("href") or each.get("xlink:href") or "").startswith("https://")
        assert "noopener" in (each["rel"] or "")


def test_the_page_asks_for_nothing_and_its_policy_knows_its_script(three: tuple[str, Page]) -> None:
    text, page = three
    assert not [tag for tag, each in page.elements if "src" in each or tag in ("link", "iframe", "object", "base")]
    assert "url(http" not in text
    assert "@import" not in text
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(each["content"] for each in page.of("meta") if each.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith(
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    )
    assert "Copyright Timmy Willison" in script
    assert "Permission is hereby granted" in script


def test_tables_have_scopes_and_charts_have_names(three: tuple[str, Page]) -> None:
    assert all(each.get("scope") in ("row", "col") for each in three[1].of("th"))
    charts = [each for each in three[1].of("svg") if each.get("role") == "group" and each["aria-label"] in TITLES]
    assert [each["aria-label"] for each in charts] == TITLES
    assert {"lang": "en"} in three[1].of("html")


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    runs = [Scenarios[name] for name in NAMES]
    assert report(runs, tmp_path / "a.html").read_bytes() == report(runs, tmp_path / "b.htm").read_bytes()


def test_names_sources_and_notes_are_text_wherever_they_stand(tmp_path: Path) -> None:
    fact = Fact("400 W", source="javascript:alert(1)", place=EVIL, note=EVIL)
    hours = Fact(1_022_362, source=EVIL)
    run = PublishedRunScenario(name=EVIL, accelerator_hours=hours, device_power=fact)
    text, page = written(report([run, run.variant(name="other", training_ops="1e23 flop")], tmp_path / "a.html"))
    assert len(page.of("script")) == 1
    assert "<script>alert" not in text
    assert not [each for _, each in page.elements for key, value in each.items() if key.startswith("on")]
    assert not [each for each in page.of("a") if "javascript" in (each.get("href") or each.get("xlink:href") or "")]
    assert "javascript:alert(1)" in text


def test_without_dot_the_page_is_made_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    text, page = written(report(Scenarios.Gpt3PublishedRun, tmp_path / "a.html"))
    assert "The diagrams are left out: a .svg picture needs graphviz&#39;s `dot`" in text
    assert "24.5558 TFLOP/s per accelerator" in text
    assert not [each for each in page.of("details") if each["class"] == "diagram"]


def test_assumptions_are_named_beside_the_number(tmp_path: Path) -> None:
    text, _ = written(report(Scenarios.Gpt3PublishedRun, tmp_path / "a.html", assume=["tdp", "count_duration"]))
    found = re.findall(r'<b class="value">([^<\s]+).*?</b>(.*?)</summary>', text)
    assumed = {value: re.findall(r"assumes ([^<]+)", rest) for value, rest in found}
    assert assumed["24.5558"] == []
    assert assumed["19.6446%"] == ["accelerator"]  # a fact that is itself assumed
    assert assumed["1.0656"] == ["accelerator, count_duration, tdp"]


def test_metrics_choose_what_is_shown(tmp_path: Path) -> None:
    text, _ = written(report(Scenarios.BloomPublishedRun, tmp_path / "a.html", metrics=["energy"]))
    assert re.findall(r'<span class="metric">(.+?)</span>', text) == ["energy"]


def test_a_lineage_is_shown_as_it_is_and_takes_no_wishes(tmp_path: Path) -> None:
    lineage = Scenarios.BloomPublishedRun.lineage("energy")
    assert "0.433196 GWh" in report(lineage, tmp_path / "a.html").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="hold a lineage, which is shown as it is; give the run"):
        report(lineage, tmp_path / "a.html", metrics=["energy"])


def test_what_cannot_be_reported_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"a report does not have the suffix '\.pdf'; name a \.html file"):
        report(Scenarios.Gpt3PublishedRun, tmp_path / "a.pdf")
    with pytest.raises(InputError, match="runs: are none; name at least one run"):
        report([], tmp_path / "a.html")
    with pytest.raises(InputError, match=r"runs\[0\]: is 3; expected a run or a lineage"):
        report([3], tmp_path / "a.html")  # type: ignore[list-item]
    for wrong in (3, None, "bloom"):
        with pytest.raises(InputError, match=r"runs\[0\]: is .*; expected a run or a lineage"):
            report(wrong, tmp_path / "a.html")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="enrgy"):
        report(Scenarios.Gpt3PublishedRun, tmp_path / "a.html", metrics=["enrgy"])
    with pytest.raises(OutputError, match="cannot be written"):
        report(Scenarios.Gpt3PublishedRun, tmp_path / "none" / "a.html")
    assert not list(tmp_path.iterdir())


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["report", *arguments])
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "a.html"
    code, out, err = said(capsys, "gpt-3", "bloom", "-o", str(target), "-m", "energy")
    assert (code, err) == (0, "")
    assert out == f"{target}: 2 runs, {target.stat().st_size / 1000:,.0f} kB\n"
    assert "0.433196 GWh" in target.read_text(encoding="utf-8")


def test_the_command_says_all_faults_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "a.html")
    assert said(capsys, "-o", target) == (
        2,
        "",
        "error: RUN: is not named; name runs (`runlineage list runs`), give --all for every one, or facts as options\n",
    )
    code, _, err = said(capsys, "gtp-33", "blom", "-o", target, "-m", "enrgy", "--all")
    assert code == 2
    for part in ("4 faults", "--all: cannot stand beside named runs", "did you mean energy?", "'gtp-33'", "'blom'"):
        assert part in err
    assert said(capsys, "gpt-3", "-o", "a.docx")[0] == 2
    wrong = tmp_path / "run.toml"
    wrong.write_text('pue = "none"\ndevice_pwer = "400 W"\n', encoding="utf-8")
    _, _, err = said(capsys, str(wrong), "blom", "-o", target)
    assert err.startswith("error: 3 faults:\n")  # each in a line of its own


def test_the_overview_has_numbers_of_one_unit_and_each_dash_its_reason(three: tuple[str, Page]) -> None:
    text = html.unescape(three[0])
    assert '<th scope="col" class="size">achieved rate<small>TFLOP/s per accelerator</small></th>' in text
    assert '<td class="size" data-n="24.555805805805804"><a href="#run-1-2">24.56</a>' in text
    assert "<small>printed 24.6 (agrees)</small>" in text
    assert '<a class="none" href="#why-1">–<sup>1</sup></a>' in text
    reasons = re.findall(r'<li id="why-1" tabindex="-1">(.*?)</li>', text)
    assert reasons == ['energy needs accelerator_hours, device_power, or assume "count_duration" and "tdp"']


def test_a_difference_beyond_rounding_is_shown_and_counted(tmp_path: Path) -> None:
    run = PublishedRunScenario(name="a", accelerator_hours=1e6, device_power="400 W", energy=None)
    off = run.variant(name="off", reported_energy="0.5 GWh")
    text, _ = written(report([off, run.variant(name="on", reported_energy="0.4 GWh")], tmp_path / "a.html"))
    assert "<small>printed 0.5 (−20.0%)</small>" in text
    assert "<small>printed 0.4 (agrees)</small>" in text
    assert "2 answers stand beside a figure that the authors print; beyond rounding differ: 1." in text
    assert re.findall(r'<tr data-is="([^"]+)">', text) == ["energy is-stated is-off", "energy is-stated"]


def test_the_page_holds_its_numbers_as_csv(three: tuple[str, Page]) -> None:
    (link,) = (each for each in three[1].of("a") if "download" in each)
    address = link["href"] or ""
    assert address.startswith("data:text/csv;charset=utf-8,")
    rows = list(csv.DictReader(io.StringIO(unquote(address.partition(",")[2]))))
    assert [row["run"] for row in rows] == ["GPT-3 175B", "BLOOM 176B", "Llama 3.1 405B"]
    gpt, _, llama = rows
    assert gpt["achieved_rate (TFLOP/s/accelerator)"] == "24.5558058058"
    assert (gpt["achieved_rate printed"], gpt["achieved_rate difference"]) == (
        "24.6 TFLOP/s per accelerator",
        "-0.001797",
    )
    assert gpt["energy (GWh)"] == ""
    assert gpt["energy problem"].startswith("needs accelerator_hours")
    assert (llama["energy (GWh)"], llama["energy assumes"]) == ("21.588", "TDP taken as power")


def test_many_runs_leave_their_diagrams_out_and_say_so(tmp_path: Path) -> None:
    runs = [Scenarios["bloom"]] * (MOST_DIAGRAMS + 1)
    text, page = written(report(runs, tmp_path / "a.html", metrics=["energy"]))
    assert f"The diagrams are left out: a page holds those of {MOST_DIAGRAMS} runs;" in text
    assert not [each for each in page.of("details") if each["class"] == "diagram"]


def test_a_metric_that_another_rests_on_is_unfolded_once(three: tuple[str, Page]) -> None:
    assert '<b>achieved_rate</b> = 24.5558 TFLOP/s per accelerator (<a href="#run-1-2">see there</a>)' in three[0]


def test_the_command_takes_facts_assumptions_tables_and_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models, target = tmp_path / "models.csv", tmp_path / "a.html"
    models.write_text(
        "model,accelerator_hours,device_power\nalpha,82k,400 W\nbeta,135k,300 W\n,1M,700 W\n", encoding="utf-8"
    )
    arguments = (str(models), f"{models}#2", "bloom", "-m", "facility_energy", "--pue", "1.2", "-o", str(target))
    assert said(capsys, *arguments)[0] == 0
    text, _ = written(target)
    subjects = re.findall(r"<h3><bdi>(.+?)</bdi></h3>", text)
    assert [name.split(" (")[0].removesuffix(" with pue 1.2") for name in subjects[:2]] == ["alpha", "beta"]
    assert len(subjects) == 5
    assert "0.03936 GWh" in text  # 82,000 hours × 400 W × 1.2
    assert ">Facility energy</text>" in text
    assert said(capsys, "--accelerator-hours", "1M", "--device-power", "400 W", "-o", str(target))[0] == 0
    assert "0.4 GWh" in target.read_text(encoding="utf-8")
    assert said(capsys, "gpt-3", "--assume", "tdp", "--assume", "count_duration", "-o", str(target))[0] == 0
    assert "assumes accelerator, count_duration, tdp" in target.read_text(encoding="utf-8")


def test_the_command_refuses_what_a_table_cannot_give(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models, target = tmp_path / "models.csv", tmp_path / "a.html"
    models.write_text("parameters\n" + "7B\n" * 1001, encoding="utf-8")
    code, _, err = said(capsys, str(models), "-o", str(target))
    assert (code, "has more than 1,000 rows; name rows, such as" in err) == (2, True)
    assert "has fewer rows" in said(capsys, f"{models}#2000", "-o", str(target))[2]
    assert "is of a table" in said(capsys, "gpt-3", "--column", "duration=x", "-o", str(target))[2]
    assert "is of one card" in said(capsys, "gpt-3", "--model", "x", "-o", str(target))[2]
    models.write_text("parameters\n", encoding="utf-8")
    assert "has no row" in said(capsys, str(models), "-o", str(target))[2]
    assert not target.exists()


@pytest.mark.slow
def test_two_hundred_runs_fit_a_mail_a_browser_and_the_patience_of_a_reader(tmp_path: Path) -> None:
    catalogued = [Scenarios[name] for name in Scenarios]
    runs = [*catalogued, *(run.variant(name=f"{run.name} again") for run in catalogued)][:200]
    for chosen in (runs, [Scenarios["llama 3.1 405b"]] * 200):  # the latter has every metric
        begun = time.process_time()
        made = report(chosen, tmp_path / "all.html")
        assert time.process_time() - begun < 5
        assert made.stat().st_size < 2_000_000
        assert len(written(made)[1].elements) < 20_000


def test_small_runs_have_one_unit_a_column_that_reads_well_and_the_published_one_in_the_csv(tmp_path: Path) -> None:
    tiny = PublishedRunScenario(name="tiny", accelerator_hours=12.5, device_power="310 W")
    runs = [tiny, tiny.variant(name="less", accelerator_hours=8)]
    text, page = written(report(runs, tmp_path / "a.html", metrics=["energy"]))
    assert '<th scope="col" class="size">energy<small>kWh</small></th>' in text
    assert ">3.875</a>" in text
    assert '<b class="value">3.875 kWh</b>' in text
    assert "energy, kWh" in text  # the axis of the chart
    assert "10⁻" not in html.unescape(text)
    (link,) = (each for each in page.of("a") if "download" in each)
    rows = list(csv.DictReader(io.StringIO(unquote((link["href"] or "").partition(",")[2]))))
    assert rows[0]["energy (GWh)"] == "3.875e-06"
