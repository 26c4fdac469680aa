"""Files of SPSS, Stata and SAS are read by a process of their own, which a damaged one may end."""

import sys
from pathlib import Path

import pytest

import source_formats as formats
from causalrules.errors import SourceError
from causalrules.read import read_table

pyreadstat = pytest.importorskip("pyreadstat")
CORPUS = Path(__file__).parents[2] / "fuzz" / "corpus"


def test_a_file_that_ends_its_reader_is_refused_in_one_sentence():
    with pytest.raises(SourceError, match=r"it is not a sound zsav file \('its reader broke off with exit"):
        read_table(CORPUS / "people-reader-broken-off.zsav")


@pytest.mark.parametrize("name", ["people.sav", "people.dta", "people.xpt"])
def test_where_no_python_can_be_started_this_process_reads(tmp_path, monkeypatch, name):
    path = formats.FILES[name][1](tmp_path, name)
    apart = read_table(path)
    monkeypatch.setattr(sys, "executable", "")
    within = read_table(path)
    assert within.arrow.equals(apart.arrow)
    assert within.declared == apart.declared


def test_a_reader_that_the_system_ends_is_told(tmp_path, monkeypatch):
    path = formats.FILES["people.sav"][1](tmp_path, "people.sav")
    killed = tmp_path / "killed"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(killed))
    with pytest.raises(SourceError, match="perhaps for lack of memory"):
        read_table(path)


def test_stata_s_letters_for_missing_values_may_have_labels(tmp_path):
    import pandas

    path = tmp_path / "people.dta"
    frame = pandas.DataFrame({"smoking": [1.0, 2.0, "a"], "ill": ["yes", "no", "no"]})
    labels = {"smoking": {1: "never", 2: "current", "a": "refused"}}
    pyreadstat.write_dta(
        frame, str(path), variable_value_labels=labels, missing_user_values={"smoking": ["a"]}
    )
    table = read_table(path)
    assert table.arrow.column("smoking").to_pylist() == ["never", "current", None]
    assert table.declared.orders["smoking"][:2] == ("never", "current")


@pytest.mark.parametrize(
    ("name", "writer"), [("a.sav", "write_sav"), ("a.dta", "write_dta"), ("a.xpt", "write_xport")]
)
def test_western_texts_without_a_word_about_it_are_read_with_a_remark(tmp_path, name, writer):
    import pandas

    path = tmp_path / name
    frame = pandas.DataFrame({"city": ["Zurich", "Bern"] * 10, "ill": ["yes", "no"] * 10})
    getattr(pyreadstat, writer)(frame, str(path))
    assert not read_table(path).declared.notes
    path.write_bytes(path.read_bytes().replace(b"Zurich", b"Z\xfcrich"))
    table = read_table(path)
    assert table.arrow.column("city").to_pylist()[:2] == ["Zürich", "Bern"]
    assert "they were read as Windows-1252" in table.declared.notes[0]
