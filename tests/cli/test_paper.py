"""``causalrules paper``: the paper's protocol under its own name, with its own defaults."""

import json

import pytest

from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    write_table(planted_table(2000), path)
    return path


def rules_of(run, path, *words):
    code, out, err = run(*words[:-1], path, *words[-1], "--outcome", "ill=yes", "--json", "-", "-q")
    assert code == 0, err
    found = json.loads(out)
    return found["settings"], found["rules"]


@pytest.mark.parametrize("options", [[], ["--controls", "columns"], ["--matching", "jaccard"]])
def test_paper_mine_is_mine_with_the_paper_s_protocol(run, patients, options):
    asked = [*options, "--max-length", "1"]
    assert rules_of(run, patients, "paper", "mine", asked) == rules_of(
        run, patients, "mine", ["--paper", *asked]
    )


def test_paper_test_is_test_with_the_paper_s_protocol(run, patients):
    exposure = ["--exposure", "smoker=yes"]
    assert rules_of(run, patients, "paper", "test", exposure) == rules_of(
        run, patients, "test", ["--paper", *exposure]
    )


def test_what_is_typed_changes_the_protocol(run, patients):
    asked = ["--pairs", "expected", "--judge", "corrected", "--max-length", "1"]
    settings, _ = rules_of(run, patients, "paper", "mine", asked)
    assert (settings["pairs"], settings["judge"], settings["correction"]) == ("expected", "corrected", "bh")
    assert rules_of(run, patients, "paper", "mine", asked) == rules_of(
        run, patients, "mine", ["--controls", "items", "--max-length", "1"]
    )


def test_a_vote_needs_no_more_runs_than_there_are(run, patients):
    code, _, err = run("paper", "mine", patients, "--outcome", "ill=yes", "--runs", "1")
    assert code == 2
    assert "--votes must be at most the number of runs (1)" in err


def test_paper_compare_matching_has_the_paper_s_ways_only(run, patients):
    asked = ["--outcome", "ill=yes", "--exposure", "smoker=yes", "-q"]
    code, out, _ = run("paper", "compare-matching", patients, *asked)
    assert code == 0
    ways = ("exact", "jaccard", "hamming", "euclidean", "mahalanobis", "propensity", "almost-exact")
    assert all(way in out for way in ways)
    assert "default" not in out


def test_what_only_the_default_has_is_no_option_here(run, patients):
    code, _, err = run("paper", "mine", patients, "--outcome", "ill=yes", "--cluster", "smoker")
    assert code == 2
    assert "--cluster" in err
