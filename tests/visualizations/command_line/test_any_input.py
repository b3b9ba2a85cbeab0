"""Whatever is typed, the command line answers or refuses: no traceback, no exit code of its own, no escapes."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runlineage import Scenarios, lineage_json
from runlineage.catalogs.quantities.fields import ANSWERS, FACTS, WORDS
from runlineage.visualizations.command_line.commands import main

ODD = ["\x1b[31mred", "\u202eturn", "\ud800", "", "-", "--", "/dev/null", "1e999", "-1", "nan", "9" * 400]
ODD += ["9**9**9", "5 W/W", "12 parsecs", "<script>", "%s", "~", "*", "a#b", "٣", "½", "card.md#", "no/such", "a\nb"]
GOOD = ["7B", "1T", "400 W", "10 days", "312 TFLOP/s", "1.1", "H100 SXM", "bf16", "true", "FR", "2022", "pre-training"]
FILES = {
    "run.toml": '"a\\u001b[31m" = 1\n"\\u202eduration" = "x"\n',
    "run.json": '{"parameters": "7B", "training_tokens": "1T"}',
    "twice.json": '{"parameters": "7B", "parameters": "8B"}',
    "deep.json": "[" * 5000,
    "card.md": "---\nx: !!python/object:os.system y\n---\n| Model | Params |\n|-|-|\n| a | 7B |\n",
    "odd.md": '---\n"a\\e[31m": 1\nco2_eq_emissions:\n  emissions: "\\u202e5"\n---\n',
    "table.csv": "model,parameters,training_tokens\nx,7B,1T\n\x1b[31m,~,NaN\n",
}
# What an argument of a process may be: anything but a null character.
TEXTS = st.one_of(st.sampled_from([*ODD, *GOOD]), st.text(st.characters(exclude_characters="\0"), max_size=20))
RUNS = st.one_of(st.sampled_from([*FILES, "lineage.json", "gpt-3", "bloom", "llama", ".", "energy"]), TEXTS)
FACT = st.tuples(st.sampled_from([*FACTS, *WORDS, "model"]), TEXTS).map(
    lambda each: [f"--{each[0].replace('_', '-')}", each[1]]
)
OPTIONS = st.lists(
    st.one_of(FACT, TEXTS.map(lambda text: ["--assume", text]), st.sampled_from([["--json"], ["-m", "energy"]])),
    max_size=3,
)
METRIC = st.lists(st.one_of(st.sampled_from(list(ANSWERS)), TEXTS), max_size=2)
OUTPUTS = st.one_of(
    st.sampled_from(["a.dot", "a.mmd", "a.txt", "a.html", "a.csv", "a.md", "none/a.dot", "x" * 300 + ".dot"]), TEXTS
)


@st.composite
def arguments(draw: st.DrawFn) -> list[str]:
    name = draw(st.sampled_from(["show", "why", "draw", "card", "report", "verdicts", "list", "table"]))
    asked = draw(METRIC) if name in ("show", "why", "draw") else []
    output = ["-o", draw(OUTPUTS)] if name in ("draw", "report", "table") or draw(st.integers(0, 3)) == 0 else []
    return [name, draw(RUNS), *asked, *output, *(each for option in draw(OPTIONS) for each in option)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("any")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    document = json.loads(lineage_json(Scenarios["gpt-3"].lineage()))
    document["runs"][0]["entries"][0]["unit"] = "__class__"
    (folder / "lineage.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


@contextlib.contextmanager
def streams() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Give the process streams of its own for a while: an empty input, and what was written."""
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (io.TextIOWrapper(each, encoding="utf-8") for each in (io.BytesIO(), out, err))
    try:
        yield out, err
        sys.stdout.flush()
        sys.stderr.flush()
        out.seek(0), err.seek(0)
    finally:
        (sys.stdin, sys.stdout, sys.stderr), made = kept, (sys.stdin, sys.stdout, sys.stderr)
        for each in made:
            each.detach()


@settings(max_examples=300, deadline=None, derandomize=True)
@given(typed=arguments())
def test_any_arguments_are_answered_or_refused(folder: Path, typed: list[str]) -> None:
    with contextlib.chdir(folder), streams() as (out, err), pytest.raises(SystemExit) as end:
        main(typed)
    printed, complained = out.read().decode(), err.read().decode()
    assert end.value.code in (0, 1, 2)
    shown = complained if typed[0] == "table" else printed + complained  # the cells of a table pass as they are
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert "Traceback" not in printed + complained
    assert end.value.code == 0 or complained.strip()
