"""What nearly is the outcome may be an earlier measurement of it: a rule that hangs on it asks which."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


@pytest.fixture(scope="module")
def diet():
    """Heavy people choose the diet, which does nothing; who was heavy before is heavy afterwards."""
    rng = np.random.default_rng(3)
    n = 2000
    before = rng.normal(size=n)
    chosen = rng.random(n) < 1 / (1 + np.exp(1.1 - before))
    after = 10 * before + 3.3 * rng.normal(size=n)
    return pa.table(
        {
            "diet": np.where(chosen, "yes", "no"),
            "weight_before": (100 + 10 * before).round(1),
            "weight": (100 + after).round(1),
        }
    )


def studied(table, **said):
    return causalrules.test(table, "weight", "diet=yes", outcome_as="mean", **said)


def test_the_rule_is_fragile_and_asks_what_came_first(diet):
    """It was causal with strong evidence, 'adjusted for nothing: no other column was found to confound'."""
    result = studied(diet)
    (rule,) = result.tested
    assert rule.grade == "fragile"
    assert rule.reason.startswith("not adjusted for weight_before, which nearly decides the outcome")
    assert any("--before weight_before" in note for note in result.data.notes)


def test_said_to_come_before_it_is_adjusted_for(diet):
    (rule,) = studied(diet, before="weight_before").tested
    assert rule.design.held == ("weight_before",)
    assert rule.verdict == "rejected"
    assert abs(rule.mean.difference.value) < 1


def test_said_to_come_after_nothing_is_asked(diet):
    for said in ({"after": "weight_before"}, {"never_adjust": "weight_before"}, {"drop": "weight_before"}):
        (rule,) = studied(diet, **said).tested
        assert rule.grade == "strong"


def test_of_chances_too(diet):
    rule = causalrules.test(diet, "weight>105", "diet=yes").tested[0]
    assert (rule.verdict, rule.grade) == ("causal", "fragile")
    rule = causalrules.test(diet, "weight>105", "diet=yes", before="weight_before").tested[0]
    assert rule.verdict == "rejected"
