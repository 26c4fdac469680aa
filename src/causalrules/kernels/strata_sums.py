"""Sums over the rows of a strata histogram: what the tests of one rule are made of."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

N_SUMS = 15


@kernel
def sum_strata(rows, sums):
    """Add up everything that a test needs, in one pass.

    rows : int64[n, 5], exposed with and without the outcome (a1, a0), unexposed with and without (b1, b0),
           and how many strata look like this
    sums : float64[15], filled:
           0-3    n11, n12, n21, n22 averaged over all maximal pairings: m (a./a) (b./b), m = min(a, b)
           4-6    variances of n12 and n21 over these pairings, and their covariance; two pairs are of given
                  kinds with the probability of drawing their four records without replacement
           7-8    numerator R and denominator S of the Mantel-Haenszel odds ratio
           9-11   PR, PS + QR and QS of Robins, Breslow and Greenland
           12-14  a1 - E, the largest value it could have, and V, of the hypergeometric distribution
    """
    for place in range(sums.shape[0]):
        sums[place] = 0.0
    for i in range(rows.shape[0]):
        a1, a0 = np.float64(rows[i, 0]), np.float64(rows[i, 1])
        b1, b0 = np.float64(rows[i, 2]), np.float64(rows[i, 3])
        times = np.float64(rows[i, 4])
        a, b, cases = a1 + a0, b1 + b0, a1 + b1
        n, m = a + b, min(a, b)
        share = m / (a * b)
        mean12, mean21 = share * a1 * b0, share * a0 * b1
        sums[0] += times * share * a1 * b1
        sums[1] += times * mean12
        sums[2] += times * mean21
        sums[3] += times * share * a0 * b0
        two_pairs = m * (m - 1.0) / (max(a * (a - 1.0), 1.0) * max(b * (b - 1.0), 1.0))
        sums[4] += times * (two_pairs * a1 * (a1 - 1.0) * b0 * (b0 - 1.0) + mean12 - mean12 * mean12)
        sums[5] += times * (two_pairs * a0 * (a0 - 1.0) * b1 * (b1 - 1.0) + mean21 - mean21 * mean21)
        sums[6] += times * (two_pairs * a1 * a0 * b0 * b1 - mean12 * mean21)
        r, s, p, q = a1 * b0 / n, a0 * b1 / n, (a1 + b0) / n, (a0 + b1) / n
        sums[7] += times * r
        sums[8] += times * s
        sums[9] += times * p * r
        sums[10] += times * (p * s + q * r)
        sums[11] += times * q * s
        expected = a * cases / n
        sums[12] += times * (a1 - expected)
        sums[13] += times * (min(a, cases) - expected)
        sums[14] += times * expected * b * (n - cases) / (n * (n - 1.0))
