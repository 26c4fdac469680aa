"""Roles of columns from the terminal."""

import json

import pytest

import known_roles


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
