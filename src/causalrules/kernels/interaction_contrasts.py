"""Interaction contrasts of many pairs at once."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel
from causalrules.kernels.set_bits import count_set_bits

MOST_LOOKED_UP = 1 << 22
"""Counts whose logarithms are looked up; tables of more records than memory has room for have larger ones."""


@kernel
def _log(count, logs):
    return logs[count] if count < len(logs) else np.log(count + 0.5)


@kernel
def _logs_up_to(most):
    """float64[n]: ln(count + ½) of every count that is looked up."""
    logs = np.empty(min(most + 1, MOST_LOOKED_UP))
    for n in range(len(logs)):
        logs[n] = np.log(n + 0.5)
    return logs


@kernel
def _contrast(both, x, y, everybody, least, logs):
    """Ln OR(x | y) - ln OR(x | not y), with half a record added to every cell, and Woolf's variance.

    both, x, y, everybody : int64[2], records without and with the outcome
    """
    contrast, variance = 0.0, 0.0
    n_neither = n_x = n_y = n_both = 0
    for z in range(2):
        sign = 2.0 * z - 1.0
        with_both = both[z]
        only_x, only_y = x[z] - with_both, y[z] - with_both
        neither = everybody[z] - only_x - only_y - with_both
        contrast += sign * (
            _log(with_both, logs) - _log(only_x, logs) - _log(only_y, logs) + _log(neither, logs)
        )
        variance += (
            1.0 / (with_both + 0.5) + 1.0 / (only_x + 0.5) + 1.0 / (only_y + 0.5) + 1.0 / (neither + 0.5)
        )
        n_both += with_both
        n_x += only_x
        n_y += only_y
        n_neither += neither
    if min(min(n_both, n_x), min(n_y, n_neither)) < least:
        variance = np.inf
    return contrast, variance


@kernel
def contrast_pairs(pairs, both, single, everybody, least, contrast, variance):
    """Fill in ln OR(x | y) - ln OR(x | not y) of every pair x, y, and Woolf's variance.

    Half a record is added to every cell. Logarithms of all but huge counts are looked up: 500,000 pairs would
    ask for 4,000,000 of them.

    pairs     : intp[n_pairs, 2], items
    both      : int64[n_pairs, 2], records with both items, without and with the outcome
    single    : int64[n_items, 2], records with each item
    everybody : int64[2]
    least     : int, records that each of the four combinations must have
    contrast  : float64[n_pairs], filled
    variance  : float64[n_pairs], filled; infinite where a combination has too few records
    """
    logs = _logs_up_to(max(everybody[0], everybody[1]))
    for p in range(pairs.shape[0]):
        x, y = single[pairs[p, 0]], single[pairs[p, 1]]
        contrast[p], variance[p] = _contrast(both[p], x, y, everybody, least, logs)


@kernel
def strongest_contrasts(without, having, column, single, everybody, least, strength, items):
    """Of every pair of columns the items whose odds ratios depend on each other most.

    Parameters: one bit a record, those without the outcome and those with it apart.

    without, having : uint64[n_items, n_words], bits of the records with each item
    column          : int64[n_items], ascending
    single          : int64[n_items, 2], records with each item, without and with the outcome
    everybody       : int64[2]
    least           : int, records that each of the four combinations must have
    strength        : float64[n_columns, n_columns], zero, filled above the diagonal: contrast² / variance
    items           : int32[n_columns, n_columns, 2], filled: the two items
    """
    logs = _logs_up_to(max(everybody[0], everybody[1]))
    both = np.empty(2, np.int64)
    for x in range(column.shape[0]):
        for y in range(x + 1, column.shape[0]):
            i, j = column[x], column[y]
            if i == j:
                continue
            for z in range(2):
                bits = having if z == 1 else without
                total = np.uint64(0)
                of_x, of_y = bits[x], bits[y]
                for w in range(of_x.shape[0]):
                    total += count_set_bits(of_x[w] & of_y[w])
                both[z] = np.int64(total)
            contrast, variance = _contrast(both, single[x], single[y], everybody, least, logs)
            found = contrast * contrast / variance
            if found > strength[i, j]:
                strength[i, j] = found
                items[i, j, 0], items[i, j, 1] = x, y
