"""Methods side by side, as people type it."""

import json
from pathlib import Path

import pyarrow.csv
import pytest

from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table
from causalrules_lab.baselines.comparison import METHODS, USUAL_METHODS
from causalrules_lab.baselines.findings import Findings

USAGE, COULD_NOT = 2, 1
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    write_table(planted_table(4000), path)
    return path


def test_a_table_of_eighty_columns_shows_all_methods(command, patients):
    code, out, err = command("compare", patients, "--outcome", "ill=yes", "--controls", "items")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    heading = next(line for line in out.splitlines() if line.startswith("rule"))
    assert " ".join(heading.split()) == "rule cr-cs assoc nonred optim ccc ccu pc hiton agree"
    line = next(line for line in out.splitlines() if line.startswith("severity=low"))
    assert set(line.split()[1:-1]) == {"↓"}
    assert int(line.split()[-1]) >= 3
    for method in ("cr-cs", *USUAL_METHODS):
        assert f"\n{method} " in out
    assert "drug_a=yes & drug_b=yes" in out


def test_methods_of_the_same_authors_run_where_they_are_named(command, patients):
    asked = ["--controls", "items", "--methods", "cr-pa,cdt,ml"]
    code, out, err = command("compare", patients, "--outcome", "ill=yes", *asked)
    assert (code, err) == (0, "")
    heading = next(line for line in out.splitlines() if line.startswith("rule"))
    assert heading.split() == ["rule", "cr-cs", "cr-pa", "cdt", "ml", "agree"]
    assert "Only cr-cs and cr-pa and ml know combined causes." in " ".join(out.split())


def test_long_names_still_fit(command, tmp_path):
    table = planted_table(2000)
    long = table.rename_columns(
        [f"{name} as written in the {'long ' * 20}form" for name in table.column_names]
    )
    write_table(long, tmp_path / "t.csv")
    code, out, _ = command(
        "compare", "t.csv", "--outcome", f"{long.column_names[-1]}=yes", "--methods", "ccc"
    )
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


def test_json_and_csv_hold_the_comparison(command, patients, tmp_path):
    files = ["--json", "c.json", "--csv", "c.csv"]
    code, _, _ = command("compare", patients, "--outcome", "ill=yes", "--methods", "ccc,pc-select", *files)
    assert code == 0
    saved = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert saved["schema"] == "causalrules/comparison/1"
    assert list(saved["methods"]) == ["default", "ccc", "pc-select"]
    assert saved["data"]["rows"] == 4000
    assert saved["settings"]["min_support"] == 0.05
    rows = pyarrow.csv.read_csv(tmp_path / "c.csv")
    assert rows.column_names == ["rule", "length", "default", "ccc", "pc-select", "n_agreeing"]
    assert rows.num_rows == len(saved["causes"])


def test_json_to_standard_output_is_nothing_but_json(command, patients):
    code, out, _ = command(
        "compare", patients, "--outcome", "ill=yes", "--methods", "default,ccu", "--json", "-"
    )
    assert code == 0
    assert list(json.loads(out)["methods"]) == ["default", "ccu"]


def test_settings_reach_the_search(command, patients):
    _, out, _ = command("compare", patients, "--outcome", "ill=yes", "--methods", "ccc", "--max-length", "1")
    assert "drug_a=yes & drug_b=yes" not in out
    assert "severity=" in out
    options = ["--methods", "ccc", "--paper", "--min-support", "0.1", "--only", "severity", "--json", "-"]
    _, out, _ = command("compare", patients, "--outcome", "ill=yes", *options)
    settings = json.loads(out)["settings"]
    assert (settings["pairs"], settings["min_support"]) == ("random", 0.1)


def test_how_a_table_is_written_is_heeded(command, patients, tmp_path):
    """Titles above the names were taken for the names."""
    titled = tmp_path / "titled.csv"
    titled.write_text("Ward 7\n" + patients.read_text())
    asked = ["--outcome", "ill=yes", "--methods", "association", "--json", "-"]
    code, out, _ = command("compare", titled, "--skip-rows", "1", *asked)
    assert code == 0
    assert json.loads(out)["causes"] == json.loads(command("compare", patients, *asked)[1])["causes"]


def test_a_method_over_its_budget_is_named_with_the_reason(command, patients):
    code, out, _ = command(
        "compare", patients, "--outcome", "ill=yes", "--methods", "pc-select", "--max-seconds", "1e-9"
    )
    assert code == 0
    assert out.count("stopped: it needs more than 1e-09 seconds") == 2
    assert "? the method was stopped before it could tell" in out


def test_a_method_that_could_not_tell_is_marked_and_not_counted(monkeypatch, command, patients):
    def stopped(*_):
        return Findings(method="pc-select", findings=(), n_tests=0, stopped="it needs more")

    monkeypatch.setitem(METHODS, "pc-select", stopped)
    asked = ["--outcome", "ill=yes", "--controls", "items", "--methods", "pc"]
    _, out, _ = command("compare", patients, *asked)
    line = next(line for line in out.splitlines() if line.startswith("severity=low"))
    assert line.split()[1:] == ["↓", "?", "1"]
    line = next(line for line in out.splitlines() if line.startswith("drug_a=yes & drug_b=yes"))
    assert "?" not in line


def test_methods_may_be_named_as_the_table_heads_them(command, patients):
    _, out, _ = command(
        "compare", patients, "--outcome", "ill=yes", "--methods", "cr-cs,assoc,pc,hiton", "--json", "-"
    )
    assert list(json.loads(out)["methods"]) == ["default", "association", "pc-select", "hiton-pc"]


def test_a_long_table_is_cut_and_says_so(monkeypatch, command, patients, tmp_path):
    monkeypatch.setattr("causalrules_lab.cli.comparison_table.MOST_CAUSES_SHOWN", 3)
    options = ["--outcome", "ill=yes", "--methods", "ccc", "--csv", "c.csv"]
    _, out, _ = command("compare", patients, *options)
    n_all = pyarrow.csv.read_csv(tmp_path / "c.csv").num_rows
    lines = [line.strip() for line in out.splitlines()]
    assert n_all > 3
    assert lines.index(f"… and {n_all - 3} more in --csv FILE") == 3 + next(
        number for number, line in enumerate(lines, 1) if line.startswith("rule")
    )


def test_long_names_fold_between_words(command, tmp_path):
    table = planted_table(2000)
    names = [f"marital-status-of-{name}" for name in table.column_names]
    write_table(table.rename_columns(names), tmp_path / "t.csv")
    _, out, _ = command("compare", "t.csv", "--outcome", f"{names[-1]}=yes", "--controls", "items")
    lines = out.splitlines()
    folded = next(number for number, line in enumerate(lines) if "exercise= " in line)
    assert lines[folded].startswith("marital-status-of-exercise= ")
    assert lines[folded + 1].strip() == "rarely"


def test_nothing_found_is_said(command, tmp_path):
    (tmp_path / "t.csv").write_text("a,ill\n" + "x,yes\ny,no\nx,no\ny,yes\n" * 20)
    code, out, _ = command("compare", "t.csv", "--outcome", "ill=yes")
    assert code == 0
    assert out.startswith("0 patterns that some method calls a cause of ill=yes")


MISTAKES = {
    "unknown method": (["--methods", "pc-selct"], USAGE, "it is 'pc-selct'. Did you mean 'pc-select'?"),
    "no time": (["--max-seconds", "0"], USAGE, "--max-seconds must be above 0; it is 0.0"),
    "two outcomes": (["--outcome", "il=yes"], USAGE, "--outcome must be given once here"),
    "support": (["--min-support", "2"], USAGE, "--min-support must be at least 0 and below 1"),
    "no folder": (["--csv", "nowhere/c.csv"], COULD_NOT, "there is no folder"),
    "no folder for JSON": (["--json", "nowhere/c.json"], COULD_NOT, "there is no folder"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(refuse, patients, case):
    options, code, problem = MISTAKES[case]
    assert problem in refuse(code, "compare", patients, "--outcome", "ill=yes", *options)


def test_an_unknown_outcome_is_named(refuse, patients):
    assert "Did you mean 'ill'?" in refuse(USAGE, "compare", patients, "--outcome", "il=yes")


def test_a_missing_file(refuse):
    assert "there is no such file" in refuse(USAGE, "compare", "none.csv", "--outcome", "a=b")


def test_the_example_in_the_documentation_is_what_is_printed(command):
    text = (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8")
    example = text.split("--outcome ill=yes --controls items\n", 1)[1].split("\n…", 1)[0]
    command("simulate", "hospital", "-o", "patients.csv")
    _, out, _ = command("compare", "patients.csv", "--outcome", "ill=yes", "--controls", "items")
    printed = [line.rstrip() for line in out.splitlines()]
    assert printed[: len(example.splitlines())] == [line.rstrip() for line in example.splitlines()]
