"""Penalised regressions against dense ones with the same penalties, and against statsmodels without."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax

from causalrules.estimate.models import Design, fit_levels, fit_linear, fit_logistic
from causalrules.estimate.products import part_of, product_term
from causalrules.estimate.terms import LINE_VARIANCE, term_of
from unit.find.made_records import column_of

GROUPS = st.sampled_from([1, 2, 5])


def dense(design):
    """Every column of a design, for every row; the constant is first."""
    parts = [np.ones((len(design.mass), 1)), *(term.basis[term.codes] for term in design.terms)]
    return np.hstack(parts)


def penalties(design, of_groups):
    """The penalty of every column, written out term by term."""
    found, left = [0.0], list(of_groups)
    for term in design.terms:
        k = term.basis.shape[1]
        shrunk = [left.pop(0)] * (k - term.n_fixed) if k > term.n_fixed else []
        found += [1 / LINE_VARIANCE] * term.n_fixed + shrunk
    assert not left
    return np.array(found)


def newton(table, has, mass, penalty, n_times=100):
    now = np.zeros(table.shape[1])
    for _ in range(n_times):
        chance = 1 / (1 + np.exp(-table @ now))
        slope = table.T @ (mass * (has - chance)) - penalty * now
        now += np.linalg.solve((table.T * (mass * chance * (1 - chance))) @ table + np.diag(penalty), slope)
    return now


def made(seed, n=600, *, with_number=True, weighted=False):
    """A design of two categories, their product and a number, and what the outcome's log odds are."""
    draw = np.random.default_rng(seed)
    a, b, z = draw.integers(0, 4, n), draw.integers(0, 2, n), draw.normal(0, 1, n)
    mass = draw.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    columns = [column_of("a", np.where(draw.random(n) < 0.1, -1, a)), column_of("b", b)]
    product = product_term([part_of(column, mass) for column in columns], mass)
    terms = [term_of(column, mass) for column in columns] + [product]
    if with_number:
        terms.append(term_of(column_of("z", z), mass))
    return Design(terms, mass), 0.5 * (a == 1) - b + 0.7 * z * with_number - 0.3, draw


@pytest.mark.parametrize(("seed", "weighted"), [(1, False), (2, True)])
def test_sums_of_products_are_those_of_the_dense_design(seed, weighted):
    design, _, draw = made(seed, weighted=weighted)
    table = dense(design)
    weights = draw.random(len(design.mass))
    assert design.n_effects == table.shape[1]
    assert design.gram(weights) == pytest.approx((table.T * weights) @ table, abs=1e-8)
    effects = draw.normal(0, 1, (design.n_effects, 3))
    assert design.predictor(effects) == pytest.approx(table @ effects, abs=1e-9)


@pytest.mark.parametrize(("seed", "weighted"), [(3, False), (4, True), (5, False)])
def test_chances_are_those_of_dense_steps_with_these_penalties(seed, weighted):
    """The fit ends when a step promises 1e-6 of log likelihood: 1e-3 of a standard error."""
    design, score, draw = made(seed, weighted=weighted)
    has = (draw.random(len(score)) < 1 / (1 + np.exp(-score))).astype(float)
    fit = fit_logistic(design, has)
    table = dense(design)
    now = newton(table, has, design.mass, penalties(design, fit.penalties))
    assert fit.coefficients == pytest.approx(now, abs=2e-3)
    assert fit.mean == pytest.approx(1 / (1 + np.exp(-table @ now)), abs=5e-4)


@pytest.mark.parametrize(("seed", "weighted"), [(7, False), (8, True)])
def test_means_are_those_of_dense_least_squares_with_these_penalties(seed, weighted):
    design, score, draw = made(seed, weighted=weighted)
    y = np.column_stack([score, -2 * score]) + draw.normal(0, 1, (len(score), 2))
    fit = fit_linear(design, y)
    table, penalty = dense(design), penalties(design, fit.penalties)
    now = np.linalg.solve((table.T * design.mass) @ table + np.diag(penalty), (table.T * design.mass) @ y)
    assert fit.coefficients == pytest.approx(now, abs=1e-6)
    assert fit.mean == pytest.approx(table @ now, abs=1e-6)


@pytest.mark.parametrize(("seed", "k", "weighted"), [(9, 3, False), (10, 4, True)])
def test_levels_are_those_of_dense_steps_with_these_penalties(seed, k, weighted):
    """Measured at both seeds: below 0.003, a tenth of a chance's standard error, where the fit ends."""
    design, score, draw = made(seed, weighted=weighted)
    chances = softmax(np.outer(score, np.arange(k) - 1), axis=1)
    level = (draw.random(len(score))[:, None] > np.cumsum(chances, axis=1)).sum(axis=1).clip(0, k - 1)
    fit = fit_levels(design, level, k)
    best = dense_levels(dense(design), level, k, design.mass, penalties(design, fit.penalties))
    assert fit.mean.sum(axis=1) == pytest.approx(np.ones(len(level)))
    assert fit.mean == pytest.approx(softmax(dense(design) @ best, axis=1), abs=4e-3)


def dense_levels(table, level, k, mass, penalty, n_times=60):
    """Newton's steps over the coefficients of all levels at once; a trace of ridge settles the constants."""
    now, p = np.zeros((table.shape[1], k)), table.shape[1]
    ridge = np.tile(np.where(penalty == 0, 1e-8, penalty), k)
    has = level[:, None] == np.arange(k)
    for _ in range(n_times):
        chance = softmax(table @ now, axis=1)
        slope = (table.T @ (mass[:, None] * (has - chance))).T.ravel() - ridge * now.T.ravel()
        information = np.diag(ridge)
        for i in range(k):
            for j in range(k):
                curve = mass * chance[:, i] * ((i == j) - chance[:, j])
                information[i * p : (i + 1) * p, j * p : (j + 1) * p] += (table.T * curve) @ table
        now = now + np.linalg.solve(information, slope).reshape(k, p).T
    return now


def test_many_records_are_fitted_as_without_penalties():
    """20,000 records: what penalties move is below a fifth of a standard error."""
    draw = np.random.default_rng(11)
    n = 20_000
    a, b = draw.integers(0, 3, n), draw.integers(0, 2, n)
    y = (draw.random(n) < 1 / (1 + np.exp(-(0.8 * (a == 1) - 0.5 * (a == 2) + 0.6 * b - 0.5)))).astype(float)
    mass = np.ones(n)
    design = Design([term_of(column_of("a", a), mass), term_of(column_of("b", b), mass)], mass)
    table = np.column_stack([np.ones(n), a == 1, a == 2, b]).astype(float)
    regression = sm.GLM(y, table, family=sm.families.Binomial()).fit()
    assert fit_logistic(design, y).mean == pytest.approx(regression.predict(), abs=2e-3)
    means = sm.OLS(y, table).fit().predict()
    assert fit_linear(design, y[:, None]).mean[:, 0] == pytest.approx(means, abs=2e-3)
    level = (a + (draw.random(n) < 0.4 * b)).clip(0, 2)
    beside = Design([term_of(column_of("b", b), mass)], mass)
    many = sm.MNLogit(level, table[:, [0, 3]]).fit(disp=0).predict()
    assert fit_levels(beside, level, 3).mean == pytest.approx(many, abs=2e-3)


def test_what_tells_nothing_disappears():
    """Forty values without any effect: chances hardly differ from the share, few coefficients are used."""
    draw = np.random.default_rng(12)
    n = 4_000
    mass = np.ones(n)
    design = Design([term_of(column_of("a", draw.integers(0, 40, n)), mass)], mass)
    y = (draw.random(n) < 0.3).astype(float)
    fit = fit_logistic(design, y)
    raw = np.sqrt(0.3 * 0.7 / (n / 40))
    assert np.std(fit.mean) < raw / 3
    assert fit.n_used < 15


@settings(max_examples=25)
@given(st.integers(0, 10_000), GROUPS)
def test_rows_that_stand_for_many_are_rows_written_out(seed, times):
    draw = np.random.default_rng(seed)
    a, y = draw.integers(0, 3, 60), draw.integers(0, 2, 60).astype(float)
    count = draw.integers(1, 1 + times, 60)
    y[0], y[1] = 0, 1
    joined = Design([term_of(column_of("a", a), count.astype(float))], count.astype(float))
    long = np.repeat(np.arange(60), count)
    written = Design([term_of(column_of("a", a[long]), np.ones(len(long)))], np.ones(len(long)))
    one, other = fit_logistic(joined, y), fit_logistic(written, y[long])
    assert one.mean[long] == pytest.approx(other.mean, abs=1e-9)
    assert one.n_used == pytest.approx(other.n_used)
