"""Penalised logistic regression on unique rows with counts, for controls that have a few values each.

A row is told by its *slots*: for every control the value that it has. All that a value does (a level of
its own, a line, a square) is worked out once for every slot, and what several controls do together once for
every combination of their values that occurs (`kernels.joined_controls`). So a pass over the rows looks up
one number for each group of controls and adds one residual to each, whatever the number of coefficients.
Any order of the rows gives the same answer; sorted rows with the controls of few values first give it sooner.
"""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.cholesky import factorise, solve
from causalrules.kernels.compiled import kernel
from causalrules.kernels.information import fill_information, room_for, shared_with_previous

_CLOSE_ENOUGH = 1e-10
_LONG, _MUCH_TOO_LONG, _N_LONG = 0.5, 3.0, 2
"""Steps longer than the first change the information so much that it is computed anew, after so many of them;
at once where they are longer than the second."""

_TURNED = 0.1
"""Share of a step's first slope that its last may have with the other sign. Slopes are bounded far away
from the mode, so a larger share lets steps pass that lead nowhere."""

_MOST_PAIRS = 12


@kernel
def fit_logistic(
    slots,
    codes,
    slots_of_code,
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

    Newton's steps, but the information is what a step costs, and it hardly changes near the end: there the
    last one is corrected by what the gradients tell of it (limited-memory BFGS, Nocedal 1980), and for a
    step or two before. On Adult that takes 3 computations of it instead of 9, on Census Income 5. Where the
    slope along a step has turned round, the step was too long and is halved. A direction without
    information (a column that is empty or repeats others, without penalty) keeps the coefficient it has:
    separation ends after `max_steps`, it does not crash.

    slots          : integer[n, k], the value of every control, numbered over all controls
    codes, slots_of_code : the same by groups of controls, see `kernels.joined_controls.join_controls`
    first_slot     : int64[k + 1], where the values of each control begin
    level_of_slot  : int32[n_slots], the design's column that is one for this value, in [1, p - d), or -1
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
    effects_of_code, residuals_of_code = np.empty(len(slots_of_code)), np.empty(len(slots_of_code))
    information, room = np.empty((p, p)), room_for(n_slots)
    shared = shared_with_previous(slots)
    for a in range(p):
        coefficients[a] = start[a]
    n_pairs, size, size_before, promised, has_factor = 0, np.inf, np.inf, 0.0, False
    for _ in range(max_steps):
        _fill_effects(first_slot, level_of_slot, value_of_slot, term_of_column, coefficients, effects)
        _sum_effects(slots_of_code, effects, effects_of_code)
        rest = _look_at_rows(
            codes, effects_of_code, coefficients[0], successes, totals, residuals_of_code, weights
        )
        _spread_residuals(slots_of_code, residuals_of_code, residuals)
        fill_gradient(first_slot, level_of_slot, value_of_slot, term_of_column, residuals, gradient)
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
        is_near_the_end = size <= _LONG and size <= 0.5 * size_before and n_pairs < _MOST_PAIRS
        if has_factor and (is_near_the_end or (size <= _MUCH_TOO_LONG and n_pairs < _N_LONG)):
            # The step just made, and how it turned the gradient.
            curve = 0.0
            for a in range(p):
                moves[n_pairs, a], turns[n_pairs, a] = step[a], before[a] - gradient[a]
                curve += moves[n_pairs, a] * turns[n_pairs, a]
            along[n_pairs] = curve
            n_pairs += curve > 0.0
        else:
            fill_information(
                slots,
                shared,
                first_slot,
                level_of_slot,
                value_of_slot,
                term_of_column,
                weights,
                penalty,
                room,
                information,
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
def _sum_effects(slots_of_code, effects, effects_of_code):
    """What each combination of values adds to the predictor."""
    for code in range(slots_of_code.shape[0]):
        total = 0.0
        for j in range(slots_of_code.shape[1]):
            if slots_of_code[code, j] >= 0:
                total += effects[slots_of_code[code, j]]
        effects_of_code[code] = total


@kernel
def _spread_residuals(slots_of_code, residuals_of_code, residuals):
    """From residuals of combinations to those of the values in them."""
    residuals[:] = 0.0
    for code in range(slots_of_code.shape[0]):
        for j in range(slots_of_code.shape[1]):
            if slots_of_code[code, j] >= 0:
                residuals[slots_of_code[code, j]] += residuals_of_code[code]


@kernel
def _look_at_rows(codes, effects, intercept, successes, totals, residuals, weights):
    """Sum the residuals of each combination's rows, fill in each row's weight; returns the sum of them all.

    The first three groups of controls are no loop: which row is next does not hang on how it ends.
    """
    residuals[:] = 0.0
    total = 0.0
    for i in range(codes.shape[0]):
        first, second, third = codes[i, 0], codes[i, 1], codes[i, 2]
        predictor = intercept + effects[first] + effects[second] + effects[third]
        for g in range(3, codes.shape[1]):
            predictor += effects[codes[i, g]]
        odds = math.exp(-abs(predictor))  # of the less likely outcome, so that nothing overflows
        share = 1.0 / (1.0 + odds)
        weights[i] = totals[i] * odds * share * share
        residual = successes[i] - totals[i] * (share if predictor >= 0.0 else odds * share)
        residuals[first] += residual
        residuals[second] += residual
        residuals[third] += residual
        for g in range(3, codes.shape[1]):
            residuals[codes[i, g]] += residual
        total += residual
    return total


@kernel
def fill_gradient(first_slot, level_of_slot, value_of_slot, term_of_column, residuals, gradient):
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
