"""Table files: every kind in and out, and other people's mess."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from runlineage import InputError, OutputError
from runlineage.catalogs.base.errors import RunlineageError
from runlineage.dataflow.tables.files import explained, scan, sink, table_kind
from runlineage.dataflow.tables.line_faults import broken_json
from runlineage.dataflow.tables.polars_frames import evaluate_lazy
from runlineage.dataflow.tables.request import TableRequest

ASKED = TableRequest.of("energy", ())
HEADER = "model,accelerator_hours,device_power\n"


def answer(content: bytes | str, folder: Path, name: str = "in.csv") -> list[dict[str, object]]:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return evaluate_lazy(scan(str(folder / name)), ASKED).collect().to_dicts()


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "jsonl", "ndjson"])
def test_each_kind_goes_in_and_out(kind: str, tmp_path: Path) -> None:
    table = pl.LazyFrame({"model": ["a", "b"], "accelerator_hours": [1e6, None], "device_power": ["400 W", "x"]})
    first, second = str(tmp_path / f"first.{kind}"), str(tmp_path / f"second.{kind}")
    sink(table, first)
    sink(evaluate_lazy(scan(first), ASKED), second)
    done = scan(second).collect()
    assert done.columns == ["model", "accelerator_hours", "device_power", "energy (GWh)", "energy route", "problems"]
    assert [float(value) if value else None for value in done["energy (GWh)"]] == [0.4, None]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"first.{kind}", f"second.{kind}"]


def test_parquet_carries_the_units_of_the_answers(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "out.parquet")
    sink(evaluate_lazy(pl.LazyFrame({"device_power": [1.0]}), ASKED), path)
    assert parquet.read_schema(path).field("energy (GWh)").metadata == {b"unit": b"GWh"}
    assert "runlineage" in pl.read_parquet_metadata(path)


def test_a_folder_and_a_glob_of_parquet_are_one_table(tmp_path: Path) -> None:
    for number in (1, 2):
        pl.DataFrame({"device_power": [float(number)]}).write_parquet(tmp_path / f"{number}.parquet")
    for path in (tmp_path, tmp_path / "*.parquet"):
        assert scan(str(path)).collect()["device_power"].to_list() == [1.0, 2.0]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + HEADER.encode() + b"a,5,400\n",
        HEADER.replace("\n", "\r\n").encode() + b"a,5,400\r\n",
        HEADER + '"a\nb",5,400\n',
        HEADER + 'a,"5","400 W"\n',
        HEADER + "a, 5 , 400 W \n",
        HEADER + "=1+1,5,400",
    ],
)
def test_harmless_mess_is_read(content: bytes | str, tmp_path: Path) -> None:
    (row,) = answer(content, tmp_path)
    assert row["energy (GWh)"] == pytest.approx(5 * 400 / 1e9)
    assert row["problems"] is None


def test_a_cell_that_looks_like_a_formula_is_carried_as_text(tmp_path: Path) -> None:
    (row,) = answer(HEADER + "=1+1,5,400\n", tmp_path)
    assert row["model"] == "=1+1"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ('"~25,000"', "accelerator_hours: '~25,000' does not start with a plain number"),
        ('"1,5"', "accelerator_hours: '1,5' does not start with a plain number; write a decimal point"),
        ("inf", "accelerator_hours: 'inf' does not start with a plain number"),
        ("-5", "accelerator_hours: '-5' is not above zero"),
        ("9" * 400, "is not a finite number"),
        ("5 days", "may be wall-clock time"),
    ],
)
def test_a_bad_cell_spoils_its_row_and_is_named(cell: str, said: str, tmp_path: Path) -> None:
    good, bad = answer(HEADER + f"a,5,400\nb,{cell},400\n", tmp_path)
    assert (good["problems"], bad["energy (GWh)"]) == (None, None)
    assert said in str(bad["problems"]) or (len(cell) > 99 and "characters long" in str(bad["problems"]))
    assert str(bad["problems"]).endswith("energy needs accelerator_hours")


@pytest.mark.parametrize("cell", ["", "N/A", "unknown", "nan", "-", "NaN"])
def test_a_cell_that_says_nothing_is_missing_and_not_refused(cell: str, tmp_path: Path) -> None:
    (row,) = answer(HEADER + f"a,{cell},400\n", tmp_path)
    assert row["problems"] == "energy needs accelerator_hours"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty; expected a header and rows"),
        (b"a,b\n1,2\n1,2,3\n", "line 3: has 3 cells, and there are 2 headers"),
        (b'a,b\n1,2\n"1\n2",3\n"1,2\n3,4\n', "line 5: a quote opens and never closes"),
        (b"a,device_power\n\xe9,2\n", "line 2: is not UTF-8; save the file as UTF-8"),
        (b"\xe9,device_power\n1,2\n", "line 1: is not UTF-8; save the file as UTF-8"),
        (
            b"parameters (B);model\n1;x\n",
            "has cells that are separated by semicolons; save it with commas, or with tabs",
        ),
        (b"model\tDuration\nx\t1\n", "has cells that are separated by tabs; save it with commas, or with tabs as .tsv"),
        (b"duration,duration\n1,2\n", "column 'duration': appears twice; give each column its own name"),
        (b"duration,duration (hour)\n1,2\n", "column 'duration (hour)': gives duration, as 'duration' does; keep one"),
        (
            b"duration (kg)\n1\n",
            "column 'duration (kg)': the unit 'kg' does not serve: '1 kg' is in kg, which is not a wall-clock duration",
        ),
        (b"energy route\n1\n", "column 'energy route': is there already; drop or rename it"),
    ],
)
def test_a_file_that_cannot_be_a_table_is_one_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(RunlineageError) as caught, explained(str(tmp_path / "in.csv")):
        answer(content, tmp_path)
    assert said in str(caught.value)


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    assert answer(HEADER, tmp_path) == []


def test_many_columns_are_carried_through(tmp_path: Path) -> None:
    wide = ",".join(["device_power", *(f"c{number}" for number in range(10_000))])
    (row,) = answer(wide + "\n" + ",".join(["1"] * 10_001) + "\n", tmp_path)
    assert len(row) == 10_004


def test_a_truncated_parquet_is_one_sentence(tmp_path: Path) -> None:
    pl.DataFrame({"device_power": [1.0] * 1000}).write_parquet(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:200])
    with pytest.raises(RunlineageError, match=r"b\.parquet: cannot be read: "), explained(str(tmp_path / "b.parquet")):
        scan(str(tmp_path / "b.parquet")).collect()


def test_a_missing_file_and_an_unknown_suffix_are_said(tmp_path: Path) -> None:
    with pytest.raises(RunlineageError, match="cannot be read: No such file or directory"):
        scan(str(tmp_path / "none.csv"))
    with pytest.raises(InputError, match=r"is no table file by its suffix '.csvv'; .*; the nearest: \.csv"):
        table_kind("a.csvv")


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    table = pl.LazyFrame({"device_power": [1.0]})
    with pytest.raises(OutputError, match="make the folder"):
        sink(table, str(tmp_path / "none" / "a.csv"))
    failing = table.map_batches(lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(Exception, match="division"):
        sink(failing, str(tmp_path / "a.csv"))
    assert list(tmp_path.iterdir()) == []


def test_lines_that_end_in_carriage_returns_alone_are_read(tmp_path: Path) -> None:
    (row,) = answer(b"model,accelerator_hours,device_power\ra,5,400\r", tmp_path)
    assert row["energy (GWh)"] == pytest.approx(5 * 400 / 1e9)
    with (
        pytest.raises(RunlineageError, match="line 3: has 4 cells, and there are 3 headers"),
        explained(str(tmp_path / "in.csv")),
    ):
        answer(b"model,accelerator_hours,device_power\ra,5,400\rb,5,400,6\r", tmp_path)


@pytest.mark.parametrize("name", ["in.csv.gz", "in.jsonl.gz", "in.csv.zst", "in.jsonl.zst"])
def test_packed_files_are_read_and_not_written(name: str, tmp_path: Path) -> None:
    text = '{"accelerator_hours": 5, "device_power": 400}\n' if "json" in name else f"{HEADER}a,5,400\n"
    if name.endswith("gz"):
        packed = gzip.compress(text.encode())
    else:
        packed = bytes(pytest.importorskip("pyarrow").compress(text.encode(), "zstd", asbytes=True))
    (row,) = answer(packed, tmp_path, name)
    assert row["energy (GWh)"] == pytest.approx(5 * 400 / 1e9)
    with pytest.raises(InputError, match=r"cannot be written packed; name in\."):
        sink(scan(str(tmp_path / name)), str(tmp_path / name))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"device_power": 1}\n{"device_power": \n', "line 2: is not JSON"),
        ('{"device_power": 1}\n\n[1]\n', "line 3: is a list, not an object; write one object a line"),
        (
            '{"device_power": 1}\n' * 3 + '{"device_power": "x"}\n',
            "line 4: 'device_power' is a text, and a number in line 1",
        ),
    ],
)
def test_a_broken_line_of_json_is_named(lines: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(lines)
    assert message in broken_json(str(tmp_path / "in.jsonl"))
    if "text" not in message:  # of which Polars makes text, where it sees it in time
        with pytest.raises(RunlineageError) as caught, explained(str(tmp_path / "in.jsonl")):
            scan(str(tmp_path / "in.jsonl")).collect()
        assert message in str(caught.value)


def test_text_files_hold_no_noise_of_a_float(tmp_path: Path) -> None:
    table = pl.LazyFrame({"energy (GWh)": [0.6881280000000001, None], "mine": [0.1 + 0.2, 1.0]})
    sink(table, str(tmp_path / "answers.csv"))
    assert (tmp_path / "answers.csv").read_text() == "energy (GWh),mine\n0.688128,0.30000000000000004\n,1.0\n"
    sink(table, str(tmp_path / "answers.parquet"))
    assert pl.read_parquet(tmp_path / "answers.parquet")["energy (GWh)"][0] == 0.6881280000000001
