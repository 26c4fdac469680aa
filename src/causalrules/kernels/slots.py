"""Sums over records whose weights are known by the row they belong to."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_AT_A_TIME = 3
"""Weights: an exposed record that is matched has three, others have fewer."""


@kernel
def add_weights_by_slot(codes, first_slot, row_of, n_records, weights, sums):
    """Add each record's weights to the slot of every value it has.

    Records that have the same of the weights, the others being 0, are added together, up to three weights at
    a time.

    codes      : uint8 or uint16[n_columns, n], 0 for missing
    first_slot : intp[n_columns], slot of each column's code 0, ascending; the last one's end with `sums`
    row_of     : int32[n], the row of each record
    n_records  : int64[n], how often each record occurs
    weights    : int64[n_rows, m], m a few
    sums       : int64[n_slots, m], added to
    """
    n_rows, m = weights.shape
    which_of_row, n_which = np.zeros(n_rows, np.int64), np.zeros(1 << m, np.int64)
    for row in range(n_rows):
        for j in range(m):
            if weights[row, j] != 0:
                which_of_row[row] |= 1 << j
        n_which[which_of_row[row]] += 1
    who, some = np.empty(codes.shape[1], np.int64), np.empty(m, np.int64)
    for which in range(1, 1 << m):
        if n_which[which] == 0:
            continue
        n_who, n_some = 0, 0
        for i in range(codes.shape[1]):
            who[n_who] = i
            n_who += which_of_row[row_of[i]] == which
        for j in range(m):
            some[n_some] = j
            n_some += which >> j & 1
        for start in range(0, n_some, _AT_A_TIME):
            now = some[start : min(start + _AT_A_TIME, n_some)]
            own = np.empty((n_who, len(now)), np.int64)
            for i in range(n_who):
                for j in range(len(now)):
                    own[i, j] = n_records[who[i]] * weights[row_of[who[i]], now[j]]
            for c in range(codes.shape[0]):
                end = first_slot[c + 1] if c + 1 < codes.shape[0] else sums.shape[0]
                part = np.zeros((2, end - first_slot[c], len(now)), np.int64)
                _add_column(codes[c], who[:n_who], own, part)
                for slot in range(part.shape[1]):
                    for j in range(len(now)):
                        sums[first_slot[c] + slot, now[j]] += part[0, slot, j] + part[1, slot, j]


@kernel
def _add_column(codes, who, own, part):
    """Add the weights of some records to their values of one column.

    A sum that was just added to is not ready yet, so two sums take turns.
    """
    n = len(who)
    if own.shape[1] == 1:
        for i in range(n):
            part[i & 1, codes[who[i]], 0] += own[i, 0]
    elif own.shape[1] == 2:
        for i in range(n):
            turn, code = i & 1, codes[who[i]]
            part[turn, code, 0] += own[i, 0]
            part[turn, code, 1] += own[i, 1]
    else:
        for i in range(n):
            turn, code = i & 1, codes[who[i]]
            part[turn, code, 0] += own[i, 0]
            part[turn, code, 1] += own[i, 1]
            part[turn, code, 2] += own[i, 2]
