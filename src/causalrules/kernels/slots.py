"""Sums over records whose weights are known by the row they belong to."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel


@kernel
def add_weights_by_slot(codes, first_slot, row_of, n_records, weights, sums):
    """Add each record's weights to the slot of every value it has.

    One weight at a time, for the records that have any of it: of a study's weights, each belongs to one
    arm. A sum that was just added to is not ready yet, so two sums take turns.

    codes      : uint16[n_columns, n], 0 for missing
    first_slot : intp[n_columns], slot of each column's code 0
    row_of     : intp[n], the row of each record
    n_records  : int64[n], how often each record occurs
    weights    : int64[n_rows, m]
    sums       : int64[n_slots, m], added to
    """
    n_columns, n = codes.shape
    own, who = np.empty(n, np.int64), np.empty(n, np.int64)
    part = np.zeros((2, sums.shape[0]), np.int64)
    for j in range(weights.shape[1]):
        n_own = 0
        for i in range(n):
            weight = n_records[i] * weights[row_of[i], j]
            own[n_own], who[n_own] = weight, i
            n_own += weight != 0
        for c in range(n_columns):
            first = first_slot[c]
            for i in range(0, n_own - 1, 2):
                part[0, first + codes[c, who[i]]] += own[i]
                part[1, first + codes[c, who[i + 1]]] += own[i + 1]
            if n_own % 2:
                part[0, first + codes[c, who[n_own - 1]]] += own[n_own - 1]
        for slot in range(sums.shape[0]):
            sums[slot, j] += part[0, slot] + part[1, slot]
            part[0, slot], part[1, slot] = 0, 0
