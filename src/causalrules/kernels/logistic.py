"""Penalised logistic regression on unique rows with counts.

A row of the design is the intercept, at most one level of every category
(a column of zeros and a single one need not be stored) and a few dense terms.
So one pass costs rows x (categories + dense terms)², whatever the number of levels.
"""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_FULL_STEPS = 3
_CLOSE_ENOUGH = 1e-10
_FLAT = 1e-11


@kernel
def fit_logistic(levels, dense, successes, totals, penalty, max_steps=60):
    """Coefficients that maximise the log likelihood minus half of sum(penalty · coefficient²).

    Newton's steps. The information is what a step costs, and it hardly
    changes near the end: from the fourth step on it is computed anew only if
    the old one no longer shrinks the steps fourfold (150,000 rows x 30 columns:
    4 instead of 8 times). A step that makes things worse is halved. A
    direction without information (a column that is empty or repeats others,
    without penalty) keeps the coefficient it has: separation ends after
    `max_steps`, it does not crash.

    levels    : int32[n, k], columns of the design that are one in this row, each -1 (none) or in
                [1, p - d), ascending within a row apart from -1
    dense     : float64[n, d], the terms of the last d columns
    successes : float64[n], of `totals` float64[n]
    penalty   : float64[p], p columns in all, column 0 the intercept
    returns   : float64[p]
    """
    p = penalty.shape[0]
    coefficients = np.zeros(p)
    share = (successes.sum() + 0.5) / (totals.sum() + 1.0)
    coefficients[0] = np.log(share / (1.0 - share))
    predictor = np.empty(levels.shape[0])
    gradient, step = np.empty(p), np.zeros(p)
    information = np.zeros((p, p))
    before, size_before, n_fresh = -np.inf, np.inf, 0
    for _ in range(max_steps):
        linear_predictor(levels, dense, coefficients, predictor)
        reached = _penalised_likelihood(predictor, successes, totals, penalty, coefficients)
        if reached < before - 1e-9 * (1.0 + abs(before)):
            step *= 0.5
            coefficients -= step
            n_fresh = 0
            continue
        before = reached
        _fill_gradient(levels, dense, predictor, successes, totals, penalty, coefficients, gradient)
        is_fresh = n_fresh < _FULL_STEPS
        if is_fresh:
            _fill_information(levels, dense, predictor, totals, penalty, information)
            _factorise(information)
            n_fresh += 1
        _solve(information, gradient, step)
        size = np.abs(step).max()
        if not is_fresh and size > 0.25 * size_before:
            n_fresh = _FULL_STEPS - 1
        size_before = size
        coefficients += step
        if size < _CLOSE_ENOUGH:
            break
    return coefficients


@kernel
def linear_predictor(levels, dense, coefficients, predictor):
    """Fill `predictor` float64[n] with intercept + levels + dense terms of every row; see `fit_logistic`."""
    first_dense = coefficients.shape[0] - dense.shape[1]
    for i in range(levels.shape[0]):
        total = coefficients[0]
        for j in range(levels.shape[1]):
            if levels[i, j] > 0:
                total += coefficients[levels[i, j]]
        for j in range(dense.shape[1]):
            total += dense[i, j] * coefficients[first_dense + j]
        predictor[i] = total


@kernel
def probability(predictor):
    """The inverse of the logit, without overflow, for one number."""
    if predictor >= 0.0:
        return 1.0 / (1.0 + np.exp(-predictor))
    odds = np.exp(predictor)
    return odds / (1.0 + odds)


@kernel
def _penalised_likelihood(predictor, successes, totals, penalty, coefficients):
    total = 0.0
    for i in range(predictor.shape[0]):
        eta = predictor[i]
        log_one_plus = max(eta, 0.0) + np.log1p(np.exp(-abs(eta)))
        total += successes[i] * eta - totals[i] * log_one_plus
    for j in range(penalty.shape[0]):
        total -= 0.5 * penalty[j] * coefficients[j] * coefficients[j]
    return total


@kernel
def _fill_gradient(levels, dense, predictor, successes, totals, penalty, coefficients, gradient):
    p = penalty.shape[0]
    first_dense = p - dense.shape[1]
    for j in range(p):
        gradient[j] = -penalty[j] * coefficients[j]
    for i in range(levels.shape[0]):
        residual = successes[i] - totals[i] * probability(predictor[i])
        gradient[0] += residual
        for j in range(levels.shape[1]):
            if levels[i, j] > 0:
                gradient[levels[i, j]] += residual
        for j in range(dense.shape[1]):
            gradient[first_dense + j] += residual * dense[i, j]


@kernel
def _fill_information(levels, dense, predictor, totals, penalty, information):
    """Upper triangle of the second derivatives, sign turned."""
    p, k, d = penalty.shape[0], levels.shape[1], dense.shape[1]
    first_dense = p - d
    information[:] = 0.0
    for j in range(p):
        information[j, j] = penalty[j]
    active = np.empty(k + 1, np.int64)
    active[0] = 0
    for i in range(levels.shape[0]):
        mean = probability(predictor[i])
        weight = totals[i] * mean * (1.0 - mean)
        n_active = 1
        for j in range(k):
            if levels[i, j] > 0:
                active[n_active] = levels[i, j]
                n_active += 1
        for s in range(n_active):
            row = information[active[s]]
            for t in range(s, n_active):
                row[active[t]] += weight
            for t in range(d):
                row[first_dense + t] += weight * dense[i, t]
        for s in range(d):
            row = information[first_dense + s]
            weighted = weight * dense[i, s]
            for t in range(s, d):
                row[first_dense + t] += weighted * dense[i, t]


@kernel
def _factorise(matrix):
    """Cholesky in place: the upper triangle becomes U with UᵀU = matrix.

    Rows are updated along their contiguous side, which compilers vectorise.
    A pivot that is nothing but rounding is set to infinity: its step is 0.
    """
    p = matrix.shape[0]
    diagonal = np.empty(p)
    for j in range(p):
        diagonal[j] = matrix[j, j]
    for j in range(p):
        if matrix[j, j] <= _FLAT * max(diagonal[j], 1e-300):
            matrix[j, j] = np.inf
            matrix[j, j + 1 :] = 0.0
            continue
        root = np.sqrt(matrix[j, j])
        for t in range(j, p):
            matrix[j, t] /= root
        for s in range(j + 1, p):
            factor = matrix[j, s]
            if factor != 0.0:
                for t in range(s, p):
                    matrix[s, t] -= factor * matrix[j, t]


@kernel
def _solve(factor, right, solution):
    """Fill `solution` of UᵀU · solution = right."""
    p = factor.shape[0]
    for j in range(p):
        solution[j] = right[j]
    for j in range(p):
        solution[j] /= factor[j, j]
        for t in range(j + 1, p):
            solution[t] -= factor[j, t] * solution[j]
    for j in range(p - 1, -1, -1):
        total = solution[j]
        for t in range(j + 1, p):
            total -= factor[j, t] * solution[t]
        solution[j] = total / factor[j, j]
