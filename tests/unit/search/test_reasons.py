"""Why a rule was rejected: what is said must be what the numbers show."""

from math import log

import causalrules
from causalrules.lab.simulate import planted_table


def test_nothing_is_explained_away_by_columns_that_leave_a_difference():
    result = causalrules.mine(planted_table(10_000), "ill=yes")
    rejected = [rule for rule in result.tested if rule.verdict == "rejected"]
    left = [rule for rule in rejected if rule.adjusted_odds_ratio.low > 1]
    assert left
    assert all(rule.reason.startswith("not significant after correction") for rule in left)
    (treatment,) = [rule for rule in rejected if rule.name == "treatment=new"]
    assert treatment.reason == "explained away by severity"


def test_what_only_lost_its_significance_is_not_explained_away():
    """Within strata of other columns a weak association is less clear; that does not explain it."""
    n_unexplained = 0
    for seed in range(4, 9):
        result = causalrules.mine(planted_table(5000, seed=seed), "ill=yes", max_length=1)
        for rule in (rule for rule in result.tested if rule.verdict == "rejected"):
            crude, adjusted = (log(one.value) for one in (rule.odds_ratio, rule.adjusted_odds_ratio))
            is_mostly_left = adjusted * crude > 0.5 * crude**2
            n_unexplained += is_mostly_left
            assert not (is_mostly_left and rule.reason.startswith("explained away")), rule
    assert n_unexplained
