"""Sums over records whose weights are known by the row they belong to."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_BLOCK = 512
"""Records whose weights stay at hand while columns of two values are visited: five weights take 20 KiB."""


@kernel
def add_weights_by_slot(codes, first_slot, row_of, n_records, weights, sums):
    """Add each record's weights to the slot of every value it has.

    codes      : uint8 or uint16[n_columns, n], 0 for missing
    first_slot : intp[n_columns], slot of each column's code 0, ascending; the last one's end with `sums`
    row_of     : int32[n], the row of each record
    n_records  : int64[n], how often each record occurs
    weights    : int64[n_rows, m]
    sums       : int64[n_slots, m], added to; those of missing values may be left out
    """
    n_columns = codes.shape[0]
    few, many = np.empty(n_columns, np.int64), np.empty(n_columns, np.int64)
    n_few, n_many = 0, 0
    for c in range(n_columns):
        end = first_slot[c + 1] if c + 1 < n_columns else sums.shape[0]
        if end - first_slot[c] == 3:
            few[n_few] = c
            n_few += 1
        else:
            many[n_many] = c
            n_many += 1
    if n_few > 0:
        _add_two_values(codes, first_slot, few[:n_few], row_of, n_records, weights, sums)
    if n_many > 0:
        _add_many_values(codes, first_slot, many[:n_many], row_of, n_records, weights, sums)


@kernel
def _add_two_values(codes, first_slot, columns, row_of, n_records, weights, sums):
    """For columns of two values: a mask for each, and sums that need not wait for each other.

    Where nobody's value is missing, the second value has what the first one leaves.
    """
    n, m = codes.shape[1], weights.shape[1]
    own, total = np.empty((m, _BLOCK), np.int64), np.empty(m, np.int64)
    is_first, is_second = np.empty(_BLOCK, np.int64), np.empty(_BLOCK, np.int64)
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        for j in range(m):
            total[j] = 0
            for i in range(size):
                own[j, i] = n_records[start + i] * weights[row_of[start + i], j]
                total[j] += own[j, i]
        for k in range(columns.shape[0]):
            c = columns[k]
            n_missing = 0
            for i in range(size):
                code = codes[c, start + i]
                is_first[i] = -1 if code == 1 else 0
                n_missing += code == 0
            if n_missing:
                for i in range(size):
                    is_second[i] = -1 if codes[c, start + i] == 2 else 0
            for j in range(m):
                first, second = np.int64(0), np.int64(0)
                for i in range(size):
                    first += own[j, i] & is_first[i]
                if n_missing:
                    for i in range(size):
                        second += own[j, i] & is_second[i]
                else:
                    second = total[j] - first
                sums[first_slot[c] + 1, j] += first
                sums[first_slot[c] + 2, j] += second


@kernel
def _add_many_values(codes, first_slot, columns, row_of, n_records, weights, sums):
    """One weight at a time, for the records that have any of it: each of a study's belongs to one arm.

    A sum that was just added to is not ready yet, so two sums take turns.
    """
    n = codes.shape[1]
    own, who = np.empty(n, np.int64), np.empty(n, np.int64)
    part = np.zeros((2, sums.shape[0]), np.int64)
    for j in range(weights.shape[1]):
        n_own = 0
        for i in range(n):
            weight = n_records[i] * weights[row_of[i], j]
            own[n_own], who[n_own] = weight, i
            n_own += weight != 0
        for k in range(columns.shape[0]):
            c = columns[k]
            first = first_slot[c]
            for i in range(0, n_own - 1, 2):
                part[0, first + codes[c, who[i]]] += own[i]
                part[1, first + codes[c, who[i + 1]]] += own[i + 1]
            if n_own % 2:
                part[0, first + codes[c, who[n_own - 1]]] += own[n_own - 1]
        for slot in range(sums.shape[0]):
            sums[slot, j] += part[0, slot] + part[1, slot]
            part[0, slot], part[1, slot] = 0, 0
