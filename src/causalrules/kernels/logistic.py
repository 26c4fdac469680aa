"""Penalised logistic regression on unique rows with counts, for controls that have a few values each.

A row is told by its *slots*: for every control the value that it has. All that a value does (a level of
its own, a line, a square) is worked out once for every slot, so a pass over the rows looks one number up
for each control and adds one residual to each, whatever the number of coefficients.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from causalrules.kernels.cholesky import factorise, solve
from causalrules.kernels.compiled import kernel

_CLOSE_ENOUGH = 1e-10
_LONG = 0.15
"""Steps longer than this change the information so much that it is computed anew."""

_TURNED = 0.1
"""Share of a step's first slope that its last may have with the other sign. Slopes are bounded far away
from the mode, so a larger share lets steps pass that lead nowhere."""

_MOST_PAIRS = 12
_BLOCK = 128
"""Rows whose terms are kept at hand while their products are summed: 8 terms take 16 KiB."""


@kernel
def fit_logistic(
    slots,
    first_slot,
    level_of_slot,
    value_of_slot,
    term_of_column,
    successes,
    totals,
    penalty,
    start,
    max_steps,
):
    """Coefficients that maximise the log likelihood minus half of sum(penalty · coefficient²).

    Newton's steps while they are long. The information is what a step costs, and it hardly changes near
    the end: from there on the last one is corrected by what the gradients tell of it (limited-memory
    BFGS, Nocedal 1980). On Adult that takes 5 computations of it instead of 9. Where the slope along a
    step has turned round, the step was too long and is halved. A direction without information (a column
    that is empty or repeats others, without penalty) keeps the coefficient it has: separation ends after
    `max_steps`, it does not crash.

    slots          : int32[n, k], the value of every control, numbered over all controls
    first_slot     : int64[k + 1], where the values of each control begin
    level_of_slot  : int32[n_slots], the design's column that is one for this value, in [1, p - d), or -1;
                     those of a control are larger than those of the controls before it
    value_of_slot  : float64[n_slots, 2], a value's line and square
    term_of_column : int64[k, 2], the design's columns of a control's line and square, or -1; they are the
                     last d
    successes      : float64[n], of `totals` float64[n]
    penalty        : float64[p], p columns in all, column 0 the intercept
    start          : float64[p], where to start from
    returns        : float64[p]
    """
    n, p, n_slots = slots.shape[0], penalty.shape[0], level_of_slot.shape[0]
    coefficients, gradient, before, step = np.empty(p), np.empty(p), np.zeros(p), np.zeros(p)
    moves, turns, along = np.empty((_MOST_PAIRS, p)), np.empty((_MOST_PAIRS, p)), np.empty(_MOST_PAIRS)
    effects, residuals, weights = np.empty(n_slots), np.empty(n_slots), np.empty(n)
    information = np.empty((p, p))
    for a in range(p):
        coefficients[a] = start[a]
    n_pairs, size, size_before, promised, has_factor = 0, np.inf, np.inf, 0.0, False
    for _ in range(max_steps):
        _fill_effects(first_slot, level_of_slot, value_of_slot, term_of_column, coefficients, effects)
        rest = _look_at_rows(slots, effects, coefficients[0], successes, totals, residuals, weights)
        _fill_gradient(first_slot, level_of_slot, value_of_slot, term_of_column, residuals, gradient)
        gradient[0] = rest
        slope = 0.0
        for a in range(p):
            gradient[a] -= penalty[a] * coefficients[a]
            slope += gradient[a] * step[a]
        if slope < -_TURNED * promised:
            for a in range(p):
                step[a] *= 0.5
                coefficients[a] -= step[a]
            promised *= 0.5
            has_factor = False
            continue
        if has_factor and size <= _LONG and size <= 0.5 * size_before and n_pairs < _MOST_PAIRS:
            # The step just made, and how it turned the gradient.
            curve = 0.0
            for a in range(p):
                moves[n_pairs, a], turns[n_pairs, a] = step[a], before[a] - gradient[a]
                curve += moves[n_pairs, a] * turns[n_pairs, a]
            along[n_pairs] = curve
            n_pairs += curve > 0.0
        else:
            _fill_information(
                slots, level_of_slot, value_of_slot, term_of_column, weights, penalty, information
            )
            factorise(information, p)
            n_pairs, has_factor = 0, True
        _solve_corrected(information, gradient, moves, turns, along, n_pairs, step)
        size_before, size, promised = size, 0.0, 0.0
        for a in range(p):
            before[a] = gradient[a]
            coefficients[a] += step[a]
            size = max(size, abs(step[a]))
            promised += gradient[a] * step[a]
        if size < _CLOSE_ENOUGH:
            break
    return coefficients


@kernel
def linear_predictor(
    slots, first_slot, level_of_slot, value_of_slot, term_of_column, coefficients, predictor
):
    """Fill `predictor` float64[n] with the intercept and the effects of every row; see `fit_logistic`."""
    effects = np.empty(level_of_slot.shape[0])
    _fill_effects(first_slot, level_of_slot, value_of_slot, term_of_column, coefficients, effects)
    for i in range(slots.shape[0]):
        total = coefficients[0]
        for j in range(slots.shape[1]):
            total += effects[slots[i, j]]
        predictor[i] = total


@kernel
def _fill_effects(first_slot, level_of_slot, value_of_slot, term_of_column, coefficients, effects):
    """What each value adds to the predictor."""
    for j in range(term_of_column.shape[0]):
        line, square = term_of_column[j, 0], term_of_column[j, 1]
        for slot in range(first_slot[j], first_slot[j + 1]):
            total = 0.0
            if level_of_slot[slot] > 0:
                total += coefficients[level_of_slot[slot]]
            if line > 0:
                total += coefficients[line] * value_of_slot[slot, 0]
            if square > 0:
                total += coefficients[square] * value_of_slot[slot, 1]
            effects[slot] = total


@kernel
def _look_at_rows(slots, effects, intercept, successes, totals, residuals, weights):
    """Sum the residuals of each value's rows, fill in each row's weight; returns the sum of all residuals."""
    everybody = 0.0
    for slot in range(residuals.shape[0]):
        residuals[slot] = 0.0
    for i in range(slots.shape[0]):
        predictor = intercept
        for j in range(slots.shape[1]):
            predictor += effects[slots[i, j]]
        odds = math.exp(-abs(predictor))  # of the less likely outcome, so that nothing overflows
        share = 1.0 / (1.0 + odds)
        weights[i] = totals[i] * odds * share * share
        residual = successes[i] - totals[i] * (share if predictor >= 0.0 else odds * share)
        everybody += residual
        for j in range(slots.shape[1]):
            residuals[slots[i, j]] += residual
    return everybody


@kernel
def _fill_gradient(first_slot, level_of_slot, value_of_slot, term_of_column, residuals, gradient):
    """From residuals of values to those of the design's columns."""
    for a in range(gradient.shape[0]):
        gradient[a] = 0.0
    for j in range(term_of_column.shape[0]):
        line, square = term_of_column[j, 0], term_of_column[j, 1]
        for slot in range(first_slot[j], first_slot[j + 1]):
            if level_of_slot[slot] > 0:
                gradient[level_of_slot[slot]] += residuals[slot]
            if line > 0:
                gradient[line] += residuals[slot] * value_of_slot[slot, 0]
            if square > 0:
                gradient[square] += residuals[slot] * value_of_slot[slot, 1]


# Sums may be taken in any order here: the information says where to look, not what is found.
@partial(kernel, sums_in_any_order=True)
def _fill_information(slots, level_of_slot, value_of_slot, term_of_column, weights, penalty, information):
    """Upper triangle of the second derivatives, sign turned."""
    n, k = slots.shape
    p = penalty.shape[0]
    d = 0
    for j in range(k):
        for which in range(2):
            d += term_of_column[j, which] > 0
    first = p - d
    values, weighted = np.empty((d, _BLOCK)), np.empty((d, _BLOCK))
    of_row, active = np.empty(d), np.empty(k + 1, np.int64)
    active[0] = 0
    for a in range(p):
        for b in range(p):
            information[a, b] = 0.0
        information[a, a] = penalty[a]
    for start in range(0, n, _BLOCK):
        m = min(_BLOCK, n - start)
        for j in range(k):
            for which in range(2):
                t = term_of_column[j, which] - first
                if t >= 0:
                    for i in range(m):
                        values[t, i] = value_of_slot[slots[start + i, j], which]
                        weighted[t, i] = values[t, i] * weights[start + i]
        for s in range(d):
            for t in range(s, d):
                total = 0.0
                for i in range(m):
                    total += weighted[s, i] * values[t, i]
                information[first + s, first + t] += total
        for i in range(m):
            weight = weights[start + i]
            n_active = 1
            for j in range(k):
                level = level_of_slot[slots[start + i, j]]
                active[n_active] = level
                n_active += level > 0
            for t in range(d):
                of_row[t] = weighted[t, i]
            for s in range(n_active):
                a = active[s]
                for t in range(s, n_active):
                    information[a, active[t]] += weight
                for t in range(d):
                    information[a, first + t] += of_row[t]


@kernel
def _solve_corrected(factor, gradient, moves, turns, along, n_pairs, step):
    """Fill `step`: the solution for the gradient, corrected by the last moves (Nocedal's two loops)."""
    p = gradient.shape[0]
    shares = np.empty(n_pairs)
    for a in range(p):
        step[a] = gradient[a]
    for k in range(n_pairs - 1, -1, -1):
        share = 0.0
        for a in range(p):
            share += moves[k, a] * step[a]
        shares[k] = share / along[k]
        for a in range(p):
            step[a] -= shares[k] * turns[k, a]
    solve(factor, p, step)
    for k in range(n_pairs):
        share = 0.0
        for a in range(p):
            share += turns[k, a] * step[a]
        share = shares[k] - share / along[k]
        for a in range(p):
            step[a] += share * moves[k, a]
