"""The sum of the first cells of many 2 x 2 tables, given all margins: its distribution and its cumulants.

What is random in a stratified table once the margins are held is one number:
how many exposed records have the outcome. Without an effect every stratum
gives a hypergeometric number, and their sum is what Mantel and Haenszel test.
"""

from __future__ import annotations

from math import lgamma

import numpy as np

from causalrules.kernels.compiled import kernel

_NEGLIGIBLE = 1e-17
_VANISHING = 1e-260


@kernel
def sum_distribution(rows):
    """Probabilities of the sum of all first cells under an odds ratio of 1, by convolution.

    Equal strata are raised to their number by repeated squaring. Ends below
    1e-260 are cut, so a small variance means a short array however many
    strata there are. Nothing is subtracted: tails are right in all digits.

    rows    : int64[n, 5], exposed with and without the outcome, unexposed with and without, multiplicity
    returns : int64 first value, float64[m] probabilities of it and the following values
    """
    first, chances = np.int64(0), np.empty(1)
    chances[0] = 1.0
    for i in range(rows.shape[0]):
        low, one = _first_cell_distribution(rows[i])
        times = rows[i, 4]
        if one.shape[0] == 1:
            first += times * low
            continue
        while times > 0:
            if times & 1:
                first, chances = _convolved(first, chances, low, one)
            times >>= 1
            if times > 0:
                low, one = _convolved(low, one, low, one)
    return first, chances


@kernel
def _first_cell_distribution(row):
    """The hypergeometric distribution of one stratum, outwards from its mode."""
    exposed, cases = row[0] + row[1], row[0] + row[2]
    n = exposed + row[2] + row[3]
    low, high = max(0, exposed + cases - n), min(exposed, cases)
    mode = min(max((exposed + 1) * (cases + 1) // (n + 2), low), high)
    bottom, weight = mode, 1.0
    while bottom > low and weight > _VANISHING:
        weight *= _ratio_down(bottom, exposed, cases, n)
        bottom -= 1
    top, weight = mode, 1.0
    while top < high and weight > _VANISHING:
        weight *= 1.0 / _ratio_down(top + 1, exposed, cases, n)
        top += 1
    chances = np.empty(top - bottom + 1)
    chances[mode - bottom] = 1.0
    for x in range(mode, bottom, -1):
        chances[x - 1 - bottom] = chances[x - bottom] * _ratio_down(x, exposed, cases, n)
    for x in range(mode + 1, top + 1):
        chances[x - bottom] = chances[x - 1 - bottom] / _ratio_down(x, exposed, cases, n)
    total = 0.0
    for i in range(chances.shape[0]):
        total += chances[i]
    for i in range(chances.shape[0]):
        chances[i] /= total
    return np.int64(bottom), chances


@kernel
def _ratio_down(x, exposed, cases, n):
    """Central probability of x - 1 divided by that of x."""
    return (x * (n - exposed - cases + x + 0.0)) / ((exposed - x + 1.0) * (cases - x + 1.0))


@kernel
def _convolved(first, chances, other_first, others):
    """The distribution of the sum of two numbers, without ends that vanish: its first value, its chances."""
    n, m = chances.shape[0], others.shape[0]
    both = np.zeros(n + m - 1)
    for i in range(n):
        for j in range(m):
            both[i + j] += chances[i] * others[j]
    bottom, top = 0, n + m - 1
    while top - bottom > 1 and both[bottom] < _VANISHING:
        bottom += 1
    while top - bottom > 1 and both[top - 1] < _VANISHING:
        top -= 1
    kept = np.empty(top - bottom)
    for i in range(top - bottom):
        kept[i] = both[bottom + i]
    return first + other_first + bottom, kept


@kernel
def sum_cumulants(rows, log_odds, cumulants):
    """Cumulant generating function of the sum, its slope (mean) and its curvature (variance).

    Each stratum is summed outwards from its most likely value, so large
    tables cost little and nothing overflows.

    rows      : int64[n, 5], as in `sum_distribution`
    log_odds  : float64, where to look: ln E exp(log_odds · sum) under an odds ratio of 1
    cumulants : float64[3], filled
    """
    for c in range(3):
        cumulants[c] = 0.0
    for i in range(rows.shape[0]):
        exposed, cases = rows[i, 0] + rows[i, 1], rows[i, 0] + rows[i, 2]
        n = exposed + rows[i, 2] + rows[i, 3]
        tilted, mean, variance = _log_total(exposed, cases, n, log_odds)
        central, _, _ = _log_total(exposed, cases, n, 0.0)
        cumulants[0] += rows[i, 4] * (tilted - central)
        cumulants[1] += rows[i, 4] * mean
        cumulants[2] += rows[i, 4] * variance


@kernel
def _log_total(exposed, cases, n, log_odds):
    """Logarithm of the sum of all weights of one table; mean and variance of its first cell."""
    low, high = max(0, exposed + cases - n), min(exposed, cases)
    mode = _most_likely(exposed, cases, n, np.exp(log_odds), low, high)
    total, first, second = 1.0, 0.0, 0.0
    odds = np.exp(log_odds)
    for step in (1, -1):
        x, weight = mode, 1.0
        while low <= x + step <= high:
            if step > 0:
                weight *= odds / _ratio_down(x + 1, exposed, cases, n)
            else:
                weight *= _ratio_down(x, exposed, cases, n) / odds
            x += step
            if weight < _NEGLIGIBLE:
                break
            away = np.float64(x - mode)
            total += weight
            first += weight * away
            second += weight * away * away
    mean = first / total
    at_mode = -(
        lgamma(mode + 1.0)
        + lgamma(exposed - mode + 1.0)
        + lgamma(cases - mode + 1.0)
        + lgamma(n - exposed - cases + mode + 1.0)
    )
    return at_mode + log_odds * mode + np.log(total), mode + mean, second / total - mean * mean


@kernel
def _most_likely(exposed, cases, n, odds_ratio, low, high):
    """The largest x whose probability is not below its left neighbour's (Liao and Rosen 2001)."""
    a = odds_ratio - 1.0
    b = -(odds_ratio * (exposed + cases + 2.0) + n - exposed - cases)
    c = odds_ratio * (exposed + 1.0) * (cases + 1.0)
    spread = np.sqrt(max(b * b - 4.0 * a * c, 0.0))
    # The same root, written so that nothing cancels: b is positive only where the odds ratio is below 1.
    root = 2.0 * c / (spread - b) if b <= 0.0 else -(b + spread) / (2.0 * a)
    return min(max(np.int64(np.floor(root)), low), high)
