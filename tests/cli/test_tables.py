"""Simulated tables and data sets, as people type it."""

import json

import pyarrow.csv
import pyarrow.parquet
import pytest

from causalrules.simulation import planted_table
from causalrules_lab.simulate import KINDS, PAPER_TABLES, simulate
from datasets import FOLDER, OUTCOMES, require

USAGE, COULD_NOT = 2, 1


def test_the_hospital_of_the_readme(command, tmp_path):
    code, out, err = command("simulate", "hospital", "-o", "p.csv", "--records", "200", "--seed", "4")
    assert (code, err) == (0, "")
    assert out.startswith(
        "200 patients in p.csv. What was planted (outcome: ill=yes):\n  smoker=yes raises it"
    )
    assert pyarrow.csv.read_csv(tmp_path / "p.csv").to_pylist() == planted_table(200, seed=4).to_pylist()


@pytest.mark.parametrize("kind", [*(kind for kind in KINDS if kind != "bif"), "V20-2K", "V8-2K"])
def test_every_kind_writes_its_table_and_its_truth(command, tmp_path, kind):
    arguments = ["--set", "n_records=150", "--seed", "1", "-o", "t.parquet", "--truth", "t.json"]
    code, out, err = command("simulate", kind, *arguments)
    assert (code, err) == (0, "")
    expected = simulate(kind, seed=1, n_records=150)
    assert pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist() == expected.table.to_pylist()
    assert json.loads((tmp_path / "t.json").read_text(encoding="utf-8")) == expected.truth.to_dict()
    assert f"150 {'patients' if kind == 'hospital' else 'records'} in t.parquet" in out
    assert all(line in " ".join(out.split()) for line in expected.truth.in_words())
    assert max(map(len, out.splitlines())) <= 80


def test_a_long_line_of_the_truth_is_wrapped_between_names(command):
    code, out, _ = command(
        "simulate", "confounded", "--set", "n_controls=30", "--records", "50", "-o", "t.csv"
    )
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "controls: c1, c2, c3," in out
    assert out.splitlines()[-1].startswith("    c")


def test_a_network_from_a_file(command, tmp_path):
    (tmp_path / "rain.bif").write_text(
        "network rain { }\n"
        "variable rain { type discrete [ 2 ] { no, yes }; }\n"
        "variable wet { type discrete [ 2 ] { no, yes }; }\n"
        "probability ( rain ) { table 0.8, 0.2; }\n"
        "probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.1, 0.9; }\n"
    )
    arguments = ["--set", "path=rain.bif", "--set", "outcome=wet=yes", "--records", "50", "-o", "t.csv"]
    code, out, err = command("simulate", "bif", *arguments)
    assert (code, err) == (0, "")
    assert "its causes (parents): rain" in out


def test_the_list_names_all_kinds_and_tables(command):
    code, out, _ = command("simulate", "--list")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert all(f"{kind}: " in out for kind in KINDS)
    assert set(PAPER_TABLES) <= set(out.replace(",", " ").split())


MISTAKES = {
    "no kind": ([], USAGE, "say what to simulate: hospital, network"),
    "no file": (["hospital"], USAGE, "causalrules: say where to write it: -o FILE.csv"),
    "unknown kind": (["hospitel", "-o", "t.csv"], USAGE, "it is 'hospitel'. Did you mean 'hospital'?"),
    "no records": (["hospital", "-o", "t.csv", "--records", "0"], USAGE, "n_records must be a whole number"),
    "too many": (["hospital", "-o", "t.csv", "--records", "9" * 30], USAGE, "n_records must be a whole"),
    "seed": (["hospital", "-o", "t.csv", "--seed", "-1"], USAGE, "seed must be a whole number of at least 0"),
    "no equals": (["network", "-o", "t.csv", "--set", "n_nodes"], USAGE, "--set must be written as name="),
    "unknown name": (["network", "-o", "t.csv", "--set", "n_node=3"], USAGE, "no setting 'n_node'. Did you"),
    "no number": (["network", "-o", "t.csv", "--set", "n_nodes=many"], USAGE, "n_nodes must be a whole"),
    "impossible": (["network", "-o", "t.csv", "--set", "n_nodes=3"], USAGE, "n_parents and n_children"),
    "seed set": (["network", "-o", "t.csv", "--set", "seed=3"], USAGE, "the seed has its own option"),
    "bif without a file": (["bif", "-o", "t.csv"], USAGE, "needs path and outcome: --set path=FILE"),
    "spreadsheet": (["network", "-o", "t.xlsx"], USAGE, "t.xlsx: a table ends in .csv or .parquet. Name it"),
    "packed": (["network", "-o", "t.csv.gz"], USAGE, "a table ends in .csv or .parquet"),
    "no folder": (["hospital", "-o", "nowhere/t.csv"], COULD_NOT, "there is no folder"),
    "truth nowhere": (["hospital", "-o", "t.csv", "--truth", "nowhere/t.json"], COULD_NOT, "there is no fo"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_of_simulating(refuse, case):
    arguments, code, problem = MISTAKES[case]
    assert problem in refuse(code, "simulate", *arguments)


def test_the_list_of_data_sets(command):
    code, out, _ = command("datasets", "list")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    for name, outcome in OUTCOMES.items():
        assert f"\n{name} " in out
        assert outcome in out


def test_a_data_set_as_a_table_that_can_be_mined_as_the_paper_did(command, tmp_path):
    require("hypothyroid")
    code, out, err = command("datasets", "get", "hypothyroid", "--from", FOLDER)
    assert (code, err) == (0, "")
    assert out == (
        "3,163 records in hypothyroid.csv. To mine it with the paper's columns:\n"
        "  causalrules mine hypothyroid.csv --outcome class=hypothyroid "
        "--numeric age,TSH,T3,TT4,T4U,FTI,TBG --missing '?'\n"
    )
    assert pyarrow.csv.read_csv(tmp_path / "hypothyroid.csv").num_rows == 3163
    mine = ["mine", "hypothyroid.csv", "--outcome", "class=hypothyroid", "--max-length", "1"]
    _, result, _ = command(*mine, "--numeric", "age,TSH,T3,TT4,T4U,FTI,TBG", "--json", "-")
    assert json.loads(result)["data"]["items"] == 51  # as in the paper


def test_columns_of_codes_are_named_as_categories(command):
    require("census-income")
    code, out, _ = command("datasets", "get", "census-income", "--from", FOLDER, "-o", "c.parquet")
    assert code == 0
    assert "--categorical 'detailed industry recode,detailed occupation recode," in out


def test_a_file_nobody_named_is_not_replaced(refuse, tmp_path):
    (tmp_path / "adult.csv").write_text("mine")
    assert "cannot write adult.csv: it is there already; -o FILE" in refuse(
        COULD_NOT, "datasets", "get", "adult"
    )


DATA_SET_MISTAKES = {
    "unknown name": (["adlut"], USAGE, "there is no such name. Did you mean 'adult'?"),
    "not in the folder": (["adult", "--from", "."], COULD_NOT, "there is no such file. Put adult.data"),
    "spreadsheet": (["adult", "--from", ".", "-o", "a.xlsx"], USAGE, "a table ends in .csv or .parquet"),
    "no folder": (["adult", "--from", ".", "-o", "nowhere/a.csv"], COULD_NOT, "there is no folder"),
}  # fmt: skip


@pytest.mark.parametrize("case", DATA_SET_MISTAKES)
def test_mistakes_of_getting(refuse, case):
    arguments, code, problem = DATA_SET_MISTAKES[case]
    assert problem in refuse(code, "datasets", "get", *arguments)
