"""Association, non-redundant and optimal rules against plain enumeration, and the known numbers of Adult."""

from functools import partial

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import naive_baselines as naive
from causalrules.domain import Item
from causalrules.errors import SettingsError
from causalrules_lab.baselines import association_rules, non_redundant_rules, optimal_rules
from datasets import require
from strategies import arrow_of, columns_of, record_lists

METHODS = {
    "association": association_rules,
    "non-redundant": non_redundant_rules,
    "optimal": optimal_rules,
    "optimal by confidence": partial(optimal_rules, strength="confidence"),
}


def items_of(rows):
    return [
        (column, value)
        for column in columns_of(rows)
        for value in sorted({row[column] for row in rows} - {None})
    ]


@pytest.mark.parametrize("kind", METHODS)
@settings(max_examples=40)
@given(
    rows=record_lists(),
    min_support=st.sampled_from([0.0, 0.1, 0.3]),
    min_odds_ratio=st.sampled_from([None, 1.0, 1.5]),
    max_length=st.integers(1, 4),
)
def test_rules_are_those_of_the_oracle(kind, rows, min_support, min_odds_ratio, max_length):
    choices = {"min_support": min_support, "min_odds_ratio": min_odds_ratio, "max_length": max_length}
    found = METHODS[kind](
        arrow_of(rows), "z=yes", categorical=columns_of(rows), confidence=0.8, **choices
    ).findings
    for direction, wanted in {"raises": True, "lowers": False}.items():
        mine = {
            tuple((item.column, item.value) for item in finding.pattern)
            for finding in found
            if finding.direction == direction
        }
        assert mine == naive.rules(rows, items_of(rows), wanted=wanted, confidence=0.8, kind=kind, **choices)


@pytest.mark.parametrize(("kind", "n_rules"), [("association", 3119), ("non-redundant", 2874)])
def test_the_known_numbers_of_adult(kind, n_rules):
    adult = require("adult")
    table = adult.arrow([*adult.nominal, adult.outcome_column])
    found = METHODS[kind](table, adult.outcome, min_support=0.01, max_length=4, min_odds_ratio=1.5)
    assert len(found.findings) == n_rules


def test_associations_of_adult_by_interval():
    adult = require("adult")
    table = adult.arrow([*adult.nominal, adult.outcome_column])
    found = association_rules(table, adult.outcome, min_support=0.01, max_length=1).findings
    directions = [finding.direction for finding in found]
    assert (directions.count("raises"), directions.count("lowers")) == (21, 29)


def test_optimal_rules_are_non_redundant_and_these_associations():
    adult = require("adult")
    table = adult.arrow([*adult.nominal, adult.outcome_column])
    methods = (association_rules, non_redundant_rules, optimal_rules)
    found = [method(table, adult.outcome, max_length=3).findings for method in methods]
    every, new, best = ({(rule.pattern, rule.direction) for rule in rules} for rules in found)
    assert best < new < every


def test_an_unknown_strength_is_refused():
    rows = [{"a": "p", "z": True}, {"a": "q", "z": False}]
    with pytest.raises(SettingsError, match="strength must be one of 'odds_ratio', 'confidence'"):
        optimal_rules(arrow_of(rows), "z=yes", strength="lift")


def test_a_finding_says_all_about_itself():
    rows = [{"a": "p", "z": True}] * 30 + [{"a": "q", "z": False}] * 30 + [{"a": "p", "z": False}] * 10
    found = association_rules(arrow_of(rows), "z=yes", direction="raises")
    assert found.rules.to_dict("records")[0]["rule"] == "a=p"
    entry = found.to_dict()["findings"][0]
    assert entry["pattern"] == [{"column": "a", "value": "p"}]
    assert (entry["verdict"], entry["support"], entry["odds_ratio"]) == ("association", 30, 30 * 30 / 10)
    assert found.findings[0].pattern == (Item("a", "p"),)
    assert found.causal == ()
    assert set(found.timings) == {"open", "find", "total"}


def test_a_budget_stops_the_enumeration_and_says_so():
    adult = require("adult")
    table = adult.arrow([*adult.nominal, adult.outcome_column])
    found = association_rules(table, adult.outcome, max_length=4, max_tests=150)
    assert found.stopped == "it needs more than 150 tests"
    assert {len(finding.pattern) for finding in found.findings} == {1}
