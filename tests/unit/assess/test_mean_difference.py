"""Differences of means within strata against statsmodels, SciPy and a slow linearisation."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

import naive_sampling as naive
from causalrules.assess.mean_difference import (
    ValuedRecords,
    linearised_difference,
    mean_difference,
    mean_influence,
)


def records(n=300, n_strata=6, seed=0):
    chance = np.random.default_rng(seed)
    stratum = chance.integers(0, n_strata, n)
    exposed = chance.random(n) < 0.2 + 0.08 * stratum
    value = 3.0 * stratum + 1.5 * exposed + chance.normal(0, 1 + 0.3 * stratum, n) + 1000
    return stratum, exposed, value


def valued(stratum, exposed, value, times=None, weight=None):
    n = len(stratum)
    times = np.ones(n, np.int64) if times is None else times
    return ValuedRecords(stratum, exposed, value, times, np.ones(n) if weight is None else weight)


def saturated(stratum, exposed, value):
    """A mean for every arm of every stratum, by statsmodels, and the contrast of the exposed."""
    cells = np.zeros((len(value), 2 * (stratum.max() + 1)))
    cells[np.arange(len(value)), 2 * stratum + exposed] = 1
    share = np.bincount(stratum, exposed) / exposed.sum()
    contrast = np.zeros(cells.shape[1])
    contrast[1::2], contrast[::2] = share, -share
    return sm.OLS(value, cells), contrast


def bell_mccaffrey(model, contrast):
    """Degrees of freedom of the contrast's HC2 variance, from the matrices of the regression."""
    x = model.exog
    inverse = np.linalg.inv(x.T @ x)
    hat = x @ inverse @ x.T
    scale = (x @ inverse @ contrast) / np.sqrt(1 - np.diag(hat))
    g = (np.eye(len(x)) - hat) * scale
    eigenvalues = np.linalg.eigvalsh(g.T @ g)
    return eigenvalues.sum() ** 2 / (eigenvalues**2).sum()


@pytest.mark.parametrize("seed", range(5))
def test_thick_strata_are_a_saturated_regression(seed):
    stratum, exposed, value = records(seed=seed)
    model, contrast = saturated(stratum, exposed, value)
    expected = model.fit(cov_type="HC2").t_test(contrast)
    found = mean_difference(valued(stratum, exposed, value), 0.95)
    freedom = bell_mccaffrey(model, contrast)
    half_width = stats.t.ppf(0.975, freedom) * expected.sd.item()
    assert found.difference.value == pytest.approx(expected.effect.item(), abs=1e-8)
    assert found.difference.high - found.difference.value == pytest.approx(half_width, abs=1e-8)
    assert found.difference.value - found.difference.low == pytest.approx(half_width, abs=1e-8)
    p_value = 2 * stats.t.sf(abs(expected.effect.item()) / expected.sd.item(), freedom)
    assert found.p_value == pytest.approx(p_value, rel=1e-8)


def test_pairs_are_the_paired_t_test():
    chance = np.random.default_rng(2)
    stratum, exposed = np.repeat(np.arange(40), 2), np.tile([True, False], 40)
    value = np.repeat(chance.normal(0, 5, 40), 2) + 0.4 * exposed + chance.normal(0, 1, 80)
    expected = stats.ttest_rel(value[exposed], value[~exposed])
    limits = expected.confidence_interval(0.9)
    found = mean_difference(valued(stratum, exposed, value), 0.9)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-8)
    assert (found.difference.low, found.difference.high) == pytest.approx((limits.low, limits.high), abs=1e-8)


def test_the_interval_covers_where_strata_are_thin():
    """One to four unexposed for each exposed record, whose effects differ: 95 % within binomial bounds."""
    chance = np.random.default_rng(3)
    n_tables, covered = 400, 0
    for _ in range(n_tables):
        sizes = chance.integers(2, 6, 60)
        stratum = np.repeat(np.arange(60), sizes)
        exposed = np.concatenate([np.arange(size) == 0 for size in sizes])
        level = np.repeat(chance.normal(0, 3, 60), sizes)
        value = level + 1.0 * exposed + chance.normal(0, 1 + exposed, len(stratum))
        found = mean_difference(valued(stratum, exposed, value), 0.95).difference
        covered += found.low <= 1.0 <= found.high
    assert stats.binomtest(covered, n_tables, 0.95).pvalue > 0.001


def test_equal_records_may_be_counted():
    stratum, exposed, value = records(100, 3)
    times = np.random.default_rng(1).integers(1, 5, 100)
    apart = valued(*(np.repeat(one, times) for one in (stratum, exposed, value)))
    together = valued(stratum, exposed, value, times)
    for compare in (
        lambda one: mean_difference(one, 0.95),
        lambda one: linearised_difference(one, None, 0.95),
    ):
        found, expected = compare(together), compare(apart)
        assert found.difference.low == pytest.approx(expected.difference.low, abs=1e-9)
        assert found.p_value == pytest.approx(expected.p_value, rel=1e-7)


@pytest.mark.parametrize("has_clusters", [False, True])
def test_a_weighted_sample_has_linearised_variances(has_clusters):
    stratum, exposed, value = records(200, 4)
    chance = np.random.default_rng(4)
    weight, cluster = chance.uniform(0.2, 3, 200), chance.integers(0, 30, 200) if has_clusters else None
    found = linearised_difference(valued(stratum, exposed, value, weight=weight), cluster, 0.95)
    expected = naive.mean_difference(stratum, exposed, value, weight)
    variance = naive.linearised_variance(naive.mean_difference, stratum, exposed, value, weight, cluster)
    arms = exposed, ~exposed
    units = [arm.sum() if cluster is None else naive.equal_clusters(cluster[arm]) for arm in arms]
    half_width = stats.t.ppf(0.975, min(units) - 1) * np.sqrt(variance)
    assert found.difference.value == pytest.approx(expected, abs=1e-8)
    assert found.difference.high - found.difference.value == pytest.approx(half_width, abs=1e-8)


def test_without_strata_the_variance_is_that_of_weighted_least_squares():
    stratum, exposed, value = records(150, 1)
    weight = np.random.default_rng(5).uniform(0.2, 3, 150)
    fit = sm.WLS(value, sm.add_constant(exposed.astype(float)), weights=weight).fit(cov_type="HC0")
    found = linearised_difference(valued(stratum, exposed, value, weight=weight), None, 0.95)
    n, b = len(value), int((~exposed).sum())
    of_unexposed = fit.cov_params()[0, 0]
    variance = (fit.cov_params()[1, 1] + of_unexposed / (b - 1)) * n / (n - 1)
    half_width = stats.t.ppf(0.975, min(b, n - b) - 1) * np.sqrt(variance)
    assert found.difference.value == pytest.approx(fit.params[1], abs=1e-8)
    assert found.difference.high - found.difference.value == pytest.approx(half_width, abs=1e-8)


def test_influences_add_up_to_nothing():
    stratum, exposed, value = records()
    influence = mean_influence(valued(stratum, exposed, value))
    assert influence[exposed].sum() == pytest.approx(0, abs=1e-9)
    assert influence[~exposed].sum() == pytest.approx(0, abs=1e-9)


def test_a_single_pair_tells_nothing():
    found = mean_difference(
        valued(np.zeros(2, np.int64), np.array([True, False]), np.array([3.0, 1.0])), 0.95
    )
    assert found.difference.value == 2.0
    assert (found.difference.low, found.difference.high, found.p_value) == (-np.inf, np.inf, 1.0)
