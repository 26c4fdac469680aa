"""The doubly robust difference: judged by single records in plain NumPy."""

import numpy as np
import pytest
from scipy.stats import t as student

from causalrules.assess.doubly_robust import doubly_robust_contributions, doubly_robust_difference


def rows(seed, n=30):
    rng = np.random.default_rng(seed)
    exposed = rng.random(n) < 0.4
    counts = rng.integers(0, 6, (n, 2))
    counts[0], exposed[0] = (3, 2), True
    return exposed, counts, rng.uniform(0.05, 0.9, n), rng.uniform(0.05, 0.7, n)


def naive(exposed, counts, propensity, risk):
    """Write every record out, and apply the textbook's formula."""
    i = np.repeat(np.repeat(np.arange(len(exposed)), 2), counts.ravel())
    y = np.repeat(np.tile([0, 1], len(exposed)), counts.ravel())
    x, e, m = exposed[i].astype(float), propensity[i], risk[i]
    n1 = x.sum()
    psi = x * (y - m) - (1 - x) * e / (1 - e) * (y - m)
    value = psi.sum() / n1
    weight = np.where(x == 1, 1, e / (1 - e))
    freedom = min((weight**2).sum() ** 2 / (weight**4).sum(), y.sum(), (1 - y).sum())
    quantile = student.ppf(0.975, freedom)
    return value, quantile * np.sqrt(((psi - x * value) ** 2).sum()) / n1


@pytest.mark.parametrize("seed", range(5))
def test_like_single_records(seed):
    found = doubly_robust_difference(*rows(seed), 0.95)
    value, half_width = naive(*rows(seed))
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.high == pytest.approx(min(value + half_width, 1), abs=1e-8)
    assert found.low == pytest.approx(max(value - half_width, -1), abs=1e-8)


def test_influences_add_up_to_nothing():
    exposed, counts, *fits = rows(1)
    found = doubly_robust_contributions(exposed, counts, *fits)
    assert (counts * found.influence).sum() == pytest.approx(0, abs=1e-12)


def test_a_certain_exposure_is_clipped():
    found = doubly_robust_difference(
        np.array([True, False]), np.array([[1, 1], [1, 0]]), np.ones(2), np.full(2, 0.5), 0.95
    )
    assert np.isfinite(found.value)


def test_nobody_exposed():
    found = doubly_robust_difference(
        np.array([False]), np.array([[5, 5]]), np.ones(1) / 2, np.ones(1) / 2, 0.9
    )
    assert (found.value, found.low, found.high) == (0, -1, 1)


def test_with_models_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    from unit.kernels.rows_in_slots import fit_logistic

    rng = np.random.default_rng(3)
    n = 500
    z = rng.normal(size=(n, 2))
    x = rng.random(n) < 1 / (1 + np.exp(-z[:, 0]))
    y = rng.random(n) < 1 / (1 + np.exp(-z.sum(axis=1) - x))

    def theirs(design, target):
        model = linear_model.LogisticRegression(C=1.0, tol=1e-12, solver="newton-cholesky", max_iter=500)
        return model.fit(design, target)

    e = theirs(z, x).predict_proba(z)[:, 1]
    outcome = theirs(np.column_stack([z, x]), y)
    m = outcome.predict_proba(np.column_stack([z, np.zeros(n)]))[:, 1]
    counts = np.column_stack([~y, y]).astype(np.int64)
    value, half_width = naive(x, counts, e, m)

    none, ones = np.empty((n, 0), np.int32), np.ones(n)
    of_exposure = fit_logistic(none, z, x.astype(float), ones, np.array([0.0, 1, 1]))
    with_x = np.column_stack([z, x.astype(float)])
    of_outcome = fit_logistic(none, with_x, y.astype(float), ones, np.array([0.0, 1, 1, 1]))
    ours = doubly_robust_difference(
        x,
        counts,
        1 / (1 + np.exp(-of_exposure[0] - z @ of_exposure[1:])),
        1 / (1 + np.exp(-of_outcome[0] - z @ of_outcome[1:3])),
        0.95,
    )
    assert ours.value == pytest.approx(value, abs=1e-8)
    assert (ours.high - ours.low) / 2 == pytest.approx(half_width, abs=1e-8)
