"""The information of a logistic regression: the second derivatives of its likelihood, sign turned.

See `kernels.logistic` for how rows and the design are told.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from causalrules.kernels.compiled import kernel

_BLOCK = 128
"""Rows whose terms are kept at hand while their products are summed: 8 terms take 16 KiB."""


# Sums may be taken in any order here: the information says where to look, not what is found.
@partial(kernel, sums_in_any_order=True)
def fill_information(
    slots, shared, level_of_slot, value_of_slot, term_of_column, weights, penalty, information
):
    """Fill the upper triangle of `information` float64[p, p].

    Products of levels are summed once for all rows that share the controls they belong to.

    shared  : int64[n + 1], leading controls in which a row is like the one before
    weights : float64[n], variance of each row's successes
    penalty : float64[p], added to the diagonal
    """
    n, k = slots.shape
    p = penalty.shape[0]
    d = 0
    for j in range(k):
        for which in range(2):
            d += term_of_column[j, which] > 0
    first = p - d
    values, weighted = np.empty((d, _BLOCK)), np.empty((d, _BLOCK))
    # Of the rows that share the first j controls: the weight, the weighted sums of terms, and how many
    # levels these controls have; `levels` are their columns, the intercept's first.
    weight_of, terms_of = np.zeros(k + 1), np.zeros((k + 1, d))
    n_levels, levels = np.ones(k + 1, np.int64), np.zeros(k + 2, np.int64)
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
            row = start + i
            for j in range(shared[row], k):
                level = level_of_slot[slots[row, j]]
                levels[n_levels[j]] = level
                n_levels[j + 1] = n_levels[j] + (level > 0)
            weight_of[k] += weights[row]
            for t in range(d):
                terms_of[k, t] += weighted[t, i]
            for j in range(k, shared[row + 1], -1):
                if n_levels[j] > n_levels[j - 1]:
                    b = levels[n_levels[j] - 1]
                    for s in range(n_levels[j]):
                        information[b, levels[s]] += weight_of[j]
                    for t in range(d):
                        information[b, first + t] += terms_of[j, t]
                weight_of[j - 1] += weight_of[j]
                weight_of[j] = 0.0
                for t in range(d):
                    terms_of[j - 1, t] += terms_of[j, t]
                    terms_of[j, t] = 0.0
    information[0, 0] += weight_of[0]
    for t in range(d):
        information[0, first + t] += terms_of[0, t]
    for a in range(first):  # a pair was summed on the side of the control that comes later
        for b in range(a + 1, first):
            information[a, b] += information[b, a]
