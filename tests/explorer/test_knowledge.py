"""What the page may say about columns and outcomes, and the command that would do the same."""

import shlex
import sys

import pytest

import causalrules
import known_roles
from causalrules.cli.main import main
from explorer.asking import answered


@pytest.fixture
def question(folder):
    """A question about a table with a drug that is given because of the illness."""
    table = known_roles.drug_after_illness(4000)
    table["bmi"] = [18 + number % 31 / 2 for number in range(len(table))]
    table["a=b, c"] = ["x" if number % 3 else "y & z" for number in range(len(table))]
    table.to_csv(folder / "patients.csv", index=False)
    outcome = {"column": "ill", "value": "yes"}
    return {"file": "folder:patients.csv", "outcome": outcome, "settings": {"max_length": 1}}


def test_roles_decide(client, question):
    question["settings"] |= {"after": ["drug"], "exposures": ["drug", "smoking"]}
    run = answered(client, question)
    assert run["verdicts"] == {"causal": 1, "consequence": 1}


def test_a_threshold_is_an_outcome(client, question):
    question["outcome"] = {"pattern": "bmi>=30"}
    items = client.post("/api/items", json=question).json()
    assert items["outcome"] == {"column": "bmi", "value": ">=30", "pattern": "bmi>=30"}
    assert answered(client, question)["outcome"] == {"pattern": "bmi>=30"}


@pytest.mark.parametrize(
    ("outcome", "settings"),
    [
        ({"pattern": "bmi>=30 & ill"}, {}),
        ({"column": "ill", "value": "yes"}, {"after": ["drug"], "cut": ["bmi=20,25"], "min_support": 0.01}),
        ({"column": "a=b, c", "value": "y & z"}, {"never_adjust": ["drug"], "explain": True}),
        ({"column": "ill", "value": "yes"}, {"drop": ["a=b, c"], "adjust": ["+sex"], "tiers": "sex < ill"}),
    ],
)
def test_the_command_gives_the_answer_of_the_page(
    client, question, folder, tmp_path, monkeypatch, outcome, settings
):
    question |= {"outcome": outcome, "settings": settings}
    command = shlex.split(client.post("/api/items", json=question).json()["command"])
    run = answered(client, question)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", [*command, "--json", str(tmp_path / "result.json"), "-q"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code
    result = causalrules.Result.load(tmp_path / "result.json")
    assert dict(result.n_by_verdict) == run["verdicts"]


def test_mistakes_stand_where_they_belong(client, question):
    question["outcome"] = {"pattern": "bmi>>30"}
    answer = client.post("/api/items", json=question)
    assert answer.status_code == 422
    assert answer.json()["about"] == "outcome"
    assert "not understood at character 5" in answer.json()["error"]


def test_numbers_with_many_values_have_a_histogram(client, question):
    columns = client.post("/api/table", json={"file": question["file"]}).json()["columns"]
    by_name = {column["name"]: column["histogram"] for column in columns}
    assert sum(by_name["bmi"]["records"]) == 4000
    assert (by_name["bmi"]["low"], by_name["bmi"]["high"]) == (18, 33)
    assert by_name["ill"] is None
