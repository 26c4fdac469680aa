"""Rows with levels and dense terms of their own, as the logistic kernel wants them."""

import numpy as np

from causalrules.kernels import logistic
from causalrules.kernels.joined_controls import join_controls


def fit_logistic(levels, dense, successes, totals, penalty, start=None, max_steps=60):
    """The kernel, given levels (-1: none) and dense terms of every row; its value is a row's own slot."""
    start = np.zeros(len(penalty)) if start is None else start
    return fit_slots(*in_slots(levels, dense, len(penalty)), successes, totals, penalty, start, max_steps)


def fit_slots(slots, first_slot, *rest):
    """The kernel, with controls joined as it wants them."""
    return logistic.fit_logistic(slots, *join_controls(slots, first_slot), first_slot, *rest)


def in_slots(levels, dense, n_coefficients):
    """Slots, where each column's begin, their levels and values, and the columns' terms."""
    n, k, d = len(levels), levels.shape[1], dense.shape[1]
    first_slot = np.cumsum([0, *[n] * (k + d)]).astype(np.int64)
    slots = (first_slot[:-1] + np.arange(n)[:, None]).astype(np.int32)
    level_of_slot = np.append(levels.T.ravel(), np.full(n * d, -1)).astype(np.int32)
    value_of_slot = np.zeros((n * (k + d), 2))
    terms = np.full((k + d, 2), -1, np.int64)
    for j in range(d):  # lines and squares in turn
        value_of_slot[first_slot[k + j] : first_slot[k + j + 1], j % 2] = dense[:, j]
        terms[k + j, j % 2] = n_coefficients - d + j
    return slots, first_slot, level_of_slot, value_of_slot, terms
