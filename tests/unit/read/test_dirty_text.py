import pyarrow as pa
import pytest

from causalrules.errors import SettingsError, SourceError
from causalrules.read import open_batches, read_table
from causalrules.read.table_at import TableAt

RAGGED = "a,b\n1,x\n2,y,z\n3\n4,w\n"


def both(path, folder, **said):
    """The table as it is read at once and in batches, which must be the same, and its notes."""
    at = TableAt(path, **said)
    whole, parts = read_table(at), open_batches(at, folder)
    assert whole.declared.notes == parts.declared.notes
    assert whole.arrow.to_pylist() == parts.arrow.to_pylist() == parts.arrow.to_pylist()
    return whole.arrow.to_pylist(), whole.declared.notes


def written(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text)
    return path


def test_ragged_lines_are_refused_unless_asked(tmp_path):
    with pytest.raises(SourceError, match="line 3 has 3 values"):
        read_table(written(tmp_path, RAGGED))


def test_ragged_lines_are_skipped_and_counted(tmp_path):
    rows, notes = both(written(tmp_path, RAGGED), tmp_path, bad_lines="skip")
    assert rows == [{"a": "1", "b": "x"}, {"a": "4", "b": "w"}]
    assert notes == ("Skipped 2 lines that do not have 2 values, the first: '2,y,z'.",)


def test_decimal_commas_and_thousands(tmp_path):
    path = written(tmp_path, "x;y\n1.234,5;a,b\n-2,25;1.2.3\n7;12,5 kg\n1.5;\n")
    rows, notes = both(path, tmp_path, decimal=",", thousands=".")
    assert [row["x"] for row in rows] == ["1234.5", "-2.25", "7", "1.5"]  # 1.5 has no three digits: untouched
    assert [row["y"] for row in rows] == ["a,b", "1.2.3", "12,5 kg", ""]
    assert notes == (
        "Numbers with a decimal comma and a point between thousands were read in 2 values of 'x'.",
    )


def test_a_decimal_comma_is_never_guessed(tmp_path):
    table = read_table(written(tmp_path, "x;y\n1,5;a\n2,5;b\n"))
    assert table.arrow.column("x").to_pylist() == ["1,5", "2,5"]


def test_dates_with_the_day_first(tmp_path):
    path = written(tmp_path, "d,e\n31.12.2024,1/2/2024 9:05\n01/02/2023,13/13/2024\n2024-05-06,\n3.4.24,x\n")
    rows, notes = both(path, tmp_path, day_first=True)
    assert [row["d"] for row in rows] == ["2024-12-31", "2023-02-01", "2024-05-06", "3.4.24"]
    assert [row["e"] for row in rows] == ["2024-02-01 09:05:00", "13/13/2024", "", "x"]
    assert notes == (
        "Dates with the day first were read in 3 values of 'd', 'e'.",
        "Column 'e' has '13/13/2024', no date with the day first: it stays text.",
    )


def test_what_is_asked_for_and_not_there_is_told(tmp_path):
    _, notes = both(written(tmp_path, "x,y\n1,a\n2,b\n"), tmp_path, decimal=",", day_first=True)
    assert notes == (
        "Numbers with a decimal comma were asked for, but there are none.",
        "Dates with the day first were asked for, but there are none.",
    )


def test_columns_that_repeat_and_that_do_not_are_changed_alike(tmp_path):
    lines = [f"{n},5;{n % 2},5" for n in range(200)]
    rows, _ = both(written(tmp_path, "\n".join(["x;y", *lines, ""])), tmp_path, decimal=",")
    assert rows == [{"x": f"{n}.5", "y": f"{n % 2}.5"} for n in range(200)]


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"bad_lines": "mend"}, "bad_lines must be error or skip"),
        ({"labels": "some"}, "labels must be all, values or none"),
        ({"decimal": ";"}, "decimal must be a point or a comma"),
        ({"thousands": "x"}, "thousands must be a point, a comma, a space or an apostrophe"),
        ({"decimal": ",", "thousands": ","}, "thousands must be another sign than decimal"),
        ({"query": "select 1", "table": "t"}, "table must be left out where a query is given"),
    ],
)
def test_what_cannot_be_meant_is_refused(said, what):
    with pytest.raises(SettingsError, match=what):
        TableAt("table.csv", **said)


@pytest.mark.parametrize(
    ("said", "name"),
    [({"sheet": "1"}, "sheet"), ({"query": "select 1"}, "query"), ({"labels": "none"}, "labels")],
)
def test_what_says_nothing_about_a_text_is_refused(tmp_path, said, name):
    path = written(tmp_path, "a,b\n1,2\n")
    for read in (read_table, lambda at: open_batches(at, tmp_path)):
        with pytest.raises(SettingsError, match=f"{name} must be left out for a text file"):
            read(TableAt(path, **said))


def test_what_says_nothing_about_a_parquet_file_is_refused(tmp_path):
    import pyarrow.parquet

    path = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(pa.table({"a": [1]}), path)
    for read in (read_table, lambda at: open_batches(at, tmp_path)):
        with pytest.raises(SettingsError, match="decimal must be left out for a Parquet file"):
            read(TableAt(path, decimal=","))


def test_amounts_of_money_are_numbers_where_their_thousands_are_told(tmp_path):
    path = written(tmp_path, 'x;y\n"$1,234.50";A$\n-$20;$\n€ 7;7 kg\n"1,000 £";10,00\n')
    rows, notes = both(path, tmp_path, thousands=",")
    assert [row["x"] for row in rows] == ["1234.50", "-20", "7", "1000"]
    assert [row["y"] for row in rows] == ["A$", "$", "7 kg", "10,00"]
    assert notes == ("Numbers with a comma between thousands were read in 4 values of 'x'.",)


def test_amounts_in_a_workbook(tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("fastexcel")
    with xlsxwriter.Workbook(tmp_path / "sales.xlsx") as book:
        sheet = book.add_worksheet("Sales")
        for row, cells in enumerate([["month", "sum", "n"], ["31.01.2024", "$1,234.50", 3], ["", "$20", 4]]):
            sheet.write_row(row, 0, cells)
    at = TableAt(tmp_path / "sales.xlsx", thousands=",", day_first=True)
    read = read_table(at).arrow.to_pydict()
    assert read["month"][0] == "2024-01-31"
    assert read["sum"] == ["1234.50", "20"]
    assert read["n"] == [3, 4]
