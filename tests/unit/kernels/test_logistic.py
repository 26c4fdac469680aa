"""Penalised logistic regression: judged by scikit-learn and statsmodels, and by hand."""

import numpy as np
import pytest

from causalrules.kernels import logistic
from unit.kernels.rows_in_slots import fit_logistic, fit_slots, in_slots


def table(seed, n=400, n_factors=3, n_values=4, n_dense=2):
    """Rows with counts, their design for the kernel, and the same as one dense matrix."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_values, (n, n_factors))
    starts = 1 + np.arange(n_factors) * (n_values - 1)
    levels = np.where(codes == 0, -1, starts + codes - 1).astype(np.int32)
    dense = rng.normal(size=(n, n_dense))
    totals = rng.integers(1, 6, n).astype(float)
    effects = rng.normal(size=(n_factors, n_values))
    eta = effects[np.arange(n_factors), codes].sum(axis=1) + dense @ rng.normal(size=n_dense) - 1
    successes = rng.binomial(totals.astype(int), 1 / (1 + np.exp(-eta))).astype(float)
    n_levels = n_factors * (n_values - 1)
    matrix = np.zeros((n, n_levels + n_dense))
    for j in range(n_factors):
        has = codes[:, j] > 0
        matrix[np.flatnonzero(has), levels[has, j] - 1] = 1
    matrix[:, n_levels:] = dense
    return levels, dense, successes, totals, matrix


@pytest.mark.parametrize("penalty", [0.1, 1.0, 20.0])
def test_like_scikit_learn(penalty):
    linear_model = pytest.importorskip("sklearn.linear_model")
    levels, dense, successes, totals, matrix = table(0)
    penalties = np.append(0.0, np.full(matrix.shape[1], penalty))
    found = fit_logistic(levels, dense, successes, totals, penalties)
    other = linear_model.LogisticRegression(C=1 / penalty, tol=1e-12, max_iter=500, solver="newton-cholesky")
    weights = np.concatenate([successes, totals - successes])
    other.fit(np.vstack([matrix, matrix]), np.repeat([1, 0], len(totals)), sample_weight=weights)
    np.testing.assert_allclose(found, np.append(other.intercept_, other.coef_[0]), atol=1e-8)


def test_without_penalty_like_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    levels, dense, successes, totals, matrix = table(1)
    found = fit_logistic(levels, dense, successes, totals, np.zeros(matrix.shape[1] + 1))
    outcome = np.column_stack([successes, totals - successes])
    other = api.GLM(outcome, api.add_constant(matrix), family=api.families.Binomial()).fit(tol=1e-14)
    np.testing.assert_allclose(found, other.params, atol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_the_gradient_vanishes(seed):
    levels, dense, successes, totals, matrix = table(seed, n=60, n_factors=4, n_values=6)
    penalties = np.append(1e-6, np.full(matrix.shape[1], 0.1))
    found = fit_logistic(levels, dense, successes, totals, penalties)
    design = np.column_stack([np.ones(len(totals)), matrix])
    residual = successes - totals / (1 + np.exp(-design @ found))
    np.testing.assert_allclose(design.T @ residual, penalties * found, atol=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_steps_that_are_too_long_are_taken_back(seed):
    """Rare values that nearly decide the outcome, beside near copies of themselves."""
    rng = np.random.default_rng(seed)
    first = np.where(rng.random(2000) < 0.03, rng.integers(1, 8, 2000), 0)
    second = np.where(rng.random(2000) < 0.1, rng.integers(0, 8, 2000), first)
    codes = np.column_stack([first, second])
    levels = np.where(codes == 0, -1, codes + np.array([0, 7])).astype(np.int32)
    totals = rng.integers(1, 40, 2000).astype(float)
    successes = np.where(
        first > 0, totals * (rng.random(2000) < 0.99), np.floor(totals * rng.random(2000) / 90)
    )
    penalties = np.append(1e-6, np.full(14, 0.5))
    found = fit_logistic(levels, np.empty((2000, 0)), successes, totals, penalties)
    design = np.zeros((2000, 15))
    design[:, 0] = 1
    for column in levels.T:
        design[np.flatnonzero(column > 0), column[column > 0]] = 1
    residual = successes - totals / (1 + np.exp(-design @ found))
    np.testing.assert_allclose(design.T @ residual, penalties * found, atol=1e-6)


def test_separation_ends_in_finite_coefficients():
    levels = np.array([[-1], [1]], np.int32)
    dense = np.empty((2, 0))
    successes, totals = np.array([0.0, 50.0]), np.array([50.0, 50.0])
    light = fit_logistic(levels, dense, successes, totals, np.array([1e-6, 0.1]))
    assert np.isfinite(light).all()
    assert light[1] > 5
    none = fit_logistic(levels, dense, successes, totals, np.zeros(2))
    assert np.isfinite(none).all()


def test_columns_that_repeat_or_are_empty_keep_zero():
    levels = np.array([[1, 2], [-1, -1]] * 10, np.int32)
    successes, totals = np.array([3.0, 1.0] * 10), np.full(20, 5.0)
    found = fit_logistic(levels, np.empty((20, 0)), successes, totals, np.zeros(4))
    assert found[3] == 0
    assert found[1] + found[2] == pytest.approx(np.log(3 / 2) - np.log(1 / 4), abs=1e-8)


def test_nothing_but_an_intercept():
    found = fit_logistic(
        np.empty((2, 0), np.int32), np.empty((2, 0)), np.array([1.0, 2.0]), np.array([4.0, 8.0]), np.zeros(1)
    )
    assert found[0] == pytest.approx(np.log(1 / 3))


def test_repeating_rows_is_counting_them():
    levels, dense, successes, totals, matrix = table(3, n=30)
    penalties = np.append(0.0, np.full(matrix.shape[1], 0.5))
    twice = [np.concatenate([array, array]) for array in (levels, dense, successes, totals)]
    np.testing.assert_allclose(
        fit_logistic(*twice, penalties),
        fit_logistic(levels, dense, 2 * successes, 2 * totals, penalties),
        atol=1e-9,
    )


def test_any_start_leads_to_the_same():
    levels, dense, successes, totals, matrix = table(4)
    penalties = np.append(1e-6, np.full(matrix.shape[1], 0.5))
    cold = fit_logistic(levels, dense, successes, totals, penalties)
    for seed in range(5):
        start = np.random.default_rng(seed).normal(size=len(penalties))
        warm = fit_logistic(levels, dense, successes, totals, penalties, start)
        np.testing.assert_allclose(warm, cold, atol=1e-9)


def test_values_that_many_rows_share_are_looked_up():
    rng = np.random.default_rng(5)
    slots = np.column_stack([rng.integers(0, 3, 300), 3 + rng.integers(0, 4, 300)]).astype(np.int32)
    values = np.zeros((7, 2))
    values[3:] = rng.normal(size=(4, 2))
    levels = np.array([-1, 1, 2, -1, 3, 4, 5], np.int32)
    terms = np.array([[-1, -1], [6, 7]])
    totals = rng.integers(1, 4, 300).astype(float)
    successes = np.floor(totals * rng.random(300) + 0.3 * (slots[:, 0] == 1)).clip(max=totals)
    penalties = np.full(8, 0.3)
    layout = slots, np.array([0, 3, 7]), levels, values, terms
    found = fit_slots(*layout, successes, totals, penalties, np.zeros(8), 60)
    dense = values[slots[:, 1]]
    other = fit_logistic(levels[slots], dense, successes, totals, penalties)
    np.testing.assert_allclose(found, other, atol=1e-9)


def test_predictor():
    levels, dense, *_, matrix = table(2, n=5)
    coefficients = np.random.default_rng(0).normal(size=matrix.shape[1] + 1)
    predictor = np.empty(5)
    logistic.linear_predictor(*in_slots(levels, dense, len(coefficients)), coefficients, predictor)
    np.testing.assert_allclose(predictor, coefficients[0] + matrix @ coefficients[1:])


def test_rows_that_share_leading_values_count_as_others_do():
    """Sorted rows are summed as the leaves of a tree; shuffled ones hardly share anything."""
    rng = np.random.default_rng(6)
    codes = np.column_stack([rng.integers(0, n, 800) for n in (2, 3, 4, 6)])
    codes = np.unique(codes, axis=0)
    first = np.cumsum([0, 2, 3, 4, 6])
    slots = (codes + first[:-1]).astype(np.uint16)
    levels = np.array([-1, 1, 2, -1, 3, 4, -1, 5, 6, -1, 7, -1, 8, 9, 10], np.int32)
    values = np.where(np.arange(15)[:, None] >= first[3], rng.normal(size=(15, 2)), 0.0)
    terms = np.array([[-1, -1], [-1, -1], [-1, -1], [11, 12]])
    totals = rng.integers(1, 9, len(slots)).astype(float)
    successes = rng.binomial(totals.astype(int), 0.2 + 0.1 * codes[:, 1] + 0.05 * codes[:, 3]).astype(float)
    penalties = np.append(1e-6, np.full(12, 0.3))
    layout = first, levels, values, terms
    found = fit_slots(slots, *layout, successes, totals, penalties, np.zeros(13), 60)
    design = np.zeros((len(slots), 13))
    design[:, 0] = 1
    for column in levels[slots].T:
        design[np.flatnonzero(column > 0), column[column > 0]] = 1
    design[:, 11:] = values[slots[:, 3]]
    residual = successes - totals / (1 + np.exp(-design @ found))
    np.testing.assert_allclose(design.T @ residual, penalties * found, atol=1e-8)
    order = rng.permutation(len(slots))
    shuffled = fit_slots(slots[order], *layout, successes[order], totals[order], penalties, np.zeros(13), 60)
    np.testing.assert_allclose(shuffled, found, atol=1e-9)
