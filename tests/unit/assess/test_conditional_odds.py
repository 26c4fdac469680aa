"""Odds ratios given all margins, against conditional logistic regression of statsmodels."""

import numpy as np
import pytest
from statsmodels.discrete.conditional_models import ConditionalLogit

from causalrules.assess.conditional_odds import conditional_odds_ratio, interaction_p

STRATA = {
    "sets": [
        (1, 0, 1, 3),
        (0, 1, 1, 2),
        (2, 1, 0, 2),
        (1, 1, 1, 1),
        (0, 2, 2, 1),
        (1, 0, 0, 4),
        (1, 2, 0, 1),
    ],
    "large": [(14, 9, 11, 17), (5, 12, 3, 20), (9, 9, 4, 13)],
}


def records_of(strata, group=0):
    """One row a record: outcome, exposure, stratum, group."""
    rows = []
    for number, (a, b, c, d) in enumerate(strata):
        for outcome, exposed, n in ((1, 1, a), (0, 1, b), (1, 0, c), (0, 0, d)):
            rows += [(outcome, exposed, 1000 * group + number, group)] * n
    return np.array(rows)


def counted(strata):
    return np.array([(*cells, 1) for cells in strata], np.int64)


@pytest.mark.parametrize("name", STRATA)
def test_estimate_and_interval_are_those_of_conditional_logistic_regression(name):
    y, x, stratum, _ = records_of(STRATA[name]).T
    fit = ConditionalLogit(y, x[:, None].astype(float), groups=stratum).fit(
        disp=0, method="newton", tol=1e-13
    )
    found = conditional_odds_ratio(counted(STRATA[name]), 0.95)
    assert np.log(found.odds_ratio.value) == pytest.approx(fit.params[0], abs=1e-8)
    low, high = fit.conf_int()[0]
    assert np.log([found.odds_ratio.low, found.odds_ratio.high]) == pytest.approx([low, high], abs=1e-6)


def test_interaction_is_the_score_test_of_conditional_logistic_regression():
    y, x, stratum, group = np.concatenate([records_of(STRATA["sets"], 0), records_of(STRATA["large"], 1)]).T
    restricted = ConditionalLogit(y, x[:, None].astype(float), groups=stratum)
    shared = restricted.fit(disp=0, method="newton", tol=1e-13).params[0]
    full = ConditionalLogit(y, np.column_stack([x, x * group]).astype(float), groups=stratum)
    at, step = np.array([shared, 0.0]), 1e-5
    score = full.score(at)
    # The information, from differences of the analytic score.
    slopes = [(full.score(at + step * e) - full.score(at - step * e)) / (2 * step) for e in np.eye(2)]
    information = -np.column_stack(slopes)
    from scipy.stats import chi2

    statistic = score @ np.linalg.solve(information, score)
    found = interaction_p([counted(STRATA["sets"]), counted(STRATA["large"])])
    assert found == pytest.approx(chi2.sf(statistic, 1), abs=1e-7)


def test_a_group_that_cannot_tell_takes_no_part():
    same_arm = np.array([(3, 4, 0, 0, 1)], np.int64)
    groups = [counted(STRATA["sets"]), counted(STRATA["large"])]
    assert interaction_p([*groups, same_arm]) == interaction_p(groups)
    assert interaction_p([groups[0], same_arm]) is None


def test_one_sided_strata_have_no_interval_and_no_test():
    one_sided = np.array([(4, 0, 0, 4, 1)], np.int64)
    assert conditional_odds_ratio(one_sided, 0.95).odds_ratio.value == np.inf
    assert interaction_p([one_sided, one_sided]) is None


def test_groups_of_one_table_each_agree_with_hand_calculation():
    """Two 2 x 2 tables: at the shared odds ratio, (a - E)²/V by enumerating the hypergeometric."""
    from math import comb

    tables = [(7, 3, 4, 6), (2, 8, 5, 5)]
    shared = conditional_odds_ratio(counted(tables), 0.95).odds_ratio.value
    statistic = 0.0
    for a, b, c, d in tables:
        values = range(max(0, a - d), min(a + b, a + c) + 1)
        weights = [comb(a + b, x) * comb(c + d, a + c - x) * shared**x for x in values]
        mean = sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
        variance = sum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True)) / sum(weights)
        statistic += (a - mean) ** 2 / variance
    from scipy.stats import chi2

    assert interaction_p([counted([one]) for one in tables]) == pytest.approx(chi2.sf(statistic, 1), abs=1e-8)
