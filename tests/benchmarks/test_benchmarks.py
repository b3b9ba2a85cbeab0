"""The benchmarks run and print a line for each ratio; how large the ratios are is not a test's business."""

from __future__ import annotations

import pytest

from tests.benchmarks.__main__ import main


def test_the_benchmarks_print_every_ratio_with_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    main(repeats=1, calls=1, rows=1000, streamed=(1000,))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 20
    assert all(
        float(line[40:50].replace(",", "")) > 0 and float(line[50:59].replace(",", "")) > 0 for line in lines[1:]
    )
