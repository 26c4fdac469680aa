"""Sums over records whose weights are known by the row they belong to."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel


@kernel
def add_weights_by_slot(codes, first_slot, row_of, n_records, weights, sums):
    """Add each record's weights to the slot of every value it has.

    codes      : uint16[n_columns, n], 0 for missing
    first_slot : intp[n_columns], slot of each column's code 0
    row_of     : intp[n], the row of each record
    n_records  : int64[n], how often each record occurs
    weights    : int64[n_rows, m]
    sums       : int64[n_slots, m], added to
    """
    # One weight at a time: each record's is looked up once, not once for every column, and sums stay near.
    own = np.empty(codes.shape[1], np.int64)
    part = np.empty(sums.shape[0], np.int64)
    for j in range(weights.shape[1]):
        for i in range(own.shape[0]):
            own[i] = n_records[i] * weights[row_of[i], j]
        part[:] = 0
        for c in range(codes.shape[0]):
            for i in range(own.shape[0]):
                part[first_slot[c] + codes[c, i]] += own[i]
        for slot in range(part.shape[0]):
            sums[slot, j] += part[slot]
