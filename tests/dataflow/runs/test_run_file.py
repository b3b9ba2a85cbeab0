"""Run files: the same fields in TOML and JSON, and every way to break them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from runlineage import CatalogError, read_run

GOOD = """
name = "My model"
parameters = "7B"
training_tokens = 2e12
accelerator = "A100 80GB SXM"
accelerator_hours = { value = "184,320 GPU hours", source = "my card", place = "table 1" }
device_power = "400 W"
"""


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def message(path: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        read_run(path)
    return str(caught.value).replace(str(path), "FILE")


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    import tomllib

    toml = read_run(write(tmp_path, "run.toml", GOOD))
    as_json = read_run(write(tmp_path, "run.json", json.dumps(tomllib.loads(GOOD))))
    assert toml.energy == as_json.energy
    assert toml.energy.m_as("MWh") == pytest.approx(184320 * 400 / 1e6)
    assert toml.lineage("energy").entries["accelerator_hours"].source == "my card"


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path: Path) -> None:
    path = write(tmp_path, "run.toml", b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_run(path).name == "My model"


def test_periods_and_a_workload_of_the_catalog_may_stand_in_a_file(tmp_path: Path) -> None:
    text = 'workload = "Palm540B"\nperiods = [{ accelerator_count = 10, duration = "10 h" }]\n'
    run = read_run(write(tmp_path, "run.toml", text))
    assert run.name == "run"
    assert run.inputs.given["duration"].m_as("hour") == pytest.approx(10)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.toml", "name = ", "FILE, line 1: is not valid TOML: Invalid value"),
        ("a.toml", "duration = 1\nduration = 2\n", "FILE, line 2: is not valid TOML: Cannot overwrite a value"),
        ("a.json", '{"duration": 1,\n', "FILE, line 2: is not valid JSON: Expecting property name"),
        ("a.json", '{"duration": 1, "duration": 2}', "FILE: is not valid here: 'duration' appears twice"),
        ("a.json", '{"duration": NaN}', "FILE: is not valid here: NaN is not a finite number"),
        ("a.json", "[1, 2]", "FILE: holds [1, 2]; expected an object with fields"),
        ("a.json", "[" * 100_000, "FILE: is nested too deeply"),
        ("a.toml", b"name = '\xff'", "FILE: is not UTF-8 at byte 8; save it as UTF-8"),
        ("a.yaml", "duration: 1", "FILE: is no run file; a run file ends in .toml or .json"),
        ("a.toml", "duratoin = 1", "FILE: duratoin: is not a field; did you mean duration?"),
        ("a.toml", "workload = true", "FILE: workload: is True; expected a Workload or the name of one"),
        ("a.toml", "self = 5", "FILE: self: is not a field"),
        (
            "a.toml",
            'assume = ["tdp"]',
            "FILE: assume: is not a field; assumptions are named when asking: --assume NAME",
        ),
        ("a.toml", "periods = 5", "FILE: periods: is 5; expected a list of tables"),
        ("a.toml", "duration = " + "9" * 1900, "is too large for a float64"),
        ("a.toml", "duration = " + "9" * 5000, "FILE, line 1: is 5,011 characters long, over the limit of 2,000"),
        ("a.json", '{"duration": ' + "9" * 5000 + "}", "FILE: is not valid here: a number has too many digits"),
        ("a.toml", "a." * 100_000 + "a = 1", "FILE, line 1: is 200,005 characters long, over the limit of 2,000"),
        ("a.json", json.dumps({f"x{n}": 1 for n in range(5000)}), "FILE: facts: are 5,000; a run has at most 1,000"),
        ("a.toml", "name = 5", "FILE: name: is 5; expected text"),
        ("a.toml", 'workload = "Gpt33"', "unknown workload 'Gpt33'; the nearest: GPT-3 175B"),
        ("a.toml", "accelerator = 5", "FILE: accelerator: is 5; expected a HardwareNode or the name of"),
        (
            "a.toml",
            'device_power = { value = "400 W", sorce = "x" }',
            "FILE: device_power.sorce: is not a key of a fact; the keys are value, source, place, basis, note, "
            "preferred, reason",
        ),
        ("a.toml", "device_power = [400, 500]\nduration = [1, 2, 3]", "columns: have different shapes"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(tmp_path: Path, name: str, content: str | bytes, said: str) -> None:
    assert said in message(write(tmp_path, name, content))


def test_all_faults_of_a_file_are_said_at_once(tmp_path: Path) -> None:
    said = message(write(tmp_path, "a.toml", 'duration = "0 days"\ndevice_power = { value = "5 V" }\nenrgy = 1\n'))
    assert said.startswith("3 faults")
    assert all(field in said for field in ("duration", "device_power", "enrgy"))


def test_a_folder_a_missing_file_and_a_huge_one_are_refused(tmp_path: Path) -> None:
    assert message(tmp_path) == "FILE: is a folder; name a file"
    assert message(tmp_path / "none.toml") == "FILE: cannot be read: No such file or directory"
    assert (
        message(write(tmp_path, "huge.toml", "#" * 1_000_001)) == "FILE: is over the limit of 1,000,000 bytes; split it"
    )


def test_a_pipe_and_an_endless_file_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.toml")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    assert message(tmp_path / "fifo.toml") == "FILE: is no ordinary file; name a file on disk"
    assert message(tmp_path / "zero.toml") == "FILE: is no ordinary file; name a file on disk"


def test_many_faults_are_counted_and_the_first_are_shown(tmp_path: Path) -> None:
    said = message(write(tmp_path, "a.json", json.dumps({f"x{n}": 1 for n in range(500)})))
    assert said.startswith("500 faults")
    assert said.endswith("and 480 more")
    assert len(said.splitlines()) == 22
