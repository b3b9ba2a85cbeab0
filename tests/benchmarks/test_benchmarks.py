"""The benchmarks run and print a line for each ratio; how large the ratios are is not a test's business."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from runlineage.catalogs.quantities.fields import METRICS
from runlineage.dataflow.tables.files import scan
from runlineage.dataflow.tables.polars_frames import evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest
from tests.benchmarks.__main__ import main
from tests.benchmarks.files import by_hand
from tests.benchmarks.tables import facts


def test_the_benchmarks_print_every_ratio_with_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    main(repeats=1, calls=1, rows=1000, streamed=(1000,))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 23
    assert all(
        float(line[40:50].replace(",", "")) > 0 and float(line[50:59].replace(",", "")) > 0 for line in lines[1:]
    )


def test_the_query_by_hand_gives_the_same_answers(tmp_path: Path) -> None:
    frame = pl.DataFrame(dict(list(facts(1000).items())[:5]))
    for kind in ("csv", "parquet"):
        source, target = str(tmp_path / f"in.{kind}"), str(tmp_path / "out.parquet")
        (frame.write_csv if kind == "csv" else frame.write_parquet)(source)
        by_hand(source, target)
        found, ours = (
            pl.read_parquet(target),
            evaluate_lazy(scan(source), TableRequest.of(tuple(METRICS), ())).collect(),
        )
        assert found.columns == ours.columns
        assert_frame_equal(found.cast({pl.Enum: pl.String}), ours.cast({pl.Enum: pl.String}), rel_tol=1e-12)
