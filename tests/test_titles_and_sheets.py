"""Titles above the header, and the other sheets or tables of a file."""

import sqlite3

import pytest

import causalrules
from causalrules.errors import SettingsError, SourceError, UnknownColumnError
from causalrules.read import open_batches, read_table
from causalrules.read.table_at import TableAt
from causalrules.report.words.provenance import repeating_command
from terminal import run_command

HEADER = ["ill", "dose", "sex"]
ROWS = [[("yes", "no")[n % 3 == 0], n % 5, "mf"[n % 2]] for n in range(200)]
TITLES = ["Plant 7 – production lots", "made on Monday, by Ann", ""]


def written(path, titles, delimiter=","):
    lines = [*titles, *(delimiter.join(map(str, row)) for row in (HEADER, *ROWS))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def workbook(path, sheets):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("fastexcel")
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_titles_of_a_text_are_recognised_and_skipped(tmp_path, delimiter):
    path = written(tmp_path / "lots.csv", TITLES, delimiter)
    with pytest.raises(SourceError, match="The first 3 lines seem to stand above the table: --skip-rows 3"):
        read_table(path)
    plain = read_table(written(tmp_path / "plain.csv", (), delimiter)).arrow
    assert read_table(TableAt(path, skip_rows=3)).arrow.equals(plain)
    assert read_table(TableAt(path, skip_rows=3, decimal="," if delimiter != "," else ".")).arrow.equals(
        plain
    )
    batches = open_batches(TableAt(path, skip_rows=3), tmp_path)
    assert batches.schema.names == HEADER
    assert sum(batch.num_rows for batch in batches.batches()) == len(ROWS)


def test_a_line_that_is_wrong_is_told_by_its_number_in_the_file(tmp_path):
    path = written(tmp_path / "lots.csv", ["title"])
    path.write_text(path.read_text(encoding="utf-8") + "one,too,many,values\n", encoding="utf-8")
    with pytest.raises(SourceError, match=f"line {len(ROWS) + 3} has 4 values"):
        read_table(TableAt(path, skip_rows=1))


def test_no_titles_are_seen_where_a_record_is_wrong(tmp_path):
    path = written(tmp_path / "lots.csv", ())
    path.write_text(path.read_text(encoding="utf-8") + "one,too,many,values\n", encoding="utf-8")
    with pytest.raises(SourceError, match="Give every record as many values as there are columns"):
        read_table(path)


@pytest.mark.parametrize("skip_rows", [-1, 1001, "3"])
def test_how_many_is_a_small_number(skip_rows):
    with pytest.raises(SettingsError, match="skip_rows must be a whole number from 0 to 1,000"):
        TableAt("x.csv", skip_rows=skip_rows)


def test_more_lines_than_there_are(tmp_path):
    path = written(tmp_path / "lots.csv", ())
    with pytest.raises(SourceError, match="it has no line 901 to begin with"):
        read_table(TableAt(path, skip_rows=900))


def test_titles_of_a_sheet(tmp_path):
    path = workbook(tmp_path / "lots.xlsx", {"Lots": [[TITLES[0]], [], HEADER, *ROWS]})
    with pytest.raises(UnknownColumnError) as told:
        causalrules.mine(path, "ill=yes", max_length=1)
    assert "The first 2 rows seem to stand above the names: skip_rows=2 leaves them out." in str(told.value)
    _, _, err = run_command("mine", path, "--outcome", "ill=yes")
    assert "The first 2 rows seem to stand above the names: --skip-rows 2 leaves them out." in err
    table = read_table(TableAt(path, skip_rows=2)).arrow
    assert (table.column_names, table.num_rows) == (HEADER, len(ROWS))


def test_titles_of_a_sheet_of_which_some_were_skipped(tmp_path):
    rows = [["Lots", "", ""], ["of Monday", "", ""], ["by Ann", "", ""], HEADER, *ROWS]
    path = workbook(tmp_path / "lots.xlsx", {"Lots": rows})
    with pytest.raises(
        UnknownColumnError, match="The first 3 rows seem to stand above the names: skip_rows=3"
    ):
        causalrules.mine(TableAt(path, skip_rows=1), "ill=yes", max_length=1)


def test_no_names_are_seen_where_there_are_none(tmp_path):
    rows = [["Lots"], *([1, 2.5, n] for n in range(40))]
    path = workbook(tmp_path / "lots.xlsx", {"Lots": rows})
    with pytest.raises(UnknownColumnError) as told:
        causalrules.mine(path, "ill=yes", max_length=1)
    assert str(told.value).endswith("if titles stand above the header, skip them with skip_rows=.")


def test_other_sheets_are_named_where_a_column_is_not_there(tmp_path):
    sheets = {"Cover": [["Quality report"], ["by Ann"]], "Lots": [HEADER, *ROWS], "Notes": [["x"], ["y"]]}
    path = workbook(tmp_path / "lots.xlsx", sheets)
    with pytest.raises(UnknownColumnError) as told:
        causalrules.mine(path, "ill=yes", max_length=1)
    assert str(told.value).endswith("Other sheets of the workbook: 'Lots', 'Notes'. Choose one with sheet=.")
    with pytest.raises(UnknownColumnError) as told:
        causalrules.mine(TableAt(path, sheet="Lots"), "il=yes", max_length=1)
    assert "Other sheets" not in str(told.value)


def test_a_saved_result_remembers_how_its_table_was_read(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    workbook(tmp_path / "lots.xlsx", {"Cover": [["a"], ["b"], ["c"]], "Lots": [["title"], HEADER, *ROWS]})
    read = ("--sheet", "Lots", "--skip-rows", "1")
    asked = ("mine", "lots.xlsx", "--outcome", "ill=yes", *read, "--max-length", "1")
    code, _, err = run_command(*asked, "--json", "r.json", "-q")
    assert code == 0, err
    result = causalrules.Result.load(tmp_path / "r.json")
    assert [(one.name, one.value) for one in result.data.read_as] == [("sheet", "Lots"), ("skip_rows", "1")]
    assert "--sheet Lots --skip-rows 1" in repeating_command(result)
    code, _, err = run_command("mine", "lots.xlsx", "--settings", "r.json", "--json", "s.json", "-q")
    assert code == 0, err
    assert causalrules.Result.load(tmp_path / "s.json").tested == result.tested
    code, _, err = run_command("mine", "lots.xlsx", "--settings", "r.json", "--sheet", "Cover", "-q")
    assert code == 2, err


def test_a_table_that_is_nearly_there(tmp_path):
    path = tmp_path / "crm.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table customers (ill text, dose int)")
        connection.execute("create table visits (ill text, dose int)")
        connection.execute("insert into visits values ('yes', 1)")
    connection.close()
    with pytest.raises(SourceError, match=r"it has no table 'customer'\. Did you mean 'customers'\?$"):
        read_table(TableAt(path, table="customer"))
    with pytest.raises(SourceError, match=r"it has no table 'x'\. There are: 'customers', 'visits'\.$"):
        read_table(TableAt(path, table="x"))
    assert read_table(TableAt(path, table="Visits")).schema.names == ["ill", "dose"]
