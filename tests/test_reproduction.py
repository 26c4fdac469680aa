"""What the paper's experiments are made of, and the command that runs them; most take minutes."""

import csv
import re
from pathlib import Path

import pytest

from datasets import folder_of_data
from terminal import run_command

ROOT = Path(__file__).resolve().parents[1]


def test_a_sheet_is_written_for_machines_and_for_people(tmp_path):
    from causalrules_lab.reproduction.sheet import Sheet

    rows = [{"data": "adult", "rules": 3119, "share": 0.123456789}, {"data": "a|b", "rules": 2, "share": 1.0}]
    Sheet(name="s", title="Rules", rows=rows, remarks=("seed 0",)).write(tmp_path, seconds=3)
    with (tmp_path / "s.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["data", "rules", "share"],
            ["adult", "3119", "0.123457"],
            ["a|b", "2", "1.0"],
        ]
    text = (tmp_path / "s.md").read_text()
    assert "| data | rules | share |\n|---|---|---|\n| adult | 3,119 | 0.123 |\n| a\\|b | 2 | 1 |\n" in text
    assert "- seed 0\n- causalrules " in text
    assert "took 3 s." in text


def test_the_papers_f1_are_those_of_its_precision_and_recall():
    """Within the rounding of two digits, but for one cell in which the paper contradicts itself."""
    from causalrules_lab.reproduction import paper_numbers as paper

    odd = set()
    for method in paper.SYNTHETIC:
        for setting, (precision, recall, f1) in paper.measures(method).items():
            expected = 2 * precision * recall / (precision + recall) if precision + recall else 0
            if abs(expected - f1) > 0.015:
                odd.add((method, setting))
    assert odd == {("CR-CS", "V40-2K")}


def test_the_papers_wilcoxon_table_is_the_rank_sum_test_of_its_f1():
    from scipy.stats import mannwhitneyu

    from causalrules_lab.reproduction import paper_numbers as paper

    f1 = {method: [values[2] for values in paper.measures(method).values()] for method in paper.SYNTHETIC}
    for (first, second), printed in paper.WILCOXON.items():
        p = mannwhitneyu(f1[first], f1[second], alternative="greater", method="asymptotic").pvalue
        assert p == pytest.approx(float(printed), rel=0.002, abs=0.0005 if "E" not in printed else 0)


def test_precision_recall_and_f1():
    from causalrules_lab.reproduction.synthetic_causes import measure

    assert measure({"a"}, {"a", "b"}) == (1.0, 0.5, pytest.approx(2 / 3))
    assert measure(set(), {"a"}) == (0.0, 0.0, 0.0)


def test_all_methods_are_measured_against_both_truths():
    from causalrules_lab.reproduction import paper_numbers as paper
    from causalrules_lab.reproduction.synthetic_causes import METHODS, OF_THE_PAPER, TRUTHS, try_all

    trials = try_all("V20-2K", 0)
    assert {(trial.method, trial.truth) for trial in trials} == {(m, t) for m in METHODS for t in TRUTHS}
    assert set(OF_THE_PAPER.values()) <= set(METHODS)
    assert set(OF_THE_PAPER) == set(paper.SYNTHETIC)


def test_combined_causes_on_one_table_each(monkeypatch):
    from causalrules_lab.reproduction import combined_causes
    from causalrules_lab.reproduction import paper_numbers as paper

    monkeypatch.setattr(combined_causes, "N_SEEDS", 1)
    (sheet,) = combined_causes.run(None)
    assert {row["table"] for row in sheet.rows} == set(paper.COMBINED)
    assert all(0 <= row["recovered, mean"] <= row["known"] for row in sheet.rows)


def test_every_result_is_read_in_the_documentation():
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    for table in sorted((ROOT / "experiments" / "results").glob("*.md")):
        if not table.name.startswith("matching"):  # these have their own page
            assert f"results/{table.name}" in text, table.name


def test_the_experiments_are_listed_without_being_run():
    from causalrules_lab.reproduction import EXPERIMENTS

    listed = run_command("reproduce", "--list")
    assert listed.code == 0
    assert [line.split()[0] for line in listed.out.splitlines()[1:] if line[:1] != " "] == list(EXPERIMENTS)


def test_every_experiment_has_its_function():
    from importlib import import_module

    from causalrules_lab.reproduction import EXPERIMENTS

    for experiment in EXPERIMENTS.values():
        module, _, function = experiment.place.partition(":")
        assert callable(getattr(import_module(f"causalrules_lab.reproduction.{module}"), function))


def test_an_unknown_experiment_is_refused(tmp_path):
    said = run_command("reproduce", "stabilty", "--to", tmp_path / "out")
    assert said.code == 2
    assert "there is no experiment 'stabilty'; there are data-summary," in said.err
    assert said.err.rstrip().endswith("Did you mean 'stability'?")
    assert not (tmp_path / "out").exists()


def test_missing_data_is_one_message(tmp_path):
    said = run_command("reproduce", "mushroom-examples", "--from", tmp_path)
    assert said.code == 1
    assert said.out == ""
    assert "causalrules: cannot read" in said.err


def test_a_folder_that_cannot_be_written_is_reported_before_any_work(tmp_path):
    pytest.importorskip("altair")
    (tmp_path / "file").write_text("")
    said = run_command("reproduce", "synthetic-causes", "--to", tmp_path / "file")
    assert said.code == 1
    assert "cannot write" in said.err
    assert "The paper's experiments" not in said.err


def test_one_experiment_to_the_terminal_and_to_files(tmp_path):
    """The paper's four combined rules of Mushroom, all causal where whole columns are held."""
    data = folder_of_data()
    printed = run_command("reproduce", "mushroom-examples", "--from", data)
    assert printed.code == 0
    assert printed.out.startswith("# The paper's combined rules in Mushroom\n\n| rule |")
    held = [line for line in printed.out.splitlines() if "| columns |" in line]
    assert [line.split(" | ")[3] for line in held] == ["causal"] * 4

    pytest.importorskip("altair")
    folder = tmp_path / "new" / "folder"
    written = run_command("reproduce", "mushroom-examples", "--from", data, "--to", folder)
    assert (written.code, written.out) == (0, "")
    assert {path.name for path in folder.iterdir()} == {"mushroom_examples.csv", "mushroom_examples.md"}
    with (folder / "mushroom_examples.csv").open(newline="") as file:
        alone = [row["tested alone"] for row in csv.DictReader(file) if row["protocol"] == "columns"]
    assert alone == ["causal"] * 4


def test_the_numbers_of_adults_rules_are_those_that_were_computed_by_hand():
    """3,119 associations, 2,874 of them not redundant, 47 causal with whole columns."""
    from causalrules_lab.baselines import association_rules, non_redundant_rules
    from causalrules_lab.reproduction.paper_data import load, mined, paper_settings
    from causalrules_lab.reproduction.rule_counts import PROTOCOLS

    adult = load("adult", folder_of_data())
    for find, expected in ((association_rules, 3119), (non_redundant_rules, 2874)):
        found = find(adult.table, adult.outcome, min_odds_ratio=1.5, **paper_settings(adult), max_length=4)
        assert len(found.findings) == expected
    assert len(mined(adult, **PROTOCOLS["columns averaged"], max_length=1).causal) == 47
    kinds = {name: type(mined(adult, **asked, max_length=1)).__name__ for name, asked in PROTOCOLS.items()}
    assert {name for name, kind in kinds.items() if kind == "Result"} == {"default"}


def test_figures_are_drawn_from_the_rows_of_their_tables(tmp_path):
    pytest.importorskip("altair")
    from functools import partial

    from causalrules_lab.reproduction import paper_numbers as paper
    from causalrules_lab.reproduction.charts import f1_chart, time_chart
    from causalrules_lab.reproduction.sheet import Sheet

    f1 = [
        {
            "setting": setting,
            "method": "CCC",
            "F1": 0.5,
            "F1 ±": 0.1,
            "paper: F1": paper.measures("CCC")[setting][2],
        }
        for setting in paper.SETTINGS
    ]
    times = [
        {"records": n, "method": "CR-CS1", "seconds": n / 1e6, "stopped": stopped}
        for n, stopped in ((50_000, "no"), (100_000, "yes"))
    ]
    for name, rows, chart in (
        ("f1", f1, partial(f1_chart, f1, "parents")),
        ("times", times, partial(time_chart, times, "records", 60.0)),
    ):
        Sheet(name=name, title=name, rows=rows, chart=chart).write(tmp_path, seconds=1)
        assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
        assert f"![{name}]({name}.svg)" in (tmp_path / f"{name}.md").read_text(encoding="utf-8")


SMALL = {  # experiment: what makes it small, by the module that has it
    "data-summary": {},
    "rule-counts": {"rule_counts": {"LENGTH": 1}},
    "synthetic-causes": {"synthetic_causes": {"SEEDS": range(2)}},
    "combined-causes": {"combined_causes": {"N_SEEDS": 1}},
    "rules-by-method": {"real_rules": {"LENGTH": 1, "BASELINES": {}}},
    "adult-rules": {},
    "rules-by-length": {"real_rules": {"LENGTH": 1}},
    "mushroom-examples": {},
    "stability": {"stability": {"LENGTH": 1, "N_SEEDS": 2}},
    "matching-methods": {"matching_methods": {"LENGTH": 1}},
    "time-by-records": {"run_times": {"RECORDS": (2_000,), "LIMIT": 2.0}},
    "dense-tables": {"dense_tables": {"LIMIT": 1.0}},
    "time-by-variables": {"run_times": {"WIDE": ("V200-10K",), "LIMIT": 2.0}},
}


@pytest.mark.parametrize("name", SMALL)
def test_every_experiment_runs_through(name, monkeypatch):
    from importlib import import_module

    from causalrules_lab.reproduction import EXPERIMENTS

    assert set(SMALL) == set(EXPERIMENTS)
    for module, sizes in SMALL[name].items():
        for constant, value in sizes.items():
            monkeypatch.setattr(import_module(f"causalrules_lab.reproduction.{module}"), constant, value)
    sheets = EXPERIMENTS[name].run(folder_of_data())
    assert sheets
    for sheet in sheets:
        assert sheet.rows
        assert sheet.title in sheet.text(1)


def test_the_way_from_the_paper_to_the_code_has_every_experiment():
    from causalrules_lab.reproduction import EXPERIMENTS

    page = (
        (ROOT / "docs" / "paper-to-code.md").read_text(encoding="utf-8").partition("## Tables and figures")[2]
    )
    assert set(re.findall(r"\| `([a-z-]+)` \|$", page, re.MULTILINE)) == set(EXPERIMENTS)


def test_results_are_of_this_version():
    """Figures of another version are measured again before they are shown; each says of which day it is."""
    import causalrules

    for table in sorted((ROOT / "experiments" / "results").glob("*.md")):
        text = table.read_text(encoding="utf-8")
        if "- causalrules " in text:
            day = r", \d{4}-\d\d-\d\d" if table.stem != "neighbours" else ""  # which is not the paper's
            assert re.search(rf"- causalrules {causalrules.__version__}, .*{day}; ", text), table.name
