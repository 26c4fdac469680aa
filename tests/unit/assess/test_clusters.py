"""Cluster-robust variances: judged by statsmodels, by difference quotients and by simulation."""

from math import inf, log

import numpy as np
import pytest

from causalrules.assess.clusters import (
    ClusterVariance,
    cluster_variance,
    clustered_difference,
    clustered_odds_ratio,
    clustered_p,
)
from causalrules.assess.influences import difference_influence, odds_ratio_influence, ratio_influence


def log_odds_ratio(cells):
    a1, a0, b1, b0 = cells.T
    n = cells.sum(axis=1)
    return log((a1 * b0 / n).sum() / (a0 * b1 / n).sum())


def difference(cells):
    a1, a0, b1, b0 = cells.T
    a = a1 + a0
    return (a * (a1 / a - b1 / (b1 + b0))).sum() / a.sum()


CELLS = np.array([[4, 7, 3, 9], [2, 5, 6, 4], [10, 20, 15, 40]])


def test_the_influence_on_the_odds_ratio_is_its_slope():
    found = odds_ratio_influence(CELLS)
    n = CELLS.sum(axis=1)
    for k in range(3):
        for j in range(4):
            more, less = CELLS.astype(float), CELLS.astype(float)
            more[k, j] += 1e-5
            less[k, j] -= 1e-5
            slope = (log_odds_ratio(more) - log_odds_ratio(less)) / 2e-5
            assert found[k, j] == pytest.approx(slope * (n[k] / (n[k] - 1)) ** 0.5, rel=1e-6)


def test_the_influence_on_the_difference_is_its_slope():
    found = difference_influence(CELLS)
    for k in range(3):
        b = CELLS[k, 2] + CELLS[k, 3]
        for j in range(4):
            more, less = CELLS.astype(float), CELLS.astype(float)
            more[k, j] += 1e-5
            less[k, j] -= 1e-5
            slope = (difference(more) - difference(less)) / 2e-5
            scale = (b / (b - 1)) ** 0.5 if j >= 2 else 1.0
            assert found[k, j] == pytest.approx(slope * scale, rel=1e-6)


def test_one_stratum_like_the_clustered_logistic_regression_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(40), 6)
    frailty = rng.normal(size=40)[cluster]
    x = rng.random(240) < 1 / (1 + np.exp(-frailty))
    y = rng.random(240) < 1 / (1 + np.exp(1 - frailty - x))
    cells = np.array([[(x & y).sum(), (x & ~y).sum(), (~x & y).sum(), (~x & ~y).sum()]])
    kind = np.where(x, np.where(y, 0, 1), np.where(y, 2, 3))
    found = cluster_variance(odds_ratio_influence(cells)[0, kind], cluster)
    fit = api.Logit(y.astype(float), api.add_constant(x.astype(float))).fit(
        disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}
    )
    theirs = fit.cov_params()[1, 1] * 40 / 39 * 240 / 239
    assert found.n_clusters == 40
    assert found.variance == pytest.approx(theirs, rel=1e-8)


@pytest.mark.parametrize("arms", [(1, 1), (1, 3), (4, 1), (5, 5)])
def test_clusters_of_one_record_in_thin_strata(arms):
    """With every record a cluster of its own the variance must be the variance, or a little more."""
    rng = np.random.default_rng(2)
    a, b = arms
    n_strata, n_tables = 120, 250
    values, variances = [], []
    for _ in range(n_tables):
        p0 = rng.uniform(0.1, 0.5, n_strata)
        a1, b1 = rng.binomial(a, p0), rng.binomial(b, p0)
        cells = np.column_stack([a1, a - a1, b1, b - b1])
        which = np.repeat(np.arange(n_strata * 4), cells.ravel())
        parts = [odds_ratio_influence(cells).ravel()[which], difference_influence(cells).ravel()[which]]
        values.append([log_odds_ratio(cells.astype(float)), difference(cells.astype(float))])
        variances.append([cluster_variance(part, np.arange(len(which))).variance for part in parts])
    ratio = np.mean(variances, axis=0) / np.var(values, axis=0)
    assert (ratio > 0.85).all()
    assert (ratio < 1.6).all()


def test_risk_ratio_like_the_clustered_poisson_regression_of_statsmodels():
    """Of a saturated model the sandwich is that of the risk ratio (Zou 2004)."""
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(7)
    cluster = np.repeat(np.arange(50), 6)
    exposed = rng.random(300) < 0.4
    outcome = rng.random(300) < np.clip(rng.beta(1, 2, 50)[cluster] + 0.2 * exposed, 0, 1)
    cells = np.array([[(arm & case).sum() for arm in (exposed, ~exposed) for case in (outcome, ~outcome)]])
    kind = np.where(exposed, 0, 2) + ~outcome
    found = cluster_variance(ratio_influence(cells)[0, kind], cluster)
    fit = sm.GLM(
        outcome.astype(float), sm.add_constant(exposed.astype(float)), family=sm.families.Poisson()
    ).fit(tol=1e-12, cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False})
    assert found.variance * 49 / 50 == pytest.approx(fit.bse[1] ** 2, rel=0.01)
    flipped = ratio_influence(cells[:, [1, 0, 3, 2]])[:, [1, 0, 3, 2]]
    assert (flipped[0, kind]).sum() == pytest.approx(0, abs=1e-12)


def test_repeating_every_record_does_not_sharpen_the_answer():
    cluster = np.arange(CELLS.sum())
    which = np.repeat(np.arange(12), CELLS.ravel())
    once = cluster_variance(difference_influence(CELLS).ravel()[which], cluster).variance
    twice = cluster_variance(
        np.tile(difference_influence(2 * CELLS).ravel()[which], 2), np.tile(cluster, 2)
    ).variance
    assert twice == pytest.approx(once, rel=0.06)


def test_limits_and_p_values():
    many = ClusterVariance(0.04, 10_001)
    assert clustered_difference(0.1, many, 0.95).high == pytest.approx(0.1 + 1.9602 * 0.2, rel=1e-3)
    ratio = clustered_odds_ratio(2.0, many, 0.95)
    assert ratio.low * ratio.high == pytest.approx(4.0)
    assert clustered_p(0.0, many) == 1
    alone = cluster_variance(np.ones(3), np.zeros(3, np.intp))
    assert (alone.variance, clustered_p(1.0, alone)) == (inf, 1.0)
    assert clustered_odds_ratio(2.0, alone, 0.95).low == 0
    assert clustered_difference(0.2, alone, 0.95).low == -1
    assert clustered_odds_ratio(inf, many, 0.95).high == inf
