"""Roles of columns from the terminal."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import causalrules
import known_roles
from causalrules.cli.typed_settings import split_list
from causalrules.domain.setting_fields import typed_option
from causalrules.report.words.provenance import describe_run


@pytest.fixture
def table(tmp_path):
    known_roles.drug_after_illness().to_csv(tmp_path / "patients.csv", index=False)
    return "patients.csv"


def test_what_was_said_decides_and_is_told(command, table):
    code, out, _ = command("mine", table, "--outcome", "ill=yes", "--after", "drug", "--json", "result.json")
    assert code == 0
    assert "You said: after drug: never a cause: listed as a consequence" in " ".join(out.split())
    code, out, _ = command("mine", table, "--outcome", "ill=yes", "--after", "drug", "--json", "-", "-q")
    rules = {rule["pattern"][0]["column"]: rule for rule in json.loads(out)["rules"]}
    assert rules["drug"]["verdict"] == "consequence"
    assert rules["smoking"]["verdict"] == "causal"


def test_every_role_is_an_option(command, table):
    code, _, err = command(
        *("mine", table, "--outcome", "ill=yes", "--exposures", "smoking,drug", "--never-adjust", "sex"),
        *("--before", "smoking", "--tiers", "sex < smoking < drug", "--require", "smoking -> ill"),
        *("--forbid", "sex -> drug", "-q"),
    )
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--before", "drug", "--after", "drug"),
            "'before drug' and 'after drug' contradict each other: drug would come both before and after",
        ),
        (("--after", "drugs"), "--after column 'drugs' is not among the table's 4 columns."),
        (("--tiers", "drug"), "--tiers must be columns in the order of time"),
        (("--require", "drug"), "--require must be arrows between two columns"),
        (("--require", "sex -> ill", "--controls", "items"), "--require belongs to studies of whole columns"),
    ],
)
def test_every_mistake_is_one_sentence(refuse, table, options, message):
    assert message in refuse(2, "mine", table, "--outcome", "ill=yes", *options)


ODD = ["age, years", '"q" name', "a & b", "c<d", "back\\slash", "->", "plain"]


def odd_table(path, n=600):
    chance = np.random.default_rng(3)
    table = pd.DataFrame({name: chance.choice(["yes", "no"], n) for name in ODD})
    table["bmi"] = chance.normal(26, 4, n).round(1)
    table["ill"] = np.where(chance.random(n) < 0.3 + 0.3 * (table["plain"] == "yes"), "yes", "no")
    table.to_csv(path, index=False)
    return path


def test_the_command_that_a_report_shows_asks_the_same(command, tmp_path):
    """With every role at once, and names that hold every sign."""
    result = causalrules.mine(
        odd_table(tmp_path / "odd.csv"),
        "ill=yes",
        exposures=["plain", "a & b", "bmi"],
        before=["age, years", '"q" name'],
        after=["c<d"],
        never_adjust=["back\\slash"],
        tiers=[["age, years"], ["a & b"]],
        require=["plain -> ill"],
        forbid=['"c<d" -> "a & b"', '"->" -> plain'],
        adjust=["+bmi>=30"],
        cut=["bmi=18.5,25,30"],
    )
    program, *words = shlex.split(describe_run(result)["repeat"]["command"])
    assert program == "causalrules"
    code, _, err = command(*words, "--json", "again.json", "-q")
    assert code == 0, err
    again = causalrules.Result.load("again.json")
    assert (again.settings, again.tested) == (result.settings, result.tested)


def test_names_stand_in_quotes_where_they_must(command, tmp_path):
    odd_table(tmp_path / "odd.csv")
    names = '"age, years","a & b",plain,"""q"" name"'
    code, out, err = command("mine", "odd.csv", "--outcome", "ill", "--exposures", names, "--json", "-", "-q")
    assert code == 0, err
    assert json.loads(out)["settings"]["exposures"] == ["age, years", "a & b", "plain", '"q" name']


@given(st.lists(st.text(st.characters(exclude_categories=["C"]), min_size=1), min_size=1, max_size=4))
@settings(max_examples=300)
def test_lists_of_any_names_are_read_as_they_are_shown(names):
    names = [name.strip() for name in names if name.strip()]
    _, *shown = typed_option("drop", names)
    assert [name for text in shown for name in split_list(text)] == names
