"""Why a rule was rejected: what is said must be what the numbers show."""

import causalrules
from causalrules.lab.simulate import planted_table


def test_nothing_is_explained_away_by_columns_that_leave_a_difference():
    result = causalrules.mine(planted_table(10_000), "ill=yes")
    rejected = [rule for rule in result.tested if rule.verdict == "rejected"]
    left = [rule for rule in rejected if rule.adjusted_odds_ratio.low > 1]
    assert left
    assert not any(rule.reason.startswith("explained away") for rule in left)
    assert any("although comparable records differ" in rule.reason for rule in left)
    (treatment,) = [rule for rule in rejected if rule.name == "treatment=new"]
    assert treatment.reason == "explained away by severity"
