"""The option --everyday of `show` and `report`: off by default, with its source, and refused where it is unknown."""

from __future__ import annotations

import json
from pathlib import Path

from runlineage import Scenarios, report

SENTENCE = "about the electricity of 40 households in the United States for a year"


def test_show_adds_the_equals_of_energies_where_they_are_asked(command) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = command("show", "bloom", "--everyday", "us")
    assert code == 0
    assert SENTENCE in " ".join(out.split())
    assert "everyday" not in command("show", "bloom")[1]
    document = json.loads(command("show", "bloom", "--everyday", "US", "--json")[1])
    assert list(document["everyday"]) == ["energy"]
    assert "everyday" not in json.loads(command("show", "bloom", "--json")[1])
    assert "no energy is answered" in command("show", "gpt-3", "--everyday", "EU")[1]


def test_unknown_households_are_refused_before_anything_is_written(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    page = tmp_path / "page.html"
    for arguments in (["show", "gpt-3"], ["report", "gpt-3", "-o", str(page)]):
        code, out, err = command(*arguments, "--everyday", "Mars")
        assert (code, out) == (2, "")
        assert "unknown household 'Mars'; `runlineage list households` lists all" in err
    assert not page.exists()


def test_a_report_has_the_line_and_its_source_only_where_it_is_asked(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    page = tmp_path / "page.html"
    assert command("report", "bloom", "-o", str(page), "--everyday", "US")[0] == 0
    text = page.read_text(encoding="utf-8")
    assert f'<span class="everyday">{SENTENCE}' in text
    rest = "Everyday equals rest on 10,715 kWh of electricity a year for each household in the United States, in 2020"
    assert rest in text
    assert "https://www.eia.gov/tools/faqs/faq.php?id=97&amp;t=3" in text
    plain = report(Scenarios["bloom"], tmp_path / "plain.html").read_text(encoding="utf-8")
    assert 'class="everyday"' not in plain
    assert "Everyday" not in plain
    assert report(Scenarios["bloom"], page, everyday="US").read_text(encoding="utf-8") == text
