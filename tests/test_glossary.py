"""The glossary explains every metric, and the numbers of its examples are computed here."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from runlineage.catalogs.quantities.fields import ANSWERS
from runlineage.dataflow.checks.marks import CHECK_MODULES, marks_of
from runlineage.dataflow.modules import MODULES
from runlineage.dataflow.routes.book import read_routes

CHECKOUT = Path(__file__).parent.parent
GLOSSARY = (CHECKOUT / "GLOSSARY.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `(\w+)`(.*?)(?=^##|\Z)", GLOSSARY, re.DOTALL | re.MULTILINE))


def test_every_metric_has_a_section_in_order_and_nothing_else_has() -> None:
    assert list(SECTIONS) == list(ANSWERS)


@pytest.mark.parametrize("metric", ANSWERS)
def test_a_section_names_unit_equation_example_and_what_the_metric_is_not(metric: str) -> None:
    section = SECTIONS[metric]
    assert f"Unit: {ANSWERS[metric].unit_shown or 'none'}." in section
    assert "Equation:" in section
    assert "Not:" in section
    assert ">>> " in section


@pytest.mark.parametrize("metric", ANSWERS)
def test_the_facts_of_an_equation_are_on_a_route_to_the_metric(metric: str) -> None:
    (equation,) = re.findall(r"Equation:(.*?)\n\n", SECTIONS[metric], re.DOTALL)
    names = set(re.findall(r"`(\w+)`", equation)) - {metric}
    assert names
    assert names <= read_routes(*MODULES).upstream([metric])


def test_the_examples_compute_what_stands_beneath_them() -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", GLOSSARY, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(code, {}, "GLOSSARY", "GLOSSARY.md", 0)
    assert len(example.examples) > len(ANSWERS)
    assert doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(example).failed == 0


def test_every_comparison_is_told_with_its_reason_and_how_far_close_reaches() -> None:
    told: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \|(.*)$", GLOSSARY, re.MULTILINE))
    marks = marks_of(read_routes(*CHECK_MODULES))
    assert list(told) == list(marks)
    for name, mark in marks.items():
        shares = {f"{each:.0%}" for each in (mark.below, mark.above) if 0 < each < 1}
        assert [part for part in (mark.against, mark.because, *shares) if part not in told[name]] == []
