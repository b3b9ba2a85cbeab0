"""What the tests of the command line share."""

from __future__ import annotations

import pytest

from runlineage.visualizations.command_line.commands import main


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        captured = capsys.readouterr()
        return int(end.value.code or 0), captured.out, captured.err

    return run
