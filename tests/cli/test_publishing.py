"""What the terminal gives to authors."""

import io
import sys
from pathlib import Path

import pandas as pd
import pytest

from unit.publish.patients import patients


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "patients.csv"
    patients().to_csv(path, index=False)
    return path


ASKED = ("--outcome", "ill=yes", "--exposure", "drug=yes", "--adjust", "age,sex")


@pytest.mark.parametrize("name", ["who.csv", "who.parquet"])
def test_matched_records_are_written(command, table, name):
    code, out, _ = command("test", table, *ASKED, "--matched", name)
    assert code == 0
    assert "drug=yes" in out
    written = pd.read_csv(name) if name.endswith("csv") else pd.read_parquet(name)
    assert written.columns.tolist() == [
        "drug",
        "sex",
        "age",
        "site",
        "ill",
        "row",
        "arm",
        "stratum",
        "weight",
    ]
    assert len(written) > 1000
    original = pd.read_csv(table).iloc[written["row"]]
    assert original["age"].tolist() == written["age"].astype(float).tolist()


def test_standard_input_is_read_once(command, table, monkeypatch):
    class Piped:
        buffer = io.BytesIO(table.read_bytes())

    command("test", table, *ASKED, "--matched", "file.csv", "--json", "file.json")
    monkeypatch.setattr(sys, "stdin", Piped)
    code, _, err = command("test", "-", *ASKED, "--matched", "piped.csv")
    assert code == 0, err
    assert Path("piped.csv").read_text() == Path("file.csv").read_text()


def test_a_name_that_asks_for_another_kind_is_refused(refuse, table):
    message = refuse(2, "test", table, *ASKED, "--matched", "who.docx")
    assert "a table ends in .csv or .parquet" in message


def test_partners_by_distance_end_in_one_sentence(refuse, table):
    asked = ("test", table, *ASKED[:4], "--controls", "items", "--matching", "hamming")
    message = refuse(1, *asked, "--matched", "who.csv")
    assert "Match exactly, or leave --controls auto to choose" in message


def test_table1_in_the_terminal_and_in_files(command, table):
    code, out, _ = command("table1", table, *ASKED)
    assert code == 0
    assert "age, mean (SD)" in out
    assert "SMD: absolute standardised difference" in out
    for ending in ("docx", "xlsx", "tex", "md", "html"):
        code, out, err = command("table1", table, *ASKED, "--describe", "age,site", "-o", f"table1.{ending}")
        assert (code, out) == (0, ""), err
    written = Path("table1.md").read_text()
    assert "age, mean (SD)" in written
    assert "sex" not in written


def test_table1_refuses_before_it_works(refuse, table):
    assert ".docx, .xlsx, .tex, .md or .html" in refuse(2, "table1", table, *ASKED, "-o", "table.pdf")
    assert "--numbers" in refuse(2, "table1", table, *ASKED, "--numbers", "mode")
    assert "'agee'" in refuse(2, "table1", table, *ASKED, "--describe", "agee")


def test_the_flow_is_a_kind_of_picture(command, table):
    assert command("test", table, *ASKED, "--json", "result.json")[0] == 0
    code, out, err = command("plot", "result.json", "flow", "-o", "flow.svg")
    assert (code, out) == (0, ""), err
    assert "without partners" in Path("flow.svg").read_text()
