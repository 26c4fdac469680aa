"""What the terminal gives to authors."""

import io
import json
import re
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


def test_table1_takes_what_test_takes(command, table):
    """A mean, and the question of a saved result."""
    mean = ("--outcome", "age", "--as", "mean", "--exposure", "drug=yes", "--adjust", "sex,site")
    code, out, err = command("table1", table, *mean)
    assert code == 0, err
    assert "site, n (%)" in out
    command("test", table, *mean, "--json", "mean.json")
    assert command("table1", table, "--settings", "mean.json") == (0, out, err)
    code, _, err = command("table1", table, "--outcome", "ill=yes")
    assert (code, "Missing option '--exposure'" in err) == (2, True)


def test_every_setting_of_test_is_one_of_table1():
    from causalrules.cli.main import app

    names = [{one.name for one in app.commands[name].params} for name in ("test", "table1")]
    files = {"matched", "json", "csv", "plain_csv", "parquet", "html", "docx", "xlsx", "tex", "format"}
    of_plain = {"method", "reference", "against", "everything"}
    assert names[0] - names[1] == files | of_plain


def test_table1_refuses_before_it_works(refuse, table):
    assert ".docx, .xlsx, .tex, .md or .html" in refuse(2, "table1", table, *ASKED, "-o", "table.pdf")
    assert "--numbers" in refuse(2, "table1", table, *ASKED, "--numbers", "mode")
    assert "'agee'" in refuse(2, "table1", table, *ASKED, "--describe", "agee")


def test_the_flow_is_a_kind_of_picture(command, table):
    assert command("test", table, *ASKED, "--json", "result.json")[0] == 0
    code, out, err = command("plot", "result.json", "flow", "-o", "flow.svg")
    assert (code, out) == (0, ""), err
    assert "without partners" in Path("flow.svg").read_text()


def test_documents_of_a_test_hold_table1(command, table):
    files = [f"paper.{ending}" for ending in ("docx", "xlsx", "tex")]
    code, _, err = command("test", table, *ASKED, "--docx", files[0], "--xlsx", files[1], "--tex", files[2])
    assert code == 0, err
    latex = Path("paper.tex").read_text()
    assert "age, mean (SD)" in latex
    assert all(Path(name).stat().st_size > 3000 for name in files)


def test_documents_of_mining_and_of_a_saved_result(command, table):
    code, _, err = command(
        "mine", table, "--outcome", "ill=yes", "--json", "r.json", "--tex", "a.tex", "--docx", "a.docx"
    )
    assert code == 0, err
    written = ("--tex", "b.tex", "--xlsx", "b.xlsx", "-o", "b.html")
    assert command("report", "r.json", *written, "--table", table)[0] == 0
    assert Path("a.tex").read_text() == Path("b.tex").read_text()
    assert r"\caption{Characteristics of records" in Path("a.tex").read_text()
    assert command("report", "r.json", *written)[0] == 0
    assert "Characteristics of records" not in Path("b.tex").read_text()
    code, out, _ = command("methods", "r.json")
    assert code == 0
    assert out.startswith("METHODS\n")
    assert command("methods", "r.json", "-o", "methods.docx")[0] == 0


def test_mistakes_about_documents_are_told_before_the_work(refuse, table, tmp_path):
    assert "--docx ends in .docx" in refuse(2, "mine", table, "--outcome", "ill=yes", "--docx", "x.pdf")
    assert "there is no such file" in refuse(2, "methods", "none.json")
    (tmp_path / "r.json").write_text("{}")
    assert "a text ends in" in refuse(2, "methods", "r.json", "-o", "x.xlsx")


def described_rules(page):
    """How many rules of a written page have Table 1."""
    (text,) = re.findall(
        r'<script type="application/json" id="result">(.*?)</script>', page.read_text(), re.DOTALL
    )
    return sum("table_one" in rule for rule in json.loads(text)["rules"])


def test_a_page_has_table_one_where_the_records_are_at_hand(command, table):
    command("mine", table, "--outcome", "ill=yes", "--html", "mined.html", "--json", "mined.json")
    n_causal = sum(
        rule["verdict"] == "causal" for rule in json.loads(Path("mined.json").read_text())["rules"]
    )
    assert described_rules(Path("mined.html")) == n_causal > 0
    command("report", "mined.json", "--output", "without.html")
    assert described_rules(Path("without.html")) == 0
    code, _, err = command("report", "mined.json", "--table", table, "--output", "again.html")
    assert code == 0, err
    assert described_rules(Path("again.html")) == n_causal
    command("mine", table, "--outcome", "ill=yes", "--html", "streamed.html", "--engine", "streaming")
    assert described_rules(Path("streamed.html")) == 0


def test_another_table_is_refused_and_no_page_is_left_behind(command, table, tmp_path):
    command("mine", table, "--outcome", "ill=yes", "--json", "mined.json")
    patients(400).to_csv(tmp_path / "others.csv", index=False)
    code, _, err = command(
        "report", "mined.json", "--table", tmp_path / "others.csv", "--output", "page.html"
    )
    assert code == 1
    assert "is not the one that" in err
    assert not Path("page.html").exists()


def test_a_file_that_was_there_is_said_to_be_replaced_and_to_lack_table_one(command, table):
    code, _, err = command("test", table, *ASKED, "--json", "r.json", "--docx", "r.docx")
    assert code == 0
    assert "r.docx" not in err
    code, _, err = command("report", "r.json", "--docx", "r.docx", "--tex", "r.tex")
    assert code == 0
    said = " ".join(err.split())
    assert "r.docx was there already and is replaced." in said
    assert "r.tex was" not in said
    assert "There is no Table 1 in it, which needs the records: --table SOURCE adds it." in said
    code, _, err = command("report", "r.json", "--docx", "new.docx", "--table", table)
    assert (code, err) == (0, "")
    code, _, err = command("test", table, *ASKED, "--docx", "new.docx", "--quiet")
    assert (code, err) == (0, "")
    code, _, err = command("test", table, *ASKED, "--docx", "new.docx")
    assert "new.docx was there already and is replaced." in err
    for name in ("methods", "table1"):
        asked = ("methods", "r.json") if name == "methods" else ("table1", table, *ASKED)
        assert "already" not in command(*asked, "-o", f"{name}.docx")[2]
        assert f"{name}.docx was there already and is replaced." in command(*asked, "-o", f"{name}.docx")[2]
