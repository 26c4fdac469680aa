"""Workbooks with several sheets and databases with several tables can be explored, each part by itself."""

import sqlite3

import pytest

from explorer.asking import LIMITS, OUTCOME, answered, people_csv

ROWS = [line.split(",") for line in people_csv().splitlines()]


@pytest.fixture
def book(tmp_path):
    """A cover sheet, and the table on the second sheet."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("fastexcel")
    with xlsxwriter.Workbook(tmp_path / "people.xlsx") as book:
        for name, rows in {"Cover": [["title"], ["of a report"]], "People": ROWS}.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return tmp_path / "people.xlsx"


@pytest.fixture
def crm(tmp_path):
    """A database of two tables."""
    path = tmp_path / "crm.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table cities (name text, size int)")
        connection.execute("insert into cities values ('Graz', 3), ('Linz', 2)")
        connection.execute(f"create table people ({', '.join(ROWS[0])})")
        connection.executemany("insert into people values (?, ?, ?)", ROWS[1:])
    connection.close()
    return path


def opened_table(client, file):
    told = client.post("/api/table", json={"file": file})
    assert told.status_code == 200, told.text
    return told.json()


@pytest.mark.parametrize(
    ("source", "first", "option"), [("book", "Cover", "--sheet People"), ("crm", "cities", "--table people")]
)
def test_each_part_is_a_table(open_explorer, request, source, first, option):
    path = request.getfixturevalue(source)
    client = open_explorer(path, LIMITS).client
    (listed,) = client.get("/api/start").json()["files"]
    seen = opened_table(client, listed["id"])
    assert seen["file"].endswith(f"\0{first}")
    assert seen["notes"] == []
    parts = {part["name"]: part["id"] for part in seen["parts"]}
    second = "People" if source == "book" else "people"
    assert list(parts) == [f"{path.name}: {first}", f"{path.name}: {second}"]
    people = parts[f"{path.name}: {second}"]
    assert [column["name"] for column in opened_table(client, people)["columns"]] == ROWS[0]
    question = {"file": people, "outcome": OUTCOME}
    command = client.post("/api/items", json=question).json()["command"]
    assert command.startswith(f"causalrules mine {path.name} --outcome health=ill {option}")
    run = answered(client, question)
    assert run["table"] == f"{path.name}: {second}"
    saved = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert saved["data"]["source"] == path.name
    assert saved["data"]["read_as"] == [{"name": option.split()[0][2:], "value": second}]


def test_titles_above_the_names_are_left_out_and_told(open_explorer, tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("fastexcel")
    with xlsxwriter.Workbook(tmp_path / "export.xlsx") as workbook:
        sheet = workbook.add_worksheet("Data")
        for number, row in enumerate([["Export of Monday"], [], *ROWS]):
            sheet.write_row(number, 0, row)
    client = open_explorer(tmp_path / "export.xlsx", LIMITS).client
    (listed,) = client.get("/api/start").json()["files"]
    seen = opened_table(client, listed["id"])
    assert [column["name"] for column in seen["columns"]] == ROWS[0]
    told = "Left out: the first 2 rows, which seem to stand above the names of the columns."
    assert seen["notes"] == [told]
    question = {"file": seen["file"], "outcome": OUTCOME}
    command = client.post("/api/items", json=question).json()["command"]
    assert command.startswith("causalrules mine export.xlsx --outcome health=ill --skip-rows 2")
    run = answered(client, question)
    assert run["table"] == "export.xlsx"
    saved = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert saved["data"]["read_as"] == [{"name": "skip_rows", "value": "2"}]


def test_a_file_of_one_table_is_as_it_was(open_explorer, folder):
    seen = opened_table(open_explorer(folder).client, "folder:people.csv")
    assert (seen["file"], seen["parts"]) == ("folder:people.csv", [])


@pytest.mark.parametrize("part", ["\0", "\0Nothing", "\0../people", "\0\0"])
def test_a_part_that_is_not_there_is_refused(open_explorer, book, part):
    client = open_explorer(book).client
    told = client.post("/api/table", json={"file": f"folder:people.xlsx{part}"})
    assert told.status_code in (404, 422), told.text


def test_remarks_are_in_the_words_of_the_page(open_explorer, tmp_path):
    lines = [
        "ill,sex,x",
        *(f"{'ny'[n % 3 > 0]},{'mf'[n % 2]},{n / 8 if n % 20 else 'err'}" for n in range(400)),
    ]
    (tmp_path / "x.csv").write_text("\n".join(lines))
    question = {"file": "folder:x.csv", "outcome": {"column": "ill", "value": "y"}}
    told = open_explorer(tmp_path).client.post("/api/items", json=question)
    assert told.status_code == 200, told.text
    (note,) = told.json()["notes"]
    assert "“Texts that mean missing” x=err makes x a number" in note
