"""Passes over records that are told by a few small codes each: what models of whole columns need of them.

A term of a model is a column of codes, and what it does to the predictor is worked out once for each code. So
a pass looks up one number a term and adds one residual to each, whatever the number of coefficients; and the
information is made of the tables of each two terms' codes, which are small.

Places are told as unsigned numbers: of a signed one compiled code asks whether it counts from the end.
"""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.compiled import kernel

_BLOCK = 4096
"""Rows whose codes and weights stay in the nearest cache while all pairs of terms are gone through."""

_SHORT_BLOCK, _FEW_ROWS = 1024, 64

_LOG2_E = 1.4426950408889634
_LN_2, _REST_OF_LN_2 = 0.693147180369123816490, 1.90821492927058770002e-10
"""The logarithm of 2 in two parts, of which the first times a power is exact."""

_SMALLEST_POWER = 1022
_POWERS_OF_2 = 2.0 ** np.arange(-_SMALLEST_POWER, 1)


@kernel
def fill_pair_tables(codes, n_codes, weights, starts, tables):
    """Add up weights by the codes of each two terms.

    codes   : int32[m, n]
    n_codes : int64[m]
    weights : float64[n]
    starts  : int64[m, m], where the table of terms s < t begins, n_codes[s] x n_codes[t]; of s = t the sums
    by code
    tables  : float64[size], zeros on entry
    """
    m, n = codes.shape
    for first in range(0, n, _BLOCK):
        end = min(first + _BLOCK, n)
        for s in range(m):
            own, start = codes[s], starts[s, s]
            for i in range(first, end):
                tables[np.uint64(start + own[i])] += weights[i]
            for t in range(s + 1, m):
                other, start, width = codes[t], starts[s, t], n_codes[t]
                for i in range(first, end):
                    tables[np.uint64(start + own[i] * width + other[i])] += weights[i]


@kernel
def fill_cell_tables(codes, n_codes, values, sets, starts, tables):
    """Add up several values by the cells of sets of terms.

    codes   : int32[m, n]
    n_codes : int64[m]
    values  : float64[n, k]
    sets    : int64[n_sets, size], places of the terms of each set
    starts  : int64[n_sets], where each set's cells begin, the last term's codes next to each other
    tables  : float64[n_cells of all sets, k], zeros on entry
    """
    n, k = values.shape
    cells = np.empty(_BLOCK, np.int64)
    for first in range(0, n, _BLOCK):
        size = min(_BLOCK, n - first)
        for q in range(sets.shape[0]):
            cells[:size] = 0
            for place in sets[q]:
                own, width = codes[place], n_codes[place]
                for i in range(size):
                    cells[i] = cells[i] * width + own[first + i]
            for i in range(size):
                cell = np.uint64(starts[q] + cells[i])
                for c in range(k):
                    tables[cell, c] += values[first + i, c]


@kernel
def logit_pass(codes, first_slot, effects, intercept, has, weights, mean, residual_sums, curvature):
    """Fitted chances, residuals by code, curvatures; returns the log likelihood and the sum of residuals.

    codes         : int32[m, n]
    first_slot    : int64[m]
    effects       : float64[n_slots], what each code of each term adds to the log odds
    has           : float64[n], 0 to 1
    weights       : float64[n]
    mean          : float64[n], filled: the chance
    residual_sums : float64[n_slots], filled: sums of weights * (has - chance) by code
    curvature     : float64[n], filled: weights * chance * (1 - chance)
    """
    m, n = codes.shape
    residual_sums[:] = 0.0
    fit, total = 0.0, 0.0
    of_row = np.empty(_SHORT_BLOCK)  # predictors, then residuals: a term after the other is gone through
    for first in range(0, n, _SHORT_BLOCK):
        size = min(_SHORT_BLOCK, n - first)
        of_row[:size] = intercept
        for t in range(m):
            own, start = codes[t], first_slot[t]
            for i in range(size):
                of_row[i] += effects[np.uint64(start + own[first + i])]
        for i in range(size):
            predictor, row = of_row[i], first + i
            odds = math.exp(-abs(predictor))
            share = 1.0 / (1.0 + odds)
            chance = share if predictor >= 0.0 else odds * share
            mean[row] = chance
            curvature[row] = weights[row] * odds * share * share
            fit += weights[row] * (has[row] * predictor - max(predictor, 0.0) - math.log1p(odds))
            of_row[i] = weights[row] * (has[row] - chance)
            total += of_row[i]
        for t in range(m):
            own, start = codes[t], first_slot[t]
            for i in range(size):
                residual_sums[np.uint64(start + own[first + i])] += of_row[i]
    return fit, total


@kernel
def fill_exponentials(values, n):
    """Replace values[:n], none above 0, by their exponentials, to a few units of the last digit.

    Compilers turn this into steps of four numbers at a time, as they cannot do with the library's function:
    1.3 instead of 2.9 ns a number. Below -700 it is that of -700, nothing in any sum of chances.
    """
    for i in range(n):
        value = max(values[i], -700.0)
        power = math.floor(value * _LOG2_E + 0.5)
        x = value - power * _LN_2 - power * _REST_OF_LN_2
        total = 1 / 479001600
        total = total * x + 1 / 39916800
        total = total * x + 1 / 3628800
        total = total * x + 1 / 362880
        total = total * x + 1 / 40320
        total = total * x + 1 / 5040
        total = total * x + 1 / 720
        total = total * x + 1 / 120
        total = total * x + 1 / 24
        total = total * x + 1 / 6
        total = total * x + 0.5
        total = total * x + 1.0
        total = total * x + 1.0
        values[i] = total * _POWERS_OF_2[np.int32(power) + _SMALLEST_POWER]


@kernel
def softmax_pass(codes, first_slot, effects, intercepts, level, weights, chances, residual_sums, totals):
    """The same for more than two levels; returns the log likelihood.

    effects       : float64[n_slots, k]
    intercepts    : float64[k]
    level         : int64[n], in [0, k)
    chances       : float64[n, k], filled
    residual_sums : float64[n_slots, k], filled
    totals        : float64[k], filled: sums of the residuals
    """
    m, n = codes.shape
    k = intercepts.shape[0]
    # Four levels at a time: so many numbers are looked up, and added to, in one step.
    width = (k + 3) // 4 * 4
    padded, sums = np.zeros((effects.shape[0], width)), np.zeros((effects.shape[0], width))
    padded[:, :k] = effects
    start = np.full(width, -np.inf)
    start[:k] = intercepts
    totals[:] = 0.0
    fit = 0.0
    slots = np.empty((_FEW_ROWS, m), np.uint64)
    scores = np.empty((_FEW_ROWS, width))
    for first in range(0, n, _FEW_ROWS):
        size = min(_FEW_ROWS, n - first)
        for i in range(size):
            for t in range(m):
                slots[i, t] = np.uint64(first_slot[t] + codes[t, first + i])
            for c in range(0, width, 4):
                s0, s1, s2, s3 = start[c], start[c + 1], start[c + 2], start[c + 3]
                for t in range(m):
                    slot = slots[i, t]
                    s0 += padded[slot, c]
                    s1 += padded[slot, c + 1]
                    s2 += padded[slot, c + 2]
                    s3 += padded[slot, c + 3]
                scores[i, c], scores[i, c + 1], scores[i, c + 2], scores[i, c + 3] = s0, s1, s2, s3
            highest = scores[i, 0]
            for c in range(1, k):
                highest = max(highest, scores[i, c])
            for c in range(width):
                scores[i, c] -= highest
            fit += weights[first + i] * scores[i, level[first + i]]
        fill_exponentials(scores.reshape(-1), size * width)
        for i in range(size):
            weight, total = weights[first + i], 0.0
            for c in range(k):
                total += scores[i, c]
            fit -= weight * math.log(total)
            for c in range(k):
                chance = scores[i, c] / total
                chances[first + i, c] = chance
                scores[i, c] = -weight * chance
            scores[i, level[first + i]] += weight
            for c in range(k):
                totals[c] += scores[i, c]
            for c in range(0, width, 4):
                s0, s1, s2, s3 = scores[i, c], scores[i, c + 1], scores[i, c + 2], scores[i, c + 3]
                for t in range(m):
                    slot = slots[i, t]
                    sums[slot, c] += s0
                    sums[slot, c + 1] += s1
                    sums[slot, c + 2] += s2
                    sums[slot, c + 3] += s3
    residual_sums[:, :] = sums[:, :k]
    return fit


@kernel
def sum_by_code(codes, first_slot, values, sums):
    """Add up the values of rows by the codes of every term.

    values : float64[n, k]
    sums   : float64[n_slots, k], zeros on entry
    """
    m, n = codes.shape
    for i in range(n):
        for t in range(m):
            slot = first_slot[t] + codes[t, i]
            for c in range(values.shape[1]):
                sums[slot, c] += values[i, c]


@kernel
def add_effects(codes, first_slot, effects, predictor):
    """Add to `predictor` float64[n, k] what the codes of every row do: effects float64[n_slots, k]."""
    m, n = codes.shape
    for i in range(n):
        for t in range(m):
            slot = first_slot[t] + codes[t, i]
            for c in range(effects.shape[1]):
                predictor[i, c] += effects[slot, c]
