"""The head of a card: read within bounds, refused with its line, and changed one field at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runlineage.catalogs.base.errors import CatalogError
from runlineage.dataflow.cards.front_matter import read_front_matter, with_field

CARD = Path("README.md")


def message(text: str) -> str:
    with pytest.raises(CatalogError) as caught:
        read_front_matter(text, CARD)
    return str(caught.value)


def test_a_card_without_a_head_has_none() -> None:
    assert read_front_matter("# A model\n---\nnot a head\n", CARD) is None
    assert read_front_matter("", CARD) is None


def test_an_empty_head_has_no_fields() -> None:
    head = read_front_matter("---\n---\nText", CARD)
    assert head is not None
    assert head.fields == {}


def test_a_mark_of_byte_order_and_windows_lines_do_no_harm() -> None:
    head = read_front_matter("\ufeff---\r\na: 1\r\n---\r\nText", CARD)
    assert head is not None
    assert (head.fields, head.lines) == ({"a": 1}, {"a": 2})


def test_the_places_of_inner_fields_are_known() -> None:
    head = read_front_matter("---\nx: 1\nco2:\n  emissions: 5\n---\n", CARD)
    assert head is not None
    assert head.place_of("co2") == {"": "line 3, co2", "emissions": "line 4, co2.emissions"}
    assert head.place_of("x") == {"": "line 2, x"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\na: 1\n", "README.md, line 1: opens a front matter that no `---` line closes"),
        ("---\na: b: c\n---\n", "README.md, line 2: is not valid YAML: mapping values are not allowed here"),
        (
            "---\na: !!python/object/apply:os.system ['true']\n---\n",
            "README.md, line 2: asks for an object of Python to be made; write plain values",
        ),
        (
            "---\na: &a [x, x]\nb: [*a, *a]\n---\n",
            "README.md, line 3: refers to another value by an alias; write the value itself",
        ),
        ("---\n<<: {a: 1}\n---\n", "README.md, line 2: merges another value in by `<<`; write the fields themselves"),
        ("---\nx: 1\na: " + "[" * 5000 + "\n---\n", "README.md, line 3: is nested deeper than 20 levels"),
        ("---\na: 1\na: 2\n---\n", "README.md, line 3: 'a' appears twice; keep one"),
        ("---\n- a\n---\n", "README.md, line 2: holds ['a']; expected fields, `name: value` a line"),
        ("---\na: " + "x" * 200_001 + "\n---\n", "has a front matter over the limit of 200,000 characters"),
        ("---\na:\n- {b: 1, c: {d: 1, d: 1}}\n---\n", "README.md, line 3: 'd' appears twice; keep one"),
        ("---\na: 1\n...\nb: 2\n---\n", "is not valid YAML: expected '<document start>'"),
        ("---\n? [a]\n: 1\n---\n", "is not valid YAML: found unhashable key"),
    ],
)
def test_a_broken_head_is_refused_with_its_line(text: str, said: str) -> None:
    assert said in message(text)


NEW = {"emissions": 5, "source": "a: b #c"}
BLOCK = "co2:\n  emissions: 5\n  source: 'a: b #c'"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\na: 1\n# c\nco2: 7 # g\n\nb: 2\n---\nT", f"---\na: 1\n# c\n{BLOCK} # g\n\nb: 2\n---\nT"),
        ("---\nco2:\n  x: 1\n  y: 2\n# c\nb: 2\n---\nT\n", f"---\n{BLOCK}\n# c\nb: 2\n---\nT\n"),
        ("---\nco2: {x: 1, y: [2]}\n---\n", f"---\n{BLOCK}\n---\n"),
        ("---\nco2:\n---\n", f"---\n{BLOCK}\n---\n"),
        ("---\nco2: |\n  text\nb: 1\n---\n", f"---\n{BLOCK}\nb: 1\n---\n"),
        ("---\nb: ÄÖ 🤗\n---\nT  \n\n", f"---\nb: ÄÖ 🤗\n{BLOCK}\n---\nT  \n\n"),
        ("---\n---\nT", f"---\n{BLOCK}\n---\nT"),
        ("# T\n", f"---\n{BLOCK}\n---\n# T\n"),
        ("\ufeff# T\n", f"\ufeff---\n{BLOCK}\n---\n# T\n"),
    ],
)
def test_one_field_is_set_and_all_else_stays(before: str, after: str) -> None:
    assert with_field(before, "co2", NEW, CARD) == after
    assert with_field(after, "co2", NEW, CARD) == after


def test_windows_lines_stay_windows_lines() -> None:
    changed = with_field("---\r\nco2: 1\r\nb: 2\r\n---\r\nT\r\n", "co2", NEW, CARD)
    assert changed == f"---\n{BLOCK}\nb: 2\n---\nT\n".replace("\n", "\r\n")


def test_a_head_in_braces_is_not_changed() -> None:
    with pytest.raises(CatalogError, match="holds all fields in braces; write them as `name: value`, one a line"):
        with_field("---\n{co2: 1}\n---\n", "co2", NEW, CARD)


@given(st.text(max_size=40), st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_is_what_is_read(text: str, number: float) -> None:
    fields = {"emissions": number, "source": "".join(each for each in text if each.isprintable())}
    head = read_front_matter(with_field("---\na: 1\n---\nT", "co2", fields, CARD), CARD)
    assert head is not None
    assert head.fields == {"a": 1, "co2": fields}
