"""Catalogs: records by attribute or by any usual spelling, one parsed when it is asked for."""

import datetime
import pickle
import re

import pytest

from runlineage.catalogs import catalog
from runlineage.catalogs.base.errors import AmbiguousNameError, CatalogError, UnknownAttributeError, UnknownNameError
from runlineage.catalogs.catalog import Accelerators, Catalog, Runs, Sources, Workloads, catalog_version
from runlineage.catalogs.records.facts import Source
from runlineage.catalogs.records.records import Run, Workload

SOURCE = {
    "title": "A Paper",
    "authors": "Someone et al.",
    "year": 2023,
    "url": "https://example.org",
    "reading": "first hand",
    "read_on": datetime.date(2026, 1, 2),
}


@pytest.fixture
def write(tmp_path):
    def make(text, record=Workload, what="workload"):
        path = tmp_path / "rows.toml"
        path.write_text(text, encoding="utf-8")
        return Catalog(what, path, record)

    return make


@pytest.mark.parametrize(
    ("records", "spelling", "key"),
    [
        (Workloads, "Gpt3_175B", "Gpt3_175B"),
        (Workloads, "gpt-3", "Gpt3_175B"),
        (Workloads, "GPT 3", "Gpt3_175B"),
        (Workloads, "Llama 3.1 405B", "Llama31_405B"),
        (Workloads, "llama_31_405b", "Llama31_405B"),
        (Workloads, "PanGu-Σ", "PanGuSigma"),
        (Accelerators, "h100 sxm", "H100_SXM5_80GB"),
        (Accelerators, "H100-SXM5", "H100_SXM5_80GB"),
        (Accelerators, "TPUv4", "TPU_v4"),
        (Accelerators, "A100 SXM4 80GB", "A100_SXM4_80GB"),
        (Accelerators, "NVIDIA H100 80GB HBM3", "H100_SXM5_80GB"),
        (Runs, "GPT-3 175B", "Gpt3PublishedRun"),
        (Runs, "gpt3", "Gpt3PublishedRun"),
        (Runs, "Gpt3PublishedRun", "Gpt3PublishedRun"),
    ],
)
def test_any_usual_spelling_finds_the_record(records, spelling, key):
    assert records.find(spelling) == key
    assert spelling in records
    assert records[spelling] is getattr(records, key)
    assert records[spelling].key == key


@pytest.mark.parametrize(
    ("records", "name", "sentence"),
    [
        (
            Accelerators,
            "Gaudi",
            "accelerator 'Gaudi' matches several; use one of: Intel Gaudi 2, Intel Gaudi 3",
        ),
        (
            Workloads,
            "falcon",
            "workload 'falcon' matches several; use one of: Falcon 180B, Falcon 40B, Falcon 7B",
        ),
    ],
)
def test_a_name_that_several_answer_to_is_refused_with_their_names(records, name, sentence):
    with pytest.raises(AmbiguousNameError) as caught:
        records[name]
    assert str(caught.value) == sentence
    assert name not in records


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "Bloomm 176B",
            "unknown workload 'Bloomm 176B'; the nearest: BLOOM 176B; `runlineage list workloads` lists all",
        ),
        ("zzzzz", "unknown workload 'zzzzz'; `runlineage list workloads` lists all"),
        ("", "unknown workload ''; `runlineage list workloads` lists all"),
        (None, "unknown workload 'None'; expected a name"),
        (5, "unknown workload '5'; expected a name"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name, sentence):
    with pytest.raises(UnknownNameError) as caught:
        Workloads.find(name)
    assert str(caught.value) == sentence
    assert isinstance(caught.value, KeyError)
    assert name not in Workloads


def test_a_huge_name_is_refused_in_a_short_sentence():
    with pytest.raises(UnknownNameError) as caught:
        Workloads.find("x" * 100_000)
    assert len(str(caught.value)) < 150


def test_an_unknown_attribute_is_an_attribute_error_with_the_nearest():
    with pytest.raises(UnknownAttributeError) as caught:
        _ = Workloads.Gpt3_175
    assert "unknown workload 'Gpt3_175'; the nearest: GPT-3 175B" in str(caught.value)
    assert not hasattr(Workloads, "Gpt3_175")
    assert getattr(Workloads, "_private", None) is None


@pytest.mark.parametrize("records", [Workloads, Accelerators, Runs, Sources])
def test_a_catalog_is_a_mapping_to_look_at(records):
    assert list(records) == list(records.keys())
    assert len(records) == len(set(records))
    assert set(records) <= set(dir(records))
    assert repr(records).startswith(f"<{len(records)} ")
    assert len(records._ipython_key_completions_()) == len(records)


def test_a_catalog_gives_its_records_as_a_mapping_does(write):
    records = write('[A]\nname = "a"\n[B]\nname = "b"\n')
    assert [record.name for record in records.values()] == ["a", "b"]
    assert dict(records.items()) == {"A": records.A, "B": records.B}
    assert (records.get("b"), records.get("nothing like it")) == (records.B, None)


def test_a_catalog_says_what_it_is(write):
    assert repr(write("[A]\n[B]\n")) == "<2 workloads: by attribute or by name, as in catalog['A']>"


def test_a_record_is_read_once(write):
    records = write('[A]\nparameters = "5B"\n')
    assert records.A is records["a"] is records.A


def test_a_broken_row_fails_when_it_is_asked_for_and_names_file_row_and_field(write):
    records = write('[Good]\nparameters = "5B"\n[Bad]\nparametres = "5B"\nsparse = "maybe"\n')
    assert records.Good.parameters.value.magnitude == 5e9
    with pytest.raises(CatalogError) as caught:
        _ = records.Bad
    where = f"{records._rows.path}, [Bad]"
    assert str(caught.value).splitlines() == [
        "2 faults:",
        f"  {where} sparse: is 'maybe'; expected true or false",
        f"  {where} parametres: is not a field here; the nearest: parameters",
    ]


def test_a_row_that_is_no_toml_names_file_line_and_row_once(write):
    records = write("[A]\nparameters = = 5\n")
    with pytest.raises(CatalogError) as caught:
        _ = records.A
    assert str(caught.value) == f"{records._rows.path}, line 2, [A]: is not valid TOML: Invalid value"


@pytest.mark.parametrize("record", [Workload, Source])
def test_a_row_cannot_say_its_own_key(write, record):
    with pytest.raises(CatalogError) as caught:
        write('[A]\nkey = "B"\n', record)["A"]
    assert str(caught.value).endswith("rows.toml, [A] key: is not a field here; the [Key] line gives it")


def test_a_source_says_authors_and_year():
    assert str(Source(key="a", **SOURCE)) == "Someone et al. (2023)"


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('title = "t"\n', "[A] authors: Field required"),
        ('reading = "hearsay"\n', "[A] reading: Input should be 'first hand' or 'second hand'"),
        ('read_on = "yesterday"\n', "[A] read_on: "),
        ('journal = "x"\n', "[A] journal: Extra inputs are not permitted"),
    ],
)
def test_a_source_that_is_not_whole_is_refused(write, row, sentence):
    with pytest.raises(CatalogError) as caught:
        write("[A]\n" + row, Source, "source")["A"]
    assert sentence in str(caught.value)


@pytest.mark.parametrize("records", [Workloads, Accelerators, Runs, Sources])
def test_a_catalog_of_ours_comes_back_from_a_pickle_as_itself(records):
    assert pickle.loads(pickle.dumps(records)) is records


def test_two_catalogs_of_one_file_are_told_apart_by_their_pickles(write):
    models, runs = write("[A]\n", Workload), write("[A]\n", Run, "run")
    assert pickle.loads(pickle.dumps(models)) is models
    assert pickle.loads(pickle.dumps(runs)) is runs


def test_a_pickle_opens_a_catalog_that_is_not_open_here(write, monkeypatch):
    sent = pickle.dumps(write('[A]\nname = "a"\n'))
    monkeypatch.setattr(catalog, "_opened", {})
    assert pickle.loads(sent).A.name == "a"


def test_the_version_is_a_fingerprint_of_the_files(tmp_path, monkeypatch):
    assert re.fullmatch("[0-9a-f]{12}", catalog_version())
    for path in catalog.HERE.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(catalog, "HERE", tmp_path)
    assert catalog_version.__wrapped__() == catalog_version()
    (tmp_path / "runs.toml").write_bytes(b"[A]\n")
    assert catalog_version.__wrapped__() != catalog_version()
