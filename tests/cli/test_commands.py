"""The commands as people type them."""

import json
import os
import subprocess
import sys

import pyarrow.csv
import pyarrow.parquet
import pytest

import causalrules
from causalrules.domain.file_layout import columns_of
from causalrules.report.table_files import write_table
from causalrules.report.words.answer_words import answer_line
from causalrules.simulation import planted_table
from terminal import seen_on_a_terminal


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    write_table(planted_table(4000), path)
    return path


RULE_NAMES = [
    *["pattern", "direction", "length", "verdict", "support", "local_support"],
    *["odds_ratio", "odds_ratio_low", "odds_ratio_high", "controls", "exposed", "unexposed", "pairs"],
    *["n11", "n12", "n21", "n22", "fair_odds_ratio", "fair_low", "fair_high"],
    *["p_value", "q_value", "test", "risk_difference", "risk_difference_low", "risk_difference_high"],
    *["risk_ratio", "gamma", "e_value", "heterogeneity_p", "stability", "balance", "explanation"],
]


@pytest.mark.parametrize("controls", ["items", "auto"])
def test_json_has_every_promised_name(patients, run, tmp_path, controls):
    asked = ["--controls", controls, "--json", tmp_path / "r.json"]
    code, _, _ = run("mine", patients, "--outcome", "ill=yes", *asked)
    assert code == 0
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["schema"] == ("causalrules/2" if controls == "auto" else "causalrules-paper/1")
    names = {"schema", "version", "created", "settings", "seed", "data", "timings", "rules", "counts"}
    assert names <= set(result)
    data = {"source", "rows", "rows_without_outcome", "columns", "items", "outcome"}
    assert data <= set(result["data"])
    assert set(result["data"]["outcome"]) == {
        "column",
        "value",
        "with",
        "without",
        "written",
        "mean",
        "spread",
        "weighted_mean",
        "weighted_spread",
    }
    assert {"read", "encode", "mine", "cohort", "assess", "total"} <= set(result["timings"])
    for rule in result["rules"]:
        assert set(RULE_NAMES) <= set(rule)
    counts = {"candidates", "frequent", "associations", "causal", "rejected", "untestable"}
    counts |= {"possible", "consequence"} if controls == "auto" else set()
    assert set(result["counts"]["by_length"]) == {"1", "2"}
    assert all(set(level) == counts for level in result["counts"]["by_length"].values())
    assert result["settings"]["correction"] == "bh"
    tested = sum(level["associations"] for level in result["counts"]["by_length"].values())
    assert tested == len(result["rules"])


def test_json_to_standard_output_is_nothing_but_json(patients, run):
    code, out, _ = run("mine", patients, "--outcome", "ill=yes", "--json", "-")
    assert code == 0
    assert json.loads(out)["schema"] == "causalrules/2"


def test_csv_and_parquet_hold_the_same_rules(patients, run, tmp_path):
    files = ["--csv", tmp_path / "r.csv", "--parquet", tmp_path / "r.parquet", "--json", tmp_path / "r.json"]
    run("mine", patients, "--outcome", "ill=yes", *files)
    csv, parquet = (
        pyarrow.csv.read_csv(tmp_path / "r.csv"),
        pyarrow.parquet.read_table(tmp_path / "r.parquet"),
    )
    rules = causalrules.Result.load(tmp_path / "r.json").tested
    assert csv.column_names == parquet.column_names == [one.name for one in columns_of(causalrules.Rule)]
    assert csv["rule"].to_pylist() == parquet["rule"].to_pylist() == [rule.name for rule in rules]
    assert parquet["n12"].to_pylist() == [rule.of_the_outcome().pairs.n12 for rule in rules]
    assert sorted(os.listdir(tmp_path)) == ["r.csv", "r.json", "r.parquet"]


def test_two_runs_differ_in_nothing_but_time(patients, run, tmp_path):
    for name, threads in (("a", 1), ("b", 2)):
        arguments = ["--paper", "--threads", threads, "--json", tmp_path / f"{name}.json"]
        run("mine", patients, "--outcome", "ill=yes", *arguments)
    first, second = (json.loads((tmp_path / f"{name}.json").read_text()) for name in "ab")
    assert first["rules"] == second["rules"]
    assert first["counts"] == second["counts"]
    assert first["settings"]["pairs"] == "random"
    assert first["settings"]["correction"] == "none"


def test_rules_are_judged_by_intervals_on_request_only(patients, run):
    asked = ["mine", patients, "--outcome", "ill=yes", "--controls", "items", "--json", "-"]
    _, by_default, _ = run(*asked, "--confidence", "0.95")
    _, by_interval, _ = run(*asked, "--judge", "interval")
    settings = json.loads(by_default)["settings"]
    assert (settings["judge"], settings["correction"]) == ("corrected", "bh")
    settings = json.loads(by_interval)["settings"]
    assert (settings["judge"], settings["correction"]) == ("interval", "none")
    for rule in json.loads(by_interval)["rules"]:
        excludes_one = rule["fair_low"] > 1 if rule["direction"] == "raises" else rule["fair_high"] < 1
        assert (rule["verdict"] == "causal") == excludes_one


def test_the_table_fits_eighty_columns_and_names_what_was_left_out(patients, run):
    code, out, err = run("mine", patients, "--outcome", "ill=yes", "--drop", "noise_1", "--max-length", "1")
    assert code == 0
    assert err == ""
    assert max(map(len, out.splitlines())) <= 80
    assert "noise_1 (dropped on request)" in " ".join(out.split())
    assert "severity=high" in out


def test_standard_input(patients):
    done = subprocess.run(
        [sys.executable, "-m", "causalrules", "mine", "-", "--outcome", "ill=yes", "--json", "-"],
        input=patients.read_bytes(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["data"]["source"] == "standard input"


def test_one_hypothesis_with_explanation(patients, run):
    asked = ["--exposure", "treatment=new", "--controls", "items", "--explain"]
    code, out, _ = run("test", patients, "--outcome", "ill=yes", *asked)
    assert code == 0
    assert out.startswith("treatment=new: rejected")
    assert "+ severity=" in out


def test_a_saved_result_says_what_its_text_said(patients, run, tmp_path):
    _, out, _ = run("mine", patients, "--outcome", "ill=yes", "--json", tmp_path / "r.json")
    assert answer_line(causalrules.Result.load(tmp_path / "r.json")) in " ".join(out.split())


def test_a_page_from_a_saved_result(patients, run, tmp_path):
    run(
        "mine", patients, "--outcome", "ill=yes", "--json", tmp_path / "r.json", "--html", tmp_path / "a.html"
    )
    code, _, _ = run("report", tmp_path / "r.json", "--table", patients, "-o", tmp_path / "b.html")
    assert code == 0
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text()


def test_a_page_from_something_else_is_refused(run, tmp_path):
    (tmp_path / "other.json").write_text('{"schema": "something/9"}')
    code, _, err = run("report", tmp_path / "other.json", "-o", tmp_path / "page.html")
    assert code == 1
    assert "is not a causalrules result: its schema is 'something/9'" in err
    assert not (tmp_path / "page.html").exists()


def test_version(run):
    assert run("--version")[1] == f"causalrules {causalrules.__version__}\n"


def test_a_closed_pipe_is_no_traceback(patients):
    command = f"{sys.executable} -m causalrules mine {patients} --outcome ill=yes --json - | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "code", "problem"),
    [
        ("patients.csv", 1, "patients.csv is not a saved result (not JSON); give what mine or test"),
        ("image.png", 1, "image.png is not a saved result (not JSON)"),
        ("reslt.json", 2, "cannot read reslt.json: there is no such file. Did you mean 'result.json'?"),
        ("nowhere/r.json", 2, "cannot read nowhere/r.json: there is no such file. Check the path."),
        (".", 1, "cannot read the result .: Is a directory. Name a file"),
    ],
)
def test_a_report_of_something_else(refuse, tmp_path, name, code, problem):
    (tmp_path / "patients.csv").write_text("a,b\n1,2\n")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\xff")
    (tmp_path / "result.json").write_text("{}")
    assert problem in refuse(code, "report", name, "-o", "r.html")


@pytest.mark.parametrize(
    ("controls", "moment"), [("items", "progress.length == 2"), ("auto", "progress.tested == 2")]
)
def test_ctrl_c_writes_what_was_finished(tmp_path, controls, moment):
    """A long run is interrupted in the middle; the files hold the rules tested so far."""
    table = tmp_path / "wide.csv"
    write_table(planted_table(30_000), table)
    result = tmp_path / "r.json"
    program = (
        "import os, signal, sys\n"
        "import causalrules.cli.progress_bar as progress_bar\n"
        "def interrupt(progress):\n"
        f"    if {moment}: os.kill(os.getpid(), signal.SIGINT)\n"
        "progress_bar.ignore_progress = interrupt\n"
        "from causalrules.cli import main\n"
        "main()\n"
    )
    command = ["mine", str(table), "--outcome", "ill=yes", "--controls", controls, "--json", str(result)]
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert "Interrupted" in done.stderr
    written = json.loads(result.read_text())
    assert written["interrupted"]
    assert written["rules"]
    assert sorted(os.listdir(tmp_path)) == ["r.json", "wide.csv"]


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("causalrules.cli.run.job_for", ["test", "t.csv", "--outcome", "a=b", "--exposure", "c=d"]),
        (
            "causalrules.cli.run.job_for",
            ["compare-matching", "t.csv", "--outcome", "a=b", "--exposure", "c=d"],
        ),
        ("causalrules.cli.run.job_for", ["mine", "t.csv", "--outcome", "a=b"]),
        (
            "causalrules_lab.cli.compare.code_table",
            ["compare", "t.csv", "--outcome", "a=b", "--csv", "c.csv"],
        ),
        ("causalrules.cli.make_tables.simulate", ["simulate", "hospital", "-o", "t.csv"]),
        ("causalrules_lab.datasets.get", ["datasets", "get", "adult"]),
    ],
)
def test_ctrl_c_is_one_sentence_where_nothing_is_kept(refuse, monkeypatch, place, arguments):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    assert refuse(130, *arguments) == "causalrules: interrupted; nothing was written.\n"


@pytest.mark.parametrize(
    ("controls", "shown"), [("items", b"lowers, length 2"), ("auto", b"raises or lowers, length 1")]
)
def test_progress_is_shown_on_a_terminal(patients, tmp_path, controls, shown):
    """A pseudo-terminal on standard error sees the bar; standard output stays data."""
    asked = ["mine", patients, "--outcome", "ill=yes", "--controls", controls, "--json", "-"]
    with (tmp_path / "out.json").open("wb") as out:
        seen = seen_on_a_terminal(asked, "stderr", out, COLUMNS="100")
    assert shown in seen
    assert b"rules tested" in seen
    schema = "causalrules-paper/1" if controls == "items" else "causalrules/2"
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == schema
