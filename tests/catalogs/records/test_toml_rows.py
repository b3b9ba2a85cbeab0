"""TOML files cut at their [Key] lines: only what is asked is parsed, and every fault names file, row and line."""

import os
from pathlib import Path

import pytest

from runlineage.catalogs.base.errors import CatalogError
from runlineage.catalogs.records.toml_rows import LARGEST, Rows, read_text

OVER = "; split it"

TWO = '[A]\nname = "a"\naliases = ["first", "one"]\nparameters = 5\n\n[B]\nname = "b"\nparameters = = 6\n'


@pytest.fixture
def rows(tmp_path):
    def write(text):
        path = tmp_path / "rows.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Rows(path)

    return write


def fault(rows, ask):
    with pytest.raises(CatalogError) as caught:
        ask(rows)
    return str(caught.value).replace(str(rows.path), "rows.toml")


def test_rows_keep_the_order_of_the_file(rows):
    assert rows("[B]\n[A]\n[C_1]\n").keys() == ("B", "A", "C_1")


def test_a_row_is_parsed_though_another_is_broken(rows):
    file = rows(TWO)
    assert file.row("A") == {"name": "a", "aliases": ["first", "one"], "parameters": 5}
    assert fault(file, lambda file: file.row("B")) == "rows.toml, line 8, [B]: is not valid TOML: Invalid value"


def test_names_are_read_though_the_facts_of_the_row_are_broken(rows):
    file = rows(TWO)
    assert (file.names("A"), file.names("B")) == (("a", "first", "one"), ("b",))


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ("", ("A",)),
        ("parameters = 5\n", ("A",)),
        ('aliases = ["x"]\n', ("A", "x")),
        ('aliases = [\n  "x",\n  "y",\n]\nname = "a"\n', ("a", "x", "y")),
        ("aliases = 3\n", ("A",)),
        ('aliases = "xy"\n', ("A",)),
        ("name = 3\n", ("3",)),
    ],
)
def test_names_are_the_name_or_key_and_the_aliases(rows, row, names):
    assert rows("[A]\n" + row).names("A") == names


def test_a_broken_name_is_told_with_its_line(rows):
    text = "[A]\nparameters = 5\nname = a\n"
    assert fault(rows(text), lambda file: file.names("A")) == "rows.toml, line 3, [A]: is not valid TOML: Invalid value"


def test_carriage_returns_and_a_byte_order_mark_change_nothing(rows):
    windows = b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode()
    assert rows(windows).row("A") == rows(TWO).row("A")
    assert "line 8, [B]" in fault(rows(windows), lambda file: file.row("B"))


def test_comments_and_spaces_stand_anywhere(rows):
    file = rows('# head\n\n[A] # the first\nname = "a" # its name\n[B]  \n')
    assert (file.keys(), file.row("A"), file.row("B")) == (("A", "B"), {"name": "a"}, {})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "rows.toml: holds no [Key] row; write one [Key] line before each record"),
        ('name = "x"\n', "rows.toml: holds no [Key] row; write one [Key] line before each record"),
        ('name = "x"\n[A]\n', "rows.toml: has fields before its first [Key] row; put them under a [Key] line"),
        ("[A]\n[B]\n[A]\n", "rows.toml, [A]: appears twice; give each row its own key"),
        ("[A.b]\n", "rows.toml, [A.b]: is not a usable key; letters, digits and _ only"),
        ("[1a]\n", "rows.toml, [1a]: is not a usable key; letters, digits and _ only"),
        ("[]\n", "rows.toml, []: is not a usable key; letters, digits and _ only"),
        ("[Σ]\n", "rows.toml, [Σ]: is not a usable key; letters, digits and _ only"),
        (
            '[A]\n[A]\n["x y"]\n',
            "2 faults:\n  rows.toml, [A]: appears twice; give each row its own key\n"
            '  rows.toml, ["x y"]: is not a usable key; letters, digits and _ only',
        ),
    ],
)
def test_a_file_that_is_no_catalog_is_refused(rows, text, sentence):
    assert fault(rows(text), Rows.keys) == sentence


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("x = 1\nx = 2\n", "rows.toml, line 3, [A]: is not valid TOML: Cannot overwrite a value"),
        ('x = "a\n', "rows.toml, line 2, [A]: is not valid TOML: Illegal character '\\n'"),
        ("x = " + "[" * 990 + "]" * 990, "rows.toml, line 1, [A]: is not valid TOML: is nested too deeply"),
        (
            "\n\nx = " + "9" * 1997,
            "rows.toml, line 4, [A]: is 2,001 characters long, over the limit of 2,000; split the line",
        ),
    ],
    ids=["a field twice", "an open string", "nested deeply", "a long line"],
)
def test_a_broken_row_is_told_with_file_line_and_row(rows, row, sentence):
    assert fault(rows("[A]\n" + row), lambda file: file.row("A")) == sentence


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('[A]\nname = "é"\n'.encode("latin-1"), "rows.toml: is not UTF-8 at byte 12; save it as UTF-8"),
        ("[A]\n".encode("utf-16"), "rows.toml: is not UTF-8 at byte 0; save it as UTF-8"),
        (b"#" * (LARGEST + 1), f"rows.toml: is over the limit of 5,000,000 bytes{OVER}"),
    ],
    ids=["latin-1", "utf-16", "too large"],
)
def test_a_file_that_is_not_small_utf8_is_refused(rows, content, sentence):
    assert fault(rows(content), Rows.keys) == sentence


def test_a_file_of_just_the_limit_is_read(rows):
    assert read_text(rows(b"#" * 10).path, largest=10) == "#" * 10


def test_a_folder_and_a_missing_file_are_told_apart(tmp_path):
    assert fault(Rows(tmp_path), Rows.keys) == "rows.toml: is a folder; name a file"
    missing = tmp_path / "none.toml"
    assert fault(Rows(missing), Rows.keys) == "rows.toml: cannot be read: No such file or directory"
    assert "cannot be read: embedded null" in fault(Rows(tmp_path / "a\0b"), Rows.keys)


def test_what_is_no_ordinary_file_is_refused():
    sentence = "is no ordinary file; name a file on disk"
    assert fault(Rows(Path(os.devnull)), Rows.keys).endswith(sentence)


def test_a_file_without_leave_to_read_is_refused(rows, monkeypatch):
    def denied(path, mode):
        raise PermissionError(13, "Permission denied", str(path))

    file = rows(TWO)
    monkeypatch.setattr(Path, "open", denied)
    assert fault(file, Rows.keys) == "rows.toml: cannot be read: Permission denied"
