"""Colour: the same text on a terminal, with names told apart; plain under NO_COLOR."""

from __future__ import annotations

import re

import pytest

from runlineage.visualizations.command_line import commands


class Terminal:
    """Standard output that says it is a terminal."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch) -> str:
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    with pytest.raises(SystemExit):
        commands.main(["show", "Gpt3PublishedRun"])
    return terminal.written


def test_a_terminal_gets_colour_over_the_same_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        commands.main(["show", "Gpt3PublishedRun"])
    plain = capsys.readouterr().out
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = shown(monkeypatch)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in shown(monkeypatch)
