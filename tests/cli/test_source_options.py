"""What the terminal says about how a table is written."""

import json

import pytest

import source_formats as formats

MINE = ("--outcome", "ILL=yes", "--max-length", "1")


def test_a_query_of_a_database(command, refuse, tmp_path):
    formats.FILES["people.sqlite"][1](tmp_path, "people.sqlite")
    query = "select SMOKING as smoker, ILL from people where AGE >= 40"
    code, out, err = command("mine", "people.sqlite", *MINE, "--query", query, "--json", "-", "-q")
    assert code == 0, err
    said = json.loads(out)
    assert said["data"]["rows"] == sum(row["AGE"] >= 40 for row in formats.ROWS)
    assert {item["column"] for rule in said["rules"] for item in rule["pattern"]} == {"smoker"}
    told = refuse(1, "mine", "people.sqlite", *MINE, "--query", "select nonsense from people")
    assert (
        "the SQLite database says: no such column: nonsense. Check the file, and --query or --table." in told
    )
    assert "it has no table 'visits'. There is: 'people'." in refuse(
        1, "mine", "people.sqlite", *MINE, "--table", "visits"
    )


def test_options_that_do_not_fit_are_refused(refuse, tmp_path):
    (tmp_path / "people.csv").write_bytes(formats.text())
    mine = ("mine", "people.csv", *MINE)
    assert "--sheet must be left out for a text file" in refuse(2, *mine, "--sheet", "2")
    assert "--bad-lines must be error or skip; it is 'mend'." in refuse(2, *mine, "--bad-lines", "mend")
    assert "--table must be left out where a query is given" in refuse(
        2, *mine, "--query", "select 1", "--table", "people"
    )


def test_a_remark_says_what_was_changed(command, tmp_path):
    text = formats.text(";").decode().replace(".", ",") + "one;too;few\n"
    (tmp_path / "people.csv").write_text(text)
    code, out, err = command(
        "mine", "people.csv", *MINE, "--decimal", ",", "--bad-lines", "skip", "--json", "-"
    )
    assert code == 0, err
    changed = sum(row["BMI"] is not None for row in formats.ROWS)
    notes = json.loads(out)["data"]["notes"]
    assert "Skipped 1 line that does not have 5 values, the first: 'one;too;few'." in notes
    assert f"Numbers with a decimal comma were read in {changed} values of 'BMI'." in notes


def test_a_sheet(command, tmp_path):
    pytest.importorskip("fastexcel")
    formats.FILES["people.xlsx"][1](tmp_path, "people.xlsx")
    code, out, err = command("mine", "people.xlsx", *MINE, "--sheet", "People", "--json", "-", "-q")
    assert code == 0, err
    assert json.loads(out)["data"]["rows"] == len(formats.ROWS)


def test_files_of_a_pattern(command, tmp_path):
    formats.FILES["people-*.csv"][1](tmp_path, "people-*.csv")
    code, out, err = command("mine", "people-*.csv", *MINE, "--json", "-", "-q")
    assert code == 0, err
    assert json.loads(out)["data"]["rows"] == len(formats.ROWS)
