"""What standard output gets: a table for people, or data that other programs read."""

import io
import json
import os
import re
import subprocess
import sys

import pyarrow.csv
import pytest

from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table
from terminal import seen_on_a_terminal


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    write_table(planted_table(4000), path)
    return path


@pytest.fixture(params=["mine", "test"])
def request_for(request, patients):
    arguments = [request.param, patients, "--outcome", "ill=yes"]
    return arguments + (["--exposure", "treatment=new"] if request.param == "test" else [])


def test_csv_on_standard_output_is_the_csv_file(command, request_for, tmp_path):
    code, out, err = command(*request_for, "--format", "csv", "--csv", "r.csv")
    assert (code, err) == (0, "")
    assert out.encode() == (tmp_path / "r.csv").read_bytes()
    from_output = pyarrow.csv.read_csv(io.BytesIO(out.encode()))
    assert from_output.equals(pyarrow.csv.read_csv(tmp_path / "r.csv"))
    assert from_output.num_rows >= 1


def test_json_may_be_asked_for_in_two_ways(command, request_for):
    _, one, _ = command(*request_for, "--format", "json")
    _, other, _ = command(*request_for, "--json", "-")
    first, second = json.loads(one), json.loads(other)
    assert first["schema"] == "causalrules/2"
    assert first["rules"] == second["rules"]


def test_a_json_file_does_not_change_what_is_printed(command, request_for, tmp_path):
    _, out, _ = command(*request_for, "--format", "json", "--json", "r.json")
    assert json.loads(out) == json.loads((tmp_path / "r.json").read_text())


def test_the_table_is_the_default(command, request_for):
    _, plain, _ = command(*request_for)
    _, named, _ = command(*request_for, "--format", "table")
    assert plain == named != ""


def test_markdown_has_a_table(command, request_for):
    code, out, _ = command(*request_for, "--format", "markdown")
    assert code == 0
    assert "|---|---|--:|" in out
    assert "\x1b" not in out


def test_what_cannot_be_is_refused_before_the_work(refuse, patients):
    asked = ["mine", patients, "--outcome", "ill=yes"]
    assert "Did you mean 'markdown'?" in refuse(2, *asked, "--format", "markdwn")
    both = refuse(2, *asked, "--format", "csv", "--json", "-")
    assert "--json - and --format csv both want standard output; give --json a file" in both


def run(arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "causalrules", *map(str, arguments)],
        capture_output=True,
        check=True,
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"} | environment,
    )
    assert done.stderr == b""
    return done.stdout


def test_an_encoding_without_our_signs_gets_plain_ones(request_for):
    plain = run(request_for, PYTHONIOENCODING="ascii").decode("ascii")
    usual = run(request_for, PYTHONIOENCODING="utf-8").decode()
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in usual.splitlines()]
    assert "\\u" not in plain


def test_bars_are_drawn_with_plain_signs_too(patients):
    asked = ["mine", patients, "--outcome", "ill=yes"]
    assert b"########" in run(asked, PYTHONIOENCODING="ascii", COLUMNS="100")


def test_names_that_cannot_be_encoded_are_shown_as_escapes(tmp_path):
    table = planted_table(4000)
    names = ["重症度" if name == "severity" else name for name in table.column_names]
    write_table(table.rename_columns(names), tmp_path / "t.csv")
    asked = ["mine", tmp_path / "t.csv", "--outcome", "ill=yes", "--max-length", "1"]
    assert rb"\u91cd\u75c7\u5ea6=high" in run(asked, PYTHONIOENCODING="ascii")
    as_csv = run([*asked, "--format", "csv"], PYTHONIOENCODING="ascii")
    assert "重症度=high".encode() in as_csv


def test_piped_output_has_no_colours_and_a_fixed_width(patients):
    asked = ["mine", patients, "--outcome", "ill=yes"]
    first = run(asked)
    assert b"\x1b" not in first
    assert max(map(len, first.decode().splitlines())) <= 80
    assert run(asked) == first
    assert max(map(len, run(asked, COLUMNS="60").decode().splitlines())) <= 60


COLOURED = rb"\x1b\[[\d;]*3[1-7]m"


def test_colours_are_for_terminals_that_want_them(patients):
    asked = ["mine", patients, "--outcome", "ill=yes"]
    assert re.search(COLOURED, seen_on_a_terminal(asked))
    without = seen_on_a_terminal(asked, NO_COLOR="1")
    assert b"severity=high" in without
    assert not re.search(COLOURED, without)
    assert b"\x1b" not in seen_on_a_terminal([*asked, "--format", "csv"])


@pytest.mark.parametrize("shown", ["table", "csv", "markdown"])
def test_a_saved_result_is_shown_again_as_it_was(command, request_for, shown):
    _, first, _ = command(*request_for, "--json", "r.json", "--format", shown)
    code, again, err = command("report", "r.json", "--format", shown)
    assert (code, again, err) == (0, first, "")
    if shown == "table":
        assert command("report", "r.json")[1] == first


def test_a_saved_result_becomes_tables(command, request_for, tmp_path):
    command(*request_for, "--json", "r.json", "--csv", "first.csv", "--parquet", "first.parquet")
    code, out, _ = command("report", "r.json", "--csv", "again.csv", "--parquet", "again.parquet")
    assert (code, out) == (0, "")
    for ending in ("csv", "parquet"):
        assert (tmp_path / f"again.{ending}").read_bytes() == (tmp_path / f"first.{ending}").read_bytes()


def test_answers_about_several_outcomes_are_shown_again(command, patients, tmp_path):
    asked = ("mine", patients, "--outcome", "ill=yes", "--outcome", "treatment=new", "--max-length", "1")
    _, first, _ = command(*asked, "--json", "r.json", "--csv", "first.csv")
    assert command("report", "r.json", "--csv", "again.csv", "--format", "table")[1] == first
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()
    assert command("report", "r.json", "--outcome", "ill=yes")[1].count(" for ill=yes among") == 1
    code, _, err = command("report", "r.json", "--html", "page.html")
    assert code == 2
    assert "choose with --outcome: ill=yes, treatment=new" in err
