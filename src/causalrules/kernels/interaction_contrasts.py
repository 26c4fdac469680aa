"""Interaction contrasts of many pairs at once."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

MOST_LOOKED_UP = 1 << 22
"""Counts whose logarithms are looked up; tables of more records than memory has room for have larger ones."""


@kernel
def _log(count, logs):
    return logs[count] if count < len(logs) else np.log(count + 0.5)


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
    logs = np.empty(min(max(everybody[0], everybody[1]) + 1, MOST_LOOKED_UP))
    for n in range(len(logs)):
        logs[n] = np.log(n + 0.5)
    for p in range(pairs.shape[0]):
        x, y = pairs[p, 0], pairs[p, 1]
        contrast[p], variance[p] = 0.0, 0.0
        n_neither = n_x = n_y = n_both = 0
        for z in range(2):
            sign = 2.0 * z - 1.0
            with_both = both[p, z]
            only_x, only_y = single[x, z] - with_both, single[y, z] - with_both
            neither = everybody[z] - only_x - only_y - with_both
            contrast[p] += sign * (
                _log(with_both, logs) - _log(only_x, logs) - _log(only_y, logs) + _log(neither, logs)
            )
            variance[p] += (
                1.0 / (with_both + 0.5) + 1.0 / (only_x + 0.5) + 1.0 / (only_y + 0.5) + 1.0 / (neither + 0.5)
            )
            n_both += with_both
            n_x += only_x
            n_y += only_y
            n_neither += neither
        if min(min(n_both, n_x), min(n_y, n_neither)) < least:
            variance[p] = np.inf
