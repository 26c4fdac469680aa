"""Passes over records that are told by a few small codes each: what models of whole columns need of them.

A term of a model is a column of codes, and what it does to the predictor is worked out once for each code. So a
pass looks up one number a term and adds one residual to each, whatever the number of coefficients; and the
information is made of the tables of each two terms' codes, which are small.
"""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.compiled import kernel

_BLOCK = 4096
"""Rows whose codes and weights stay in the nearest cache while all pairs of terms are gone through."""


@kernel
def fill_pair_tables(codes, n_codes, weights, starts, tables):
    """Add up weights by the codes of each two terms.

    codes   : int32[m, n]
    n_codes : int64[m]
    weights : float64[n]
    starts  : int64[m, m], where the table of terms s < t begins, n_codes[s] x n_codes[t]; of s = t the sums by code
    tables  : float64[size], zeros on entry
    """
    m, n = codes.shape
    for first in range(0, n, _BLOCK):
        end = min(first + _BLOCK, n)
        for s in range(m):
            start = starts[s, s]
            for i in range(first, end):
                tables[start + codes[s, i]] += weights[i]
            for t in range(s + 1, m):
                start, width = starts[s, t], n_codes[t]
                for i in range(first, end):
                    tables[start + codes[s, i] * width + codes[t, i]] += weights[i]


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
                for i in range(size):
                    cells[i] = cells[i] * n_codes[place] + codes[place, first + i]
            for i in range(size):
                cell = starts[q] + cells[i]
                for c in range(k):
                    tables[cell, c] += values[first + i, c]


@kernel
def logit_pass(codes, first_slot, effects, intercept, has, weights, mean, residual_sums, curvature):
    """Fitted chances, residuals by code, and each row's curvature; returns the log likelihood and the rest's sum.

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
    for i in range(n):
        predictor = intercept
        for t in range(m):
            predictor += effects[first_slot[t] + codes[t, i]]
        odds = math.exp(-abs(predictor))
        share = 1.0 / (1.0 + odds)
        chance = share if predictor >= 0.0 else odds * share
        mean[i] = chance
        curvature[i] = weights[i] * odds * share * share
        fit += weights[i] * (has[i] * predictor - max(predictor, 0.0) - math.log1p(odds))
        residual = weights[i] * (has[i] - chance)
        total += residual
        for t in range(m):
            residual_sums[first_slot[t] + codes[t, i]] += residual
    return fit, total


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
    residual_sums[:, :] = 0.0
    totals[:] = 0.0
    fit = 0.0
    row = np.empty(k)
    for i in range(n):
        for c in range(k):
            row[c] = intercepts[c]
        for t in range(m):
            slot = first_slot[t] + codes[t, i]
            for c in range(k):
                row[c] += effects[slot, c]
        highest = row[0]
        for c in range(1, k):
            highest = max(highest, row[c])
        fit += weights[i] * (row[level[i]] - highest)
        total = 0.0
        for c in range(k):
            row[c] = math.exp(row[c] - highest)
            total += row[c]
        fit -= weights[i] * math.log(total)
        for c in range(k):
            row[c] /= total
            chances[i, c] = row[c]
            row[c] *= -weights[i]
        row[level[i]] += weights[i]
        for c in range(k):
            totals[c] += row[c]
        for t in range(m):
            slot = first_slot[t] + codes[t, i]
            for c in range(k):
                residual_sums[slot, c] += row[c]
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
