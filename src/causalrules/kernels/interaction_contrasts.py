"""Interaction contrasts of many pairs at once."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel


@kernel
def contrast_pairs(pairs, both, single, everybody, least, contrast, variance):
    """Fill in ln OR(x | y) - ln OR(x | not y) of every pair x, y, and Woolf's variance.

    Half a record is added to every cell. Logarithms are looked up: all counts are below the number of
    records, and 500,000 pairs would ask for 4,000,000 of them.

    pairs     : intp[n_pairs, 2], items
    both      : int64[n_pairs, 2], records with both items, without and with the outcome
    single    : int64[n_items, 2], records with each item
    everybody : int64[2]
    least     : int, records that each of the four combinations must have
    contrast  : float64[n_pairs], filled
    variance  : float64[n_pairs], filled; infinite where a combination has too few records
    """
    most = max(everybody[0], everybody[1])
    logs, inverse = np.empty(most + 1), np.empty(most + 1)
    for n in range(most + 1):
        logs[n], inverse[n] = np.log(n + 0.5), 1.0 / (n + 0.5)
    for p in range(pairs.shape[0]):
        x, y = pairs[p, 0], pairs[p, 1]
        contrast[p], variance[p] = 0.0, 0.0
        n_neither = n_x = n_y = n_both = 0
        for z in range(2):
            sign = 2.0 * z - 1.0
            with_both = both[p, z]
            only_x, only_y = single[x, z] - with_both, single[y, z] - with_both
            neither = everybody[z] - only_x - only_y - with_both
            contrast[p] += sign * (logs[with_both] - logs[only_x] - logs[only_y] + logs[neither])
            variance[p] += inverse[with_both] + inverse[only_x] + inverse[only_y] + inverse[neither]
            n_both += with_both
            n_x += only_x
            n_y += only_y
            n_neither += neither
        if min(min(n_both, n_x), min(n_y, n_neither)) < least:
            variance[p] = np.inf
