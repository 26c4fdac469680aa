"""Sums over the rows of a strata histogram: what the tests of one rule are made of.

All take rows : int64[n, 5] with exposed with and without the outcome (a1, a0),
unexposed with and without (b1, b0), and how many strata look like this.
"""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def sum_expected_pairs(rows):
    """n11, n12, n21, n22 averaged over all maximal pairings: Σ m·(a./a)·(b./b) with m = min(a, b)."""
    n11 = n12 = n21 = n22 = 0.0
    for i in range(rows.shape[0]):
        a1, a0, b1, b0 = float(rows[i, 0]), float(rows[i, 1]), float(rows[i, 2]), float(rows[i, 3])
        a, b = a1 + a0, b1 + b0
        weight = rows[i, 4] * min(a, b) / (a * b)
        n11 += weight * a1 * b1
        n12 += weight * a1 * b0
        n21 += weight * a0 * b1
        n22 += weight * a0 * b0
    return n11, n12, n21, n22


@njit(cache=True, nogil=True)
def sum_mantel_haenszel(rows, sums):
    """Sums of Mantel and Haenszel, and of Robins, Breslow and Greenland.

    sums : float64[8], filled: R and S (numerator and denominator of the odds ratio), ΣPR, Σ(PS + QR),
           ΣQS; Σ(a1 - E), the largest value it could have, and ΣV of the hypergeometric distribution
    """
    sums[:] = 0.0
    for i in range(rows.shape[0]):
        a1, a0, b1, b0 = float(rows[i, 0]), float(rows[i, 1]), float(rows[i, 2]), float(rows[i, 3])
        times = float(rows[i, 4])
        n, exposed, cases = a1 + a0 + b1 + b0, a1 + a0, a1 + b1
        r, s = a1 * b0 / n, a0 * b1 / n
        p, q = (a1 + b0) / n, (a0 + b1) / n
        mean = exposed * cases / n
        sums[0] += times * r
        sums[1] += times * s
        sums[2] += times * p * r
        sums[3] += times * (p * s + q * r)
        sums[4] += times * q * s
        sums[5] += times * (a1 - mean)
        sums[6] += times * (min(exposed, cases) - mean)
        sums[7] += times * mean * (n - exposed) * (n - cases) / (n * (n - 1.0))


@njit(cache=True, nogil=True)
def sum_pairing_covariances(rows):
    """Variances of n12 and n21 and their covariance over all maximal pairings.

    Two pairs are of given kinds with the probability of drawing their four
    records without replacement; factorial moments follow.
    """
    var12 = var21 = covariance = 0.0
    for i in range(rows.shape[0]):
        a1, a0, b1, b0 = float(rows[i, 0]), float(rows[i, 1]), float(rows[i, 2]), float(rows[i, 3])
        times = float(rows[i, 4])
        a, b = a1 + a0, b1 + b0
        m = min(a, b)
        two_pairs = m * (m - 1.0) / (max(a * (a - 1.0), 1.0) * max(b * (b - 1.0), 1.0))
        mean12, mean21 = m * a1 * b0 / (a * b), m * a0 * b1 / (a * b)
        var12 += times * (two_pairs * a1 * (a1 - 1.0) * b0 * (b0 - 1.0) + mean12 - mean12**2)
        var21 += times * (two_pairs * a0 * (a0 - 1.0) * b1 * (b1 - 1.0) + mean21 - mean21**2)
        covariance += times * (two_pairs * a1 * a0 * b0 * b1 - mean12 * mean21)
    return var12, var21, covariance


@njit(cache=True, nogil=True)
def sum_heterogeneity(rows, moments):
    """Σ[(a1 - E)² - V], ΣV, ΣV², Σ(μ4 - V²) and Σμ3, from the moments of each stratum's first cell.

    moments : float64[n, 4], see `hypergeometric.central_moments`
    """
    surplus = variance = squared = fourth = third = 0.0
    for i in range(rows.shape[0]):
        times = float(rows[i, 4])
        v = moments[i, 1]
        surplus += times * ((rows[i, 0] - moments[i, 0]) ** 2 - v)
        variance += times * v
        squared += times * v * v
        fourth += times * (moments[i, 3] - v * v)
        third += times * moments[i, 2]
    return surplus, variance, squared, fourth, third
