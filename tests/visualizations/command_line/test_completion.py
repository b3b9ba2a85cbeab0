"""Shells complete commands, options, runs, metrics and assumptions."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("runlineage wh", ["why"]),
        ("runlineage show gpt-3", ["gpt-3-175b"]),
        ("runlineage show gpt-3-175b ene", ["energy"]),
        ("runlineage compare gpt-3-175b gpt-neo", ["gpt-neox-20b"]),
        ("runlineage show gpt-3-175b --assume td", ["tdp"]),
        ("runlineage show --device-p", ["--device-power"]),
        ("runlineage show nothing-like-it", []),
    ],
)
def test_a_shell_is_offered_what_begins_as_typed(typed: str, offered: list[str]) -> None:
    environment = os.environ | {
        "_RUNLINEAGE_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }
    command = [sys.executable, "-m", "runlineage"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, offered, "")
