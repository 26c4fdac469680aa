"""What data say can neither command a terminal nor become a formula."""

import csv
import subprocess
import sys

import pyarrow as pa
import pytest

import causalrules
from causalrules.report.table_files import csv_bytes, write_csv

ESCAPE = "\x1b]0;owned\x07\x1b[31mred"
ILL = ["yes"] * 35 + ["no"] * 10 + ["yes"] * 5 + ["no"] * 30


@pytest.fixture(scope="module")
def result():
    columns = {
        ESCAPE: ["=1+1"] * 40 + ["no"] * 40,
        "ill": ["yes"] * 35 + ["no"] * 10 + ["yes"] * 5 + ["no"] * 30,
    }
    return causalrules.mine(pa.table(columns), outcome="ill=yes")


def test_printing_a_result_sends_no_escape_sequence(result):
    assert result.causal
    for text in (repr(result), str(result), result.summary()):
        assert "\x1b" not in text
        assert "\x07" not in text


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_begins_like_a_formula_is_made_harmless(tmp_path, start):
    hostile = f"{start}cmd"
    table = pa.table(
        {hostile: ["a"] * 40 + ["no"] * 40, "ill": ["yes"] * 35 + ["no"] * 10 + ["yes"] * 5 + ["no"] * 30}
    )
    found = causalrules.mine(table, outcome="ill=yes")
    assert found.causal
    write_csv(found, tmp_path / "rules.csv")
    with (tmp_path / "rules.csv").open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row if "cmd" in cell]
    assert cells
    assert all(cell.startswith("'") for cell in cells if cell.lstrip("'").startswith(start))
    assert f"{start}cmd".encode() in csv_bytes(found, for_spreadsheets=False)


def test_numbers_stay_numbers(tmp_path, result):
    write_csv(result, tmp_path / "rules.csv")
    with (tmp_path / "rules.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert all("'" not in row["risk_difference"] for row in rows)


@pytest.mark.parametrize(("closed", "code"), [("<&-", 1), ("2>&-", 0), (">&-", 0)])
def test_a_closed_standard_stream_is_no_traceback(tmp_path, closed, code):
    (tmp_path / "a.csv").write_text("a,ill\n" + "x,yes\ny,no\n" * 40)
    source = "-" if closed == "<&-" else "a.csv"
    command = f"{sys.executable} -m causalrules mine {source} --outcome ill=yes --quiet {closed}"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert ("Causes" in done.stdout) == (closed == "2>&-")
    if code:
        assert "standard input: it is empty" in done.stderr
