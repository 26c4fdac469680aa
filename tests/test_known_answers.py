"""Four real tables with answers from elsewhere: what an epidemiologist would look for first."""

import pytest

import causalrules
import datasets

FOLDER = datasets.FOLDER / "known-answers"


def table(name):
    """The path of a table, where it is at hand."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{name}.csv is not in ../shared/data/known-answers")
    return path


def test_a_trial_with_follow_up_time_and_later_measurements():
    result = causalrules.mine(table("actg"), "cens=1", max_length=1)
    assert any(note.startswith("days nearly decides the outcome") for note in result.data.notes)
    assert not any(item.column == "days" for rule in result.causal for item in rule.pattern)
    assert not any("days" in rule.design.held for rule in result.tested)
    # How long patients were treated before decides their stratum; nothing else stands for anything else.
    assert all(set(rule.group) <= {"str2", "strat", "preanti"} for rule in result.tested)


def test_the_randomised_treatment():
    rule = causalrules.test(table("actg"), "cens=1", "treat=1").tested[0].of_the_outcome()
    assert rule.adjusted_odds_ratio.low < 0.52 < rule.adjusted_odds_ratio.high < 1


def test_mortgages():
    rules = {
        rule.name: rule.of_the_outcome()
        for rule in causalrules.mine(table("hdma"), "deny=yes", max_length=1).causal
    }
    for name, regression in (("black=yes", 1 / 0.48), ("pbcr=yes", 1 / 0.29)):
        ratio = rules[name].adjusted_odds_ratio
        assert ratio.low < regression < ratio.high
    insurance = rules["dmi=yes"].adjusted_odds_ratio
    assert 1.3 * insurance.low < insurance.value < insurance.high / 1.3


def test_the_outcome_in_other_words():
    notes = causalrules.mine(table("birthwt"), "low=1", max_length=1).data.notes
    assert any(note.startswith("bwt nearly decides the outcome") for note in notes)
